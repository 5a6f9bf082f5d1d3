//! Which documents a question may return.

use crate::document::Mark;
use crate::header::Section;
use crate::{Damage, Segment, dictionary, postings};

use super::SearchQuery;
use super::part::Part;

/// One bit per document.
#[derive(Debug, Default, Clone)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    fn none(documents: u32) -> Bits {
        Bits(vec![0; documents.div_ceil(64) as usize])
    }

    fn all(documents: u32) -> Bits {
        Bits(vec![u64::MAX; documents.div_ceil(64) as usize])
    }

    /// `None` if there is no such document.
    fn set(&mut self, ordinal: u32) -> Option<()> {
        *self.0.get_mut(ordinal as usize / 64)? |= 1 << (ordinal % 64);
        Some(())
    }

    fn clear(&mut self, ordinal: u32) {
        if let Some(word) = self.0.get_mut(ordinal as usize / 64) {
            *word &= !(1 << (ordinal % 64));
        }
    }

    fn keep(&mut self, other: &Bits) {
        for (word, kept) in self.0.iter_mut().zip(&other.0) {
            *word &= kept;
        }
    }

    pub(super) fn has(&self, ordinal: usize) -> bool {
        self.0.get(ordinal / 64).is_some_and(|word| word >> (ordinal % 64) & 1 == 1)
    }
}

pub(super) fn allow(part: &Part<'_>, ask: &SearchQuery<'_>) -> Result<Bits, Damage> {
    let mut allowed = by_state(part.segment, ask.states)?;
    for keys in ask.filter {
        allowed.keep(&with_any(part.segment, keys)?);
    }
    for &ordinal in &part.dead {
        allowed.clear(ordinal);
    }
    Ok(allowed)
}

fn by_state(segment: &Segment, states: u16) -> Result<Bits, Damage> {
    if states == u16::MAX {
        return Ok(Bits::all(segment.len()));
    }
    let mut scratch = Vec::new();
    let marks = segment.column(Section::Marks, &mut scratch)?;
    let word = |marks: &[u8]| {
        let bits = marks.iter().map(|mark| u64::from(states >> Mark(*mark).state() & 1));
        (0..).zip(bits).fold(0, |word, (place, bit)| word | bit << place)
    };
    Ok(Bits(marks.chunks(64).map(word).collect()))
}

/// Documents that have at least one of the filter keys.
fn with_any(segment: &Segment, keys: &[u64]) -> Result<Bits, Damage> {
    let mut bits = Bits::none(segment.len());
    let mut scratch = Vec::new();
    let section = segment.header().section(Section::FilterPostings);
    for &key in keys {
        let found = dictionary::find(segment, Section::Filters, key, &mut scratch)?;
        let Some(entry) = found else { continue };
        let bytes = segment.pages().read(entry.range(&section)?, &mut scratch)?;
        let documents = segment.len();
        postings::each_ordinal(bytes, entry.documents, |ordinal| {
            if ordinal < documents { bits.set(ordinal) } else { None }
        })?;
    }
    Ok(bits)
}
