//! Where an imported memory came from, written and read; and the fingerprint of what it says.

use serde_json::{Map, Value};

use super::wrote;
use crate::codec::json::to_json;
use crate::codec::markdown::{self, Origin};
use crate::content::FieldValue;
use crate::imported::Imported;
use crate::kind::{Kind, Kinds};
use crate::memory::Memory;
use crate::memory::MemoryId;
use oldhand_text::time::parse_instant;

fn memory() -> Memory {
    let mut memory = Memory::new(MemoryId::of_title("Keep cents"), Kind::Reference, "Keep cents");
    memory.tags = vec!["money".to_owned()];
    memory.content.set("text", FieldValue::text("Amounts are integers."));
    memory
}

fn rest() -> Map<String, Value> {
    let rest = r#"{"importance": "critical", "weight": 0.8, "count": 7, "version": "007", "none": null,
        "lines": "one\ntwo: three", "links": [{"to": "ADR-9", "type": "Amends"}], "no": "no", "empty": ""}"#;
    serde_json::from_str(rest).unwrap()
}

#[test]
fn the_block_is_read_back_as_it_was_written() {
    let mut memory = memory();
    let from = "serena:.serena/memories".to_owned();
    let at = parse_instant("2026-11-16T16:18:10Z");
    let (hash, wrote) = ("3f9ac2d41b07e655".to_owned(), wrote(&memory));
    let key = "modules/import: #1".to_owned();
    memory.imported = Some(Imported { from, key, hash, wrote, at, rest: rest() });
    let kinds = Kinds::default();
    let text = markdown::render_checked(&memory, &kinds).unwrap();
    let at = text.find("imported:\n  from: serena:.serena/memories\n").expect("it is written");
    assert!(text[at..].contains("\n  rest:\n    "), "{text}");
    let read = markdown::parse(&text, Origin { stem: "keep-cents", folder: "" }, &kinds).unwrap();
    assert_eq!(read.memory.imported, memory.imported);
    assert_eq!(to_json(&memory, &kinds)["imported"]["rest"], Value::Object(rest()));
}

#[test]
fn a_block_without_its_names_is_a_problem() {
    for block in ["nothing", "{from: a}", "{from: a, key: b, rest: text}"] {
        let text =
            format!("---\nid: x\nstate: candidate\ntitle: x\nimported: {block}\n---\ntext\n");
        let at = Origin { stem: "x", folder: "" };
        let parsed = markdown::parse(&text, at, &Kinds::default()).unwrap();
        assert_eq!(parsed.problems.len(), 1, "{block}");
    }
}

#[test]
fn the_fingerprint_is_of_what_is_said_and_nothing_else() {
    type Edit = fn(&mut Memory);
    let before = wrote(&memory());
    let table: [(Edit, bool); 7] = [
        (|it| it.title.push('!'), true),
        (|it| it.description = Some("short".to_owned()), true),
        (|it| it.content.set("text", FieldValue::text("Other.")), true),
        (|it| it.tags.push("x".to_owned()), true),
        (|it| it.sections.push(("Why".to_owned(), String::new())), true),
        (|it| it.evidence.push("task:1".to_owned()), false),
        (|it| it.updated_at = parse_instant("2026-01-01"), false),
    ];
    for (at, (edit, differs)) in table.into_iter().enumerate() {
        let mut memory = memory();
        edit(&mut memory);
        assert_eq!(wrote(&memory) != before, differs, "{at}");
    }
}
