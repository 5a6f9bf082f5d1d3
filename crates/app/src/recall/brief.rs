//! What a session begins with: the newest of a few shelves, whole, within a budget. Nobody asked
//! anything yet, so nothing is searched for.

use std::collections::BTreeSet;

use oldhand_core::fresh::Warning;
use oldhand_core::kind::Kind;
use oldhand_core::memory::Memory;
use oldhand_core::recall::bundle::{Dropped, Entry};
use oldhand_core::recall::pack::{Item, Room, pack};
use oldhand_core::state::State;
use oldhand_sessions::resume::Wanted;

use super::{Loaded, find, item};
use crate::Engine;
use crate::filter::Filter;
use oldhand_store::failure::Failure;
use oldhand_store::port::index::{Index, Narrow};

/// Memories of one sort, newest first.
#[derive(Debug, Clone)]
pub struct Shelf {
    pub filter: Filter,
    pub limit: usize,
    /// Why these are given.
    pub reason: &'static str,
}

impl Shelf {
    pub fn of(kind: Kind, limit: usize, reason: &'static str) -> Self {
        Self { filter: Filter { kinds: vec![kind], ..Filter::default() }, limit, reason }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Brief {
    pub entries: Vec<Entry>,
    pub dropped: Vec<Dropped>,
    pub freshness: Vec<Warning>,
    pub used_tokens: usize,
}

/// What a constraint says.
pub(crate) fn rule_of(memory: &Memory) -> Option<String> {
    let rule = memory.content.text("rule").filter(|_| memory.kind == Kind::Constraint);
    rule.map(str::to_owned)
}

impl Engine<'_> {
    /// In the order of the shelves; what does not fit is named.
    pub fn brief(
        &self,
        index: &dyn Index,
        shelves: &[Shelf],
        budget_tokens: usize,
        served_before: &BTreeSet<String>,
    ) -> Result<Brief, Failure> {
        let loaded = self.gather(index, shelves)?;
        let (freshness, verdicts) = self.freshness(&loaded);
        let item = |(one, verdict): (&Loaded, &String)| item(one, verdict, &freshness, false);
        let items: Vec<Item> = loaded.iter().zip(&verdicts).map(item).collect();
        let room = Room { tokens: budget_tokens, items: usize::MAX };
        let packed = pack(&items, served_before, room, &self.settings.recall);
        let mut chosen: Vec<usize> =
            packed.memories.iter().chain(&packed.cautions).copied().collect();
        chosen.sort_unstable();
        let entries: Vec<Entry> = chosen
            .into_iter()
            .map(|at| Entry {
                card: items[at].card.clone(),
                score: 0.0,
                reason: loaded[at].reason.clone(),
                freshness: verdicts[at].clone(),
                tokens: items[at].tokens,
                text: items[at].served.text().to_owned(),
            })
            .collect();
        let dropped = packed
            .left
            .iter()
            .map(|(at, left)| Dropped::of(&items[*at].card, left.reason(), true))
            .collect();
        let served: BTreeSet<&str> = entries.iter().map(|entry| entry.card.id.as_str()).collect();
        let freshness =
            freshness.into_iter().filter(|warning| super::is_about(warning, &served)).collect();
        Ok(Brief { entries, dropped, freshness, used_tokens: packed.used_tokens })
    }

    /// The same without a budget, each with the warnings about it.
    pub(crate) fn wanted(
        &self,
        index: &dyn Index,
        shelves: &[Shelf],
        served_before: &BTreeSet<String>,
    ) -> Result<Vec<(Wanted, Memory)>, Failure> {
        let mut loaded = self.gather(index, shelves)?;
        loaded.retain(|one| !served_before.contains(&one.scored.candidate.card.id));
        let (freshness, verdicts) = self.freshness(&loaded);
        let wanted = loaded.into_iter().zip(verdicts).map(|(one, verdict)| {
            let card = one.scored.candidate.card;
            let about = |warning: &&Warning| warning.memory == card.id;
            let warnings = freshness.iter().filter(about).cloned().collect();
            let text = one.served.text().to_owned();
            let tokens = oldhand_core::recall::bundle::cost(&card, &verdict, &text);
            let (score, reason, freshness) = (0.0, one.reason, verdict);
            let entry = Entry { card, score, reason, freshness, tokens, text };
            let memory = one.stored.memory;
            let rule = rule_of(&memory);
            (Wanted { entry, warnings, part: None, rule }, memory)
        });
        Ok(wanted.collect())
    }

    /// The newest of each shelf, each once.
    fn gather(&self, index: &dyn Index, shelves: &[Shelf]) -> Result<Vec<Loaded>, Failure> {
        let mut loaded: Vec<Loaded> = Vec::new();
        let mut met = BTreeSet::new();
        for shelf in shelves {
            let mut narrow: Narrow = shelf.filter.narrow();
            if narrow.states.is_empty() {
                narrow.states = State::served();
            }
            for candidate in index.newest(&narrow, shelf.limit)? {
                if !met.insert(candidate.card.id.clone()) {
                    continue;
                }
                let scored = find::unscored(candidate);
                if let Ok(one) = self.load(index, scored, shelf.reason.to_owned(), &narrow)? {
                    loaded.push(one);
                }
            }
        }
        Ok(loaded)
    }
}
