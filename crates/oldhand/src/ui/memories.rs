//! Memories: the cards of the index, filtered, counted and sorted. No file is opened.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use oldhand_core::recall::card::Card;
use oldhand_ui::house::Answer;
use oldhand_ui::house::memories::{Facet, Memories, MemoriesAsk, MemoriesPage, MemoryRow};

use super::find::{Found, find};
use super::house::{Household, moment_of_second};
use crate::cli::{Command, FilterFlags, ListArgs};

/// Stands for no tag at all.
const UNTAGGED: &str = "untagged";
const ROWS_SHOWN: usize = 100;
const VALUES_SHOWN: usize = 12;
/// Also what is no longer active.
const ALL_STATES: &str = "all";
const FACETS: [&str; 6] = ["kind", "state", "scope", "tag", "origin", "path"];

impl MemoriesPage for Household {
    fn memories(&self, ask: &MemoriesAsk) -> Answer<Memories> {
        self.at_desk(|desk| {
            let cards = self.cards(desk)?;
            let wanted = Wanted { found: find(ask, &cards, desk)?, ..Wanted::of(ask) };
            let mut found: Vec<&Card> =
                cards.all.iter().filter(|card| wanted.takes(card, None)).collect();
            let (column, is_down) = match ask.sort.as_deref().unwrap_or("-updated") {
                sort if sort.starts_with('-') => (&sort[1..], true),
                sort => (sort, false),
            };
            found.sort_by(|a, b| {
                let order = compare(a, b, column);
                let order = if is_down { order.reverse() } else { order };
                order.then_with(|| a.id.cmp(&b.id))
            });
            let after = ask.after.as_deref();
            let at = after.and_then(|id| found.iter().position(|card| card.id == id));
            let first = at.map_or(0, |at| at + 1);
            let rows: Vec<&Card> = found.iter().skip(first).take(ROWS_SHOWN).copied().collect();
            let verdicts = self.verdicts(&rows, desk)?;
            let row = |card: &&Card| MemoryRow {
                freshness: verdicts.get(&card.id).cloned(),
                place: wanted.place(&card.id),
                ..row(card, desk.now)
            };
            Ok(Memories {
                rows: rows.iter().map(row).collect(),
                total: found.len(),
                first,
                all: cards.all.len(),
                facets: FACETS.map(|name| facet(name, &cards.all, &wanted)).into(),
                has_more: first + ROWS_SHOWN < found.len(),
                notes: Vec::new(),
            })
        })
    }

    fn memories_json(&self, ask: &MemoriesAsk) -> Answer<String> {
        let one = |value: &Option<String>| value.clone().filter(|it| !it.is_empty());
        let states = one(&ask.state).into_iter().filter(|it| it != ALL_STATES);
        self.command_json(Command::List(ListArgs {
            filter: FilterFlags {
                kind: one(&ask.kind).into_iter().collect(),
                state: states.collect(),
                tag: one(&ask.tag).into_iter().collect(),
                scope: one(&ask.scope),
                domain: None,
                legacy: None,
            },
            status: None,
            level: None,
            path: one(&ask.path),
            source: None,
            limit: ROWS_SHOWN,
        }))
    }
}

fn row(card: &Card, now: jiff::Timestamp) -> MemoryRow {
    MemoryRow {
        id: card.id.clone(),
        title: card.title.clone(),
        kind: card.kind.clone(),
        state: card.state.as_str().to_owned(),
        scope: card.scope.clone(),
        trust: card.trust,
        uses: card.uses,
        freshness: None,
        updated: card.updated_at.or(card.created_at).and_then(|at| moment_of_second(at, now)),
        place: None,
    }
}

fn compare(a: &Card, b: &Card, column: &str) -> Ordering {
    match column {
        "state" => (a.state as u8).cmp(&(b.state as u8)),
        "title" => a.title.to_lowercase().cmp(&b.title.to_lowercase()),
        "kind" => a.kind.cmp(&b.kind),
        "scope" => a.scope.cmp(&b.scope),
        "trust" => a.trust.total_cmp(&b.trust),
        "uses" => a.uses.cmp(&b.uses),
        _ => a.instant().cmp(&b.instant()),
    }
}

/// What the address asks for, ready to be compared.
struct Wanted {
    found: Found,
    values: BTreeMap<&'static str, String>,
}

impl Wanted {
    fn of(ask: &MemoriesAsk) -> Self {
        let given = [
            ("kind", &ask.kind),
            ("state", &ask.state),
            ("scope", &ask.scope),
            ("tag", &ask.tag),
            ("origin", &ask.origin),
            ("path", &ask.path),
        ];
        let set = given
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.clone().filter(|it| !it.is_empty())?)));
        Self { found: None, values: set.collect() }
    }

    /// Whether a card passes all filters but one: what a facet counts is without itself.
    fn takes(&self, card: &Card, without: Option<&str>) -> bool {
        let is = |name: &str| match self.values.get(name).filter(|_| without != Some(name)) {
            None if name == "state" && without != Some("state") => card.state.is_active(),
            None => true,
            Some(all) if name == "state" && all == ALL_STATES => true,
            Some(value) => values_of(card, name).iter().any(|it| it == value),
        };
        FACETS.iter().all(|name| is(name))
            && self.found.as_ref().is_none_or(|found| found.contains_key(&card.id))
    }

    fn place(&self, id: &str) -> Option<String> {
        self.found.as_ref()?.get(id).filter(|it| !it.is_empty()).cloned()
    }
}

fn values_of(card: &Card, name: &str) -> Vec<String> {
    match name {
        "kind" => vec![card.kind.clone()],
        "state" => vec![card.state.as_str().to_owned()],
        "scope" => vec![card.scope.clone()],
        "tag" => card.tags.iter().filter(|it| *it != UNTAGGED).cloned().collect(),
        "origin" => vec![card.origin.as_str().to_owned()],
        _ => folders(card),
    }
}

/// The first two folders of the paths that it names.
fn folders(card: &Card) -> Vec<String> {
    let folder = |path: &String| {
        let parts: Vec<&str> = path.split('/').collect();
        let depth = parts.len().saturating_sub(1).clamp(1, 2).min(parts.len());
        parts[..depth].join("/")
    };
    let mut folders: Vec<String> = card.paths.iter().map(folder).collect();
    folders.sort();
    folders.dedup();
    folders
}

fn facet(name: &'static str, cards: &[Card], wanted: &Wanted) -> Facet {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for card in cards.iter().filter(|card| wanted.takes(card, Some(name))) {
        for value in values_of(card, name) {
            *counts.entry(value).or_default() += 1;
        }
    }
    let mut values: Vec<(String, usize)> = counts.into_iter().collect();
    values.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let more = values.len().saturating_sub(VALUES_SHOWN);
    values.truncate(VALUES_SHOWN);
    Facet { name, values, more }
}
