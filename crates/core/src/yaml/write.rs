//! One style of YAML: plain where it is safe, double quotes elsewhere, short lists on one line.

use super::{Yaml, needs_escape};

/// Past this width a list gets one line per item: easier to read, and smaller diffs.
const LINE_CHARS_MAX: usize = 100;

/// `key: value` with its line breaks.
pub fn write_entry(key: &str, value: &Yaml) -> String {
    write_pair(key, value, 0)
}

fn write_pair(key: &str, value: &Yaml, indent: usize) -> String {
    let key = write_scalar(key, false, false);
    format!("{:indent$}{key}:{}", "", write_value(value, indent))
}

fn write_pairs(entries: &[(String, Yaml)], indent: usize) -> String {
    entries.iter().map(|(key, value)| write_pair(key, value, indent)).collect()
}

fn write_value(value: &Yaml, indent: usize) -> String {
    if let Some(flow) = write_flow(value) {
        return format!(" {flow}\n");
    }
    let below: String = match value {
        Yaml::List(items) => items.iter().map(|item| write_item(item, indent + 2)).collect(),
        Yaml::Map(entries) => write_pairs(entries, indent + 2),
        Yaml::Scalar { .. } => String::new(),
    };
    format!("\n{below}")
}

fn write_item(item: &Yaml, indent: usize) -> String {
    let value = match item {
        // The first pair stands beside the dash, the others below it.
        Yaml::Map(entries) if !entries.is_empty() => {
            format!(" {}", &write_pairs(entries, indent + 2)[indent + 2..])
        }
        other => write_value(other, indent),
    };
    format!("{:indent$}-{value}", "")
}

/// One line: a scalar, or a short list of them. Mappings read better below each other.
fn write_flow(value: &Yaml) -> Option<String> {
    match value {
        Yaml::Scalar { text, plain } => Some(write_scalar(text, *plain, false)),
        Yaml::Map(entries) if entries.is_empty() => Some("{}".to_owned()),
        Yaml::Map(_) => None,
        Yaml::List(items) => {
            let write = |item: &Yaml| match item {
                Yaml::Scalar { text, plain } => Some(write_scalar(text, *plain, true)),
                _ => None,
            };
            let items: Vec<String> = items.iter().map(write).collect::<Option<_>>()?;
            let flow = format!("[{}]", items.join(", "));
            (flow.chars().count() <= LINE_CHARS_MAX).then_some(flow)
        }
    }
}

fn write_scalar(text: &str, literal: bool, in_flow: bool) -> String {
    match text {
        "" | "~" if literal => "null".to_owned(),
        _ if is_plain(text, in_flow) && (literal || !is_typed(text)) => text.to_owned(),
        _ => quote(text),
    }
}

/// Safe without quotes in block style, and in flow style when asked.
pub(super) fn is_plain(text: &str, in_flow: bool) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let starts_well = first.is_alphanumeric() || matches!(first, '_' | '/' | '(' | '+' | '.');
    let starts_well = starts_well || (first == '-' && text.len() > 1 && !text.starts_with("- "));
    let is_marker = text.starts_with("---") || text.starts_with("...");
    starts_well
        && !is_marker
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.chars().any(needs_escape)
        && !(in_flow
            && (text.contains([',', '[', ']', '{', '}', '"'])
                // The parser takes ` -]` for an item that begins there.
                || text.ends_with(" -")))
}

/// Text that a YAML reader of any age would take for something else than text.
fn is_typed(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let words = "null true false yes no on off y n .nan .inf -.inf +.inf";
    oldhand_text::table::has(words, &lower) || looks_numeric(&lower)
}

fn looks_numeric(text: &str) -> bool {
    let unsigned = text.trim_start_matches(['-', '+']);
    let has_radix = unsigned.starts_with("0x") || unsigned.starts_with("0o");
    // Dates read as dates everywhere, which is what they are.
    let is_date = text.len() >= 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-';
    unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && (has_radix || unsigned.chars().all(|c| c.is_ascii_digit() || "._e-+:".contains(c)))
        && !is_date
}

fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if needs_escape(c) => quoted.push_str(&match u32::from(c) {
                code @ ..=0xFF => format!("\\x{code:02X}"),
                code @ ..=0xFFFF => format!("\\u{code:04X}"),
                code => format!("\\U{code:08X}"),
            }),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
