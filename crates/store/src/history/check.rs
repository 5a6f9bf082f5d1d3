//! One check from questions to answers: what the cache knows, what is on disk, and one walk over
//! the history for the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use oldhand_core::fresh::{Given, Gone, PathAnswer, PathQuestion, is_same_id};

use super::cache::{Cache, Entry};
use super::child::{Git, Trouble};
use super::log::{self, Walk};
use super::mark::Marker;
use super::work;

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

pub(super) fn answer(
    git: &Git,
    questions: &[PathQuestion],
    cache_folder: Option<&Path>,
) -> Result<Given, Trouble> {
    let head = git.head()?;
    let cache = Cache::read(cache_folder);
    let mut items: Vec<Item<'_>> = questions
        .iter()
        .map(|question| {
            let spot = git.checkout.spot(&question.path);
            Item { question, spot, mark: None, answer: None, known: None }
        })
        .collect();
    remember(git, head.as_deref(), &cache, &mut items);
    let mut incomplete = None;
    if items.iter().any(|item| item.answer.is_none()) {
        look(git, head.as_deref(), &mut items)?;
        // What is known stays an answer; the reader learns that it is not all.
        incomplete = match head.as_deref().map_or(Ok(()), |head| walk(git, head, &mut items)) {
            Ok(()) => None,
            Err(Trouble::Late) => Some("git took too long to read the history".to_owned()),
            Err(Trouble::Failed) => Some("git could not read the history".to_owned()),
            Err(Trouble::Missing) => return Err(Trouble::Missing),
        };
        if let Some(head) = head.as_deref().filter(|_| incomplete.is_none()) {
            cache.write(cache_folder, items.iter().filter_map(|item| item.entry(head)).collect());
        }
    }
    let paths: Vec<Option<PathAnswer>> = items.into_iter().map(|item| item.answer).collect();
    if incomplete.is_none() && paths.iter().flatten().any(|answer| answer.cut_off) {
        incomplete = Some("the clone is shallow, its history ends too early".to_owned());
    }
    Ok(Given { head, paths, incomplete })
}

/// What was answered at this commit, and what of it still holds on disk.
fn remember(git: &Git, head: Option<&str>, cache: &Cache, items: &mut [Item<'_>]) {
    let mut marker = Marker::new();
    let mut marks: BTreeMap<String, Option<u64>> = BTreeMap::new();
    for item in items {
        let Some(spot) = &item.spot else {
            item.answer = Some(PathAnswer::default());
            continue;
        };
        let place = git.checkout.toplevel.join(spot);
        item.mark = *marks.entry(spot.clone()).or_insert_with(|| marker.mark(&place));
        let entry = head.and_then(|head| cache.get(head, spot, item.since()));
        let Some(Entry { mark, answer, .. }) = entry else { continue };
        let is_hashed = answer.content.is_some()
            || item.question.seen.is_none()
            || !answer.exists
            || place.is_dir();
        let is_as_it_was = item.mark.is_some() && item.mark == *mark;
        // Having found nothing about a path that is gone is an answer as well.
        let is_enough = !answer.exists || !item.needs_history(answer);
        let is_answer = is_as_it_was && is_hashed && is_enough;
        if is_answer { &mut item.answer } else { &mut item.known }.replace(answer.clone());
    }
}

/// The ids and the work tree.
fn look(git: &Git, head: Option<&str>, items: &mut [Item<'_>]) -> Result<(), Trouble> {
    let open = || items.iter().filter(|item| item.answer.is_none());
    let spots: BTreeSet<&str> = open().filter_map(|item| item.spot.as_deref()).collect();
    let hashed: BTreeSet<&str> = open()
        .filter(|item| item.question.seen.is_some())
        .filter_map(|item| item.spot.as_deref())
        .collect();
    let works = work::look_at(git, head, &spots, &hashed)?;
    for item in items.iter_mut().filter(|item| item.answer.is_none()) {
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
fn walk(git: &Git, head: &str, items: &mut [Item<'_>]) -> Result<(), Trouble> {
    let mut open: Vec<&mut Item<'_>> = items.iter_mut().filter(|item| item.is_open()).collect();
    let Some(since) = open.iter().map(|item| item.since()).min() else { return Ok(()) };
    let spots: BTreeSet<&str> = open.iter().filter_map(|item| item.spot.as_deref()).collect();
    let walk = log::walk(git, head, &Vec::from_iter(spots), since)?;
    let gone = log::follow(git, head, &walk, since)?;
    open.iter_mut().for_each(|item| item.fill(&walk, &gone));
    Ok(())
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

    fn is_open(&self) -> bool {
        let is_known_gone = self.known.as_ref().is_some_and(|known| !known.exists);
        self.spot.is_some()
            && self.answer.as_ref().is_some_and(|answer| {
                self.needs_history(answer) && (answer.exists || !is_known_gone)
            })
    }

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

    fn entry(&self, head: &str) -> Option<Entry> {
        Some(Entry {
            head: head.to_owned(),
            path: self.spot.clone()?,
            since: self.since(),
            mark: self.mark,
            answer: self.answer.clone()?,
        })
    }
}
