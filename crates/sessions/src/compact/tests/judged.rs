//! What is made of a session: what is pending, what was answered, what it is for.

use super::*;

fn text(lines: &[&str]) -> String {
    whole(lines).render()
}

#[track_caller]
fn check_fix(lines: &[&str], want: &[&str]) {
    let summary = whole(lines);
    let fixes: Vec<&String> =
        summary.list("next_actions").iter().filter(|it| it.starts_with("fix ")).collect();
    assert_eq!(fixes, want, "{}", summary.render());
}

#[test]
fn only_what_nothing_speaks_against_is_to_be_fixed() {
    let task = "me: add a cache for the shop in src/shop.rs";
    // The newest check of its kind.
    check_fix(&[task, "$ go test ./...", "err --- FAIL"], &["fix `go test ./...`"]);
    check_fix(
        &[task, "$ go test ./...", "err --- FAIL", "edit /r/a.go", "agent: I changed a.go now."],
        &["fix `go test ./...`"],
    );
    // A wider command passed.
    check_fix(
        &[
            task,
            "$ mise run lint",
            "err x",
            "$ mise run fmt && mise run lint && mise run test 2>&1",
            "ok",
        ],
        &[],
    );
    check_fix(&[task, "$ go build ./...", "err x", "$ mise run test:ci | tail -3", "ok"], &[]);
    check_fix(
        &[task, "$ mise run test:integration", "err x", "$ mise run fmt && mise run test:ci", "ok"],
        &[],
    );
    // What failed is what was built.
    check_fix(&[task, "$ go build -o x && ./x aaa", "err unknown", "$ mise run lint", "ok"], &[]);
    // Another aim: that tests pass says nothing about what a linter finds.
    check_fix(&[task, "$ cargo clippy", "err x", "$ cargo test", "ok"], &["fix `cargo clippy`"]);
    // No check, and a check passed.
    check_fix(&[task, "$ ./deploy", "err x", "$ cargo test", "ok"], &[]);
    // A conflict that was committed.
    check_fix(&[task, "$ git merge origin/main", "err CONFLICT", "$ git commit -m x", "ok"], &[]);
    // Clean-up and questions are never a next step.
    check_fix(&[task, "$ rm -f x && ls y", "err no such file"], &[]);
    check_fix(&[task, "$ gh pr checks 203", "err pending"], &[]);
    // The person went on with something else.
    let went_on = ["me: now write the manual for the shop", "edit /r/manual.md"];
    check_fix(&[task, "$ go test ./...", "err x", went_on[0], went_on[1]], &[]);
    let about_it = ["me: the test is still red", "edit /r/a.go"];
    check_fix(
        &[task, "$ go test ./...", "err x", about_it[0], about_it[1]],
        &["fix `go test ./...`"],
    );
    // The last doing command, with nothing behind it.
    check_fix(&[task, "$ ./deploy eu", "err no route"], &["fix `./deploy eu`"]);
    check_fix(&[task, "$ ./deploy eu", "err no route", "edit /r/eu.toml"], &[]);
    // It was meant to fail.
    check_fix(&[task, "$ ./shop enabl", "err unknown", "agent: It now names the next word."], &[]);
}

#[test]
fn an_error_claims_no_more_than_is_known() {
    let summary = whole(&["$ ./deploy eu", "err no route to eu", "edit /r/eu.toml"]);
    holds(&summary, "errors", &["`./deploy eu`: no route to eu (not seen fixed)"]);
    let summary = whole(&["$ ./deploy eu", "err no route to eu", "$ cargo test", "ok"]);
    holds(&summary, "errors", &["`./deploy eu`: no route to eu"]);
}

#[test]
fn a_fix_is_what_touches_what_the_error_names() {
    let summary = whole(&[
        "$ echo x > /tmp/test-env/.env",
        "err bash: /tmp/test-env/.env: No such file or directory",
        "$ mkdir -p /tmp/test-env",
        "ok",
        "edit /r/hooks.go",
        "$ ./lint",
        "ok",
        "edit /r/.env.example",
        "$ ./other",
        "ok",
        "$ echo x > /tmp/test-env/.env",
        "ok",
    ]);
    let error = &summary.list("errors")[0];
    assert!(error.ends_with("(fixed after: ran `mkdir -p /tmp/test-env`)"), "{error}");
    let summary = whole(&[
        "$ ./go",
        "err it broke",
        "edit /r/a",
        "edit /r/b",
        "edit /r/c",
        "edit /r/d",
        "$ ./go",
        "ok",
    ]);
    let error = &summary.list("errors")[0];
    assert!(error.ends_with("(fixed after: edited b; edited c; edited d)"), "{error}");
}

#[test]
fn the_newest_unfinished_prompt_is_the_next_action() {
    let lines = [
        "me: add a cache for the shop in src/shop.rs",
        "agent: The cache is in src/shop.rs now.",
        "todo a,b",
        "me: now write the manual for the shop",
        "agent: I read it first.",
        "read /r/manual.md",
    ];
    let summary = whole(&lines);
    holds(&summary, "next_actions", &["now write the manual for the shop (asked, line 4)", "b"]);
    holds(&summary, "open_questions", &[]);
    let more = [&lines[..], &["agent: The manual is in manual.md and names 12 flags."]].concat();
    holds(&whole(&more), "next_actions", &["b"]);
}

#[test]
fn what_was_ordered_and_run_is_not_open() {
    let done = ["me: commit and push", "$ git commit -m x && git push", "ok"];
    holds(&whole(&done), "next_actions", &[]);
    let half = ["me: commit and push", "$ git commit -m x", "ok"];
    holds(&whole(&half), "next_actions", &["commit and push (asked, line 1)"]);
    // Typed again, and answered then.
    let again = [
        "me: do both hooks run?",
        "me: but do both hooks run?",
        "agent: Only the local hook runs.",
    ];
    holds(&whole(&again), "open_questions", &[]);
}

#[test]
fn a_new_task_answers_no_question() {
    let ask = ["me: set up the hooks of the shop", "agent: Which wrapper do you prefer?"];
    let reply = |text: &'static str| whole(&[&ask[..], &[text, "edit /r/a"]].concat());
    for answers in [
        "me: the second",
        "me: option B with the shell",
        "me: I prefer the wrapper in bash, since it is everywhere and needs nothing",
    ] {
        assert_eq!(reply(answers).list("resolved_questions").len(), 1, "{answers}");
    }
    let goes_on = reply("me: Hooks are not recognized for removal when they were made by hand");
    holds(&goes_on, "resolved_questions", &[]);
    let passed_over = "agent asked: Which wrapper do you prefer? (not answered)";
    holds(&goes_on, "open_questions", &[passed_over]);
    let with = Request { earlier: Some(&goes_on), ..request(COMPACT_TOKENS) };
    let later = session(&["me: and now the docs", "agent: The docs name 3 hooks now."]);
    holds(&compact(&later, &with).summary, "open_questions", &[passed_over]);
    // An offer that is passed over is declined.
    let offer = [
        "agent: Want me to adjust the README wording?",
        "me: can you double check that force really removes them",
    ];
    holds(&whole(&offer), "open_questions", &[]);
}

#[test]
fn answers_tell_what_came_of_it() {
    let came = |answer: &str| {
        let answer = format!("agent: {answer}");
        whole(&["me: move the cache of the shop to redis", &answer]).list("completed")[0].clone()
    };
    assert_eq!(came("Done."), "move the cache of the shop to redis (line 1)");
    assert_eq!(
        came("Here's a summary of the changes:\n\n- the cache speaks to redis on 6380"),
        "move the cache of the shop to redis → the cache speaks to redis on 6380 (line 1)"
    );
    assert_eq!(
        came("Committed as `6fe5d8cb`:\n- the redis cache"),
        "move the cache of the shop to redis → Committed as `6fe5d8cb`: the redis cache (line 1)"
    );
}

#[test]
fn the_goal_says_what_the_work_is() {
    let goal = |lines: &[&str]| whole(lines).text("goal").to_owned();
    let work = "me: review the pull request about wrapper hooks";
    assert_eq!(goal(&["me: do both please", work]), &work[4..]);
    assert_eq!(goal(&["me: do you have access to linear?", work]), &work[4..]);
    assert_eq!(goal(&["me: /review 167", work]), "/review 167");
    assert_eq!(goal(&["me: do both please"]), "do both please");
}

#[test]
fn addresses_are_exact_values() {
    let text = text(&[
        "me: look at https://example.com/board/7, then open a draft",
        "agent: See https://docs.example.com/x for it. Draft PR created: https://github.com/o/r/pull/189",
    ]);
    assert!(text.contains("- https://github.com/o/r/pull/189\n"), "{text}");
    assert!(
        text.contains("- https://example.com/board/7\n") && !text.contains("docs.ex"),
        "{text}"
    );
}

#[test]
fn a_file_that_was_deleted_again_says_so() {
    let summary = whole(&["write /r/a/x.json", "write /r/a/y.json", "$ rm -f a/x.json", "ok"]);
    holds(&summary, "key_changes", &["a/x.json (deleted)", "a/y.json (written)"]);
    let again = whole(&["write /r/a/x.json", "$ rm a/x.json", "ok", "write /r/a/x.json"]);
    holds(&again, "key_changes", &["a/x.json (written)"]);
}

#[test]
fn what_never_ran_has_no_runs() {
    let refused = "err The user doesn't want to proceed";
    holds(&whole(&["$ ./a", refused, "$ ./a", refused]), "commands", &["`./a`: not run"]);
    holds(&whole(&["$ make", "ok", "$ make", refused]), "tests", &["`make`: passed"]);
}

#[test]
fn the_smallest_budget_keeps_what_matters_most() {
    let long =
        format!("me: Build the shop. {}", "It has many parts that are told at length. ".repeat(20));
    let error =
        format!("err error[E0308]: mismatched types in src/old.rs:7 {}", "and more ".repeat(60));
    let unfixed = format!("err 1 error: no such table in src/new.rs:9 {}", "and more ".repeat(60));
    let mut lines =
        vec![long.as_str(), "$ cargo build", &error, "edit /r/src/old.rs", "$ cargo build", "ok"];
    lines.extend(["agent: The shop is built from 12 parts now.", "$ cargo clippy", &unfixed]);
    let prompt =
        format!("me: Move the cache to port 6380. {}", "Keep it running all the time. ".repeat(20));
    lines.extend([prompt.as_str(), "agent: I look at the cache.", "read /r/src/cache.rs"]);
    let turns = session(&lines);
    let text = compact(&turns, &request(COMPACT_TOKENS_MIN)).summary.render();
    for want in ["Build the shop.", "Move the cache to port 6380.", "no such table"] {
        assert!(text.contains(want), "{want} of\n{text}");
    }
}

#[test]
fn a_count_excuses_no_more_than_is_missing() {
    let turns = session(&["$ ls", "ok", "$ ls -la", "ok", "edit /r/a/b.rs"]);
    let check = |left_out: &str| check(&format!("## Left out\n{left_out}"), &turns, "/r");
    assert_eq!(check("- 2 commands\n- 1 path\n").missing.len(), 0);
    assert_eq!(check("- 9999 commands\n- 9999 paths\n").missing.len(), 3);
    let most = usize::MAX;
    let absurd = format!("- {most} paths\n- {most} paths\n- {most} commands\n");
    assert_eq!(check(&absurd).missing.len(), 3);
    let earlier = Summary::parse(&format!("## Left out\n{absurd}"));
    let with = Request { earlier: Some(&earlier), ..request(COMPACT_TOKENS) };
    assert!(compact(&turns, &with).after_tokens <= COMPACT_TOKENS);
}
