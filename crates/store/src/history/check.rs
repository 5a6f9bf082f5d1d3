//! One check from questions to answers: what the cache knows, what is on disk, and one walk over
//! the history for the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use oldhand_core::fresh::{Given, Gone, PathAnswer, PathQuestion, is_same_id};

use super::Asker;
use super::cache::{Cache, Entry};
use super::child::{Git, Trouble, is_there};
use super::log::{self, Walk};
use super::mark::Marker;
use super::work;

pub(super) struct Check<'a> {
    asker: &'a Asker,
    cache_folder: Option<&'a Path>,
    cache: Cache,
    items: Vec<Item<'a>>,
    head: Option<String>,
    incomplete: Option<String>,
}

/// One question on its way to an answer.
struct Item<'a> {
    question: &'a PathQuestion,
    /// As git names it; none for a path that leads out of the repository.
    spot: Option<String>,
    mark: Option<u64>,
    answer: Option<PathAnswer>,
    /// What the history said before, when nothing was committed since.
    known: Option<PathAnswer>,
}

impl Item<'_> {
    fn since(&self) -> i64 {
        self.question.since.as_second()
    }

    fn is_seen(&self, answer: &PathAnswer) -> bool {
        let is_same = |id: &Option<String>| match (&self.question.seen, id) {
            (Some(seen), Some(id)) => is_same_id(seen, id),
            _ => false,
        };
        is_same(&answer.content) && is_same(&answer.committed)
    }

    /// Whether the history has anything to add.
    fn needs_history(&self, answer: &PathAnswer) -> bool {
        if !answer.exists {
            return answer.committed.is_none() && answer.gone.is_none();
        }
        answer.committed.is_some() && answer.commits.is_none() && !self.is_seen(answer)
    }
}

impl<'a> Check<'a> {
    pub(super) fn new(
        asker: &'a Asker,
        questions: &'a [PathQuestion],
        cache_folder: Option<&'a Path>,
    ) -> Self {
        let items = questions
            .iter()
            .map(|question| Item {
                question,
                spot: asker.checkout.spot(&question.path),
                mark: None,
                answer: None,
                known: None,
            })
            .collect();
        let cache = Cache::read(cache_folder);
        Self { asker, cache_folder, cache, items, head: None, incomplete: None }
    }

    pub(super) fn answer(mut self) -> Result<Given, Trouble> {
        self.head = self.asker.head()?;
        self.remember();
        if self.items.iter().any(|item| item.answer.is_none()) {
            let git = self.asker.git();
            self.look(&git)?;
            self.walk(&git)?;
            if self.incomplete.is_none() {
                self.keep();
            }
        }
        let paths: Vec<Option<PathAnswer>> =
            self.items.into_iter().map(|item| item.answer).collect();
        let is_cut_off = paths.iter().flatten().any(|answer| answer.cut_off);
        let incomplete = self.incomplete.or_else(|| {
            is_cut_off.then(|| "the clone is shallow, its history ends too early".to_owned())
        });
        Ok(Given { head: self.head, paths, incomplete })
    }

    /// What was answered at this commit, and what of it still holds on disk.
    fn remember(&mut self) {
        let mut marker = Marker::new();
        let mut marks: BTreeMap<String, Option<u64>> = BTreeMap::new();
        for item in &mut self.items {
            let Some(spot) = &item.spot else {
                item.answer = Some(PathAnswer::default());
                continue;
            };
            let place = self.asker.checkout.toplevel.join(spot);
            item.mark = *marks.entry(spot.clone()).or_insert_with(|| marker.mark(&place));
            let Some(head) = &self.head else { continue };
            let Some(entry) = self.cache.get(head, spot, item.question.since.as_second()) else {
                continue;
            };
            let answer = entry.answer.clone();
            let is_hashed = answer.content.is_some()
                || item.question.seen.is_none()
                || !answer.exists
                || place.is_dir();
            let is_as_it_was = item.mark.is_some() && item.mark == entry.mark;
            // Having found nothing about a path that is gone is an answer as well.
            let is_enough = !answer.exists || !item.needs_history(&answer);
            if is_as_it_was && is_hashed && is_enough {
                item.answer = Some(answer);
            } else {
                item.known = Some(answer);
            }
        }
    }

    /// The ids and the work tree.
    fn look(&mut self, git: &Git) -> Result<(), Trouble> {
        let open = || self.items.iter().filter(|item| item.answer.is_none());
        let spots: BTreeSet<&str> = open().filter_map(|item| item.spot.as_deref()).collect();
        let hashed: BTreeSet<&str> = open()
            .filter(|item| item.question.seen.is_some())
            .filter_map(|item| item.spot.as_deref())
            .collect();
        let head = self.head.as_deref();
        let works = work::look_at(git, &self.asker.checkout, head, &spots, &hashed)?;
        for item in self.items.iter_mut().filter(|item| item.answer.is_none()) {
            let work = item.spot.as_ref().and_then(|spot| works.get(spot));
            let mut answer = work.cloned().unwrap_or_default();
            // What the history said before still holds.
            if let Some(known) = item.known.as_ref().filter(|it| it.exists == answer.exists) {
                answer.commits = known.commits;
                answer.cut_off = known.cut_off;
                answer.gone.clone_from(&known.gone);
            }
            item.answer = Some(answer);
        }
        Ok(())
    }

    /// Counts commits and follows names, in one pass for all that need it.
    fn walk(&mut self, git: &Git) -> Result<(), Trouble> {
        let Some(head) = self.head.clone() else { return Ok(()) };
        let is_open = |item: &Item<'_>| {
            let known_gone = item.known.as_ref().is_some_and(|known| !known.exists);
            item.spot.is_some()
                && item.answer.as_ref().is_some_and(|answer| {
                    item.needs_history(answer) && (answer.exists || !known_gone)
                })
        };
        let open: Vec<usize> =
            (0..self.items.len()).filter(|at| is_open(&self.items[*at])).collect();
        let why = match self.walk_for(git, &head, &open) {
            Err(Trouble::Late) => "git took too long to read the history",
            Err(Trouble::Failed) => "git could not read the history",
            other => return other,
        };
        // What is known stays an answer; the reader learns that it is not all.
        self.incomplete = Some(why.to_owned());
        Ok(())
    }

    fn walk_for(&mut self, git: &Git, head: &str, open: &[usize]) -> Result<(), Trouble> {
        let Some(since) = open.iter().map(|at| self.items[*at].since()).min() else {
            return Ok(());
        };
        let spots: BTreeSet<&str> =
            open.iter().filter_map(|at| self.items[*at].spot.as_deref()).collect();
        let spots: Vec<&str> = spots.into_iter().collect();
        let output = log::walk(git, head, &spots, since)?;
        let walk = log::read(&output, &spots, &self.asker.checkout.boundary());
        let gone = self.follow(git, head, &walk, since)?;
        for at in open {
            self.items[*at].fill(&walk, &gone);
        }
        Ok(())
    }

    fn follow(
        &self,
        git: &Git,
        head: &str,
        walk: &Walk,
        since: i64,
    ) -> Result<BTreeMap<String, Gone>, Trouble> {
        let place = &self.asker.checkout;
        let exists = |spot: &str| is_there(&place.toplevel.join(spot));
        let deleted: BTreeMap<String, String> = walk
            .touched
            .iter()
            .filter(|(spot, _)| !exists(spot))
            .filter_map(|(spot, touched)| Some((spot.clone(), touched.deleted_in.clone()?)))
            .collect();
        let mut gone = log::follow(git, head, deleted, since, &exists)?;
        for gone in gone.values_mut() {
            gone.renamed_to = gone.renamed_to.as_deref().map(|spot| place.told(spot));
        }
        Ok(gone)
    }

    fn keep(&mut self) {
        let Some(head) = &self.head else { return };
        let entry = |item: &Item<'_>| {
            Some(Entry {
                head: head.clone(),
                path: item.spot.clone()?,
                since: item.since(),
                mark: item.mark,
                answer: item.answer.clone()?,
            })
        };
        let entries: Vec<Entry> = self.items.iter().filter_map(entry).collect();
        std::mem::take(&mut self.cache).write(self.cache_folder, entries);
    }
}

impl Item<'_> {
    fn fill(&mut self, walk: &Walk, gone: &BTreeMap<String, Gone>) {
        let since = self.since();
        let (Some(answer), Some(spot)) = (&mut self.answer, &self.spot) else { return };
        if !answer.exists {
            answer.gone = gone.get(spot).cloned();
            return;
        }
        let touched = walk.touched.get(spot).map_or(&[][..], |touched| &touched.at);
        let count = touched.iter().filter(|at| **at > since).count();
        answer.commits = Some(u32::try_from(count).unwrap_or(u32::MAX));
        answer.cut_off = count == 0 && walk.cut_off_at.is_some_and(|at| at > since);
    }
}
