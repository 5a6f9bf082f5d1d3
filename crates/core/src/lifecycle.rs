//! The life of a memory as pure functions: which moves there are, and what each one needs.

use jiff::Timestamp;

use crate::kind::Kind;
use crate::memory::Memory;
use crate::policy::LifePolicy;
use crate::refusal::{Code, Refusal};
use crate::signals::Signals;
use crate::state::State;
use crate::time::{days_after, days_between};

/// What somebody, or a rule, asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// One state up.
    Promote {
        approvers: Vec<String>,
        incidents: u32,
    },
    Review {
        cause: ReviewCause,
    },
    /// The review ends well: back to where it was.
    Reinstate {
        guidance_changed: bool,
    },
    Reject {
        rationale: String,
    },
    /// The successor is linked both ways by the plan.
    Supersede {
        by: String,
        by_active: bool,
        reason: String,
    },
    Archive {
        reason: String,
        standing: Standing,
    },
    Unarchive,
    Retire {
        reason: String,
    },
    Restore,
    /// The successor of a superseded memory is gone: the old one holds again.
    Reinstall {
        successor_active: bool,
    },
    /// The grace period of a retired memory is over.
    Collect {
        grace_days: i64,
    },
    /// The regular look at what nobody uses.
    Sweep,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewCause {
    Requested(String),
    Conflict(String),
    /// The signals ask for it; refused when they don't.
    Signals,
}

/// What is known about the constraints of a memory that shall be archived (R119 to R124).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// The memory itself says that it no longer binds.
    Marked(&'static str),
    /// Looked for in code and documents, and found nowhere.
    Unreferenced,
    /// Still named or still about files that are there.
    Referenced(Vec<String>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    pub from: State,
    pub to: State,
    pub reason: String,
    pub review_after: Option<Timestamp>,
}

/// A memory, what it has earned, the thresholds and the time: all that a move depends on.
#[derive(Clone, Copy)]
pub struct Life<'a> {
    pub memory: &'a Memory,
    pub signals: &'a Signals,
    pub durable: bool,
    pub policy: &'a LifePolicy,
    pub now: Timestamp,
}

pub fn transition(life: Life<'_>, request: &Request) -> Result<Transition, Refusal> {
    match request {
        Request::Promote { approvers, incidents } => life.promote(approvers, *incidents),
        Request::Review { cause } => life.review(cause),
        Request::Reinstate { guidance_changed } => life.reinstate(*guidance_changed),
        Request::Reject { rationale } => life.reject(rationale),
        Request::Supersede { by, by_active, reason } => life.supersede(by, *by_active, reason),
        Request::Archive { reason, standing } => life.archive(reason, standing),
        Request::Unarchive => life.back(State::Archived, "unarchive"),
        Request::Retire { reason } => life.retire(reason),
        Request::Restore => life.back(State::Retired, "restore"),
        Request::Reinstall { successor_active } => life.reinstall(*successor_active),
        Request::Collect { grace_days } => life.collect(*grace_days),
        Request::Sweep => life.sweep(),
    }
}

impl Life<'_> {
    fn to(&self, to: State, reason: impl Into<String>) -> Transition {
        let days = match to {
            State::Provisional => Some(self.policy.provisional_review_days),
            State::Stable => Some(self.policy.stable_review_days),
            State::Canonical => Some(self.policy.canonical_review_days),
            _ => None,
        };
        Transition {
            from: self.memory.state,
            to,
            reason: reason.into(),
            review_after: days.map(|days| days_after(self.now, days)),
        }
    }

    fn wrong_state(&self, verb: &str, wanted: &str) -> Refusal {
        let message = format!("could not {verb} `{}`: it is {}", self.memory.id, self.memory.state);
        Refusal::new(Code::State, message).with_hint(format!("only {wanted} can be used for this"))
    }

    /// T1, T2, T3: no promotion skips a state (R203).
    fn promote(&self, approvers: &[String], incidents: u32) -> Result<Transition, Refusal> {
        let mut names: Vec<&String> = approvers.iter().collect();
        names.sort_unstable();
        names.dedup();
        let (to, needs) = match self.memory.state {
            State::Candidate => {
                (State::Provisional, self.needs_of_provisional(names.len(), incidents))
            }
            State::Provisional => (State::Stable, self.needs_of_stable(names.len())),
            State::Stable => (State::Canonical, self.needs_of_canonical(names.len())),
            _ => {
                return Err(
                    self.wrong_state("promote", "a candidate, provisional or stable memory")
                );
            }
        };
        let missing: Vec<String> =
            needs.into_iter().filter(|(holds, _)| !holds).map(|(_, what)| what).collect();
        if missing.is_empty() {
            return Ok(self.to(to, "promoted"));
        }
        let id = &self.memory.id;
        let message =
            format!("could not promote `{id}` to {to}: it needs {}", missing.join(", and "));
        Err(Refusal::new(Code::State, message))
    }

    fn needs_of_provisional(&self, approvers: usize, incidents: u32) -> Vec<(bool, String)> {
        let wanted = self.policy.provisional_evidence;
        let proven = self.signals.evidence_count >= wanted || incidents >= wanted || approvers > 0;
        vec![(proven, format!("{wanted} pieces of evidence, or an approval"))]
    }

    fn needs_of_stable(&self, approvers: usize) -> Vec<(bool, String)> {
        let (uses, wanted) = (self.signals.successful_reuses, self.policy.stable_successes);
        let contradictions = self.signals.contradiction_count;
        let is_proposed = self.memory.kind == Kind::Decision
            && self.memory.content.text("status") == Some("proposed");
        vec![
            (uses >= wanted, format!("{wanted} successful uses (it has {uses})")),
            (contradictions == 0, format!("no contradiction (it has {contradictions})")),
            (approvers > 0, "an approval".to_owned()),
            (!is_proposed, "an accepted decision (it is proposed)".to_owned()),
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

    /// T4
    fn review(&self, cause: &ReviewCause) -> Result<Transition, Refusal> {
        if !self.memory.is_active() || self.memory.state == State::UnderReview {
            return Err(self.wrong_state("review", "an active memory"));
        }
        match cause {
            ReviewCause::Requested(reason) => Ok(self.to(State::UnderReview, reason)),
            ReviewCause::Conflict(other) => {
                Ok(self.to(State::UnderReview, format!("conflicts with {other}")))
            }
            ReviewCause::Signals if self.signals.failed_reuses >= self.policy.review_failures => {
                Ok(self
                    .to(State::UnderReview, format!("{} failed uses", self.signals.failed_reuses)))
            }
            ReviewCause::Signals if self.signals.trust < self.policy.trust_floor => {
                Ok(self.to(State::UnderReview, format!("trust fell to {}", self.signals.trust)))
            }
            ReviewCause::Signals => {
                let message = format!("nothing speaks for a review of `{}`", self.memory.id);
                Err(Refusal::new(Code::State, message))
            }
        }
    }

    /// T5
    fn reinstate(&self, guidance_changed: bool) -> Result<Transition, Refusal> {
        if self.memory.state != State::UnderReview {
            return Err(self.wrong_state("reinstate", "a memory under review"));
        }
        if self.signals.reviews > self.policy.last_reinstating_review {
            let message =
                format!("`{}` was reviewed {} times", self.memory.id, self.signals.reviews);
            return Err(Refusal::new(Code::State, message).with_hint(
                "archive, supersede or reject it: what fails three times is not mended",
            ));
        }
        if !guidance_changed {
            let message = format!("the guidance of `{}` is what it was", self.memory.id);
            return Err(Refusal::new(Code::State, message)
                .with_hint("change what it says first: it failed as it is"));
        }
        Ok(self.to(self.previous(), "reinstated after review"))
    }

    /// T6: also straight from a candidate.
    fn reject(&self, rationale: &str) -> Result<Transition, Refusal> {
        if !matches!(self.memory.state, State::Candidate | State::UnderReview) {
            return Err(self.wrong_state("reject", "a candidate or a memory under review"));
        }
        need_reason("reject", rationale)?;
        Ok(self.to(State::Rejected, rationale))
    }

    fn supersede(&self, by: &str, by_active: bool, reason: &str) -> Result<Transition, Refusal> {
        if !self.memory.is_active() {
            return Err(self.wrong_state("supersede", "an active memory"));
        }
        if by == self.memory.id.as_str() {
            let message = format!("`{by}` can't supersede itself");
            return Err(Refusal::new(Code::State, message)
                .with_hint("name another memory as the successor"));
        }
        if !by_active {
            let message = format!("the successor `{by}` is not active");
            return Err(
                Refusal::new(Code::State, message).with_hint("restore it first, or name another")
            );
        }
        let reason =
            if reason.is_empty() { format!("superseded by {by}") } else { reason.to_owned() };
        Ok(self.to(State::Superseded, reason))
    }

    fn archive(&self, reason: &str, standing: &Standing) -> Result<Transition, Refusal> {
        if !self.memory.is_active() {
            return Err(self.wrong_state("archive", "an active memory"));
        }
        need_reason("archive", reason)?;
        match standing {
            Standing::Referenced(places) if self.durable => {
                let message = format!(
                    "could not archive `{}`: still referenced by `{}`",
                    self.memory.id,
                    places.join("`, `")
                );
                Err(Refusal::new(Code::State, message).with_hint(
                    "what still binds stays active; mark it first (a constraint `--set active=false`, \
                     a debt `--set status=resolved`, a decision `--set status=deprecated`) or \
                     remove the references",
                ))
            }
            _ => Ok(self.to(State::Archived, reason)),
        }
    }

    fn retire(&self, reason: &str) -> Result<Transition, Refusal> {
        if !self.memory.is_active() {
            return Err(self.wrong_state("retire", "an active memory"));
        }
        Ok(self.to(State::Retired, reason))
    }

    fn reinstall(&self, successor_active: bool) -> Result<Transition, Refusal> {
        if successor_active {
            let by = self.memory.superseded_by.as_deref().unwrap_or("another");
            let message = format!("`{}` is superseded by `{by}`, which is active", self.memory.id);
            return Err(Refusal::new(Code::State, message)
                .with_hint(format!("retire `{by}` first, or supersede it by a new one")));
        }
        let mut transition = self.back(State::Superseded, "restore")?;
        transition.reason = "its successor is no longer active".to_owned();
        Ok(transition)
    }

    fn collect(&self, grace_days: i64) -> Result<Transition, Refusal> {
        let age = self.memory.retired_at.map(|at| days_between(at, self.now));
        match (self.memory.state, age) {
            (State::Retired, Some(age)) if age >= grace_days => {
                Ok(self.to(State::Archived, format!("collected {age} days after it was retired")))
            }
            _ => Err(self.wrong_state("collect", "a memory retired long enough ago")),
        }
    }

    /// Out of `retired` or `archived`, to where it was before.
    fn back(&self, from: State, verb: &str) -> Result<Transition, Refusal> {
        if self.memory.state != from {
            return Err(self.wrong_state(verb, &format!("a memory that is {from}")));
        }
        let mut transition = self.to(self.previous(), format!("{verb}d"));
        transition.review_after = self.memory.review_after;
        Ok(transition)
    }

    fn previous(&self) -> State {
        self.memory
            .prev_state
            .filter(|state| state.is_active() && *state != State::UnderReview)
            .unwrap_or_else(|| self.memory.origin.entry_state())
    }

    /// T7: lessons fade when nobody used them since they were last confirmed; anything served
    /// fades when it is contradicted or distrusted.
    fn sweep(&self) -> Result<Transition, Refusal> {
        let (signals, memory) = (self.signals, self.memory);
        if !memory.state.is_served() {
            return Err(self.wrong_state("sweep", "a provisional, stable or canonical memory"));
        }
        if signals.contradiction_count >= self.policy.decay_contradictions {
            return Ok(
                self.to(State::Decayed, format!("{} contradictions", signals.contradiction_count))
            );
        }
        if signals.trust < self.policy.trust_floor {
            return Ok(self.to(State::Decayed, format!("trust is {}", signals.trust)));
        }
        let overdue = memory.review_after.is_some_and(|due| due < self.now);
        let since = signals.last_promotion.or(memory.created_at);
        let reused = signals.last_reuse.is_some_and(|used| since.is_none_or(|since| used > since));
        if memory.kind == Kind::Lesson && overdue && !reused {
            return Ok(self.to(State::Decayed, "not used since it was last confirmed"));
        }
        Err(Refusal::new(Code::State, format!("`{}` is in use", memory.id)))
    }
}

/// What in the memory itself says that it no longer binds.
pub fn marker(memory: &Memory, now: Timestamp) -> Option<&'static str> {
    let content = &memory.content;
    let expired = || {
        content.text("expires").and_then(crate::time::parse_instant).is_some_and(|end| end < now)
    };
    match memory.kind {
        Kind::Decision => match content.text("status") {
            Some("deprecated") => Some("the decision is deprecated"),
            _ => None,
        },
        Kind::Constraint if content.flag("active") == Some(false) => {
            Some("the constraint is not active")
        }
        Kind::Constraint if expired() => Some("the constraint has expired"),
        Kind::TechDebt => match content.text("status") {
            Some("resolved") => Some("the debt is resolved"),
            Some("wont_fix") => Some("the debt will not be paid"),
            _ => None,
        },
        _ => None,
    }
}

/// Puts a transition into the memory.
pub fn apply(memory: &mut Memory, transition: &Transition, now: Timestamp) {
    let now = crate::time::whole_seconds(now);
    memory.prev_state = match transition.to {
        // Collected: it comes back to where it was before it was retired.
        State::Archived if transition.from == State::Retired => memory.prev_state,
        State::Retired | State::Archived | State::UnderReview | State::Superseded => {
            Some(transition.from)
        }
        _ => None,
    };
    memory.state = transition.to;
    memory.state_reason = Some(transition.reason.clone()).filter(|reason| !reason.is_empty());
    if let Some(due) = transition.review_after {
        memory.review_after = Some(crate::time::whole_seconds(due));
    }
    let reason = memory.state_reason.clone();
    memory.retired_at = (transition.to == State::Retired).then_some(now);
    memory.retired_reason = reason.clone().filter(|_| transition.to == State::Retired);
    memory.archived_at = (transition.to == State::Archived).then_some(now);
    memory.archived_reason = reason.filter(|_| transition.to == State::Archived);
    if transition.from == State::Superseded {
        memory.superseded_by = None;
    }
    // The status of a decision and its state go together.
    let status = match (transition.from, transition.to) {
        (_, State::Superseded) => "superseded",
        (State::Superseded, _) => "accepted",
        _ => return,
    };
    if memory.kind == Kind::Decision {
        memory.content.set("status", crate::content::FieldValue::Text(status.to_owned()));
    }
}

fn need_reason(verb: &str, reason: &str) -> Result<(), Refusal> {
    if reason.trim().is_empty() {
        let message = format!("could not {verb} without a reason");
        return Err(
            Refusal::new(Code::Validation, message).with_hint("say why with `--reason \"…\"`")
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests;
