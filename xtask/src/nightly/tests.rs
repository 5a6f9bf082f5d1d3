//! The page of a night, and the tables that it puts into another one.

use serde_json::{Value, json};

use super::report::page;
use super::security::between;

/// The page says what was tried and found, and names what was not run.
#[test]
fn the_page_names_what_was_found_and_what_was_not_run() {
    let kills = json!({
        "date": "2026-11-19 04:00 UTC", "commit": "abc", "minutes": 30.04, "cpu_minutes": 9.96, "tried": 12345,
        "unit": "kills", "goal": 10000, "findings": ["round 3: half done"], "notes": ["Rounds: 3."],
        "table": [["a", "b"], ["1", "2"]], "not_run": null,
    });
    let mutants = json!({"date": "today", "commit": "abc", "not_run": "error: cargo-mutants is not installed\nhint: install it"});
    let rows = [
        ("Kills", "kill", kills),
        ("Mutations", "mutants", mutants),
        ("Races", "race", Value::Null),
    ];
    let text = page("On a machine.\n\n", &rows);
    for line in [
        "| Kills | 12,345 kills | 10,000 | 1 | 30.0 | 10.0 | 2026-11-19 04:00 UTC | abc |",
        "| Mutations | not run | | | | | today | abc |",
        "| a | b |",
        "Rounds: 3.",
        "round 3: half done",
        "Not run: error: cargo-mutants is not installed",
        "Not run: it was not part of a run yet",
    ] {
        assert!(text.lines().any(|it| it == line), "{line}\n{text}");
    }
}

#[test]
fn tables_replace_those_of_the_last_run() {
    let page = "a\n<!-- numbers -->\nold\n<!-- end of numbers -->\nb\n";
    let once = between(page, "new\n").expect("the page has its marks");
    assert_eq!(once, "a\n<!-- numbers -->\n\nnew\n<!-- end of numbers -->\nb\n");
    assert_eq!(between(&once, "new\n").expect("the page has its marks"), once);
    assert!(between("no marks", "new").is_err());
}
