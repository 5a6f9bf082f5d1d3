//! Two texts laid beside each other in their order: how much of the one is a copy of the other, and
//! which words stand in the same place of both. A copy with an exchanged word is not said again.

use super::profile::{Marks, Profile};
use super::reader::ORDER_WORDS_MAX;

/// Longer runs that differ are sentences of their own, no exchanged words.
const SWAP_WORDS_MAX: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Alignment {
    /// The share of the shorter text that the other has in the same order.
    pub(super) copied: f64,
    /// Only the beginnings were laid beside each other.
    pub(super) is_cut: bool,
    /// Words were exchanged, with at least three copied ones around them.
    pub(super) is_swapped: bool,
    /// At least half of a title was copied, and words were exchanged in it.
    pub(super) is_title_swapped: bool,
}

impl Alignment {
    pub(super) fn of(one: &Profile, other: &Profile) -> Self {
        // In one order always: where two ways of aligning are equally long, the first is taken.
        let (one, other) = if one.order <= other.order { (one, other) } else { (other, one) };
        let differ = |left: &[u64], right: &[u64]| {
            let tells = |here: &Profile, words: &[u64], there: &[u64]| {
                words.iter().any(|key| here.tells(*key) && !there.contains(key))
            };
            tells(one, left, right) && tells(other, right, left)
        };
        let (mut is_swapped, mut is_title_swapped) = (false, false);
        let copied = align(&one.order, &other.order, |left, right, around| {
            let is_short = left.len().max(right.len()) <= SWAP_WORDS_MAX;
            let (ours, theirs) = (one.news(left, other), other.news(right, one));
            // A name that is new is enough: the one that it stands for may be named elsewhere.
            let has_name = ours.iter().chain(&theirs).any(|word| word.is_name());
            let is_new = has_name || !ours.is_empty() && !theirs.is_empty();
            is_swapped |= is_short && is_new && around >= 3 && differ(left, right);
        });
        let title_copied = align(one.title(), other.title(), |left, right, around| {
            is_title_swapped |= around >= 2 && differ(left, right);
        });
        let is_cut = one.is_cut || other.is_cut;
        let is_title_swapped = is_title_swapped && title_copied >= 0.5;
        Self { copied, is_cut, is_swapped, is_title_swapped }
    }
}

/// The same two words with their directions exchanged: from this to that, from that to this.
pub(super) fn is_turned_around(one: &Profile, other: &Profile) -> bool {
    one.directions.iter().any(|(way, from)| {
        one.directions.iter().any(|(back, to)| {
            from != to
                && way != back
                && other.directions.contains(&(*way, *to))
                && other.directions.contains(&(*back, *from))
        })
    })
}

/// As many numbers as the other, and not the same in the same order: fact 3 of worker 5 is not
/// fact 5 of worker 3.
pub(super) fn has_other_numbers(one: &Profile, other: &Profile) -> bool {
    let numbers = |profile: &Profile| -> Vec<u64> {
        let is_number = |key: &u64| profile.find(*key).is_some_and(|it| it.is(Marks::NUMBER));
        profile.order.iter().copied().filter(is_number).collect()
    };
    let (ours, theirs) = (numbers(one), numbers(other));
    ours.len() == theirs.len() && ours != theirs
}

/// The titles are alike and what stands below them is not: of the shorter text hardly a word is in
/// the other.
pub(super) fn has_other_body(one: &Profile, other: &Profile) -> bool {
    let telling = |profile: &Profile| -> Vec<u64> {
        let body = profile.order[profile.title_words..].iter().copied();
        let mut keys: Vec<u64> = body.filter(|key| profile.tells(*key)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    };
    let (ours, theirs) = (telling(one), telling(other));
    let shorter = ours.len().min(theirs.len());
    let shared = ours.iter().filter(|key| theirs.binary_search(key).is_ok()).count();
    shorter > 0 && (shared as f64) < BODY_SHARE_MIN * shorter as f64
}

/// Less in common is another text under a like title.
const BODY_SHARE_MIN: f64 = 0.4;

/// Gives each pair of gaps between copied runs, and how many copied words are around it. Returns
/// the share of the shorter one that is copied.
fn align(left: &[u64], right: &[u64], mut each_gap: impl FnMut(&[u64], &[u64], usize)) -> f64 {
    let end = Run { left: left.len(), right: right.len(), len: 0 };
    let (mut before, mut copied) = (Run::default(), 0);
    for run in runs(left, right).into_iter().chain([end]) {
        copied += run.len;
        let ours = &left[before.left + before.len..run.left];
        let theirs = &right[before.right + before.len..run.right];
        each_gap(ours, theirs, before.len + run.len);
        before = run;
    }
    copied as f64 / left.len().min(right.len()).max(1) as f64
}

/// Words that follow each other in both texts.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    left: usize,
    right: usize,
    len: usize,
}

/// The longest common subsequence, as runs.
fn runs(left: &[u64], right: &[u64]) -> Vec<Run> {
    let lengths = common_lengths(left, right);
    let mut runs: Vec<Run> = Vec::new();
    let (mut at, mut by) = (0, 0);
    while at < left.len() && by < right.len() {
        if left[at] == right[by] {
            match runs.last_mut() {
                Some(run) if (run.left + run.len, run.right + run.len) == (at, by) => run.len += 1,
                _ => runs.push(Run { left: at, right: by, len: 1 }),
            }
            (at, by) = (at + 1, by + 1);
        } else if lengths[at + 1][by] >= lengths[at][by + 1] {
            at += 1;
        } else {
            by += 1;
        }
    }
    runs
}

type Lengths = [[u8; ORDER_WORDS_MAX + 1]; ORDER_WORDS_MAX + 1];

/// How many words the rests have in common in the same order, for each pair of positions.
fn common_lengths(left: &[u64], right: &[u64]) -> Lengths {
    let mut lengths = [[0; ORDER_WORDS_MAX + 1]; ORDER_WORDS_MAX + 1];
    for at in (0..left.len()).rev() {
        for by in (0..right.len()).rev() {
            lengths[at][by] = if left[at] == right[by] {
                lengths[at + 1][by + 1] + 1
            } else {
                lengths[at + 1][by].max(lengths[at][by + 1])
            };
        }
    }
    lengths
}
