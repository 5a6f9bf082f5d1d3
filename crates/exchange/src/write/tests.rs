//! Every writer against the reader of its format.

use super::*;
use crate::World;
use crate::files::{Content as FileContent, Files, SourceFile};
use crate::record::Foreign;
use jiff::Timestamp;
use oldhand_core::content::{Alternative, FieldValue};
use oldhand_core::kind::Kind;
use oldhand_core::kind::schema::Shape;
use oldhand_core::memory::MemoryId;
use oldhand_core::state::State;
use proptest::prelude::*;

pub(crate) fn world(kinds: &Kinds) -> World<'_> {
    let now = Timestamp::from_second(1_800_000_000).unwrap();
    World { kinds, now, project: "shop", worktree: "/shop", with: Default::default() }
}

/// A memory whose every field says something.
pub(crate) fn full(kind: Kind, title: &str, words: &str, kinds: &Kinds) -> Memory {
    let mut memory = Memory::new(MemoryId::of_title(title), kind.clone(), title);
    memory.state = State::Stable;
    memory.tags = vec!["billing".to_owned(), "money".to_owned()];
    memory.created_at = Timestamp::from_second(1_767_225_600).ok();
    memory.updated_at = Timestamp::from_second(1_767_312_000).ok();
    for field in kinds.spec(&kind).fields.iter() {
        let text = |number: usize| format!("{words} {} {number}", field.name.replace('_', " "));
        let value = match &field.shape {
            Shape::Text => FieldValue::Text(text(1)),
            Shape::List | Shape::Steps => FieldValue::List(vec![text(1), text(2)]),
            Shape::Choice(all) => FieldValue::text(all[0]),
            Shape::Flag => FieldValue::Flag(true),
            Shape::Date => FieldValue::text("2027-01-01"),
            Shape::Alternatives => FieldValue::Alternatives(vec![
                Alternative::new(&text(1), "it is slow"),
                Alternative::new(&text(2), "Bad, because it is odd"),
            ]),
        };
        memory.content.set(&field.name, value);
    }
    if kind == Kind::Decision {
        memory.content.set("status", FieldValue::text("accepted"));
    }
    memory
}

fn store(words: &str, kinds: &Kinds) -> Vec<Memory> {
    let title = |kind: &Kind, number: usize| format!("The {kind} of {words} number {number}");
    let each = Kind::BUILT_IN.into_iter().flat_map(|kind| [(kind.clone(), 1), (kind, 2)]);
    each.map(|(kind, number)| full(kind.clone(), &title(&kind, number), words, kinds)).collect()
}

fn export(name: &str, memories: &[Memory], kinds: &Kinds) -> Export {
    let signals = Signals::default();
    let all: Vec<Outgoing<'_>> =
        memories.iter().map(|memory| Outgoing { memory, signals: &signals, events: &[] }).collect();
    let made = find(name).unwrap().write(&all, kinds);
    let reversed: Vec<Outgoing<'_>> = all.iter().rev().copied().collect();
    assert_eq!(
        made,
        find(name).unwrap().write(&reversed, kinds),
        "the order of memories makes no bytes"
    );
    made
}

/// What the reader of the format makes of an export.
fn read_back(name: &str, made: &Export, kinds: &Kinds) -> Vec<Foreign> {
    let writer = find(name).unwrap();
    let files = made.files.iter().map(|(path, text)| SourceFile {
        path: writer.home(path),
        content: FileContent::Bytes(text.clone().into_bytes()),
        dated: None,
    });
    let files = Files::new(files.collect());
    let found = crate::formats::find(&files, Some(writer.read_by));
    assert!(!found.is_empty(), "{name} is not found: {:?}", made.files.keys());
    let world = world(kinds);
    found
        .into_iter()
        .flat_map(|(format, root)| format.read(&root, &files, &world).records)
        .collect()
}

/// The columns of the table that say yes: of these kinds the title and these fields.
const KEPT: &[(&str, Kind, &[&str])] = &[
    (
        "claude-memory",
        Kind::Decision,
        &["status", "context", "decision", "alternatives", "rationale"],
    ),
    (
        "claude-memory",
        Kind::Constraint,
        &["kind", "severity", "active", "rule", "impact", "workarounds", "expires"],
    ),
    (
        "claude-memory",
        Kind::Preference,
        &["topic", "strength", "value", "reason", "prefer", "avoid"],
    ),
    (
        "claude-memory",
        Kind::Runbook,
        &["trigger", "symptoms", "steps", "verification", "root_cause", "environment"],
    ),
    (
        "claude-memory",
        Kind::TechDebt,
        &["status", "priority", "description", "reason_deferred", "impact", "suggested_fix"],
    ),
    (
        "claude-memory",
        Kind::SessionSummary,
        &["goal", "outcome", "completed", "next_actions", "key_changes"],
    ),
    (
        "gaai",
        Kind::Decision,
        &[
            "status",
            "context",
            "decision",
            "alternatives",
            "rationale",
            "consequences",
            "constraints",
        ],
    ),
    (
        "gaai",
        Kind::Architecture,
        &["module_map", "interfaces", "data_flow", "external_dependencies", "known_debt"],
    ),
    ("playbook", Kind::Decision, &["context", "decision", "alternatives", "constraints"]),
    ("geas", Kind::Lesson, &["lesson_type", "summary", "guidance"]),
    (
        "madr",
        Kind::Decision,
        &[
            "status",
            "context",
            "decision",
            "alternatives",
            "rationale",
            "consequences",
            "constraints",
        ],
    ),
    (
        "server-memory",
        Kind::Decision,
        &[
            "status",
            "context",
            "decision",
            "alternatives",
            "rationale",
            "consequences",
            "constraints",
        ],
    ),
    (
        "server-memory",
        Kind::Runbook,
        &["trigger", "symptoms", "steps", "verification", "root_cause", "environment"],
    ),
    (
        "server-memory",
        Kind::Constraint,
        &["kind", "severity", "active", "rule", "impact", "workarounds", "expires"],
    ),
    ("server-memory", Kind::Reference, &["text"]),
    (
        "server-memory",
        Kind::Lesson,
        &["lesson_type", "summary", "guidance", "applies_when", "falsified_by"],
    ),
    ("claude-auto", Kind::Preference, &["value", "reason"]),
    ("claude-auto", Kind::Reference, &["text"]),
    ("serena", Kind::Reference, &["text"]),
];

fn check_kept(words: &str) {
    let kinds = Kinds::default();
    let store = store(words, &kinds);
    for writer in WRITERS {
        let rows: Vec<_> = KEPT.iter().filter(|(name, ..)| *name == writer.name).collect();
        let made = export(writer.name, &store, &kinds);
        assert_eq!(made.placed.len() + made.left_out.len(), store.len(), "{}", writer.name);
        if rows.is_empty() {
            continue;
        }
        let records = read_back(writer.name, &made, &kinds);
        for (name, kind, fields) in rows {
            for memory in store.iter().filter(|it| it.kind == *kind) {
                let record = records.iter().find(|it| it.draft.title() == Some(&memory.title));
                let record = record.unwrap_or_else(|| panic!("{name}: no `{}`", memory.title));
                assert_eq!(record.kind(), *kind, "{name}: {}", memory.title);
                for field in *fields {
                    assert_eq!(
                        record.value(field),
                        memory.content.get(field),
                        "{name}: {kind} {field}"
                    );
                }
            }
        }
    }
}

#[test]
fn bare_round_trips_keep_their_columns() {
    check_kept("cents");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_words_come_back(words in "[a-z]{2,8}( [a-zA-Z0-9]{1,8}){0,4}") {
        check_kept(&words);
    }
}

#[test]
fn numbers_of_aliases_stay() {
    let kinds = Kinds::default();
    let mut store: Vec<Memory> =
        ["One", "Two", "Three"].map(|title| full(Kind::Decision, title, "words", &kinds)).to_vec();
    store[1].aliases = vec!["ADR-7".to_owned()];
    let made = export("madr", &store, &kinds);
    let names: Vec<&str> = made.files.keys().map(String::as_str).collect();
    assert_eq!(names, ["0007-two.md", "0008-one.md", "0009-three.md"]);
}

#[test]
fn a_successor_is_named_by_its_number() {
    let kinds = Kinds::default();
    let mut old = full(Kind::Decision, "Old", "words", &kinds);
    old.state = State::Superseded;
    old.superseded_by = Some("new".to_owned());
    let new = full(Kind::Decision, "New", "words", &kinds);
    let made = export("madr", &[old.clone(), new.clone()], &kinds);
    assert!(made.files["0002-old.md"].contains("status: superseded by ADR-0001\n"), "{made:?}");
    let made = export("gaai", &[old, new], &kinds);
    assert!(made.files["decisions/DEC-2.md"].contains("superseded_by: DEC-1\n"), "{made:?}");
}

#[test]
fn what_a_closed_schema_has_no_room_for_is_told() {
    let kinds = Kinds::default();
    let lesson = full(Kind::Lesson, "Read before you write", "words", &kinds);
    let made = export("claude-memory", &[lesson], &kinds);
    assert_eq!(made.placed[0].instead, Some("preference"));
    let session = full(Kind::SessionSummary, "Monday", "words", &kinds);
    assert_eq!(export("geas", &[session], &kinds).left_out.len(), 1);
}

#[test]
fn required_texts_are_filled_and_read_as_nothing() {
    let kinds = Kinds::default();
    let mut memory = Memory::new(MemoryId::of_title("Cents"), Kind::Decision, "Cents");
    memory.state = State::Stable;
    memory.content.set("decision", FieldValue::text("Integers"));
    let made = export("claude-memory", &[memory], &kinds);
    assert!(made.files["decisions/cents.json"].contains("not recorded"), "{made:?}");
    let records = read_back("claude-memory", &made, &kinds);
    assert_eq!(records[0].value("context"), None);
    assert_eq!(records[0].value("rationale"), None);
}
