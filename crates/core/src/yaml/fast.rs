//! The frontmatter that this program writes, read without a YAML parser: most files of a store are
//! of this shape, and a store is read as a whole. Anything else is left to the parser, and a test
//! holds the two to the same answer.

use super::{Yaml, needs_escape};

/// YAML reads no longer key on one line.
const KEY_BYTES_MAX: usize = 1_000;

/// `None` when a line is not of the plain shape.
pub(super) fn parse_map(text: &str) -> Option<Vec<(String, Yaml)>> {
    let mut entries: Vec<(String, Yaml)> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        if line.is_empty() || (line.starts_with('#') && !line.chars().any(needs_escape)) {
            continue;
        }
        if line.starts_with(' ') {
            let (_, value) = entries.last_mut().filter(|_| is_open)?;
            take_indented(line, value)?;
            continue;
        }
        finish(&entries, is_open)?;
        let (key, rest) = key_and_rest(line)?;
        if entries.iter().any(|(known, _)| known == key) {
            return None;
        }
        is_open = rest.is_empty();
        let value = if is_open { Yaml::List(Vec::new()) } else { value_of(rest)? };
        entries.push((key.to_owned(), value));
    }
    finish(&entries, is_open)?;
    Some(entries)
}

/// A key with nothing below it is null, which is the parser's to say.
fn finish(entries: &[(String, Yaml)], is_open: bool) -> Option<()> {
    match entries.last() {
        Some((_, Yaml::List(items))) if is_open && items.is_empty() => None,
        _ => Some(()),
    }
}

/// `  - item`, `  - key: value`, `    key: value` of the same item, or `  key: value`.
fn take_indented(line: &str, value: &mut Yaml) -> Option<()> {
    if let Some(item) = line.strip_prefix("  - ") {
        let Yaml::List(items) = value else { return None };
        items.push(match pair_of(item) {
            Some((key, value)) => Yaml::Map(vec![(key.to_owned(), value)]),
            None if item.contains(": ") || item.ends_with(':') => return None,
            None => scalar_of(item)?,
        });
        return Some(());
    }
    if let Some(pair) = line.strip_prefix("    ") {
        let Yaml::List(items) = value else { return None };
        let Some(Yaml::Map(entries)) = items.last_mut() else { return None };
        return push_new(entries, pair_of(pair)?);
    }
    let pair = pair_of(line.strip_prefix("  ")?)?;
    match value {
        Yaml::List(items) if items.is_empty() => {
            *value = Yaml::Map(vec![(pair.0.to_owned(), pair.1)]);
            Some(())
        }
        Yaml::Map(entries) => push_new(entries, pair),
        _ => None,
    }
}

fn push_new(entries: &mut Vec<(String, Yaml)>, (key, value): (&str, Yaml)) -> Option<()> {
    if entries.iter().any(|(known, _)| known == key) {
        return None;
    }
    entries.push((key.to_owned(), value));
    Some(())
}

fn pair_of(text: &str) -> Option<(&str, Yaml)> {
    let (key, rest) = key_and_rest(text)?;
    if rest.is_empty() { None } else { Some((key, value_of(rest)?)) }
}

fn key_and_rest(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let is_key = key.len() <= KEY_BYTES_MAX
        && key.bytes().next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if !is_key {
        return None;
    }
    match rest.strip_prefix(' ') {
        Some(value) => (!value.starts_with(' ') && !value.ends_with(' ')).then_some((key, value)),
        None => rest.is_empty().then_some((key, rest)),
    }
}

fn value_of(text: &str) -> Option<Yaml> {
    match text.strip_prefix('[') {
        Some(inner) => flow_of(inner.strip_suffix(']')?),
        None => scalar_of(text),
    }
}

fn flow_of(inner: &str) -> Option<Yaml> {
    if inner.is_empty() {
        return Some(Yaml::List(Vec::new()));
    }
    let is_plain =
        |item: &str| !item.contains(['[', ']', '{', '}', '"', '\'', '\\']) && !item.contains(":,");
    if !is_plain(inner) {
        return None;
    }
    let is_item = |item: &str| !item.contains(',') && !item.ends_with(" -");
    let items: Option<Vec<Yaml>> =
        inner.split(", ").map(|item| is_item(item).then(|| plain_of(item))?).collect();
    items.map(Yaml::List)
}

fn scalar_of(text: &str) -> Option<Yaml> {
    match text.strip_prefix('"') {
        Some(inner) => quoted_of(inner.strip_suffix('"')?),
        None => plain_of(text),
    }
}

fn plain_of(text: &str) -> Option<Yaml> {
    let first = text.chars().next()?;
    let is_simple = (first.is_alphanumeric() || matches!(first, '_' | '/' | '(' | '+'))
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.chars().any(needs_escape);
    is_simple.then(|| Yaml::literal(text))
}

/// Only the escapes that need no second look.
fn quoted_of(inner: &str) -> Option<Yaml> {
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => return None,
            '\\' => text.push(match characters.next()? {
                '"' => '"',
                '\\' => '\\',
                'n' => '\n',
                't' => '\t',
                _ => return None,
            }),
            other if needs_escape(other) => return None,
            other => text.push(other),
        }
    }
    Some(Yaml::text(text))
}
