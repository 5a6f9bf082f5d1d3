//! What earlier imports made and the sources no longer have: told, retired on request, or found again at the
//! place that it moved to.

use std::collections::{HashMap, HashSet};

use oldhand_core::imported;
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
    /// Another place that has the same text as far as anybody knows.
    also: Option<String>,
}

/// `serena` of `serena:.serena/memories`, and the root behind it.
fn parts(from: &str) -> (&str, &str) {
    from.split_once(':').unwrap_or(("", from))
}

/// Where a record is: a source at the top has its files there.
fn place<'p>(from: &'p str, key: &'p str) -> &'p str {
    match parts(from).1 {
        "." => key.split('#').next().unwrap_or_default(),
        root => root,
    }
}

/// `serena:.serena/memories` and `core` of `import:serena:.serena/memories#core`.
fn referred(reference: &str) -> (&str, &str) {
    let rest = reference.strip_prefix("import:").unwrap_or(reference);
    rest.split_once('#').unwrap_or((rest, ""))
}

impl Deciding<'_, '_> {
    pub(super) fn missing(&self) -> Vec<Missing> {
        let froms: HashMap<&str, usize> =
            self.reports.iter().enumerate().map(|(at, report)| (&*report.from, at)).collect();
        let met: HashSet<String> =
            self.met.iter().map(|(from, key)| imported::reference(from, key)).collect();
        let mut there: HashMap<String, bool> = HashMap::new();
        let mut is_missing = |from: &str, key: &str, reference: &str| match froms.get(from) {
            Some(at) => self.whole[*at] && !met.contains(reference),
            None => {
                let place = place(from, key);
                let looked = there.get(place).copied();
                !looked.unwrap_or_else(|| {
                    let is_there = (self.options.is_there)(place);
                    there.insert(place.to_owned(), is_there);
                    is_there
                })
            }
        };
        let mut missing = Vec::new();
        for known in &self.shelf.known {
            let own = imported::reference(&known.from, &known.key);
            if !is_missing(&known.from, &known.key, &own) {
                continue;
            }
            let also = known.also.iter().find(|it| {
                let (from, key) = referred(it);
                !is_missing(from, key, it)
            });
            let source = froms.get(known.from.as_str()).copied();
            missing.push(Missing { known: known.clone(), source, also: also.cloned() });
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
        // The last place that has it is the one that it came from.
        let twin = self.shelf.twin(&one.text).map(|it| &it.id);
        let own = imported::reference(one.from(), &one.key);
        let is_joined = |it: &Missing| Some(&it.known.id) == twin && it.known.also.contains(&own);
        let at = missing.iter().position(|it| is_it(it) || is_joined(it))?;
        let known = missing.remove(at).known;
        Some(rename(one, &known, known.item(Fate::Moved, &one.key)))
    }

    pub(super) fn tell_missing(&mut self, missing: Vec<Missing>) {
        let mut vanished: BTreeMap<String, usize> = BTreeMap::new();
        for Missing { known, source, also } in missing {
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
            if let Some(also) = also {
                let (from, _) = referred(&also);
                let item = Item::new(Fate::Gone, &key, format!("it stays: {from} has it too"));
                let item = Item { id: Some(id.to_string()), state: Some(state), ..item };
                self.reports[source].items.push(item);
                continue;
            }
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
    // Words that changed on the way are settled by the next run.
    let is_same = known.also.contains(&imported::reference(&from, &key));
    let hash = if is_same { one.hash() } else { &known.hash }.to_owned();
    ImportStep::Rename { id: known.id.clone(), source: one.source, from, key, hash, item }
}
