//! What a session begins with, within 500 and 1,500 tokens: what always holds, where the last one
//! ended, and what waits for a person. Nothing when there is nothing.

use oldhand_app::recall::Shelf;
use oldhand_app::resume::Start as Coming;
use oldhand_core::kind::Kind;
use oldhand_hosts::answer::{Answer, context_chars_max};
use oldhand_hosts::payload::Start;
use oldhand_sessions::resume::Mode;
use oldhand_text::agent_text::AgentText;
use oldhand_text::strings::counted;

use super::state::SessionState;
use super::transcript::WHOLE;
use super::{Call, Told, frame};
use crate::failure::Fail;
use crate::reading::Reading;
use crate::resuming::Comer;

/// What a subagent is told, with its frame.
const SUBAGENT_TOKENS: usize = 500;
const BRIEF_TOKENS: usize = SUBAGENT_TOKENS - frame::FRAME_TOKENS;

impl Call<'_> {
    pub(super) fn session_start(&self) -> Result<Told, Fail> {
        let mut own = self.update(|state| {
            self.touch(state);
            // What was injected is gone from the conversation; what is replayed is still there.
            if self.payload.start != Start::Resumed {
                state.served.clear();
                state.asked.clear();
            }
            state.clone()
        })?;
        // A conversation that was begun without us, or under another name: what was said before is
        // known to whoever said it.
        if self.payload.start == Start::Resumed && own.transcript.path.is_empty() {
            let _work = self.work()?;
            if let Ok(news) = self.news(&own, WHOLE) {
                own = self.take_in(&own, &news, |_| {})?;
            }
        }
        if let Err(why) = self.may_inject() {
            return Ok(Told::nothing(why));
        }
        self.read(|reading| self.begin(reading, &own))
    }

    /// A subagent begins with nothing but its order: what holds for everybody holds for it.
    pub(super) fn subagent_start(&self) -> Result<Told, Fail> {
        if let Err(why) = self.may_inject() {
            return Ok(Told::nothing(why));
        }
        let shelves = [
            Shelf::of(Kind::Constraint, 5, "it is among the newest constraints"),
            Shelf::of(Kind::Preference, 5, "it is how work is done here"),
        ];
        let served = self.look()?.served_set();
        self.read(|reading| {
            let brief = reading.engine.brief(reading.index, &shelves, BRIEF_TOKENS, &served)?;
            self.serve_brief(brief, &AgentText::ours("this project"), &[])
        })
    }

    fn comer<'c>(&'c self, own: &'c SessionState) -> Comer<'c> {
        Comer {
            now: self.desk.now,
            folder: self.folder.as_deref(),
            worktree: own.worktree.clone(),
            repository: &self.layout.repository,
            own,
            is_own_shell: false,
            is_own_store: self.is_own_store,
        }
    }

    /// R49, R104: what was decided, and how it is built, before anything is begun.
    fn begin(&self, reading: &Reading<'_>, own: &SessionState) -> Result<Told, Fail> {
        let comer = self.comer(own);
        let coming = Coming {
            served_before: own.served_set(),
            is_pointing: self.is_pointing(),
            ..comer.start(reading)?
        };
        let (mut resume, _) = reading.engine.resume(reading.index, &coming)?;
        if resume.is_empty() {
            return Ok(Told::nothing("there is nothing to begin with"));
        }
        let chars_max = context_chars_max(self.payload.dialect);
        let mut text = resume.to_context();
        // What does not fit the host goes from the end: the newest decisions first.
        while !frame::fits(&text, chars_max) {
            if !resume.shorten() {
                return Ok(Told::nothing("the beginning is longer than the host takes"));
            }
            text = resume.to_context();
        }
        if resume.mode == Mode::Onboarding {
            comer.enter();
        }
        self.update(|state| state.serve(&resume.served()))?;
        let told = resume.told();
        Ok(Told {
            tokens: text.tokens(),
            note: format!("began with {}", counted(told.len(), "memory", "memories")),
            answer: Some(Answer::Context(text)),
            served: told,
            captured: Vec::new(),
        })
    }
}
