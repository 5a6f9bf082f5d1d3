//! How much of one text is a copy of the other, and which words were exchanged in it.

use ::similar::{Algorithm, DiffOp, capture_diff_slices};

use super::profile::{Marks, ORDER_WORDS_MAX, Profile};

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
        let is_sorted = one.opening() <= other.opening();
        let (one, other) = if is_sorted { (one, other) } else { (other, one) };
        let differ = |left: &[u64], right: &[u64]| {
            let tells = |here: &Profile, words: &[u64], there: &[u64]| {
                words.iter().any(|key| here.tells(*key) && !there.contains(key))
            };
            tells(one, left, right) && tells(other, right, left)
        };
        let (mut is_swapped, mut is_title_swapped) = (false, false);
        let copied = align(one.opening(), other.opening(), |left, right, around| {
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
        let is_cut = one.order.len().max(other.order.len()) > ORDER_WORDS_MAX;
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

/// As many numbers in another order: fact 3 of worker 5 is not fact 5 of worker 3.
pub(super) fn has_other_numbers(one: &Profile, other: &Profile) -> bool {
    let numbers = |profile: &Profile| -> Vec<u64> {
        let is_number = |key: &u64| profile.find(*key).is_some_and(|it| it.is(Marks::NUMBER));
        profile.opening().iter().copied().filter(is_number).collect()
    };
    let (ours, theirs) = (numbers(one), numbers(other));
    ours.len() == theirs.len() && ours != theirs
}

/// Under like titles, the longer text has hardly a word of the shorter one.
pub(super) fn has_other_body(one: &Profile, other: &Profile) -> bool {
    let telling = |profile: &Profile| -> Vec<u64> {
        let body = profile.opening()[profile.title().len()..].iter().copied();
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

/// Calls `each_gap` with what differs and how many copied words are around it. Returns the share of
/// the shorter text that is copied.
fn align(left: &[u64], right: &[u64], mut each_gap: impl FnMut(&[u64], &[u64], usize)) -> f64 {
    let parts = capture_diff_slices(Algorithm::Lcs, left, right);
    let copied = |part: &DiffOp| match part {
        DiffOp::Equal { len, .. } => *len,
        _ => 0,
    };
    for (at, part) in parts.iter().enumerate().filter(|(_, part)| copied(part) == 0) {
        let around = parts[at.saturating_sub(1)..].iter().take(3).map(copied).sum();
        each_gap(&left[part.old_range()], &right[part.new_range()], around);
    }
    let copied: usize = parts.iter().map(copied).sum();
    copied as f64 / left.len().min(right.len()).max(1) as f64
}
