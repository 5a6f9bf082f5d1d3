//! A million steps at random: whatever is asked, in whatever order, the rules hold.

mod invariants;
pub(super) mod random;
mod world;

use std::collections::BTreeMap;

use self::invariants::{check_all, check_done, check_folds};
use self::random::Random;
use self::world::{Done, World};
use super::cases::{DAY, at};
use super::oracle::{Ask, allowed, is_named};
use crate::state::State;

const STEPS: usize = 1_000_000;
/// Long enough for a canonical memory that is reviewed three times, short enough to fold often.
const STEPS_OF_A_WORLD: usize = 200;

/// How often what is asked for, of a hundred; the rest are uses.
const ASKS: &[(Ask, usize)] = &[
    (Ask::Promote, 16),
    (Ask::ReviewWish, 3),
    (Ask::ReviewConflict, 3),
    (Ask::ReviewSignals, 2),
    (Ask::Reinstate, 7),
    (Ask::Reject, 2),
    (Ask::Keep, 2),
    (Ask::Supersede, 2),
    (Ask::Archive, 3),
    (Ask::Unarchive, 5),
    (Ask::Retire, 2),
    (Ask::Restore, 5),
    (Ask::Reinstall, 4),
    (Ask::Collect, 3),
    (Ask::Sweep, 4),
    (Ask::Revive, 7),
];

/// What was seen on the way.
#[derive(Default)]
struct Seen {
    edges: BTreeMap<(Ask, State), BTreeMap<State, usize>>,
    moves: usize,
}

/// Mostly something that the state allows at all: most of the rest is refused.
fn pick_for(state: State, random: &mut Random) -> Option<Ask> {
    let mut ask = pick(random);
    for _ in 0..4 {
        match ask {
            Some(unfit) if !is_named(unfit, state) && random.percent(80) => ask = pick(random),
            _ => break,
        }
    }
    ask
}

fn pick(random: &mut Random) -> Option<Ask> {
    let mut number = random.below(100);
    for (ask, share) in ASKS {
        match number.checked_sub(*share) {
            None => return Some(*ask),
            Some(rest) => number = rest,
        }
    }
    None
}

fn step(world: &mut World, random: &mut Random) -> Option<Done> {
    let hours = random.pick(&[0, 0, 1, 24, 24 * 3, 24 * 31]);
    world.now = at(world.now.as_second() + hours * DAY / 24);
    let who = random.below(world.all.len());
    let is_new = random.percent(50);
    let picked = pick_for(world.all[who].memory.state, random);
    let (was_used, was_seen) = (picked.is_none(), picked == Some(Ask::Revive));
    let ask = match picked {
        None => world.use_it(who, random),
        Some(Ask::Revive) => world.add_evidence(who, is_new),
        other => other,
    };
    let (mut case, other) = world.case(who, ask?, random);
    match case.ask {
        Ask::Revive => case.news = is_new,
        // Evidence alone speaks for it: nobody was asked.
        Ask::Promote if was_seen => (case.approvers, case.incidents) = (&[], 0),
        Ask::ReviewWish if was_used => case.reason = "asked for after a use",
        _ => {}
    }
    let want = allowed(&case);
    // R225: what a use asks for happens at once.
    assert!(!was_used || want.is_some(), "a use moves it: {case:?}");
    let done = world.ask(who, &case, other);
    assert_eq!(done.map(|done| done.to), want, "{case:?}");
    done
}

fn walk(random: &mut Random, seen: &mut Seen) {
    let mut world = World::new(random);
    for _ in 0..STEPS_OF_A_WORLD {
        if let Some(done) = step(&mut world, random) {
            check_done(&mut world, done);
            *seen.edges.entry((done.ask, done.from)).or_default().entry(done.to).or_default() += 1;
            seen.moves += 1;
        }
        check_all(&world);
    }
    check_folds(&world, random);
}

/// R201, R203, R205, R221, R223, R225, R226, R228, R230, R231.
#[test]
fn a_million_steps() {
    let mut random = Random(20_240_229);
    let mut seen = Seen::default();
    for _ in 0..STEPS / STEPS_OF_A_WORLD {
        walk(&mut random, &mut seen);
    }
    assert!(seen.moves > STEPS / 10, "only {} steps moved anything", seen.moves);
    let mut table = String::new();
    for ((ask, from), to) in &seen.edges {
        let to: Vec<&str> = to.keys().map(|state| state.as_str()).collect();
        table.push_str(&format!("{ask:?} {from}: {}\n", to.join(" ")));
    }
    expect_test::expect![[r#"
        Promote candidate: provisional
        Promote provisional: stable
        Promote stable: canonical
        ReviewWish candidate: under_review
        ReviewWish provisional: under_review
        ReviewWish stable: under_review
        ReviewWish canonical: under_review
        ReviewWish decayed: under_review
        ReviewConflict stable: under_review
        ReviewConflict canonical: under_review
        ReviewSignals candidate: under_review
        ReviewSignals provisional: under_review
        ReviewSignals stable: under_review
        ReviewSignals canonical: under_review
        ReviewSignals decayed: under_review
        Reinstate under_review: candidate provisional stable canonical decayed
        Reject candidate: rejected
        Reject under_review: rejected
        Keep candidate: candidate
        Keep provisional: provisional
        Keep stable: stable
        Keep canonical: canonical
        Revive decayed: provisional
        Revive rejected: candidate
        Supersede candidate: superseded
        Supersede provisional: superseded
        Supersede stable: superseded
        Supersede canonical: superseded
        Supersede under_review: superseded
        Supersede decayed: superseded
        Archive candidate: archived
        Archive provisional: archived
        Archive stable: archived
        Archive canonical: archived
        Archive under_review: archived
        Archive decayed: archived
        Unarchive archived: candidate provisional stable canonical under_review decayed
        Retire candidate: retired
        Retire provisional: retired
        Retire stable: retired
        Retire canonical: retired
        Retire under_review: retired
        Retire decayed: retired
        Restore retired: candidate provisional stable canonical under_review decayed
        Reinstall superseded: candidate provisional stable canonical under_review decayed
        Collect retired: archived
        Sweep provisional: decayed
        Sweep stable: decayed
        Sweep canonical: decayed
    "#]]
    .assert_eq(&table);
}
