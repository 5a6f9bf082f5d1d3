//! Which documents a question may return.

use crate::document::Mark;
use crate::header::Section;
use crate::{Damage, Segment, dictionary, postings};

use super::Live;

impl Live<'_> {
    /// By ordinal: whether a document is alive, has one key of each group, and is in one of the
    /// states.
    pub(super) fn allowed(&self, filter: &[Vec<u64>], states: u16) -> Result<Vec<bool>, Damage> {
        let mut scratch = Vec::new();
        let marks = self.segment.column(Section::Marks, &mut scratch)?;
        let is_wanted = |mark: &u8| states >> Mark(*mark).state() & 1 == 1;
        let mut allowed: Vec<bool> = marks.iter().map(is_wanted).collect();
        for keys in filter {
            let with_key = with_any(self.segment, keys)?;
            allowed.iter_mut().zip(with_key).for_each(|(allowed, has_key)| *allowed &= has_key);
        }
        for &ordinal in self.dead {
            if let Some(allowed) = allowed.get_mut(ordinal as usize) {
                *allowed = false;
            }
        }
        Ok(allowed)
    }
}

/// Documents that have at least one of the filter keys.
fn with_any(segment: &Segment, keys: &[u64]) -> Result<Vec<bool>, Damage> {
    let mut found = vec![false; segment.len() as usize];
    let mut scratch = Vec::new();
    let section = segment.header().section(Section::FilterPostings);
    for &key in keys {
        let entry = dictionary::find(segment, Section::Filters, key, &mut scratch)?;
        let Some(entry) = entry else { continue };
        let bytes = segment.pages().read(entry.range(&section)?, &mut scratch)?;
        postings::each_ordinal(bytes, entry.documents, |ordinal| {
            *found.get_mut(ordinal as usize)? = true;
            Some(())
        })?;
    }
    Ok(found)
}
