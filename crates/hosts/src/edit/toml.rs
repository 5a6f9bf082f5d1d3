//! `[mcp_servers.oldhand]` in Codex's TOML: a block at the end of the text, and its removal.

use oldhand_text::problem::Problem;
use toml_edit::{DocumentMut, Item};

use super::document::UNCHANGED;
use super::server::is_oldhand;

const HEADER: &str = "[mcp_servers.oldhand]";

pub(super) fn put(path: &str, text: Option<&str>) -> Result<Option<String>, Problem> {
    let before = text.unwrap_or_default();
    if let Some(entry) = entry(&read(path, before)?) {
        if starts_oldhand(&entry) {
            return Ok(text.map(str::to_owned));
        }
        let place = format!("{path}: mcp_servers.oldhand");
        return Err(Problem::new(&place, "a server that starts `oldhand`", &entry.to_string())
            .with_fix("rename that server, then run the command again; nothing was changed"));
    }
    let newline = if before.contains("\r\n") { "\r\n" } else { "\n" };
    let block = format!("{HEADER}{newline}command = \"oldhand\"{newline}args = [\"mcp\"]");
    // Whether the last line was ended is kept, so that taking the block out gives it back.
    let after = match before {
        "" => format!("{block}{newline}"),
        _ if before.ends_with('\n') => format!("{before}{newline}{block}{newline}"),
        _ => format!("{before}{newline}{newline}{block}"),
    };
    let document = read(path, &after).map_err(|problem| {
        problem.with_fix("write `mcp_servers` as tables of their own, then run the command again")
    })?;
    match entry(&document) {
        Some(_) => Ok(Some(after)),
        None => Err(Problem::new(path, "tables of MCP servers", "another form")),
    }
}

pub(super) fn take(path: &str, text: Option<&str>) -> Result<Option<String>, Problem> {
    let Some(before) = text else { return Ok(None) };
    let document = read(path, before)?;
    if !entry(&document).is_some_and(|entry| starts_oldhand(&entry)) {
        return Ok(Some(before.to_owned()));
    }
    let mut after = before.to_owned();
    for (start, end) in blocks(before).into_iter().rev() {
        let start = with_gap(before, start, end);
        after.replace_range(start..end, "");
    }
    if entry(&read(path, &after)?).is_some() {
        return Err(Problem::new(path, "the table `[mcp_servers.oldhand]`", "another form")
            .with_fix("remove the server in an editor; nothing was changed"));
    }
    Ok((!after.is_empty()).then_some(after))
}

/// The empty line before a block is ours too, and so is the end of the line above when the block
/// has none of its own.
fn with_gap(text: &str, start: usize, end: usize) -> usize {
    let shorter = |at: usize| match &text[..at] {
        above if above.ends_with("\r\n") => at - 2,
        above if above.ends_with('\n') => at - 1,
        _ => at,
    };
    match text[start..end].ends_with('\n') {
        true if is_blank_line_before(text, start) => shorter(start),
        true => start,
        false => shorter(shorter(start)),
    }
}

fn is_blank_line_before(text: &str, start: usize) -> bool {
    let above = text[..start].strip_suffix('\n').unwrap_or_default();
    let above = above.strip_suffix('\r').unwrap_or(above);
    above.is_empty() || above.ends_with('\n')
}

/// From each header of ours to the end of the last line that belongs to it. Blank lines and
/// comments before the next table are not ours.
fn blocks(text: &str) -> Vec<(usize, usize)> {
    let bare = |line: &str| -> String {
        line.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'')).collect()
    };
    let (mut blocks, mut at, mut is_inside) = (Vec::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let name = bare(line);
        let end = at + line.len();
        if name.starts_with('[') {
            is_inside = name.starts_with(HEADER) || name.starts_with("[mcp_servers.oldhand.");
            if is_inside {
                blocks.push((at, end));
            }
        } else if is_inside && !name.is_empty() && !name.starts_with('#') {
            blocks.last_mut().into_iter().for_each(|block| block.1 = end);
        }
        at = end;
    }
    blocks
}

fn entry(document: &DocumentMut) -> Option<Item> {
    document.get("mcp_servers")?.get("oldhand").cloned()
}

fn starts_oldhand(entry: &Item) -> bool {
    entry.get("command").and_then(Item::as_str).is_some_and(is_oldhand)
}

fn read(path: &str, text: &str) -> Result<DocumentMut, Problem> {
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    bare.parse::<DocumentMut>().map_err(|error| {
        let end = error.span().map_or(0, |span| span.start.min(bare.len()));
        let line = bare.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count() + 1;
        let what = error.message().lines().next().unwrap_or_default();
        Problem::new(path, "TOML", &format!("line {line}: {what}")).with_fix(UNCHANGED)
    })
}
