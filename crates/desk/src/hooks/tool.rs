//! Before a tool runs, and after it failed: the guard of the store, and what is known of the file,
//! the command or the error at hand.

use std::path::{Path, PathBuf};

use oldhand_app::list::Filter;
use oldhand_app::recall::{Request, Shelf};
use oldhand_core::kind::Kind;
use oldhand_core::policy::CaptureMode;
use oldhand_core::recall::bundle::Entry;
use oldhand_hosts::payload::{Event, Payload, Tool};
use oldhand_judge::guard::{self, Verdict};
use oldhand_sessions::conversation::telling_lines;
use oldhand_store::layout::Layout;
use oldhand_text::command_line::{self, Command};
use oldhand_text::table;
use oldhand_transcripts::PATH_KEYS;
use serde_json::Value;

use super::prelude::*;
use super::serve::{serve, serve_brief};
use crate::desk::Desk;

const TOOL_TOKENS: usize = 600;
const MEMORIES_MAX: usize = 3;
/// An error is known by its first telling words.
const ERROR_CHARS: usize = 300;
const COMMAND_CHARS: usize = 400;

/// R287: what would write into a store past the tool is refused, whatever else is wrong.
pub(super) fn guarded(
    payload: &Payload,
    desk: &Desk<'_>,
    layout: Option<&Layout>,
) -> Option<AgentText> {
    let tool = payload.tool.as_ref().filter(|_| payload.event == Event::BeforeTool)?;
    let cwd = desk.current_dir().to_string_lossy().into_owned();
    let layouts = layout.cloned().into_iter().chain(desk.user_layout().ok());
    let stores = layouts.map(|layout| layout.root.to_string_lossy().into_owned());
    // Also where they really are: a home may be reached by two names.
    let stores: Vec<String> = stores.flat_map(|root| [real_path(&root), root]).collect();
    let call = guard::Call { tool: &tool.name, input: &tool.input, cwd: &cwd };
    let resolve = |path: &str| match (path.strip_prefix("~/"), desk.env.var("HOME")) {
        (Some(rest), Some(home)) => real_path(&command_line::join(home, rest)),
        _ => real_path(path),
    };
    match guard::judge(&call, &stores, &resolve) {
        Verdict::Pass => None,
        Verdict::Deny(reason) => Some(reason),
    }
}

/// Links followed as far as the path is there; the rest as it is written.
fn real_path(path: &str) -> String {
    // Longer than any that the system takes: nothing is there to be followed.
    if path.len() > PATH_BYTES_MAX {
        return path.to_owned();
    }
    followed(Path::new(path), LINKS_MAX).to_string_lossy().into_owned()
}

/// A dangling link leads somewhere once it is written to.
fn followed(path: &Path, links_left: usize) -> PathBuf {
    if let Ok(real) = std::fs::canonicalize(path) {
        return real;
    }
    let (Some(parent), Some(name)) = (path.parent(), path.components().next_back()) else {
        return path.to_owned();
    };
    let whole = followed(parent, links_left).join(name);
    match std::fs::read_link(&whole) {
        Ok(target) if links_left > 0 => {
            followed(&whole.with_file_name("").join(target), links_left - 1)
        }
        _ => whole,
    }
}

const LINKS_MAX: usize = 8;
const PATH_BYTES_MAX: usize = 4096;

/// Constraints and runbooks of the file or the command at hand, once.
pub(super) fn before_tool(call: &Call<'_>) -> Result<Reply, Fail> {
    let Some(tool) = &call.payload.tool else { return Ok(Reply::nothing("no tool is named")) };
    if is_draft(call, tool) {
        // Without this a person would be asked about each draft, and switch it off.
        let reason = "a draft in oldhand's staging area";
        let answer = Some(Answer::Allow(AgentText::ours(reason)));
        return Ok(Reply { answer, note: reason.to_owned(), ..Reply::default() });
    }
    // It was asked for: a person who must allow each would switch it off.
    if call.settings().capture.nudge
        && command_of(tool).is_some_and(|line| guard::only_remembers(&line))
    {
        let reason = "it keeps a memory, and does nothing else";
        let answer = Some(Answer::Allow(AgentText::ours(reason)));
        return Ok(Reply { answer, note: reason.to_owned(), ..Reply::default() });
    }
    if let Err(why) = call.may_inject() {
        return Ok(Reply::nothing(why));
    }
    if let Some(path) = path_of(tool) {
        return match call.relative(path) {
            Some(path) => before_path(call, &path),
            None => Ok(Reply::nothing("the file is outside of the repository")),
        };
    }
    match command_of(tool) {
        Some(command) => before_command(call, &command),
        None => Ok(Reply::nothing("it names no file and no command")),
    }
}

fn is_draft(call: &Call<'_>, tool: &Tool) -> bool {
    let is_agents = call.settings().capture.mode == CaptureMode::Agent;
    let path = path_of(tool).filter(|_| is_agents && tool.name == "Write");
    let session = &call.session;
    path.is_some_and(|path| call.files.is_draft_of(&session.name, Path::new(path)))
}

fn before_path(call: &Call<'_>, path: &str) -> Result<Reply, Fail> {
    let known = call.session.state().served;
    let module = path.rsplit_once('/').map_or("", |(module, _)| module);
    let asked = [format!("path:{path}"), format!("module:{module}")];
    let [was_asked, is_familiar] = asked.each_ref().map(|what| known.asked.contains(what));
    if was_asked {
        return Ok(Reply::nothing(format!("`{path}` was asked for before")));
    }
    let at = |kinds: Vec<Kind>| Filter { kinds, path: Some(path.to_owned()), ..Filter::default() };
    let mut shelves = vec![Shelf {
        filter: at(vec![Kind::Constraint, Kind::Runbook]),
        limit: memories_max(call),
        reason: "it is bound to this path",
    }];
    // R55: before the first work in a module, how it is built.
    if !is_familiar {
        shelves.push(Shelf {
            filter: at(vec![Kind::Architecture]),
            limit: 1,
            reason: "it maps this module",
        });
    }
    let about = AgentText::of("`{}`", &[AgentText::line(path)]);
    serve_brief(call, (&shelves, TOOL_TOKENS), &known.in_context_set(), &about, &asked)
}

fn before_command(call: &Call<'_>, line: &str) -> Result<Reply, Fail> {
    let command = telling_words(line);
    if command.is_empty() {
        return Ok(Reply::nothing("a command of everyday work"));
    }
    let known = call.session.state().served;
    // By its hash: a command may hold what must not touch the disk.
    let asked = format!("command:{}", ContentHash::of(command.as_bytes()).short());
    if known.asked.contains(&asked) {
        return Ok(Reply::nothing("the command was asked for before"));
    }
    let request = Request {
        text: oldhand_text::strings::shorten(&command, COMMAND_CHARS),
        filter: Filter { kinds: vec![Kind::Constraint, Kind::Runbook], ..Filter::default() },
        budget_tokens: Some(TOOL_TOKENS),
        items_max: Some(memories_max(call)),
        served_before: known.in_context_set(),
        keywords_only: true,
        pointers_only: call.is_pointing(),
        quick: true,
        ..Request::default()
    };
    // Words that a memory shares with a command are everywhere; the command itself is not.
    let names = names(line);
    let is_named = |entry: &Entry| {
        let text = format!("{} {}", entry.card.title, entry.text).to_lowercase().replace('`', "");
        entry.text.is_empty() || names.iter().any(|name| table::has_word(&text, name))
    };
    serve(call, &request, &is_named, &mut |state, reply| {
        state.served.ask(&asked);
        reply
    })
}

pub(super) fn tool_failed(call: &Call<'_>) -> Result<Reply, Fail> {
    let Some(tool) = &call.payload.tool else { return Ok(Reply::nothing("no tool is named")) };
    let error = telling_lines(tool.error.as_deref().unwrap_or_default(), ERROR_CHARS);
    if error.trim().is_empty() {
        return Ok(Reply::nothing("the error says nothing"));
    }
    if let Err(why) = call.may_inject() {
        return Ok(Reply::nothing(why));
    }
    let request = Request {
        text: error,
        filter: Filter { kinds: vec![Kind::Runbook], ..Filter::default() },
        budget_tokens: Some(2 * TOOL_TOKENS),
        items_max: Some(memories_max(call)),
        pointers_only: call.is_pointing(),
        served_before: call.session.state().served.in_context_set(),
        quick: true,
        ..Request::default()
    };
    serve(call, &request, &|_| true, &mut |_, reply| reply)
}

fn memories_max(call: &Call<'_>) -> usize {
    MEMORIES_MAX.min(call.hooks().inject_max)
}

pub(super) fn path_of(tool: &Tool) -> Option<&str> {
    PATH_KEYS.split(' ').find_map(|name| tool.input.get(name).and_then(Value::as_str))
}

pub(super) fn command_of(tool: &Tool) -> Option<String> {
    match tool.input.get("command").or_else(|| tool.input.get("cmd"))? {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            Some(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "))
        }
        _ => None,
    }
}

/// What a line of commands does beyond looking around: of each command the program and what it is
/// told first. Flags say how, not what, and so do redirections; without a letter it says nothing.
fn telling_words(line: &str) -> String {
    let commands = command_line::commands(line);
    let telling = commands.iter().map(first_words).filter(|words| !is_looking(words));
    let telling = telling.map(|words| words.join(" ")).collect::<Vec<_>>().join(" ");
    let telling = telling.trim().to_owned();
    if telling.contains(char::is_alphabetic) { telling } else { String::new() }
}

/// How a text names the commands of a line: `git push`, `mise run lint`, or the program alone where it
/// is told nothing.
fn names(line: &str) -> Vec<String> {
    let commands = command_line::commands(line);
    let telling = commands.iter().map(first_words).filter(|words| !is_looking(words));
    let count = |words: &[&str]| if words.get(1) == Some(&"run") { 3 } else { 2 };
    telling.map(|words| words[..words.len().min(count(&words))].join(" ").to_lowercase()).collect()
}

fn first_words(command: &Command) -> Vec<&str> {
    let words = command.words.iter().flat_map(|word| word.split_whitespace());
    let named = words.skip_while(|word| word.contains('=')).filter(|word| !word.starts_with('-'));
    named.take(WORDS_OF_COMMAND).collect()
}

const WORDS_OF_COMMAND: usize = 3;

/// Looking around is not the moment for advice.
fn is_looking(words: &[&str]) -> bool {
    const LOOKING: &[&str] = &[
        "ls", "cat", "cd", "pwd", "echo", "head", "tail", "grep", "rg", "find", "fd", "wc", "tree",
        "which", "sed", "awk", "sort", "less", "stat", "file", "diff", "jq", "date", "sleep",
        "true", "false", "oldhand", "set", "export", "source", "test", "[",
    ];
    const LOOKING_AT_GIT: &[&str] =
        &["status", "diff", "log", "show", "branch", "add", "rev-parse"];
    match words {
        [] => true,
        ["git", verb, ..] => LOOKING_AT_GIT.contains(verb),
        [program, ..] => LOOKING.contains(program),
    }
}

#[cfg(test)]
mod tests {
    use super::{names, telling_words};

    #[test]
    fn a_memory_names_a_command_by_its_first_words() {
        let table = [
            ("terraform apply -auto-approve", vec!["terraform apply"]),
            ("cd infra && mise run lint 2>&1 | tail -5", vec!["mise run lint"]),
            ("git push --force origin main; ls", vec!["git push"]),
            ("golangci-lint", vec!["golangci-lint"]),
            ("ls -la", vec![]),
        ];
        for (line, wanted) in table {
            assert_eq!(names(line), wanted, "{line}");
        }
    }

    #[test]
    fn a_command_is_what_it_does_not_how() {
        let table = [
            ("ls -la src", ""),
            ("git status && git diff", ""),
            ("cd infra && terraform apply -auto-approve", "terraform apply"),
            ("npm publish --access public", "npm publish public"),
            ("RUST_LOG=debug cargo test --workspace | tail -5", "cargo test"),
            ("git push --force origin main", "git push origin"),
            ("ls 2>&1", ""),
            ("cat log.txt 2>&1 | grep error", ""),
            ("cargo publish 2>&1 | tail -5", "cargo publish"),
            ("make deploy > out.txt 2>&1", "make deploy"),
            ("make deploy >/dev/null", "make deploy"),
            ("make deploy &> out.txt & ls", "make deploy"),
            ("2>&1", ""),
            ("1 2 3", ""),
            ("", ""),
        ];
        for (line, words) in table {
            assert_eq!(telling_words(line), words, "{line}");
        }
    }
}
