//! Reading and writing lose nothing: examples that people write, and anything at all.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::markdown::{Origin, parse, parse_bytes, render, rewrite};
use crate::content::{Alternative, FieldValue};
use crate::kind::{Kind, Kinds};
use crate::memory::{Change, Memory, MemoryId};
use crate::scope::Scope;
use crate::state::State;
use crate::yaml::{Yaml, parse_map, short_way_agrees, write_entry};
use oldhand_text::strings::{normalise_body, normalise_line};

mod foreign;
mod small_diffs;

fn at(memory: &Memory) -> Origin<'_> {
    Origin { stem: memory.id.as_str(), folder: "" }
}

/// Text that finds the corners: guards, fences, lists, headings, quotes, odd Unicode.
fn nasty_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z0-9 .,:;#'\"|>*_-]{0,20}",
        any::<String>(),
        Just("## Decision".to_owned()),
        Just("\\## Decision".to_owned()),
        Just("```rust".to_owned()),
        Just("  ```".to_owned()),
        Just("~~~~".to_owned()),
        Just("<!-- note".to_owned()),
        Just("- item".to_owned()),
        Just("1. - ```".to_owned()),
        Just("-->".to_owned()),
        Just("---".to_owned()),
        Just("    indented".to_owned()),
        Just("**bold**: x".to_owned()),
        Just("key: [a, b] # c".to_owned()),
        Just(String::new()),
        Just("   ".to_owned()),
        Just("\u{202E}\u{0}\u{7f}é\u{FEFF}".to_owned()),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.join("\n"))
}

fn body() -> impl Strategy<Value = String> {
    nasty_text().prop_map(|text| normalise_body(&text))
}

fn line() -> impl Strategy<Value = String> {
    nasty_text().prop_map(|text| normalise_line(&text))
}

fn items() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(body().prop_filter("items say something", |i| !i.is_empty()), 0..4)
}

fn title() -> impl Strategy<Value = String> {
    line().prop_map(|title| if title.is_empty() { "t".to_owned() } else { title })
}

prop_compose! {
    fn decision()(
        title in title(),
        (context, decision) in (body(), body()),
        rationale in items(),
        alternatives in proptest::collection::vec((line(), line()), 0..3),
        (tags, files) in (proptest::collection::vec(line(), 0..4), proptest::collection::vec(line(), 0..3)),
        (reason, confidence) in (line(), proptest::option::of(0.0f64..1.0)),
        state in proptest::sample::select(State::ALL),
        summary in line(),
    ) -> Memory {
        let mut memory = Memory::new(MemoryId::parse("some-id").unwrap(), Kind::Decision, &title);
        memory.content.set("context", FieldValue::Text(context));
        memory.content.set("decision", FieldValue::Text(decision));
        memory.content.set("rationale", FieldValue::List(rationale));
        let alternatives = alternatives.into_iter()
            .filter(|(option, _)| !option.is_empty())
            .map(|(option, reason)| Alternative::new(&option, &reason));
        memory.content.set("alternatives", FieldValue::Alternatives(alternatives.collect()));
        memory.tags = tags.into_iter().filter(|tag| !tag.trim().is_empty()).collect();
        memory.related_files = files;
        memory.state_reason = (!reason.is_empty()).then_some(reason);
        memory.confidence = confidence;
        memory.state = state;
        memory.scope = Scope::Component("src/a b".to_owned());
        memory.changes.push(Change {
            date: "2026-11-15T12:00:00Z".to_owned(),
            summary,
            field: Some("title".to_owned()),
            old_value: None,
            new_value: Some(memory.title.clone()),
        });
        memory
    }
}

prop_compose! {
    fn runbook()(title in title(), trigger in body(), steps in items(), symptoms in items()) -> Memory {
        let mut memory = Memory::new(MemoryId::parse("r").unwrap(), Kind::Runbook, &title);
        memory.content.set("trigger", FieldValue::Text(trigger));
        memory.content.set("steps", FieldValue::List(steps));
        memory.content.set("symptoms", FieldValue::List(symptoms));
        memory
    }
}

prop_compose! {
    fn reference()(title in title(), text in body()) -> Memory {
        let mut memory = Memory::new(MemoryId::parse("f").unwrap(), Kind::Reference, &title);
        memory.content.set("text", FieldValue::Text(text));
        memory
    }
}

/// Lines of YAML in and around the plain shape.
fn yaml_line() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        "[a-z0-9_/.:,#'\" \\[\\]{}&*!|>%@`?~-]{0,12}",
        Just("[a, b:c, d]".to_owned()),
        Just("\"q \\\\ \\\" x\"".to_owned()),
        Just("~".to_owned()),
        Just("null".to_owned()),
        Just("1.5".to_owned()),
        any::<String>(),
    ];
    let lead = prop_oneof![
        Just(""),
        Just("k: "),
        Just("key: "),
        Just("a-b: "),
        Just("  - "),
        Just("  - x: "),
        Just("    y: "),
        Just("  z: "),
        Just("deep:"),
        Just("# "),
        Just("   "),
    ];
    (lead, value).prop_map(|(lead, value)| format!("{lead}{value}"))
}

fn any_memory() -> impl Strategy<Value = Memory> {
    prop_oneof![decision(), runbook(), reference()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_memory_survives_the_round_trip(memory in any_memory()) {
        let kinds = Kinds::default();
        let text = render(&memory, &kinds);
        let read = parse(&text, at(&memory), &kinds).unwrap();
        prop_assert_eq!(&read.problems, &vec![]);
        prop_assert_eq!(read.memory, memory, "{}", text);
    }

    #[test]
    fn any_memory_survives_json(memory in any_memory()) {
        let kinds = Kinds::default();
        let json = serde_json::to_string(&super::json::to_json(&memory, &kinds)).unwrap();
        let draft = crate::draft::json::parse_draft(&json, &kinds).unwrap();
        let mut read = memory.clone();
        read.title = String::new();
        read.content = crate::content::Content::default();
        read.tags.clear();
        draft.apply_to(&mut read).unwrap();
        prop_assert_eq!(read, memory);
    }

    #[test]
    fn one_changed_field_leaves_the_rest(old in decision(), new in decision(), crlf in any::<bool>()) {
        let kinds = Kinds::default();
        let mut source = render(&old, &kinds);
        if crlf {
            source = source.replace('\n', "\r\n");
        }
        // Line breaks of the file are not part of a value.
        let old = parse(&source, at(&old), &kinds).unwrap().memory;
        let mut changed = old.clone();
        changed.content = new.content.clone();
        changed.tags = new.tags.clone();
        let text = rewrite(&source, &old, &changed, &kinds).unwrap();
        prop_assert_eq!(parse(&text, at(&old), &kinds).unwrap().memory, changed);
    }

    #[test]
    fn unknown_keys_and_sections_survive(key in "x_[a-z]{1,8}", value in nasty_text(), memory in decision()) {
        let kinds = Kinds::default();
        let entry = write_entry(&key, &Yaml::text(value.clone()));
        let source = render(&memory, &kinds).replacen("---\n", &format!("---\n# kept\n{entry}"), 1)
            + "\n<!-- a note -->\n\n## Odd   \n\n  spaced *text*\n\n\n";
        let old = parse(&source, at(&memory), &kinds).unwrap().memory;
        let mut changed = old.clone();
        changed.state_reason = Some("because".to_owned());
        changed.content.set("context", FieldValue::Text("new context".to_owned()));
        let text = rewrite(&source, &old, &changed, &kinds).unwrap();
        let kept = format!("# kept\n{entry}");
        prop_assert!(text.contains(&kept), "{}", text);
        prop_assert!(text.contains("## Odd   \n\n  spaced *text*\n\n\n"));
        let read = parse(&text, at(&memory), &kinds).unwrap().memory;
        prop_assert_eq!(all_texts(&read.extra[0].1), vec![value]);
    }

    #[test]
    fn any_bytes_give_a_memory_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse_bytes(&bytes, Origin { stem: "x", folder: "decisions" }, &Kinds::default());
    }

    #[test]
    fn any_text_gives_a_memory_or_an_error(front in nasty_text(), text in nasty_text()) {
        let source = format!("---\n{front}\n---\n{text}");
        let _ = parse(&source, Origin { stem: "x", folder: "decisions" }, &Kinds::default());
    }

    #[test]
    fn the_short_way_reads_what_the_parser_reads(
        memory in any_memory(),
        lines in proptest::collection::vec(yaml_line(), 0..8),
    ) {
        let kinds = Kinds::default();
        let own = render(&memory, &kinds);
        let own = own.split("---\n").nth(1).unwrap_or_default();
        for text in [own.to_owned(), lines.join("\n") + "\n"] {
            prop_assert!(short_way_agrees(&text), "{}", text);
        }
    }

    #[test]
    fn yaml_text_is_read_as_it_was_written(texts in proptest::collection::vec(any::<String>(), 1..5)) {
        let value = Yaml::Map(vec![
            ("list".to_owned(), Yaml::list(&texts)),
            ("text".to_owned(), Yaml::text(texts[0].clone())),
        ]);
        let written = write_entry("key", &value);
        let read = parse_map(&written).unwrap();
        let texts_of = all_texts;
        prop_assert_eq!(texts_of(read[0].1.get("list").unwrap()), texts, "{}", written);
    }
}

#[track_caller]
fn check_error(source: &str, want: Expect) {
    let error =
        parse(source, Origin { stem: "x", folder: "decisions" }, &Kinds::default()).unwrap_err();
    want.assert_eq(&error.to_string());
}

/// R550: the short reader counts like the parser.
#[test]
fn too_many_values_are_refused_in_the_plainest_form() {
    let list = |count: usize| format!("x: [{}]\n", vec!["a"; count].join(", "));
    assert!(parse_map(&list(9_000)).is_ok());
    let error = parse_map(&list(12_000)).unwrap_err().to_string();
    assert!(error.contains("more than 10000 values"), "{error}");
    assert!(short_way_agrees(&list(9_000)) && short_way_agrees(&list(12_000)));
}

#[test]
fn broken_frontmatter_says_where() {
    check_error(
        "---\nid: x\ntitle: [a\n---\n",
        expect!["line 4: while parsing a flow sequence, expected ',' or ']'"],
    );
    check_error("---\nid: x\nid: y\n---\n", expect!["line 3: the key `id` appears twice"]);
    check_error("---\nid: x\n", expect!["line 1: the frontmatter has no closing `---`"]);
    check_error(
        "---\n- a\n---\n",
        expect!["line 2: expected `key: value` lines, found `a list of 1`"],
    );
    check_error(
        "---\nid: x\n<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> other\n---\n",
        expect!["line 3: a merge conflict was left in the file"],
    );
}

#[test]
fn bombs_are_refused() {
    let mut bomb = String::from("---\na: &a [x, x, x, x, x, x, x, x, x]\n");
    for (from, to) in ["a", "b", "c", "d", "e", "f"].iter().zip(["b", "c", "d", "e", "f", "g"]) {
        bomb.push_str(&format!(
            "{to}: &{to} [*{from}, *{from}, *{from}, *{from}, *{from}, *{from}]\n"
        ));
    }
    check_error(&format!("{bomb}---\n"), expect!["line 6: more than 10000 values"]);
    check_error(
        &format!("---\na: {}\n---\n", "[".repeat(500)),
        expect!["line 2: recursion limit exceeded"],
    );
}

/// What a power cut leaves is told apart from what somebody wrote.
#[test]
fn emptied_files_are_no_memories() {
    let emptied = super::markdown::emptied;
    assert_eq!(emptied(""), Some("the file is empty"));
    assert_eq!(emptied(" \n\t\r\n"), Some("the file is empty"));
    assert_eq!(emptied("\0\0\n"), Some("the file holds nothing but NUL bytes"));
    assert_eq!(emptied("---\nid: x\n\0\0\0"), Some("a part of the file is NUL bytes"));
    assert_eq!(emptied("x"), None);
    assert_eq!(emptied("printf 'a\0b'\n"), None);
}

/// Every scalar by its text, whatever it may stand for.
fn all_texts(value: &Yaml) -> Vec<String> {
    match value {
        Yaml::List(items) => items.iter().flat_map(all_texts).collect(),
        Yaml::Scalar { text, .. } => vec![text.clone()],
        Yaml::Map(_) => Vec::new(),
    }
}
