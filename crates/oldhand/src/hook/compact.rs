//! Compaction around hooks: the summary is made before a host drops the conversation, and somebody
//! is told when one is due.

use oldhand_core::policy::COMPACT_TOKENS;
use oldhand_core::recall::bundle::{Source, framed};
use oldhand_hosts::answer::{Answer, context_chars_max, takes_context};
use oldhand_hosts::dialect::Dialect;
use oldhand_sessions::compact::{self, Request};
use oldhand_text::agent_text::AgentText;

use super::state::SessionState;
use super::transcript::WHOLE;
use super::{Call, Told, frame};
use crate::compacting::{note_kept, unseen};
use crate::failure::Fail;
use crate::session::Session;

impl Call<'_> {
    /// R169: work goes on from the stored summary. What was compacted before is not compacted again.
    pub(super) fn compact(&self, state: &SessionState) -> Result<String, Fail> {
        let Some(folder) = self.folder.as_deref().filter(|_| !self.is_own_store) else {
            return Ok(String::new());
        };
        // It asks before every call of its model: what is new would be a line or two.
        if self.payload.dialect == Dialect::Gemini && !self.is_due(state) {
            return Ok(String::new());
        }
        let whole = match self.read_from(&Default::default(), WHOLE) {
            Ok(whole) => whole,
            Err(why) => return Ok(why),
        };
        let session = Session::of_hook(folder, &self.payload.session);
        let (seen, earlier) = unseen(&session, state, &whole.at.path, whole.at.lines);
        let news = whole.turns.partition_point(|turn| turn.line <= seen);
        if news == whole.turns.len() {
            return Ok(String::new());
        }
        let root = self.layout.repository.to_string_lossy();
        let request = Request {
            budget_tokens: COMPACT_TOKENS,
            focus: None,
            earlier: earlier.as_ref(),
            root: &root,
        };
        let done = compact::compact(&whole.turns[news..], &request);
        session.keep_compacted(&done.summary)?;
        let steps = self.steps_done();
        self.update(|state| note_kept(state, steps, &whole.at.path, whole.at.lines))?;
        Ok(format!("compacted {} tokens to {}", done.before_tokens, done.after_tokens))
    }

    /// R162: many exchanges on one task.
    fn is_due(&self, state: &SessionState) -> bool {
        let after = self.resolved.settings.hooks.compact_after;
        after > 0 && state.prompts_since_compaction > after
    }

    /// R161, R162: said once each time that it becomes due, in a line beside whatever else is told.
    pub(super) fn tell_due(&self, state: &mut SessionState, steps: usize, told: Told) -> Told {
        let is_off = self.resolved.settings.hooks.compact_after == 0 || self.is_own_store;
        if is_off || !takes_context(self.payload.dialect, self.payload.event) {
            return told;
        }
        let Some(why) = self.why_due(state, steps) else { return told };
        let line = AgentText::of(
            "compaction is due: {}. `oldhand compact` writes the summary; `oldhand note` keeps what is open.",
            &[AgentText::line(&why)],
        );
        let line = framed(&line, Source::default());
        let answer = match &told.answer {
            Some(Answer::Context(text)) => AgentText::join(&[text.clone(), line.clone()], "\n"),
            _ => line.clone(),
        };
        // A memory that was found is worth more than a reminder: the next prompt has room.
        if !frame::fits(&answer, context_chars_max(self.payload.dialect)) {
            return told;
        }
        state.prompts_told = state.prompts_since_compaction;
        let tokens = told.tokens + line.tokens();
        let note = format!("{}; compaction is due: {why}", told.note);
        Told { answer: Some(Answer::Context(answer)), tokens, note, ..told }
    }

    /// Steps of the session's plan that are done.
    pub(super) fn steps_done(&self) -> usize {
        let session = |folder| Session::of_hook(folder, &self.payload.session);
        self.folder.as_deref().map_or(0, |folder| session(folder).visible_notes().steps_done())
    }

    fn why_due(&self, state: &mut SessionState, steps: usize) -> Option<String> {
        // Another plan begins with nothing done.
        state.steps_told = state.steps_told.min(steps);
        if steps > state.steps_told {
            state.steps_told = steps;
            return Some("a step of the plan is done".to_owned());
        }
        let after = self.resolved.settings.hooks.compact_after;
        let prompts = state.prompts_since_compaction;
        (prompts > state.prompts_told + after).then(|| format!("{prompts} exchanges on one task"))
    }
}
