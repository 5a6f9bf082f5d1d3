//! Our entries in a host's lists of hooks. They are known by their command, so that those of an
//! older release are found too.

use oldhand_text::problem::Problem;
use serde_json::{Value, json};

use super::document::Document;
use super::server::is_oldhand;
use crate::table::HookSet;

/// The text with these hooks of ours and no others, once; no file when nothing else is left in it.
pub(super) fn set(
    path: &str,
    text: Option<&str>,
    wanted: Option<&HookSet>,
) -> Result<Option<String>, Problem> {
    let mut document = Document::open(path, text)?;
    let has_version = wanted.is_some_and(HookSet::has_version);
    if has_version && document.value_at(&["version"])?.is_none() {
        document.insert(&["version"], &json!(1))?;
    }
    let entries = wanted.map_or_else(Vec::new, HookSet::entries);
    let lists = document.value_at(&["hooks"])?.unwrap_or_default();
    for (event, list) in lists.as_object().into_iter().flatten() {
        let entry = entries.iter().find(|(name, _)| name == event);
        clean(&mut document, event, list, entry.map(|(_, entry)| entry))?;
    }
    for (event, entry) in &entries {
        let list = document.value_at(&["hooks", event])?.unwrap_or_default();
        let is_there = |one: &Value| one == entry || calls_us(one);
        if !list.as_array().is_some_and(|list| list.iter().any(is_there)) {
            document.push(&["hooks", event], entry)?;
        }
    }
    Ok(document.finish())
}

/// Takes our entries of one event out, except the first that is as it should be.
fn clean(
    document: &mut Document<'_>,
    event: &str,
    list: &Value,
    keep: Option<&Value>,
) -> Result<(), Problem> {
    let list = list.as_array().map_or(&[][..], Vec::as_slice);
    let kept = list.iter().position(|entry| Some(entry) == keep);
    let (mut removed, mut is_changed) = (0, false);
    for (number, entry) in list.iter().enumerate().filter(|(it, _)| Some(*it) != kept) {
        let number = (number - removed).to_string();
        let handlers = entry["hooks"].as_array().map_or(&[][..], Vec::as_slice);
        let ours: Vec<usize> =
            (0..handlers.len()).rev().filter(|it| is_ours(&handlers[*it])).collect();
        if is_ours(entry) || (!ours.is_empty() && ours.len() == handlers.len()) {
            document.remove(&["hooks", event, &number])?;
            (removed, is_changed) = (removed + 1, true);
            continue;
        }
        // Somebody has put a handler of their own beside ours.
        for place in ours {
            document.remove(&["hooks", event, &number, "hooks", &place.to_string()])?;
            is_changed = true;
        }
    }
    if is_changed { document.prune(&["hooks", event]) } else { Ok(()) }
}

/// Where a handler has the line of a shell.
const LINES: [&str; 3] = ["command", "bash", "powershell"];

/// `oldhand hook …`, in a shell's line or as a program with arguments, wherever the program is. A
/// line that does more is somebody's own.
fn is_ours(handler: &Value) -> bool {
    let text = |key: &str| handler[key].as_str().unwrap_or_default();
    let is_plain = |word: &str| word.chars().all(|it| it.is_alphanumeric() || "-_.=/".contains(it));
    let is_line = |line: &str| {
        // As our own lines end where a failure would stop the host's work.
        let end = [" || true", "; exit 0"].into_iter().find_map(|it| line.strip_suffix(it));
        let mut words = end.unwrap_or(line).split_whitespace();
        words.next().is_some_and(is_oldhand) && words.next() == Some("hook") && words.all(is_plain)
    };
    let is_exec = is_oldhand(text("command")) && handler["args"][0] == "hook";
    is_exec || LINES.iter().any(|key| is_line(text(key)))
}

/// Somebody's own line, or a group with one, that calls `oldhand hook` among other things: with an
/// entry of ours beside it we would answer twice.
fn calls_us(entry: &Value) -> bool {
    let calls = |handler: &Value| {
        LINES.iter().any(|key| {
            let words: Vec<&str> =
                handler[key].as_str().unwrap_or_default().split_whitespace().collect();
            words.windows(2).any(|pair| is_oldhand(pair[0]) && pair[1] == "hook")
        })
    };
    let handlers = entry["hooks"].as_array().map_or(&[][..], Vec::as_slice);
    handlers.iter().chain([entry]).any(|handler| calls(handler) && !is_ours(handler))
}
