//! From a key to its postings: entries of one size, sorted by key. Keys are hashes and so evenly
//! spread: the place of one can be guessed to within a page or two.

use std::ops::Range;

use crate::Damage;
use crate::header::{ENTRY_BYTES, Section};
use crate::segment::Segment;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    /// In the section of the postings.
    pub(crate) offset: u64,
    pub(crate) length: u32,
    pub(crate) documents: u32,
}

/// Entries to each side of a guess. The guess for a random key of 300,000 is off by about 270.
const AROUND: u64 = 256;
/// Keys that are not spread evenly are found by halving after this many guesses.
const GUESSES_MAX: u32 = 3;

impl Entry {
    pub(crate) fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let lengths = u64::from(self.length) | u64::from(self.documents) << 32;
        let words = [self.key, self.offset, lengths].map(u64::to_le_bytes);
        bytemuck::cast(words)
    }

    fn of_bytes(bytes: &[u8; ENTRY_BYTES]) -> Entry {
        let [key, offset, lengths]: [[u8; 8]; 3] = bytemuck::cast(*bytes);
        let lengths = u64::from_le_bytes(lengths);
        Entry {
            key: u64::from_le_bytes(key),
            offset: u64::from_le_bytes(offset),
            length: lengths as u32,
            documents: (lengths >> 32) as u32,
        }
    }

    /// Where the postings are in the stream.
    pub(crate) fn range(&self, postings: &Range<u64>) -> Result<Range<u64>, Damage> {
        let start = postings.start.checked_add(self.offset);
        let end = start.and_then(|start| start.checked_add(u64::from(self.length)));
        match (start, end) {
            (Some(start), Some(end)) if end <= postings.end => Ok(start..end),
            _ => Err(Damage::Contents("postings are out of their section")),
        }
    }
}

/// All entries of a section that was read.
pub(crate) fn entries(bytes: &[u8]) -> impl Iterator<Item = Entry> {
    bytes.as_chunks::<ENTRY_BYTES>().0.iter().map(Entry::of_bytes)
}

/// Finds a key in one of the two dictionaries of a segment.
pub(crate) fn find(
    segment: &Segment,
    section: Section,
    key: u64,
    scratch: &mut Vec<u8>,
) -> Result<Option<Entry>, Damage> {
    let bytes = segment.header().section(section);
    let (mut low, mut high) = (0, (bytes.end - bytes.start) / ENTRY_BYTES as u64);
    let (mut low_key, mut high_key) = (0, u64::MAX);
    let mut guesses = 0;
    while low < high {
        let guess = match guesses < GUESSES_MAX {
            true => low + share(key, low_key, high_key, high - low),
            false => low + (high - low) / 2,
        };
        guesses += 1;
        let window = low.max(guess.saturating_sub(AROUND))..high.min(guess + AROUND);
        let start = bytes.start + window.start * ENTRY_BYTES as u64;
        let end = bytes.start + window.end * ENTRY_BYTES as u64;
        let (found, _) = segment.pages().read(start..end, scratch)?.as_chunks::<ENTRY_BYTES>();
        let key_at = |index: usize| Entry::of_bytes(&found[index]).key;
        let place = found.partition_point(|entry| Entry::of_bytes(entry).key < key);
        if place == found.len() {
            (low, low_key) = (window.end, key_at(place - 1));
        } else if key_at(place) == key {
            return checked(Entry::of_bytes(&found[place]), segment).map(Some);
        } else if place == 0 {
            (high, high_key) = (window.start, key_at(0));
        } else {
            return Ok(None);
        }
    }
    Ok(None)
}

/// How many of `count` evenly spread keys between two come before this one, below `count`.
fn share(key: u64, low_key: u64, high_key: u64, count: u64) -> u64 {
    let distance = u128::from(key.saturating_sub(low_key));
    let width = u128::from(high_key.saturating_sub(low_key)) + 1;
    let before = distance * u128::from(count) / width;
    (before as u64).min(count - 1)
}

fn checked(entry: Entry, segment: &Segment) -> Result<Entry, Damage> {
    let is_possible = (1..=segment.len()).contains(&entry.documents);
    if is_possible { Ok(entry) } else { Err(Damage::Contents("a term is in too many documents")) }
}
