//! A row says of a memory what its file and its events say.

use jiff::Timestamp;

use super::{Flag, LogFacts, Row};
use crate::content::FieldValue;
use crate::event::{Event, EventType};
use crate::kind::Kind;
use crate::lifecycle::{Life, Request, transition};
use crate::memory::{Memory, MemoryId};
use crate::origin::Origin;
use crate::policy::{LifePolicy, TrustPolicy};
use crate::signals::Signals;
use crate::state::State;

const DAY: i64 = 86_400;

fn at(day: i64) -> Timestamp {
    Timestamp::from_second(day * DAY).unwrap()
}

fn start() -> Signals {
    Signals::start(1, Origin::Agent, &TrustPolicy::default())
}

fn memory(number: usize) -> (Memory, Signals) {
    let kind = [Kind::Decision, Kind::Lesson, Kind::Custom("gem".to_owned())][number % 3].clone();
    let mut memory = Memory::new(MemoryId::of_title(&format!("m {number}")), kind, "A title");
    memory.state = State::ALL[number % State::ALL.len()];
    memory.created_at = (!number.is_multiple_of(5)).then(|| at(100));
    memory.updated_at = (!number.is_multiple_of(7)).then(|| at(120));
    memory.review_after = (!number.is_multiple_of(2)).then(|| at(150 + number as i64));
    memory.refresh_tier = number.is_multiple_of(4).then_some(2);
    if number % 6 < 3 {
        memory.content.set("status", FieldValue::Text("proposed".to_owned()));
    }
    let uses = (number % 11) as u32;
    let mut signals = start();
    signals.reuse_count = uses + 1;
    signals.successful_reuses = uses;
    signals.failed_reuses = 1;
    signals.contradiction_count = u32::from(number.is_multiple_of(13));
    signals.open_contradictions = signals.contradiction_count;
    signals.reviews = 2;
    signals.trust = 0.1 * f64::from(uses);
    signals.last_success = (uses > 0).then(|| at(140));
    signals.under_review_since = (!number.is_multiple_of(3)).then(|| at(145));
    signals.tasks.extend((0..uses / 2).map(|task| format!("task {task}")));
    (memory, signals)
}

#[test]
fn a_row_is_read_as_it_was_written() {
    for number in 0..100 {
        let (memory, signals) = memory(number);
        let row = Row::of(&memory, &signals, 512, number % 2 == 0);
        let bytes = row.to_bytes();
        assert_eq!(Row::of_bytes(&bytes), Some(row.clone()));
        assert_eq!(Row::of_bytes(&bytes[1..]), None);
        assert_eq!(row.state(), memory.state);
        assert_eq!(row.is(&Kind::Lesson), memory.kind == Kind::Lesson);
        assert_eq!(row.has(Flag::Flawed), number % 2 == 0);
        assert_eq!(row.has(Flag::Bound), memory.refresh_tier.is_some());
        assert_eq!(row.created_at(), memory.created_at);
    }
}

#[test]
fn the_rules_of_a_life_see_no_difference() {
    let policy = LifePolicy::default();
    let (mut bare, mut earned) = memory(0);
    for number in 0..1_000 {
        let (memory, signals) = memory(number);
        let row = Row::of(&memory, &signals, 1, false);
        row.memory(&mut bare);
        row.signals(&mut earned);
        let life = |memory, signals| Life {
            memory,
            signals,
            durable: true,
            policy: &policy,
            now: at(200),
        };
        let (whole, short) = (life(&memory, &signals), life(&bare, &earned));
        let approvers = vec!["one".to_owned(), "two".to_owned()];
        let request = Request::Promote { approvers, incidents: 0, is_reasoned: false };
        assert_eq!(transition(whole, &request).is_ok(), transition(short, &request).is_ok());
        assert_eq!(whole.review_due(), short.review_due());
    }
}

#[test]
fn the_log_is_folded_in_any_order() {
    let mut archived = Event::new(EventType::Moved, "a", at(3));
    archived.to = Some(State::Archived);
    let mut looked = Event::new(EventType::Reviewed, "", at(2));
    looked.reason = super::ARCHIVE_REVIEW.to_owned();
    let events = [archived, looked, Event::new(EventType::Applied, "a", at(1))];
    let fold = |order: [usize; 3]| {
        let mut facts = LogFacts::default();
        order.iter().for_each(|number| facts.take(&events[*number]));
        facts
    };
    let facts = fold([0, 1, 2]);
    assert_eq!(facts, fold([2, 0, 1]));
    assert_eq!(facts.first_event(), Some(at(1)));
    assert_eq!(facts.last_archived(), Some(at(3)));
    assert_eq!(facts.last_archive_review(), Some(at(2)));
    assert_eq!(facts.uses, 1);
}
