//! What of a session must survive letter by letter: paths, commands, error texts, numbers; and how
//! each is written, so that the same fact has one text everywhere.

use oldhand_text::strings::normalise_line;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    Path,
    Command,
    Error,
    Number,
}

impl Sort {
    pub const ALL: [Self; 4] = [Self::Path, Self::Command, Self::Error, Self::Number];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Command => "command",
            Self::Error => "error",
            Self::Number => "number",
        }
    }

    pub(super) fn plural(self) -> &'static str {
        match self {
            Self::Path => "paths",
            Self::Command => "commands",
            Self::Error => "errors",
            Self::Number => "numbers",
        }
    }
}

/// Something exact that was said or done.
///
/// Its text is on one line, with single spaces and nothing invisible, and the folder of the project
/// is taken off: `cd <root> && x` is `x`, `<root>/a` is `a`. A path has no slash at its end. A command
/// of more than 200 characters, an error of more than 500 and a path of more than 300 lose their
/// middle, where a `…` stands. Everything else is letter by letter as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub sort: Sort,
    pub text: String,
    /// The line of the transcript where it came up first.
    pub line: usize,
}

const COMMAND_CHARS_MAX: usize = 200;
const ERROR_CHARS_MAX: usize = 500;
const PATH_CHARS_MAX: usize = 300;

/// The share of a shortened text that its beginning has, in tenths: it names the program.
const HEAD_TENTHS: usize = 7;

pub(super) fn path_text(path: &str, root: &str) -> String {
    let path = path.trim();
    let root = usable(root);
    let inside = match root.is_empty() {
        true => path,
        false if path == root => ".",
        false => path.strip_prefix(root).and_then(|it| it.strip_prefix('/')).unwrap_or(path),
    };
    let inside = inside.strip_prefix("./").unwrap_or(inside);
    let bare = inside.trim_end_matches('/');
    middle(&one_line(if bare.is_empty() { inside } else { bare }), PATH_CHARS_MAX)
}

pub(super) fn command_text(command: &str, root: &str) -> String {
    middle(&one_line(&without_root(command, root)), COMMAND_CHARS_MAX)
}

pub(super) fn error_text(output: &str, root: &str) -> String {
    let lines = crate::working::command::error_lines(output);
    middle(&one_line(&without_root(&lines, root)), ERROR_CHARS_MAX)
}

/// `/` and nothing are no folder that could be taken off.
fn usable(root: &str) -> &str {
    let root = root.trim_end_matches('/');
    if root.len() < 2 { "" } else { root }
}

fn without_root(text: &str, root: &str) -> String {
    let root = usable(root);
    if root.is_empty() || !text.contains(root) {
        return text.to_owned();
    }
    let text = text.trim_start();
    let text = text
        .strip_prefix("cd ")
        .and_then(|rest| rest.trim_start_matches('"').strip_prefix(root))
        .and_then(|rest| rest.trim_start_matches('"').trim_start().strip_prefix("&&"))
        .map_or(text, str::trim_start);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(root) {
        let end = at + root.len();
        let before = rest[..at].chars().next_back().or(out.chars().next_back());
        let is_inside = before.is_some_and(is_path_part);
        if rest[end..].starts_with('/') && !is_inside {
            out.push_str(&rest[..at]);
            rest = &rest[end + 1..];
        } else {
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    out.push_str(rest);
    out
}

pub(super) fn is_path_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '/' | '\\' | '.' | '-' | '_' | '~')
}

/// One line with single spaces. Most text is plain, and takes the short way to the same result.
pub(super) fn one_line(text: &str) -> String {
    if !text.bytes().all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace()) {
        return normalise_line(text);
    }
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// The beginning and the end of a long line.
pub(super) fn middle(line: &str, chars_max: usize) -> String {
    // Bytes are never fewer than characters.
    if line.len() <= chars_max || line.chars().count() <= chars_max {
        return line.to_owned();
    }
    let head_chars = chars_max * HEAD_TENTHS / 10;
    let tail_chars = chars_max.saturating_sub(head_chars + 3);
    let head = line.char_indices().nth(head_chars).map_or(line.len(), |(at, _)| at);
    let tail = line.char_indices().rev().nth(tail_chars.max(1) - 1).map_or(0, |(at, _)| at);
    format!("{} … {}", line[..head].trim_end(), line[tail.max(head)..].trim_start())
}
