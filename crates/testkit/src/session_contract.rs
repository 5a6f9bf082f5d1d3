//! What every session store promises, checked against any of them. Each check starts with a store of
//! its own.

use jiff::Timestamp;
use oldhand_app::sessions::{NotesError, Sessions};
use oldhand_sessions::notes::{NoteKind, Notes, What};
use oldhand_store::failure::StoreError;
use oldhand_store::port::session::{Log, SessionId, SessionStore, TaskRecord};
use oldhand_store::port::session_state::Said;

/// Makes an empty store and hands it to a case.
pub type With<'w> = &'w dyn Fn(&dyn Fn(&dyn SessionStore));

/// Runs every check on a new store; `with` makes one and hands it over.
///
/// # Panics
///
/// When the store breaks a promise.
pub fn check_all(with: With<'_>) {
    let checks: &[fn(&dyn SessionStore)] = &[
        nothing_is_known_at_first,
        a_change_is_seen_by_the_next_one,
        sessions_and_subagents_stay_apart,
        recent_sessions_come_latest_first,
        work_is_held_by_one,
        a_kept_prompt_is_heard_once,
        notes_are_added_in_order,
        a_refused_note_changes_nothing,
        reviewed_notes_start_again,
        a_summary_is_replaced,
        a_task_starts_goes_on_and_ends,
        what_was_served_is_known_everywhere,
        logs_keep_their_order,
    ];
    for check in checks {
        with(&|store| check(store));
    }
}

fn now() -> Timestamp {
    "2026-11-15T12:00:00Z".parse().expect("it is an instant")
}

fn note(text: &str) -> What {
    What::Note { kind: NoteKind::Remaining, text: text.to_owned(), outcome: String::new() }
}

fn add(store: &dyn SessionStore, session: &str, news: Vec<What>) {
    let written = store.update_notes(session, now(), |_| Ok::<_, StoreError>(news));
    written.expect("notes are written");
}

fn texts(notes: &Notes) -> Vec<&str> {
    notes.items.iter().map(|item| item.text.as_str()).collect()
}

fn nothing_is_known_at_first(store: &dyn SessionStore) {
    assert_eq!(store.load("a".into()), None);
    assert_eq!((store.recent(), store.subagents("a")), (Vec::new(), Vec::new()));
    assert!(store.notes("a").expect("no notes are no error").is_empty());
    assert_eq!(store.summary("a"), None);
    assert_eq!(store.record().expect("no record is no error"), Default::default());
    assert!(Log::ALL.iter().all(|log| store.lines(*log).is_empty()));
}

fn a_change_is_seen_by_the_next_one(store: &dyn SessionStore) {
    let ids = ["x".to_owned(), "y".to_owned()];
    store.update("a", |state| state.served.add(&ids)).expect("it is written");
    let seen = store.update("a", |state| state.served.in_context.clone()).expect("it is read");
    assert_eq!(seen, ids);
    assert_eq!(store.load("a".into()).expect("it is there").session, "a");
}

fn sessions_and_subagents_stay_apart(store: &dyn SessionStore) {
    let inside = SessionId { session: "a", agent: "one" };
    store.update("a", |state| state.see(now())).expect("it is written");
    store.update("b", |state| state.see(now())).expect("it is written");
    store.update(inside, |state| state.served.add(&["x".to_owned()])).expect("it is written");
    assert!(store.given_to("a").is_empty() && store.given_to("b").is_empty());
    assert_eq!(store.subagents("a").len(), 1);
    assert!(store.subagents("b").is_empty());
    assert_eq!(store.ever_given_to("a").into_iter().collect::<Vec<_>>(), ["x"]);
    assert_eq!(store.recent().len(), 2, "without subagents");
}

fn recent_sessions_come_latest_first(store: &dyn SessionStore) {
    for (name, at) in [("b", 20), ("c", 30), ("a", 10)] {
        let at = now().checked_add(jiff::SignedDuration::from_secs(at)).expect("it is near");
        store.update(name, |state| state.see(at)).expect("it is written");
    }
    store.give("only given something", &["x".to_owned()]).expect("it is written");
    let recent = store.recent();
    let names: Vec<&str> = recent.iter().map(|state| state.session.as_str()).collect();
    assert_eq!(names, ["c", "b", "a"]);
}

fn work_is_held_by_one(store: &dyn SessionStore) {
    let held = store.hold_work("a".into()).expect("nobody holds it");
    assert!(store.hold_work("a".into()).is_err());
    store.hold_work("b".into()).expect("it is another one's");
    store.update("a", |_| ()).expect("nobody waits for work");
    drop(held);
    store.hold_work("a".into()).expect("it was let go");
}

fn a_kept_prompt_is_heard_once(store: &dyn SessionStore) {
    for text in ["first", "second"] {
        let said = Said::of(text, true).expect("it is a prompt");
        store.keep_prompt("a", &said).expect("it is kept");
    }
    for _ in 0..2 {
        let heard = store.update("a", |state| state.conversation.said.clone());
        let heard = heard.expect("it is written");
        assert_eq!(heard.iter().map(Said::text).collect::<Vec<_>>(), ["first", "second"]);
    }
}

fn notes_are_added_in_order(store: &dyn SessionStore) {
    add(store, "a", vec![note("one"), note("two")]);
    add(store, "a", vec![note("three")]);
    add(store, "b", vec![note("other")]);
    let notes = store.notes("a").expect("they can be read");
    assert_eq!(texts(&notes), ["one", "two", "three"]);
    assert_eq!(notes.last, 3);
}

fn a_refused_note_changes_nothing(store: &dyn SessionStore) {
    add(store, "a", vec![note("one")]);
    let refused = store.update_notes("a", now(), |notes| {
        assert_eq!(texts(notes), ["one"]);
        Err(StoreError::at_work("it is refused".as_ref()))
    });
    assert!(matches!(refused, Err(NotesError::Other(_))));
    let many: Vec<What> = (0..1_000).map(|_| note("too many")).collect();
    let full = store.update_notes("a", now(), |_| Ok::<_, StoreError>(many));
    assert!(matches!(full, Err(NotesError::Full)));
    assert_eq!(texts(&store.notes("a").expect("they can be read")), ["one"]);
}

fn reviewed_notes_start_again(store: &dyn SessionStore) {
    add(store, "a", vec![note("one"), note("two")]);
    add(store, "a", vec![What::reviewed_all()]);
    assert!(store.notes("a").expect("they can be read").items.is_empty());
    add(store, "a", vec![note("three")]);
    let notes = store.notes("a").expect("they can be read");
    assert_eq!((texts(&notes), notes.items[0].number), (vec!["three"], 3), "numbers go on");
}

fn a_summary_is_replaced(store: &dyn SessionStore) {
    for text in ["## Goal\nfirst\n", "## Goal\nsecond\n"] {
        store.replace_summary("a", text).expect("it is written");
        assert_eq!(store.summary("a").as_deref(), Some(text));
    }
    assert_eq!(store.summary("b"), None);
}

fn a_task_starts_goes_on_and_ends(store: &dyn SessionStore) {
    let start = |session: Option<&str>, task: &str, head: &str| {
        let at = "2026-11-15T12:00:00Z".to_owned();
        let (task, head) = (task.to_owned(), Some(head.to_owned()));
        let begun = TaskRecord { task, head, at, is_under_way: true };
        store.update_record(|record| record.start_task(session, begun)).expect("it is written");
    };
    start(None, "T-1", "c1");
    start(Some("a"), "T-2", "c2");
    assert_eq!(store.current_task(Some("a")).as_deref(), Some("T-2"));
    assert_eq!(store.current_task(Some("b")).as_deref(), Some("T-1"), "the shells' one");
    start(None, "T-1", "c9");
    let record = store.record().expect("it can be read");
    let begun = record.task_record("T-1", Some("b")).expect("it began");
    assert_eq!(begun.head.as_deref(), Some("c1"), "a task that goes on keeps its beginning");
    store.update_record(|record| record.end_task("T-2")).expect("it is written");
    let record = store.record().expect("it can be read");
    assert_eq!(record.own_task(Some("a")), None);
    assert_eq!(record.last_task(Some("a")).map(|it| it.task.as_str()), Some("T-2"));
}

fn what_was_served_is_known_everywhere(store: &dyn SessionStore) {
    let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<String>>();
    store.give("a", &ids(&["x"])).expect("it is written");
    store.give("a", &[]).expect("nothing is written");
    store.update_record(|record| record.serve("T", &ids(&["y"]), now())).expect("it is written");
    let served = |session| store.served_for("T", session).into_iter().collect::<Vec<_>>();
    assert_eq!(served(None), ["y"]);
    assert_eq!(served(Some("a")), ["x", "y"]);
    store.update("a", |state| state.served.forget_context()).expect("it is written");
    assert!(store.given_to("a").is_empty(), "the conversation lost it");
    assert_eq!(served(Some("a")), ["x", "y"], "it was used all the same");
}

fn logs_keep_their_order(store: &dyn SessionStore) {
    for log in Log::ALL {
        for number in 0..3 {
            let line = format!("{{\"at\":\"{number}\",\"log\":\"{}\"}}", log.name());
            store.append(log, &line).expect("it is written");
        }
    }
    let receipts = store.receipts(None, 2);
    assert_eq!(receipts.iter().map(|it| it["at"].clone()).collect::<Vec<_>>(), ["2", "1"]);
    assert_eq!(store.hook_lines().len(), 3);
    assert_eq!(store.hook_lines()[0]["log"], "hooks");
}
