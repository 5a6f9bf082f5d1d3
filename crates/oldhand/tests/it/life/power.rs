//! The power fails at any moment of a day in which memories are used, stopped, settled, learned,
//! promoted and swept, see `crash.rs`.

use oldhand_app::Engine;
use oldhand_app::learn::Lessons;
use oldhand_app::pending::Resolution;
use oldhand_app::promote::PromotionRequest;
use oldhand_app::usage::{TaskEnd, Use};
use oldhand_core::content::FieldValue;
use oldhand_core::credit::Signs;
use oldhand_core::draft::Draft;
use oldhand_core::event::Effect;
use oldhand_core::kind::Kind;
use oldhand_core::origin::Origin;
use oldhand_core::task::{Outcome, TaskSignals};
use oldhand_judge::retro;
use oldhand_store::failure::Failure;

use crate::crash::{Write, every_crash, settle};

fn decision(title: &str) -> Draft {
    let mut draft = Draft::titled(Kind::Decision, title);
    draft.set_content("decision", FieldValue::Text(title.to_owned()));
    draft
}

fn apply(engine: &Engine<'_>, name: &str, task: &str) {
    let one = Use {
        effect: Effect::Positive,
        task,
        role: "",
        surface: None,
        followup: None,
        notes: "it helped",
    };
    settle(engine.upkeep().use_memory(name, None, &one));
}

fn end(engine: &Engine<'_>, task: &str, served: &[String]) {
    let signals =
        TaskSignals { failure_class: Some("flaky-test".to_owned()), ..TaskSignals::default() };
    settle(engine.upkeep().end_task(&TaskEnd {
        task,
        outcome: Outcome::Failed,
        served,
        signs: Signs { words: served, ..Signs::default() },
        used: &[],
        surface: None,
        signals,
        notes: "",
        most_useful: &[],
    }));
}

const LESSON: &str = "freeze-the-clock-in-tests";

const DAY: &[Write] = &[
    |engine| settle(engine.writing().create(&decision("Enable strict mode"), Origin::User)),
    |engine| {
        let stopped = engine.writing().create(&decision("Disable strict mode"), Origin::Agent);
        assert!(matches!(stopped, Err(Failure::Stopped(_))));
    },
    |engine| apply(engine, "enable-strict-mode", "t1"),
    |engine| {
        let name = "conflict-disable-strict-mode";
        settle(engine.gate().resolve(name, Resolution::Supersede, "it is slow"));
    },
    |engine| {
        let text = r#"["Freeze the clock in tests", "Never log the access token"]"#;
        let retrospective = retro::parse(text).unwrap();
        let lessons = Lessons {
            retrospective: &retrospective,
            task: "t1",
            source: "retrospective:t1",
            evidence: &[],
        };
        settle(engine.learning().learn(&lessons));
    },
    |engine| {
        let ask = PromotionRequest {
            approver: Some("ada"),
            reason: "seen often",
            ..PromotionRequest::default()
        };
        settle(engine.life().promote(LESSON, &ask));
    },
    |engine| apply(engine, LESSON, "t2"),
    |engine| settle(engine.trail().undo()),
    |engine| settle(engine.trail().undo()),
    |engine| end(engine, "t3", &[LESSON.to_owned(), "disable-strict-mode".to_owned()]),
    |engine| end(engine, "t4", &[LESSON.to_owned()]),
    |engine| end(engine, "t5", &[]),
    |engine| settle(engine.upkeep().sweep()),
];

#[test]
fn every_crash_keeps_a_life() {
    let states = every_crash(DAY, 100);
    assert!(states >= 10_000, "only {states} crash states");
}
