//! Putting a value into a JSON text and taking one out, each the other's inverse: what people
//! wrote around it keeps its bytes.

use jsonc_parser::ast;
use jsonc_parser::common::{Range, Ranged};
use serde_json::Value;

/// The value below these keys; a list has numbers. The last one counts when a key stands twice, as
/// every reader of JSON has it.
pub(super) fn at<'n, 't>(root: &'n ast::Value<'t>, keys: &[&str]) -> Option<&'n ast::Value<'t>> {
    keys.iter().try_fold(root, |node, key| match node {
        ast::Value::Object(object) => {
            object.properties.iter().rfind(|it| it.name.as_str() == *key).map(|it| &it.value)
        }
        ast::Value::Array(list) => list.elements.get(key.parse::<usize>().ok()?),
        _ => None,
    })
}

/// The text with one more child at the end of this container.
pub(super) fn append(
    text: &str,
    root: &ast::Value<'_>,
    container: &ast::Value<'_>,
    key: Option<&str>,
    value: &Value,
) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let unit = children(root).first().and_then(|first| line_indent(text, first.start));
    let unit = unit.filter(|unit| !unit.is_empty()).unwrap_or("  ");
    let outer = line_blanks(text, container.start());
    let (children, close) = (children(container), container.end() - 1);
    // A comment behind the last child stays behind it.
    let place = text[..close].trim_end().len();
    let is_bare = place == container.start() + 1;
    let indent = match children.last() {
        Some(last) => line_indent(text, last.start)
            .or_else(|| text[last.end..close].contains('\n').then_some(""))
            .map(str::to_owned),
        None => (is_bare || text[place..close].contains('\n')).then(|| format!("{outer}{unit}")),
    };
    let key = key.map_or_else(String::new, |key| format!("{}: ", Value::from(key)));
    let (gap, body) = match &indent {
        Some(indent) => {
            let body = pretty(value, unit, indent).replace('\n', newline);
            (format!("{newline}{indent}"), body)
        }
        None => (" ".to_owned(), value.to_string()),
    };
    let (comma_at, comma, trailing) = match children.last() {
        Some(last) if comma_after(text, last).is_some() => (place, "", ","),
        Some(last) => (last.end, ",", ""),
        None => (place, "", ""),
    };
    let (head, middle) = (&text[..comma_at], &text[comma_at..place]);
    let tail = match is_bare {
        true => format!("{newline}{outer}{}", &text[close..]),
        false => text[place..].to_owned(),
    };
    format!("{head}{comma}{middle}{gap}{key}{body}{trailing}{tail}")
}

/// The text without the child that has this key or number.
pub(super) fn remove(text: &str, container: &ast::Value<'_>, key: &str) -> String {
    let number = match container {
        ast::Value::Object(object) => {
            object.properties.iter().rposition(|member| member.name.as_str() == key)
        }
        _ => key.parse().ok(),
    };
    let children = children(container);
    let Some((number, child)) = number.and_then(|it| Some((it, children.get(it)?))) else {
        return text.to_owned();
    };
    let own_comma = comma_after(text, child);
    let stop = own_comma.map_or(child.end, |comma| comma + 1);
    if number + 1 < children.len() {
        // A comment before the next child stays.
        return format!("{}{}", &text[..child.start], text[stop..].trim_start());
    }
    let mut place = text[..child.start].trim_end().len();
    let above = number.checked_sub(1).map_or(container.start() + 1, |it| children[it].end);
    let last_line = text[above..place].lines().next_back().unwrap_or_default();
    let has_line_comment = last_line.contains("//") && !last_line.ends_with("*/");
    if has_line_comment && !text[stop..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
        // The comment would take in what follows.
        place = child.start;
    }
    let comma_before = number.checked_sub(1).and_then(|it| comma_after(text, &children[it]));
    let head = match comma_before.filter(|_| own_comma.is_none()) {
        Some(comma) => format!("{}{}", &text[..comma], &text[comma + 1..place]),
        None => text[..place].to_owned(),
    };
    let close = container.end() - 1;
    let is_bare = place == container.start() + 1 && text[stop..close].trim().is_empty();
    format!("{head}{}", &text[if is_bare { close } else { stop }..])
}

/// Where each child begins, with its key, and ends.
fn children(container: &ast::Value<'_>) -> Vec<Range> {
    match container {
        ast::Value::Object(object) => object.properties.iter().map(Ranged::range).collect(),
        ast::Value::Array(list) => list.elements.iter().map(Ranged::range).collect(),
        _ => Vec::new(),
    }
}

/// The comma behind a child, past blanks and comments.
fn comma_after(text: &str, child: &Range) -> Option<usize> {
    let mut rest = &text[child.end..];
    loop {
        rest = rest.trim_start();
        let comment = match rest.as_bytes() {
            [b'/', b'/', ..] => rest.find('\n'),
            [b'/', b'*', ..] => rest.find("*/").map(|end| end + 2),
            [b',', ..] => return Some(text.len() - rest.len()),
            _ => return None,
        };
        rest = &rest[comment.unwrap_or(rest.len())..];
    }
}

/// The blanks before a place, if nothing else stands before it on its line.
fn line_indent(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n')? + 1;
    let blanks = line_blanks(text, at);
    (line + blanks.len() == at).then_some(blanks)
}

/// The blanks that the line of a place begins with.
fn line_blanks(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let rest = &text[line..at];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

fn pretty(value: &Value, unit: &str, indent: &str) -> String {
    let deeper = format!("{indent}{unit}");
    let child = |value: &Value| pretty(value, unit, &deeper);
    let (open, close, children): (_, _, Vec<String>) = match value {
        Value::Object(map) if !map.is_empty() => {
            let member =
                |(key, value): (&String, _)| format!("{}: {}", Value::from(&**key), child(value));
            ('{', '}', map.iter().map(member).collect())
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            ('[', ']', items.iter().map(child).collect())
        }
        // Lists of words stay on one line, as people write them.
        Value::Array(items) => {
            let words: Vec<String> = items.iter().map(Value::to_string).collect();
            return format!("[{}]", words.join(", "));
        }
        other => return other.to_string(),
    };
    let children = children.join(&format!(",\n{deeper}"));
    format!("{open}\n{deeper}{children}\n{indent}{close}")
}
