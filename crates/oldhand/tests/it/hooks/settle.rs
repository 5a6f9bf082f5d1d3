//! When a session is over, everything that it was given learns how it went, once.

use serde_json::{Value, json};

use super::stage::{CENTS, Stage, with_cents as stage};

const ID: &str = "keep-money-in-cents";

#[track_caller]
fn one_use(stage: &Stage, id: &str, effect: &str) -> Value {
    let uses = stage.uses(id);
    assert_eq!(uses.len(), 1, "{id}: {uses:#?}");
    assert_eq!(uses[0]["effect"], effect, "{uses:#?}");
    uses[0].clone()
}

/// R211, R212, R214: neutral, since nobody said that it had a part in anything.
#[test]
fn what_was_served_is_used_once_and_neutral() {
    let stage = stage();
    let session = stage.session("s");
    assert!(session.prompt(CENTS).contains(ID));
    session.person(CENTS).runs("cargo test", Ok("test result: ok. 3 passed"));
    session.stop();
    assert!(stage.uses(ID).is_empty(), "the session is not over");
    for _ in 0..3 {
        session.end();
    }
    stage.session("next").start("startup");
    let used = one_use(&stage, ID, "neutral");
    assert!(used["task"].as_str().unwrap().starts_with("session:"), "{used}");
    assert_eq!(used["surface"], "prompt", "R215: one of the enumerated surfaces");
    assert_eq!(used["by"], "claude-code", "R214");
}

/// R212: named by the agent, with a check that passed, that failed, or with none.
#[test]
fn what_the_agent_named_shares_the_outcome() {
    for (outcome, effect) in [
        (Some(Ok("test result: ok. 3 passed")), "positive"),
        (Some(Err("test result: FAILED. 1 failed")), "negative"),
        (None, "neutral"),
    ] {
        let stage = stage();
        let session = stage.session("s");
        session.prompt(CENTS);
        session.person(CENTS).agent_says("I follow `keep-money-in-cents` here.");
        session.edits("src/pay.rs");
        if let Some(outcome) = outcome {
            session.runs("cargo test", outcome);
        }
        session.stop();
        session.end();
        one_use(&stage, ID, effect);
    }
}

/// R212: what was served and not named had no part, whatever came of it.
#[test]
fn what_nobody_named_had_no_part() {
    let stage = stage();
    let text = "The carts hold money amounts as integer cents, not as floats";
    stage.scratch.ok(&[
        "add",
        "reference",
        "--title",
        "Money in carts is kept in cents",
        "--text",
        text,
    ]);
    let session = stage.session("s");
    let told = session.prompt(CENTS);
    assert!(told.contains("money-in-carts-is-kept-in-cents") && told.contains(ID), "{told}");
    session.person(CENTS).agent_says("As keep-money-in-cents says, integers.");
    session.runs("cargo test", Err("error: test failed"));
    session.end();
    one_use(&stage, ID, "negative");
    one_use(&stage, "money-in-carts-is-kept-in-cents", "neutral");
}

/// R212: advice about a place shares the outcome of work in that place, and of no other.
#[test]
fn advice_about_a_place_shares_what_was_done_there() {
    for (file, effect) in [("src/pay/card.rs", "negative"), ("src/mail/send.rs", "neutral")] {
        let stage = Stage::new();
        let rule = "Card numbers are never logged";
        let args = ["constraint", "--title", "No card numbers", "--rule", rule];
        stage.scratch.ok(&[&["add"], &args[..], &["--file", "src/pay/"]].concat());
        let session = stage.session("s");
        session.before("Edit", json!({"file_path": "src/pay/card.rs"}));
        session.person("Log the card, please").agent_says("I heed no-card-numbers.");
        session.edits(file).runs("cargo test", Err("error: test failed"));
        session.stop();
        session.end();
        one_use(&stage, "no-card-numbers", effect);
    }
}

/// R211: the host killed the session, so that the next one settles it.
#[test]
fn a_session_that_never_ended_is_settled_by_a_later_one() {
    let mut stage = stage();
    stage.session("s").prompt(CENTS);
    stage.session("soon").start("startup");
    assert!(stage.uses(ID).is_empty(), "it may still be going on");
    stage.scratch.now = "2026-11-16T12:00:00Z".parse().unwrap();
    stage.session("later").start("startup");
    assert_eq!(stage.uses(ID).len(), 2, "of both sessions that were given it");
    stage.session("later still").start("startup");
    assert_eq!(stage.uses(ID).len(), 2);
}

/// R211: a session that goes on after its end is given more, and that is used as well.
#[test]
fn a_session_that_goes_on_after_its_end_counts_what_came_later() {
    let stage = stage();
    let text = "Deploy on Tuesday mornings, with the release train";
    stage.scratch.ok(&["add", "reference", "--title", "Deploys are on Tuesday", "--text", text]);
    let session = stage.session("s");
    session.prompt(CENTS);
    session.end();
    one_use(&stage, ID, "neutral");
    session.start("resume");
    let told = session.prompt("on which day are deploys with the release train?");
    assert!(told.contains("deploys-are-on-tuesday"), "{told}");
    session.end();
    one_use(&stage, "deploys-are-on-tuesday", "neutral");
    one_use(&stage, ID, "neutral");
}

/// R211: what only a subagent was given was given all the same.
#[test]
fn what_a_subagent_was_given_is_used_too() {
    let stage = stage();
    let session = stage.session("s");
    session.prompt("hello");
    assert!(session.inside("agent-1").prompt(CENTS).contains(ID));
    assert!(session.inside("agent-2").prompt(CENTS).contains(ID));
    session.end();
    one_use(&stage, ID, "neutral");
}

/// R211: off by a setting.
#[test]
fn uses_can_be_switched_off() {
    let stage = stage();
    stage.set("capture.uses", "false");
    let session = stage.session("s");
    session.prompt(CENTS);
    session.end();
    assert!(stage.uses(ID).is_empty());
}

/// R214: what the answer to "what do you remember" names was not put to use.
#[test]
fn an_id_in_the_index_is_no_use() {
    let stage = stage();
    let session = stage.session("s");
    assert!(session.prompt("what do you remember?").contains(ID));
    session.end();
    assert!(stage.uses(ID).is_empty(), "{:?}", stage.uses(ID));
}

/// R222: when work begins, once a day.
#[test]
fn time_is_let_pass_once_a_day_at_the_start_of_a_session() {
    let mut stage = Stage::new();
    let swept = |stage: &Stage| {
        let record = std::fs::read(stage.state_folder().join("store.json")).unwrap_or_default();
        let record: serde_json::Value = serde_json::from_slice(&record).unwrap_or_default();
        record["swept_at"].as_str().unwrap_or_default().to_owned()
    };
    stage.session("one").start("startup");
    let first = swept(&stage);
    assert!(first.contains("2026-11-15T12"), "{first}");
    stage.scratch.now = "2026-11-15T20:00:00Z".parse().unwrap();
    stage.session("two").start("startup");
    assert_eq!(swept(&stage), first, "once a day");
    stage.scratch.now = "2028-11-17T12:00:00Z".parse().unwrap();
    stage.session("three").prompt("hello");
    assert_eq!(swept(&stage), first, "at the start alone");
    stage.session("three").start("startup");
    assert!(swept(&stage).contains("2028-11-17"), "{}", swept(&stage));
}

/// The log has it all, and so has `oldhand stats`.
#[test]
fn every_call_is_in_the_log() {
    let stage = stage();
    let session = stage.session("s");
    session.start("startup");
    session.prompt(CENTS);
    session.before("Write", json!({"file_path": ".oldhand/decisions/x.md"}));
    session.end();
    let events: Vec<Value> = stage.log().iter().map(|line| line["event"].clone()).collect();
    assert_eq!(json!(events), json!(["session_start", "prompt", "before_tool", "session_end"]));
    let stats = stage.scratch.json(&["stats"]);
    assert_eq!(stats["hooks"]["calls"], 4, "{stats}");
    assert_eq!(stats["used"], 1, "{stats}");
    let text = stage.scratch.ok(&["log", "--event", "before_tool"]);
    assert!(text.contains("deny") && text.lines().count() == 1, "{text}");
}
