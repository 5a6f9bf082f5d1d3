//! What a caller learns of each hit beside its scores: which words of the question it has.

use std::collections::BTreeMap;

use crate::Damage;
use crate::document::TITLE;
use crate::postings::{self, Counts};

use super::lexical::Sought;
use super::part::Part;
use super::top::Spot;
use super::{Hit, SearchQuery};

/// The place of a hit among those of its part, a group that it has, and whether in the title.
type Match = (usize, u16, bool);

pub(super) fn hits(
    parts: &[Part<'_>],
    terms: &[Sought],
    ask: &SearchQuery<'_>,
    places: &[Spot],
) -> Result<Vec<Hit>, Damage> {
    let groups = rarity_of_groups(terms, ask);
    let mut hits = Vec::with_capacity(places.len());
    for of_part in places.chunk_by(|left, right| left.0 == right.0) {
        let part = &parts[of_part[0].0];
        let ordinals: Vec<u32> = of_part.iter().map(|place| place.1).collect();
        let matches = matches(part, terms, ask, &ordinals)?;
        for (place, &ordinal) in ordinals.iter().enumerate() {
            let start = matches.partition_point(|it| it.0 < place);
            let end = matches.partition_point(|it| it.0 <= place);
            hits.push(hit(part, ordinal, &matches[start..end], &groups));
        }
    }
    Ok(hits)
}

/// A group is as rare as its most frequent term: the stem is wherever the exact word is.
fn rarity_of_groups(terms: &[Sought], ask: &SearchQuery<'_>) -> BTreeMap<u16, f32> {
    let mut groups = BTreeMap::new();
    for (term, sought) in ask.terms.iter().zip(terms) {
        let rarity = groups.entry(term.group).or_insert(sought.idf);
        *rarity = sought.idf.min(*rarity);
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

fn hit(part: &Part<'_>, ordinal: u32, matches: &[Match], groups: &BTreeMap<u16, f32>) -> Hit {
    let mut matched: Vec<u16> = matches.iter().map(|it| it.1).collect();
    matched.dedup();
    let mut titled: Vec<u16> = matches.iter().filter(|it| it.2).map(|it| it.1).collect();
    titled.dedup();
    let at = ordinal as usize;
    Hit {
        segment: part.number,
        ordinal,
        lexical: part.scores.get(at).copied().unwrap_or(0.0),
        coverage: share(&matched, groups),
        title_coverage: share(&titled, groups),
        dense: part.closest.get(at).copied().filter(|cosine| cosine.is_finite()),
        matched,
    }
}

fn share(of: &[u16], groups: &BTreeMap<u16, f32>) -> f32 {
    let all: f32 = groups.values().sum();
    let having: f32 = of.iter().filter_map(|group| groups.get(group)).sum();
    if all > 0.0 { having / all } else { 0.0 }
}
