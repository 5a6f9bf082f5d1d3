//! The page `sessions`, with values that are hard to show.

use super::*;
use crate::house::Moment;
use crate::house::Named;
use crate::house::sessions::SessionRow;
use crate::pages::checked::{HOSTILE, check, scene, text};

fn row(words: &str) -> SessionRow {
    SessionRow {
        id: words.to_owned(),
        host: words.to_owned(),
        task: words.to_owned(),
        began: Moment { iso: words.to_owned(), ago: "2 hours ago".to_owned() },
        calls: 3,
        served: 2,
        captured: 0,
        tokens: 1_234,
        trouble: 1,
    }
}

fn list(words: &str) -> Sessions {
    Sessions {
        rows: vec![row(words)],
        total: 1,
        hosts: vec![(words.to_owned(), 1)],
        in_trouble: 1,
        tokens: vec![(words.to_owned(), 4)],
        ..Sessions::default()
    }
}

fn one(words: &str) -> Session {
    let memory = || Named { id: words.to_owned(), title: words.to_owned() };
    let call = Call {
        clock: words.to_owned(),
        event: words.to_owned(),
        tool: words.to_owned(),
        said: "nothing".to_owned(),
        is_trouble: true,
        note: words.to_owned(),
        query: words.to_owned(),
        served: vec![memory()],
        captured: vec![memory()],
        dropped: vec![(memory(), words.to_owned())],
        ..Call::default()
    };
    Session {
        row: row(words),
        outcome: words.to_owned(),
        calls: vec![call],
        more: 4,
        ..Session::default()
    }
}

#[test]
fn a_list_links_every_number() {
    let page = check(&view(&list("s1"), &SessionsAsk::default()));
    let text = text(&page);
    assert!(text.contains("1 session") && text.contains("1,234"), "{text}");
    assert!(
        page.contains("href=\"/s/s1#served\"") && page.contains("href=\"/s/s1#trouble\""),
        "{page}"
    );
}

#[test]
fn one_session_says_why_it_was_silent() {
    let page = check(&one_view(&one("deadline"), &scene()));
    let text = text(&page);
    for words in ["said nothing", "4 older calls", "1 memory was left out"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn it_says_what_would_be_here() {
    let page = check(&view(&Sessions::default(), &SessionsAsk::default()));
    assert!(
        text(&page).contains("No session of an agent has been seen on this machine."),
        "{page}"
    );
}

#[test]
fn text_of_others_stays_text() {
    let ask = SessionsAsk { host: Some(HOSTILE.to_owned()), ..SessionsAsk::default() };
    check(&view(&list(HOSTILE), &ask));
    check(&one_view(&one(HOSTILE), &scene()));
}
