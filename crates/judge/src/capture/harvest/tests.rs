//! What is taken over from a session, and what is not.

use super::*;
use oldhand_transcripts::{Choice, Voice};

fn used(prose: Option<Prose>, command: Option<&str>, printed: &str) -> Vec<Turn> {
    let used = ToolUse {
        id: "t1".into(),
        name: "tool".into(),
        command: command.map(str::to_owned),
        prose,
        ..ToolUse::default()
    };
    let result = ToolResult { id: "t1".into(), is_error: false, text: printed.into() };
    vec![
        Turn { line: 4, uses: vec![used], ..Turn::default() },
        Turn { line: 5, voice: Voice::Person, results: vec![result], ..Turn::default() },
    ]
}

fn choice(label: &str, description: &str) -> Choice {
    Choice { label: label.into(), description: description.into() }
}

const SOURCE: Source<'_> = Source { session: "s1", host: "claude-code", is_typed: false };

#[test]
fn an_answer_names_what_was_chosen_and_what_was_not() {
    let question = Question {
        header: "Auth method".into(),
        text: "Which method pushes to the tap?".into(),
        choices: vec![
            choice("GitHub App (Recommended)", "Org-owned, short-lived tokens."),
            choice("Personal token", "Tied to one account."),
        ],
    };
    let printed = "User has answered your questions: \"Which method pushes to the tap?\"=\"GitHub App \
        (Recommended)\". You can now continue with the user's answers in mind.";
    let turns = used(Some(Prose::Questions(vec![question])), None, printed);
    let [one] = harvest(&turns).try_into().expect("one");
    assert_eq!(one.title, "Auth method: GitHub App");
    assert!(one.is_chosen);
    assert_eq!(one.fields[0].1, "GitHub App: Org-owned, short-lived tokens.");
    assert_eq!(one.others, [("Personal token".to_owned(), "Tied to one account.".to_owned())]);
    let draft = one.draft(&SOURCE).expect("no secret");
    assert!(draft.get("evidence").is_some());
}

#[test]
fn a_question_about_the_next_step_settles_nothing() {
    let question = Question {
        text: "Should I commit this now?".into(),
        choices: vec![choice("Yes", ""), choice("No", "")],
        ..Question::default()
    };
    let printed = "User has answered your questions: \"Should I commit this now?\"=\"Yes\".";
    assert_eq!(harvest(&used(Some(Prose::Questions(vec![question])), None, printed)), []);
}

#[test]
fn a_plan_counts_once_it_is_approved() {
    let plan = "# Plan: Keep tokens in the keychain\n\n## Context\nTokens in files leak into backups.\n\n\
        ## Approach\n- use the keyring crate\n- migrate on first start\n\n## Steps\n1. …";
    let approved = used(Some(Prose::Plan(plan.into())), None, "User has approved your plan.");
    let [one] = harvest(&approved).try_into().expect("one");
    assert_eq!(one.title, "Keep tokens in the keychain");
    assert!(one.fields[0].1.contains("use the keyring crate"), "{:?}", one.fields);
    assert_eq!(one.fields[1].1, "Tokens in files leak into backups.");
    let rejected = used(Some(Prose::Plan(plan.into())), None, "The user doesn't want to proceed");
    assert_eq!(harvest(&rejected), []);
}

#[test]
fn a_commit_counts_if_it_explains() {
    let line = "git commit -m \"$(cat <<'EOF'\nfix(store): keep the lock until the index is written\n\n\
        Two processes wrote the index at once because the lock was dropped before the rename.\n\n\
        Co-Authored-By: x\nEOF\n)\"";
    let turns =
        used(None, Some(line), "[main 1a2b3c4] fix(store): keep the lock\n 2 files changed");
    let [one] = harvest(&turns).try_into().expect("one");
    assert_eq!(one.title, "Keep the lock until the index is written");
    assert_eq!(one.commit.as_deref(), Some("1a2b3c4"));
    assert!(!one.is_chosen);
    assert!(one.fields[0].1.contains("because the lock was dropped"), "{:?}", one.fields);
    assert!(!one.fields[0].1.contains("Co-Authored"));
    let short = used(None, Some("git commit -m 'typo'"), "[main 1a2b3c4] typo");
    assert_eq!(harvest(&short), []);
}

#[test]
fn an_issue_is_a_debt() {
    let body = "## Problem\nThe index is rebuilt at every start.\n";
    let issue = Prose::Issue { title: "Rebuild only what changed".into(), body: body.into() };
    let [one] = harvest(&used(Some(issue), None, "created")).try_into().expect("one");
    assert_eq!((one.kind, one.title.as_str()), (Kind::TechDebt, "Rebuild only what changed"));
    let line = "gh issue create --title 'Slow start' --body 'It reads all files.'";
    let [one] = harvest(&used(None, Some(line), "https://…/1")).try_into().expect("one");
    assert_eq!(one.fields[0].1, "Slow start. It reads all files.");
}

#[test]
fn of_a_summary_only_what_explains_is_taken() {
    let text = "Analysis:\n- **Not this**: because it is the thinking before it.\n\nSummary:\n\
        1. Primary Request and Intent:\n   - build it\n\n4. Errors and fixes:\n\
        \x20  - **Index corrupted after every commit**: the hook rewrote it\n\
        \x20    - root cause: worktree.Status() writes the index, so the hook must not call it\n\
        \x20  - **gofmt**: ran gofmt\n\n7. Pending Tasks:\n   - None\n";
    let turn = Turn { line: 9, prose: Some(Prose::Summary(text.into())), ..Turn::default() };
    let [one] = harvest(&[turn]).try_into().expect("one");
    assert_eq!(one.title, "Index corrupted after every commit");
    assert_eq!(one.kind, Kind::Runbook);
}

#[test]
fn what_holds_a_secret_is_left_alone() {
    let body = "the key is AKIAIOSFODNN7EXAMPLA and it is in the history";
    let issue = Prose::Issue { title: "Rotate the key".into(), body: body.into() };
    let [one] = harvest(&used(Some(issue), None, "created")).try_into().expect("one");
    assert!(one.draft(&SOURCE).is_none());
}

#[test]
fn a_short_answer_is_read_with_the_options_before_it() {
    let asked = "Two ways:\n\n1. **Keep the lock file**: simple, stale after a crash\n\
        2. **Use flock**: released by the kernel\n\nWhich do you prefer?";
    let say = |voice, line, text: &str| Turn { line, voice, text: text.into(), ..Turn::default() };
    let turns = |answer: &str| vec![say(Voice::Agent, 3, asked), say(Voice::Person, 4, answer)];
    let [one] = harvest(&turns("let's go with 2")).try_into().expect("one");
    assert_eq!(one.title, "Use flock");
    assert_eq!(one.fields[0].1, "Use flock: released by the kernel");
    assert_eq!(one.fields[1].1, "Which do you prefer?");
    assert_eq!(one.others[0].0, "Keep the lock file");
    assert!(one.is_chosen);
    for answer in ["1 and 2", "yes", "2 is wrong, see the log", "why 2?", "3"] {
        assert_eq!(harvest(&turns(answer)), [], "{answer}");
    }
}
