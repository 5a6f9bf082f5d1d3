//! The moves between the states of a memory, and what each one needs.

mod fade;
mod rise;
#[cfg(test)]
mod tests;

use jiff::Timestamp;

use crate::content::FieldValue;
use crate::kind::Kind;
use crate::memory::Memory;
use crate::policy::LifePolicy;
use crate::refusal::{Code, Refusal};
use crate::signals::Signals;
use crate::state::State;
use oldhand_text::time::{days_after, days_between, parse_instant, whole_seconds};

#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// One state up.
    Promote {
        approvers: Vec<String>,
        incidents: u32,
        /// Those who approve say why.
        is_reasoned: bool,
    },
    /// A session found that a candidate holds, and says what shows it.
    Confirm(String),
    Review(ReviewCause),
    /// The review ends well: back to where it was.
    Reinstate {
        guidance_changed: bool,
    },
    Reject(String),
    /// A person looked, and it stays where it is (R198).
    Keep(String),
    /// It was seen again after it had faded or was thrown out (R223).
    Revive {
        has_new_evidence: bool,
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
    Retire(String),
    Restore,
    /// The successor of a superseded memory is gone: the old one holds again.
    Reinstall {
        /// What holds in its place, by its successor or by the successor's own.
        replaced_by: Option<String>,
    },
    /// The grace period of a retired memory is over.
    Collect {
        grace_days: i64,
    },
    /// Fading of what is not used.
    Sweep,
}

impl Request {
    /// One state up without anybody's approval.
    pub fn by_evidence() -> Self {
        Self::Promote { approvers: Vec::new(), incidents: 0, is_reasoned: false }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewCause {
    Requested(String),
    Conflict(String),
    /// The signals ask for it; refused when they don't.
    Signals,
}

/// Whether a memory that is to be archived still binds (R119 to R124).
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
        Request::Promote { approvers, incidents, is_reasoned } => {
            life.promote(approvers, *incidents, *is_reasoned)
        }
        Request::Confirm(reason) => life.confirm(reason),
        Request::Review(cause) => life.review(cause),
        Request::Reinstate { guidance_changed } => life.reinstate(*guidance_changed),
        Request::Reject(rationale) => life.reject(rationale),
        Request::Keep(reason) => life.keep(reason),
        Request::Revive { has_new_evidence } => life.revive(*has_new_evidence),
        Request::Supersede { by, by_active, reason } => life.supersede(by, *by_active, reason),
        Request::Archive { reason, standing } => life.archive(reason, standing),
        Request::Unarchive => life.back(State::Archived, "unarchive"),
        Request::Retire(reason) => {
            life.need_active("retire")?;
            Ok(life.to(State::Retired, reason))
        }
        Request::Restore => life.back(State::Retired, "restore"),
        Request::Reinstall { replaced_by } => life.reinstall(replaced_by.as_deref()),
        Request::Collect { grace_days } => life.collect(*grace_days),
        Request::Sweep => life.sweep(),
    }
}

impl Life<'_> {
    fn to(&self, to: State, reason: impl Into<String>) -> Transition {
        Transition {
            from: self.memory.state,
            to,
            reason: reason.into(),
            review_after: self.review_days(to).map(|days| days_after(self.now, days)),
        }
    }

    fn wrong_state(&self, verb: &str, wanted: &str) -> Refusal {
        let message = format!("could not {verb} `{}`: it is {}", self.memory.id, self.memory.state);
        Refusal::new(Code::State, message).with_hint(format!("only {wanted} can be used for this"))
    }

    fn need(&self, is_right_state: bool, verb: &str, wanted: &str) -> Result<(), Refusal> {
        if is_right_state { Ok(()) } else { Err(self.wrong_state(verb, wanted)) }
    }

    fn need_active(&self, verb: &str) -> Result<(), Refusal> {
        self.need(self.memory.is_active(), verb, "an active memory")
    }

    /// T1 without a person: no further than provisional.
    fn confirm(&self, reason: &str) -> Result<Transition, Refusal> {
        self.need(self.memory.state == State::Candidate, "confirm", "a candidate")?;
        need_reason("confirm", reason)?;
        Ok(self.to(State::Provisional, reason))
    }

    /// T4
    fn review(&self, cause: &ReviewCause) -> Result<Transition, Refusal> {
        let (state, signals) = (self.memory.state, self.signals);
        self.need(state.is_active() && state != State::UnderReview, "review", "an active memory")?;
        let reason = match cause {
            ReviewCause::Requested(reason) => {
                need_reason("review", reason)?;
                reason.clone()
            }
            ReviewCause::Conflict(other) => {
                let is_settled = matches!(state, State::Stable | State::Canonical);
                self.need(is_settled, "review", "a stable or canonical memory")?;
                format!("conflicts with {other}")
            }
            ReviewCause::Signals if signals.failed_reuses >= self.policy.review_failures => {
                format!("{} failed uses", signals.failed_reuses)
            }
            ReviewCause::Signals if signals.trust < self.policy.trust_floor => {
                format!("trust fell to {}", signals.trust)
            }
            ReviewCause::Signals => {
                let message = format!("nothing speaks for a review of `{}`", self.memory.id);
                return Err(Refusal::new(Code::State, message));
            }
        };
        Ok(self.to(State::UnderReview, reason))
    }

    /// T5
    fn reinstate(&self, guidance_changed: bool) -> Result<Transition, Refusal> {
        let (id, reviews) = (&self.memory.id, self.signals.reviews);
        self.need(self.memory.state == State::UnderReview, "reinstate", "a memory under review")?;
        if reviews > self.policy.last_reinstating_review {
            let message = format!("`{id}` was reviewed {reviews} times");
            return refused(message, "archive, supersede or reject it: it has failed too often");
        }
        if !guidance_changed {
            let message = format!("the guidance of `{id}` is what it was");
            return refused(message, "change what it says first: it failed as it is");
        }
        // Put away in the middle of a review and brought back: only the log knows what it was.
        let is_place = |state: &State| state.is_active() && *state != State::UnderReview;
        let known = self.memory.prev_state.filter(is_place).or(self.signals.reviewed_from);
        Ok(self.to(self.place(known), "reinstated after review"))
    }

    /// T6: also straight from a candidate.
    fn reject(&self, rationale: &str) -> Result<Transition, Refusal> {
        let is_open = matches!(self.memory.state, State::Candidate | State::UnderReview);
        self.need(is_open, "reject", "a candidate or a memory under review")?;
        need_reason("reject", rationale)?;
        Ok(self.to(State::Rejected, rationale))
    }

    fn keep(&self, reason: &str) -> Result<Transition, Refusal> {
        let state = self.memory.state;
        let is_kept = state == State::Candidate || state.is_served();
        self.need(is_kept, "keep", "a candidate or a memory in use")?;
        need_reason("keep", reason)?;
        // One person vouches for what the log does not carry; canonical takes two.
        let is_claimed = state == State::Canonical && !self.signals.is_recorded;
        Ok(self.to(if is_claimed { State::Stable } else { state }, reason))
    }

    /// What faded is provisional again; what was thrown out begins again.
    fn revive(&self, has_new_evidence: bool) -> Result<Transition, Refusal> {
        let to = match self.memory.state {
            State::Decayed => State::Provisional,
            State::Rejected => State::Candidate,
            _ => return Err(self.wrong_state("revive", "a decayed or rejected memory")),
        };
        if !has_new_evidence {
            let (id, state) = (&self.memory.id, self.memory.state);
            let message = format!("`{id}` is {state} and nothing new speaks for it");
            return refused(message, "name evidence that it did not have");
        }
        Ok(self.to(to, "new evidence"))
    }

    fn supersede(&self, by: &str, by_active: bool, reason: &str) -> Result<Transition, Refusal> {
        self.need_active("supersede")?;
        if by == self.memory.id.as_str() {
            let message = format!("`{by}` can't supersede itself");
            return refused(message, "name another memory as the successor");
        }
        if !by_active {
            let message = format!("the successor `{by}` is not active");
            return refused(message, "restore it first, or name another");
        }
        let reason =
            if reason.is_empty() { format!("superseded by {by}") } else { reason.to_owned() };
        Ok(self.to(State::Superseded, reason))
    }

    fn archive(&self, reason: &str, standing: &Standing) -> Result<Transition, Refusal> {
        self.need_active("archive")?;
        need_reason("archive", reason)?;
        match standing {
            Standing::Referenced(places) if self.durable => {
                let (id, places) = (&self.memory.id, places.join("`, `"));
                let message = format!("could not archive `{id}`: still referenced by `{places}`");
                refused(
                    message,
                    "what still binds stays active; mark it first (a constraint `--set active=false`, \
                     a debt `--set status=resolved`, a decision `--set status=deprecated`) or \
                     remove the references",
                )
            }
            _ => Ok(self.to(State::Archived, reason)),
        }
    }

    fn reinstall(&self, replaced_by: Option<&str>) -> Result<Transition, Refusal> {
        if let Some(by) = replaced_by {
            let message = format!("`{}` is superseded by `{by}`, which is active", self.memory.id);
            return refused(message, &format!("retire `{by}` first, or supersede it by a new one"));
        }
        let mut transition = self.back(State::Superseded, "restore")?;
        transition.reason = "its successor is no longer active".to_owned();
        Ok(transition)
    }

    fn collect(&self, grace_days: i64) -> Result<Transition, Refusal> {
        let age = self.memory.retired_at.map(|at| days_between(at, self.now));
        let is_due = |age: &i64| self.memory.state == State::Retired && *age >= grace_days;
        let age = age
            .filter(is_due)
            .ok_or_else(|| self.wrong_state("collect", "a memory retired long enough ago"))?;
        Ok(self.to(State::Archived, format!("collected {age} days after it was retired")))
    }

    /// Out of `retired` or `archived`, to where it was before.
    fn back(&self, from: State, verb: &str) -> Result<Transition, Refusal> {
        self.need(self.memory.state == from, verb, &format!("a memory that is {from}"))?;
        let mut transition = self.to(self.place(self.memory.prev_state), format!("{verb}d"));
        transition.review_after = self.memory.review_after;
        Ok(transition)
    }

    /// Where it was, or where its origin lets it begin; a proposed decision is at most provisional.
    fn place(&self, known: Option<State>) -> State {
        let place = known
            .filter(|state| state.is_active())
            .unwrap_or_else(|| self.memory.origin.entry_state());
        if place.is_served() && self.is_proposed() { State::Provisional } else { place }
    }

    fn is_proposed(&self) -> bool {
        self.memory.kind == Kind::Decision && self.memory.content.text("status") == Some("proposed")
    }
}

/// What in the memory itself says that it no longer binds.
pub fn marker(memory: &Memory, now: Timestamp) -> Option<&'static str> {
    let content = &memory.content;
    let end = content.text("expires").and_then(parse_instant);
    match (&memory.kind, content.text("status")) {
        (Kind::Decision, Some("deprecated")) => Some("the decision is deprecated"),
        (Kind::Constraint, _) if content.flag("active") == Some(false) => {
            Some("the constraint is not active")
        }
        (Kind::Constraint, _) if end.is_some_and(|end| end < now) => {
            Some("the constraint has expired")
        }
        (Kind::TechDebt, Some("resolved")) => Some("the debt is resolved"),
        (Kind::TechDebt, Some("wont_fix")) => Some("the debt will not be paid"),
        (Kind::Lesson, _) if memory.state == State::UnderReview => Some("a review put it away"),
        _ => None,
    }
}

pub fn apply(memory: &mut Memory, transition: &Transition, now: Timestamp) {
    let now = whole_seconds(now);
    memory.prev_state = match transition.to {
        _ if transition.from == transition.to => memory.prev_state,
        // Collected: it comes back to where it was before it was retired.
        State::Archived if transition.from == State::Retired => memory.prev_state,
        State::Retired | State::Archived | State::UnderReview | State::Superseded => {
            Some(transition.from).filter(|from| from.is_active())
        }
        _ => None,
    };
    memory.state = transition.to;
    memory.state_reason = Some(transition.reason.clone()).filter(|reason| !reason.is_empty());
    if let Some(due) = transition.review_after {
        memory.review_after = Some(whole_seconds(due));
    }
    let [retired, archived] = [State::Retired, State::Archived].map(|it| transition.to == it);
    memory.retired_at = retired.then_some(now);
    memory.retired_reason = memory.state_reason.clone().filter(|_| retired);
    memory.archived_at = archived.then_some(now);
    memory.archived_reason = memory.state_reason.clone().filter(|_| archived);
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
        memory.content.set("status", FieldValue::text(status));
    }
}

fn refused(message: String, hint: &str) -> Result<Transition, Refusal> {
    Err(Refusal::new(Code::State, message).with_hint(hint))
}

fn need_reason(verb: &str, reason: &str) -> Result<(), Refusal> {
    if !reason.trim().is_empty() {
        return Ok(());
    }
    let message = format!("could not {verb} without a reason");
    Err(Refusal::new(Code::Validation, message).with_hint("say why with `--reason \"…\"`"))
}
