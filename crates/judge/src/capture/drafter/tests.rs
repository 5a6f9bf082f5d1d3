//! What a draft is made of, and that every draft can be written.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Source, draft};
use crate::capture::triage::{Hit, Rules, triage};
use oldhand_core::content::FieldValue;
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::origin::Origin;
use oldhand_core::policy::WritePolicy;
use oldhand_core::write::{Created, Writer, create};
use oldhand_text::secrets;
use oldhand_transcripts::{Turn, Voice};

const STATEMENTS: &str = include_str!("../../../../../evals/capture/statements.jsonl");
const SOURCE: Source<'static> = Source { session: "5e55-10", host: "claude-code", is_typed: false };

fn turn(voice: Voice, line: usize, text: &str) -> Turn {
    Turn { line, voice, text: text.to_owned(), ..Turn::default() }
}

/// The memory that would be written, or why it would not.
fn written(draft: &oldhand_core::draft::Draft) -> Result<oldhand_core::memory::Memory, String> {
    let writer = Writer {
        kinds: &Kinds::default(),
        policy: &WritePolicy::default(),
        origin: Origin::Capture,
        now: "2026-06-01T00:00:00Z".parse().unwrap(),
    };
    match create(draft, writer, &|_| Ok(None)) {
        Ok(Created::New(memory)) => Ok(*memory),
        Ok(Created::Unchanged(_)) => Err("unchanged".to_owned()),
        Err(refusal) => Err(format!("{refusal:?}")),
    }
}

#[track_caller]
fn check(turns: &[Turn], want: Expect) {
    let hits = triage(turns, &Rules::default()).hits;
    let memory = written(&draft(&hits[0], turns, &SOURCE).unwrap()).unwrap();
    let mut shown = format!("{}: {}\n", memory.kind, memory.title);
    for (name, value) in memory.content.iter() {
        let value = match value {
            FieldValue::Text(text) => text.clone(),
            other => other.plain(),
        };
        shown.push_str(&format!("{name}: {value}\n"));
    }
    shown.push_str(&format!(
        "{:?} {:?} {:?} {:?}\n",
        memory.tags, memory.related_files, memory.confidence, memory.evidence
    ));
    want.assert_eq(&shown);
}

#[test]
fn a_decision() {
    let turns = [
        turn(Voice::Person, 4, "How should we store sessions?"),
        turn(
            Voice::Person,
            9,
            "ok, we decided to use SQLite instead of Postgres because no server runs here, see src/store.rs.",
        ),
    ];
    check(
        &turns,
        expect![[r#"
            decision: Use SQLite instead of Postgres
            alternatives: Postgres: 
            context: How should we store sessions?
            decision: ok, we decided to use SQLite instead of Postgres because no server runs here, see src/store.rs.
            rationale: because no server runs here, see src/store.rs.
            status: accepted
            ["postgres", "server", "sqlite"] ["src/store.rs"] Some(0.8) ["transcript:5e55-10#L9"]
        "#]],
    );
}

#[test]
fn a_constraint() {
    check(
        &[turn(Voice::Person, 2, "Never push to main. Otherwise the release breaks.")],
        expect![[r#"
            constraint: Never push to main
            impact: Otherwise the release breaks.
            kind: policy
            rule: Never push to main.
            severity: high
            ["main"] [] Some(0.8) ["transcript:5e55-10#L2"]
        "#]],
    );
}

#[test]
fn a_preference() {
    check(
        &[turn(
            Voice::Person,
            2,
            "From now on, always use tabs rather than spaces, since gofmt does",
        )],
        expect![[r#"
            preference: Always use tabs rather than spaces
            avoid: spaces
            reason: since gofmt does
            strength: strong
            value: From now on, always use tabs rather than spaces, since gofmt does
            ["gofmt"] [] Some(0.8) ["transcript:5e55-10#L2"]
        "#]],
    );
}

#[test]
fn a_runbook() {
    check(
        &[turn(
            Voice::Person,
            2,
            "When the dev server hangs, delete the .cache folder and restart it.",
        )],
        expect![[r#"
            runbook: When the dev server hangs, delete the .cache folder and restart it
            steps: delete the .cache folder and restart it.
            symptoms: When the dev server hangs
            trigger: When the dev server hangs
            ["cache", "dev", "hangs", "restart", "server"] [] Some(0.61) ["transcript:5e55-10#L2"]
        "#]],
    );
}

#[test]
fn a_debt() {
    check(
        &[turn(
            Voice::Person,
            2,
            "We'll leave the old parser for now because the release is tomorrow.",
        )],
        expect![[r#"
            tech_debt: We'll leave the old parser for now
            description: We'll leave the old parser for now because the release is tomorrow.
            priority: medium
            reason_deferred: because the release is tomorrow.
            status: open
            ["parser", "release"] [] Some(0.8) ["transcript:5e55-10#L2"]
        "#]],
    );
}

#[test]
fn a_fact() {
    check(
        &[turn(Voice::Person, 2, "Please remember: the demo account is reset on Sundays.")],
        expect![[r#"
            reference: The demo account is reset on Sundays
            text: Please remember: the demo account is reset on Sundays.
            ["account", "demo", "reset", "sundays"] [] Some(0.8) ["transcript:5e55-10#L2"]
        "#]],
    );
}

#[test]
fn a_secret_is_not_drafted() {
    let text = "Remember that the token is ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let turns = [turn(Voice::Person, 2, text)];
    let hits = triage(&turns, &Rules::default()).hits;
    assert!(!secrets::scan(text).is_empty());
    assert_eq!(draft(&hits[0], &turns, &SOURCE), None);
}

#[test]
fn every_statement_can_be_written() {
    for line in STATEMENTS.lines() {
        let statement: serde_json::Value = serde_json::from_str(line).unwrap();
        let voice = if statement["voice"] == "person" { Voice::Person } else { Voice::Agent };
        let turns = [turn(voice, 1, statement["text"].as_str().unwrap())];
        for hit in triage(&turns, &Rules::default()).hits {
            let draft = draft(&hit, &turns, &SOURCE).unwrap();
            assert_eq!(written(&draft).map(|memory| memory.kind), Ok(hit.kind), "{line}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_words_can_be_written(
        words in prop::collection::vec("[A-Za-zÀ-ÿ0-9_./:,'`*()#-]{1,12}|because|instead of|when|fixed by|never|决定", 1..40),
        reason in prop::option::of("[a-z ,.]{0,60}"),
        kind in 0_usize..6,
    ) {
        let kind = [Kind::Decision, Kind::Constraint, Kind::Preference, Kind::Runbook, Kind::TechDebt, Kind::Reference][kind].clone();
        let text = format!("word {}", words.join(" "));
        let turns = [turn(Voice::Person, 1, "the prompt that led to it"), turn(Voice::Agent, 2, &text)];
        let hit = Hit { kind, score: 0.5, explicit: false, turn: 1, line: 2, voice: Voice::Agent, text, reason, because: String::new() };
        if let Some(draft) = draft(&hit, &turns, &SOURCE) {
            prop_assert_eq!(written(&draft).err(), None);
        }
    }
}
