//! The page `inbox`: what its queue says, and which filters its links keep.

use super::*;
use crate::house::inbox::QueueRow;
use crate::pages::checked::{HOSTILE, check, scene, text};

fn inbox(words: &str) -> Inbox {
    let row = QueueRow {
        key: words.to_owned(),
        cause: "candidate".to_owned(),
        title: words.to_owned(),
        kind: "lesson".to_owned(),
        state: "candidate".to_owned(),
        role: "quality".to_owned(),
        trust: Some(0.4),
        ..QueueRow::default()
    };
    let kinds = vec!["decision".to_owned(), words.to_owned()];
    Inbox { causes: vec![("candidate".to_owned(), 1)], rows: vec![row], kinds, ..Inbox::default() }
}

fn of_a_session(words: &str) -> InboxAsk {
    let (session, kind) = (Some(words.to_owned()), Some("lesson".to_owned()));
    InboxAsk { session, kind, ..InboxAsk::default() }
}

fn page(inbox: &Inbox, ask: &InboxAsk) -> String {
    check(&view::view(inbox, ask, &Tried::default(), &scene()))
}

const EVERYTHING: &str = "Show everything that waits";

// R580
#[test]
fn a_filter_is_kept_and_can_be_dropped() {
    let ask = of_a_session("s1");
    let filtered = page(&inbox("retry-once"), &ask);
    for part in [
        "<input type=\"hidden\" name=\"session\" value=\"s1\">",
        "href=\"/review?kind=lesson&amp;session=s1&amp;at=retry-once\"",
        "href=\"/review?cause=candidate&amp;kind=lesson&amp;session=s1\"",
        "<a href=\"/review\">Show everything that waits</a>",
    ] {
        assert!(filtered.contains(part), "{part}: {filtered}");
    }
    assert!(text(&filtered).contains("trust 0.40"), "trust: {filtered}");
    assert!(!text(&page(&inbox("retry-once"), &InboxAsk::default())).contains(EVERYTHING));
}

#[test]
fn it_says_why_nothing_is_shown() {
    let none = Inbox { rows: Vec::new(), ..inbox("x") };
    let of_filters = text(&page(&none, &of_a_session("s2")));
    assert!(of_filters.contains("Nothing that waits fits these filters."), "{of_filters}");
    let gone = InboxAsk { at: Some("x".to_owned()), ..InboxAsk::default() };
    let gone = text(&page(&none, &gone));
    assert!(gone.contains("This item no longer waits."), "{gone}");
    let empty = text(&page(&Inbox::default(), &InboxAsk::default()));
    assert!(empty.contains("Nothing waits for a decision."), "{empty}");
}

#[test]
fn text_of_others_stays_text() {
    page(&inbox(HOSTILE), &of_a_session(HOSTILE));
}
