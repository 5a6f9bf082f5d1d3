//! What a tool was asked to do and what came of it, as the hosts write it.

use std::borrow::Cow;

use super::prose::Prose;
use super::slim::{self, Slim, cut};
use super::{RESULT_BYTES_MAX, ToolResult, ToolUse, Turn};
use oldhand_text::table;

pub const PATH_KEYS: &str =
    "file_path path notebook_path filePath absolute_path target_file target_notebook paths";
const COMMAND_KEYS: &[&str] = &["command", "cmd"];

/// Tools that change the files they name, in lower case.
const EDITORS: &str = "write edit multiedit multi_edit notebookedit write_file replace apply_patch \
    applypatch create create_file edit_file edit_notebook search_replace strreplace str_replace \
    str_replace_editor str_replace_based_edit_tool insert_edit_into_file replace_string_in_file \
    write_to_file replace_in_file delete delete_file";

const PATCH_HEADERS: &[&str] =
    &["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];

/// The calls and results among the blocks of a message.
pub(super) fn read_blocks(content: &Slim, turn: &mut Turn) {
    for block in content.items() {
        match block.get("type").words() {
            "tool_use" => {
                let (id, name) = (block.get("id").words(), block.get("name").words());
                turn.uses.push(tool_use(id, name, block.get("input")));
            }
            "tool_result" => {
                let id = block.get("tool_use_id").words();
                let is_error = block.get("is_error").is(true);
                turn.results.push(tool_result(id, is_error, block.get("content")));
            }
            _ => {}
        }
    }
}

pub(super) fn tool_use(id: &str, name: &str, input: &Slim) -> ToolUse {
    let lower = name.to_lowercase();
    let mut found = ToolUse { id: id.to_owned(), name: name.to_owned(), ..ToolUse::default() };
    found.is_edit = table::has(EDITORS, &lower);
    for key in PATH_KEYS.split(' ') {
        push_paths(input.get(key), &mut found.paths);
    }
    let command = input.any(COMMAND_KEYS);
    // The `command` of such a tool says what the editor does.
    let is_editor = lower.starts_with("str_replace");
    if is_editor {
        found.is_edit = command.words() != "view";
    }
    let command = joined(command).filter(|_| !is_editor);
    let patch = input.text().or_else(|| input.any(&["input", "patch"]).text());
    let patch = patch.or(command.as_deref()).filter(|text| text.contains("*** Begin Patch"));
    if let Some(patch) = patch {
        let paths = patched_paths(patch);
        found.is_edit |= !paths.is_empty();
        found.paths.extend(paths);
    }
    found.command = command.map(|command| cut(&command, RESULT_BYTES_MAX).into_owned());
    found.todos = todos(&lower, input);
    found.prose = Prose::of_tool(&lower, input);
    found
}

/// The arguments of a tool may be an object, or one that is written as a text.
pub(super) fn tool_use_of_text(id: &str, name: &str, arguments: &Slim) -> ToolUse {
    let parsed = arguments.text().and_then(|text| slim::parse(text.as_bytes()));
    match parsed {
        Some(input @ Slim::Map(_)) => tool_use(id, name, &input),
        _ => tool_use(id, name, arguments),
    }
}

pub(super) fn tool_result(id: &str, is_error: bool, output: &Slim) -> ToolResult {
    ToolResult { id: id.to_owned(), is_error, text: output_text(output) }
}

/// The texts of an output, whatever it is made of.
pub(super) fn output_text(output: &Slim) -> String {
    match output {
        Slim::Text(text) => cut(text, RESULT_BYTES_MAX).into_owned(),
        Slim::List(items) => {
            let mut whole = String::new();
            for item in items {
                let text = output_text(item);
                if !whole.is_empty() && !text.is_empty() {
                    whole.push('\n');
                }
                whole.push_str(&text);
                if whole.len() > 2 * RESULT_BYTES_MAX {
                    whole = cut(&whole, RESULT_BYTES_MAX).into_owned();
                }
            }
            cut(&whole, RESULT_BYTES_MAX).into_owned()
        }
        Slim::Map(_) => output_text(output.any(&["text", "output", "content", "message", "error"])),
        _ => String::new(),
    }
}

/// The texts of a message: one, or those of its blocks that are text.
pub(super) fn texts<'t>(content: &'t Slim) -> Vec<&'t str> {
    match content {
        Slim::Text(text) => vec![text],
        Slim::Map(_) => content.get("text").text().into_iter().collect(),
        _ => content
            .items()
            .iter()
            .filter(|block| {
                let kind = block.get("type");
                kind.is_nothing() || matches!(kind.words(), "text" | "input_text" | "output_text")
            })
            .filter_map(|block| block.text().or_else(|| block.get("text").text()))
            .collect(),
    }
}

fn push_paths(value: &Slim, paths: &mut Vec<String>) {
    if let Some(path) = value.text()
        && !path.trim().is_empty()
        && !paths.iter().any(|known| known == path)
    {
        paths.push(cut(path, RESULT_BYTES_MAX).into_owned());
    }
    for item in value.items() {
        // A list of lists names no file; this also bounds the depth.
        if item.text().is_some() {
            push_paths(item, paths);
        }
    }
}

/// A command is a text or a list of words; `bash -lc` before the text is only how it is run.
fn joined<'a>(command: &'a Slim) -> Option<Cow<'a, str>> {
    let words: Vec<&str> = command.items().iter().filter_map(Slim::text).collect();
    let text = match (command.text(), words.as_slice()) {
        (Some(text), _) => Cow::Borrowed(text),
        (None, [shell, flag, script]) if flag.starts_with('-') && shell.ends_with("sh") => {
            Cow::Borrowed(*script)
        }
        (None, words) => Cow::Owned(words.join(" ")),
    };
    (!text.trim().is_empty()).then_some(text)
}

fn patched_paths(patch: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for line in patch.lines() {
        let path = PATCH_HEADERS.iter().find_map(|header| line.trim_start().strip_prefix(header));
        if let Some(path) = path.map(str::trim).filter(|path| !path.is_empty())
            && !paths.iter().any(|known| known == path)
        {
            paths.push(path.to_owned());
        }
    }
    paths
}

/// A whole list, or one step of it: hosts that keep tasks one by one name a new one by its text
/// and a known one by its number.
fn todos(name: &str, input: &Slim) -> Vec<(String, bool)> {
    let is_done = |item: &Slim| matches!(item.get("status").words(), "completed" | "done");
    let one = |text: String, done| if text.is_empty() { vec![] } else { vec![(text, done)] };
    match name {
        "taskcreate" => one(input.get("subject").words().to_owned(), false),
        "taskupdate" if !input.get("status").is_nothing() => {
            let number = match input.get("taskId") {
                Slim::Text(id) => format!("#{id}"),
                Slim::Number(id) => format!("#{id}"),
                _ => String::new(),
            };
            one(number, is_done(input) || input.get("status").words() == "deleted")
        }
        _ => {
            let items = input.any(&["todos", "plan"]).items().iter();
            let todo = |item: &Slim| {
                let text = item.any(&["content", "step", "description"]).text()?;
                Some((cut(text, RESULT_BYTES_MAX).into_owned(), is_done(item)))
            };
            items.filter_map(todo).collect()
        }
    }
}
