//! Statements of `evals/capture`, and the cases that a table of them can't show.

use std::collections::BTreeMap;

use super::{Rules, Triage, triage};
use oldhand_core::kind::{Kind, Kinds};
use oldhand_transcripts::{Turn, Voice};

/// Written by hand: what must be caught, and what must not.
const STATEMENTS: &str = include_str!("../../../../../evals/capture/statements.jsonl");

fn turn(voice: Voice, text: &str) -> Turn {
    Turn { line: 7, voice, text: text.to_owned(), ..Turn::default() }
}

fn read(voice: Voice, text: &str) -> Triage {
    triage(&[turn(voice, text)], &Rules::default())
}

fn kinds(voice: Voice, text: &str) -> Vec<Kind> {
    read(voice, text).hits.into_iter().map(|hit| hit.kind).collect()
}

#[test]
fn every_statement_is_what_it_says() {
    let mut wrong = Vec::new();
    for line in STATEMENTS.lines() {
        let statement: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| statement[name].as_str().unwrap();
        let voice = if field("voice") == "person" { Voice::Person } else { Voice::Agent };
        let hits = read(voice, field("text")).hits;
        let found = hits.first().map_or("none", |hit| hit.kind.as_str());
        if found != field("label") {
            wrong.push(format!("{found}, not {}: {}", field("label"), field("text")));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn explicit_statements_score_full() {
    let hit = &read(Voice::Person, "We decided to use Kafka because of the order.").hits[0];
    assert!(hit.explicit);
    assert_eq!((hit.score, hit.line, hit.turn), (1.0, 7, 0));
    assert_eq!(hit.because, "We decided to");
    let hit = &read(Voice::Agent, "We chose SQLite over PostgreSQL because no server has to run.")
        .hits[0];
    assert!(!hit.explicit);
}

#[test]
fn code_and_quotes_are_no_cues() {
    assert_eq!(kinds(Voice::Person, "print `never push to main` in the banner"), []);
    assert_eq!(kinds(Voice::Person, "the message says \"always use tabs\" right now"), []);
    assert_eq!(kinds(Voice::Person, "> Never push to main."), []);
    assert_eq!(kinds(Voice::Person, "## Never push to main"), []);
    assert_eq!(kinds(Voice::Person, "never use `unwrap` in the parser"), [Kind::Constraint]);
}

#[test]
fn a_reason_may_stand_beside() {
    let text = "Never use the second queue. Otherwise the order is lost.";
    let hit = &read(Voice::Person, text).hits[0];
    assert_eq!(hit.reason.as_deref(), Some("Otherwise the order is lost."));
}

#[test]
fn the_same_sentence_counts_once() {
    let text = "Never push to main.\nNever push to main.";
    assert_eq!(kinds(Voice::Person, text), [Kind::Constraint]);
}

#[test]
fn pieces_give_what_the_whole_gives() {
    let turns: Vec<Turn> = STATEMENTS
        .lines()
        .map(|line| {
            let statement: serde_json::Value = serde_json::from_str(line).unwrap();
            let is_person = statement["voice"] == "person";
            let voice = if is_person { Voice::Person } else { Voice::Agent };
            turn(voice, statement["text"].as_str().unwrap())
        })
        .collect();
    let rules = Rules::default();
    let texts = |turns: &[Turn]| -> Vec<String> {
        triage(turns, &rules).hits.into_iter().map(|hit| hit.text).collect()
    };
    let pieces: Vec<String> = turns.chunks(7).flat_map(&texts).collect();
    assert_eq!(texts(&turns), pieces);
}

#[test]
fn thresholds_and_switches_are_honoured() {
    let turns = [turn(Voice::Person, "I think let's have one log per worktree.")];
    let at = |threshold: f64| {
        let rules = Rules::of(&Kinds::default(), &BTreeMap::from([(Kind::Decision, threshold)]));
        triage(&turns, &rules).hits.len()
    };
    assert_eq!((at(0.3), at(0.9)), (1, 0));
    let mut kinds = Kinds::default();
    for switch in [0, 1] {
        let spec = kinds.get_mut(&Kind::Decision).unwrap();
        (spec.enabled, spec.auto_capture) = (switch == 0, switch == 1);
        let wanted = Triage { heard: 1, ..Triage::default() };
        assert_eq!(triage(&turns, &Rules::of(&kinds, &BTreeMap::new())), wanted);
    }
}

#[test]
fn the_best_of_a_category_is_told_below_its_threshold() {
    let rules = Rules::of(&Kinds::default(), &BTreeMap::from([(Kind::Decision, 0.99)]));
    let found = triage(&[turn(Voice::Person, "I think let's have one log per worktree.")], &rules);
    assert!(found.hits.is_empty());
    assert_eq!(found.scores, [(Kind::Decision, 0.4)]);
}
