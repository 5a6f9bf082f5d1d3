//! The whole life of one memory, as people read it.

use super::*;
use crate::kind::Kind;
use crate::memory::MemoryId;

fn at(day: i64) -> Timestamp {
    oldhand_text::time::days_after(Timestamp::from_second(1_700_000_000).unwrap(), day)
}

fn event(event_type: EventType, day: i64, edit: impl FnOnce(&mut Event)) -> Event {
    let mut event = Event::new(event_type, "retry-uploads", at(day));
    event.id = format!("{event_type}{day}");
    edit(&mut event);
    event
}

#[test]
fn a_lesson_that_rose_failed_and_was_set_right() {
    let mut memory =
        Memory::new(MemoryId::of_title("retry uploads"), Kind::Lesson, "Retry uploads");
    memory.origin = Origin::Retrospective;
    memory.state = State::Provisional;
    memory.created_at = Some(at(0));
    memory.evidence = vec!["task:a".into(), "task:b".into()];
    let events = [
        event(EventType::Created, 0, |it| it.to = Some(State::Candidate)),
        event(EventType::Evidence, 3, |it| it.evidence = vec!["task:b".into()]),
        event(EventType::Moved, 3, |it| {
            (it.from, it.to) = (Some(State::Candidate), Some(State::Provisional));
            it.reason = "promoted".into();
        }),
        event(EventType::Applied, 9, |it| {
            it.effect = Some(Effect::Negative);
            it.task = "c".into();
            it.reason = "the upload was \u{202e}refused".into();
        }),
        event(EventType::Reviewed, 20, |it| {
            (it.from, it.to) = (Some(State::UnderReview), Some(State::Provisional));
            it.decision = Some(crate::event::Verdict::Reinstate);
            it.by = "ada".into();
            it.role = "quality".into();
            it.reason = "only when it times out".into();
        }),
    ];
    let trust = TrustPolicy::default();
    let signals = Signals::fold_recorded(&memory, &events, &trust);
    let life = Life {
        memory: &memory,
        events: &events,
        signals: &signals,
        trust: &trust,
        review_due: Some(at(50)),
        now: at(21),
    };
    expect_test::expect![[r#"
        2023-11-14: a retrospective named it, as a lesson, resting on task:a, task:b.
        2023-11-14: written; it began as candidate.
        2023-11-17: seen again: task:b.
        2023-11-17: from candidate to provisional: promoted.
        2023-11-23: used in task c, it failed: the upload was <U+202E>refused.
        2023-12-04: reviewed by ada as quality, decision reinstate, from under_review to provisional: only when it times out.
        It was used 1 time in 1 task: 0 helped, 0 failed since its last review, 0 contradicted.
        Its trust is 0.5: it began at 0.6 (origin retrospective, 2 pieces of evidence), 1 failed at -0.1, always within 0 and 1.
        It is to be looked at again on 2024-01-03.
        Recall serves it when it fits: it is provisional."#]].assert_eq(&tell(&life).join("\n"));
}
