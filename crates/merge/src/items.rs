//! Lists by items: what either added is added, what either took out is gone, and an item that both
//! changed stands twice or between markers.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use oldhand_core::codec::sections::marker_width;

use crate::{Merge, Three};

/// What a side made of one item of the base, and what it put before it.
#[derive(Debug, Clone, Default)]
struct Fate<'t> {
    inserted: Vec<&'t str>,
    kept: Option<&'t str>,
}

impl Merge<'_> {
    /// The texts are without the line break at their end, and so is the result.
    pub(crate) fn list_section(&mut self, texts: Three<&str>) -> String {
        let items = texts.map(items);
        let fates = items.as_ref().pair().map(|side| fates(&items.base, side));
        let mut out = List::default();
        for (at, (ours, theirs)) in fates.ours.iter().zip(&fates.theirs).enumerate() {
            for item in self.in_order(ours.inserted.clone(), theirs.inserted.clone()) {
                if !out.has(item) {
                    out.push(item);
                }
            }
            let Some(was) = items.base.get(at).copied() else { continue };
            let is_same = |item: &str| item.trim_end() == was.trim_end();
            match (ours.kept, theirs.kept) {
                (Some(ours), Some(theirs)) if ours.trim_end() == theirs.trim_end() => {
                    out.push(ours)
                }
                (Some(ours), Some(theirs)) if is_same(ours) => out.push(theirs),
                (Some(ours), Some(theirs)) if is_same(theirs) => out.push(ours),
                (Some(ours), Some(theirs)) if first_word(ours) == first_word(theirs) => {
                    let both = Three { base: was, ours, theirs };
                    let marked = self.conflict(both.map(str::trim_end));
                    out.push(&marked);
                }
                (Some(ours), Some(theirs)) => {
                    self.in_order(vec![ours], vec![theirs]).into_iter().for_each(|it| out.push(it));
                }
                (Some(kept), None) | (None, Some(kept)) if !is_same(kept) => {
                    self.note("an item was changed on one side and taken out on the other: kept");
                    out.push(kept);
                }
                _ => {}
            }
        }
        out.text.trim_end().to_owned()
    }
}

#[derive(Default)]
struct List {
    text: String,
    said: Vec<String>,
}

impl List {
    fn has(&self, item: &str) -> bool {
        self.said.iter().any(|said| said == item.trim_end())
    }

    fn push(&mut self, item: &str) {
        // A paragraph right behind an item would be read as its continuation.
        let continues = marker_width(item).is_none() && !item.starts_with('<');
        if continues && !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
        self.text.push_str(item);
        if !item.ends_with('\n') {
            self.text.push('\n');
        }
        self.said.push(item.trim_end().to_owned());
    }
}

/// Items with all their lines, and the blank ones behind them.
fn items(text: &str) -> Vec<&str> {
    let mut starts = Vec::new();
    let (mut at, mut after_blank) = (0, true);
    for line in text.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        let is_item = marker_width(line).is_some() || (after_blank && !line.starts_with(' '));
        if is_item && !is_blank {
            starts.push(at);
        }
        (at, after_blank) = (at + line.len(), is_blank);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    // What stands before the first item belongs to it.
    let starts = std::iter::once(0).chain(starts.iter().skip(1).copied());
    let items = starts.zip(ends).map(|(start, end)| &text[start..end]);
    items.filter(|item| !item.trim().is_empty()).collect()
}

/// One fate for each item of the base, and one for the end.
fn fates<'t>(base: &[&'t str], side: &[&'t str]) -> Vec<Fate<'t>> {
    let mut fates = vec![Fate::default(); base.len() + 1];
    let [old, new] =
        [base, side].map(|list| list.iter().map(|it| it.trim_end()).collect::<Vec<_>>());
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (was, is) = (op.old_range(), op.new_range());
        if let DiffOp::Equal { .. } = op {
            was.zip(is).for_each(|(was, is)| fates[was].kept = Some(side[is]));
            continue;
        }
        // An item that begins as before is the old one, changed; the others in their order.
        let mut free: Vec<usize> = was.clone().collect();
        let mut left = Vec::new();
        for item in side[is].iter().copied() {
            let begins = |at: &usize| first_word(base[*at]) == first_word(item);
            match free.iter().position(begins) {
                Some(at) => fates[free.remove(at)].kept = Some(item),
                None => left.push(item),
            }
        }
        for (at, item) in left.into_iter().enumerate() {
            match free.get(at) {
                Some(place) => fates[*place].kept = Some(item),
                None => fates[was.end].inserted.push(item),
            }
        }
    }
    fates
}

/// The option of an alternative, or the first word of any other item.
fn first_word(item: &str) -> &str {
    let text = item.trim_start();
    let text = &text[marker_width(text).unwrap_or(0)..];
    match text.strip_prefix("**").and_then(|rest| rest.split_once("**")) {
        Some((option, _)) => option,
        None => text.split_whitespace().next().unwrap_or_default(),
    }
}
