//! Summarises a conversation within a budget, without a model. It decides what is worth keeping and in
//! which order: tool output goes first, facts are kept verbatim, and what does not fit is named. Text
//! with a secret is withheld.

mod check;
mod earlier;
mod exchange;
mod fill;
mod left;
mod piece;
mod pieces;
mod prompt;
mod talk;
mod telling;
mod topic;
mod withhold;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

pub use self::check::{Checked, Fact, Sort};
pub use self::prompt::{Group, RULES, prompt};
pub use oldhand_core::policy::{COMPACT_TOKENS, COMPACT_TOKENS_MIN};

use self::check::Found;
use self::exchange::Exchange;
use self::fill::Filler;
use self::piece::Piece;
use self::talk::Talk;
use self::topic::Topic;
use crate::conversation::deeds::{Deeds, Touch};
use crate::summary::Summary;
use oldhand_text::{secrets, tokens};
use oldhand_transcripts::Turn;

pub struct Request<'a> {
    /// Tokens of the whole rendered summary.
    pub budget_tokens: usize,
    /// A topic that is labelled and kept in more detail (R170).
    pub focus: Option<&'a str>,
    /// An earlier summary, which is continued (R73).
    pub earlier: Option<&'a Summary>,
    /// The folder of the project: paths below it are written relative to it. Empty when unknown.
    pub root: &'a str,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Compaction {
    pub summary: Summary,
    /// Turns in groups of 3 to 5, pruned (R72, R164).
    pub groups: Vec<Group>,
    /// Of everything that was said, of tool calls and of their results, as turns hold them.
    pub before_tokens: usize,
    pub after_tokens: usize,
    pub left_out: Vec<Fact>,
}

/// All distinct facts of turns, in the order of their first appearance. What holds a secret is none.
pub fn facts(turns: &[Turn], root: &str) -> Vec<Fact> {
    let (deeds, talk) = read(turns, root, Exchange::default());
    let pieces = pieces::pieces(&deeds, &talk, "", Vec::new());
    known(&pieces).into_iter().cloned().collect()
}

/// Never longer than the budget.
pub fn compact(turns: &[Turn], request: &Request<'_>) -> Compaction {
    if let Some(same) = unchanged(turns, request) {
        return same;
    }
    let nothing = Summary::default();
    let before = request.earlier.unwrap_or(&nothing);
    let carried = Exchange::of(before);
    let (mut deeds, talk) = read(turns, request.root, carried);
    earlier::merge(before, &mut deeds);
    let earlier = earlier::pieces(before, carried, &deeds, &talk);
    let mut pieces = pieces::pieces(&deeds, &talk, before.text("goal"), earlier);
    topic::focus(&mut pieces, request.focus, before.list("focus"), turns);
    let known = known(&pieces);

    let limit = fill::weight_of(request.budget_tokens);
    let filler = Filler::new(&pieces);
    let (mut summary, mut chosen) = filler.fill(limit);
    let mut left_out = missing(&summary, &known);
    let spread = filler.spread(&chosen, limit);
    let also = left::also(&filler.missed(&chosen));
    let left_before = before.list("left_out");
    let lefts = left::by_sort(&left_out, left_before);
    if !lefts.is_empty() || also.is_some() {
        let room = left::room(&lefts, also.as_deref(), limit);
        (summary, chosen) = filler.fill(limit - room);
        left_out = missing(&summary, &known);
        let lefts = left::by_sort(&left_out, left_before);
        left::name(&mut summary, &lefts, left::also(&filler.missed(&chosen)), limit);
    }
    if let Some(spread) = spread.filter(|_| summary.list("left_out").is_empty()) {
        summary = spread;
    }
    let after_tokens = tokens::count(&summary.render());
    let groups = prompt::groups(turns, request.root);
    Compaction { summary, groups, before_tokens: before_tokens(turns), after_tokens, left_out }
}

/// Without new turns the earlier summary stays, unless it is too long or on another topic.
fn unchanged(turns: &[Turn], request: &Request<'_>) -> Option<Compaction> {
    let summary = request.earlier.filter(|_| turns.iter().all(Turn::is_silent))?;
    let label = summary.list("focus").first();
    let text = summary.render();
    let after_tokens = tokens::count(&text);
    let is_it = request.focus.and_then(Topic::of).is_none_or(|topic| Some(&topic.label) == label)
        && after_tokens <= request.budget_tokens
        && secrets::scan(&text).is_empty();
    is_it.then(|| Compaction { summary: summary.clone(), after_tokens, ..Compaction::default() })
}

/// `compact --check`: every path, command, error text and number of the source is kept, or the
/// summary says that it is left out.
pub fn check(summary: &str, turns: &[Turn], root: &str) -> Checked {
    check::check(summary, &facts(turns, root))
}

fn read<'t>(turns: &'t [Turn], root: &'t str, carried: Exchange<'t>) -> (Deeds<'t>, Talk<'t>) {
    let mut deeds = Deeds::of(turns, root);
    let talk = Talk::of(turns, carried, &deeds);
    for (path, line) in &talk.paths {
        deeds.note_file(path, Touch::Named, *line);
    }
    (deeds, talk)
}

/// Each fact once, by line; those of an earlier summary have none and come last. What holds a secret,
/// or was taken from a text that does, is none.
fn known<'p>(pieces: &'p [Piece<'_>]) -> Vec<&'p Fact> {
    let of = |piece: &'p Piece<'_>| piece.facts.iter().map(|fact| (fact, piece.origins[0]));
    let mut known: Vec<(&Fact, &str)> = pieces.iter().flat_map(of).collect();
    known.sort_by_key(|(fact, _)| (fact.line == 0, fact.line, fact.sort));
    let mut seen: HashSet<(Sort, &str)> = HashSet::new();
    known.retain(|(fact, _)| !fact.text.is_empty() && seen.insert((fact.sort, &fact.text)));
    let is_clean = |text: &str| secrets::scan(text).is_empty();
    known.retain(|(fact, origin)| is_clean(origin) && is_clean(&fact.text));
    known.into_iter().map(|(fact, _)| fact).collect()
}

fn missing(summary: &Summary, known: &[&Fact]) -> Vec<Fact> {
    let text = summary.render();
    let found = Found::of(&text);
    known.iter().copied().filter(|it| !found.has(it)).cloned().collect()
}

fn before_tokens(turns: &[Turn]) -> usize {
    let texts = turns.iter().flat_map(|turn| {
        let uses = turn.uses.iter().flat_map(|tool| {
            tool.paths.iter().chain(&tool.command).chain(std::iter::once(&tool.name))
        });
        std::iter::once(&turn.text).chain(uses).chain(turn.results.iter().map(|it| &it.text))
    });
    tokens::of_weight(texts.map(|text| tokens::weight(text)).sum())
}
