//! A conversation as tiers: what memory adds, a summary of older turns, and the newest turns as they
//! were spoken. It decides which turns stay raw, and keeps every tier within its share and all of them
//! within one limit (R91). Hidden characters are made visible before they are counted.

mod cut;
mod spoken;

#[cfg(test)]
mod tests;

use serde::Serialize;

pub(crate) use self::cut::most;
use oldhand_core::policy::{CONVERSATION_TOKENS, LONG_TERM_TOKENS, SUMMARY_TOKENS};
use oldhand_text::strings::{counted, visible};
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

impl Budgets {
    /// The shares of 4,000, 1,500 and 3,000 in a total (R88 to R91), which never is more than their
    /// sum; `None` below `TOTAL_MIN`. What rounding leaves is for raw turns.
    pub fn of(total_tokens: usize) -> Option<Budgets> {
        let total = total_tokens.min(CONVERSATION_TOKENS);
        let share = |part: usize| total * part / CONVERSATION_TOKENS;
        let (summary, long_term) = (share(SUMMARY_TOKENS), share(LONG_TERM_TOKENS));
        let budgets = Budgets { raw: total - summary - long_term, summary, long_term };
        (total >= TOTAL_MIN).then_some(budgets)
    }
}

impl Tier {
    /// A text that is longer than its share loses its end.
    fn of(text: &str, limit: usize) -> Tier {
        let text = cut::beginning(&visible(text.trim_end()), room(limit));
        Tier { tokens: tokens::count(&text), text, limit }
    }
}

impl Window {
    /// `raw` was made for the raw share of these budgets.
    pub fn of(budgets: &Budgets, long_term: &str, summary: &str, raw: &Raw) -> Window {
        let mut window = Window {
            long_term: Tier::of(long_term, budgets.long_term),
            summary: Tier::of(summary, budgets.summary),
            raw: Tier { text: raw.render(), tokens: raw.tokens, limit: budgets.raw },
            turns: raw.turns.len(),
        };
        // What a word counts depends a little on the words before it, so that the whole may be more
        // than its tiers by more than the headers. Memory can be asked again; it gives way first.
        while window.tokens() > window.limit() {
            let over = window.tokens() - window.limit();
            let tier = match window.long_term.text.is_empty() {
                false => &mut window.long_term,
                true if !window.summary.text.is_empty() => &mut window.summary,
                true => break,
            };
            let less = cut::beginning(&tier.text, tier.tokens.saturating_sub(over + HEADER_TOKENS));
            tier.tokens = tokens::count(&less);
            tier.text = less;
        }
        window
    }

    pub fn render(&self) -> String {
        let turns = format!("raw: {}, ", counted(self.turns, "turn", "turns"));
        let tiers =
            [("long-term: ", &self.long_term), ("summary: ", &self.summary), (&turns, &self.raw)];
        let shown = tiers.map(|(name, Tier { tokens, limit, text })| {
            let end = if text.is_empty() { "" } else { "\n" };
            format!("{name}{tokens} of {limit} tokens\n{text}{end}")
        });
        shown.join("\n")
    }

    /// With the headers.
    pub fn tokens(&self) -> usize {
        tokens::count(&self.render())
    }

    pub fn limit(&self) -> usize {
        self.long_term.limit + self.summary.limit + self.raw.limit
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
    let starts = (0..turns).step_by(GROUP_TURNS_MAX);
    let mut sizes: Vec<usize> = starts.map(|at| (turns - at).min(GROUP_TURNS_MAX)).collect();
    if let [.., before, last] = sizes.as_mut_slice() {
        let lacking = GROUP_TURNS_MIN.saturating_sub(*last);
        *before -= lacking;
        *last += lacking;
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
