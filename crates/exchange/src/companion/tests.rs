//! Exports of every format, compared with their companion.

use super::*;
use crate::files::Content;
use crate::write::WRITERS;
use crate::write::tests::{full, world};
use oldhand_core::codec::markdown as codec;
use oldhand_core::kind::{Kind, Kinds};

/// An export of one memory of each kind that the format takes, with its companion.
fn export(writer: &Writer, kinds: &Kinds) -> (Vec<Line>, Export) {
    let memories: Vec<Memory> = Kind::BUILT_IN
        .into_iter()
        .map(|kind| full(kind.clone(), &format!("About {kind} and cents"), "words", kinds))
        .collect();
    let signals = Signals::default();
    let outgoing: Vec<Outgoing<'_>> =
        memories.iter().map(|memory| Outgoing { memory, signals: &signals, events: &[] }).collect();
    let made = writer.write(&outgoing, kinds);
    let lines = made.placed.iter().map(|placed| {
        let memory = memories.iter().find(|it| it.id.as_str() == placed.id).unwrap();
        let text = codec::render(memory, kinds);
        Line {
            path: placed.path.clone(),
            hash: placed.hash.clone(),
            format: writer.name.to_owned(),
            memory: json!({"id": placed.id, "markdown": text}),
        }
    });
    (lines.collect(), made)
}

fn files(made: &BTreeMap<String, String>) -> Files {
    let file = |(path, text): (&String, &String)| SourceFile {
        path: path.clone(),
        content: Content::Bytes(text.clone().into_bytes()),
        dated: None,
    };
    Files::new(made.iter().map(file).collect())
}

#[test]
fn what_nobody_changed_comes_back_byte_for_byte() {
    let kinds = Kinds::default();
    for writer in WRITERS {
        let (lines, made) = export(writer, &kinds);
        let text: String = lines.iter().map(Line::to_text).collect();
        let read: Vec<Line> = read(&text).into_iter().map(Result::unwrap).collect();
        assert_eq!(read, lines);
        let returned = compare(&read, &files(&made.files), &world(&kinds));
        let want: Vec<Back> = lines
            .iter()
            .map(|line| Back::Same {
                id: line.memory["id"].as_str().unwrap().to_owned(),
                text: line.markdown().unwrap().to_owned(),
            })
            .collect();
        assert_eq!(returned.back, want, "{}", writer.name);
        assert!(
            returned.refused.is_empty() && returned.new.is_empty(),
            "{}: {returned:?}",
            writer.name
        );
    }
}

/// A format, a file, what is changed in it, and the field that comes back.
const EDITS: &[(&str, &str, &str, &str, &str)] = &[
    (
        "claude-memory",
        "decisions/about-decision-and-cents.json",
        "words decision 1",
        "other words",
        "decision",
    ),
    ("madr", "0001-about-decision-and-cents.md", "words context 1", "other words", "context"),
    ("gaai", "decisions/DEC-1.md", "words decision 1", "other words", "decision"),
    ("playbook", "DECISIONS.md", "words decision 1", "other words", "decision"),
    (
        "geas",
        "memory/entries/mem-oldhand-about-lesson-and-cents.json",
        "words summary 1",
        "other words",
        "summary",
    ),
    ("server-memory", "", "words decision 1", "other words", "decision"),
];

#[test]
fn one_change_is_one_update_of_its_field() {
    let kinds = Kinds::default();
    for (name, path, old, new, field) in EDITS {
        let (lines, mut made) = export(write::find(name).unwrap(), &kinds);
        let text = made.files.get_mut(*path).unwrap_or_else(|| panic!("{name}: no {path}"));
        assert!(text.contains(old), "{name}: {text}");
        *text = text.replacen(old, new, 1);
        let returned = compare(&lines, &files(&made.files), &world(&kinds));
        let changed: Vec<&Back> =
            returned.back.iter().filter(|it| !matches!(it, Back::Same { .. })).collect();
        let [Back::Changed { draft, .. }] = changed.as_slice() else {
            panic!("{name}: {changed:?}")
        };
        let names: Vec<&str> = draft.content.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, [*field], "{name}");
        assert_eq!(draft.content[0].1, FieldValue::text(*new), "{name}");
        assert!(draft.front.is_empty() && draft.sections.is_empty(), "{name}: {draft:?}");
    }
}

/// Whatever the format, the main text of any kind can be edited, and nothing else is touched by it.
#[test]
fn one_change_leaves_its_neighbours_alone() {
    let kinds = Kinds::default();
    let mut problems = String::new();
    for writer in WRITERS {
        let (lines, made) = export(writer, &kinds);
        for placed in &made.placed {
            let kind = Kind::BUILT_IN
                .into_iter()
                .find(|it| {
                    placed.id == format!("about-{}-and-cents", it.as_str().replace('_', "-"))
                })
                .unwrap();
            let spec = kinds.spec(&kind);
            let main = oldhand_core::kind::schema::main_field(&spec.fields).unwrap();
            let old = format!("words {} 1", main.name.replace('_', " "));
            let mut files_now = made.files.clone();
            let text = files_now.get_mut(&placed.path).unwrap();
            let record = text[placed.range.clone()].replace(&old, "quite other words");
            assert_ne!(record, text[placed.range.clone()], "{}: {}", writer.name, placed.id);
            text.replace_range(placed.range.clone(), &record);
            let returned = compare(&lines, &files(&files_now), &world(&kinds));
            let changed: Vec<&Back> =
                returned.back.iter().filter(|it| !matches!(it, Back::Same { .. })).collect();
            let is_right = match changed.as_slice() {
                [Back::Changed { id, draft, .. }] => {
                    let names: Vec<&str> = draft.content.iter().map(|it| it.0.as_str()).collect();
                    *id == placed.id && names == [main.name.as_ref()] && draft.front.is_empty()
                }
                _ => false,
            };
            if !is_right || !returned.new.is_empty() || !returned.refused.is_empty() {
                let Returned { new, refused, .. } = &returned;
                let new: Vec<&str> = new.iter().map(|it| it.key.as_str()).collect();
                problems += &format!("{}: {kind}: {changed:?} {refused:?} {new:?}\n", writer.name);
            }
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

#[test]
fn a_file_that_went_and_one_that_came() {
    let kinds = Kinds::default();
    let (lines, mut made) = export(write::find("madr").unwrap(), &kinds);
    let text = made.files.remove("0001-about-decision-and-cents.md").unwrap();
    made.files.insert("0002-new.md".to_owned(), text.replace("About decision and cents", "New"));
    let returned = compare(&lines, &files(&made.files), &world(&kinds));
    assert_eq!(returned.back, [Back::Gone { id: "about-decision-and-cents".to_owned() }]);
    assert_eq!(returned.new.len(), 1);
}

#[test]
fn a_companion_of_nonsense_is_refused_by_line() {
    let kinds = Kinds::default();
    assert!(read("{\"path\": 1}\nx\n").iter().all(Result::is_err));
    let line = Line {
        memory: json!({"id": "../up", "markdown": "# x"}),
        ..export(write::find("madr").unwrap(), &kinds).0[0].clone()
    };
    let returned = compare(&[line], &Files::default(), &world(&kinds));
    assert_eq!((returned.back.len(), returned.refused.len()), (0, 1));
}
