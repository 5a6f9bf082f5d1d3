//! Candidates that fit what a session works on: it is asked, once, whether they hold.

use oldhand_app::filter::Filter;
use oldhand_app::recall::Request;
use oldhand_core::kind::Kind;
use oldhand_core::recall::bundle::{Entry, Source, framed};
use oldhand_core::state::State;
use oldhand_text::strings::counted;

use super::nudge;
use super::prelude::*;
use crate::reading::Reading;

const SHOWN_MAX: usize = 2;
const SHOWN_TOKENS: usize = 240;
/// So many are remembered as asked about; older ones have been settled or have faded.
const ASKED_MAX: usize = 500;
/// How a session remembers that it was asked.
const ASKED: &str = "candidates";

const QUESTION: &str = "<oldhand-reminder>\nThe candidates above were found in earlier sessions and \
     wait for somebody who knows. If this work shows that one holds, or that it does not, say so with \
     `oldhand review <id> --decision promote --reason \"<what shows it>\"`, or `--decision reject`. \
     Otherwise leave them, and don't mention this.\n</oldhand-reminder>";

/// Those that share telling words or a file with what was asked. Words alone: nothing is embedded
/// that can't be served.
pub(super) fn fitting(call: &Call<'_>, reading: &Reading<'_>, request: &Request) -> Vec<Entry> {
    let may_ask = reading.is_trusted
        && reading.engine.settings.review.lightweight
        && nudge::may_remind(call).is_ok()
        && !call.session.state().served.asked.iter().any(|it| it == ASKED);
    let Some(record) = call.session.store.record().ok().filter(|_| may_ask) else {
        return Vec::new();
    };
    let request = Request {
        filter: Filter { states: vec![State::Candidate], ..Filter::default() },
        budget_tokens: Some(SHOWN_TOKENS),
        items_max: Some(SHOWN_MAX),
        served_before: record.candidates_asked.into_iter().collect(),
        pointers_only: false,
        keywords_only: true,
        ..request.clone()
    };
    // A candidate is no reason to fail: the prompt is answered without it.
    let Ok(recalled) = reading.engine.memories().recall(reading.index, &request) else {
        return Vec::new();
    };
    let found = recalled.bundle.memories.into_iter().chain(recalled.bundle.cautions);
    let is_open = |entry: &Entry| {
        entry.card.state == State::Candidate
            && entry.card.origin.is_found()
            && entry.card.kind != Kind::SessionSummary.as_str()
    };
    found.filter(is_open).collect()
}

/// Adds them to the answer, where the host has room; says whether it did.
pub(super) fn ask(
    call: &Call<'_>,
    waiting: &[Entry],
    state: &mut SessionState,
    reply: Reply,
) -> (Reply, bool) {
    if waiting.is_empty() {
        return (reply, false);
    }
    let mut text = AgentText::ours("candidates, not settled:\n");
    for entry in waiting {
        text.push(&entry.fenced());
    }
    let text = framed(&text, Source::of(waiting.iter().map(|entry| &entry.card)));
    let text = AgentText::join(&[text, AgentText::ours(QUESTION)], "\n");
    let note = format!("asked about {}", counted(waiting.len(), "candidate", "candidates"));
    match call.with_text(reply, &text, &note) {
        Ok(reply) => {
            state.served.ask(ASKED);
            (reply, true)
        }
        Err(reply) => (reply, false),
    }
}

/// No other session is asked about the same.
pub(super) fn note(call: &Call<'_>, waiting: &[Entry]) -> Result<(), Fail> {
    call.session.store.update_record(|record| {
        let asked = &mut record.candidates_asked;
        asked.extend(waiting.iter().map(|entry| entry.card.id.clone()));
        let excess = asked.len().saturating_sub(ASKED_MAX);
        asked.drain(..excess);
    })?;
    Ok(())
}
