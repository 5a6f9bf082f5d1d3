//! Putting a value into a JSON text and taking one out, each the other's inverse: what people
//! wrote around it keeps its bytes.

use serde_json::Value;

use super::jsonc::{Kind, Node, after_trivia};

/// How this text is laid out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    newline: &'static str,
    unit: String,
}

impl Layout {
    pub(super) fn of(text: &str, root: &Node) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let unit = children(root)
            .first()
            .and_then(|(start, _)| line_indent(text, *start))
            .filter(|indent| !indent.is_empty())
            .unwrap_or("  ");
        Self { newline, unit: unit.to_owned() }
    }
}

/// What is put in: a member of an object or an item of an array.
pub(super) struct New<'v> {
    pub key: Option<&'v str>,
    pub value: &'v Value,
}

/// The text with one more child at the end of this container.
pub(super) fn append(text: &str, container: &Node, layout: &Layout, new: &New<'_>) -> String {
    let close = container.end - 1;
    let Some((last_start, last_end)) = children(container).last().copied() else {
        return fill(text, container, layout, new);
    };
    // A comment behind the last child stays behind it.
    let place = text[..close].trim_end().len();
    let comma = after_trivia(text, last_end);
    let has_trailing_comma = text.as_bytes().get(comma) == Some(&b',') && comma < close;
    let indent = line_indent(text, last_start);
    let is_block = indent.is_some() || text[last_end..close].contains('\n');
    let (gap, body) = if is_block {
        let indent = indent.unwrap_or_default();
        let body = pretty(new, layout, indent);
        (format!("{}{indent}", layout.newline), body)
    } else {
        (" ".to_owned(), compact(new))
    };
    let (head, tail) = (&text[..place], &text[place..]);
    if has_trailing_comma {
        return format!("{head}{gap}{body},{tail}");
    }
    format!("{},{}{gap}{body}{tail}", &text[..last_end], &text[last_end..place])
}

/// The first child of a container that has none.
fn fill(text: &str, container: &Node, layout: &Layout, new: &New<'_>) -> String {
    let (open, close) = (container.start + 1, container.end - 1);
    let inside = &text[open..close];
    let indent = container_indent(text, container.start);
    if inside.trim().is_empty() {
        let deeper = format!("{indent}{}", layout.unit);
        let body = pretty(new, layout, &deeper);
        let newline = layout.newline;
        return format!(
            "{}{newline}{deeper}{body}{newline}{indent}{}",
            &text[..open],
            &text[close..]
        );
    }
    let place = open + inside.trim_end().len();
    let (gap, body) = if text[place..close].contains('\n') {
        let deeper = format!("{indent}{}", layout.unit);
        (format!("{}{deeper}", layout.newline), pretty(new, layout, &deeper))
    } else {
        (" ".to_owned(), compact(new))
    };
    format!("{}{gap}{body}{}", &text[..place], &text[place..])
}

/// The text without the child with this number.
pub(super) fn remove(text: &str, container: &Node, number: usize) -> String {
    let children = children(container);
    let Some(&(start, end)) = children.get(number) else { return text.to_owned() };
    if let Some(&(next, _)) = children.get(number + 1) {
        // The comma behind it goes with it; a comment before the next child stays.
        let comma = after_trivia(text, end);
        let stop = comma + 1;
        let blanks = text[stop..next].len() - text[stop..next].trim_start().len();
        return format!("{}{}", &text[..start], &text[stop + blanks..]);
    }
    let close = container.end - 1;
    let comma = after_trivia(text, end);
    let has_trailing_comma = text.as_bytes().get(comma) == Some(&b',') && comma < close;
    let stop = if has_trailing_comma { comma + 1 } else { end };
    let Some((_, before)) = number.checked_sub(1).map(|number| children[number]) else {
        let open = container.start + 1;
        let is_bare = text[open..start].trim().is_empty() && text[stop..close].trim().is_empty();
        return if is_bare {
            format!("{}{}", &text[..open], &text[close..])
        } else {
            format!("{}{}", text[..start].trim_end(), &text[stop..])
        };
    };
    let place = text[..start].trim_end().len();
    if has_trailing_comma {
        return format!("{}{}", &text[..place], &text[stop..]);
    }
    let comma = after_trivia(text, before);
    format!("{}{}{}", &text[..comma], &text[comma + 1..place.max(comma + 1)], &text[stop..])
}

/// Where each child begins, with its key, and ends.
fn children(container: &Node) -> Vec<(usize, usize)> {
    match &container.kind {
        Kind::Object(members) => {
            members.iter().map(|member| (member.start, member.value.end)).collect()
        }
        Kind::Array(items) => items.iter().map(|item| (item.start, item.end)).collect(),
        Kind::Scalar => Vec::new(),
    }
}

/// The blanks before a place, if nothing else stands before it on its line.
fn line_indent(text: &str, at: usize) -> Option<&str> {
    let line = text[..at].rfind('\n')? + 1;
    let indent = &text[line..at];
    indent.bytes().all(|byte| matches!(byte, b' ' | b'\t')).then_some(indent)
}

/// The blanks that the line of a container begins with.
fn container_indent(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let rest = &text[line..at];
    &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
}

fn pretty(new: &New<'_>, layout: &Layout, indent: &str) -> String {
    let mut out = key_prefix(new);
    write_pretty(new.value, layout, indent, &mut out);
    out
}

fn compact(new: &New<'_>) -> String {
    format!("{}{}", key_prefix(new), new.value)
}

fn key_prefix(new: &New<'_>) -> String {
    new.key.map_or_else(String::new, |key| format!("{}: ", Value::from(key)))
}

fn write_pretty(value: &Value, layout: &Layout, indent: &str, out: &mut String) {
    let deeper = format!("{indent}{}", layout.unit);
    let (open, close, children): (_, _, Vec<(String, &Value)>) = match value {
        Value::Object(map) if !map.is_empty() => {
            let prefix = |key: &String| format!("{}: ", Value::from(key.as_str()));
            ('{', '}', map.iter().map(|(key, value)| (prefix(key), value)).collect())
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            ('[', ']', items.iter().map(|item| (String::new(), item)).collect())
        }
        // Lists of words stay on one line, as people write them.
        Value::Array(items) => {
            let words: Vec<String> = items.iter().map(Value::to_string).collect();
            return out.push_str(&format!("[{}]", words.join(", ")));
        }
        other => return out.push_str(&other.to_string()),
    };
    out.push(open);
    for (number, (prefix, child)) in children.into_iter().enumerate() {
        let comma = if number == 0 { "" } else { "," };
        out.push_str(&format!("{comma}{}{deeper}{prefix}", layout.newline));
        write_pretty(child, layout, &deeper, out);
    }
    out.push_str(&format!("{}{indent}{close}", layout.newline));
}
