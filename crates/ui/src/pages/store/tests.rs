//! The page `store`, with values that are hard to show.

use super::*;
use crate::pages::checked::{HOSTILE, check, scene, text};

fn store(words: &str) -> Store {
    let setting = Setting {
        key: words.to_owned(),
        value: words.to_owned(),
        source: words.to_owned(),
        meaning: words.to_owned(),
        is_default: false,
    };
    let host = HostRow {
        name: words.to_owned(),
        problem: words.to_owned(),
        calls: 4,
        ..HostRow::default()
    };
    let diagnosis = Diagnosis {
        findings: vec![[words.to_owned(), words.to_owned(), words.to_owned()]],
        repaired: vec![words.to_owned()],
        notes: vec![words.to_owned()],
        ..Diagnosis::default()
    };
    Store {
        root: words.to_owned(),
        memories: 3,
        kinds: vec![(words.to_owned(), 3)],
        index: vec![("Memories", words.to_owned())],
        settings: vec![setting],
        hosts: vec![host],
        // R372: an import is one write of thousands.
        undo: Undo { steps: vec![words.to_owned()], more: 4_999, ..Undo::default() },
        diagnosis: Some(diagnosis),
        ..Store::default()
    }
}

#[test]
fn it_shows_what_doctor_found_and_what_undo_would_do() {
    let page = check(&view(&store("codex"), None, &scene()));
    let text = text(&page);
    for words in
        ["1 finding for you to decide", "Undo codex and 4,999 more.", "1 differs from the default"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(page.contains("href=\"/sessions?host=codex&amp;trouble=1\""), "{page}");
}

/// R362
#[test]
fn doctor_waits_for_its_button() {
    let page = check(&view(&Store::default(), None, &scene()));
    let text = text(&page);
    assert!(
        text.contains("Run doctor") && text.contains("No agent is set up on this machine."),
        "{text}"
    );
}

#[test]
fn text_of_others_stays_text() {
    check(&view(&store(HOSTILE), Some(HOSTILE), &scene()));
}
