//! Which memories a page lists: filtered, counted by every value they could be narrowed to, sorted,
//! one page at a time. It looks at the cards of the index once and opens no file.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;

use oldhand_core::recall::card::Card;
use oldhand_text::word::words;

use crate::prelude::*;

/// Stands for no tag at all.
const UNTAGGED: &str = "untagged";
/// Also what is no longer active.
pub const ALL_STATES: &str = "all";
/// Values of one facet that are named; the rest is counted.
const VALUES_SHOWN: usize = 12;

words! {
    /// What a list can be narrowed by.
    Facet, "filter" {
        Kind = "kind",
        State = "state",
        Scope = "scope",
        Tag = "tag",
        Origin = "origin",
        /// The first two folders of the paths that it names.
        Path = "path",
    }
}

words! {
    Column, "column" {
        State = "state",
        Title = "title",
        Kind = "kind",
        Scope = "scope",
        Trust = "trust",
        Uses = "uses",
        Updated = "updated",
    }
}

/// What to list; a filter that is not set limits nothing.
#[derive(Debug, Clone)]
pub struct Browse<'b> {
    pub filters: BTreeMap<Facet, String>,
    /// Only these, by id.
    pub only: Option<&'b BTreeMap<String, String>>,
    pub sort: Column,
    pub is_descending: bool,
    /// The id that the page before ended with.
    pub after: Option<&'b str>,
    pub limit: usize,
}

#[derive(Debug, Clone)]
pub struct Browsed<'c> {
    pub rows: Vec<&'c Card>,
    /// How many match, shown or not.
    pub total: usize,
    /// How many of them come before the first row.
    pub first: usize,
    pub facets: Vec<FacetCounts>,
}

/// What each value of a facet would leave, the most frequent first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetCounts {
    pub facet: Facet,
    pub values: Vec<(String, usize)>,
    /// Values that are not named.
    pub more: usize,
}

/// Cards come by id, so neighbours often share a value: it is not looked up again.
#[derive(Default)]
struct Counts<'c> {
    all: HashMap<&'c str, usize>,
    last: (&'c str, usize),
}

impl<'c> Counts<'c> {
    fn add(&mut self, value: &'c str) {
        if self.last.0 == value {
            self.last.1 += 1;
        } else {
            self.settle();
            self.last = (value, 1);
        }
    }

    fn settle(&mut self) {
        let (value, count) = std::mem::take(&mut self.last);
        if count > 0 {
            *self.all.entry(value).or_default() += count;
        }
    }
}

impl Browse<'_> {
    /// `cards` are those of the whole store, by id.
    pub fn page<'c>(&self, cards: &'c [Card]) -> Browsed<'c> {
        let mut found: Vec<Row<'c>> = Vec::new();
        let mut counts: Vec<Counts<'c>> = Facet::ALL.iter().map(|_| Counts::default()).collect();
        // The others let everything pass.
        let is_asked = |facet: &&Facet| **facet == Facet::State || self.filters.contains_key(facet);
        let asked: Vec<Facet> = Facet::ALL.iter().filter(is_asked).copied().collect();
        let named = |card: &Card| self.only.is_none_or(|only| only.contains_key(&card.id));
        for (at, card) in cards.iter().enumerate().filter(|(_, card)| named(card)) {
            // A facet counts what passes all filters but its own.
            let mut missed = asked.iter().filter(|facet| !self.passes(card, **facet));
            match (missed.next(), missed.next()) {
                (None, _) => {
                    found.push((sort_key(card, self.sort), at));
                    for (facet, counts) in Facet::ALL.iter().zip(&mut counts) {
                        count(card, *facet, counts);
                    }
                }
                (Some(only), None) => count(card, *only, &mut counts[*only as usize]),
                _ => {}
            }
        }
        let facets = Facet::ALL.iter().zip(counts).map(|(facet, it)| named_counts(*facet, it));
        let facets = facets.collect();
        let total = found.len();
        let after = self.after.and_then(|id| cards.binary_search_by(|it| (*it.id).cmp(id)).ok());
        let (rows, first) = self.cut(found, after);
        let rows = rows.into_iter().map(|at| &cards[at]).collect();
        Browsed { rows, total, first, facets }
    }

    fn passes(&self, card: &Card, facet: Facet) -> bool {
        match self.filters.get(&facet) {
            None => facet != Facet::State || card.state.is_active(),
            Some(all) if facet == Facet::State && all == ALL_STATES => true,
            Some(value) => {
                let mut is_it = false;
                each_value(card, facet, &mut |it| is_it |= it == value);
                is_it
            }
        }
    }

    /// The rows behind the one at `after`, and how many come before them. Only these are sorted.
    fn cut(&self, mut found: Vec<Row<'_>>, after: Option<usize>) -> (Vec<usize>, usize) {
        let order = |a: &Row<'_>, b: &Row<'_>| {
            let by_key = if self.is_descending { b.0.cmp(&a.0) } else { a.0.cmp(&b.0) };
            by_key.then_with(|| a.1.cmp(&b.1))
        };
        let total = found.len();
        let last = found.iter().find(|(_, at)| Some(*at) == after).cloned();
        if let Some(last) = last {
            found.retain(|one| order(one, &last) == Ordering::Greater);
        }
        let first = total - found.len();
        if self.limit < found.len() {
            found.select_nth_unstable_by(self.limit, order);
            found.truncate(self.limit);
        }
        found.sort_unstable_by(order);
        (found.into_iter().map(|(_, at)| at).collect(), first)
    }
}

type SortKey<'c> = (i64, Cow<'c, str>);
/// What it is sorted by, and its place among the cards: ties are in the order of ids.
type Row<'c> = (SortKey<'c>, usize);

fn sort_key(card: &Card, column: Column) -> SortKey<'_> {
    let text = |text| (0, Cow::Borrowed(text));
    let number = |number| (number, Cow::Borrowed(""));
    match column {
        Column::State => number(card.state as i64),
        Column::Title => (0, Cow::Owned(card.title.to_lowercase())),
        Column::Kind => text(card.kind.as_str()),
        Column::Scope => text(card.scope.as_str()),
        // The bits of numbers from 0 on are in their order.
        Column::Trust => number(card.trust.max(0.0).to_bits().cast_signed()),
        Column::Uses => number(i64::from(card.uses)),
        Column::Updated => number(card.instant()),
    }
}

fn count<'c>(card: &'c Card, facet: Facet, counts: &mut Counts<'c>) {
    each_value(card, facet, &mut |value| counts.add(value));
}

fn named_counts(facet: Facet, mut counts: Counts<'_>) -> FacetCounts {
    counts.settle();
    let mut values: Vec<(&str, usize)> = counts.all.into_iter().collect();
    values.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let more = values.len().saturating_sub(VALUES_SHOWN);
    values.truncate(VALUES_SHOWN);
    let values = values.into_iter().map(|(value, count)| (value.to_owned(), count)).collect();
    FacetCounts { facet, values, more }
}

fn each_value<'c>(card: &'c Card, facet: Facet, take: &mut dyn FnMut(&'c str)) {
    match facet {
        Facet::Kind => take(&card.kind),
        Facet::State => take(card.state.as_str()),
        Facet::Scope => take(&card.scope),
        Facet::Tag => card.tags.iter().filter(|it| *it != UNTAGGED).for_each(|it| take(it)),
        Facet::Origin => take(card.origin.as_str()),
        Facet::Path => {
            let mut folders: Vec<&str> = card.paths.iter().map(|path| folder(path)).collect();
            folders.sort_unstable();
            folders.dedup();
            folders.into_iter().for_each(take);
        }
    }
}

/// The first two folders of a path; a file in none is its own.
fn folder(path: &str) -> &str {
    let mut slashes = path.match_indices('/').map(|(at, _)| at);
    let first = slashes.next();
    slashes.next().or(first).map_or(path, |at| &path[..at])
}

#[cfg(test)]
mod tests;
