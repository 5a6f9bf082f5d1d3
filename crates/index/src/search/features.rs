//! What a caller learns of each hit beside its scores: which words of the question it has.

use std::collections::BTreeMap;

use crate::Damage;
use crate::document::TITLE;
use crate::postings::{self, Counts};

use super::lexical::Sought;
use super::part::Part;
use super::top::Spot;
use super::{AskTerm, Hit, SearchQuery};

/// The place of a hit among those of its part, a group that it has, and whether in the title.
type Match = (usize, u16, bool);

pub(super) fn hits(
    parts: &[Part<'_>],
    terms: &[Sought],
    ask: &SearchQuery<'_>,
    places: &[Spot],
) -> Result<Vec<Hit>, Damage> {
    let groups = rarity_of_groups(ask.terms, terms.iter().map(|term| term.idf));
    let mut hits = Vec::with_capacity(places.len());
    for of_part in places.chunk_by(|left, right| left.0 == right.0) {
        let part = &parts[of_part[0].0];
        let ordinals: Vec<u32> = of_part.iter().map(|place| place.1).collect();
        let matches = matches(part, terms, ask, &ordinals)?;
        for (place, &ordinal) in ordinals.iter().enumerate() {
            let start = matches.partition_point(|it| it.0 < place);
            let end = matches.partition_point(|it| it.0 <= place);
            let at = ordinal as usize;
            let scores = Scores {
                lexical: part.scores.get(at).copied().unwrap_or(0.0),
                dense: part.closest.get(at).copied().filter(|cosine| cosine.is_finite()),
            };
            let had = matches[start..end].iter().map(|it| (it.1, it.2));
            hits.push(hit((part.number, ordinal), scores, had, &groups));
        }
    }
    Ok(hits)
}

/// A group is as rare as its most frequent term: the stem is wherever the exact word is.
pub(super) fn rarity_of_groups(
    terms: &[AskTerm],
    idf: impl Iterator<Item = f32>,
) -> BTreeMap<u16, f32> {
    let mut groups = BTreeMap::new();
    for (term, idf) in terms.iter().zip(idf) {
        let rarity = groups.entry(term.group).or_insert(idf);
        *rarity = idf.min(*rarity);
    }
    groups
}

fn matches(
    part: &Part<'_>,
    terms: &[Sought],
    ask: &SearchQuery<'_>,
    ordinals: &[u32],
) -> Result<Vec<Match>, Damage> {
    let mut matches = Vec::new();
    for (term, sought) in ask.terms.iter().zip(terms) {
        let list = &sought.lists[part.number];
        let mut take = |ordinal: u32, counts: Counts| {
            let place = ordinals.binary_search(&ordinal);
            matches.extend(place.map(|place| (place, term.group, counts[TITLE] > 0)));
            Some(())
        };
        postings::visit_near(&list.bytes, list.documents, ordinals, &mut take)?;
    }
    matches.sort_unstable();
    Ok(matches)
}

/// The two scores of a document.
pub(super) struct Scores {
    pub(super) lexical: f32,
    pub(super) dense: Option<f32>,
}

/// `had` are the groups that it has, sorted, each with whether in the title.
pub(super) fn hit(
    (segment, ordinal): Spot,
    scores: Scores,
    had: impl Iterator<Item = (u16, bool)> + Clone,
    groups: &BTreeMap<u16, f32>,
) -> Hit {
    let mut matched: Vec<u16> = had.clone().map(|it| it.0).collect();
    matched.dedup();
    let mut titled: Vec<u16> = had.filter(|it| it.1).map(|it| it.0).collect();
    titled.dedup();
    Hit {
        segment,
        ordinal,
        lexical: scores.lexical,
        coverage: share(&matched, groups),
        title_coverage: share(&titled, groups),
        dense: scores.dense,
        matched,
    }
}

fn share(of: &[u16], groups: &BTreeMap<u16, f32>) -> f32 {
    let all: f32 = groups.values().sum();
    let having: f32 = of.iter().filter_map(|group| groups.get(group)).sum();
    if all > 0.0 { having / all } else { 0.0 }
}
