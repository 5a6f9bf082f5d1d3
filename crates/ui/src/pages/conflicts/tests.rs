//! The page `conflicts`, with values that are hard to show.

use super::*;
use crate::house::Named;
use crate::house::conflicts::Side;
use crate::pages::checked::{HOSTILE, check, scene, text};

fn conflicts(words: &str) -> Conflicts {
    let side = Side {
        against: Named { id: words.to_owned(), title: words.to_owned() },
        date: words.to_owned(),
        why: words.to_owned(),
        ours: words.to_owned(),
        theirs: words.to_owned(),
    };
    let conflict = Conflict {
        id: words.to_owned(),
        by: words.to_owned(),
        title: words.to_owned(),
        sides: vec![side],
        ..Conflict::default()
    };
    let settled = |conflict| Settled {
        by: words.to_owned(),
        outcome: "follow".to_owned(),
        reason: words.to_owned(),
        id: words.to_owned(),
        conflict,
        ..Settled::default()
    };
    Conflicts {
        open: vec![conflict.clone()],
        settled: vec![settled(Some(conflict)), settled(None)],
        odd: vec![words.to_owned()],
        // R372: those that a page leaves out.
        more: 3,
    }
}

const SILENT: Said = Said { said: None };

#[test]
fn both_sides_stand_beside_each_other() {
    let page = check(&view(&conflicts("use-floats"), &SILENT, &scene()));
    let text = text(&page);
    for words in [
        "4 wait for a person",
        "3 more conflicts are",
        "Settled · 2",
        "The decision holds",
        "no longer kept",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(page.contains("value=\"keep_both\""), "{page}");
}

#[test]
fn it_says_what_would_be_here() {
    let page = check(&view(&Conflicts::default(), &SILENT, &scene()));
    assert!(text(&page).contains("No proposal clashes with a decision."), "{page}");
}

#[test]
fn text_of_others_stays_text() {
    check(&view(&conflicts(HOSTILE), &SILENT, &scene()));
}
