//! One state up, with the approvals that it takes.

use oldhand_core::event::Verdict;
use oldhand_core::lifecycle::{self};
use oldhand_core::pending::Vote;
use oldhand_core::reviewer::{Approval, Role, joint};

use crate::context::Lifecycle;
use crate::gate::is_gated;
use crate::moves::refuse_bad_reason;
use crate::pending::{PendingFile, pending_name};
use crate::prelude::*;

#[derive(Debug, Clone, Default)]
pub struct PromotionRequest<'r> {
    /// A person's name; without one it is a mere request.
    pub approver: Option<&'r str>,
    pub role: Option<Role>,
    pub reason: &'r str,
    /// Similar incidents that are known from elsewhere.
    pub incidents: u32,
    /// The state that is wanted; one that is not the next is refused (R203).
    pub to: Option<State>,
}

impl PromotionRequest<'_> {
    fn request(&self, approvers: Vec<String>) -> Request {
        let is_reasoned = !self.reason.trim().is_empty();
        Request::Promote { approvers, incidents: self.incidents, is_reasoned }
    }

    /// What it would be with every approval that it could get.
    fn approved(&self) -> Request {
        let approvers = vec!["one".to_owned(), "two".to_owned()];
        // Whoever is asked for an approval will say why.
        let is_reasoned = self.approver.is_none() || !self.reason.trim().is_empty();
        Request::Promote { approvers, incidents: self.incidents, is_reasoned }
    }
}

struct Case {
    stored: Stored,
    signals: Signals,
    to: State,
    /// Who reviews it (R197).
    needed: Role,
    votes: Vec<Vote>,
    /// The request that waits already.
    waiting: Option<PendingFile>,
}

impl Case {
    fn names(&self) -> Vec<String> {
        self.votes.iter().map(|vote| vote.by.clone()).collect()
    }
}

#[derive(Debug, Clone)]
pub enum Promoted {
    Moved(Box<Memory>),
    /// The state is as it was: another approval is waited for.
    Waiting {
        memory: Box<Memory>,
        pending: Box<Pending>,
        missing: String,
    },
}

impl<'a> Lifecycle<'a> {
    pub fn promote(&self, name: &str, ask: &PromotionRequest<'_>) -> WriteResult<'a, Promoted> {
        self.write_about(&[name], &mut || self.decide_promote(name, ask))
    }

    pub(crate) fn decide_promote(
        &self,
        name: &str,
        ask: &PromotionRequest<'_>,
    ) -> Decided<Promoted> {
        refuse_bad_reason(ask.reason)?;
        let case = self.case(name, ask)?;
        let memory = &case.stored.memory;
        // What no approval can replace is said first, and nothing is queued.
        lifecycle::transition(self.life_of(memory, &case.signals), &ask.approved())?;
        if let Some(missing) = self.missing(&case, ask) {
            return self.queue(case, ask, missing);
        }
        if memory.state == State::Candidate {
            self.refuse_clash(memory, &format!("promote `{}`", memory.id))?;
        }
        let mut step = self.step(&case.stored, &ask.request(case.names()), &case.signals)?;
        step.review(Verdict::Promote, ask.role);
        if !ask.reason.is_empty() {
            step.event.reason = ask.reason.to_owned();
        }
        if case.votes.len() > 1 {
            step.event.by = case.names().join(", ");
        }
        let mut plan = Plan::default();
        let memory = step.add_to(&mut plan);
        if let Some(waiting) = &case.waiting {
            self.gate().plan_settled(waiting, "approved".to_owned(), &mut plan);
        }
        Ok((Promoted::Moved(Box::new(memory)), plan))
    }

    /// The memory with the approvals that it has, this one among them.
    fn case(&self, name: &str, ask: &PromotionRequest<'_>) -> Result<Case> {
        let stored = self.get(name)?;
        let memory = &stored.memory;
        let to = next_state(memory)?;
        refuse_skipped(memory, to, ask.to)?;
        let needed = self.settings.reviewers.of(memory);
        refuse_other_role(memory, ask.role, needed)?;
        let waiting = self.gate().find_pending(&Pending::approval_id(memory.id.as_str()))?;
        let mut votes = self.votes_for(to, waiting.as_ref())?;
        if let Some(by) = ask.approver {
            let approval = Approval::new(by, ask.role)?;
            refuse_second_vote(memory, &votes, &approval.by)?;
            votes.push(Vote {
                by: approval.by.clone(),
                role: ask.role.map(|role| role.to_string()).unwrap_or_default(),
                at: whole_seconds(self.now),
            });
        }
        let signals = self.signals(memory)?;
        Ok(Case { stored, signals, to, needed, votes, waiting })
    }

    /// The file of a request is only text: an approval counts if the log has it, and by a person.
    fn votes_for(&self, wanted: State, waiting: Option<&PendingFile>) -> Result<Vec<Vote>> {
        let Some((pending, _)) = waiting else { return Ok(Vec::new()) };
        let mut votes = match &pending.matter {
            // An approval was given for one step: it does not count for another.
            Matter::Approval { to, votes, .. } if *to == wanted => votes.clone(),
            _ => return Ok(Vec::new()),
        };
        let events = self.vault.events_of(&pending_name(pending.id.as_str()))?;
        votes.retain(|vote| {
            events.iter().any(|event| event.by.trim() == vote.by && !event.via.is_machine())
        });
        Ok(votes)
    }

    /// What is missing beyond uses and evidence: `None` when the approvals suffice.
    fn missing(&self, case: &Case, ask: &PromotionRequest<'_>) -> Option<String> {
        // What came from outside brings its own evidence, and what binds is decided by people.
        let memory = &case.stored.memory;
        let is_foreign = matches!(memory.origin, Origin::External | Origin::Import);
        let is_persons = is_foreign
            || is_gated(&memory.kind)
            || case.to == State::Stable && !self.settings.review.lightweight;
        if is_persons && case.votes.is_empty() {
            return Some(format!("an approval by {}", case.needed));
        }
        if case.to == State::Canonical {
            let approvals: Vec<Approval> = case
                .votes
                .iter()
                .filter_map(|vote| Approval::new(&vote.by, Role::parse(&vote.role).ok()).ok())
                .collect();
            return joint(&approvals, case.needed).err();
        }
        let life = self.life_of(&case.stored.memory, &case.signals);
        let needs = lifecycle::transition(life, &ask.request(case.names()));
        needs.is_err().then(|| format!("an approval by {}", case.needed))
    }

    /// R202: the request waits; the state does not change.
    fn queue(&self, case: Case, ask: &PromotionRequest<'_>, missing: String) -> Decided<Promoted> {
        let memory = case.stored.memory;
        let (by, via, at) = match &case.waiting {
            Some((pending, _)) => (pending.by.clone(), pending.via.clone(), pending.at),
            None => (self.by.to_owned(), self.via.clone(), whole_seconds(self.now)),
        };
        let pending = Pending {
            id: Pending::approval_id(memory.id.as_str()),
            by,
            via,
            at,
            matter: Matter::Approval {
                memory: memory.id.to_string(),
                to: case.to,
                reason: ask.reason.to_owned(),
                votes: case.votes,
            },
        };
        let reason = format!("{}; waits for {missing}", pending.headline());
        let plan = match &case.waiting {
            Some((there, _)) if *there == pending => Plan::default(),
            there => self.gate().plan_pending(&pending, there.as_ref(), reason),
        };
        let waiting =
            Promoted::Waiting { memory: Box::new(memory), pending: Box::new(pending), missing };
        Ok((waiting, plan))
    }

    /// What clashes with what was decided since it was written stays what it is.
    pub(crate) fn refuse_clash(&self, memory: &Memory, doing: &str) -> Result<()> {
        let Some(conflict) = self.gate().first_conflict(memory)? else { return Ok(()) };
        refuse_clash_with(memory, &conflict.against(), doing)
    }
}

/// What would be in force beside its opposite stays where it is.
pub(crate) fn refuse_clash_with(memory: &Memory, against: &Against, doing: &str) -> Result<()> {
    let Against { id: other, why, .. } = against;
    let id = &memory.id;
    let message = format!("could not {doing}: it clashes with `{other}` ({why})");
    let hint = match memory.state {
        State::Candidate => Hint::with_steps(
            "reject it with {}, or supersede the other",
            [NextStep::Reject(id.to_string())],
        ),
        _ => {
            let step = NextStep::Supersede(other.to_string());
            Hint::with_steps("{} reverses the other", [step])
        }
    };
    refuse(Code::State, message, hint)
}

fn next_state(memory: &Memory) -> Result<State, Refusal> {
    match memory.state {
        State::Candidate => Ok(State::Provisional),
        State::Provisional => Ok(State::Stable),
        State::Stable => Ok(State::Canonical),
        other => {
            let message = format!("could not promote `{}`: it is {other}", memory.id);
            refuse(Code::State, message, "only a candidate, provisional or stable memory rises")
        }
    }
}

fn refuse_skipped(memory: &Memory, next: State, wanted: Option<State>) -> Result<(), Refusal> {
    let Some(wanted) = wanted.filter(|wanted| *wanted != next) else { return Ok(()) };
    let (id, state) = (&memory.id, memory.state);
    let message =
        format!("could not promote `{id}` to {wanted}: it is {state}, and no state is skipped");
    refuse(Code::State, message, format!("the next one is `{next}`"))
}

/// R197: the type says who reviews; the orchestrator may always.
pub(crate) fn refuse_other_role(memory: &Memory, role: Option<Role>, needed: Role) -> Result<()> {
    let allowed = [needed, Role::Orchestrator];
    let Some(role) = role.filter(|role| !allowed.contains(role)) else { return Ok(()) };
    let message = format!("`{}` is reviewed by `{needed}`, not by `{role}`", memory.id);
    let hint = format!(
        "approve as `--role {needed}` or `--role orchestrator`; the map is `reviewers.*` in the \
         configuration"
    );
    refuse(Code::Validation, message, hint)
}

fn refuse_second_vote(memory: &Memory, votes: &[Vote], by: &str) -> Result<(), Refusal> {
    if votes.iter().all(|vote| !vote.by.trim().eq_ignore_ascii_case(by.trim())) {
        return Ok(());
    }
    let message = format!("`{}` has approved `{}` already", by.trim(), memory.id);
    refuse(Code::State, message, "somebody else's approval is needed: two different names")
}
