//! The start of a segment: whose it is, how much it holds, and where. The only thing that is read
//! when a segment is opened.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use crate::document::{FIELDS, STAMP_BYTES};
use crate::pages::{PAYLOAD, file_length};
use crate::{DIMENSIONS, Damage, LAYOUT_VERSION, SegmentKey};

/// Whose row of the vectors it is.
pub(crate) const HEAD_BYTES: usize = 8;
pub(crate) const ROW_BYTES: usize = DIMENSIONS + HEAD_BYTES;
pub(crate) const ROWS_PER_PAGE: usize = PAYLOAD / ROW_BYTES;

const MAGIC: [u8; 8] = *b"oldhands";
const VERSION: u64 = pair(LAYOUT_VERSION, FIELDS as u32);

pub(crate) fn pages_of_rows(rows: u64) -> u64 {
    rows.div_ceil(ROWS_PER_PAGE as u64)
}

/// The parts of a segment, in the order of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// One byte per document and field, all of field 0 first.
    Lengths,
    /// One byte per document: state and embedding.
    Marks,
    /// As many bytes per document as the caller has given.
    Rows,
    Stamps,
    /// Eight bytes per document: when it was last written.
    Instants,
    /// Where each path and each card ends.
    Ends,
    Paths,
    Cards,
    Terms,
    Postings,
    Filters,
    FilterPostings,
    Vectors,
}

pub(crate) const SECTIONS: usize = 13;
pub(crate) const ENTRY_BYTES: usize = 24;
/// A document's row in `Section::Ends`: of its path, then of its card.
pub(crate) const ENDS_BYTES: usize = 16;

/// Ordinals and gaps between them leave a bit for the shape of a posting.
pub(crate) const DOCUMENTS_MAX: u32 = 1 << 30;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) key: SegmentKey,
    /// A hash over all sections: two segments with the same one are the same.
    pub(crate) content: u64,
    pub(crate) stream: u64,
    pub(crate) documents: u32,
    /// Documents with at least one vector.
    pub(crate) embedded: u32,
    pub(crate) rows: u64,
    /// The sum of the stored lengths of each field.
    pub(crate) length_sums: [u64; FIELDS],
    /// Where each section begins and how long it is.
    pub(crate) sections: [(u64, u64); SECTIONS],
}

pub(crate) const HEADER_BYTES: usize = 8 + 8 + 32 + 8 * 4 + 8 * FIELDS + 16 * SECTIONS;

impl Header {
    pub(crate) fn section(&self, section: Section) -> Range<u64> {
        let (start, length) = self.sections[section as usize];
        start..start + length
    }

    pub(crate) fn identity(&self) -> u64 {
        let numbers = [self.content, self.stream, u64::from(self.documents)];
        xxh3_64(&[&self.key.0[..], numbers.map(u64::to_le_bytes).as_flattened()].concat())
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let words = [self.content, self.stream, pair(self.documents, self.embedded), self.rows];
        let sections = self.sections.into_iter().flat_map(|(start, length)| [start, length]);
        let words = words.into_iter().chain(self.length_sums).chain(sections);
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.key.0);
        bytes.extend(words.flat_map(u64::to_le_bytes));
        bytes
    }

    /// Reads the header of a file of this length and key. Nothing in it is proven before the page
    /// is verified, but that it is consistent.
    pub(crate) fn read(first: &[u8], length: u64, key: &SegmentKey) -> Result<Header, Damage> {
        let bytes = first.first_chunk::<HEADER_BYTES>().ok_or(Damage::Foreign)?;
        let words = bytes.as_chunks::<8>().0;
        let word = |at: usize| u64::from_le_bytes(words[at]);
        if words[0] != MAGIC || word(1) != VERSION || bytes[16..48] != key.0 {
            return Err(Damage::Foreign);
        }
        let header = Header {
            key: *key,
            content: word(6),
            stream: word(7),
            documents: word(8) as u32,
            embedded: (word(8) >> 32) as u32,
            rows: word(9),
            length_sums: std::array::from_fn(|field| word(10 + field)),
            sections: std::array::from_fn(|section| {
                let at = 10 + FIELDS + 2 * section;
                (word(at), word(at + 1))
            }),
        };
        let written = file_length(header.stream).unwrap_or(u64::MAX);
        if written != length {
            return Err(Damage::Length { found: length, written });
        }
        header.check()?;
        Ok(header)
    }

    fn check(&self) -> Result<(), Damage> {
        let mut end = HEADER_BYTES as u64;
        for (start, length) in self.sections {
            let next = start.checked_add(length).filter(|next| *next <= self.stream);
            end = next.filter(|_| start >= end).ok_or(Damage::Contents("sections overlap"))?;
        }
        let length = |section: Section| self.sections[section as usize].1;
        let documents = u64::from(self.documents);
        let is_counted = self.documents <= DOCUMENTS_MAX
            && self.embedded <= self.documents
            && length(Section::Lengths) == documents * FIELDS as u64
            && length(Section::Marks) == documents
            && length(Section::Rows).is_multiple_of(documents.max(1))
            && length(Section::Stamps) == documents * STAMP_BYTES as u64
            && length(Section::Instants) == documents * 8
            && length(Section::Ends) == documents * ENDS_BYTES as u64
            && length(Section::Terms).is_multiple_of(ENTRY_BYTES as u64)
            && length(Section::Filters).is_multiple_of(ENTRY_BYTES as u64)
            && length(Section::Vectors).div_ceil(PAYLOAD as u64) == pages_of_rows(self.rows)
            && (self.rows == 0
                || self.section(Section::Vectors).start.is_multiple_of(PAYLOAD as u64));
        if is_counted { Ok(()) } else { Err(Damage::Contents("a section has the wrong length")) }
    }
}

/// Two numbers in one word, the first in its lower half.
const fn pair(low: u32, high: u32) -> u64 {
    low as u64 | (high as u64) << 32
}
