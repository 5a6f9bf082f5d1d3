//! Memories: one page of the list, in words. `app` decides what it holds; no file is opened.

use oldhand_app::browse::{ALL_STATES, Browse, Column, Facet as By, FacetCounts};
use oldhand_core::recall::card::Card;
use oldhand_ui::house::Answer;
use oldhand_ui::house::memories::{Facet, Memories, MemoriesAsk, MemoriesPage, MemoryRow};

use super::house::{Household, moment_of_second};
use crate::cli::{Command, FilterFlags, ListArgs};

/// With long titles, ids and places these still fit 120 KiB.
const ROWS_SHOWN: usize = 80;

impl MemoriesPage for Household {
    fn memories(&self, ask: &MemoriesAsk) -> Answer<Memories> {
        self.at_desk(|desk| {
            let cards = self.cards(desk)?;
            let found = self.find(ask, &cards, desk)?;
            let only = found.as_ref().map(|it| &it.ids);
            // A list looks at every card: whoever comes back to it need not wait for that again.
            let key = format!("{ask:?} {} {}", cards.mark(), self.aside.batches());
            let page = self.worked_out("memories", desk, &key, || {
                let page = Browse { only, ..browse(ask) }.page(&cards.all);
                let rows: Vec<Card> = page.rows.into_iter().cloned().collect();
                Ok((rows, page.total, page.first, page.facets))
            })?;
            let (shown, total, first, facets) = &*page;
            let verdicts = self.verdicts(&shown.iter().collect::<Vec<_>>(), desk)?;
            let place = |id: &str| found.as_ref()?.place(id);
            let row = |card: &Card| MemoryRow {
                freshness: verdicts.get(&card.id).cloned(),
                place: place(&card.id),
                ..row(card, desk.now)
            };
            Ok(Memories {
                rows: shown.iter().map(row).collect(),
                total: *total,
                first: *first,
                all: cards.all.len(),
                facets: facets.iter().cloned().map(facet).collect(),
                has_more: first + shown.len() < *total,
                notes: found.as_ref().and_then(|it| it.note.clone()).into_iter().collect(),
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

/// What the address asks for. Where it names no column that can be sorted by, the newest come first.
fn browse(ask: &MemoriesAsk) -> Browse<'_> {
    let filters = [
        (By::Kind, &ask.kind),
        (By::State, &ask.state),
        (By::Scope, &ask.scope),
        (By::Tag, &ask.tag),
        (By::Origin, &ask.origin),
        (By::Path, &ask.path),
    ];
    let set = filters.into_iter().filter_map(|(by, value)| Some((by, value.clone()?)));
    let sort = ask.sort.as_deref().unwrap_or("-updated");
    Browse {
        filters: set.filter(|(_, value)| !value.is_empty()).collect(),
        only: None,
        sort: Column::parse(sort.trim_start_matches('-')).unwrap_or(Column::Updated),
        is_descending: sort.starts_with('-'),
        after: ask.after.as_deref(),
        limit: ROWS_SHOWN,
    }
}

fn facet(counts: FacetCounts) -> Facet {
    Facet { name: counts.facet.as_str(), values: counts.values, more: counts.more }
}
