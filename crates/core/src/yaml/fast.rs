//! Reads the frontmatter that this program writes without the YAML parser, because most files have
//! it and a store is read as a whole. A test compares the answers with the parser's.

use super::write::is_plain;
use super::{Yaml, needs_escape};
use crate::policy::YAML_NODES_MAX;

/// YAML reads no longer key on one line.
const KEY_BYTES_MAX: usize = 1_000;

/// `None` when a line is not of the plain shape, or there may be too many values: the parser counts.
pub(super) fn parse_map(text: &str) -> Option<Vec<(String, Yaml)>> {
    // A line has a key and a value at most, and each comma one value more.
    let values =
        text.bytes().map(|byte| 2 * usize::from(byte == b'\n') + usize::from(byte == b','));
    if text.len() > YAML_NODES_MAX && values.sum::<usize>() >= YAML_NODES_MAX {
        return None;
    }
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
        let (key, rest) = key_and_rest(line)?;
        is_open = rest.is_empty();
        push_new(&mut entries, (key, if is_open { NOTHING } else { value_of(rest)? }))?;
    }
    // A key with nothing below it is null; the parser decides that.
    entries.iter().all(|(_, value)| *value != NOTHING).then_some(entries)
}

/// The value of a key before the first line below it. No single line has this value.
const NOTHING: Yaml = Yaml::Map(Vec::new());

/// `  - item`, `  - key: value`, `    key: value` of the same item, or `  key: value`.
fn take_indented(line: &str, value: &mut Yaml) -> Option<()> {
    if let Some(item) = line.strip_prefix("  - ") {
        if *value == NOTHING {
            *value = Yaml::List(Vec::new());
        }
        let Yaml::List(items) = value else { return None };
        items.push(match pair_of(item) {
            Some((key, value)) => Yaml::Map(vec![(key.to_owned(), value)]),
            None if item.contains(": ") || item.ends_with(':') => return None,
            None => scalar_of(item)?,
        });
        return Some(());
    }
    match (value, line.strip_prefix("    ")) {
        (Yaml::List(items), Some(pair)) => match items.last_mut()? {
            Yaml::Map(entries) => push_new(entries, pair_of(pair)?),
            _ => None,
        },
        (Yaml::Map(entries), None) => push_new(entries, pair_of(line.strip_prefix("  ")?)?),
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
    let item = |item| is_plain(item, true).then(|| Yaml::literal(item));
    let items = inner.split(", ").filter(|_| !inner.is_empty());
    items.map(item).collect::<Option<_>>().map(Yaml::List)
}

fn scalar_of(text: &str) -> Option<Yaml> {
    if text.starts_with('"') {
        return quoted_of(text);
    }
    is_plain(text, false).then(|| Yaml::literal(text))
}

/// JSON has the same escapes, except for those of characters by number.
fn quoted_of(text: &str) -> Option<Yaml> {
    let is_simple = !text.contains("\\u") && !text.chars().any(needs_escape);
    is_simple.then(|| serde_json::from_str::<String>(text).ok().map(Yaml::text))?
}
