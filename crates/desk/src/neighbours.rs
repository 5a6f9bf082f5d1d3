//! What is near a text in the store that is worked on, and what there is in it, asked from the search
//! index. It is opened when it is asked, which in a small store hardly anything does.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use oldhand_store::failure::Failure;
use oldhand_store::index::{
    CheckPolicy, Embedder, FillPolicy, IndexOpening, LocalIndex, Opened, Warm,
};
use oldhand_store::near::{named, near};
use oldhand_store::port::index::{Index, Narrow, Rows};
use oldhand_store::port::{Measure, Near, NearAsk, Nearby};
use oldhand_store::vault::LocalVault;

use crate::config::Resolved;
use crate::meaning::{self, Comparing};

/// Files that are taken into the index for a list. More of them are read one by one instead, in a
/// fraction of the memory; recall and `reindex` take in any number.
const BUILD_MAX: usize = 20_000;

struct Cost {
    fill: FillPolicy,
    build_max: usize,
    window: u32,
}

type Question = (String, Vec<Narrow>, Measure);

pub struct Neighbours<'a> {
    pub vault: &'a LocalVault<'a>,
    pub cache: Option<std::path::PathBuf>,
    pub resolved: &'a Resolved,
    pub warm: Option<&'a Warm>,
    pub known: Known,
    pub comparing: Comparing,
}

/// What was asked before in this command.
#[derive(Default)]
pub struct Known {
    /// The last question with its answer: the gate and the look for a twin ask the same.
    last: RefCell<Option<(Question, Vec<Near>)>>,
    /// The files that have a name as an alias, for each name that was asked for.
    aliases: RefCell<BTreeMap<String, Vec<String>>>,
    /// Every file was compared with the index.
    is_compared: Cell<bool>,
}

impl Nearby for Neighbours<'_> {
    fn near(&self, ask: &NearAsk<'_>) -> Result<Vec<Near>, Failure> {
        let question = (ask.text.to_owned(), ask.within.to_vec(), ask.by);
        let mut last = self.known.last.borrow_mut();
        if let Some((_, near)) = last.as_ref().filter(|(asked, _)| *asked == question) {
            return Ok(near.clone());
        }
        let near = self.look(ask)?;
        *last = Some((question, near.clone()));
        Ok(near)
    }

    fn aliased(&self, names: &[&str]) -> Result<Option<Vec<String>>, Failure> {
        if self.cache.is_none() {
            return Ok(None);
        }
        let mut known = self.known.aliases.borrow_mut();
        let new: Vec<&str> =
            names.iter().copied().filter(|name| !known.contains_key(*name)).collect();
        if !new.is_empty() {
            let cost =
                Cost { fill: FillPolicy::NONE, build_max: usize::MAX, window: CheckPolicy::WINDOW };
            self.with_index(cost, |index| {
                let find =
                    || new.iter().map(|name| named(index, name)).collect::<Result<Vec<_>, _>>();
                let mut found = find()?;
                // A file that was edited in place may not be compared yet.
                if found.iter().any(Vec::is_empty) && !self.known.is_compared.replace(true) {
                    index.compare_all()?;
                    found = find()?;
                }
                known.extend(new.iter().map(|name| (*name).to_owned()).zip(found));
                Ok(())
            })?;
        }
        Ok(Some(names.iter().flat_map(|name| known[*name].clone()).collect()))
    }

    fn rows(&self, narrow: &Narrow, recheck: bool) -> Result<Option<Rows>, Failure> {
        // Without a place for it, an index would be built for this one answer.
        if self.cache.is_none() {
            return Ok(None);
        }
        let cost =
            Cost { fill: FillPolicy::NONE, build_max: BUILD_MAX, window: CheckPolicy::WINDOW };
        self.with_index(cost, |index| {
            if recheck {
                index.recheck()?;
            }
            let rows = index.rows(narrow)?;
            // Behind by more than is caught up for one prompt: a list shows everything.
            if rows.is_none() && index.facts()?.memories > 0 {
                index.recheck()?;
                return index.rows(narrow);
            }
            Ok(rows)
        })
    }

    fn meaning(&self, one: &str, other: &str) -> Option<f64> {
        self.comparing.meaning(one, other)
    }

    fn clash_chance(&self, in_force: &str, proposed: &str) -> Option<f64> {
        self.comparing.clash_chance(in_force, proposed)
    }
}

impl Neighbours<'_> {
    /// Opens the index for one question.
    fn with_index<T>(
        &self,
        cost: Cost,
        ask: impl FnOnce(&LocalIndex<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        // Also where words are enough: recall and writes share one index, and with it the journal
        // that tells what changed.
        let meaning = meaning::open(self.resolved.model());
        let check = self.resolved.program.check;
        let check = CheckPolicy { window: check.window.min(cost.window), ..check };
        let index = LocalIndex::open(IndexOpening {
            vaults: vec![Opened {
                vault: self.vault,
                cache: self.cache.clone(),
                // What is near is compared, not told.
                is_own: false,
                from: None,
                is_doubted: false,
            }],
            embedder: meaning.as_ref().ok().map(|it| it as &dyn Embedder),
            why_no_meaning: meaning.as_ref().err().cloned().unwrap_or_default(),
            fill: cost.fill,
            build_max: cost.build_max,
            trust: &self.resolved.settings.trust,
            check,
            warm: self.warm,
        })?;
        ask(&index)
    }

    fn look(&self, ask: &NearAsk<'_>) -> Result<Vec<Near>, Failure> {
        // In the lock nobody waits: what has no vector yet is compared by its words.
        let fill = match ask.by {
            Measure::MeaningOfAll => FillPolicy::SOME,
            _ => FillPolicy::NONE,
        };
        let cost = Cost { fill, build_max: usize::MAX, window: CheckPolicy::OFTEN_WINDOW };
        self.with_index(cost, |index| near(index, ask))
    }
}
