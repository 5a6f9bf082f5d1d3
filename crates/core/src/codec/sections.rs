//! Prose and lists below a heading as values, and values as text that is read back unchanged.

use crate::content::{Alternative, FieldValue};
use crate::kind::schema::Shape;
use oldhand_text::sentence;
use oldhand_text::strings::normalise_body;

/// The text of a level-2 heading, `None` for any other line.
pub fn heading(line: &str) -> Option<String> {
    let (level, text) = sentence::heading(line)?;
    (level == 2 && !text.is_empty()).then(|| text.to_owned())
}

/// A heading line that is read as this text, also when it ends in `#`.
pub fn write_heading(text: &str) -> String {
    let line = format!("## {text}");
    if heading(&line).is_some_and(|read| read != text) { line + " #" } else { line }
}

/// Follows fenced code and HTML comments, inside of which a `##` is no heading.
#[derive(Debug, Default, Clone)]
pub struct Outside {
    fence: Option<(char, usize)>,
    in_comment: bool,
}

impl Outside {
    /// Whether this line is ordinary text; the opening and closing lines of a fence are not.
    pub fn passes(&mut self, line: &str) -> bool {
        if let Some((mark, length)) = self.fence {
            let trimmed = line.trim_start_matches(' ');
            let run = run_of(trimmed, mark);
            if run >= length && trimmed[run..].trim().is_empty() {
                self.fence = None;
            }
            return false;
        }
        if self.in_comment {
            self.in_comment = !line.contains("-->");
            return false;
        }
        let bare = &line[lead(line)..];
        let comment = bare.strip_prefix("<!--");
        self.fence = opening_fence(bare);
        self.in_comment = comment.is_some_and(|rest| !rest.contains("-->"));
        self.fence.is_none() && comment.is_none()
    }

    fn is_open(&self) -> bool {
        self.fence.is_some() || self.in_comment
    }
}

fn run_of(text: &str, mark: char) -> usize {
    text.chars().take_while(|c| *c == mark).count()
}

/// The width of the indentation and the list markers before what a line says.
fn lead(line: &str) -> usize {
    let mut at = 0;
    loop {
        at += line[at..].len() - line[at..].trim_start_matches(' ').len();
        match marker_width(&line[at..]) {
            Some(width) => at += width,
            None => return at,
        }
    }
}

fn opening_fence(bare: &str) -> Option<(char, usize)> {
    let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let run = run_of(bare, mark);
    let info = &bare[run..];
    (run >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, run))
}

pub fn read(shape: &Shape, text: &str) -> FieldValue {
    match shape {
        Shape::List | Shape::Steps => FieldValue::List(read_list(text)),
        Shape::Alternatives => FieldValue::Alternatives(
            read_list(text).iter().map(|item| read_alternative(item)).collect(),
        ),
        _ => FieldValue::Text(read_text(text)),
    }
}

/// The text of a section, without its heading, ending in a line break.
pub fn write(shape: &Shape, value: &FieldValue) -> String {
    let items = match value {
        FieldValue::Text(text) => return write_text(text) + "\n",
        FieldValue::Flag(flag) => return format!("{flag}\n"),
        FieldValue::List(items) => items.clone(),
        FieldValue::Alternatives(items) => items.iter().map(write_alternative).collect(),
    };
    let marker = |at: usize| match shape {
        Shape::Steps => format!("{}. ", at + 1),
        _ => "- ".to_owned(),
    };
    items.iter().enumerate().map(|(at, item)| write_item(&marker(at), item)).collect()
}

/// Body text as a value, without the guards of `write_text`.
pub fn read_text(text: &str) -> String {
    let body = normalise_body(text);
    if !body.contains('\\') {
        return body;
    }
    let unguarded = |line: &str| match guard_in(line) {
        Some(at) => format!("{}{}", &line[..at], &line[at + 1..]),
        None => line.to_owned(),
    };
    body.split('\n').map(unguarded).collect::<Vec<_>>().join("\n")
}

/// A value as body text: a line that would start a section, or open a fence or comment that is
/// never closed, gets a backslash before it, which Markdown does not show.
pub fn write_text(text: &str) -> String {
    let mut outside = Outside::default();
    let mut opened_at = 0;
    let mut guarded: Vec<String> = Vec::new();
    for (at, line) in text.split('\n').enumerate() {
        let line = guard_again(line);
        let was_open = outside.is_open();
        let is_heading = outside.passes(&line) && heading(&line).is_some();
        if outside.is_open() && !was_open {
            opened_at = at;
        }
        guarded.push(if is_heading { guard(&line) } else { line });
    }
    if outside.is_open() {
        // Nothing closes it, so nothing from here on may open or start anything.
        for line in &mut guarded[opened_at..] {
            let bare = &line[lead(line)..];
            let opens = opening_fence(bare).is_some() || bare.starts_with("<!--");
            if opens || heading(line).is_some() {
                *line = guard(line);
            }
        }
    }
    guarded.join("\n")
}

/// For a body that is one value: its headings are its own.
pub fn guard_body(text: &str) -> String {
    text.split('\n').map(guard_again).collect::<Vec<_>>().join("\n")
}

/// A line that looks guarded gets another guard, so that reading gives it back.
fn guard_again(line: &str) -> String {
    if guard_in(line).is_some() { guard(line) } else { line.to_owned() }
}

fn guard(line: &str) -> String {
    let at = lead(line);
    format!("{}\\{}", &line[..at], &line[at..])
}

/// The position of the backslash that guards a line.
fn guard_in(line: &str) -> Option<usize> {
    let at = lead(line);
    let bare = line[at..].trim_start_matches('\\');
    let is_guarded = line[at..].starts_with('\\')
        && (opening_fence(bare).is_some()
            || bare.starts_with("<!--")
            || (at == 0 && heading(bare).is_some()));
    is_guarded.then_some(at)
}

/// Items of a bullet or numbered list; paragraphs outside of one count as items too.
fn read_list(text: &str) -> Vec<String> {
    let body = normalise_body(text);
    let mut items: Vec<String> = Vec::new();
    // The width of the marker of the item that the lines belong to.
    let mut indent = None;
    let mut after_blank = false;
    for line in body.split('\n') {
        let is_blank = line.trim_matches([' ', '\t']).is_empty();
        let depth = line.len() - line.trim_start_matches(' ').len();
        let more = match indent {
            _ if marker_width(line).is_some() => None,
            Some(indent) if depth >= 2.min(indent) => Some(&line[depth.min(indent)..]),
            _ if is_blank => Some(""),
            _ if after_blank || items.is_empty() => None,
            _ => Some(line.trim_start()),
        };
        match (more, items.last_mut()) {
            (Some(more), Some(item)) => *item += &format!("\n{more}"),
            (Some(_), None) => {}
            (None, _) => {
                indent = marker_width(line);
                items.push(line[indent.unwrap_or(0)..].to_owned());
            }
        }
        after_blank = is_blank;
    }
    let items = items.iter().map(|item| read_text(item));
    items.filter(|item| !item.is_empty()).collect()
}

/// The width of `- `, `* `, `+ `, `1. ` or `1) ` at the margin.
pub fn marker_width(line: &str) -> Option<usize> {
    if line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ") {
        return Some(2);
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &line[digits..];
    let is_number = (1..=9).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") "));
    is_number.then_some(digits + 2)
}

fn write_item(marker: &str, item: &str) -> String {
    let indent = " ".repeat(marker.len());
    let text = write_text(item);
    let lines = text.split('\n').enumerate().map(|(at, line)| match at {
        0 => format!("{marker}{line}\n"),
        _ if line.is_empty() => "\n".to_owned(),
        _ => format!("{indent}{line}\n"),
    });
    lines.collect()
}

/// `**option**: reason`; anything else is an option without a reason.
fn read_alternative(item: &str) -> Alternative {
    let read = || {
        let (option, after) = bold(item.strip_prefix("**")?)?;
        let reason = after.strip_prefix(':').or_else(|| after.trim().is_empty().then_some(""))?;
        Some((option, reason.trim_start().to_owned()))
    };
    let (option, rejected_reason) = read().unwrap_or_else(|| (item.to_owned(), String::new()));
    Alternative { option, rejected_reason }
}

/// The text up to `**`, without its backslashes, and what follows.
fn bold(text: &str) -> Option<(String, &str)> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        if let Some(after) = rest.strip_prefix("**") {
            return Some((plain, after));
        }
        let escaped = rest.strip_prefix('\\').filter(|it| it.starts_with(['*', '\\']));
        let mut characters = escaped.unwrap_or(rest).chars();
        plain.push(characters.next()?);
        rest = characters.as_str();
    }
}

fn write_alternative(item: &Alternative) -> String {
    let option = item.option.replace('\\', "\\\\").replace('*', "\\*");
    if item.rejected_reason.is_empty() {
        format!("**{option}**")
    } else {
        format!("**{option}**: {}", item.rejected_reason)
    }
}
