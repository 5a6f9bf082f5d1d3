//! Texts by lines, three ways, with git's markers and the base between them.

use similar::{ConflictStyle, TextMerge};

use crate::Three;

/// The merged text, and how many conflicts are in it.
pub(crate) fn merge(texts: Three<&str>, size: usize) -> (String, usize) {
    if let Some(settled) = texts.settled() {
        return ((*settled).to_owned(), 0);
    }
    let mut merge = TextMerge::from_lines(texts.base, texts.ours, texts.theirs);
    merge.conflict_style(ConflictStyle::Diff3).conflict_marker_size(size);
    merge.labels("base", "ours", "theirs");
    (merge.to_string(), merge.conflict_count())
}

/// Three whole texts, each ending in a line break or empty.
pub(crate) fn between_markers(texts: Three<&str>, size: usize) -> String {
    let [begin, base, middle, end] = ["<", "|", "=", ">"].map(|mark| mark.repeat(size));
    let Three { base: was, ours, theirs } = texts.map(closed);
    format!("{begin} ours\n{ours}{base} base\n{was}{middle}\n{theirs}{end} theirs\n")
}

/// With a line break at its end, unless there is nothing.
pub(crate) fn closed(text: &str) -> String {
    let is_closed = text.is_empty() || text.ends_with('\n');
    format!("{text}{}", if is_closed { "" } else { "\n" })
}
