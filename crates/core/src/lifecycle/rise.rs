//! What a promotion needs (T1 to T3).

use oldhand_text::hint::{Hint, NextStep};

use super::{Life, Transition};
use crate::refusal::{Code, Refusal};
use crate::state::State;

impl Life<'_> {
    /// T1, T2, T3: no promotion skips a state (R203).
    pub(super) fn promote(
        &self,
        approvers: &[String],
        incidents: u32,
        is_reasoned: bool,
    ) -> Result<Transition, Refusal> {
        let mut names: Vec<&str> = approvers.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let (to, needs) = match self.memory.state {
            State::Candidate => {
                (State::Provisional, self.needs_of_provisional(names.len(), incidents))
            }
            State::Provisional => (State::Stable, self.needs_of_stable(names.len(), is_reasoned)),
            State::Stable => (State::Canonical, self.needs_of_canonical(names.len())),
            _ => Err(self.wrong_state("promote", "a candidate, provisional or stable memory"))?,
        };
        let missing: Vec<String> =
            needs.into_iter().filter(|(holds, _)| !holds).map(|(_, what)| what).collect();
        if missing.is_empty() {
            let reason = match names.as_slice() {
                [] if to == State::Stable => {
                    format!("{} successful uses", self.signals.successful_reuses)
                }
                [] => format!("{} pieces of evidence", self.signals.evidence_count.max(incidents)),
                names => format!("approved by {}", names.join(", ")),
            };
            return Ok(self.to(to, reason));
        }
        let id = &self.memory.id;
        let message =
            format!("could not promote `{id}` to {to}: it needs {}", missing.join(", and "));
        let hint = match to {
            State::Stable if !self.is_proposed() => Hint::with_steps(
                "a person's approval with a reason is enough: {}",
                [NextStep::Promote(id.to_string())],
            ),
            _ => Hint::with_steps(
                "{} shows what it has; uses are recorded by {} and {}",
                [NextStep::Why(id.to_string()), NextStep::Apply, NextStep::TaskEnd],
            ),
        };
        Err(Refusal::new(Code::State, message).with_hint(hint))
    }

    fn needs_of_provisional(&self, approvers: usize, incidents: u32) -> Vec<(bool, String)> {
        let wanted = self.policy.provisional_evidence;
        let proven = self.signals.evidence_count >= wanted || incidents >= wanted || approvers > 0;
        vec![(proven, format!("{wanted} pieces of evidence, or an approval"))]
    }

    /// A person who looked and says why is enough; uses are the way without one.
    fn needs_of_stable(&self, approvers: usize, is_reasoned: bool) -> Vec<(bool, String)> {
        let accepted = (!self.is_proposed(), "an accepted decision (it is proposed)".to_owned());
        if approvers > 0 && is_reasoned {
            return vec![accepted];
        }
        let (uses, wanted) = (self.signals.successful_reuses, self.policy.stable_successes);
        let contradictions = self.signals.contradiction_count;
        let tasks = self.signals.tasks.len();
        let is_spread = approvers > 0 || tasks >= wanted as usize;
        vec![
            (uses >= wanted, format!("{wanted} successful uses (it has {uses})")),
            (is_spread, format!("uses in {wanted} tasks (it has {tasks})")),
            (contradictions == 0, format!("no contradiction (it has {contradictions})")),
            accepted,
        ]
    }

    fn needs_of_canonical(&self, approvers: usize) -> Vec<(bool, String)> {
        let (uses, wanted) = (self.signals.successful_reuses, self.policy.canonical_successes);
        let (tasks, places) = (self.signals.tasks.len(), self.policy.canonical_tasks);
        let names = self.policy.canonical_approvers;
        vec![
            (uses >= wanted, format!("{wanted} successful uses (it has {uses})")),
            (tasks >= places as usize, format!("uses in {places} tasks (it has {tasks})")),
            (approvers >= names, format!("{names} approvers")),
        ]
    }
}
