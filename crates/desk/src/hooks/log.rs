//! One line per hook: what it did, how long it took, and why it said nothing.

use std::time::Duration;

use jiff::Timestamp;
use oldhand_app::wire::program::HookCall;
use oldhand_hosts::payload::{Event, Payload};
use oldhand_store::port::session::Log;
use oldhand_store::session::FileSessions;
use oldhand_text::strings::shorten;
use oldhand_text::time::format_instant;

use super::prelude::*;
use crate::crash;

const NOTE_CHARS_MAX: usize = 300;
const NAME_CHARS_MAX: usize = 80;

#[derive(Default)]
pub(super) struct LogLine<'a> {
    pub at: Timestamp,
    pub host: &'static str,
    pub event: Option<Event>,
    pub event_name: String,
    pub session: String,
    pub tool: String,
    /// Where the log is; without a store there is none.
    pub sessions: Option<FileSessions<'a>>,
    pub is_trouble: bool,
}

impl LogLine<'_> {
    pub(super) fn about(&mut self, payload: &Payload) {
        self.event = Some(payload.event);
        self.event_name.clone_from(&payload.event_name);
        self.session.clone_from(&payload.session);
        self.tool = payload.tool.as_ref().map(|tool| tool.name.clone()).unwrap_or_default();
    }

    pub(super) fn unfinished(&self) -> String {
        self.text(&Reply::nothing("gave up at its deadline"), Duration::ZERO, true)
    }

    pub(super) fn finish(&self, reply: &Reply, took: Duration) {
        let Some(sessions) = &self.sessions else { return };
        // Best effort: a hook works as well without its log.
        let write = |text: String| crash::caught(|| sessions.append(Log::Hooks, &text));
        if let Err(why) = write(self.text(reply, took, self.is_trouble)) {
            let _ = write(self.text(&Reply::nothing(Fail::Bug(why).message()), took, true));
        }
    }

    fn text(&self, reply: &Reply, took: Duration, is_trouble: bool) -> String {
        let said = match &reply.answer {
            None | Some(Answer::Silence) => "nothing",
            Some(Answer::Context(_)) => "context",
            Some(Answer::Deny(_)) => "deny",
            Some(Answer::Allow(_)) => "allow",
            Some(Answer::GoOn(_)) => "go_on",
        };
        let line = HookCall {
            at: format_instant(self.at),
            host: self.host,
            event: self.event.map(Event::as_str),
            session: shorten(&self.session, NAME_CHARS_MAX),
            tool: shorten(&self.tool, NAME_CHARS_MAX),
            said,
            served: &reply.served,
            captured: &reply.captured,
            tokens: reply.tokens,
            heard: reply.heard as usize,
            hits: reply.hits as usize,
            ms: (took.as_secs_f64() * 100_000.0).round() / 100.0,
            trouble: is_trouble,
            note: shorten(&reply.note, NOTE_CHARS_MAX),
        };
        serde_json::to_string(&line).expect("text and numbers")
    }
}
