//! The files that a patch names, in the format of Codex or of diff.

use super::store_path::Deed;

/// A patch has few files; files after this many are ignored.
const FILES_MAX: usize = 1024;

pub(super) fn paths(text: &str) -> Vec<(String, Deed)> {
    let mut paths = Vec::new();
    let mut removed: Option<&str> = None;
    for line in text.lines() {
        if paths.len() >= FILES_MAX {
            break;
        } else if let Some((path, deed)) = header(line) {
            paths.push((path.trim().to_owned(), deed));
        } else if let Some(path) = line.strip_prefix("--- ") {
            removed = Some(path);
        } else if let Some(path) = line.strip_prefix("+++ ") {
            let is_gone = path.starts_with("/dev/null");
            match removed.take() {
                Some(old) if is_gone => paths.push((bare(old), Deed::Remove)),
                _ => paths.push((bare(path), Deed::Write)),
            }
        } else if let Some(path) = line.strip_prefix("rename from ") {
            paths.push((path.to_owned(), Deed::Remove));
        } else if let Some(path) = line.strip_prefix("rename to ") {
            paths.push((path.to_owned(), Deed::Write));
        }
    }
    paths
}

/// `*** Update File: src/a.rs`
fn header(line: &str) -> Option<(&str, Deed)> {
    let rest = line.trim_start().strip_prefix("*** ")?;
    let (what, path) = rest.split_once(':')?;
    let deed = match what.trim() {
        "Add File" | "Update File" | "Create File" | "Move to" | "Move File" => Deed::Write,
        "Delete File" => Deed::Remove,
        _ => return None,
    };
    Some((path, deed))
}

/// Without the `a/` or `b/` of git and the time behind a tab.
fn bare(path: &str) -> String {
    let path = path.split('\t').next().unwrap_or(path).trim().trim_matches('"');
    path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path).to_owned()
}
