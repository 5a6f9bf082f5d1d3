//! Opposites: two words on the two ends of one axis.

mod table;

use super::phrases;
use super::words::Word;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Enabled,
    Sync,
    Allowed,
    Mutable,
    Locking,
    Split,
    Pull,
    Public,
    Indent,
    Required,
    Before,
    On,
    Side,
    Opt,
    Order,
    State,
    Static,
    Eager,
    Shared,
    Delivery,
    Normal,
    Keys,
    Amount,
    Keep,
    Sign,
    Harm,
    Open,
    Internal,
    Manual,
    Local,
    Strict,
    Minmax,
    Include,
    Persistent,
    Relative,
    Plural,
    Upper,
    Verbose,
    Explicit,
    Centralized,
    Coupled,
    Serial,
    Batch,
    Typed,
    Forward,
    Inbound,
    First,
    Hot,
    Weight,
    Encrypted,
    Trusted,
    Pessimism,
    Inherit,
    Inline,
    Vertical,
    Nullable,
    Thin,
    Always,
    Start,
    Presence,
    Gain,
    Fast,
    Frequent,
    Likely,
    Consensus,
    Activation,
    Sensitive,
}

impl Axis {
    /// Words of these say something else as often as not: the sentences must be nearly the same.
    pub(super) fn is_weak(self) -> bool {
        matches!(
            self,
            Self::Before
                | Self::On
                | Self::Amount
                | Self::Harm
                | Self::Minmax
                | Self::First
                | Self::Hot
                | Self::Weight
                | Self::Pessimism
                | Self::Start
                | Self::Presence
                | Self::Gain
                | Self::Fast
                | Self::Frequent
                | Self::Likely
                | Self::Consensus
                | Self::Activation
                | Self::Sensitive
        )
    }
}

/// One end of an axis, where the sentence names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pole {
    pub axis: Axis,
    pub is_up: bool,
    pub words: std::ops::Range<usize>,
}

impl Pole {
    pub(super) fn is_opposite(&self, other: &Self) -> bool {
        self.axis == other.axis && self.is_up != other.is_up
    }
}

pub(super) fn poles_of(words: &[Word]) -> Vec<Pole> {
    phrases::longest(
        words.len(),
        |at| rows_at(words, at).collect(),
        |row, words| Pole { axis: row.1, is_up: row.2, words },
    )
}

/// The rows whose stems begin at this word, and how many words they are.
fn rows_at(words: &[Word], at: usize) -> impl Iterator<Item = (&'static table::Row, usize)> {
    let first = words[at].stem.as_str();
    let from = table::ROWS.partition_point(|row| row.0 < first);
    table::ROWS[from..]
        .iter()
        .take_while(move |row| row.0.starts_with(first))
        .filter_map(move |row| Some((row, matched(row.0, &words[at..])?)))
}

fn matched(phrase: &str, words: &[Word]) -> Option<usize> {
    let mut length = 0;
    for stem in phrase.split(' ') {
        if words.get(length)?.stem != stem {
            return None;
        }
        length += 1;
    }
    Some(length)
}

#[cfg(test)]
#[test]
fn the_table_is_sorted() {
    assert!(table::ROWS.is_sorted_by_key(|row| row.0));
}
