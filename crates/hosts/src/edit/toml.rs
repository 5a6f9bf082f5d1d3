//! `[mcp_servers.oldhand]` in Codex's TOML: a block at the end of the text, and its removal.

use oldhand_text::problem::Problem;
use toml_edit::{DocumentMut, Item};

use super::document::UNCHANGED;
use super::server::{RENAME, is_oldhand};

const HEADER: &str = "[mcp_servers.oldhand]";

/// The text with our server, or without it; no file when nothing else was in it.
pub(super) fn set(
    path: &str,
    text: Option<&str>,
    is_wanted: bool,
) -> Result<Option<String>, Problem> {
    let before = text.unwrap_or_default();
    let entry = entry(path, before)?;
    let is_ours = entry
        .as_ref()
        .is_some_and(|entry| entry.get("command").and_then(Item::as_str).is_some_and(is_oldhand));
    match entry {
        None if is_wanted => with_block(path, before).map(Some),
        Some(entry) if is_wanted && !is_ours => {
            let place = format!("{path}: mcp_servers.oldhand");
            let problem =
                Problem::new(&place, "a server that starts `oldhand`", &entry.to_string());
            Err(problem.with_fix(RENAME))
        }
        Some(_) if is_ours && !is_wanted => without_block(path, before),
        _ => Ok(text.map(str::to_owned)),
    }
}

fn with_block(path: &str, before: &str) -> Result<String, Problem> {
    let newline = if before.contains("\r\n") { "\r\n" } else { "\n" };
    let block = format!("{HEADER}{newline}command = \"oldhand\"{newline}args = [\"mcp\"]");
    // Whether the last line was ended is kept, so that taking the block out gives it back.
    let after = match before {
        "" => format!("{block}{newline}"),
        _ if before.ends_with('\n') => format!("{before}{newline}{block}{newline}"),
        _ => format!("{before}{newline}{newline}{block}"),
    };
    let written = entry(path, &after).map_err(|problem| {
        problem.with_fix("write `mcp_servers` as tables of their own, then run the command again")
    })?;
    match written {
        Some(_) => Ok(after),
        None => Err(Problem::new(path, "tables of MCP servers", "another form")),
    }
}

/// Takes out each header of ours to the last line that belongs to it. Blank lines and comments
/// before the next table are not ours.
fn without_block(path: &str, before: &str) -> Result<Option<String>, Problem> {
    let bare = |line: &str| line.replace(|c: char| c.is_whitespace() || "\"'".contains(c), "");
    let (mut after, mut rest, mut is_inside) = (String::new(), String::new(), false);
    for line in before.split_inclusive('\n') {
        let name = bare(line);
        let is_header = name.starts_with('[');
        let follows_ours = is_inside && rest.is_empty();
        if is_header {
            is_inside = name.starts_with(HEADER) || name.starts_with("[mcp_servers.oldhand.");
            after.push_str(&std::mem::take(&mut rest));
        }
        if !is_inside {
            after.push_str(line);
        } else if is_header {
            // The empty line before a block is ours too.
            let above = without_newline(&after);
            if !follows_ours && (above.is_empty() || above.ends_with('\n')) {
                after.truncate(above.len());
            }
        } else if name.is_empty() || name.starts_with('#') {
            rest.push_str(line);
        } else {
            rest.clear();
        }
    }
    if is_inside && rest.is_empty() && !before.ends_with('\n') {
        after.truncate(without_newline(&after).len());
    }
    after.push_str(&rest);
    if entry(path, &after)?.is_some() {
        return Err(Problem::new(path, "the table `[mcp_servers.oldhand]`", "another form")
            .with_fix("remove the server in an editor; nothing was changed"));
    }
    Ok((!after.is_empty()).then_some(after))
}

fn without_newline(text: &str) -> &str {
    text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text))
}

/// The server of our name.
fn entry(path: &str, text: &str) -> Result<Option<Item>, Problem> {
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let document = bare.parse::<DocumentMut>().map_err(|error| {
        let end = error.span().map_or(0, |span| span.start.min(bare.len()));
        let line = bare.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count() + 1;
        let what = error.message().lines().next().unwrap_or_default();
        Problem::new(path, "TOML", &format!("line {line}: {what}")).with_fix(UNCHANGED)
    })?;
    Ok(document.get("mcp_servers").and_then(|servers| servers.get("oldhand")).cloned())
}
