//! What a hook works with: the payload, the store that was opened for it, and the session.

use oldhand_app::Engine;
use oldhand_app::settings::Settings;
use oldhand_core::policy::{HookPolicy, InjectMode};
use oldhand_hosts::answer::{Answer, context_chars_max, takes_context};
use oldhand_hosts::payload::Payload;
use oldhand_store::layout::Layout;
use oldhand_store::port::session_state::SessionState;
use oldhand_store::session::FileSessions;
use oldhand_text::agent_text::AgentText;

use crate::config::Resolved;
use crate::desk::ground::Pace;
use crate::desk::{Desk, below};
use crate::failure::Fail;
use crate::reading::Reading;
use crate::session::Session;

/// What the tags around a text cost.
pub(super) const FRAME_TOKENS: usize = 40;

pub(super) struct Call<'a> {
    pub payload: Payload,
    pub session: Session<'a>,
    /// What is kept about it lies here.
    pub files: FileSessions<'a>,
    pub desk: Desk<'a>,
    pub layout: Layout,
    pub resolved: Resolved,
    /// There is no store in this repository: your own one answers, and nothing is captured.
    pub is_own: bool,
}

#[derive(Debug, Default)]
pub(super) struct Reply {
    pub answer: Option<Answer>,
    pub served: Vec<String>,
    /// Ids of what was captured, or what became of it.
    pub captured: Vec<String>,
    pub tokens: usize,
    /// Sentences that capture looked at, and how many of them were worth keeping.
    pub heard: u32,
    pub hits: u32,
    /// Why nothing was said, or what was done.
    pub note: String,
}

impl Reply {
    pub(super) fn nothing(note: impl Into<String>) -> Self {
        Self { note: note.into(), ..Self::default() }
    }

    pub(super) fn context(text: AgentText, served: Vec<String>, note: String) -> Self {
        let tokens = text.tokens();
        Self { answer: Some(Answer::Context(text)), served, tokens, note, ..Self::default() }
    }

    /// Adds what the next step came to; the same note is not repeated.
    pub(super) fn add(&mut self, next: Self) {
        self.answer = self.answer.take().or(next.answer);
        self.served.extend(next.served);
        self.captured.extend(next.captured);
        self.tokens += next.tokens;
        self.heard += next.heard;
        self.hits += next.hits;
        if self.note.is_empty() {
            self.note = next.note;
        } else if !next.note.is_empty() && !self.note.contains(&next.note) {
            self.note = format!("{}; {}", self.note, next.note);
        }
    }
}

impl Call<'_> {
    /// Whether hooks may add anything by themselves (R45).
    pub(super) fn may_inject(&self) -> Result<(), &'static str> {
        let hooks = self.hooks();
        if hooks.mode == InjectMode::Explicit {
            return Err("memory is loaded only when asked for (`recall.mode` is explicit)");
        }
        if hooks.inject_max == 0 {
            return Err("nothing is added to prompts (`recall.max_inject` is 0)");
        }
        // What the host does not pass on must not count as told.
        if !takes_context(self.payload.dialect, self.payload.event) {
            return Err("this host takes no context here");
        }
        Ok(())
    }

    /// Hosts put longer texts into a file, or cut them: both would break the fence.
    pub(super) fn fits(&self, text: &str) -> bool {
        text.chars().count() <= context_chars_max(self.payload.dialect)
    }

    /// The reply with a text of ours behind it; as it was where the host has no room for both, since a
    /// memory that was found is worth more.
    pub(super) fn with_text(
        &self,
        reply: Reply,
        text: &AgentText,
        note: &str,
    ) -> Result<Reply, Reply> {
        let answer = match &reply.answer {
            Some(Answer::Context(told)) => AgentText::join(&[told.clone(), text.clone()], "\n"),
            _ => text.clone(),
        };
        if !self.fits(&answer) {
            return Err(reply);
        }
        let tokens = reply.tokens + text.tokens();
        let mut with = Reply { answer: Some(Answer::Context(answer)), tokens, ..reply };
        with.add(Reply::nothing(note));
        Ok(with)
    }

    /// Changes the session, which was seen just now.
    pub(super) fn touch<T>(&self, change: impl FnOnce(&mut SessionState) -> T) -> Result<T, Fail> {
        let worktree = self.desk.worktree().to_string_lossy().into_owned();
        Ok(self.session.update_state(|state| {
            state.see(self.desk.now);
            if let Some(path) = &self.payload.transcript {
                state.conversation.transcript_path.clone_from(path);
            }
            state.presence.worktree = worktree;
            state.presence.host = self.payload.dialect.as_str().to_owned();
            (state.settlement.is_over, state.settlement.is_settled) = (false, false);
            change(state)
        })?)
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.resolved.settings
    }

    pub(super) fn hooks(&self) -> &HookPolicy {
        &self.resolved.settings.hooks
    }

    /// Only ids are told (R45).
    pub(super) fn is_pointing(&self) -> bool {
        self.hooks().mode == InjectMode::Pointers
    }

    pub(super) fn work<T>(
        &self,
        job: impl FnOnce(&Engine<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        self.desk.work_in(self.layout.clone(), job)
    }

    pub(super) fn read<T>(
        &self,
        job: impl FnOnce(&Reading<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        self.desk.read_in(self.layout.clone(), &self.resolved, Pace::Quick, job)
    }

    pub(super) fn relative(&self, path: &str) -> Option<String> {
        below(&self.layout.repository, &self.desk.current_dir().join(path))
    }
}
