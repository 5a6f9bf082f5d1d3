//! What a tool does: read, write paths, take a patch, or run a shell. Tools are recognized by the
//! words of their names, so a tool that nobody listed is recognized too.

use serde_json::Value;

use super::patch;
use super::store_path::Deed;
use oldhand_text::table;

const DEPTH_MAX: usize = 4;

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
    let words = words_of(name);
    let has = |list: &str| words.iter().any(|word| table::has(list, word));
    if is_own(&words) {
        return Tool::Reader;
    }
    let paths = |deed: Deed| {
        let mut paths = Vec::new();
        collect(input, !has("copy"), DEPTH_MAX, &mut paths);
        paths.into_iter().map(move |path| (path, deed))
    };
    if has("patch applypatch") {
        let mut written = patch::paths(&patch_text(input));
        written.extend(paths(Deed::Write));
        return Tool::Writer(written);
    }
    let (writes, removes) = (has(WRITE_WORDS), has(REMOVE_WORDS));
    let is_shell = has(SHELL_WORDS) && (!writes || paths(Deed::Write).next().is_none());
    if is_shell || (!writes && !removes && looks_like_shell(input)) {
        return Tool::Shell { commands: commands_in(input), folder: folder_in(input) };
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

/// `mcp__filesystem__writeFile` is mcp, filesystem, write, file.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars().take(200) {
        if !character.is_alphanumeric() {
            words.push(String::new());
        } else {
            if character.is_uppercase() && was_lower {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(character.to_lowercase());
            }
        }
        was_lower = character.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

fn key_of(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
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

fn folder_in(input: &Value) -> Option<String> {
    let map = input.as_object()?;
    let of = |(key, value): (&String, &Value)| {
        table::has(FOLDER_KEYS, &key_of(key)).then(|| value.as_str().map(str::to_owned))?
    };
    map.iter().find_map(of).filter(|it| !it.is_empty())
}

/// All texts that could be a patch.
fn patch_text(input: &Value) -> String {
    match input {
        Value::String(text) => text.clone(),
        Value::Object(map) => map.values().map(patch_text).collect::<Vec<_>>().join("\n"),
        Value::Array(items) => items.iter().map(patch_text).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

fn collect(input: &Value, with_sources: bool, depth: usize, paths: &mut Vec<String>) {
    if depth == 0 {
        return;
    }
    match input {
        Value::Array(items) => {
            items.iter().for_each(|item| collect(item, with_sources, depth - 1, paths));
        }
        Value::Object(map) => {
            for (key, value) in map {
                let key = key_of(key);
                let is_path =
                    table::has(PATH_KEYS, &key) || with_sources && table::has(SOURCE_KEYS, &key);
                match value {
                    Value::String(path) if is_path => paths.push(path.clone()),
                    Value::Array(items) if is_path => {
                        paths.extend(items.iter().filter_map(Value::as_str).map(str::to_owned));
                    }
                    _ => {}
                }
                // `{"changes": {"src/a.rs": {…}}}`: paths as keys.
                if let (Value::Object(files), "changes" | "files") = (value, key.as_str()) {
                    paths.extend(files.keys().cloned());
                }
                collect(value, with_sources, depth - 1, paths);
            }
        }
        _ => {}
    }
}
