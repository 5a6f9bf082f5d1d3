//! The reminder to keep what was settled. It rides on an answer that is given anyway: no turn more,
//! no stop held up.

use oldhand_core::policy::CaptureMode;
use oldhand_sessions::nudge::Moment;

use super::prelude::*;
use super::tool::{command_of, path_of};

/// Not between the tags of a memory: what stands there is data, and this is a request of ours.
const REMINDER: &str = "<oldhand-reminder>\nBefore this turn ends: was anything settled, ruled \
     out, diagnosed or left open since the last such note, that the code will not show? Keep each \
     with one call, in words that stand alone, with its why: `oldhand remember \"<what holds> because \
     <why>\"`. Otherwise go on, and don't mention this.\n</oldhand-reminder>";

/// The same once more, for a session that has read it.
const AGAIN: &str = "<oldhand-reminder>\nBefore this turn ends: anything new settled, ruled out, \
     diagnosed or left open? `oldhand remember \"<what holds> because <why>\"`, or go on without a \
     word.\n</oldhand-reminder>";

/// Most tools change nothing that is worth a word.
pub(super) fn after_tool(call: &Call<'_>) -> Result<Reply, Fail> {
    let nothing = || Ok(Reply::nothing("the tool did what it should"));
    let Some(tool) = &call.payload.tool else { return nothing() };
    let command = command_of(tool);
    let path = path_of(tool).and_then(|path| call.relative(path));
    let moment = Moment::of_tool(&tool.name, command.as_deref(), path.as_deref());
    let Some(moment) = moment else { return nothing() };
    if let Err(why) = may_remind(call) {
        return Ok(Reply::nothing(why));
    }
    call.touch(|state| remind(call, state, moment, Reply::default()))
}

/// With a prompt that follows an interrupt or a compaction, or a stretch of work.
pub(super) fn with_prompt(
    call: &Call<'_>,
    is_interrupted: bool,
    state: &mut SessionState,
    reply: Reply,
) -> Reply {
    if may_remind(call).is_err() {
        return reply;
    }
    let moment = match () {
        () if state.nudges.is_compacted => Moment::Compaction,
        () if state.nudges.is_owed => Moment::Belated,
        () if is_interrupted => Moment::Interrupt,
        () => Moment::Stretch,
    };
    remind(call, state, moment, reply)
}

pub(super) fn may_remind(call: &Call<'_>) -> Result<(), &'static str> {
    let capture = &call.settings().capture;
    if !capture.nudge || capture.mode != CaptureMode::Extract || call.is_own {
        return Err("no reminders here (`capture.nudge`, `capture.mode`)");
    }
    // What it settles is its caller's to keep.
    if call.payload.agent.is_some() {
        return Err("subagents are not reminded");
    }
    call.may_inject()
}

fn remind(call: &Call<'_>, state: &mut SessionState, moment: Moment, reply: Reply) -> Reply {
    let tool_uses = state.working.tool_uses;
    if !state.nudges.is_due(moment, tool_uses, call.settings().capture.nudges_max) {
        state.nudges.owe(moment);
        let note = if reply.note.is_empty() { "reminded before" } else { reply.note.as_str() };
        return Reply { note: note.to_owned(), ..reply };
    }
    let note = format!("reminded after a {}", moment.as_str());
    let is_known = state.nudges.count > 0 && !state.nudges.is_compacted;
    let text = AgentText::ours(if is_known { AGAIN } else { REMINDER });
    match call.with_text(reply, &text, &note) {
        Ok(reply) => {
            state.nudges.remind(tool_uses);
            reply
        }
        Err(reply) => reply,
    }
}
