//! What a handoff must say (R171): who takes over from it alone must be able to go on.

use crate::summary::Summary;
use oldhand_text::problem::Problem;

/// A field, what is expected in it, and the flag that gives it.
const REQUIRED: &[(&str, &str, &str)] = &[
    ("handoff_to", "the role that takes over", "say it with `--to <role>`"),
    ("handoff_from", "the role that hands over", "say it with `--from <role>`"),
    ("goal", "what the work is for", "say it with `--goal <text>`"),
    (
        "completed",
        "what is done, or `nothing yet`",
        "say it with `--completed <text>`; `--completed \"nothing yet\"` is an answer",
    ),
    ("standing", "where the work stands", "say it with `--standing <text>`, such as `step 2 of 3`"),
    ("next_actions", "what is to be done next", "say it with `--next <text>`"),
];

/// Everything that is missing, not only the first.
pub fn missing(summary: &Summary) -> Vec<Problem> {
    REQUIRED
        .iter()
        .filter(|(name, _, _)| summary.text(name).is_empty() && summary.list(name).is_empty())
        .map(|(name, expected, fix)| Problem::new(name, expected, "nothing").with_fix(*fix))
        .collect()
}
