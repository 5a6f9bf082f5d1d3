//! A summary that is continued in steps is as good as one of the whole (R73).

use super::*;

#[test]
fn nothing_new_changes_nothing_r73() {
    let before = whole(WORK);
    let with = Request { earlier: Some(&before), ..request(COMPACT_TOKENS) };
    assert_eq!(compact(&[], &with).summary, before);
    let tight = Request { earlier: Some(&before), ..request(COMPACT_TOKENS_MIN / 2) };
    assert!(compact(&[], &tight).after_tokens <= COMPACT_TOKENS_MIN / 2);
}

fn steps(turns: &[Turn], count: usize, budget: usize) -> Summary {
    let mut summary: Option<Summary> = None;
    for part in turns.chunks(turns.len().div_ceil(count).max(1)) {
        let with = Request { earlier: summary.as_ref(), ..request(budget) };
        let next = compact(part, &with).summary;
        summary = Some(next);
    }
    summary.unwrap_or_default()
}

/// Sessions of some prompts: with failures and fixes, questions, refusals and lists.
fn real_like(seed: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for at in 0..6 + seed % 5 {
        let part = (seed * 7 + at * 3) % 11;
        lines.push(format!(
            "me: Move part {part} of the shop to port 80{at}{seed} in src/p{part}.rs"
        ));
        lines.push(format!("todo read p{part}*,write p{part},test p{part}"));
        lines.push(format!("read /r/src/p{part}.rs"));
        lines.push(format!("$ ./deploy --part {part} --region eu-{at}"));
        lines.push("ok done".to_owned());
        lines.push(format!("edit /r/src/p{part}.rs"));
        lines.push("$ cargo test".to_owned());
        if (seed + at).is_multiple_of(2) {
            lines.push(format!("err error[E{at}{seed}]: mismatched types in src/p{part}.rs:{at}7"));
            lines.push(format!("edit /r/src/p{part}.rs"));
            lines.push("$ cargo test".to_owned());
        }
        lines.push("ok test result: ok".to_owned());
        lines.push(format!("agent: We decided to keep part {part} on SQLite because it is small."));
        if at % 3 == 0 {
            lines.push(format!("agent: Should part {part} keep its old port too?"));
            lines.push("me: yes, for now".to_owned());
        }
        lines.push(format!("agent: Part {part} of the shop listens on port 80{at}{seed} now."));
    }
    lines
}

#[test]
fn steps_keep_what_one_pass_keeps_r73() {
    for seed in 0..10 {
        let lines = real_like(seed);
        let turns = session(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let known = facts(&turns, "/r");
        for budget in [900, COMPACT_TOKENS] {
            let count = |summary: &Summary| {
                let text = summary.render();
                let found = check::Found::of(&text);
                known.iter().filter(|fact| found.has(fact)).count()
            };
            let once = steps(&turns, 1, budget);
            for parts in [2, 4] {
                let stepwise = steps(&turns, parts, budget);
                let text = stepwise.render();
                assert!(tokens::count(&text) <= budget);
                assert!(count(&stepwise) * 100 >= count(&once) * 95, "{seed}/{parts}\n{text}");
                for field in Summary::fields().iter().filter(|_| budget == COMPACT_TOKENS) {
                    let is_there = |it: &Summary| {
                        !it.list(&field.name).is_empty() || !it.text(&field.name).is_empty()
                    };
                    let name = &field.name;
                    assert!(
                        is_there(&stepwise) || !is_there(&once),
                        "{seed}/{parts} {name}\n{text}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_a_step_knew_stays_r73() {
    let first = [
        "me: Move the shop to the new registry in eu-1",
        "write /r/src/shop.rs",
        "$ ./deploy eu",
        "ok",
        "$ cargo test",
        "err error: assertion failed in src/shop.rs:7",
        "agent: The shop is moved, and one test is left.",
        "me: Let's pause, and write down how far you came in notes.md",
    ];
    let second = [
        "read /r/src/shop.rs",
        "edit /r/notes.md",
        "edit /r/src/shop.rs",
        "$ cargo test",
        "ok",
        "agent: The notes name the 3 parts that are left.",
    ];
    let before = whole(&first);
    let with = Request { earlier: Some(&before), ..request(COMPACT_TOKENS) };
    let mut later = session(&[&first[..], &second].concat());
    let later = later.split_off(first.len());
    let after = compact(&later, &with).summary;
    // A request is no question, and its own result is told.
    holds(&after, "resolved_questions", &[]);
    assert!(
        after.list("completed").iter().any(|it| it
            == "Let's pause, and write down how far you came in notes.md → The notes name the 3 parts that are left. (line 8)"),
        "{}",
        after.render()
    );
    assert!(!after.list("completed").iter().any(|it| it.starts_with("fix ")));
    holds(&after, "next_actions", &[]);
    holds(&after, "commands", &[pieces::LEGEND, "`./deploy eu`"]);
    holds(&after, "tests", &["`cargo test`: failed, then passed (2 runs)"]);
    holds(&after, "key_changes", &["`notes.md` (edited)", "src/shop.rs (written)"]);
    assert!(after.list("errors")[0].ends_with("src/shop.rs:7 (fixed after: edited src/shop.rs)"));
    assert!(after.list("standing")[0].starts_with("newest prompt: Let's pause"));
    // The same turns again double nothing.
    let twice = compact(&later, &Request { earlier: Some(&after), ..with }).summary;
    holds(
        &twice,
        "exact_values",
        after.list("exact_values").iter().map(String::as_str).collect::<Vec<_>>().as_slice(),
    );
}
