//! A stream of bytes on pages that each carry a checksum. The checksum is seeded with the identity
//! of the segment and the number of the page, so that a page of elsewhere is as wrong as a flipped
//! bit. What the stream means is not known here.

use std::cell::RefCell;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::{Damage, Source};

pub(crate) const PAGE: usize = 4 * 1024;
const CHECKSUM: usize = 8;
/// Bytes of the stream on each page but the last.
pub(crate) const PAYLOAD: usize = PAGE - CHECKSUM;

/// The length of a file with this many bytes of stream, if there can be one.
pub(crate) fn file_length(stream: u64) -> Option<u64> {
    stream.div_ceil(PAYLOAD as u64).checked_mul(CHECKSUM as u64)?.checked_add(stream)
}

fn checksum(payload: &[u8], identity: u64, page: u64) -> u64 {
    xxh3_64_with_seed(payload, identity ^ page.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Lays a stream out on pages.
pub(crate) struct PageWriter {
    bytes: Vec<u8>,
    stream: u64,
}

impl PageWriter {
    pub(crate) fn with_capacity(stream: usize) -> PageWriter {
        PageWriter { bytes: Vec::with_capacity(stream + stream / 1024 + PAGE), stream: 0 }
    }

    pub(crate) fn position(&self) -> u64 {
        self.stream
    }

    pub(crate) fn push(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min(self.room()));
            self.bytes.extend_from_slice(part);
            self.stream += part.len() as u64;
            if self.room() == PAYLOAD {
                self.bytes.extend_from_slice(&[0; CHECKSUM]);
            }
            bytes = rest;
        }
    }

    /// Goes on at the start of a page.
    pub(crate) fn align(&mut self) {
        if self.room() < PAYLOAD {
            self.push(&[0; PAYLOAD][..self.room()]);
        }
    }

    fn room(&self) -> usize {
        PAYLOAD - (self.stream % PAYLOAD as u64) as usize
    }

    /// Overwrites the start of the stream, which must lie on the first page.
    pub(crate) fn set_start(&mut self, bytes: &[u8]) {
        self.bytes[..bytes.len()].copy_from_slice(bytes);
    }

    /// Writes the checksums.
    pub(crate) fn seal(mut self, identity: u64) -> Vec<u8> {
        if self.room() < PAYLOAD {
            self.bytes.extend_from_slice(&[0; CHECKSUM]);
        }
        for (number, page) in self.bytes.chunks_mut(PAGE).enumerate() {
            let (payload, sum) = page.split_at_mut(page.len() - CHECKSUM);
            sum.copy_from_slice(&checksum(payload, identity, number as u64).to_le_bytes());
        }
        self.bytes
    }
}

/// Reads and verifies pages.
pub(crate) struct Pages {
    source: Source,
    length: u64,
    identity: u64,
    /// Payloads of pages that were read by themselves, verified: neighbours are asked for in turn,
    /// and a system call costs more than a copy.
    kept: RefCell<Vec<Option<Kept>>>,
}

/// A page by its number, and its payload.
type Kept = (u64, Vec<u8>);

/// A page has one slot, by its number.
const KEPT: usize = 64;

impl Pages {
    /// `identify` reads the identity off the first page, before the page is known to be right.
    pub(crate) fn open(
        source: Source,
        identify: impl FnOnce(&[u8], u64) -> Result<u64, Damage>,
    ) -> Result<Pages, Damage> {
        let length = source.length();
        let mut first = vec![0; length.min(PAGE as u64) as usize];
        source.read_at(0, &mut first)?;
        let identity = identify(&first, length)?;
        verify(&first, identity, 0)?;
        first.truncate(first.len() - CHECKSUM);
        let mut kept = vec![None; KEPT];
        kept[0] = Some((0, first));
        Ok(Pages { source, length, identity, kept: RefCell::new(kept) })
    }

    /// The bytes of a range of the stream, in `scratch`.
    pub(crate) fn read<'a>(
        &self,
        range: Range<u64>,
        scratch: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Damage> {
        if range.is_empty() {
            return Ok(&[]);
        }
        let inside = self.load_stream(range, scratch)?;
        Ok(&scratch[inside])
    }

    /// The bytes of a range of the stream, for whoever keeps them.
    pub(crate) fn read_owned(&self, range: Range<u64>) -> Result<Vec<u8>, Damage> {
        Ok(self.read(range, &mut Vec::new())?.to_vec())
    }

    /// Loads the pages of a range that is not empty, and says where in `scratch` its bytes are.
    fn load_stream(
        &self,
        range: Range<u64>,
        scratch: &mut Vec<u8>,
    ) -> Result<Range<usize>, Damage> {
        let page = range.start / PAYLOAD as u64;
        let last = (range.end - 1) / PAYLOAD as u64;
        if page == last {
            return self.load_part(page, range, scratch);
        }
        let bytes = self.load(page..last + 1, scratch)?;
        let mut end = bytes.len().min(PAGE) - CHECKSUM;
        let mut from = PAGE;
        // The checksums in between go, so that nothing above knows of pages.
        while from < bytes.len() {
            let until = bytes.len().min(from + PAGE) - CHECKSUM;
            bytes.copy_within(from..until, end);
            end += until - from;
            from += PAGE;
        }
        let start = (range.start - page * PAYLOAD as u64) as usize;
        let inside = start..start + (range.end - range.start) as usize;
        if inside.end > end {
            return Err(Damage::Contents("range is out of the stream"));
        }
        Ok(inside)
    }

    /// A range on one page.
    fn load_part(
        &self,
        page: u64,
        range: Range<u64>,
        scratch: &mut Vec<u8>,
    ) -> Result<Range<usize>, Damage> {
        let mut kept = self.kept.borrow_mut();
        let slot = &mut kept[(page % KEPT as u64) as usize];
        let payload = match slot {
            Some((number, payload)) if *number == page => payload,
            _ => {
                let bytes = self.load(page..page + 1, scratch)?;
                let payload = bytes[..bytes.len() - CHECKSUM].to_vec();
                &mut slot.insert((page, payload)).1
            }
        };
        let start = (range.start - page * PAYLOAD as u64) as usize;
        let end = start + (range.end - range.start) as usize;
        let part = payload.get(start..end);
        let part = part.ok_or(Damage::Contents("range is out of the stream"))?;
        scratch.clear();
        scratch.extend_from_slice(part);
        Ok(0..part.len())
    }

    /// The payloads of whole pages.
    pub(crate) fn read_pages<'a>(
        &'a self,
        pages: Range<u64>,
        scratch: &'a mut Vec<u8>,
    ) -> Result<impl Iterator<Item = &'a [u8]>, Damage> {
        let bytes: &[u8] = match self.source.sound() {
            Some(all) => {
                let place = self.place(&pages)?;
                all.get(place).ok_or(Damage::Contents("page is out of the segment"))?
            }
            None => self.load(pages, scratch)?,
        };
        Ok(bytes.chunks(PAGE).map(|page| &page[..page.len() - CHECKSUM]))
    }

    /// Where pages lie in the file.
    fn place(&self, pages: &Range<u64>) -> Result<Range<usize>, Damage> {
        let start = pages.start.saturating_mul(PAGE as u64);
        let end = pages.end.saturating_mul(PAGE as u64).min(self.length);
        if start >= end {
            return Err(Damage::Contents("page is out of the segment"));
        }
        Ok(start as usize..end as usize)
    }

    /// Every page, for whoever keeps all of them.
    pub(crate) fn verify(&self) -> Result<(), Damage> {
        let mut scratch = Vec::new();
        for page in 0..self.length.div_ceil(PAGE as u64) {
            self.load(page..page + 1, &mut scratch)?;
        }
        Ok(())
    }

    /// Page after page as it lies in the file, verified, and of more than its checksum each.
    fn load<'a>(
        &self,
        pages: Range<u64>,
        scratch: &'a mut Vec<u8>,
    ) -> Result<&'a mut [u8], Damage> {
        let place = self.place(&pages)?;
        let length = place.len();
        if scratch.len() < length {
            scratch.resize(length, 0);
        }
        let bytes = &mut scratch[..length];
        self.source.read_at(place.start as u64, bytes)?;
        if self.source.sound().is_some() {
            return Ok(bytes);
        }
        for (page, number) in bytes.chunks(PAGE).zip(pages.start..) {
            verify(page, self.identity, number)?;
        }
        Ok(bytes)
    }
}

fn verify(page: &[u8], identity: u64, number: u64) -> Result<(), Damage> {
    let (payload, sum) = page.split_last_chunk::<CHECKSUM>().ok_or(Damage::Page(number))?;
    let is_right = checksum(payload, identity, number) == u64::from_le_bytes(*sum);
    if is_right { Ok(()) } else { Err(Damage::Page(number)) }
}
