//! The committed page follows from the committed results. Without `python3` there is nothing to try.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::run;
use crate::process::{program, works};

const RESULTS: &str = "evals/scoreboard/results.json";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder in the repository")
}

fn is_possible() -> bool {
    works(program(root(), "python3", &["--version"]))
}

fn arguments(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The committed results with `change` made to them, in a file of its own.
fn changed(folder: &Path, change: impl FnOnce(&mut Value)) -> PathBuf {
    let text = fs::read_to_string(root().join(RESULTS)).unwrap();
    let mut results: Value = serde_json::from_str(&text).unwrap();
    change(&mut results);
    let path = folder.join("results.json");
    fs::write(&path, results.to_string()).unwrap();
    path
}

#[test]
fn the_page_follows_from_the_results() {
    if !is_possible() {
        return;
    }
    run(root(), &arguments(&["--check"])).unwrap();

    let folder = tempfile::tempdir().unwrap();
    let other = changed(folder.path(), |results| results["commit"] = "0000000".into());
    let words = ["--check", "--results", other.to_str().unwrap()];
    assert!(run(root(), &arguments(&words)).is_err(), "another run has another page");
}

#[test]
fn the_page_names_who_is_better() {
    if !is_possible() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let other = changed(folder.path(), |results| {
        for (name, tool) in results["tools"].as_object_mut().unwrap() {
            if let Some(speed) = tool.get_mut("speed") {
                speed["peak_mb"] = if name == "grep" { 0.25.into() } else { 90.into() };
            }
        }
    });
    let into = folder.path().to_str().unwrap();
    let words = ["--page-only", "--results", other.to_str().unwrap(), "--into", into];
    run(root(), &arguments(&words)).unwrap();
    let page = fs::read_to_string(folder.path().join("docs/scoreboard.md")).unwrap();
    let (_, memory) = page.split_once("Peak memory of a server").unwrap();
    let line = memory.lines().find(|line| line.starts_with("- peak memory: ")).unwrap();
    assert_eq!(line, "- peak memory: grep.");
    assert!(memory.contains("**0 MB**"), "it is bold in the table");
}
