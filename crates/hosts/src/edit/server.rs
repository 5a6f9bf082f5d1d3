//! Our entry among a host's MCP servers, and among Claude Code's plugins.

use oldhand_text::problem::Problem;
use serde_json::{Value, json};

use super::document::Document;
use crate::table::ServerShape;

/// An entry that starts oldhand stays as it is, wherever the program is.
pub(super) fn put(
    path: &str,
    text: Option<&str>,
    keys: &[&str],
    shape: ServerShape,
) -> Result<Option<String>, Problem> {
    let mut document = Document::open(path, text)?;
    match document.value_at(keys) {
        Some(entry) if starts_oldhand(&entry) => return Ok(text.map(str::to_owned)),
        Some(entry) => {
            let place = format!("{path}: {}", keys.join("."));
            // What it says is a person's own, a token perhaps: it is not repeated.
            let found = match entry.get("command").and_then(Value::as_str) {
                Some(command) => format!("one that starts {command}"),
                None => "another one".to_owned(),
            };
            return Err(Problem::new(&place, "a server that starts `oldhand`", &found)
                .with_fix("rename that server, then run the command again; nothing was changed"));
        }
        None => {}
    }
    let value = match shape {
        ServerShape::Plain => json!({"command": "oldhand", "args": ["mcp"]}),
        ServerShape::Stdio => json!({"type": "stdio", "command": "oldhand", "args": ["mcp"]}),
        ServerShape::Local => {
            json!({"type": "local", "command": "oldhand", "args": ["mcp"], "tools": ["*"]})
        }
        ServerShape::CommandList => {
            json!({"type": "local", "command": ["oldhand", "mcp"], "enabled": true})
        }
    };
    document.insert(keys, &value)?;
    Ok(Some(document.text))
}

pub(super) fn take(
    path: &str,
    text: Option<&str>,
    keys: &[&str],
) -> Result<Option<String>, Problem> {
    let Some(before) = text else { return Ok(None) };
    let mut document = Document::open(path, text)?;
    if !document.value_at(keys).is_some_and(|entry| starts_oldhand(&entry)) {
        return Ok(Some(before.to_owned()));
    }
    document.remove_key(keys)?;
    document.prune(&keys[..keys.len() - 1])?;
    Ok(document.without_ours())
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

const MARKETPLACE: &[&str] = &["extraKnownMarketplaces", "oldhand"];
const PLUGIN: &[&str] = &["enabledPlugins", "oldhand@oldhand"];

/// What Claude Code wrote when it took the plugin in.
pub(super) fn take_plugin(path: &str, text: Option<&str>) -> Result<Option<String>, Problem> {
    let Some(before) = text else { return Ok(None) };
    let mut document = Document::open(path, text)?;
    let mut is_changed = false;
    for keys in [PLUGIN, MARKETPLACE] {
        if document.value_at(keys).is_some() {
            document.remove_key(keys)?;
            document.prune(&keys[..1])?;
            is_changed = true;
        }
    }
    Ok(if is_changed { document.without_ours() } else { Some(before.to_owned()) })
}
