//! What a tool does: read, write paths, take a patch, or run a shell. Tools are recognized by the
//! words of their names, so a tool that nobody listed is recognized too.

use serde_json::Value;

use super::store_path::Deed;
use oldhand_text::strings::name_words;
use oldhand_text::table;

const NAME_BYTES_MAX: usize = 200;
/// Objects and lists that are nested deeper are not read.
const DEPTH_MAX: usize = 5;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Tool {
    Reader,
    Writer(Vec<(String, Deed)>),
    Shell { commands: Vec<String>, folder: Option<String> },
}

const SHELL_WORDS: &str = "bash shell sh zsh powershell pwsh terminal cmd command exec execute \
    console process stdin";

const WRITE_WORDS: &str = "write edit multiedit create replace insert append save update modify \
    move rename copy put mkdir touch upload download overwrite editor reapply apply";

const REMOVE_WORDS: &str = "delete remove unlink rm rmdir trash";

/// Keys of paths, without underscores and in lower case.
const PATH_KEYS: &str = "path paths file files filepath filepaths filename notebookpath targetfile \
    target targetpath uri fileuri url destination destinationpath destinationuri dest destpath to \
    oldpath newpath relativeworkspacepath relativepath absolutepath directory dir folder localpath \
    outputpath output newfilepath oldfilepath textdocument dirpath";

/// Keys of what is moved away; a copy leaves it.
const SOURCE_KEYS: &str = "source sourcepath src from sourceuri oldname";

const COMMAND_KEYS: &str = "command cmd script commands commandline input chars args";

const FOLDER_KEYS: &str = "workdir cwd directory dirpath workingdirectory workdirectory";

pub(super) fn tool_of(name: &str, input: &Value) -> Tool {
    let words = name_words(&name[..name.floor_char_boundary(NAME_BYTES_MAX)]);
    let has = |list: &str| words.iter().any(|word| table::has(list, word));
    if is_own(&words) {
        return Tool::Reader;
    }
    let texts = texts(input);
    let is_path =
        |key: &str| table::has(PATH_KEYS, key) || !has("copy") && table::has(SOURCE_KEYS, key);
    let paths = |deed: Deed| {
        let paths = texts.iter().filter(|(key, _)| is_path(key));
        paths.map(move |(_, path)| ((*path).to_owned(), deed))
    };
    if has("patch applypatch") {
        let all: Vec<&str> = texts.iter().map(|(_, text)| *text).collect();
        let written = patched(&all.join("\n")).into_iter().chain(paths(Deed::Write));
        return Tool::Writer(written.collect());
    }
    let (writes, removes) = (has(WRITE_WORDS), has(REMOVE_WORDS));
    let is_shell = has(SHELL_WORDS) && (!writes || paths(Deed::Write).next().is_none());
    if is_shell || (!writes && !removes && looks_like_shell(input)) {
        // The command's own folder: one deeper in the input belongs to something else.
        let mut keys = input.as_object().into_iter().flatten();
        let folder = keys.find_map(|(key, value)| {
            let folder = value.as_str().filter(|folder| !folder.is_empty())?;
            table::has(FOLDER_KEYS, &key_of(key)).then(|| folder.to_owned())
        });
        return Tool::Shell { commands: commands_in(input), folder };
    }
    let is_view = matches!(input.get("command").and_then(Value::as_str), Some("view" | "read"));
    if !(writes || removes) || is_view {
        return Tool::Reader;
    }
    Tool::Writer(paths(if removes { Deed::Remove } else { Deed::Write }).collect())
}

fn is_own(words: &[String]) -> bool {
    match words {
        [mcp, server, ..] if mcp == "mcp" => server == "oldhand",
        [first, ..] => first == "oldhand",
        [] => false,
    }
}

fn key_of(key: &str) -> String {
    name_words(key).concat()
}

/// Whether a tool of any name takes a line for a shell.
fn looks_like_shell(input: &Value) -> bool {
    let Some(map) = input.as_object() else { return false };
    let is_command =
        |key: &String| matches!(key_of(key).as_str(), "command" | "cmd" | "commandline");
    map.keys().any(is_command) && !map.contains_key("path")
}

fn commands_in(input: &Value) -> Vec<String> {
    if let Value::String(text) = input {
        return vec![text.clone()];
    }
    let Some(map) = input.as_object() else { return Vec::new() };
    let mut commands = Vec::new();
    let mut program = None;
    for (key, value) in map {
        let key = key_of(key);
        match value {
            Value::String(text) if key == "command" => program = Some(text.clone()),
            Value::String(text) if table::has(COMMAND_KEYS, &key) => {
                commands.push(text.clone());
            }
            Value::Array(items) if key == "args" => {
                let first = program.take().unwrap_or_default();
                let words = items.iter().filter_map(Value::as_str);
                commands.push(line_of(std::iter::once(first.as_str()).chain(words)));
            }
            Value::Array(items) if key == "commands" => {
                commands.extend(items.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            Value::Array(items) if table::has(COMMAND_KEYS, &key) => {
                commands.push(line_of(items.iter().filter_map(Value::as_str)));
            }
            // Codex: `{"action": {"command": ["bash", "-lc", "…"]}}`
            Value::Object(_) => commands.extend(commands_in(value)),
            _ => {}
        }
    }
    commands.extend(program);
    commands
}

fn line_of<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.map(|it| format!("'{}'", it.replace('\'', "'\\''"))).collect();
    quoted.join(" ")
}

/// Every text of the input with the key that it stands under; items of a list have the list's key.
fn texts(input: &Value) -> Vec<(String, &str)> {
    fn walk<'v>(value: &'v Value, key: &str, depth: usize, texts: &mut Vec<(String, &'v str)>) {
        match value {
            Value::String(text) => texts.push((key.to_owned(), text)),
            Value::Array(items) if depth > 0 => {
                for item in items {
                    walk(item, if item.is_object() { "" } else { key }, depth - 1, texts);
                }
            }
            Value::Object(map) if depth > 0 => {
                for (name, value) in map {
                    // `{"changes": {"src/a.rs": {…}}}`: paths as keys.
                    if matches!(key, "changes" | "files") {
                        texts.push(("path".to_owned(), name));
                    }
                    walk(value, &key_of(name), depth - 1, texts);
                }
            }
            _ => {}
        }
    }
    let mut texts = Vec::new();
    walk(input, "", DEPTH_MAX, &mut texts);
    texts
}

/// A patch has few files; files after this many are ignored.
const FILES_MAX: usize = 1024;

/// The files that a patch names, in the format of Codex or of diff.
pub(super) fn patched(text: &str) -> Vec<(String, Deed)> {
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
