//! Compaction and windows at the edges: hooks, torn files, budgets that are too small.

use serde_json::{Value, json};

use crate::hooks::stage::{Session, Stage, append};

fn worked(session: &Session<'_>) {
    session.person("Please add refunds to the payment service");
    session.runs("cargo test -p pay", Err("error[E0433]: failed to resolve: use of `Refund`"));
    session.edits("src/pay/refund.rs");
    session.runs("cargo test -p pay", Ok("test result: ok. 41 passed"));
    session.agent_says("Refunds are in. Shall I also wire the route?");
    session.person("Yes, and keep the limit at 250 refunds a day.");
    session.runs("cargo test -p route", Err("error: no test target named `route`"));
}

fn stored(stage: &Stage) -> String {
    let folder = stage.state_folder().join("sessions");
    let file = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_string_lossy().ends_with(".summary.md"));
    file.map(|path| std::fs::read_to_string(path).unwrap()).unwrap_or_default()
}

/// R164, R167, R169: before the host drops the conversation its summary is stored, and the session
/// goes on from it.
#[test]
fn the_hook_before_a_compaction_stores_the_summary_r169() {
    let stage = Stage::new();
    let session = stage.session("one");
    worked(&session);
    session.compact();
    let summary = stored(&stage);
    for exact in [
        "cargo test -p pay",
        "src/pay/refund.rs",
        "error[E0433]",
        "250",
        "no test target named `route`",
    ] {
        assert!(summary.contains(exact), "{exact} in {summary}");
    }
    // The host has a summary of its own, unless it begins anew (R581).
    let text = session.start("compact");
    assert!(text.contains("this session so far") && text.contains("`oldhand compact`"), "{text}");
    assert!(!text.contains("add refunds"), "{text}");
    let text = session.start("clear");
    for exact in ["add refunds", "no test target named `route`", "src/pay/refund.rs"] {
        assert!(text.contains(exact), "{exact} in {text}");
    }
}

/// R73: what was done since goes into the same summary.
#[test]
fn a_second_compaction_continues_the_first_r73() {
    let stage = Stage::new();
    let session = stage.session("one");
    worked(&session);
    session.compact();
    session.edits("src/route.rs").runs("cargo test -p route", Ok("test result: ok. 3 passed"));
    session.compact();
    let summary = stored(&stage);
    for exact in ["add refunds", "src/pay/refund.rs", "src/route.rs"] {
        assert!(summary.contains(exact), "{exact} in {summary}");
    }
    let compacted = stage.scratch.json(&["compact", "--session", "one", "--dry-run"]);
    assert!(compacted["summary"].as_str().unwrap().contains("src/route.rs"), "{compacted}");
}

/// R162: more than ten exchanges on one task, said once.
#[test]
fn a_compaction_is_due_after_ten_exchanges_r162() {
    let stage = Stage::new();
    let session = stage.session("one");
    let due = |text: &String| text.contains("compaction is due");
    let told: Vec<bool> =
        (0..21).map(|at| due(&session.prompt(&format!("look at order {at}")))).collect();
    let times: Vec<usize> =
        told.iter().enumerate().filter(|(_, it)| **it).map(|(at, _)| at + 1).collect();
    assert_eq!(times, [11]);
    session.person("look").compact();
    assert!(!due(&session.prompt("look at order 22")));
    stage.set("hooks.compact_after", "0");
    let told = (0..12).filter(|at| due(&session.prompt(&format!("look at it {at}")))).count();
    assert_eq!(told, 0);
}

/// R161: after each phase of a task that has several.
#[test]
fn a_compaction_is_due_after_a_step_r161() {
    let stage = Stage::new();
    let session = stage.session("one");
    session.prompt("begin with the writer");
    let plan =
        ["anchor", "--session", "one", "--objective", "CSV", "--plan", "writer", "--plan", "docs"];
    stage.scratch.ok(&plan);
    assert!(!session.prompt("go on with the writer").contains("compaction is due"));
    stage.scratch.ok(&["anchor", "--session", "one", "--next"]);
    assert!(session.prompt("go on with the docs").contains("a step of the plan is done"));
    assert!(!session.prompt("go on with the docs").contains("compaction is due"));
}

#[test]
fn a_conversation_that_is_cut_off_is_used_and_told() {
    let stage = Stage::new();
    let session = stage.session("one");
    worked(&session);
    append(&session.transcript, "{\"type\":\"user\",\"message\":{\"role\":\"us");
    let path = session.transcript.to_str().unwrap();
    for command in ["compact", "window"] {
        let ran = stage.scratch.run(&[command, path]);
        let (out, err) =
            (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert_eq!(ran.code, 1, "{command}: {err}");
        assert!(err.contains("cut off in line 12"), "{command}: {err}");
        assert!(out.contains("refunds"), "{command}: {out}");
    }
}

#[test]
fn a_budget_that_holds_nothing_is_refused() {
    let stage = Stage::new();
    let session = stage.session("one");
    worked(&session);
    let path = session.transcript.to_str().unwrap();
    for (command, budget) in
        [("compact", "0"), ("compact", "100"), ("window", "0"), ("window", "100")]
    {
        let ran = stage.scratch.run(&[command, path, "--budget", budget]);
        let err = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.code, 1, "{command} {budget}: {err}");
        assert!(err.contains("--budget") && err.contains("at least"), "{err}");
    }
}

#[test]
fn a_session_or_a_file_that_is_not_there_is_said() {
    let stage = Stage::new();
    for args in [&["compact", "--session", "nobody"] as &[&str], &["window", "--session", "nobody"]]
    {
        let ran = stage.scratch.run(args);
        assert_eq!(ran.code, 1);
        assert!(String::from_utf8_lossy(&ran.stderr).contains("there is no session `nobody`"));
    }
    let ran = stage.scratch.run(&["compact", "missing.jsonl"]);
    assert_eq!(ran.code, 2);
    assert!(String::from_utf8_lossy(&ran.stderr).contains("missing.jsonl"));
    // No JSON at all.
    let file = stage.home().join("notes.txt");
    std::fs::write(&file, "just words\nand more words\n").unwrap();
    let ran = stage.scratch.run(&["compact", file.to_str().unwrap()]);
    assert_eq!(ran.code, 1, "{}", String::from_utf8_lossy(&ran.stderr));
}

/// R91: whatever is said, the tiers together keep to the budget; R70: the newest turns come last.
#[test]
fn a_window_has_three_tiers_r70_r91() {
    let stage = Stage::new();
    stage.scratch.ok(&[
        "add",
        "decision",
        "--title",
        "Refunds are limited",
        "--decision",
        "At most 250 refunds a day",
    ]);
    let session = stage.session("one");
    for _ in 0..30 {
        worked(&session);
    }
    let path = session.transcript.to_str().unwrap();
    let window: Value = stage.scratch.json(&["window", path]);
    assert!(window["tokens"].as_u64().unwrap() <= 8_500, "{window}");
    for (tier, limit) in [("long_term", 3_000), ("summary", 1_500), ("raw", 4_000)] {
        let one = &window[tier];
        assert!(one["tokens"].as_u64().unwrap() <= limit, "{tier}: {one}");
        assert_eq!(one["limit"], json!(limit));
    }
    let text = stage.scratch.ok(&["window", path]);
    let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("{word} in {text}"));
    assert!(at("long-term:") < at("\nsummary:") && at("\nsummary:") < at("\nraw:"));
    assert!(text.trim_end().contains("no test target named `route`"), "{text}");
}

/// R169: what the agent did after it had compacted by hand is told beside the summary.
#[test]
fn a_summary_is_told_also_when_work_went_on_r169() {
    let stage = Stage::new();
    let session = stage.session("one");
    worked(&session);
    session.stop();
    stage.scratch.ok(&["compact", "--session", "one"]);
    session.edits("src/route.rs");
    session.stop();
    let text = session.start("resume");
    for exact in ["src/route.rs", "(fixed after: edited src/pay/refund.rs)"] {
        assert!(text.contains(exact), "{exact} in {text}");
    }
}

/// A host that begins another file under the same name begins another conversation.
#[test]
fn another_conversation_is_not_taken_for_the_one_before() {
    let stage = Stage::new();
    let session = stage.session("one");
    worked(&session);
    session.compact();
    std::fs::remove_file(&session.transcript).unwrap();
    session.person("Please translate the manual into Finnish");
    session.edits("docs/fi.md");
    session.compact();
    let summary = stored(&stage);
    assert!(summary.contains("Finnish") && summary.contains("docs/fi.md"), "{summary}");
    assert!(!summary.contains("refund"), "{summary}");
}

/// A summary that was lost is made of the whole again.
#[test]
fn a_summary_that_is_gone_is_made_anew() {
    let stage = Stage::new();
    let session = stage.session("one");
    worked(&session);
    session.compact();
    let folder = stage.state_folder().join("sessions");
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.to_string_lossy().ends_with(".summary.md") {
            std::fs::remove_file(entry).unwrap();
        }
    }
    session.edits("src/route.rs");
    session.compact();
    assert!(stored(&stage).contains("src/pay/refund.rs"), "{}", stored(&stage));
}

/// The hook of a host that asks before every call compacts once it is due.
#[test]
fn gemini_is_compacted_when_it_is_due_r162() {
    let stage = Stage::new();
    let session = stage.session("one");
    worked(&session);
    let payload = |event: &str| {
        let mut payload = session.payload(event, json!({"prompt": "look at the orders"}));
        payload["transcript_path"] = json!(session.transcript);
        payload
    };
    stage.hook("gemini", &payload("PreCompress"));
    assert_eq!(stored(&stage), "");
    for _ in 0..12 {
        stage.hook("gemini", &payload("BeforeAgent"));
    }
    stage.hook("gemini", &payload("PreCompress"));
    assert!(stored(&stage).contains("refunds"), "{}", stored(&stage));
}

/// Each plan has its own steps.
#[test]
fn a_second_plan_is_told_about_too_r161() {
    let stage = Stage::new();
    let session = stage.session("one");
    for objective in ["CSV", "PDF"] {
        let plan =
            ["anchor", "--session", "one", "--objective", objective, "--plan", "a", "--plan", "b"];
        stage.scratch.ok(&plan);
        session.prompt("go on with the first step");
        stage.scratch.ok(&["anchor", "--session", "one", "--next"]);
        let text = session.prompt("go on with the second step");
        assert!(text.contains("a step of the plan is done"), "{objective}: {text}");
    }
}

/// What a finished task left comes before what hooks saw of the session that finished it.
#[test]
fn the_summary_of_a_task_is_what_the_next_session_begins_with_r61() {
    let mut stage = Stage::new();
    let session = stage.session("one");
    session.prompt("Add VAT to the invoice total please");
    session.edits("src/pay.rs");
    session.stop();
    stage.scratch.now = "2026-11-15T13:00:00Z".parse().unwrap();
    stage.scratch.ok(&[
        "add",
        "session_summary",
        "--title",
        "Task VAT",
        "--goal",
        "VAT",
        "--outcome",
        "success",
        "--completed",
        "VAT in the total",
        "--next-actions",
        "VAT on the page",
    ]);
    stage.scratch.now = "2026-11-15T14:00:00Z".parse().unwrap();
    let session = stage.session("one");
    session.stop();
    session.end();
    let text = stage.session("two").start("startup");
    assert!(text.contains("- next: VAT on the page"), "{text}");
}
