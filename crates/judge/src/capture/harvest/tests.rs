//! What is taken over from a session, and what is not.

use super::*;
use oldhand_transcripts::{Choice, Voice};

fn harvest(turns: &[Turn]) -> Vec<Harvested> {
    super::harvest(&turns.iter().collect::<Vec<_>>(), true)
}

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
    let question = Question {
        text: "The plan is ready. How do we go on?".into(),
        header: "Next steps".into(),
        choices: vec![choice("Review it", ""), choice("Open it", "")],
    };
    let printed =
        "User has answered your questions: \"The plan is ready. How do we go on?\"=\"Open it\".";
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
        \x20  - **gofmt**: ran gofmt\n\
        \x20  - **User feedback on names**: the user asked for `read_rows` instead of `rows`, so \
        that it says what happens\n\n7. Pending Tasks:\n   - None\n";
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

fn say(voice: Voice, line: usize, text: &str) -> Turn {
    Turn { line, voice, text: text.into(), ..Turn::default() }
}

#[test]
fn of_a_report_what_explains_is_taken() {
    let report = "Done. All tests pass.\n\n\
        - **Loop breaking**: `--setting-sources \"\"` on the second call disables all hooks, which prevents endless reviews\n\
        - **`store_test.go`**: uses `git branch --list` instead of `repo.Reference()` so that it tests the real path\n\
        - Renamed `cpID` to `checkpointID`\n\n\
        The issue was that `Flush` dropped the lock before the rename, so two processes that ran at the same time wrote the `index.bin` of the store at once.";
    let found = harvest(&[say(Voice::Agent, 7, report)]);
    let titles: Vec<&str> = found.iter().map(|it| it.fields[0].1.as_str()).collect();
    // The one that tells why.
    assert_eq!(found.len(), 1, "{titles:?}");
    assert_eq!(found[0].kind, Kind::Reference, "{titles:?}");
    assert!(found.iter().all(|it| !it.is_chosen && it.is_report));
}

/// R563: what was only done, ticked off, told of oneself or true of any program is no memory.
#[test]
fn of_a_report_nothing_is_taken_that_is_a_diary() {
    let taken = |text: &str| !harvest(&[say(Voice::Agent, 7, text)]).is_empty();
    assert!(taken(
        "In short: `read_rows` never returns the header of a table, because `open_table` has consumed it by then."
    ));
    for text in [
        "✅ `read_rows` never returns the header of a table, because `open_table` has consumed it by then.",
        "I moved `read_rows` behind `open_table`, because the header would be consumed otherwise by then.",
        "`read_rows` now calls `open_table` once before the loop and no longer calls it for every row.",
        "The tests failed because `read_rows` was called with a header that `open_table` had consumed.",
        "`string` without a name is cleaner, because the parameter of the function is intentionally unused.",
        "The issue was a missing import of `read_rows`, because the linter had removed it from the file.",
    ] {
        assert!(!taken(text), "{text}");
    }
}

/// R583: a commit that lists what was changed is a diary, whatever it explains on the way.
#[test]
fn a_list_of_changes_is_no_decision() {
    let commit = |body: &str| {
        let line = format!("git commit -m 'Address review feedback' -m '{body}'");
        harvest(&used(None, Some(&line), "[main 1a2b3c4] Address review feedback"))
    };
    let diary = "- rename the field of the rows\n- remove a stray comment\n- say it in the help, to avoid doubt";
    assert_eq!(commit(diary), []);
    let told = format!(
        "{diary}\n- `read_rows` must skip the header of a table, because `open_table` has not consumed it by then"
    );
    assert_eq!(commit(&told), []);
    let news = "Update read_rows and both of its callers to take the name of the table as well";
    assert_eq!(commit(news), [], "the diff says so");
    assert_eq!(commit(&format!("{news}, because two tables share a file")).len(), 1);
}

#[test]
fn what_is_only_proposed_or_announced_is_not_taken() {
    let asks = "The hook calls `Flush` twice because `Close` does so as well, which costs a rename.\n\n\
        Should I fix it?";
    let review = "## Review of the branch\n\nThe store calls `Flush` twice because `Close` does so as \
        well, which costs a rename each time.";
    let plans =
        "I'll move the call of `Flush` behind the rename because `Close` does it again otherwise.";
    let points = "This test needs `HOME` to be a temporary folder because the configuration is read from it.";
    for text in [asks, review, plans, points] {
        assert_eq!(harvest(&[say(Voice::Agent, 7, text)]), [], "{text}");
    }
    // On the way only a cause that was found counts.
    let text =
        "The store calls `Flush` twice because `Close` does so as well, which costs a rename.";
    let working = ToolUse { id: "t1".into(), name: "Bash".into(), ..ToolUse::default() };
    let next = Turn { line: 8, uses: vec![working], ..Turn::default() };
    assert_eq!(harvest(&[say(Voice::Agent, 7, text), next]), []);
}

#[test]
fn an_answer_to_a_reviewer_counts_if_it_explains() {
    let reply = |body: &str| {
        let line = format!("gh api repos/a/b/pulls/1/comments/2/replies -f body=\"{body}\"");
        harvest(&used(None, Some(&line), "{}"))
    };
    let [one] = reply(
        "Fixed in 1a2b3c4 — added -- before the name. Skipped cmd_dir because all calls of git \
         rely on the folder of the process, which is checked at the start.",
    )
    .try_into()
    .expect("one");
    assert_eq!(one.commit.as_deref(), Some("1a2b3c4"));
    assert!(one.fields[0].1.starts_with("added --"), "{:?}", one.fields);
    assert_eq!(reply("Fixed in 1a2b3c4 - added nil check."), []);
    let done = "Fixed in 1a2b3c4. Now returns a message of its own from `read_rows` for empty tables \
        instead of the error of the driver, as `write_rows` does.";
    assert_eq!(reply(done), [], "the code says so");
    let [one] = reply(&done.replace("as `write_rows` does", "because nobody understood it"))
        .try_into()
        .expect("one");
    assert!(one.title.starts_with("Now returns") && one.commit.is_some(), "{one:?}");
    let refused = reply(
        "Won't fix - the quadratic search of `find_all` is fine for at most a hundred commits, and a \
         table would cost more than it saves.",
    );
    assert_eq!(refused.len(), 1);
    assert_eq!(
        reply(
            "Won't fix - the quadratic search is fine for at most a hundred commits, and a table would \
             cost more than it saves."
        ),
        [],
        "of what, nobody knows next week"
    );
}

#[test]
fn a_pull_request_is_read_without_its_test_plan() {
    let line = "gh pr create --title 'Fix clean' --body \"$(cat <<'EOF'\n## Summary\n\
        - **Deletion**: branches stayed because `RemoveReference` does not work with packed refs, so git is called\n\n\
        ## Test plan\n- [x] `go test` because it must pass before anything is merged to the main branch\nEOF\n)\"";
    let [one] = harvest(&used(None, Some(line), "https://…/1")).try_into().expect("one");
    assert!(one.fields[0].1.starts_with("Deletion: branches stayed"), "{:?}", one.fields);
}

/// R583
#[test]
fn a_wish_with_a_reason_or_for_good_is_taken_whole() {
    let wish = "Great. For every test here I'd like literal expectations instead of contains checks. \
        That'll make them easier to read.";
    let [one] = harvest(&[say(Voice::Person, 3, wish)]).try_into().expect("one");
    assert!(one.title.starts_with("For every test here"), "{}", one.title);
    assert_eq!(one.fields[0].1, wish);
    assert!(!one.is_chosen, "an order for now may not hold next week");
    for text in [
        "why do we use go-git here instead of the command line, should we not change it?",
        "let's commit this and then open a pull request for it please",
        "use tabs instead",
        "I want the folders to begin with /0 instead of /1 when the first of them is created",
        "let's check the tests first, we should have one since it must have failed before",
        "yes, and should we not rather read it from the file instead of asking for it?",
    ] {
        assert_eq!(harvest(&[say(Voice::Person, 3, text)]), [], "{text}");
    }
}

#[test]
fn a_yes_takes_what_was_proposed_under_a_heading() {
    let proposed = "## Recommended: Inject the lookup\n\nGive each agent a `LookPath` field that is \
        `exec.LookPath` by default. Tests set their own, and no binary has to be faked on the path.\n\n\
        Shall I do it?";
    let turns = |answer: &str| vec![say(Voice::Agent, 3, proposed), say(Voice::Person, 4, answer)];
    let [one] = harvest(&turns("yes, do that")).try_into().expect("one");
    assert_eq!(one.title, "Inject the lookup");
    assert!(one.is_chosen && one.fields[0].1.contains("`LookPath` field"), "{one:?}");
    assert_eq!(harvest(&turns("no, leave it")), []);
}

#[test]
fn of_concepts_those_that_say_what_is_not_so_are_taken() {
    let text = "Summary:\n2. Key Technical Concepts:\n\
        \x20  - **Branch rule**: `AllowsMain()` is false, so the hook silently skips main\n\
        \x20  - Go CLI with cobra\n";
    let turn = Turn { line: 9, prose: Some(Prose::Summary(text.into())), ..Turn::default() };
    let [one] = harvest(&[turn]).try_into().expect("one");
    assert_eq!(one.kind, Kind::Reference);
}

#[test]
fn two_texts_that_share_most_words_are_alike() {
    let of = |text: &str| {
        let fields = vec![("decision", text.to_owned())];
        Harvested { fields, ..Harvested::of(1, Kind::Decision, "x") }.words()
    };
    let commit =
        of("The lock is kept until the index is written because two processes raced for it");
    let request = of("Keep the lock until the index is written: two processes raced");
    assert!(Harvested::is_alike(&commit, &request));
    assert!(!Harvested::is_alike(&commit, &of("Tokens live in the keychain, not in files")));
}
