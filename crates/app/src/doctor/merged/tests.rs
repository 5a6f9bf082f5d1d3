//! Logs with one line and with two.

use super::*;

/// Each event as `before after`, with the state that it moved to and who did.
fn events(lines: &[(&str, &str, Option<State>, &str)]) -> Vec<Event> {
    let one = |(at, (before, after, to, by)): (usize, &(&str, &str, Option<State>, &str))| {
        let hash = |it: &str| Some(it.to_owned()).filter(|it| !it.is_empty());
        let event_type = if *by == "external" { EventType::Adopted } else { EventType::Updated };
        Event {
            id: format!("e{at}"),
            before: hash(before),
            after: hash(after),
            to: *to,
            by: (*by).to_owned(),
            ..Event::new(event_type, "m", Timestamp::UNIX_EPOCH)
        }
    };
    lines.iter().enumerate().map(one).collect()
}

#[test]
fn one_line_is_no_fork() {
    let line =
        [("", "a", Some(State::Stable), "ada"), ("a", "b", None, "ada"), ("b", "c", None, "bo")];
    assert_eq!(Fork::of(&events(&line)), None);
    // An edit by hand in between, and a write over one.
    assert_eq!(Fork::of(&events(&[("", "a", None, "ada"), ("x", "b", None, "ada")])), None);
    let recorded = [
        ("", "a", None, "ada"),
        ("a", "b", None, "ada"),
        ("a", "c", None, "bo"),
        ("b", "d", None, "external"),
    ];
    assert_eq!(Fork::of(&events(&recorded)), None);
}

#[test]
fn two_branches_are_told_apart_in_any_order() {
    let [stable, retired] = [Some(State::Stable), Some(State::Retired)];
    let begin = ("", "a", Some(State::Provisional), "ada");
    let [ada, grace] = [("a", "b", stable, "ada"), ("a", "c", None, "grace")];
    let more = ("c", "d", retired, "grace");
    for lines in [[begin, ada, grace, more], [begin, grace, ada, more], [begin, grace, more, ada]] {
        let fork = Fork::of(&events(&lines)).unwrap();
        assert_eq!(fork.tips, ["b", "d"]);
        let what = fork.finding("lessons/m.md", "m", State::Retired).unwrap().what;
        assert!(
            what.contains("to stable by ada") && what.contains("to retired by grace"),
            "{what}"
        );
        assert!(what.ends_with("; retired was kept"), "{what}");
    }
    // Only one of them moved it.
    let fork = Fork::of(&events(&[begin, ada, grace])).unwrap();
    assert_eq!(fork.finding("lessons/m.md", "m", State::Stable), None);
}

#[test]
fn branches_that_did_not_part_at_a_write_are_told_apart_too() {
    // Both created it (R463).
    let both = [("", "a", None, "ada"), ("", "b", None, "grace")];
    assert_eq!(Fork::of(&events(&both)).unwrap().tips, ["a", "b"]);
    // One goes on from before what was recorded as the merge of both.
    let squashed = [
        ("", "a", None, "ada"),
        ("a", "b", None, "ada"),
        ("a", "c", None, "grace"),
        ("c", "d", None, "external"),
        ("b", "e", None, "ada"),
    ];
    assert_eq!(Fork::of(&events(&squashed)).unwrap().tips, ["d", "e"]);
    // It was collected, and written anew.
    let anew = [("", "a", None, "ada"), ("a", "", None, "ada"), ("", "b", None, "ada")];
    assert_eq!(Fork::of(&events(&anew)), None);
}
