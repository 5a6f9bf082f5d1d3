//! Sessions told in short, and what is left of them.

use proptest::prelude::*;

use super::*;
use oldhand_core::content::FieldValue;
use oldhand_core::draft::Draft;
use oldhand_transcripts::{ToolResult, ToolUse, Voice};

fn turn(voice: Voice, text: &str) -> Turn {
    let (uses, results) = (Vec::new(), Vec::new());
    Turn { line: 1, voice, text: text.to_owned(), uses, results, ..Turn::default() }
}

/// `me: …` and `agent: …` speak, `$ …` runs, `ok …` and `err …` answer the newest command,
/// `edit …` changes a file, which `refused …` answers too, `todo a,b*` writes the list with `b` done,
/// `called` is a program.
fn session(lines: &[&str]) -> Vec<Turn> {
    let mut count = 0;
    lines.iter().map(|line| one(line, &mut count)).collect()
}

fn one(line: &str, count: &mut usize) -> Turn {
    let (what, rest) = line.split_once(' ').unwrap_or((line, ""));
    let mut agent = turn(Voice::Agent, "");
    let named = |name: &str| ToolUse { name: name.to_owned(), ..ToolUse::default() };
    match what {
        "me:" => return turn(Voice::Person, rest),
        "called" => return Turn { is_by_program: true, ..turn(Voice::Person, "") },
        "agent:" => return turn(Voice::Agent, rest),
        "$" => {
            *count += 1;
            let command = Some(rest.to_owned());
            agent.uses.push(ToolUse { id: count.to_string(), command, ..named("Bash") });
        }
        "ok" | "err" => agent.results.push(ToolResult {
            id: count.to_string(),
            is_error: what == "err",
            text: rest.to_owned(),
        }),
        "edit" => {
            *count += 1;
            let (id, paths) = (count.to_string(), vec![rest.to_owned()]);
            agent.uses.push(ToolUse { id, paths, is_edit: true, ..named("Edit") });
        }
        "refused" => agent.results.push(ToolResult {
            id: count.to_string(),
            is_error: true,
            text: format!("The user doesn't want to proceed with this tool use. {rest}"),
        }),
        "todo" => {
            let todos =
                rest.split(',').map(|it| (it.trim_end_matches('*').to_owned(), it.ends_with('*')));
            agent.uses.push(ToolUse { todos: todos.collect(), ..named("TodoWrite") });
        }
        "task" => agent
            .uses
            .push(ToolUse { todos: vec![(rest.to_owned(), false)], ..named("TaskCreate") }),
        "done" => {
            agent.uses.push(ToolUse { todos: vec![(rest.to_owned(), true)], ..named("TaskUpdate") })
        }
        other => panic!("unknown line {other}"),
    }
    agent
}

fn working(lines: &[&str]) -> Working {
    let mut working = Working::default();
    working.absorb(&session(lines));
    working
}

#[track_caller]
fn notes(lines: &[&str], want: &[&str]) {
    assert_eq!(working(lines).facts(), want);
}

#[test]
fn notes_are_facts() {
    notes(&["me: yes"], &[]);
    notes(&["me: ok", "me: add a cache", "me: yes please"], &["asked first: add a cache"]);
    notes(
        &["me: add a cache", "edit a.rs", "edit b.rs", "edit a.rs", "me: and test it"],
        &[
            "asked first: add a cache",
            "last asked: and test it",
            "changed, newest first: a.rs, b.rs",
        ],
    );
    notes(
        &["me: add a cache", "todo plan*,write,test", "todo plan*,write*,test"],
        &["asked first: add a cache", "to do: test"],
    );
    notes(&["task plan", "task write", "done #1", "done #9", "done x"], &["to do: write"]);
    notes(&["me: a\u{202e}b c\nd of it"], &["asked first: ab c d of it"]);
    notes(
        &["agent: Implement the following plan: Split it"],
        &["asked first: Implement the following plan: Split it"],
    );
}

/// R561: an edit that was refused, failed or taken back changed nothing.
#[test]
fn only_what_was_changed_is_told() {
    let changed = |lines: &[&str]| {
        let facts = working(lines).facts();
        facts.iter().find_map(|it| it.strip_prefix("changed, newest first: ").map(str::to_owned))
    };
    let check = |lines: &[&str], want: &str| {
        assert_eq!(changed(lines).unwrap_or_default(), want, "{lines:?}");
    };
    check(&["edit a.rs", "ok", "edit b.rs", "refused it"], "a.rs");
    check(&["edit a.rs", "err File has not been read yet"], "");
    check(&["edit a.rs", "refused it", "edit a.rs", "ok"], "a.rs");
    check(&["edit a.rs", "ok", "edit a.rs", "refused it"], "a.rs");
    check(&["edit a.rs", "edit b.rs"], "b.rs, a.rs");
    check(&["edit /r/a.rs", "ok", "edit b.rs", "ok", "$ git checkout -- a.rs", "ok"], "b.rs");
    check(&["edit a.rs", "ok", "$ git restore a.rs", "err no such file"], "a.rs");
    let committed =
        ["edit a.rs", "ok", "$ git commit -m x", "ok [main 1a2b3c4] x", "edit b.rs", "ok"];
    check(&[&committed[..], &["$ git stash", "ok"]].concat(), "a.rs");
    let next = working(
        &[&["me: add a cache"], &["edit a.rs", "refused no"][..], &["agent: The cache stays out."]]
            .concat(),
    );
    assert_eq!(next.asked(), "", "nobody knows whether anything is left");
}

/// R561: what a pipe or a background hides is no success.
#[test]
fn a_check_whose_end_is_hidden_did_not_pass() {
    let last = |lines: &[&str]| working(lines).last_check.map(|it| it.passed);
    assert_eq!(last(&["$ cargo clippy | tail", "ok warning: unused"]), None);
    assert_eq!(last(&["$ cargo test 2>&1 | tail -3", "ok 3 passed, 0 failed"]), Some(true));
    assert_eq!(last(&["$ cargo test &", "ok Command running in background with ID: b1"]), None);
}

/// R562: a list that was not kept up to date says nothing about what is open.
#[test]
fn an_old_list_is_not_told() {
    let open = |lines: &[&str]| working(lines).pending();
    let none: [&str; 0] = [];
    let begun = ["me: add a cache", "todo plan*,write"];
    assert_eq!(open(&begun), ["write"]);
    assert_eq!(open(&[&begun[..], &["edit a.rs"]].concat()), ["write"]);
    assert_eq!(
        open(&[&begun[..], &["$ cargo test", "ok fine", "agent: It works."]].concat()),
        none
    );
    assert_eq!(open(&[&begun[..], &["agent: Next comes the writing."]].concat()), ["write"]);
    assert_eq!(open(&[&begun[..], &["edit a.rs", "agent: It is written."]].concat()), none);
    assert_eq!(open(&[&begun[..], &["me: and now the docs"]].concat()), none);
    assert_eq!(open(&[&begun[..], &["$ git commit", "ok [main 1a2b3c4] Cache"]].concat()), none);
    let later = working(&[&begun[..], &["me: and now the docs", "edit b.md"]].concat());
    assert_eq!(later.last_done(), None, "a change is not known to be complete");
}

/// R562: the last prompt is told only where the last answer can be for nothing else.
#[test]
fn an_answer_is_not_told_beside_another_prompt() {
    let asked = |lines: &[&str]| {
        let facts =
            working(&[&["me: why is it slow", "agent: It is large."], lines].concat()).facts();
        facts.iter().find_map(|it| it.strip_prefix("last asked: ").map(str::to_owned))
    };
    let check = |lines: &[&str], want: &str| {
        assert_eq!(asked(lines).unwrap_or_default(), want, "{lines:?}");
    };
    check(&["me: fix it then", "agent: It is fixed."], "fix it then");
    check(&["me: fix it then", "agent: It is fixed.", "me: ok", "agent: Committed."], "");
    let question =
        ["me: fix it then", "agent: Should I split it?", "me: yes", "agent: It is split."];
    check(&question, "yes (to: Should I split it?)");
    check(&["me: fix it then", "$ ls", "ok a.rs", "me: and b.rs", "agent: Both are fixed."], "");
    check(&["me: fix it then", "$ ls", "ok a.rs", "me: and b.rs", "edit b.rs"], "and b.rs");
    check(
        &["me: fix it then", "agent: It is fixed.", "called", "agent: Two threads are open."],
        "",
    );
    check(&["me: fix it then", "agent: It is fixed.", "called"], "fix it then");
    let called = working(&["me: fix it", "agent: It is fixed.", "called", "edit a.rs"]);
    assert_eq!(called.asked(), "", "nobody said what it works on");
}

#[test]
fn a_failure_is_kept_until_it_is_fixed() {
    let broken =
        &["$ cargo test", "err Exit code 101\nrunning 3 tests\nerror[E0425]: cannot find `x`"];
    notes(
        broken,
        &[
            "not fixed: `cargo test`: error[E0425]: cannot find `x`",
            "last check failed: `cargo test`",
        ],
    );
    let fixed =
        [broken, ["edit src/a.rs", "$ cd /r && cargo test 2>&1 | tail", "ok fine"].as_slice()];
    notes(
        &fixed.concat(),
        &[
            "last check passed: `cd /r && cargo test 2>&1 | tail`",
            "changed, newest first: src/a.rs",
        ],
    );
    // One part that passes does not stand for the whole; another program of the class does.
    let part = [broken, ["$ cargo test -p core", "ok fine"].as_slice()];
    notes(
        &part.concat(),
        &[
            "not fixed: `cargo test`: error[E0425]: cannot find `x`",
            "last check passed: `cargo test -p core`",
        ],
    );
    let chain = ["$ make lint", "err x: error", "$ cargo build && make lint", "ok fine"];
    notes(&chain, &["last check passed: `cargo build && make lint`"]);
    let class = [broken, ["$ mise run test:ci", "ok fine"].as_slice()];
    notes(&class.concat(), &["last check passed: `mise run test:ci`"]);
    notes(
        &["$ shellcheck x", "err bash: shellcheck: command not found"],
        &["last check failed: `shellcheck x`"],
    );
    notes(&["$ ./deploy", "err it broke"], &[]);
    notes(&["$ grep x a", "err Exit code 1"], &[]);
    notes(&["$ ./deploy", "err The user doesn't want to proceed"], &[]);
    notes(
        &["$ cargo test | tail", "ok test result: FAILED. 1 passed"],
        &[
            "not fixed: `cargo test | tail`: test result: FAILED. 1 passed",
            "last check failed: `cargo test | tail`",
        ],
    );
}

#[track_caller]
fn checks(command: &str, want: bool) {
    assert_eq!(command::Command::of(command).is_check(), want, "{command}");
}

#[test]
fn checks_are_recognised() {
    for command in [
        "cargo test",
        "cargo clippy --all",
        "npm test",
        "npm run lint",
        "pnpm run test:ci",
        "pytest -q",
        "python -m pytest tests",
        "uv run pytest",
        "go vet ./...",
        "make",
        "make lint",
        "mvn verify",
        "npx tsc --noEmit",
        "./gradlew build",
        "RUST_LOG=x cargo nextest run",
        "mise run test:ci",
        "cd a && timeout 60 go test ./... 2>&1 | tail",
        "./node_modules/.bin/eslint .",
    ] {
        checks(command, true);
    }
    for command in
        ["cargo run", "npm install", "git commit -m 'fix test'", "ls", "echo test", "", "2>&1"]
    {
        checks(command, false);
    }
}

/// Some hosts give calls no id: the results come in the order of the calls.
#[test]
fn calls_without_an_id_are_answered_in_order() {
    let mut turns =
        session(&["$ make", "$ cargo test", "ok built", "err 1 failed", "$ ls", "ok a"]);
    for turn in &mut turns {
        turn.uses.iter_mut().for_each(|tool| tool.id.clear());
        turn.results.iter_mut().for_each(|result| result.id.clear());
    }
    for cut in 0..turns.len() {
        let mut working = Working::default();
        working.absorb(&turns[..cut]);
        working.absorb(&turns[cut..]);
        assert!(working.running.is_empty(), "{cut}");
        assert_eq!(working.last_check_passed(), Some(false), "{cut}");
    }
}

#[test]
fn talk_alone_is_no_activity() {
    let activity = |lines: &[&str]| working(lines).activity();
    assert_eq!(activity(&["me: hm"; 30]), 0.0);
    assert_eq!(activity(&["me: what do you think of it?"; 30]), 0.0);
    assert!((activity(&["me: add a cache", "edit a.rs"]) - 0.17).abs() < 1e-9);
    assert_eq!(activity(&["$ ls"; 60]), 1.0);
}

#[test]
fn secrets_are_withheld() {
    let token = format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6");
    let lines = [
        format!("me: use {token} for it"),
        format!("$ curl -H 'Authorization: token {token}' x"),
        format!("err Exit code 1\nerror: {token}"),
        format!("todo log in with {token}"),
    ];
    let working = working(&lines.each_ref().map(String::as_str));
    assert_eq!(working.goal, WITHHELD);
    assert!(!serde_json::to_string(&working).unwrap().contains(&token[..12]));
}

#[test]
fn ids_are_words() {
    let turns = session(&["agent: as `use-cents` says, not use-cents-2"]);
    assert!(mentions(&turns, "use-cents") && mentions(&turns, "use-cents-2"));
    assert!(!mentions(&turns, "cents") && !mentions(&turns, "use") && !mentions(&turns, ""));
}

#[track_caller]
fn ends(lines: &[&str], want: &str) -> Draft {
    let lines = [&["me: add a cache", "edit a.rs"], lines].concat();
    let draft = working(&lines).summary("s1", "2026-06-01").unwrap();
    let outcome = draft.content.iter().find(|(name, _)| name == "outcome");
    assert_eq!(outcome.map(|(_, value)| value.clone()), Some(FieldValue::Text(want.to_owned())));
    draft
}

#[test]
fn outcomes() {
    ends(&[], "partial");
    ends(&["todo a*,b*"], "success");
    ends(&["$ cargo test", "ok fine"], "success");
    ends(&["todo a*,b*", "$ cargo test", "ok fine"], "success");
    ends(&["todo a*,b"], "partial");
    ends(&["$ cargo test", "err error: x"], "blocked");
    ends(&["$ cargo test", "err error: x", "$ grep x", "ok y"], "blocked");
    ends(&["$ cargo test", "err error: x", "edit a.rs"], "partial");
    ends(&["$ ./deploy", "err error: x", "$ git status", "ok y"], "partial");
}

#[test]
fn a_summary_says_only_what_was_seen() {
    let draft = ends(&["todo write*,test", "$ cargo test", "err error: x"], "blocked");
    assert_eq!(draft.title(), Some("Session 2026-06-01: add a cache"));
    let list =
        |name: &str| draft.content.iter().find(|(known, _)| known == name).map(|it| it.1.clone());
    let of =
        |items: &[&str]| Some(FieldValue::List(items.iter().map(|it| (*it).to_owned()).collect()));
    assert_eq!(list("completed"), of(&["write"]));
    assert_eq!(list("in_progress"), of(&["test"]));
    assert_eq!(list("next_actions"), of(&["test", "fix `cargo test`: error: x"]));
    assert_eq!(list("key_changes"), of(&["a.rs"]));
    assert_eq!(list("errors"), of(&["`cargo test`: error: x"]));
    assert_eq!(working(&["edit a.rs"]).summary("s", "d"), None);
    assert_eq!(working(&["me: add a cache"]).summary("s", "d"), None);
}

fn any_session() -> impl Strategy<Value = Vec<String>> {
    let line = prop_oneof![
        prop::sample::select(vec![
            "me: add a cache",
            "me: yes",
            "agent: on it",
            "$ cargo test",
            "$ ls",
            "$ ./run",
            "ok fine",
            "err error: x",
            "todo a,b*",
            "task c",
            "done #1",
        ])
        .prop_map(str::to_owned),
        "me: \\PC{0,40}",
        "edit [a-z]{1,2}",
        "\\$ \\PC{0,30}",
        "err \\PC{0,30}",
    ];
    prop::collection::vec(line, 0..60)
}

proptest! {
    #[test]
    fn pieces_make_the_whole(lines in any_session(), cut in any::<prop::sample::Index>()) {
        let turns = session(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let mut whole = Working::default();
        whole.absorb(&turns);
        let (first, rest) = turns.split_at(cut.index(turns.len() + 1));
        let mut pieces = Working::default();
        pieces.absorb(first);
        let stored = serde_json::to_string(&pieces).unwrap();
        let mut pieces: Working = serde_json::from_str(&stored).unwrap();
        pieces.absorb(rest);
        prop_assert_eq!(&pieces, &whole);
        prop_assert!(whole.files.len() <= working::FILES_MAX && whole.failures.len() <= working::FAILURES_MAX);
    }
}

#[test]
fn what_is_only_announced_is_no_result() {
    let say = |voice, line, text: &str| Turn { line, voice, text: text.into(), ..Turn::default() };
    let mut working = Working::default();
    working.absorb(&[
        say(Voice::Person, 1, "Number the parts from 0"),
        say(Voice::Agent, 2, "Good. Let me find all places that number them."),
    ]);
    assert!(working.is_broken_off);
    assert_eq!(working.asked(), "go on with: Number the parts from 0");
    working.absorb(&[say(Voice::Agent, 9, "Done, parts begin at 0.\n\n**Files:**\n\n| a | b |")]);
    assert!(!working.is_broken_off);
    assert_eq!(working.conclusion, "Done, parts begin at 0.");
}
