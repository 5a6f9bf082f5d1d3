//! A short difference of two texts, by lines.

use crate::commands::prelude::*;
use similar::TextDiff;

/// Removed and added lines, with one line of context.
pub(super) fn diff(before: Option<&str>, after: Option<&str>) -> String {
    let old: Vec<&str> = before.unwrap_or_default().lines().collect();
    let new: Vec<&str> = after.unwrap_or_default().lines().collect();
    let diff = TextDiff::from_slices(&old, &new);
    let mut groups = Vec::new();
    for group in diff.grouped_ops(1) {
        let changes = group.iter().flat_map(|op| diff.iter_changes(op));
        let line = changes.map(|it| format!("    {} {}", it.tag(), visible_line(it.value())));
        groups.push(line.map(|line| format!("{}\n", line.trim_end())).collect::<String>());
    }
    groups.join("    ...\n")
}

#[cfg(test)]
mod tests;
