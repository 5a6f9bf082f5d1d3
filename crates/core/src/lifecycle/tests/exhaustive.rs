//! Every state against every request at the edge values of every condition. What a request depends
//! on is crossed in full; what it must not depend on varies beside it at random.

use super::super::*;
use super::cases::{ask_about, at, memory_of, now, signals_of};
use super::oracle::{Ask, Case, Ground, Sort, allowed, is_named};
use super::walk::random::Random;
use crate::origin::Origin;

/// The conditions, each a place in `Digits`.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Dim {
    State,
    Evidence,
    Incidents,
    Approvers,
    Uses,
    Tasks,
    Contradictions,
    Failed,
    Trust,
    Reviews,
    Changed,
    Reason,
    Ground,
    Durable,
    Sort,
    Due,
    Reused,
    Before,
    Origin,
    Retired,
    News,
    OtherActive,
    Itself,
}

const DIMS: usize = Dim::Itself as usize + 1;
/// How many edge values each condition has, in the order of `Dim`.
const SIZES: [usize; DIMS] =
    [10, 2, 2, 5, 4, 2, 4, 2, 3, 2, 2, 3, 3, 2, 4, 5, 3, 11, 3, 3, 2, 2, 2];
/// How often each full combination is asked, with other values beside it.
const BACKGROUNDS: usize = 8;

type Digits = [usize; DIMS];

fn relevant(ask: Ask) -> &'static [Dim] {
    use Dim::*;
    match ask {
        Ask::Promote => {
            &[State, Evidence, Incidents, Approvers, Uses, Tasks, Contradictions, Reason, Sort]
        }
        Ask::Confirm | Ask::ReviewWish | Ask::Reject | Ask::Keep => &[State, Reason, Sort],
        Ask::ReviewConflict => &[State, Sort],
        Ask::ReviewSignals => &[State, Failed, Trust, Sort],
        Ask::Reinstate => &[State, Reviews, Changed, Before, Origin, Sort],
        Ask::Revive => &[State, News, Sort],
        Ask::Supersede => &[State, OtherActive, Itself, Reason, Sort],
        Ask::Archive => &[State, Reason, Ground, Durable, Sort],
        Ask::Unarchive | Ask::Restore => &[State, Before, Origin, Sort],
        Ask::Retire => &[State, Reason, Sort],
        Ask::Reinstall => &[State, OtherActive, Before, Origin, Sort],
        Ask::Collect => &[State, Retired, Sort, Durable],
        Ask::Sweep => &[State, Contradictions, Trust, Sort, Due, Reused],
    }
}

const APPROVERS: [&[&str]; 5] =
    [&[], &["ada"], &["ada", "ada"], &["ada", "bob"], &["bob", "ada", "bob"]];

fn case_of(ask: Ask, digits: &Digits) -> Case {
    let digit = |dim: Dim| digits[dim as usize];
    let flag = |dim: Dim| digit(dim) == 1;
    let sort = [Sort::Lesson, Sort::Decision, Sort::Proposed, Sort::Session][digit(Dim::Sort)];
    let number = |dim: Dim, values: &[u32]| values[digit(dim)];
    Case {
        ask,
        state: State::ALL[digit(Dim::State)],
        evidence: number(Dim::Evidence, &[1, 2]),
        incidents: number(Dim::Incidents, &[1, 2]),
        approvers: APPROVERS[digit(Dim::Approvers)],
        uses: number(Dim::Uses, &[2, 3, 4, 5]),
        tasks: number(Dim::Tasks, &[2, 3]),
        contradictions: number(Dim::Contradictions, &[0, 1, 2, 3]),
        failed: number(Dim::Failed, &[1, 2]),
        trust: [0.299, 0.3, 1.0][digit(Dim::Trust)],
        reviews: number(Dim::Reviews, &[2, 3]),
        changed: flag(Dim::Changed),
        reason: ["", " \t", "because"][digit(Dim::Reason)],
        ground: [Ground::Marked, Ground::Unreferenced, Ground::Referenced][digit(Dim::Ground)],
        durable: flag(Dim::Durable),
        sort,
        // Without a date the time of a lesson runs from the day it was written.
        overdue: [true, false, false, false, sort == Sort::Lesson][digit(Dim::Due)],
        reused: digit(Dim::Reused) == 2,
        before: digit(Dim::Before).checked_sub(1).map(|at| State::ALL[at]),
        origin: [Origin::External, Origin::Agent, Origin::User][digit(Dim::Origin)],
        retired_days: [None, Some(29), Some(30)][digit(Dim::Retired)],
        news: flag(Dim::News),
        other_active: flag(Dim::OtherActive),
        itself: flag(Dim::Itself),
    }
}

/// The memory of a case, with its dates as the digits say: passed by a second, due this very
/// second, still to come, or none in a young or an old one.
fn dated(case: &Case, digits: &Digits) -> (Memory, Signals) {
    let (mut memory, mut signals) = (memory_of(case), signals_of(case));
    let second = now().as_second();
    memory.review_after = match digits[Dim::Due as usize] {
        0 => Some(at(second - 1)),
        1 => Some(now()),
        2 => Some(at(second + 1)),
        _ => None,
    };
    if digits[Dim::Due as usize] == 3 {
        memory.created_at = Some(now());
    }
    if digits[Dim::Reused as usize] == 0 {
        signals.last_reuse = None;
    }
    memory.superseded_by = (case.state == State::Superseded).then(|| "the-other".to_owned());
    (memory, signals)
}

#[track_caller]
fn check(case: &Case, digits: &Digits) -> Option<State> {
    let (memory, signals) = dated(case, digits);
    let found = ask_about(case, &memory, &signals);
    let want = allowed(case);
    let Ok(moved) = found else {
        let refusal = found.unwrap_err();
        assert_eq!(None, want, "refused: {refusal}; {case:?}");
        let is_known = matches!(refusal.code, Code::State | Code::Validation);
        assert!(is_known && !refusal.message.is_empty(), "{refusal}; {case:?}");
        return None;
    };
    assert_eq!((moved.from, Some(moved.to)), (case.state, want), "{case:?}");
    check_review_date(case, &memory, &moved);
    want
}

/// R209: 30, 90 and 180 days; what comes back keeps its date.
fn check_review_date(case: &Case, memory: &Memory, moved: &Transition) {
    let days = match (case.ask, moved.to) {
        (Ask::Unarchive | Ask::Restore | Ask::Reinstall, _) => {
            assert_eq!(moved.review_after, memory.review_after);
            return;
        }
        (_, State::Provisional) => Some(30),
        (_, State::Stable) => Some(90),
        (_, State::Canonical) => Some(180),
        _ => None,
    };
    let want = days.map(|days| at(now().as_second() + days * super::cases::DAY));
    assert_eq!(moved.review_after, want, "{case:?}");
}

/// All combinations of the conditions that the ask depends on.
fn combinations(dims: &'static [Dim]) -> impl Iterator<Item = Digits> {
    let total: usize = dims.iter().map(|dim| SIZES[*dim as usize]).product();
    (0..total).map(move |mut number| {
        let mut digits = [0; DIMS];
        for dim in dims {
            digits[*dim as usize] = number % SIZES[*dim as usize];
            number /= SIZES[*dim as usize];
        }
        digits
    })
}

/// R200 to R206, R209, R223, R225, R226, R228, R230: no move is there that the table does not name,
/// and none is missing.
#[test]
fn every_state_every_request_every_edge() {
    let mut random = Random(1);
    let (mut asked, mut moved) = (0_usize, 0_usize);
    let mut edges = std::collections::BTreeSet::new();
    for ask in Ask::ALL {
        let dims = relevant(ask);
        for crossed in combinations(dims) {
            for background in 0..BACKGROUNDS {
                let mut digits = crossed;
                for place in (0..DIMS).filter(|at| dims.iter().all(|dim| *dim as usize != *at)) {
                    digits[place] = match background {
                        0 => 0,
                        1 => SIZES[place] - 1,
                        _ => random.below(SIZES[place]),
                    };
                }
                let case = case_of(ask, &digits);
                asked += 1;
                if check(&case, &digits).is_some() {
                    moved += 1;
                    edges.insert((ask, case.state));
                }
            }
        }
    }
    let named = Ask::ALL.iter().flat_map(|ask| State::ALL.iter().map(move |from| (*ask, *from)));
    let named: Vec<_> = named.filter(|(ask, from)| is_named(*ask, *from)).collect();
    assert_eq!(edges.into_iter().collect::<Vec<_>>(), named);
    // So that a condition that is forgotten above is noticed.
    assert_eq!((asked, moved), (775_680, 95_968));
}
