//! Text for an agent's context: fenced, within the budget and within what the host takes.

use oldhand_core::recall::bundle::{Bundle, framed};
use oldhand_text::agent_text::AgentText;

/// What a frame costs beside what stands in it.
pub(super) const FRAME_TOKENS: usize = 40;

/// The bundle as context, or nothing when nothing is in it.
pub(super) fn of_bundle(bundle: &Bundle) -> Option<AgentText> {
    (!bundle.is_empty()).then(|| framed(&bundle.to_text(), bundle.source()))
}

/// Longer texts are put into a file by the host, or cut: both would break the fence.
pub(super) fn fits(text: &str, chars_max: usize) -> bool {
    text.chars().count() <= chars_max
}
