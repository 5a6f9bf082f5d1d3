//! No answer is longer than its budget, whatever the store holds; and none leaves room for what it
//! left out.

use oldhand_text::tokens;
use serde_json::Value;

use crate::scratch::Scratch;

/// Budgets don't depend on the model, and the large one would read megabytes here.
const SMALL_MODEL: &str = "recall.model=keywords";

/// Memories of all lengths and kinds, titles of all scripts.
fn fill(scratch: &Scratch, count: usize) {
    const KINDS: [(&str, &str); 5] = [
        ("constraint", "Rule"),
        ("decision", "Decision"),
        ("preference", "Value"),
        ("session_summary", "Goal"),
        ("architecture", "Module map"),
    ];
    const TITLES: [&str; 4] =
        ["Keep money in cents", "Données sans nom de client", "価格は税込み", "Не писать в журнал"];
    let mut records = String::new();
    for number in 0..count {
        let (kind, heading) = KINDS[number % KINDS.len()];
        let title = format!("{} {number}", TITLES[number / 5 % TITLES.len()]);
        let words = [3, 40, 200, 900, 12, 0][number % 6] + 1;
        let body =
            format!("rule {number} of the shop holds for `src/pay{number}.rs`; ").repeat(words);
        let text = format!(
            "---\nid: m-{number}\ntype: {kind}\ntitle: {title}\nstate: stable\norigin: user\ntags: [shop]\ncreated_at: 2026-10-{:02}T00:00:00Z\n---\n\n## {heading}\n{body}\n",
            number % 28 + 1
        );
        records.push_str(&format!(
            "{}\n",
            serde_json::json!({"id": format!("m-{number}"), "markdown": text})
        ));
    }
    let file = scratch.repository().join("records.jsonl");
    std::fs::write(&file, records).unwrap();
    scratch.ok(&["import", "records.jsonl"]);
    std::fs::remove_file(file).unwrap();
}

#[track_caller]
fn stage<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let stages = answer["stages"].as_array().unwrap();
    stages.iter().find(|stage| stage["stage"] == name).unwrap_or_else(|| panic!("{answer}"))
}

/// R60, R61, R64: 500 always, 1,500 for the last state, 1,000 for a pull.
#[track_caller]
fn check(count: usize, model: &str) {
    let scratch = Scratch::new();
    fill(&scratch, count);
    let task = ["resume", "--task", "round the money of the shop to cents"];
    for args in [&["resume"] as &[&str], &task, &["resume", "--onboard"]] {
        let args = &[&["--config", model], args].concat()[..];
        let answer = scratch.json(args);
        let limit = if args.contains(&"--task") { 3_000 } else { 2_000 };
        let text = scratch.ok(args);
        let used = tokens::count(&text);
        assert!(used <= limit, "{count} memories, {args:?}: {used} of {limit}\n{text}");
        for name in ["always", "last state"] {
            let one = stage(&answer, name);
            assert!(one["used"].as_u64() <= one["limit"].as_u64(), "{count}: {one}");
        }
        // R60: what binds and the newest decisions are there, if only by their titles.
        let always = stage(&answer, "always");
        let kinds: Vec<&str> = always["memories"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["type"].as_str().unwrap())
            .collect();
        assert_eq!(
            kinds.iter().filter(|it| **it == "decision").count(),
            3.min(count / 5),
            "{kinds:?}"
        );
        assert!(kinds.contains(&"constraint"), "{count}: {kinds:?}");
        // Room that is left is room for nothing that was left out.
        let left_out = answer["left_out"].as_array().unwrap();
        assert!(
            left_out.is_empty() || used > limit / 2,
            "{count}, {args:?}: {used} of {limit}, {left_out:?}"
        );
    }
}

#[test]
fn a_resumed_session_keeps_to_its_budgets_with_10_memories() {
    check(10, "recall.model=minilm");
}

#[test]
fn a_resumed_session_keeps_to_its_budgets_with_100_memories() {
    check(100, SMALL_MODEL);
}

#[test]
fn a_resumed_session_keeps_to_its_budgets_with_1000_memories() {
    check(1_000, SMALL_MODEL);
}
