//! The one way to write paths, commands and errors: on one line, relative to the project's folder, and
//! without their middle if they are long.

use super::command::error_lines;
use oldhand_text::strings::normalise_line;

const COMMAND_CHARS_MAX: usize = 200;
const ERROR_CHARS_MAX: usize = 500;
const PATH_CHARS_MAX: usize = 300;

/// The share of a shortened text that its beginning has, in tenths: it names the program.
const HEAD_TENTHS: usize = 7;

pub(crate) fn path_text(path: &str, root: &str) -> String {
    let path = path.trim();
    let inside = match usable(root) {
        None => path,
        Some(root) if path == root => ".",
        Some(root) => path.strip_prefix(root).and_then(|it| it.strip_prefix('/')).unwrap_or(path),
    };
    let inside = inside.strip_prefix("./").unwrap_or(inside);
    let bare = inside.trim_end_matches('/');
    middle(&normalise_line(if bare.is_empty() { inside } else { bare }), PATH_CHARS_MAX)
}

pub(crate) fn command_text(command: &str, root: &str) -> String {
    middle(&normalise_line(&without_root(command, root)), COMMAND_CHARS_MAX)
}

pub(crate) fn error_text(output: &str, root: &str) -> String {
    middle(&normalise_line(&without_root(&error_lines(output), root)), ERROR_CHARS_MAX)
}

/// `None` for `/` and an empty root.
fn usable(root: &str) -> Option<&str> {
    Some(root.trim_end_matches('/')).filter(|root| root.len() >= 2)
}

fn without_root(text: &str, root: &str) -> String {
    let Some(root) = usable(root).filter(|root| text.contains(*root)) else {
        return text.to_owned();
    };
    let text = text.trim_start();
    let text = text
        .strip_prefix("cd ")
        .and_then(|rest| rest.trim_start_matches('"').strip_prefix(root))
        .and_then(|rest| rest.trim_start_matches('"').trim_start().strip_prefix("&&"))
        .map_or(text, str::trim_start);
    let mut out = String::with_capacity(text.len());
    for (nth, part) in text.split(&format!("{root}/")).enumerate() {
        if nth > 0 && out.ends_with(is_path_part) {
            out.extend([root, "/"]);
        }
        out.push_str(part);
    }
    out
}

pub(crate) fn is_path_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '/' | '\\' | '.' | '-' | '_' | '~')
}

pub(crate) fn middle(line: &str, chars_max: usize) -> String {
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
