//! What a caller learns of each hit beside its scores: which words of the question it has.

use std::collections::BTreeMap;

use crate::document::TITLE;
use crate::postings::{self, Counts, ONCE, Visit};
use crate::{Damage, Source};

use super::lexical::Sought;
use super::part::Part;
use super::top::Place;
use super::{Ask, Hit};

/// Which groups the hits of one part have: the place of the hit, the group, and if in the title.
#[derive(Default)]
struct Matches(Vec<(usize, u16, bool)>);

pub(super) fn hits<S: Source>(
    parts: &[Part<'_, S>],
    terms: &[Sought],
    ask: &Ask<'_>,
    places: &[Place],
) -> Result<Vec<Hit>, Damage> {
    let groups = rarity_of_groups(terms, ask);
    let mut hits = Vec::with_capacity(places.len());
    for of_part in places.chunk_by(|left, right| left.0 == right.0) {
        let part = &parts[of_part[0].0];
        let ordinals: Vec<u32> = of_part.iter().map(|place| place.1).collect();
        let matches = matches(part, terms, ask, &ordinals)?;
        for (place, &ordinal) in ordinals.iter().enumerate() {
            hits.push(hit(part, ordinal, matches.of(place), &groups));
        }
    }
    Ok(hits)
}

/// A group is as rare as its most frequent term: the stem is wherever the exact word is.
fn rarity_of_groups(terms: &[Sought], ask: &Ask<'_>) -> BTreeMap<u16, f32> {
    let mut groups = BTreeMap::new();
    for (term, sought) in ask.terms.iter().zip(terms) {
        let rarity = groups.entry(term.group).or_insert(sought.idf);
        *rarity = sought.idf.min(*rarity);
    }
    groups
}

fn matches<S: Source>(
    part: &Part<'_, S>,
    terms: &[Sought],
    ask: &Ask<'_>,
    ordinals: &[u32],
) -> Result<Matches, Damage> {
    let mut matches = Matches::default();
    for (term, sought) in ask.terms.iter().zip(terms) {
        let list = &sought.lists[part.number];
        let mut matching = Matching { ordinals, group: term.group, matches: &mut matches };
        postings::visit_near(&list.bytes, list.documents, ordinals, &mut matching)?;
    }
    matches.0.sort_unstable();
    Ok(matches)
}

impl Matches {
    fn of(&self, place: usize) -> &[(usize, u16, bool)] {
        let start = self.0.partition_point(|it| it.0 < place);
        let end = self.0.partition_point(|it| it.0 <= place);
        &self.0[start..end]
    }
}

struct Matching<'a> {
    ordinals: &'a [u32],
    group: u16,
    matches: &'a mut Matches,
}

impl Visit for Matching<'_> {
    #[inline(always)]
    fn once(&mut self, ordinal: u32) -> Option<()> {
        self.counted(ordinal, ONCE)
    }

    #[inline(always)]
    fn counted(&mut self, ordinal: u32, counts: Counts) -> Option<()> {
        if let Ok(place) = self.ordinals.binary_search(&ordinal) {
            self.matches.0.push((place, self.group, counts[TITLE] > 0));
        }
        Some(())
    }
}

fn hit<S: Source>(
    part: &Part<'_, S>,
    ordinal: u32,
    matches: &[(usize, u16, bool)],
    groups: &BTreeMap<u16, f32>,
) -> Hit {
    let mut matched: Vec<u16> = matches.iter().map(|it| it.1).collect();
    matched.dedup();
    let mut titled: Vec<u16> = matches.iter().filter(|it| it.2).map(|it| it.1).collect();
    titled.dedup();
    let at = ordinal as usize;
    let cosine = |of: &[f32]| of.get(at).copied().filter(|cosine| cosine.is_finite());
    Hit {
        segment: part.number,
        ordinal,
        lexical: part.scores.get(at).copied().unwrap_or(0.0),
        coverage: share(&matched, groups),
        title_coverage: share(&titled, groups),
        dense: cosine(&part.closest),
        dense_second: cosine(&part.second),
        matched,
    }
}

fn share(of: &[u16], groups: &BTreeMap<u16, f32>) -> f32 {
    let all: f32 = groups.values().sum();
    let having: f32 = of.iter().filter_map(|group| groups.get(group)).sum();
    if all > 0.0 { having / all } else { 0.0 }
}
