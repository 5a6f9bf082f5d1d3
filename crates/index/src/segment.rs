//! One segment that was opened: its documents by number and by path. What a query makes of it is
//! elsewhere.

use std::cmp::Ordering;
use std::ops::Range;

use crate::document::{Mark, STAMP_BYTES};
use crate::header::{ENDS_BYTES, Header, Section};
use crate::pages::Pages;
use crate::vectors::of_document;
use crate::{Damage, SegmentKey, Source, Stamp, Vector};

pub struct Segment {
    pages: Pages,
    header: Header,
}

impl Segment {
    /// Reads and verifies the first page, nothing else.
    pub fn open(source: impl Into<Source>, key: &SegmentKey) -> Result<Segment, Damage> {
        let mut header = None;
        let pages = Pages::open(source.into(), |first, length| {
            let read = Header::read(first, length, key)?;
            Ok(header.insert(read).identity())
        })?;
        let header = header.ok_or(Damage::Foreign)?;
        Ok(Segment { pages, header })
    }

    /// Looks at every page.
    pub fn verify(&self) -> Result<(), Damage> {
        self.pages.verify()
    }

    /// Documents, dead ones too.
    pub fn len(&self) -> u32 {
        self.header.documents
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn path(&self, ordinal: u32) -> Result<String, Damage> {
        let place = self.place(ordinal, Section::Paths)?;
        Ok(to_path(self.pages.read(place, &mut Vec::new())?)?.to_owned())
    }

    pub fn card(&self, ordinal: u32) -> Result<Vec<u8>, Damage> {
        self.pages.read_owned(self.place(ordinal, Section::Cards)?)
    }

    pub fn row(&self, ordinal: u32) -> Result<Vec<u8>, Damage> {
        self.check(ordinal)?;
        let (start, bytes) = (self.header.section(Section::Rows).start, self.row_bytes() as u64);
        let start = start + u64::from(ordinal) * bytes;
        self.pages.read_owned(start..start + bytes)
    }

    /// The size of one row.
    pub(crate) fn row_bytes(&self) -> usize {
        let rows = self.header.section(Section::Rows);
        ((rows.end - rows.start) / u64::from(self.len().max(1))) as usize
    }

    /// The vectors as they were added: `None` is not embedded yet.
    pub fn vectors(&self, ordinal: u32) -> Result<Option<Vec<Vector>>, Damage> {
        self.check(ordinal)?;
        let mut scratch = Vec::new();
        let marks = self.rows::<1>(Section::Marks, ordinal..ordinal + 1, &mut scratch)?;
        let is_known = marks.iter().any(|[mark]| !Mark(*mark).is_waiting());
        is_known.then(|| of_document(&self.pages, &self.header, ordinal)).transpose()
    }

    /// Path and identity of a run of documents, in the order of their paths.
    pub fn stamps(&self, range: Range<u32>) -> Result<Vec<(String, Stamp)>, Damage> {
        let range = range.start.min(self.len())..range.end.min(self.len());
        let mut scratch = Vec::new();
        let stamps = self.rows::<STAMP_BYTES>(Section::Stamps, range.clone(), &mut scratch)?;
        let mut stamps = stamps.iter();
        let mut found = Vec::with_capacity(range.len());
        self.each_path(range, |_, path| {
            let stamp = stamps.next().map(|bytes| Stamp::of_bytes(*bytes));
            found.extend(stamp.map(|stamp| (path.to_owned(), stamp)));
            Ok(())
        })?;
        Ok(found)
    }

    /// Ordinals and paths of a run of documents that are there.
    pub(crate) fn each_path(
        &self,
        range: Range<u32>,
        mut take: impl FnMut(u32, &str) -> Result<(), Damage>,
    ) -> Result<(), Damage> {
        if range.is_empty() {
            return Ok(());
        }
        let (mut ends, mut paths) = (Vec::new(), Vec::new());
        let first = self.place(range.start, Section::Paths)?.start;
        let last = self.place(range.end - 1, Section::Paths)?.end;
        let ends = self.rows::<ENDS_BYTES>(Section::Ends, range.clone(), &mut ends)?;
        let paths = self.pages.read(first..last, &mut paths)?;
        let offset = first - self.header.section(Section::Paths).start;
        let mut start = 0;
        for (ordinal, ends) in range.zip(ends) {
            let end = end_of(ends, Section::Paths).checked_sub(offset).ok_or(OUT_OF_PLACE)?;
            let path = paths.get(start..end as usize).ok_or(OUT_OF_PLACE)?;
            take(ordinal, to_path(path)?)?;
            start = end as usize;
        }
        Ok(())
    }

    pub fn find_path(&self, path: &str) -> Result<Option<u32>, Damage> {
        let (mut low, mut high) = (0, self.len());
        let mut scratch = Vec::new();
        while low < high {
            let middle = low + (high - low) / 2;
            let place = self.place(middle, Section::Paths)?;
            match self.pages.read(place, &mut scratch)?.cmp(path.as_bytes()) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Ok(Some(middle)),
            }
        }
        Ok(None)
    }

    /// Documents that have not been embedded yet.
    pub fn unembedded(&self) -> Result<Vec<u32>, Damage> {
        let mut scratch = Vec::new();
        let marks = self.column(Section::Marks, &mut scratch)?;
        Ok((0..).zip(marks).filter(|it| Mark(*it.1).is_waiting()).map(|it| it.0).collect())
    }

    pub(crate) fn pages(&self) -> &Pages {
        &self.pages
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// All bytes of a section.
    pub(crate) fn column<'a>(
        &'a self,
        section: Section,
        scratch: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Damage> {
        self.pages.read(self.header.section(section), scratch)
    }

    /// Rows of one size of a run of documents.
    fn rows<'a, const N: usize>(
        &'a self,
        section: Section,
        documents: Range<u32>,
        scratch: &'a mut Vec<u8>,
    ) -> Result<&'a [[u8; N]], Damage> {
        let start = self.header.section(section).start;
        let range = start + u64::from(documents.start) * N as u64
            ..start + u64::from(documents.end) * N as u64;
        Ok(self.pages.read(range, scratch)?.as_chunks().0)
    }

    /// Where the path or the card of a document is.
    fn place(&self, ordinal: u32, section: Section) -> Result<Range<u64>, Damage> {
        self.check(ordinal)?;
        let mut scratch = Vec::new();
        let before = ordinal.saturating_sub(1);
        let ends: &[[u8; ENDS_BYTES]] =
            self.rows(Section::Ends, before..ordinal + 1, &mut scratch)?;
        let start = if ordinal == 0 { 0 } else { end_of(&ends[0], section) };
        let end = ends.last().map_or(0, |last| end_of(last, section));
        let bytes = self.header.section(section);
        let is_inside = start <= end && end <= bytes.end - bytes.start;
        if is_inside { Ok(bytes.start + start..bytes.start + end) } else { Err(OUT_OF_PLACE) }
    }

    /// An ordinal comes from a segment; one that it does not have is another segment's.
    fn check(&self, ordinal: u32) -> Result<(), Damage> {
        if ordinal < self.len() { Ok(()) } else { Err(Damage::Contents("no such document")) }
    }
}

const OUT_OF_PLACE: Damage = Damage::Contents("a path or card is out of its section");

/// Where the path or the card of a document ends in its section.
pub(crate) fn end_of(ends: &[u8; ENDS_BYTES], section: Section) -> u64 {
    let ends: [[u8; 8]; 2] = bytemuck::cast(*ends);
    u64::from_le_bytes(ends[usize::from(section == Section::Cards)])
}

pub(crate) fn to_path(bytes: &[u8]) -> Result<&str, Damage> {
    std::str::from_utf8(bytes).map_err(|_| Damage::Contents("a path is not text"))
}
