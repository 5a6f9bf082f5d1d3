//! Compaction around hooks: the summary is written before a host drops the conversation, and the
//! agent is told when a compaction is due.

use oldhand_core::policy::COMPACT_TOKENS;
use oldhand_core::recall::bundle::{Source, framed};
use oldhand_hosts::answer::takes_context;
use oldhand_hosts::dialect::Dialect;
use oldhand_sessions::compact::{self, Request};

use super::prelude::*;
use super::transcript::{self, WHOLE};
use crate::compacting::{keep, unseen};

/// R169: work goes on from the stored summary. What was compacted before is not compacted again.
pub(super) fn compact(call: &Call<'_>, state: &SessionState) -> Result<String, Fail> {
    // Gemini asks before every call of its model: what is new would be a line or two.
    let after = call.hooks().compact_after;
    let is_due = after > 0 && state.compaction.prompts > after;
    if call.is_own || call.payload.dialect == Dialect::Gemini && !is_due {
        return Ok(String::new());
    }
    let whole = match transcript::read_from(call, &Default::default(), WHOLE) {
        Ok(whole) => whole,
        Err(why) => return Ok(why),
    };
    let (seen, earlier) = unseen(&call.session, state, &whole.at.path, whole.at.lines);
    let news = whole.turns.partition_point(|turn| turn.line <= seen);
    if news == whole.turns.len() {
        return Ok(String::new());
    }
    let root = call.layout.repository.to_string_lossy();
    let request = Request {
        budget_tokens: COMPACT_TOKENS,
        focus: None,
        earlier: earlier.as_ref(),
        root: &root,
    };
    let done = compact::compact(&whole.turns[news..], &request);
    keep(&call.session, &done.summary, (&whole.at.path, whole.at.lines))?;
    Ok(format!("compacted {} tokens to {}", done.before_tokens, done.after_tokens))
}

/// R161, R162: said once each time that it becomes due, in a line beside whatever else is told.
pub(super) fn tell_due(
    call: &Call<'_>,
    state: &mut SessionState,
    steps: usize,
    reply: Reply,
) -> Reply {
    let after = call.hooks().compact_after;
    let is_off = after == 0 || call.is_own;
    if is_off || !takes_context(call.payload.dialect, call.payload.event) {
        return reply;
    }
    let Some(why) = why_due(after, state, steps) else { return reply };
    let line = AgentText::of(
        "compaction is due: {}. `oldhand compact` writes the summary; `oldhand note` keeps what is open.",
        &[AgentText::line(&why)],
    );
    let line = framed(&line, Source::default());
    match call.with_text(reply, &line, &format!("compaction is due: {why}")) {
        Ok(reply) => {
            state.compaction.prompts_told = state.compaction.prompts;
            reply
        }
        Err(reply) => reply,
    }
}

fn why_due(after: usize, state: &mut SessionState, steps: usize) -> Option<String> {
    let compaction = &mut state.compaction;
    // Another plan begins with nothing done.
    compaction.steps_told = compaction.steps_told.min(steps);
    if steps > compaction.steps_told {
        compaction.steps_told = steps;
        return Some("a step of the plan is done".to_owned());
    }
    let prompts = compaction.prompts;
    (prompts > compaction.prompts_told + after).then(|| format!("{prompts} exchanges on one task"))
}
