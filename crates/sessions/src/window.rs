//! A conversation as tiers: what memory adds, a summary of older turns, and the newest turns as they
//! were spoken. It decides which turns stay raw, and keeps every tier within its share. Hidden
//! characters are made visible before they are counted.

mod cut;
mod spoken;
mod tiers;

#[cfg(test)]
mod tests;

use serde::Serialize;

pub(crate) use self::cut::most;
use oldhand_text::tokens;
use oldhand_transcripts::{Turn, Voice};

/// Turns that stay raw (R68), and how many do where one of the newest is long (R69).
pub const RAW_TURNS_MAX: usize = 5;
pub const RAW_TURNS_LONG_MAX: usize = 3;
pub const LONG_TURN_TOKENS: usize = 500;
/// Turns that are compressed together (R72).
pub const GROUP_TURNS_MIN: usize = 3;
pub const GROUP_TURNS_MAX: usize = 5;
/// In less than this no tier would say anything.
pub const TOTAL_MIN: usize = 400;
/// Of every limit this much is for the header of its tier.
pub const HEADER_TOKENS: usize = 24;

/// What one side said until the other side spoke: several records, if they follow each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenTurn {
    pub voice: Voice,
    /// Where its first record stands in the turns that were read.
    pub first_record: usize,
    /// Records are joined by a blank line.
    pub text: String,
    pub tools: Vec<String>,
    /// Of the turn as it is shown.
    pub tokens: usize,
}

/// The newest turns, which belong to the end of a prompt: they change with every turn (R70).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raw {
    pub turns: Vec<SpokenTurn>,
    pub tokens: usize,
    /// Records before this one belong to the summary. The largest number if no turn is raw.
    pub first_record: usize,
}

/// What each tier may take, in tokens, its header included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    pub raw: usize,
    pub summary: usize,
    pub long_term: usize,
}

/// The tiers in the order of a prompt: what changes least comes first, raw turns last (R70).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    pub long_term: Tier,
    pub summary: Tier,
    pub raw: Tier,
    pub turns: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tier {
    pub tokens: usize,
    pub limit: usize,
    /// As it is shown, without its header.
    pub text: String,
}

/// What a tier's text may take of its limit.
pub fn room(limit_tokens: usize) -> usize {
    limit_tokens.saturating_sub(HEADER_TOKENS)
}

impl Raw {
    /// The turns that stay raw, within the `room` of the budget: the oldest turn goes first (R88), but
    /// before the newest prompt the tool lines and the middle of its answer go.
    pub fn of(turns: &[Turn], budget_tokens: usize) -> Raw {
        let newest = spoken::newest(turns, RAW_TURNS_MAX);
        let is_long = newest.iter().any(|turn| turn.tokens > LONG_TURN_TOKENS);
        let mut window = if is_long { last(&newest, RAW_TURNS_LONG_MAX) } else { &newest };
        let room = room(budget_tokens);
        let is_prompt = |turn: &SpokenTurn| turn.voice == Voice::Person;
        while window.len() > 1 && tokens::count(&render(window)) > room {
            if is_prompt(&window[0]) && !window[1..].iter().any(is_prompt) {
                break;
            }
            window = &window[1..];
        }
        let turns: Vec<SpokenTurn> = match window {
            [only] => cut::within(only, room).into_iter().collect(),
            [prompt, answer] => cut::both_within(prompt, answer, room),
            several => several.to_vec(),
        };
        let first_record = turns.first().map_or(usize::MAX, |turn| turn.first_record);
        Raw { tokens: tokens::count(&render(&turns)), first_record, turns }
    }

    pub fn render(&self) -> String {
        render(&self.turns)
    }
}

impl SpokenTurn {
    pub fn render(&self) -> String {
        spoken::shown(self.voice, &self.text, &self.tools)
    }
}

/// Records before the raw window, for the summary (R71).
pub fn older<'t>(turns: &'t [Turn], raw: &Raw) -> &'t [Turn] {
    &turns[..raw.first_record.min(turns.len())]
}

/// All records in groups of 3 to 5 turns, oldest first (R72), each with the number of its turns. All
/// but the last two groups stay the same when turns are added. Fewer than three turns are one group.
pub fn groups(records: &[Turn]) -> Vec<(&[Turn], usize)> {
    let starts = spoken::starts(records);
    if starts.is_empty() {
        return if records.is_empty() { Vec::new() } else { vec![(records, 0)] };
    }
    let mut groups = Vec::new();
    let (mut first, mut begin) = (0, 0);
    for size in group_sizes(starts.len()) {
        first += size;
        let end = starts.get(first).copied().unwrap_or(records.len());
        groups.push((&records[begin..end], size));
        begin = end;
    }
    groups
}

/// The last two groups share the rest, so that neither is too small.
fn group_sizes(turns: usize) -> Vec<usize> {
    let rest = turns % GROUP_TURNS_MAX;
    let mut sizes = vec![GROUP_TURNS_MAX; turns / GROUP_TURNS_MAX];
    if rest == 0 {
        return sizes;
    }
    match sizes.pop() {
        Some(whole) if rest < GROUP_TURNS_MIN => {
            let both = whole + rest;
            sizes.extend([both - GROUP_TURNS_MIN, GROUP_TURNS_MIN]);
        }
        before => sizes.extend(before.into_iter().chain([rest])),
    }
    sizes
}

fn render(turns: &[SpokenTurn]) -> String {
    let shown: Vec<String> = turns.iter().map(SpokenTurn::render).collect();
    shown.join("\n\n")
}

fn last<T>(items: &[T], items_max: usize) -> &[T] {
    &items[items.len().saturating_sub(items_max)..]
}
