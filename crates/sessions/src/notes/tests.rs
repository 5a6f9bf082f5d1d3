//! R57: done, remaining, errors with their resolution, open questions.

use super::*;

fn line(at: u32, what: What) -> Line {
    Line { at: format!("2026-11-16T10:00:{at:02}Z"), what }
}

fn note(kind: NoteKind, text: &str) -> What {
    What::Note { kind, text: text.to_owned(), outcome: String::new() }
}

#[test]
fn an_item_that_is_done_leaves_the_list_r57() {
    let lines = [
        line(1, note(NoteKind::Remaining, "Wire it to the CLI")),
        line(2, note(NoteKind::Remaining, "docs")),
        line(3, note(NoteKind::Done, "wire it  to the cli")),
        line(4, What::Close { item: 2, outcome: "in docs/day.md".into() }),
        line(5, note(NoteKind::Done, "tests")),
    ];
    let notes = Notes::fold(&lines);
    assert_eq!(notes.remaining().count(), 0);
    let done: Vec<String> = notes.completed().iter().map(|item| item.line()).collect();
    assert_eq!(done, ["Wire it to the CLI", "docs (in docs/day.md)", "tests"]);
}

#[test]
fn an_error_has_its_resolution_r57() {
    let lines = [
        line(1, note(NoteKind::Error, "E0308 in pay.rs")),
        line(2, note(NoteKind::Question, "keep the flag?")),
        line(3, What::Close { item: 1, outcome: "cast to u64".into() }),
    ];
    let facts = Notes::fold(&lines).facts();
    assert_eq!(
        facts,
        ["open question: keep the flag?", "error: E0308 in pay.rs (fixed: cast to u64)"]
    );
}

#[test]
fn a_torn_line_loses_only_itself() {
    let whole = serde_json::to_string(&line(1, note(NoteKind::Done, "one"))).unwrap();
    let text = format!("{whole}\n{}", &whole[..whole.len() / 2]);
    assert_eq!(Notes::read(&text).items.len(), 1);
}

#[test]
fn a_new_objective_begins_a_new_plan_r93() {
    let lines = [
        line(1, What::Objective { text: "one".into() }),
        line(2, What::Step { text: "a".into() }),
        line(3, What::Objective { text: "two".into() }),
        line(4, What::Step { text: "b".into() }),
    ];
    let notes = Notes::fold(&lines);
    let open: Vec<&str> = notes.remaining().map(|item| item.text.as_str()).collect();
    assert_eq!(open, ["b"]);
    assert_eq!(notes.anchored_at, "2026-11-16T10:00:04Z");
}

#[test]
fn what_is_no_note_is_refused() {
    assert!(checked("text", "  ").is_err());
    assert!(checked("text", &"x".repeat(501)).is_err());
    assert!(
        checked("text", "export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzKEYab")
            .is_err()
    );
    assert_eq!(checked("text", " a\n b ").unwrap(), "a b");
}

#[test]
fn what_was_reviewed_is_over_r149() {
    let lines = [line(1, note(NoteKind::Remaining, "docs")), line(2, What::reviewed_all())];
    let notes = Notes::fold(&lines);
    assert!(notes.is_empty());
    assert_eq!(notes.reviewed_at, "2026-11-16T10:00:02Z");
}

#[test]
fn what_came_after_the_look_stays_and_keeps_its_number_r149() {
    let seen = What::Reviewed { kept: vec!["task-a".into()], through: Some(2) };
    let lines = [
        line(1, note(NoteKind::Remaining, "docs")),
        line(2, note(NoteKind::Done, "parser")),
        line(3, note(NoteKind::Error, "noted meanwhile")),
        line(4, seen),
    ];
    let notes = Notes::fold(&lines);
    let left: Vec<(usize, &str)> =
        notes.items.iter().map(|it| (it.number, it.text.as_str())).collect();
    assert_eq!(left, [(3, "noted meanwhile")]);
    assert_eq!(notes.reviewed_at, "", "somebody has yet to look at it");
    assert_eq!(notes.item(3).map(|it| it.number), Some(3));
}

#[test]
fn a_number_is_never_used_again() {
    let mut lines = vec![
        line(1, note(NoteKind::Remaining, "a")),
        line(2, note(NoteKind::Remaining, "b")),
        line(3, What::reviewed_all()),
        line(4, note(NoteKind::Remaining, "c")),
    ];
    assert_eq!(Notes::fold(&lines).items[0].number, 3);
    lines.push(line(5, What::Close { item: 1, outcome: String::new() }));
    assert!(Notes::fold(&lines).items[0].is_open(), "1 was another one");
    // A file that was begun anew with the line of its review.
    let begun = [
        line(1, What::Reviewed { kept: Vec::new(), through: Some(7) }),
        line(2, note(NoteKind::Remaining, "d")),
    ];
    assert_eq!(Notes::fold(&begun).items[0].number, 8);
}

#[test]
fn a_review_of_an_older_version_is_one_of_everything() {
    let text = "{\"at\":\"t\",\"what\":\"note\",\"kind\":\"done\",\"text\":\"a\"}\n\
                {\"at\":\"t\",\"what\":\"reviewed\",\"kept\":[]}\n";
    assert!(Notes::read(text).is_empty());
}
