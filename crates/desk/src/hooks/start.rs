//! What a session begins with, within 500 to 1,500 tokens: what always holds, where the last session
//! ended, and what waits for a person. Nothing when there is nothing.

use oldhand_app::recall::Shelf;
use oldhand_app::resume::Start as Coming;
use oldhand_core::kind::Kind;
use oldhand_hosts::payload::Start;
use oldhand_sessions::resume::Mode;
use oldhand_text::strings::counted;

use super::opened::FRAME_TOKENS;
use super::prelude::*;
use super::serve::serve_brief;
use super::stop::take_in;
use super::transcript::{self, WHOLE};
use crate::reading::Reading;
use crate::resuming::Arrival;

/// What a subagent is told, with its frame.
const SUBAGENT_TOKENS: usize = 500;
const BRIEF_TOKENS: usize = SUBAGENT_TOKENS - FRAME_TOKENS;

pub(super) fn session_start(call: &Call<'_>) -> Result<Reply, Fail> {
    let is_resumed = call.payload.start == Start::Resumed;
    let mut own = call.touch(|state| {
        // What was injected is gone from the conversation, unless the host replays it.
        if !is_resumed {
            state.served.forget_context();
            state.nudges.is_compacted = call.payload.start == Start::Compacted;
        }
        state.clone()
    })?;
    // A conversation that began without us, or under another name: whoever spoke knows what was said
    // before.
    if is_resumed && own.conversation.transcript.path.is_empty() {
        let _work = call.session.hold_work()?;
        if let Ok(news) = transcript::news(call, &own, WHOLE) {
            own.working.absorb(&news.turns);
            own = take_in(call, &own, &news, |_| {})?;
        }
    }
    if let Err(why) = call.may_inject() {
        return Ok(Reply::nothing(why));
    }
    call.read(|reading| begin(call, reading, &own))
}

/// A subagent begins with nothing but its order: what holds for everybody holds for it.
pub(super) fn subagent_start(call: &Call<'_>) -> Result<Reply, Fail> {
    if let Err(why) = call.may_inject() {
        return Ok(Reply::nothing(why));
    }
    let shelves = [
        Shelf::of(Kind::Constraint, 5, "it is among the newest constraints"),
        Shelf::of(Kind::Preference, 5, "it is how work is done here"),
    ];
    let served = call.session.state().served.in_context_set();
    let about = AgentText::ours("this project");
    serve_brief(call, (&shelves, BRIEF_TOKENS), &served, &about, &[])
}

/// R49, R104: what was decided, and how it is built, before anything is begun.
fn begin(call: &Call<'_>, reading: &Reading<'_>, own: &SessionState) -> Result<Reply, Fail> {
    let arrival = Arrival {
        now: call.desk.now,
        sessions: Some(&call.session.store),
        worktree: own.presence.worktree.clone(),
        repository: &call.layout.repository,
        own,
        is_own_shell: false,
        is_compacted: call.payload.start == Start::Compacted,
        is_own_store: call.is_own,
    };
    let coming = Coming {
        served_before: own.served.in_context_set(),
        is_pointing: call.is_pointing(),
        ..arrival.start(reading)?
    };
    let (mut resume, _) = reading.engine.sessions().resume(reading.index, &coming)?;
    if resume.is_empty() {
        return Ok(Reply::nothing("there is nothing to begin with"));
    }
    let mut text = resume.to_context();
    // What does not fit the host is dropped from the end: the newest decisions come first.
    while !call.fits(&text) {
        if !resume.shorten() {
            return Ok(Reply::nothing("the beginning is longer than the host takes"));
        }
        text = resume.to_context();
    }
    if resume.mode == Mode::Onboarding {
        arrival.enter();
    }
    call.session.update_state(|state| state.served.add(&resume.served()))?;
    let told = resume.told();
    let note = format!("began with {}", counted(told.len(), "memory", "memories"));
    Ok(Reply::context(text, told, note))
}
