//! The section `Left out`: how many facts of each sort, and as many names as fit.

use super::check::{Fact, Sort};
use super::fill::heading_weight;
use super::piece::{NAME_END, item_weight};
use crate::summary::Summary;
use oldhand_text::strings::counted;
use oldhand_text::tokens;

/// Sections that hold no facts, as they are counted when items of theirs are left out.
const COUNTED: &[(&str, &str, &str)] = &[
    ("decisions", "decision", "decisions"),
    ("completed", "completed step", "completed steps"),
    ("in_progress", "pending step", "pending steps"),
    ("next_actions", "next action", "next actions"),
    ("open_questions", "open question", "open questions"),
    ("resolved_questions", "resolved question", "resolved questions"),
    ("focus", "sentence on the topic", "sentences on the topic"),
];

pub(super) struct LeftOut<'f> {
    sort: Sort,
    /// With those that an earlier summary left out.
    count: usize,
    names: Vec<&'f Fact>,
}

/// `earlier` is the section of an earlier summary.
pub(super) fn by_sort<'f>(facts: &'f [Fact], earlier: &[String]) -> Vec<LeftOut<'f>> {
    let of = |sort| {
        let names: Vec<&Fact> = facts.iter().rev().filter(|it| it.sort == sort).collect();
        let before = earlier.iter().filter_map(|item| stated(item, sort));
        let count = before.fold(names.len(), usize::saturating_add);
        LeftOut { sort, count, names }
    };
    Sort::ALL.iter().copied().map(of).filter(|left| left.count > 0).collect()
}

pub(super) fn also(missed: &[&str]) -> Option<String> {
    let count = |section: &str| missed.iter().filter(|it| **it == section).count();
    let counts = COUNTED.iter().map(|(section, one, many)| (count(section), one, many));
    let counts: Vec<String> = counts
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| counted(count, one, many))
        .collect();
    (!counts.is_empty()).then(|| format!("also {}", counts.join(NAME_END)))
}

/// What the section will weigh: the counts, and some names where there are many.
pub(super) fn room(lefts: &[LeftOut<'_>], also: Option<&str>, limit: u64) -> u64 {
    // More is left out once there is less room.
    const SLACK: u64 = 12_000;
    let names = lefts.iter().flat_map(|left| &left.names);
    let names: u64 = names.map(|fact| tokens::weight(&quote(fact))).sum();
    (frame(lefts, also) + SLACK + names.min(limit / 40)).min(limit / 4)
}

fn frame(lefts: &[LeftOut<'_>], also: Option<&str>) -> u64 {
    let counts: u64 = lefts.iter().map(|left| item_weight(&left.item(&[]))).sum();
    heading_weight("left_out") + counts + also.map_or(0, item_weight)
}

pub(super) fn name(
    summary: &mut Summary,
    lefts: &[LeftOut<'_>],
    mut also: Option<String>,
    limit: u64,
) {
    if lefts.is_empty() && also.is_none() {
        return;
    }
    let used = tokens::weight(&summary.render()) + frame(lefts, also.as_deref());
    let mut room = limit.saturating_sub(used);
    let mut told: Vec<Vec<&Fact>> = lefts.iter().map(|left| left.fitting(&mut room)).collect();
    loop {
        let both = lefts.iter().zip(&told);
        let mut items: Vec<String> = both.map(|(left, told)| left.item(told)).collect();
        items.extend(also.clone());
        summary.set_list("left_out", items);
        if tokens::weight(&summary.render()) <= limit {
            return;
        }
        let has_names = told.iter().any(|told| !told.is_empty());
        if !has_names && also.take().is_none() {
            break;
        }
        for told in &mut told {
            told.truncate(told.len() / 2);
        }
    }
    summary.set_list("left_out", Vec::new());
}

impl<'f> LeftOut<'f> {
    /// The names that there is room for: behind one that is too long a shorter one may fit.
    fn fitting(&self, room: &mut u64) -> Vec<&'f Fact> {
        let mut told = Vec::new();
        for fact in &self.names {
            let weight = tokens::weight(&format!("{NAME_END}{}", quote(fact)));
            if weight <= *room {
                *room -= weight;
                told.push(*fact);
            }
        }
        told
    }

    fn item(&self, told: &[&Fact]) -> String {
        let one = self.sort.as_str();
        let count = counted(self.count, one, &format!("{one}s"));
        if told.is_empty() {
            return count;
        }
        let mut names: Vec<String> = told.iter().map(|fact| quote(fact)).collect();
        if told.len() < self.count {
            names.push("…".to_owned());
        }
        format!("{count}: {}", names.join(NAME_END))
    }
}

fn quote(fact: &Fact) -> String {
    format!("`{}`", fact.text)
}

/// How many of a sort an item says were left out.
pub(super) fn stated(item: &str, sort: Sort) -> Option<usize> {
    let (count, rest) = item.split_once(' ')?;
    let word = rest.split([':', ' ']).next()?;
    let is_it = word.strip_suffix('s').unwrap_or(word) == sort.as_str();
    is_it.then(|| count.parse().ok()).flatten()
}
