//! What a question needs to know of one segment.

use crate::document::{FIELDS, Mark};
use crate::header::Section;
use crate::{Damage, Segment, lengths};

use super::{Live, SearchQuery};

pub(super) struct Part<'a> {
    /// The place of the segment in the question.
    pub(super) number: usize,
    pub(super) segment: &'a Segment,
    /// Sorted, without doubles, and all there.
    pub(super) dead: Vec<u32>,
    /// By ordinal.
    pub(super) allowed: Vec<bool>,
    /// Live documents with vectors.
    pub(super) embedded: u32,
    /// The stored length of each document, field by field; empty if no term was asked for.
    pub(super) lengths: Vec<u8>,
    pub(super) length_sums: [u64; FIELDS],
    /// By ordinal; empty while no term was found here.
    pub(super) scores: Vec<f32>,
    /// The best cosine by ordinal, or minus infinity; empty without vectors.
    pub(super) closest: Vec<f32>,
}

impl<'a> Part<'a> {
    pub(super) fn load(
        number: usize,
        live: &Live<'a>,
        ask: &SearchQuery<'_>,
    ) -> Result<Part<'a>, Damage> {
        let segment = live.segment;
        let mut dead: Vec<u32> =
            live.dead.iter().copied().filter(|it| *it < segment.len()).collect();
        dead.sort_unstable();
        dead.dedup();
        let mut part = Part {
            number,
            segment,
            dead,
            allowed: live.allowed(ask.filter, ask.states)?,
            embedded: segment.header().embedded,
            lengths: Vec::new(),
            length_sums: segment.header().length_sums,
            scores: Vec::new(),
            closest: Vec::new(),
        };
        part.count_embedded()?;
        part.load_lengths(ask)?;
        Ok(part)
    }

    /// Live documents.
    pub(super) fn documents(&self) -> u32 {
        self.segment.len() - self.dead.len() as u32
    }

    pub(super) fn field_lengths(&self, field: usize) -> &[u8] {
        let documents = self.segment.len() as usize;
        self.lengths.get(field * documents..(field + 1) * documents).unwrap_or(&[])
    }

    fn count_embedded(&mut self) -> Result<(), Damage> {
        if self.dead.is_empty() {
            return Ok(());
        }
        let mut scratch = Vec::new();
        let marks = self.segment.column(Section::Marks, &mut scratch)?;
        let dead = self.dead.iter().filter(|it| Mark(marks[**it as usize]).is_embedded()).count();
        let left = self.embedded.checked_sub(dead as u32);
        self.embedded = left.ok_or(Damage::Contents("more vectors than were counted"))?;
        Ok(())
    }

    fn load_lengths(&mut self, ask: &SearchQuery<'_>) -> Result<(), Damage> {
        if ask.terms.is_empty() {
            return Ok(());
        }
        let section = self.segment.header().section(Section::Lengths);
        self.lengths = self.segment.pages().read_owned(section)?;
        for field in 0..FIELDS {
            let lengths = self.field_lengths(field);
            let gone = self.dead.iter().map(|it| u64::from(lengths::decode(lengths[*it as usize])));
            let left = self.length_sums[field].checked_sub(gone.sum());
            self.length_sums[field] = left.ok_or(Damage::Contents("lengths were miscounted"))?;
        }
        Ok(())
    }
}
