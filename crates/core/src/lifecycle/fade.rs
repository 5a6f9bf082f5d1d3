//! Fading (T7): lessons that nobody uses, and any memory that is contradicted or distrusted.

use jiff::Timestamp;

use super::{Life, Transition};
use crate::kind::Kind;
use crate::refusal::{Code, Refusal};
use crate::state::State;
use oldhand_text::time::days_after;

impl Life<'_> {
    pub(super) fn review_days(&self, state: State) -> Option<i64> {
        match state {
            State::Provisional => Some(self.policy.provisional_review_days),
            State::Stable => Some(self.policy.stable_review_days),
            State::Canonical => Some(self.policy.canonical_review_days),
            _ => None,
        }
    }

    /// When a review is due. A use that helped postpones it without changing the file.
    pub fn review_due(&self) -> Option<Timestamp> {
        let written = self.memory.review_after.or_else(|| self.first_due())?;
        let by_use = self.signals.last_success.zip(self.review_days(self.memory.state));
        Some(by_use.map_or(written, |(used, days)| days_after(used, days).max(written)))
    }

    /// A lesson that was never promoted: its time runs from the day it was written.
    fn first_due(&self) -> Option<Timestamp> {
        let days =
            self.review_days(self.memory.state).filter(|_| self.memory.kind == Kind::Lesson)?;
        Some(days_after(self.memory.created_at?, days))
    }

    pub(super) fn sweep(&self) -> Result<Transition, Refusal> {
        let (signals, memory) = (self.signals, self.memory);
        let is_served = memory.state.is_served();
        self.need(is_served, "sweep", "a provisional, stable or canonical memory")?;
        let open = signals.open_contradictions;
        if open >= self.policy.decay_contradictions {
            return Ok(self.to(State::Decayed, format!("{open} contradictions")));
        }
        if signals.trust < self.policy.trust_floor {
            return Ok(self.to(State::Decayed, format!("trust is {}", signals.trust)));
        }
        let overdue = self.review_due().is_some_and(|due| due < self.now);
        let since = signals.last_promotion.or(memory.created_at);
        let reused = signals.last_reuse.is_some_and(|used| since.is_none_or(|since| used > since));
        if memory.kind == Kind::Lesson && overdue && !reused {
            return Ok(self.to(State::Decayed, "not used since it was last confirmed"));
        }
        Err(Refusal::new(Code::State, format!("`{}` is in use", memory.id)))
    }
}
