//! What a session begins with: the newest of a few shelves, within a budget. Nobody has asked
//! anything yet, so nothing is searched for.

use oldhand_core::fresh::Warning;
use oldhand_core::recall::pack::{Item, Room, pack};
use oldhand_sessions::resume::Wanted;

use super::{Loaded, find};
use crate::context::Memories;
use crate::filter::Filter;
use crate::prelude::*;

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

impl Memories<'_> {
    /// In the order of the shelves; what does not fit is named.
    pub fn brief(
        &self,
        index: &dyn Index,
        shelves: &[Shelf],
        budget_tokens: usize,
        served_before: &BTreeSet<String>,
    ) -> Result<Brief> {
        let mut loaded = self.gather(index, shelves)?;
        self.doubt_unsettled(&mut loaded)?;
        let mut freshness = self.check_freshness(&mut loaded, false);
        let items: Vec<Item> = loaded.iter().map(Loaded::item).collect();
        let room = Room { tokens: budget_tokens, items: usize::MAX };
        let packed = pack(&items, served_before, room, &self.settings.recall);
        let mut chosen: Vec<usize> = [packed.memories, packed.cautions].concat();
        chosen.sort_unstable();
        let entries: Vec<Entry> = chosen.into_iter().map(|at| loaded[at].entry()).collect();
        let left = packed.dropped.into_iter();
        let dropped = left.map(|(at, why)| super::left_out(&loaded[at], why)).collect();
        super::keep_about(&mut freshness, entries.iter());
        Ok(Brief { entries, dropped, freshness, used_tokens: packed.used_tokens })
    }

    /// The same without a budget, each with the warnings about it.
    pub(crate) fn wanted(
        &self,
        index: &dyn Index,
        shelves: &[Shelf],
        served_before: &BTreeSet<String>,
    ) -> Result<Vec<(Wanted, Memory)>> {
        let mut loaded = self.gather(index, shelves)?;
        self.doubt_unsettled(&mut loaded)?;
        loaded.retain(|one| !served_before.contains(&one.card().id));
        let freshness = self.check_freshness(&mut loaded, false);
        let wanted = loaded.into_iter().map(|one| {
            let about = |warning: &&Warning| warning.memory == one.card().id;
            let warnings = freshness.iter().filter(about).cloned().collect();
            let rule = rule_of(&one.stored.memory);
            let (part, is_named) = (None, false);
            (Wanted { entry: one.entry(), warnings, part, rule, is_named }, one.stored.memory)
        });
        Ok(wanted.collect())
    }

    /// The newest of each shelf, each once.
    fn gather(&self, index: &dyn Index, shelves: &[Shelf]) -> Result<Vec<Loaded>> {
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
                loaded.extend(self.load(index, scored, shelf.reason.to_owned(), &narrow)?);
            }
        }
        Ok(loaded)
    }
}
