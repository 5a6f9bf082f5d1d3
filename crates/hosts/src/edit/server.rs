//! Our entry among a host's MCP servers, and among Claude Code's plugins.

use oldhand_text::problem::Problem;
use serde_json::Value;

use super::document::Document;

/// What to do about a server of our name that is another program.
pub(super) const RENAME: &str =
    "rename that server, then run the command again; nothing was changed";

/// The text with this entry of ours, or without one. An entry that starts oldhand stays as it is,
/// wherever the program is.
pub(super) fn set(
    path: &str,
    text: Option<&str>,
    keys: &[&str],
    wanted: Option<Value>,
) -> Result<Option<String>, Problem> {
    let mut document = Document::open(path, text)?;
    let entry = document.value_at(keys)?;
    let is_ours = entry.as_ref().is_some_and(starts_oldhand);
    match (entry, wanted) {
        (None, Some(wanted)) => document.insert(keys, &wanted)?,
        (Some(entry), Some(_)) if !is_ours => {
            let place = format!("{path}: {}", keys.join("."));
            // What it says is a person's own, a token perhaps: it is not repeated.
            let found = match entry.get("command").and_then(Value::as_str) {
                Some(command) => format!("one that starts {command}"),
                None => "another one".to_owned(),
            };
            let problem = Problem::new(&place, "a server that starts `oldhand`", &found);
            return Err(problem.with_fix(RENAME));
        }
        (Some(_), None) if is_ours => remove(&mut document, keys)?,
        _ => {}
    }
    Ok(document.finish())
}

/// Takes an entry out, and what it leaves empty.
fn remove(document: &mut Document<'_>, keys: &[&str]) -> Result<(), Problem> {
    document.remove(keys)?;
    document.prune(&keys[..keys.len() - 1])
}

/// The command's last name, whether it stands alone or before its arguments.
fn starts_oldhand(entry: &Value) -> bool {
    let command = match &entry["command"] {
        Value::Array(words) => words.first().and_then(Value::as_str),
        Value::Object(inner) => inner.get("path").and_then(Value::as_str),
        other => other.as_str(),
    };
    command.is_some_and(is_oldhand)
}

/// Whether a command is our program, wherever it is.
pub(super) fn is_oldhand(command: &str) -> bool {
    let name = command.trim_matches(['"', '\'']).rsplit(['/', '\\']).next();
    matches!(name, Some("oldhand" | "oldhand.exe"))
}

/// Removes what Claude Code wrote when it took the plugin in.
pub(super) fn remove_plugin(path: &str, text: Option<&str>) -> Result<Option<String>, Problem> {
    let mut document = Document::open(path, text)?;
    for keys in [["enabledPlugins", "oldhand@oldhand"], ["extraKnownMarketplaces", "oldhand"]] {
        if document.value_at(&keys)?.is_some() {
            remove(&mut document, &keys)?;
        }
    }
    Ok(document.finish())
}
