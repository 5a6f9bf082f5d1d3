//! `--replay`: sessions of Claude Code played through the hooks in order, in a scratch repository
//! with a clock of its own, and what came of it: reminders, captures, memories served, tokens, time.

mod score;
mod script;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use jiff::Timestamp;
use oldhand_desk::env::Env;
use oldhand_desk::printer::Io;
use oldhand_store::disk::RealDisk;
use oldhand_store::ulid::SystemEntropy;
use oldhand_text::tokens;
use serde_json::{Value, json};

use self::script::{Script, Step};
use crate::failure::Fail;

/// Log lines that are read back.
const LOG_MAX: &str = "1000000";

struct Stage {
    repository: PathBuf,
    home: PathBuf,
    vars: BTreeMap<String, String>,
}

/// What one hook said.
struct Said {
    session: String,
    line: usize,
    event: String,
    context: String,
    milliseconds: f64,
}

#[derive(Default)]
pub(crate) struct Options<'a> {
    /// To begin with.
    pub memories: Option<&'a Path>,
    /// Where to write what was said.
    pub run: Option<&'a Path>,
    /// What readers listed; only their sessions of this split are played.
    pub labels: Option<(&'a Path, &'a str)>,
    pub settings: &'a [String],
}

pub(crate) fn run(folder: &Path, options: &Options<'_>, io: &mut Io<'_>) -> Result<(), Fail> {
    let &Options { memories, run, labels, settings } = options;
    let things = labels.map(|(file, split)| score::read(file, split)).transpose()?;
    let mut scripts = script::read_folder(folder)?;
    if let Some(things) = &things {
        scripts.retain(|it| things.iter().any(|thing| thing.session == it.session));
    }
    let scratch = tempfile::tempdir()?;
    let stage = Stage::set(scratch.path())?;
    for setting in settings {
        let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
        stage.command(&["config", "set", key, value], Timestamp::now());
    }
    let begun = scripts.iter().filter_map(|it| it.steps.first()).map(|step| step.at).min();
    if let Some(file) = memories {
        for line in std::fs::read_to_string(file)?.lines() {
            let row: Value = serde_json::from_str(line).unwrap_or_default();
            let [text, kind] = ["text", "kind"].map(|key| row[key].as_str().unwrap_or_default());
            let args = ["remember", text, "--kind", kind, "--origin", "user"];
            stage.command(&args, begun.unwrap_or_default());
        }
    }
    let (mut said, mut log) = (Vec::new(), Vec::new());
    for (at, script) in scripts.iter().enumerate() {
        io.note("replay", &format!("{} of {}: {}", at + 1, scripts.len(), script.session));
        stage.play(script, &mut said)?;
        log.extend(stage.log_of(&script.session));
    }
    let kept = stage.command(&["list", "--json", "--limit", "10000"], Timestamp::now());
    let kept: Value = serde_json::from_slice(&kept).unwrap_or_default();
    if let Some(file) = run {
        write_run(file, &said, &log, &stage)?;
    }
    io.text(&report(&scripts, &said, &log, &kept))?;
    if let Some(things) = things {
        let captured = stage.sources(&log);
        io.text(&score::report(&things, &scripts, &said, &captured))?;
    }
    Ok(())
}

impl Stage {
    fn set(scratch: &Path) -> Result<Self, Fail> {
        let (repository, home) = (scratch.join("repository"), scratch.join("home"));
        for folder in [&repository, &home] {
            std::fs::create_dir_all(folder)?;
        }
        let git =
            std::process::Command::new("git").arg("init").arg("-q").arg(&repository).status()?;
        if !git.success() {
            return Err(Fail::new("`git init` failed", "install git"));
        }
        let vars = [("HOME", home.display().to_string()), ("CLAUDECODE", "1".to_owned())];
        let vars = vars.map(|(name, value)| (name.to_owned(), value)).into();
        let stage = Self { repository, home, vars };
        stage.command(&["init"], Timestamp::now());
        Ok(stage)
    }

    fn command(&self, args: &[&str], now: Timestamp) -> Vec<u8> {
        self.command_with(args, now, Vec::new())
    }

    fn command_with(&self, args: &[&str], now: Timestamp, stdin: Vec<u8>) -> Vec<u8> {
        let env = Env {
            vars: self.vars.clone(),
            current_dir: self.repository.clone(),
            disk: &RealDisk,
            entropy: &SystemEntropy,
            interactive: false,
            terminal: None,
            remarks: None,
        };
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut io = Io::new(Cursor::new(stdin), &mut stdout, &mut stderr);
        let args = std::iter::once("oldhand").chain(args.iter().copied()).map(OsString::from);
        oldhand::run(args, &env, now, &mut io);
        drop(io);
        stdout
    }

    fn play(&self, script: &Script, said: &mut Vec<Said>) -> Result<(), Fail> {
        let folder = self.home.join(".claude/projects/replay");
        std::fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{}.jsonl", script.session));
        let mut transcript = std::fs::File::create(&path)?;
        let mut written = 0;
        for Step { line, at, event, fields } in &script.steps {
            // What the host has written by then.
            let due = written.max(*line - 1);
            for text in &script.lines[written..due] {
                writeln!(transcript, "{}", self.moved(script, text))?;
            }
            written = due;
            let mut payload = json!({
                "session_id": script.session, "transcript_path": path,
                "cwd": self.repository, "hook_event_name": event,
            });
            for (name, value) in fields {
                payload[name] = value.clone();
            }
            let text = self.moved(script, &payload.to_string());
            let begun = Instant::now();
            let answer = self.command_with(&["hook", "claude-code"], *at, text.into_bytes());
            let milliseconds = begun.elapsed().as_secs_f64() * 1_000.0;
            let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
            let context = answer["hookSpecificOutput"]["additionalContext"].as_str();
            said.push(Said {
                session: script.session.clone(),
                line: *line,
                event: (*event).to_owned(),
                context: context.unwrap_or_default().to_owned(),
                milliseconds,
            });
        }
        Ok(())
    }

    /// Before the log forgets it.
    fn log_of(&self, session: &str) -> Vec<Value> {
        let log = self.command(&["log", "--json", "--limit", LOG_MAX], Timestamp::now());
        let log: Value = serde_json::from_slice(&log).unwrap_or_default();
        let lines = log["lines"].as_array().cloned().unwrap_or_default().into_iter();
        lines.filter(|line| line["session"] == json!(session)).collect()
    }

    /// The session and the line that each capture came from.
    fn sources(&self, log: &[Value]) -> Vec<(String, usize)> {
        let captures = captures(log).filter_map(|(session, id)| {
            let shown = self.command(&["show", id], Timestamp::now());
            let text = String::from_utf8_lossy(&shown).into_owned();
            let (_, place) = text.split_once("#L")?;
            let digits = place.find(|it: char| !it.is_ascii_digit()).unwrap_or(place.len());
            Some((session.to_owned(), place[..digits].parse().ok()?))
        });
        captures.collect()
    }

    /// The work tree is elsewhere than where the session ran.
    fn moved(&self, script: &Script, text: &str) -> String {
        match script.folder.as_str() {
            "" => text.to_owned(),
            folder => text.replace(folder, &self.repository.to_string_lossy()),
        }
    }
}

fn is_reminder(context: &str) -> bool {
    context.contains("<oldhand-reminder>\nBefore this turn ends")
}

/// One JSON object per hook that said something, then one per memory.
fn write_run(file: &Path, said: &[Said], log: &[Value], stage: &Stage) -> Result<(), Fail> {
    let mut out = String::new();
    for one in said.iter().filter(|it| !it.context.is_empty()) {
        let Said { session, line, event, context, .. } = one;
        let is_reminder = is_reminder(context);
        let row = json!({"session": session, "line": line, "event": event,
            "reminder": is_reminder, "context": context});
        out.push_str(&format!("{row}\n"));
    }
    for (session, id) in captures(log) {
        let shown = stage.command(&["show", id], Timestamp::now());
        let text = String::from_utf8_lossy(&shown).into_owned();
        let row = json!({"session": session, "captured": id, "text": text});
        out.push_str(&format!("{row}\n"));
    }
    std::fs::write(file, out)?;
    Ok(())
}

/// The session and the id of every capture that a hook reports.
fn captures(log: &[Value]) -> impl Iterator<Item = (&str, &str)> {
    let mut met = BTreeSet::new();
    let all = log.iter().flat_map(|call| {
        let session = call["session"].as_str().unwrap_or_default();
        let ids = call["captured"].as_array().into_iter().flatten();
        ids.filter_map(Value::as_str).map(move |id| (session, id))
    });
    // What is said again changes a capture and makes no other.
    all.filter(move |it| met.insert(*it))
}

fn report(scripts: &[Script], said: &[Said], log: &[Value], kept: &Value) -> String {
    let count = |event: &str| said.iter().filter(|it| it.event == event).count();
    let prompts = count("UserPromptSubmit");
    let reminders = said.iter().filter(|it| is_reminder(&it.context)).count();
    let asked = said.iter().filter(|it| it.context.contains("The candidates above")).count();
    let ids = |name: &str| -> usize {
        log.iter().filter_map(|call| call[name].as_array()).map(Vec::len).sum()
    };
    let of = |script: &Script| -> usize {
        let own = said.iter().filter(|it| it.session == script.session);
        own.map(|it| tokens::count(&it.context)).sum()
    };
    let mut per_session: Vec<usize> = scripts.iter().map(of).collect();
    per_session.sort_unstable();
    let median = per_session.get(per_session.len() / 2).copied().unwrap_or_default();
    let rate = reminders as f64 / prompts.max(1) as f64;
    let mut text = format!(
        "{} sessions, {prompts} prompts, {} hooks\nreminders   {reminders}, {rate:.2} per prompt\n\
         asked       {asked} times about candidates\ncaptured    {} in all\nserved      {} memories\ntokens      {median} in the median session, {} at most\n",
        scripts.len(),
        said.len(),
        captures(log).count(),
        ids("served"),
        per_session.last().copied().unwrap_or_default()
    );
    let states = kept["memories"].as_array().into_iter().flatten();
    let mut by_state: BTreeMap<String, usize> = BTreeMap::new();
    for memory in states {
        let name = |key: &str| memory[key].as_str().unwrap_or_default().to_owned();
        *by_state.entry(format!("{} {}", name("state"), name("type"))).or_default() += 1;
    }
    for (state, count) in by_state {
        text.push_str(&format!("  {count:4} {state}\n"));
    }
    let mut events: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    said.iter().for_each(|it| events.entry(&it.event).or_default().push(it.milliseconds));
    text.push_str("milliseconds, median and 90 %:\n");
    for (event, mut times) in events {
        times.sort_by(f64::total_cmp);
        let (middle, most) = (times[times.len() / 2], times[times.len() * 9 / 10]);
        text.push_str(&format!("  {event:20} {:5} calls {middle:7.2} {most:7.2}\n", times.len()));
    }
    text
}
