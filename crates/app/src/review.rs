//! Reviews: what waits for a person's judgement, and what the judgement does.

pub mod queue;
pub mod sides;
pub mod verbs;

use oldhand_core::actor::Via;
use oldhand_core::event::Verdict;
use oldhand_core::evidence;
use oldhand_core::kind::schema::main_field;
use oldhand_core::lifecycle::{self, Life, ReviewCause};
use oldhand_core::policy::LifePolicy;
use oldhand_core::recall::row::{Flag, Row};
use oldhand_core::reviewer::Role;
use oldhand_store::port::index::Rows;
use oldhand_text::word::words;

use crate::context::Upkeep;
use crate::doctor::merged::undecided;
use crate::moves::refuse_bad_reason;
use crate::prelude::*;
use crate::promote::{Promoted, PromotionRequest, refuse_other_role};
use crate::step::StateChange;
use crate::written::{Written, unchanged};

#[derive(Debug, Clone)]
pub struct Decision<'r> {
    pub verdict: Verdict,
    pub reason: &'r str,
    pub role: Option<Role>,
    /// What it shall say from now on (R226).
    pub guidance: Option<&'r str>,
    /// What replaces it.
    pub successor: Option<&'r str>,
    pub approver: Option<&'r str>,
}

words! {
    /// Why a memory is in the inbox.
    Cause, "cause" {
        /// Its file claims a standing that the log does not carry.
        Unrecorded = "unrecorded",
        UnderReview = "under_review",
        Candidate = "candidate",
        /// It has all that a promotion needs but the approval.
        Ready = "ready",
        ReviewDue = "review_due",
    }
}

#[derive(Debug, Clone)]
pub struct Waiting {
    listed: Listed,
    pub cause: Cause,
    pub since: Option<Timestamp>,
}

impl Waiting {
    pub fn id(&self) -> &str {
        self.listed.id()
    }
}

/// The same with its file.
#[derive(Debug, Clone)]
pub struct Item {
    pub stored: Stored,
    pub cause: Cause,
    pub since: Option<Timestamp>,
    pub signals: Signals,
    pub role: Role,
}

/// Everything that a person should look at.
#[derive(Debug, Clone, Default)]
pub struct Inbox {
    pub pending: Vec<Pending>,
    /// By cause, the one that waits longest first.
    pub waiting: Vec<Waiting>,
    /// Files in `pending/` that can't be read.
    pub odd: Vec<String>,
    rows: Rows,
    /// The one memory that was asked for, instead of all.
    named: Option<Box<Item>>,
}

impl Inbox {
    pub fn total(&self) -> usize {
        self.pending.len() + self.memories()
    }

    pub fn memories(&self) -> usize {
        self.waiting.len() + usize::from(self.named.is_some())
    }
}

impl<'a> Upkeep<'a> {
    pub fn inbox(&self) -> Result<Inbox> {
        let (pending, odd) = self.gate().pending_list()?;
        let mut rows = self.rows(None)?;
        let mut judge = Judge::new(self);
        let waiting = std::mem::take(&mut rows.listed).into_iter().filter_map(|listed| {
            let (cause, since) = judge.cause_of(&listed.row)?;
            Some(Waiting { listed, cause, since })
        });
        let mut waiting: Vec<Waiting> = waiting.collect();
        waiting.sort_unstable_by(|a, b| {
            (a.cause, a.since, &a.listed.path).cmp(&(b.cause, b.since, &b.listed.path))
        });
        Ok(Inbox { pending, waiting, odd, rows, named: None })
    }

    /// The inbox with nothing but this memory, which must wait for a review.
    pub fn inbox_of(&self, name: &str) -> Result<Inbox> {
        let stored = self.get(name)?;
        let id = stored.memory.id.clone();
        match self.item_of(stored)? {
            Some(item) => Ok(Inbox { named: Some(Box::new(item)), ..Inbox::default() }),
            None => refuse(
                Code::State,
                format!("`{id}` is not waiting for a review"),
                Hint::with_steps("{} asks for one", [NextStep::RequestReview(id.to_string())]),
            ),
        }
    }

    /// Leaves what an import brought from one source.
    pub fn keep_of_source(&self, inbox: &mut Inbox, source: &str) -> Result<()> {
        inbox.pending.clear();
        let waiting = std::mem::take(&mut inbox.waiting);
        for one in waiting {
            let stored = self.open(&mut inbox.rows, &one.listed)?;
            let is_wanted = |it: &Stored| crate::filter::is_of_source(&it.memory, source);
            if let Some(stored) = stored.filter(is_wanted) {
                inbox.rows.read.insert(stored.path.clone(), stored);
                inbox.waiting.push(one);
            }
        }
        Ok(())
    }

    /// The first memories that wait for a judgement; 0 is all.
    pub fn items(&self, inbox: &mut Inbox, limit: usize) -> Result<Vec<Item>> {
        let waiting = inbox.memories();
        let shown = if limit == 0 { waiting } else { waiting.min(limit) };
        let mut items = Vec::with_capacity(shown);
        for at in 0..shown {
            items.extend(self.item(inbox, at)?);
        }
        Ok(items)
    }

    /// One of them as its file is now; `None` when it no longer waits for that.
    pub fn item(&self, inbox: &mut Inbox, at: usize) -> Result<Option<Item>> {
        if let Some(item) = inbox.named.take() {
            return Ok(Some(*item));
        }
        let Some(Waiting { listed, cause, since }) = inbox.waiting.get(at) else { return Ok(None) };
        let Some(stored) = self.open(&mut inbox.rows, listed)? else { return Ok(None) };
        if stored.memory.state != listed.row.state() || !stored.problems.is_empty() {
            return Ok(None);
        }
        let mut signals = Signals::fold(&stored.memory, &[], &self.settings.trust);
        listed.row.signals(&mut signals);
        let role = self.settings.reviewers.of(&stored.memory);
        Ok(Some(Item { stored, cause: *cause, since: *since, signals, role }))
    }

    pub fn item_of(&self, stored: Stored) -> Result<Option<Item>> {
        let signals = self.signals(&stored.memory)?;
        let row = Row::of(&stored.memory, &signals, stored.text.len(), !stored.problems.is_empty());
        let role = self.settings.reviewers.of(&stored.memory);
        let cause = Judge::new(self).cause_of(&row);
        Ok(cause.map(|(cause, since)| Item { stored, cause, since, signals, role }))
    }

    pub(crate) fn events_by_memory(&self) -> Result<BTreeMap<String, Vec<Event>>> {
        let mut by_memory: BTreeMap<String, Vec<Event>> = BTreeMap::new();
        for event in self.vault.events()? {
            by_memory.entry(event.memory.clone()).or_default().push(event);
        }
        Ok(by_memory)
    }

    /// How many of these a person should look at.
    pub(crate) fn count_waiting(&self, rows: &[Listed]) -> usize {
        let mut judge = Judge::new(self);
        rows.iter().filter(|one| judge.cause_of(&one.row).is_some()).count()
    }

    /// The date by which somebody should have looked, when it has passed.
    pub(crate) fn due(&self, memory: &Memory, signals: &Signals) -> Option<Timestamp> {
        self.life_of(memory, signals).review_due().filter(|due| *due < self.now)
    }

    /// T4: somebody doubts it.
    pub fn request_review(&self, name: &str, reason: &str) -> WriteResult<'a, Written> {
        self.write_to(name, &mut |stored| {
            refuse_bad_reason(reason)?;
            if stored.memory.state == State::UnderReview {
                return Ok(unchanged(&stored));
            }
            let cause = ReviewCause::Requested(reason.to_owned());
            self.life().plan_move(&stored, &Request::Review(cause))
        })
    }

    /// R198, R205, R229: one judgement, and its record.
    pub fn review(&self, name: &str, decision: &Decision<'_>) -> WriteResult<'a, Promoted> {
        self.write_about(&[name], &mut || {
            refuse_bad_reason(decision.reason)?;
            if decision.reason.trim().is_empty() {
                let hint = "say why with `--reason \"…\"`; nothing was changed";
                return refuse(Code::Validation, "a review needs a reason", hint);
            }
            let stored = self.get(name)?;
            if decision.approver.is_none() && self.may_settle(&stored.memory)? {
                return self.settle_candidate(&stored, decision);
            }
            if decision.verdict == Verdict::Promote {
                let Decision { approver, role, reason, .. } = *decision;
                let ask =
                    PromotionRequest { approver, role, reason, ..PromotionRequest::default() };
                return self.life().decide_promote(name, &ask);
            }
            if decision.approver.is_none() {
                let message = format!("only a person decides over `{}`", stored.memory.id);
                return refuse(Code::State, message, ASK_A_PERSON);
            }
            let needed = self.settings.reviewers.of(&stored.memory);
            refuse_other_role(&stored.memory, decision.role, needed)?;
            if decision.verdict == Verdict::Keep && !stored.memory.is_active() {
                let events = self.vault.events_of(stored.memory.id.as_str())?;
                if undecided(&events).is_some() {
                    return Ok(self.keep_merged(stored, decision));
                }
            }
            let signals = self.signals(&stored.memory)?;
            let mut plan = Plan::default();
            let mut step = self.judge(&stored, &signals, decision, &mut plan)?;
            step.review(decision.verdict, decision.role);
            step.event.reason = decision.reason.to_owned();
            // A candidate that is kept is the same file: only the log knows of the look.
            step.files.retain(|file| !is_same(&stored, file));
            if step.files.is_empty() {
                (step.event.before, step.event.after) = (None, None);
            }
            let memory = step.add_to(&mut plan);
            // Whoever decided otherwise has answered a request for its promotion too.
            let waiting = self.gate().find_pending(&Pending::approval_id(memory.id.as_str()))?;
            if let Some(waiting) = waiting.filter(|_| memory.state != stored.memory.state) {
                let said = format!("overtaken by a review: {}", memory.state);
                self.gate().plan_settled(&waiting, said, &mut plan);
            }
            Ok((Promoted::Moved(Box::new(memory)), plan))
        })
    }

    /// What a merge ended stays ended; only the log knows of the look.
    fn keep_merged(&self, stored: Stored, decision: &Decision<'_>) -> (Promoted, Plan) {
        let event = Event {
            decision: Some(Verdict::Keep),
            role: decision.role.map(|role| role.to_string()).unwrap_or_default(),
            reason: decision.reason.to_owned(),
            ..self.event(EventType::Reviewed, &stored.memory, &stored.path)
        };
        let plan = Plan { files: Vec::new(), events: vec![event] };
        (Promoted::Moved(Box::new(stored.memory)), plan)
    }

    /// An agent at work may settle what a machine found, and nothing that a person has said or seen:
    /// it could as well say it again in its own name.
    fn may_settle(&self, memory: &Memory) -> Result<bool> {
        let is_free = matches!(self.via, Via::Agent(_))
            && self.settings.review.lightweight
            && memory.state == State::Candidate
            && memory.origin.is_found();
        if !is_free {
            return Ok(false);
        }
        let events = self.vault.events_of(memory.id.as_str())?;
        Ok(!events.iter().any(Event::is_persons_move))
    }

    /// The session says what it saw: the candidate is provisional, or it is thrown out.
    fn settle_candidate(&self, stored: &Stored, decision: &Decision<'_>) -> Decided<Promoted> {
        let memory = &stored.memory;
        let reason = decision.reason.to_owned();
        let request = match decision.verdict {
            Verdict::Promote => {
                self.life().refuse_clash(memory, &format!("confirm `{}`", memory.id))?;
                Request::Confirm(reason)
            }
            Verdict::Reject if !evidence::has_typed(&memory.evidence) => Request::Reject(reason),
            Verdict::Reject => {
                let message = format!("a person said `{}`: only a person drops it", memory.id);
                return refuse(Code::State, message, ASK_A_PERSON);
            }
            _ => {
                let message = format!("only a person decides so over `{}`", memory.id);
                let hint = "a session may confirm a candidate with `--decision promote`, or drop it \
                            with `--decision reject`";
                return refuse(Code::State, message, hint);
            }
        };
        let signals = self.signals(memory)?;
        let mut step = self.life().step(stored, &request, &signals)?;
        step.review(decision.verdict, None);
        let mut plan = Plan::default();
        Ok((Promoted::Moved(Box::new(step.add_to(&mut plan))), plan))
    }

    fn judge(
        &self,
        stored: &Stored,
        signals: &Signals,
        decision: &Decision<'_>,
        plan: &mut Plan,
    ) -> Result<StateChange> {
        let reason = decision.reason.to_owned();
        let request = match decision.verdict {
            Verdict::Keep => Request::Keep(reason),
            Verdict::Reject => Request::Reject(reason),
            Verdict::Archive => {
                Request::Archive { reason, standing: self.life().standing(&stored.memory) }
            }
            Verdict::Reinstate => return self.reinstate(stored, signals, decision),
            Verdict::Supersede => {
                let Some(by) = decision.successor else {
                    let message = format!("what supersedes `{}`?", stored.memory.id);
                    return refuse(Code::Validation, message, "name it with `--by-memory <id>`");
                };
                let (new, more) = self.life().link_existing(stored, by)?;
                plan.extend(more);
                Request::Supersede { by: new.id.to_string(), by_active: new.is_active(), reason }
            }
            Verdict::Promote => unreachable!("a promotion has its own way"),
        };
        self.life().step(stored, &request, signals)
    }

    /// R226: the guidance is another one, given now or changed while it was under review.
    fn reinstate(
        &self,
        stored: &Stored,
        signals: &Signals,
        decision: &Decision<'_>,
    ) -> Result<StateChange> {
        let mut new = stored.memory.clone();
        let mut changed = false;
        if let Some(guidance) = decision.guidance {
            write::refuse_secret("guidance", guidance)?;
            let field = guidance_field(&new, self);
            changed = new.content.text(&field) != Some(guidance.trim());
            new.content.set(&field, FieldValue::Text(guidance.trim().to_owned()));
            new.updated_at = Some(whole_seconds(self.now));
            new.times_updated = new.times_updated.saturating_add(1);
            refuse_invalid(write::check(&new, &self.settings.kinds))?;
        }
        let events = self.vault.events_of(new.id.as_str())?;
        let began = events.iter().rposition(|event| event.to == Some(State::UnderReview));
        let since = began.map_or(&[][..], |at| &events[at + 1..]);
        changed |=
            since.iter().any(|it| matches!(it.event_type, EventType::Updated | EventType::Adopted));
        let request = Request::Reinstate { guidance_changed: changed };
        let mut step = self.life().step_with(stored, new, &request, signals)?;
        if decision.guidance.is_some() {
            step.event.fields = vec![guidance_field(&stored.memory, self)];
        }
        Ok(step)
    }
}

/// Looks at many rows by the rules of the life of a memory.
struct Judge<'j> {
    policy: &'j LifePolicy,
    now: Timestamp,
    memory: Memory,
    signals: Signals,
    promotion: Request,
}

impl<'j> Judge<'j> {
    fn new(engine: &Engine<'j>) -> Self {
        let approvers = vec!["one".to_owned(), "two".to_owned()];
        let trust = &engine.settings.trust;
        Self {
            policy: &engine.settings.life,
            now: engine.now,
            memory: Memory::new(MemoryId::of_title("row"), Kind::Reference, ""),
            signals: Signals::start(0, Origin::Agent, trust),
            promotion: Request::Promote { approvers, incidents: 0, is_reasoned: false },
        }
    }

    fn cause_of(&mut self, row: &Row) -> Option<(Cause, Option<Timestamp>)> {
        if row.has(Flag::Flawed) {
            return None;
        }
        match row.state() {
            _ if row.has(Flag::Unrecorded) => Some((Cause::Unrecorded, row.updated_at())),
            State::UnderReview => Some((Cause::UnderReview, row.under_review_since())),
            State::Candidate => Some((Cause::Candidate, row.created_at())),
            state if state.is_served() => {
                row.memory(&mut self.memory);
                row.signals(&mut self.signals);
                let (memory, signals) = (&self.memory, &self.signals);
                let life =
                    Life { memory, signals, durable: true, policy: self.policy, now: self.now };
                // What nobody has used yet is not asked: each no is put into words.
                let may_rise = state != State::Canonical
                    && (signals.successful_reuses > 0 || self.policy.stable_successes == 0);
                if may_rise && lifecycle::transition(life, &self.promotion).is_ok() {
                    return Some((Cause::Ready, signals.last_success));
                }
                let due = life.review_due().filter(|due| *due < self.now);
                due.map(|due| (Cause::ReviewDue, Some(due)))
            }
            _ => None,
        }
    }
}

/// What a memory tells people to do.
fn guidance_field(memory: &Memory, engine: &Engine<'_>) -> String {
    let spec = engine.settings.kinds.spec(&memory.kind);
    let field = spec.field("guidance").or_else(|| main_field(&spec.fields));
    field.map_or_else(|| "text".to_owned(), |field| field.name.to_string())
}

fn is_same(stored: &Stored, file: &FileWrite) -> bool {
    file.path == stored.path && file.after.as_deref() == Some(stored.text.as_str())
}
