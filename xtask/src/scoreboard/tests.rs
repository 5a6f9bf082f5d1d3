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

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("oldhand-scoreboard-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// R501
#[test]
fn the_page_follows_from_the_results() {
    if !is_possible() {
        return;
    }
    run(root(), &arguments(&["--check"])).unwrap();

    let folder = scratch("changed");
    let other = changed(&folder, |results| results["commit"] = "0000000".into());
    let words = ["--check", "--results", other.to_str().unwrap()];
    assert!(run(root(), &arguments(&words)).is_err(), "another run has another page");
    fs::remove_dir_all(folder).unwrap();
}

/// R502
#[test]
fn the_page_names_who_is_better() {
    if !is_possible() {
        return;
    }
    let folder = scratch("better");
    let other = changed(&folder, |results| {
        results["tools"]["grep"]["speed"]["peak_mb"] = 0.25.into();
    });
    let into = folder.to_str().unwrap();
    let words = ["--page-only", "--results", other.to_str().unwrap(), "--into", into];
    run(root(), &arguments(&words)).unwrap();
    let page = fs::read_to_string(folder.join("docs/scoreboard.md")).unwrap();
    let (_, memory) = page.split_once("Peak memory of a server").unwrap();
    let line = memory.lines().find(|line| line.contains("**Better than oldhand**")).unwrap();
    assert!(line.contains("grep (0 MB)"), "{line}");
    fs::remove_dir_all(folder).unwrap();
}
