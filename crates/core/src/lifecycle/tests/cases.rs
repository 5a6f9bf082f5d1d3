//! A case as the values that the code takes.

use jiff::Timestamp;

use super::super::*;
use super::oracle::{Ask, Case, Ground, Sort};
use crate::content::FieldValue;
use crate::memory::MemoryId;
use crate::origin::Origin;
use crate::policy::{GcPolicy, TrustPolicy};

pub(super) const DAY: i64 = 86_400;

pub(super) fn now() -> Timestamp {
    at(1_000_000_000)
}

pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// A case that nothing speaks against, for tests that change one thing.
pub(super) fn base(ask: Ask, state: State) -> Case {
    Case {
        ask,
        state,
        evidence: 2,
        incidents: 2,
        approvers: &["ada", "bob"],
        uses: 5,
        tasks: 3,
        contradictions: 0,
        failed: 0,
        trust: 1.0,
        reviews: 1,
        changed: true,
        reason: "because",
        ground: Ground::Unreferenced,
        durable: true,
        sort: Sort::Lesson,
        overdue: false,
        reused: false,
        before: None,
        origin: Origin::External,
        retired_days: Some(30),
        news: true,
        other_active: true,
        itself: false,
    }
}

/// Asks the code itself.
pub(super) fn ask_code(case: &Case) -> Result<Transition, Refusal> {
    ask_about(case, &memory_of(case), &signals_of(case))
}

pub(super) fn ask_about(
    case: &Case,
    memory: &Memory,
    signals: &Signals,
) -> Result<Transition, Refusal> {
    let policy = LifePolicy::default();
    let life = Life { memory, signals, durable: case.durable, policy: &policy, now: now() };
    transition(life, &request_of(case))
}

pub(super) fn kind_of(sort: Sort) -> Kind {
    match sort {
        Sort::Lesson => Kind::Lesson,
        Sort::Decision | Sort::Proposed => Kind::Decision,
        Sort::Session => Kind::SessionSummary,
    }
}

pub(super) fn memory_of(case: &Case) -> Memory {
    let mut memory =
        Memory::new(MemoryId::parse("the-one").unwrap(), kind_of(case.sort), "The one");
    memory.state = case.state;
    memory.prev_state = case.before;
    memory.origin = case.origin;
    let status = match case.sort {
        Sort::Decision => Some("accepted"),
        Sort::Proposed => Some("proposed"),
        _ => None,
    };
    if let Some(status) = status {
        memory.content.set("status", FieldValue::Text(status.to_owned()));
    }
    memory.created_at = Some(at(now().as_second() - 400 * DAY));
    let due = if case.overdue { -1 } else { 0 };
    memory.review_after = Some(at(now().as_second() + due));
    memory.retired_at = case.retired_days.map(|days| at(now().as_second() - days * DAY));
    memory
}

pub(super) fn signals_of(case: &Case) -> Signals {
    let mut signals = Signals::start(case.evidence, case.origin, &TrustPolicy::default());
    signals.successful_reuses = case.uses;
    signals.tasks = (0..case.tasks).map(|number| number.to_string()).collect();
    signals.contradiction_count = case.contradictions;
    signals.open_contradictions = case.contradictions;
    signals.failed_reuses = case.failed;
    signals.trust = case.trust;
    signals.reviews = case.reviews;
    let confirmed = now().as_second() - 100 * DAY;
    signals.last_promotion = Some(at(confirmed));
    signals.last_reuse = Some(at(confirmed + i64::from(case.reused)));
    signals
}

pub(super) fn request_of(case: &Case) -> Request {
    let reason = case.reason.to_owned();
    let by = if case.itself { "the-one" } else { "the-other" };
    match case.ask {
        Ask::Promote => Request::Promote {
            approvers: case.approvers.iter().map(|&name| name.to_owned()).collect(),
            incidents: case.incidents,
            is_reasoned: !case.reason.trim().is_empty(),
        },
        Ask::Confirm => Request::Confirm(reason),
        Ask::ReviewWish => Request::Review(ReviewCause::Requested(reason)),
        Ask::ReviewConflict => Request::Review(ReviewCause::Conflict("other".into())),
        Ask::ReviewSignals => Request::Review(ReviewCause::Signals),
        Ask::Reinstate => Request::Reinstate { guidance_changed: case.changed },
        Ask::Reject => Request::Reject(reason),
        Ask::Keep => Request::Keep(reason),
        Ask::Revive => Request::Revive { has_new_evidence: case.news },
        Ask::Supersede => {
            Request::Supersede { by: by.to_owned(), by_active: case.other_active, reason }
        }
        Ask::Archive => Request::Archive { reason, standing: standing_of(case.ground) },
        Ask::Unarchive => Request::Unarchive,
        Ask::Retire => Request::Retire(reason),
        Ask::Restore => Request::Restore,
        Ask::Reinstall => {
            Request::Reinstall { replaced_by: case.other_active.then(|| "another".to_owned()) }
        }
        Ask::Collect => Request::Collect { grace_days: GcPolicy::default().grace_period_days },
        Ask::Sweep => Request::Sweep,
    }
}

fn standing_of(ground: Ground) -> Standing {
    match ground {
        Ground::Marked => Standing::Marked("the decision is deprecated"),
        Ground::Unreferenced => Standing::Unreferenced,
        Ground::Referenced => Standing::Referenced(vec!["src/pay.rs".to_owned()]),
    }
}
