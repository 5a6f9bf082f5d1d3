//! What earlier imports made and the sources no longer have: told, retired on request, or found again at the
//! place that it moved to.

use std::collections::{HashMap, HashSet};

use oldhand_text::strings::typed;

use super::arrive::Arriving;
use super::batch::ImportStep;
use super::decide::Deciding;
use super::report::{Fate, Item, SourceReport};
use super::run::covers;
use super::shelf::Known;
use crate::prelude::*;

/// A memory whose record was not met.
pub(super) struct Missing {
    pub known: Known,
    /// The source that was read and lacks it; none where nothing is left at the source's place.
    source: Option<usize>,
}

/// `serena` of `serena:.serena/memories`, and the root behind it.
fn parts(from: &str) -> (&str, &str) {
    from.split_once(':').unwrap_or(("", from))
}

/// Where the record of a memory was: a source at the top has its files there.
fn place(known: &Known) -> &str {
    match parts(&known.from).1 {
        "." => known.key.split('#').next().unwrap_or_default(),
        root => root,
    }
}

impl Deciding<'_, '_> {
    pub(super) fn missing(&self) -> Vec<Missing> {
        let froms: HashMap<&str, usize> =
            self.reports.iter().enumerate().map(|(at, report)| (&*report.from, at)).collect();
        let mut there: HashMap<&str, bool> = HashMap::new();
        let mut missing = Vec::new();
        for known in &self.shelf.known {
            let source = froms.get(known.from.as_str()).copied();
            let is_missing = match source {
                Some(at) => {
                    let is_met = self.met.contains(&(known.from.clone(), known.key.clone()));
                    self.whole[at] && !is_met
                }
                None => {
                    let place = place(known);
                    !*there.entry(place).or_insert_with(|| (self.options.is_there)(place))
                }
            };
            if is_missing {
                missing.push(Missing { known: known.clone(), source });
            }
        }
        missing
    }

    /// The sources that were elsewhere before: at least half of what stood there stands here, word for word.
    pub(super) fn moved(
        &self,
        arriving: &[Arriving],
        missing: &[Missing],
    ) -> HashMap<usize, String> {
        let mut old: BTreeMap<&str, HashSet<&str>> = BTreeMap::new();
        for Missing { known, .. } in missing.iter().filter(|it| it.source.is_none()) {
            old.entry(&known.from).or_default().insert(&known.hash);
        }
        if old.is_empty() {
            return HashMap::new();
        }
        let mut new: BTreeMap<usize, HashSet<&str>> = BTreeMap::new();
        arriving.iter().for_each(|one| {
            new.entry(one.source).or_default().insert(one.hash());
        });
        let mut moved = HashMap::new();
        for (source, hashes) in new {
            let format = parts(&self.reports[source].from).0;
            let same = old
                .iter()
                .filter(|(from, _)| parts(from).0 == format)
                .map(|(from, had)| (had.intersection(&hashes).count(), had.len(), *from));
            let nearest = same.max_by_key(|(same, ..)| *same).filter(|it| it.0 * 2 >= it.1);
            moved.extend(nearest.map(|(.., from)| (source, from.to_owned())));
        }
        moved
    }

    /// The memory that a record of an unknown key is by its bytes: it has another name or another place now.
    pub(super) fn take_renamed(
        &self,
        one: &Arriving,
        missing: &mut Vec<Missing>,
    ) -> Option<ImportStep> {
        let format = parts(one.from()).0;
        let is_it = |it: &Missing| {
            let is_near = it.source == Some(one.source)
                || it.source.is_none() && parts(&it.known.from).0 == format;
            is_near && it.known.hash == one.hash()
        };
        let at = missing.iter().position(is_it)?;
        let known = missing.remove(at).known;
        Some(rename(one, &known, known.item(Fate::Moved, &one.key)))
    }

    pub(super) fn tell_missing(&mut self, missing: Vec<Missing>) {
        let mut vanished: BTreeMap<String, usize> = BTreeMap::new();
        for Missing { known, source } in missing {
            let Known { id, from, key, state, .. } = known;
            let (format, root) = parts(&from);
            let is_only = self.options.only.is_none_or(|only| only == format);
            // What was in somebody's home may still be there: on their machine.
            let is_elsewhere = self.options.named.is_empty() && root.starts_with("~/");
            let is_asked = is_only && !is_elsewhere && covers(self.options.named, root);
            if !state.is_active() || source.is_none() && !is_asked {
                continue;
            }
            // A source from elsewhere may only seem to be gone: whoever names it knows.
            let is_sure = source.is_some() || !self.options.named.is_empty();
            let source = source.unwrap_or_else(|| {
                *vanished.entry(from.clone()).or_insert_with(|| {
                    self.reports.push(SourceReport { from: from.clone(), ..Default::default() });
                    self.reports.len() - 1
                })
            });
            if self.options.retires_gone && is_sure {
                self.steps.push_back(ImportStep::Retire { id, source, key });
                continue;
            }
            let hint = match is_sure {
                true => "`--retire-gone` retires it".to_owned(),
                false => format!("`oldhand import {} --retire-gone` retires it", typed(root)),
            };
            let item = Item::new(Fate::Gone, &key, hint);
            let item = Item { id: Some(id.to_string()), state: Some(state), ..item };
            self.reports[source].items.push(item);
        }
    }
}

/// Only where its source is changes; `item` is what is told of it.
pub(super) fn rename(one: &Arriving, known: &Known, item: Item) -> ImportStep {
    let (from, key) = (one.from().to_owned(), one.key.clone());
    ImportStep::Rename { id: known.id.clone(), source: one.source, from, key, item }
}
