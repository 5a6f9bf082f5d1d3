//! Trust is folded from the log: a log that changed changes the answers, whoever wrote it.

use std::fs;

use super::{Library, by_words};

/// What the log says when a memory was used and it went badly.
fn contradiction(number: usize) -> String {
    format!(
        "{{\"id\":\"01zzzzzzzzzzzzzzzzzzzzzzz{number}\",\"at\":\"2099-01-01T00:00:00Z\",\
         \"type\":\"applied\",\"effect\":\"contradiction\",\"memory\":\"rule-17\",\
         \"path\":\"reference/rule-17.md\",\"by\":\"ada\",\"write\":\"w{number}\"}}\n"
    )
}

fn log(library: &Library) -> std::path::PathBuf {
    library.scratch.log()
}

#[test]
fn a_line_added_and_taken_away() {
    let library = by_words(40);
    let asked = super::asked("quicksilver");
    let first = library.ask(&asked);
    let text = fs::read_to_string(log(&library)).unwrap();
    fs::write(log(&library), format!("{text}{}", contradiction(1))).unwrap();
    let contradicted = library.ask(&asked);
    assert_ne!(contradicted, first);
    fs::write(log(&library), format!("{text}{}{}", contradiction(1), contradiction(2))).unwrap();
    assert_ne!(library.ask(&asked), contradicted);
    library.assert_as_new("contradicted twice");
    // As a checkout of an older commit does it: the memories are the same, the log is shorter.
    fs::write(log(&library), &text).unwrap();
    assert_eq!(library.ask(&asked), first);
}

/// Two branches that wrote the same amount.
#[test]
fn a_log_of_the_same_length() {
    let library = by_words(40);
    let asked = super::asked("quicksilver");
    let text = fs::read_to_string(log(&library)).unwrap();
    fs::write(log(&library), format!("{text}{}", contradiction(1))).unwrap();
    library.ask(&asked);
    let other = contradiction(1).replace("rule-17", "rule-16");
    fs::write(log(&library), format!("{text}{other}")).unwrap();
    library.assert_as_new("another memory was contradicted");
}

#[test]
fn a_log_that_is_gone() {
    let library = by_words(40);
    let text = fs::read_to_string(log(&library)).unwrap();
    fs::write(log(&library), format!("{text}{}", contradiction(1))).unwrap();
    library.ask(&super::asked("quicksilver"));
    fs::remove_file(log(&library)).unwrap();
    library.assert_as_new("without its log");
}
