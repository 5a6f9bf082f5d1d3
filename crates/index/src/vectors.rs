//! The section of the vectors: on each page the bytes of its rows, one behind the other so that a
//! kernel can run over them, then one head per row that says whose it is.

use std::cmp::Ordering;
use std::ops::Range;

use crate::header::{HEAD_BYTES, Header, ROW_BYTES, ROWS_PER_PAGE, Section, pages_of_rows};
use crate::pages::{PAYLOAD, PageWriter, Pages};
use crate::{DIMENSIONS, Damage, Vector};

/// Pages that are read at a time: enough to be fast, and small enough for the processor's cache.
const PAGES_AT_A_TIME: u64 = 64;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Head {
    pub(crate) ordinal: u32,
    pub(crate) scale: f32,
}

impl Head {
    fn to_bytes(self) -> [u8; HEAD_BYTES] {
        (u64::from(self.ordinal) | u64::from(self.scale.to_bits()) << 32).to_le_bytes()
    }

    fn of_bytes(bytes: &[u8; HEAD_BYTES]) -> Head {
        let word = u64::from_le_bytes(*bytes);
        Head { ordinal: word as u32, scale: f32::from_bits((word >> 32) as u32) }
    }
}

/// The rows of one page.
pub(crate) struct Rows<'a> {
    pub(crate) bytes: &'a [i8],
    heads: &'a [[u8; HEAD_BYTES]],
}

impl Rows<'_> {
    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(crate) fn heads(&self) -> impl Iterator<Item = Head> {
        self.heads.iter().map(Head::of_bytes)
    }

    pub(crate) fn vectors(&self) -> impl Iterator<Item = (Head, Vector)> {
        let rows = self.bytes.as_chunks::<DIMENSIONS>().0;
        let vector = |(head, bytes): (Head, &[i8; DIMENSIONS])| {
            (head, Vector { scale: head.scale, bytes: *bytes })
        };
        self.heads().zip(rows).map(vector)
    }
}

/// Vectors on their way into a segment, in the order of their documents.
#[derive(Default)]
pub(crate) struct VectorColumn {
    rows: Vec<[i8; DIMENSIONS]>,
    heads: Vec<Head>,
}

impl VectorColumn {
    pub(crate) fn push(&mut self, ordinal: u32, vector: &Vector) {
        // A scale that is no number would make every comparison with it false.
        let scale = if vector.scale.is_finite() { vector.scale } else { 0.0 };
        self.rows.push(vector.bytes);
        self.heads.push(Head { ordinal, scale });
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Each page's worth of bytes, padded but for the last.
    pub(crate) fn write(&self, writer: &mut PageWriter) {
        let pages = self.rows.chunks(ROWS_PER_PAGE).zip(self.heads.chunks(ROWS_PER_PAGE));
        for (rows, heads) in pages {
            writer.align();
            writer.push(bytemuck::cast_slice(rows.as_flattened()));
            for head in heads {
                writer.push(&head.to_bytes());
            }
        }
    }

    pub(crate) fn hash(&self) -> u64 {
        let mut hasher = xxhash_rust::xxh3::Xxh3::new();
        hasher.update(bytemuck::cast_slice(self.rows.as_flattened()));
        for head in &self.heads {
            hasher.update(&head.to_bytes());
        }
        hasher.digest()
    }
}

/// Gives the rows of every page in order, reading a few pages at a time.
pub(crate) fn each_page(
    pages: &Pages,
    header: &Header,
    mut take: impl FnMut(Rows<'_>) -> Result<(), Damage>,
) -> Result<(), Damage> {
    let mut scratch = Vec::new();
    let count = pages_of_rows(header.rows);
    let mut chunk = 0;
    while chunk < count {
        let until = count.min(chunk + PAGES_AT_A_TIME);
        read_chunk(pages, header, chunk..until, &mut scratch)?.try_for_each(|rows| take(rows?))?;
        chunk = until;
    }
    Ok(())
}

/// The rows of some pages of the section.
fn read_chunk<'a>(
    pages: &'a Pages,
    header: &Header,
    chunk: Range<u64>,
    scratch: &'a mut Vec<u8>,
) -> Result<impl Iterator<Item = Result<Rows<'a>, Damage>>, Damage> {
    let first = header.section(Section::Vectors).start / PAYLOAD as u64;
    let rows = header.rows;
    let start = chunk.start;
    let payloads = pages.read_pages(first + chunk.start..first + chunk.end, scratch)?;
    Ok(payloads.zip(start..).map(move |(payload, page)| rows_of(payload, rows, page)))
}

pub(crate) fn read_page<'a>(
    pages: &'a Pages,
    header: &Header,
    page: u64,
    scratch: &'a mut Vec<u8>,
) -> Result<Rows<'a>, Damage> {
    read_chunk(pages, header, page..page + 1, scratch)?.next().unwrap_or(Err(CUT_SHORT))
}

/// The vectors of one document: rows are in the order of documents, so its page can be searched for.
pub(crate) fn of_document(
    pages: &Pages,
    header: &Header,
    ordinal: u32,
) -> Result<Vec<Vector>, Damage> {
    let count = pages_of_rows(header.rows);
    let (mut low, mut high) = (0, count);
    let mut scratch = Vec::new();
    while low < high {
        let middle = low + (high - low) / 2;
        let rows = read_page(pages, header, middle, &mut scratch)?;
        let ends_before = rows.heads().last().is_none_or(|head| head.ordinal < ordinal);
        (low, high) = if ends_before { (middle + 1, high) } else { (low, middle) };
    }
    let mut found = Vec::new();
    for page in low..count {
        let rows = read_page(pages, header, page, &mut scratch)?;
        for (head, vector) in rows.vectors() {
            match head.ordinal.cmp(&ordinal) {
                Ordering::Less => {}
                Ordering::Equal => found.push(vector),
                Ordering::Greater => return Ok(found),
            }
        }
    }
    Ok(found)
}

const CUT_SHORT: Damage = Damage::Contents("vectors are cut short");

fn rows_of(payload: &[u8], rows: u64, page: u64) -> Result<Rows<'_>, Damage> {
    let count = (rows - page * ROWS_PER_PAGE as u64).min(ROWS_PER_PAGE as u64) as usize;
    let used = payload.get(..count * ROW_BYTES).ok_or(CUT_SHORT)?;
    let (bytes, heads) = used.split_at(count * DIMENSIONS);
    Ok(Rows { bytes: bytemuck::cast_slice(bytes), heads: heads.as_chunks().0 })
}
