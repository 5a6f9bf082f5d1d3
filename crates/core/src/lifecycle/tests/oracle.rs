//! What the requirements of a memory's life say (`specs/requirements.md`), as one table over plain
//! values. It shares no rule with the code that it judges.

use State::{
    Archived, Candidate, Canonical, Decayed, Provisional, Rejected, Retired, Stable, Superseded,
    UnderReview,
};

use crate::origin::Origin;
use crate::state::State;

/// What is asked for, without its particulars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ask {
    Promote,
    Confirm,
    ReviewWish,
    ReviewConflict,
    ReviewSignals,
    Reinstate,
    Reject,
    Keep,
    Revive,
    Supersede,
    Archive,
    Unarchive,
    Retire,
    Restore,
    Reinstall,
    Collect,
    Sweep,
}

impl Ask {
    pub(super) const ALL: [Self; 17] = [
        Self::Promote,
        Self::Confirm,
        Self::ReviewWish,
        Self::ReviewConflict,
        Self::ReviewSignals,
        Self::Reinstate,
        Self::Reject,
        Self::Keep,
        Self::Revive,
        Self::Supersede,
        Self::Archive,
        Self::Unarchive,
        Self::Retire,
        Self::Restore,
        Self::Reinstall,
        Self::Collect,
        Self::Sweep,
    ];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Lesson,
    Decision,
    Proposed,
    Session,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    Marked,
    Unreferenced,
    Referenced,
}

/// Everything that a move may depend on, as plain values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    pub ask: Ask,
    pub state: State,
    pub evidence: u32,
    pub incidents: u32,
    pub approvers: &'static [&'static str],
    pub uses: u32,
    pub tasks: u32,
    pub contradictions: u32,
    pub failed: u32,
    pub trust: f64,
    pub reviews: u32,
    pub changed: bool,
    pub reason: &'static str,
    pub ground: Ground,
    pub durable: bool,
    pub sort: Sort,
    pub overdue: bool,
    pub reused: bool,
    /// Where it was before it was put away or reviewed.
    pub before: Option<State>,
    pub origin: Origin,
    pub retired_days: Option<i64>,
    pub news: bool,
    pub other_active: bool,
    pub itself: bool,
}

enum To {
    The(State),
    /// To where it was.
    Before,
    Here,
}
use To::{Before, Here, The};

type Row = (Ask, &'static [State], fn(&Case) -> bool, To);

const ACTIVE: &[State] = &[Candidate, Provisional, Stable, Canonical, UnderReview, Decayed];
/// T4 does not begin again what has begun.
const REVIEWABLE: &[State] = &[Candidate, Provisional, Stable, Canonical, Decayed];
const SERVED: &[State] = &[Provisional, Stable, Canonical];
const GRACE_DAYS: i64 = 30;

/// All moves that there are; what no row names is refused.
const TABLE: &[Row] = &[
    // T1, T2, T3
    (Ask::Promote, &[Candidate], |c| c.evidence >= 2, The(Provisional)),
    (Ask::Promote, &[Candidate], |c| c.incidents >= 2, The(Provisional)),
    (Ask::Promote, &[Candidate], |c| names(c) >= 1, The(Provisional)),
    (
        Ask::Promote,
        &[Provisional],
        |c| names(c) >= 1 && says_why(c) && c.sort != Sort::Proposed,
        The(Stable),
    ),
    (
        Ask::Promote,
        &[Provisional],
        |c| {
            let is_spread = names(c) >= 1 || c.tasks >= 3;
            c.uses >= 3 && is_spread && c.contradictions == 0 && c.sort != Sort::Proposed
        },
        The(Stable),
    ),
    (Ask::Promote, &[Stable], |c| c.uses >= 5 && c.tasks >= 3 && names(c) >= 2, The(Canonical)),
    // T4
    (Ask::Confirm, &[Candidate], says_why, The(Provisional)),
    (Ask::ReviewSignals, REVIEWABLE, |c| c.failed >= 2, The(UnderReview)),
    (Ask::ReviewSignals, REVIEWABLE, |c| c.trust < 0.3, The(UnderReview)),
    (Ask::ReviewWish, REVIEWABLE, says_why, The(UnderReview)),
    (Ask::ReviewConflict, &[Stable, Canonical], |_| true, The(UnderReview)),
    // T5
    (Ask::Reinstate, &[UnderReview], |c| c.changed && c.reviews < 3, Before),
    // T6, and straight from a candidate
    (Ask::Reject, &[Candidate, UnderReview], says_why, The(Rejected)),
    // R198
    (Ask::Keep, &[Candidate, Provisional, Stable, Canonical], says_why, Here),
    // T7
    (Ask::Sweep, SERVED, |c| c.contradictions >= 3, The(Decayed)),
    (Ask::Sweep, SERVED, |c| c.trust < 0.3, The(Decayed)),
    (Ask::Sweep, SERVED, |c| c.sort == Sort::Lesson && c.overdue && !c.reused, The(Decayed)),
    // R223
    (Ask::Revive, &[Decayed], |c| c.news, The(Provisional)),
    (Ask::Revive, &[Rejected], |c| c.news, The(Candidate)),
    // Out of the way, and back
    (Ask::Supersede, ACTIVE, |c| c.other_active && !c.itself, The(Superseded)),
    (Ask::Reinstall, &[Superseded], |c| !c.other_active, Before),
    (Ask::Archive, ACTIVE, |c| says_why(c) && !c.durable, The(Archived)),
    (Ask::Archive, ACTIVE, |c| says_why(c) && c.ground != Ground::Referenced, The(Archived)),
    (Ask::Unarchive, &[Archived], |_| true, Before),
    (Ask::Retire, ACTIVE, |_| true, The(Retired)),
    (Ask::Restore, &[Retired], |_| true, Before),
    (Ask::Collect, &[Retired], |c| c.retired_days >= Some(GRACE_DAYS), The(Archived)),
];

/// Where the requirements let it go; `None` is a refusal.
pub(super) fn allowed(case: &Case) -> Option<State> {
    let (.., to) = TABLE.iter().find(|(ask, from, when, _)| {
        *ask == case.ask && from.contains(&case.state) && when(case)
    })?;
    Some(match to {
        The(state) => *state,
        Here => case.state,
        Before => before(case),
    })
}

/// Whether some conditions allow the ask at all in this state.
pub(super) fn is_named(ask: Ask, from: State) -> bool {
    TABLE.iter().any(|(named, states, ..)| *named == ask && states.contains(&from))
}

/// Where it was; when nobody knows, where its origin lets it begin (R269). A proposed
/// decision is at most provisional.
fn before(case: &Case) -> State {
    let is_place =
        |it: &State| ACTIVE.contains(it) && (*it != UnderReview || case.ask != Ask::Reinstate);
    let there = case.before.filter(is_place).unwrap_or(match case.origin {
        Origin::User | Origin::Gate => Stable,
        Origin::Capture | Origin::Agent => Provisional,
        _ => Candidate,
    });
    match (case.sort, there) {
        (Sort::Proposed, Stable | Canonical) => Provisional,
        _ => there,
    }
}

/// Two different names are two approvers; the same name twice is one.
fn names(case: &Case) -> usize {
    match case.approvers {
        [] => 0,
        [first, rest @ ..] => 1 + usize::from(rest.iter().any(|name| name != first)),
    }
}

fn says_why(case: &Case) -> bool {
    case.reason.chars().any(|letter| !letter.is_whitespace())
}
