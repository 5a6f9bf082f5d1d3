//! Our entries in a host's lists of hooks. They are known by their command, so that those of an
//! older release are found too.

use oldhand_text::problem::Problem;
use serde_json::{Value, json};

use super::document::Document;
use super::server::is_oldhand;
use crate::table::HookSet;

/// The text with our hooks in it, once.
pub(super) fn put(
    path: &str,
    text: Option<&str>,
    set: &HookSet,
) -> Result<Option<String>, Problem> {
    let mut document = Document::open(path, text)?;
    if set.has_version() && document.value_at(&["version"]).is_none() {
        document.insert(&["version"], &json!(1))?;
    }
    for event in document.keys_of(&["hooks"]) {
        let wanted = set.hooks.iter().find(|hook| hook.event == event);
        let entry = wanted.map(|hook| set.entry(hook));
        clean(&mut document, &event, entry.as_ref())?;
    }
    for hook in set.hooks {
        let (keys, entry) = (["hooks", hook.event], set.entry(hook));
        let list = document.value_at(&keys);
        let is_there =
            list.as_ref().and_then(Value::as_array).is_some_and(|list| list.contains(&entry));
        if !is_there {
            document.push(&keys, &entry)?;
        }
    }
    Ok(Some(document.text))
}

/// The text without them; no file when nothing else was in it.
pub(super) fn take(path: &str, text: Option<&str>) -> Result<Option<String>, Problem> {
    let Some(before) = text else { return Ok(None) };
    let mut document = Document::open(path, text)?;
    let mut is_changed = false;
    for event in document.keys_of(&["hooks"]) {
        is_changed |= clean(&mut document, &event, None)?;
    }
    Ok(if is_changed { document.without_ours() } else { Some(before.to_owned()) })
}

/// Takes our entries of one event out, except the first that is as it should be.
fn clean(document: &mut Document, event: &str, keep: Option<&Value>) -> Result<bool, Problem> {
    let keys = ["hooks", event];
    let (mut number, mut kept, mut is_changed) = (0, false, false);
    while number < document.items_at(&keys) {
        let list = document.value_at(&keys).unwrap_or_default();
        let entry = &list[number];
        if !kept && Some(entry) == keep {
            kept = true;
            number += 1;
            continue;
        }
        let handlers = entry["hooks"].as_array().map_or(&[][..], Vec::as_slice);
        let ours = handlers.iter().filter(|handler| is_ours(handler)).count();
        if is_ours(entry) || (ours > 0 && ours == handlers.len()) {
            document.remove_item(&keys, number)?;
            is_changed = true;
            continue;
        }
        if ours > 0 {
            // Somebody has put a handler of their own beside ours.
            strip(document, event, number)?;
            is_changed = true;
        }
        number += 1;
    }
    if is_changed {
        document.prune(&keys)?;
    }
    Ok(is_changed)
}

/// Takes our handlers out of a group that has others.
fn strip(document: &mut Document, event: &str, number: usize) -> Result<(), Problem> {
    let list = document.value_at(&["hooks", event]).unwrap_or_default();
    let handlers = list[number]["hooks"].as_array().cloned().unwrap_or_default();
    for place in (0..handlers.len()).rev().filter(|place| is_ours(&handlers[*place])) {
        document.remove_nested(&["hooks", event], number, place)?;
    }
    Ok(())
}

/// `oldhand hook …`, in a shell's line or as a program with arguments, wherever the program is.
fn is_ours(handler: &Value) -> bool {
    let text = |key: &str| handler[key].as_str().unwrap_or_default();
    let is_line = |line: &str| {
        let mut words = line.split_whitespace();
        words.next().is_some_and(is_oldhand) && words.next() == Some("hook")
    };
    let is_exec = is_oldhand(text("command")) && handler["args"][0] == "hook";
    is_exec || ["command", "bash", "powershell"].iter().any(|key| is_line(text(key)))
}
