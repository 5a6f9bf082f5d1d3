//! R26: what people say all day needs no memory, and gets none.

use std::path::Path;

use serde_json::Value;

use super::stage::Stage;

pub(super) const PROMPTS: &[&str] = &[
    "run the tests",
    "commit this",
    "fix the typo in the readme",
    "what time is it",
    "thanks!",
    "continue",
    "add a unit test for this function",
    "rename this variable",
    "yes",
    "no, the other one",
    "looks good, go ahead",
    "undo that last edit",
    "what does this function do?",
    "explain the error above",
    "make it shorter",
    "show me the diff",
    "format the file",
    "sort these imports",
    "add a comment here",
    "remove the debug print",
    "split this function in two",
    "why did you change that line?",
    "list the files you touched",
    "try again",
    "push it",
    "create a new branch",
    "write a commit message",
    "summarise what you did",
    "please fix the lint warnings",
    "can you double check that?",
    "open a pull request",
    "stop",
];

/// All of `evals/coding`, each as what it is; one that clashes with another is left out.
pub(super) fn stage() -> Stage {
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals/coding/docs.jsonl");
    let stage = Stage::new();
    for line in std::fs::read_to_string(set).unwrap().lines() {
        let doc: Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| doc[name].as_str().unwrap();
        let (kind, flag) = match field("kind") {
            "decision" => ("decision", "--decision"),
            "constraint" => ("constraint", "--rule"),
            "preference" => ("preference", "--value"),
            "runbook" => ("runbook", "--steps"),
            _ => ("reference", "--text"),
        };
        stage.scratch.run(&["add", kind, "--title", field("title"), flag, field("text")]);
    }
    stage.scratch.ok(&["reindex"]);
    let count = stage.ids(&["--state", "stable"]).len();
    assert!(count >= 60, "{count}");
    stage
}

#[test]
fn everyday_prompts_get_nothing_and_a_question_is_answered() {
    let stage = stage();
    let mut told: Vec<String> = Vec::new();
    for (number, prompt) in PROMPTS.iter().enumerate() {
        let session = stage.session(&format!("everyday-{number}"));
        if !session.prompt(prompt).is_empty() {
            let line = stage.log().pop().unwrap();
            let scores = stage.scratch.json(&["recall", prompt])["memories"].clone();
            let scores: Vec<String> = scores
                .as_array()
                .unwrap()
                .iter()
                .map(|it| format!("{} {}", it["id"], it["score"]))
                .collect();
            told.push(format!("{prompt:?}: {} ({})", line["served"], scores.join(", ")));
        }
    }
    // The same store is not mute.
    let text = stage.session("s").prompt("how do we round invoice lines, half to even?");
    assert!(text.contains("<memory id="), "{}", stage.last_note());
    assert!(told.is_empty(), "{} of {}:\n{}", told.len(), PROMPTS.len(), told.join("\n"));
}
