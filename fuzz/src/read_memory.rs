//! Any bytes as a memory's file: what is read can be changed and written without a loss. Bytes
//! behind a 0xFF are the text that a field is changed to.

use oldhand_core::codec::document::Document;
use oldhand_core::codec::markdown::{self, Origin, Parsed};
use oldhand_core::content::{Alternative, FieldValue};
use oldhand_core::kind::Kinds;
use oldhand_core::kind::schema::{FieldSpec, Place, Shape};
use oldhand_core::memory::Memory;
use oldhand_core::write;
use oldhand_core::yaml;
use oldhand_text::strings::normalise_body;

const AT: Origin<'_> = Origin { stem: "x", folder: "decisions" };

pub fn read_memory(bytes: &[u8]) {
    let kinds = Kinds::default();
    let cut = bytes.iter().position(|byte| *byte == 0xFF);
    let (bytes, wish) = cut.map_or((bytes, &b"changed"[..]), |at| (&bytes[..at], &bytes[at + 1..]));
    let Ok(parsed) = markdown::parse_bytes(bytes, AT, &kinds) else { return };
    let source = std::str::from_utf8(bytes).expect("it was read");
    let wish = String::from_utf8_lossy(wish);
    change_reason(source, &parsed.memory, &kinds);
    change_content(source, &parsed.memory, &wish, &kinds);
    render(parsed, &kinds);
}

fn read(text: &str, kinds: &Kinds) -> Memory {
    match markdown::parse(text, AT, kinds) {
        Ok(parsed) => parsed.memory,
        Err(error) => panic!("{error}: {text:?}"),
    }
}

/// A change of the frontmatter leaves the body and the other keys alone, to the byte.
fn change_reason(source: &str, old: &Memory, kinds: &Kinds) {
    let mut new = old.clone();
    new.state_reason = Some("because: of # this".to_owned());
    let Ok(text) = markdown::rewrite(source, old, &new, kinds) else { return };
    assert_eq!(read(&text, kinds), new, "{text:?}");
    let before = Document::parse(source).expect("it was read");
    let after = Document::parse(&text).expect("it was read");
    let (was, is) = (&source[before.body.clone()], &text[after.body.clone()]);
    if before.frontmatter.is_none() {
        assert_eq!(is.strip_prefix(before.newline), Some(was));
        return;
    }
    assert_eq!(is, was);
    let map = yaml::parse_map(before.frontmatter_text()).expect("it was read");
    let keys = map.iter().map(|(key, _)| key);
    if keys.ne(before.entries.iter().map(|entry| &entry.key)) {
        return;
    }
    for entry in before.entries.iter().filter(|entry| entry.key != "state_reason") {
        let kept = after.entry(&entry.key).map(|entry| &text[entry.range.clone()]);
        assert_eq!(kept, Some(&source[entry.range.clone()]), "{text:?}");
    }
}

/// A change of one field of the content says just that.
fn change_content(source: &str, old: &Memory, wish: &str, kinds: &Kinds) {
    let spec = kinds.spec(&old.kind);
    let field = &spec.fields[wish.len() % spec.fields.len()];
    let mut new = old.clone();
    new.content.set(&field.name, wished(field, wish));
    let Ok(text) = markdown::rewrite(source, old, &new, kinds) else { return };
    assert_eq!(read(&text, kinds), new, "{text:?}");
    let before = Document::parse(source).expect("it was read");
    if field.place != Place::Frontmatter && before.frontmatter.is_some() {
        let after = Document::parse(&text).expect("it was read");
        assert_eq!(after.frontmatter_text(), before.frontmatter_text());
    }
}

fn wished(field: &FieldSpec, wish: &str) -> FieldValue {
    let items = || wish.split("\n\n").map(normalise_body).filter(|item| !item.is_empty());
    match &field.shape {
        Shape::Text => FieldValue::Text(normalise_body(wish)),
        Shape::List | Shape::Steps => FieldValue::List(items().collect()),
        Shape::Choice(words) => FieldValue::Text(words[wish.len() % words.len()].to_owned()),
        Shape::Flag => FieldValue::Flag(wish.len().is_multiple_of(2)),
        Shape::Date => FieldValue::Text("2026-12-31".to_owned()),
        Shape::Alternatives => {
            let items = items().map(|item| match item.split_once(':') {
                Some((option, reason)) => Alternative::new(option, reason),
                None => Alternative::new(&item, ""),
            });
            FieldValue::Alternatives(items.filter(|item| !item.option.is_empty()).collect())
        }
    }
}

/// A memory that may be written is read as it was meant.
fn render(parsed: Parsed, kinds: &Kinds) {
    let mut memory = parsed.memory;
    write::normalise(&mut memory);
    if !parsed.problems.is_empty() || !write::check(&memory, kinds).is_empty() {
        return;
    }
    // Of two sections with one heading the first may be empty, and is not written again: the other
    // one then becomes the field. Nothing is lost, but it is not the same memory.
    if memory.sections.iter().any(|(heading, _)| is_known(heading, &memory, kinds)) {
        return;
    }
    let text = markdown::render(&memory, kinds);
    let mut read = read(&text, kinds);
    // Quotes around foreign values may come and go, but not their meaning.
    let json = |memory: &Memory| -> Vec<_> {
        memory.extra.iter().map(|(key, value)| (key.clone(), value.to_json())).collect()
    };
    assert_eq!(json(&read), json(&memory), "{text:?}");
    read.extra.clone_from(&memory.extra);
    assert_eq!(read, memory, "{text:?}");
}

fn is_known(heading: &str, memory: &Memory, kinds: &Kinds) -> bool {
    kinds.spec(&memory.kind).fields.iter().any(|field| match &field.place {
        Place::Section { heading: own, also } => {
            let mut names = also.iter().copied().chain([own.as_ref(), "Status"]);
            names.any(|name| name.eq_ignore_ascii_case(heading))
        }
        Place::Frontmatter | Place::Body => false,
    })
}
