//! Whose turn it is: fixed cases, and what holds for any order of calls.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use proptest::prelude::*;
use tokio::time::Instant;

use super::{STAYS, Turns};

/// Whether somebody still waits.
type Ticket = Rc<Cell<bool>>;

const MOST: usize = 8;

fn turns(calls: usize) -> Turns<Ticket> {
    Turns::new(calls, |ticket| ticket.get())
}

fn ask(turns: &mut Turns<Ticket>, of: i32, now: Instant) -> bool {
    turns.ask(of, Rc::new(Cell::new(true)), MOST, now).is_ok()
}

/// All that may run now, by their tenants.
fn drain(turns: &mut Turns<Ticket>) -> Vec<i32> {
    std::iter::from_fn(|| turns.next().map(|(of, _)| of)).collect()
}

/// R488.
#[test]
fn a_tenant_alone_has_all_places_and_beside_another_one_not_the_last() {
    let (mut turns, now) = (turns(8), Instant::now());
    for _ in 0..8 {
        assert!(ask(&mut turns, 1, now));
    }
    assert_eq!(drain(&mut turns), [1; 8]);
    assert!(ask(&mut turns, 2, now));
    assert_eq!(drain(&mut turns), [0; 0], "all places are taken");
    assert!(ask(&mut turns, 1, now));
    turns.end(1);
    assert_eq!(drain(&mut turns), [2], "whoever has none comes first");
    turns.end(2);
    assert_eq!(
        drain(&mut turns),
        [0; 0],
        "seven run, and of eight six are one tenant's beside another"
    );
    turns.end(1);
    turns.end(1);
    assert_eq!(drain(&mut turns), [1]);
    assert!(ask(&mut turns, 2, now));
    assert_eq!(drain(&mut turns), [2], "a place was kept");
    turns.end(2);
    let later = now + STAYS;
    assert!(ask(&mut turns, 1, later) && ask(&mut turns, 1, later));
    assert_eq!(drain(&mut turns), [1, 1], "the other one has not asked for long");
}

#[derive(Debug, Clone)]
enum Deed {
    Ask(i32),
    /// Of the calls that run, one ends.
    End(usize),
    /// Of those that wait, one goes away.
    Leave(usize),
    Wait(u64),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        6 => (0..5_i32).prop_map(Deed::Ask),
        4 => (0..64_usize).prop_map(Deed::End),
        1 => (0..64_usize).prop_map(Deed::Leave),
        1 => (0..6_u64).prop_map(Deed::Wait),
    ]
}

/// What must hold, whatever is asked: R488.
#[derive(Default)]
struct Model {
    running: Vec<i32>,
    waiting: Vec<(i32, Ticket)>,
    /// By a tenant that waits and has nothing running: how many places each other one got meanwhile.
    passed: BTreeMap<i32, BTreeMap<i32, usize>>,
}

impl Model {
    fn running_of(&self, of: i32) -> usize {
        self.running.iter().filter(|it| **it == of).count()
    }

    fn waits(&self, of: i32) -> bool {
        self.waiting.iter().any(|(it, ticket)| *it == of && ticket.get())
    }

    fn begin(&mut self, of: i32, ticket: &Ticket) {
        assert!(ticket.get(), "nobody runs who has gone away");
        let first = self.waiting.iter().position(|(it, other)| *it == of && other.get());
        let (_, first) = self.waiting.remove(first.expect("whoever runs has waited"));
        assert!(Rc::ptr_eq(&first, ticket), "in the order of their tenant");
        self.running.push(of);
        self.passed.remove(&of);
        for (tenant, by) in &mut self.passed {
            let by = by.entry(of).or_default();
            *by += 1;
            assert!(*by <= 1, "{of} came twice before {tenant}, which had nothing running");
        }
    }

    /// Which tenants wait with nothing running.
    fn note(&mut self) {
        for of in 0..5 {
            if self.waits(of) && self.running_of(of) == 0 {
                self.passed.entry(of).or_default();
            } else {
                self.passed.remove(&of);
            }
        }
    }
}

proptest! {
    #[test]
    fn places_are_bounded_shared_and_given_in_turn(
        calls in 1..9_usize,
        deeds in prop::collection::vec(deed(), 1..200),
    ) {
        let (mut turns, mut now, mut model) = (turns(calls), Instant::now(), Model::default());
        for deed in deeds {
            match deed {
                Deed::Ask(of) => {
                    let ticket: Ticket = Rc::new(Cell::new(true));
                    let waiting = model.waiting.iter().filter(|(it, _)| *it == of).count();
                    let taken = turns.ask(of, ticket.clone(), MOST, now).is_ok();
                    prop_assert_eq!(taken, waiting < MOST);
                    model.waiting.extend(taken.then_some((of, ticket)));
                }
                Deed::End(at) if !model.running.is_empty() => {
                    let at = at % model.running.len();
                    turns.end(model.running.remove(at));
                }
                Deed::Leave(at) if !model.waiting.is_empty() => {
                    let at = at % model.waiting.len();
                    model.waiting.remove(at).1.set(false);
                }
                Deed::Wait(seconds) => now += Duration::from_secs(seconds),
                Deed::End(_) | Deed::Leave(_) => {}
            }
            model.note();
            while let Some((of, ticket)) = turns.next() {
                prop_assert!(model.running_of(of) < turns.share());
                model.begin(of, &ticket);
            }
            prop_assert!(model.running.len() <= calls);
            // No place is empty that somebody may have.
            let may_run = |of: i32| model.waits(of) && model.running_of(of) < turns.share();
            prop_assert!(model.running.len() == calls || !(0..5).any(may_run));
            model.note();
        }
    }
}
