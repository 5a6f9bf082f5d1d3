//! Recall on the repository's own set of coding memories: floors that a change may not fall below.
//! The set and how the numbers came about: `evals/coding/README.md` and `docs/recall.md`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn report() -> Value {
    let home = tempfile::tempdir().expect("a folder");
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals/coding");
    let output = Command::new(env!("CARGO_BIN_EXE_oldhand-eval"))
        .args(["--json", "--baseline", "bm25"])
        .arg(set)
        .env_clear()
        .env("HOME", home.path())
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// R26 R84: what answers is found, also in other words; what nothing answers gets nothing.
#[test]
fn recall_finds_paraphrases_and_identifiers_and_is_silent_otherwise() {
    let report = report();
    let measure = |by: &str, category: &str, name: &str| -> f64 {
        let engines = report["engines"].as_array().unwrap();
        let engine = engines.iter().find(|engine| engine["name"] == by).unwrap();
        let groups = engine["groups"].as_array().unwrap();
        let group = groups.iter().find(|group| group["category"] == category);
        let value = group.and_then(|group| group[name].as_f64());
        value.unwrap_or_else(|| panic!("{by} {category} {name}"))
    };
    let at_least = |category: &str, name: &str, floor: f64| {
        let found = measure("recall", category, name);
        assert!(found >= floor, "{category} {name}: {found} is below {floor}");
    };
    at_least("identifier", "recall_at_1", 0.94);
    at_least("paraphrase", "recall_at_1", 0.50);
    at_least("paraphrase", "recall_at_10", 0.88);
    at_least("prompt", "recall_at_10", 0.75);
    at_least("everyday", "abstained", 0.84);
    at_least("offtopic", "abstained", 0.80);
    let (ours, plain) =
        (measure("recall", "all", "ndcg_at_10"), measure("bm25", "all", "ndcg_at_10"));
    assert!(ours > plain + 0.15, "{ours} against {plain} by words alone");
}
