//! What was done in a session, folded: each command and each file once, with what came of it last;
//! each error with what was done until it was gone.

use std::collections::HashMap;

use super::facts::{command_text, error_text, path_text};
use super::kind::Check;
use super::removed::removes;
use crate::working::absorb::{NOT_RUN, asks};
use crate::working::command::Command;
use crate::working::{Working, has_failed};
use oldhand_transcripts::{ToolResult, ToolUse, Turn, Voice};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// No result yet.
    Open,
    Fine,
    Failed,
    /// Refused or interrupted.
    NotRun,
}

/// A command, however often it ran.
#[derive(Debug)]
pub(super) struct Run<'t> {
    pub text: String,
    pub origin: &'t str,
    pub line: usize,
    pub last_line: usize,
    pub runs: usize,
    pub failures: usize,
    pub outcome: Outcome,
    /// How it had ended before it began again.
    before: Outcome,
    pub is_check: bool,
    pub only_looks: bool,
}

/// What was done to a file; the more telling counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touch {
    Named,
    Read,
    Edited,
    Written,
}

#[derive(Debug)]
pub(super) struct File<'t> {
    pub text: String,
    pub origin: &'t str,
    pub line: usize,
    pub last_line: usize,
    pub touch: Touch,
    /// It is gone again.
    pub is_deleted: bool,
}

/// An error, and what was done about it.
#[derive(Debug)]
pub(super) struct Trouble<'t> {
    /// The command, or the tool and its file.
    pub what: String,
    /// Which command it was.
    pub run: Option<usize>,
    pub error: String,
    pub origin: &'t str,
    pub line: usize,
    pub last_line: usize,
    /// When it came last.
    pub time: usize,
    key: Key,
    begin: usize,
    /// The deeds until it was gone; `None` while it is not.
    pub fix: Option<Vec<Deed>>,
    /// Another error of the same command came after it.
    pub is_replaced: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Changed(usize),
    Ran(usize),
}

type Key = (String, String);

/// What shows that an error is over, each with its time: the number of its turn, from 1.
#[derive(Debug, Default)]
pub(super) struct Signs<'t> {
    pub passed: Vec<(usize, Check)>,
    pub prompts: Vec<(usize, &'t str)>,
    pub last_commit: usize,
    /// An edit, or a command that does something and ended well.
    pub last_work: usize,
    /// Any call of a tool.
    pub last_use: usize,
    /// The last command that does something and has an end, and which it was.
    pub last_doing: Option<(usize, usize)>,
    pub last_words: Option<(usize, &'t str)>,
}

/// A use whose result is still to come.
#[derive(Debug, Clone)]
enum Waiting {
    Run(usize),
    Tool(String),
}

#[derive(Debug, Default)]
pub(super) struct Deeds<'t> {
    pub runs: Vec<Run<'t>>,
    pub files: Vec<File<'t>>,
    pub troubles: Vec<Trouble<'t>>,
    /// The newest list of what is to do.
    pub working: Working,
    pub uses: usize,
    deeds: Vec<Deed>,
    run_at: HashMap<String, usize>,
    file_at: HashMap<String, usize>,
    waiting: HashMap<&'t str, Waiting>,
    open: HashMap<Key, Vec<usize>>,
    /// How many deeds there were when it ended well first.
    succeeded: HashMap<Key, usize>,
    pub signs: Signs<'t>,
    time: usize,
}

impl<'t> Deeds<'t> {
    pub(super) fn of(turns: &'t [Turn], root: &str) -> Self {
        let mut deeds = Self::default();
        for (at, turn) in turns.iter().enumerate() {
            deeds.time = at + 1;
            deeds.hear(turn);
            for tool in &turn.uses {
                deeds.begin(tool, turn.line, root);
            }
            for result in &turn.results {
                deeds.finish(result, turn.line, root);
            }
        }
        deeds
    }

    fn hear(&mut self, turn: &'t Turn) {
        if turn.is_sidechain || turn.text.is_empty() {
            return;
        }
        match turn.voice {
            Voice::Person if asks(&turn.text) => self.signs.prompts.push((self.time, &turn.text)),
            Voice::Person => {}
            Voice::Agent => self.signs.last_words = Some((self.time, &turn.text)),
        }
    }

    /// What was done until this command, or one that does the same, ended well.
    pub(super) fn until_success(&self, command: &str) -> Option<Vec<Deed>> {
        let until = *self.succeeded.get(&Command::of(command).key())?;
        Some(distinct(&self.deeds[..until]))
    }

    /// The newest error of a command; without one, the newest error.
    pub(super) fn last_trouble(&self) -> Option<usize> {
        let newest = |of_command: bool| {
            let found = self.troubles.iter().enumerate();
            let found = found.filter(|(_, it)| !of_command || it.run.is_some());
            found.max_by_key(|(at, it)| (it.last_line, *at)).map(|(at, _)| at)
        };
        newest(true).or_else(|| newest(false))
    }

    pub(super) fn note_file(&mut self, path: &'t str, touch: Touch, line: usize, root: &str) {
        let text = path_text(path, root);
        if text.is_empty() {
            return;
        }
        let next = self.files.len();
        let at = *self.file_at.entry(text.clone()).or_insert(next);
        match self.files.get_mut(at) {
            Some(file) => {
                // Written first and edited then is still a new file.
                file.touch = file.touch.max(touch);
                file.last_line = file.last_line.max(line);
                file.is_deleted &= touch < Touch::Edited;
            }
            None => {
                let last_line = line;
                let is_deleted = false;
                self.files.push(File { text, origin: path, line, last_line, touch, is_deleted });
            }
        }
        if touch >= Touch::Edited {
            self.deeds.push(Deed::Changed(at));
            self.signs.last_work = self.time;
        }
    }

    fn begin(&mut self, tool: &'t ToolUse, line: usize, root: &str) {
        self.uses += 1;
        self.signs.last_use = self.time;
        self.working.note_todos(tool);
        let touch = match (tool.is_edit, is_writer(&tool.name)) {
            (false, _) => Touch::Read,
            (true, false) => Touch::Edited,
            (true, true) => Touch::Written,
        };
        for path in &tool.paths {
            self.note_file(path, touch, line, root);
        }
        let waiting = match tool.command.as_deref().filter(|it| !it.trim().is_empty()) {
            Some(command) => Waiting::Run(self.note_run(command, line, root)),
            None => {
                let path = tool.paths.first().map(|path| path_text(path, root));
                let path = path.map(|path| format!(" {path}")).unwrap_or_default();
                Waiting::Tool(format!("{}{path}", super::facts::one_line(&tool.name)))
            }
        };
        self.waiting.insert(&tool.id, waiting);
    }

    fn note_run(&mut self, command: &'t str, line: usize, root: &str) -> usize {
        let text = command_text(command, root);
        let next = self.runs.len();
        let at = *self.run_at.entry(text.clone()).or_insert(next);
        if at == next {
            let kind = Command::of(&text);
            let (is_check, only_looks) = (kind.is_check(), kind.only_looks());
            self.runs.push(Run {
                text,
                origin: command,
                line,
                last_line: line,
                runs: 0,
                failures: 0,
                outcome: Outcome::Open,
                before: Outcome::Open,
                is_check,
                only_looks,
            });
        }
        let run = &mut self.runs[at];
        run.runs += 1;
        run.last_line = line;
        run.before = std::mem::replace(&mut run.outcome, Outcome::Open);
        at
    }

    fn finish(&mut self, result: &'t ToolResult, line: usize, root: &str) {
        let Some(waiting) = self.waiting.remove(result.id.as_str()) else { return };
        let is_refused = NOT_RUN.iter().any(|opening| result.text.starts_with(opening));
        match waiting {
            Waiting::Run(at) if is_refused => self.runs[at].refuse(),
            Waiting::Run(at) => self.finish_run(at, result, line, root),
            Waiting::Tool(what) if result.is_error && !is_refused => {
                let key = (what.clone(), String::new());
                self.note_trouble(Trouble::new(what, None, result, key), line, root);
            }
            Waiting::Tool(what) => self.note_success(&(what, String::new())),
        }
    }

    fn finish_run(&mut self, at: usize, result: &'t ToolResult, line: usize, root: &str) {
        let run = &mut self.runs[at];
        let failed = has_failed(&run.text, result);
        run.outcome = if failed { Outcome::Failed } else { Outcome::Fine };
        run.failures += usize::from(failed);
        run.last_line = line;
        let (text, only_looks) = (run.text.clone(), run.only_looks);
        let key = Command::of(&text).key();
        if !only_looks {
            self.signs.last_doing = Some((self.time, at));
        }
        if !failed {
            self.note_success(&key);
            self.note_passed(&text, &key);
            if !only_looks {
                self.deeds.push(Deed::Ran(at));
                self.signs.last_work = self.time;
            }
            self.note_removed(self.runs[at].origin, root);
        } else if !only_looks {
            self.note_trouble(Trouble::new(text, Some(at), result, key), line, root);
        }
    }

    /// All parts of `a && b` ended well.
    fn note_passed(&mut self, text: &str, first: &Key) {
        for part in text.split("&&") {
            let command = Command::of(part);
            if command.key() != *first {
                self.note_success(&command.key());
            }
            self.signs.passed.extend(Check::of(&command).map(|check| (self.time, check)));
            if command.program == "git" && matches!(command.object, "commit" | "push") {
                self.signs.last_commit = self.time;
            }
        }
    }

    fn note_removed(&mut self, command: &str, root: &str) {
        if !command.contains("rm ") {
            return;
        }
        let removed = removes(command, root);
        for file in self.files.iter_mut().filter(|_| !removed.is_empty()) {
            file.is_deleted |= removed.iter().any(|it| it.has(&file.text));
        }
    }

    fn note_trouble(&mut self, mut trouble: Trouble<'t>, line: usize, root: &str) {
        trouble.error = error_text(trouble.origin, root);
        (trouble.line, trouble.last_line, trouble.begin) = (line, line, self.deeds.len());
        trouble.time = self.time;
        let open = self.open.entry(trouble.key.clone()).or_default();
        let again = open.iter().find(|at| self.troubles[**at].error == trouble.error);
        if let Some(known) = again.and_then(|at| self.troubles.get_mut(*at)) {
            (known.last_line, known.time) = (line, self.time);
            return;
        }
        open.push(self.troubles.len());
        self.troubles.push(trouble);
    }

    fn note_success(&mut self, key: &Key) {
        for (nth, at) in self.open.remove(key).unwrap_or_default().into_iter().rev().enumerate() {
            let trouble = &mut self.troubles[at];
            trouble.is_replaced = nth > 0;
            let begin = trouble.begin;
            trouble.fix = Some(distinct(&self.deeds[begin..]));
        }
        self.succeeded.entry(key.clone()).or_insert(self.deeds.len());
    }
}

impl Run<'_> {
    /// What never ran leaves everything as it was.
    fn refuse(&mut self) {
        self.runs -= 1;
        self.outcome = if self.runs == 0 { Outcome::NotRun } else { self.before };
    }
}

impl<'t> Trouble<'t> {
    fn new(what: String, run: Option<usize>, result: &'t ToolResult, key: Key) -> Self {
        Self {
            what,
            run,
            error: String::new(),
            origin: &result.text,
            line: 0,
            last_line: 0,
            time: 0,
            key,
            begin: 0,
            fix: None,
            is_replaced: false,
        }
    }
}

/// The newest of each, in their order; no more than could be told.
fn distinct(deeds: &[Deed]) -> Vec<Deed> {
    const DEEDS_MAX: usize = 40;
    let mut found: Vec<Deed> = Vec::new();
    for deed in deeds.iter().rev() {
        if found.len() < DEEDS_MAX && !found.contains(deed) {
            found.push(*deed);
        }
    }
    found.reverse();
    found
}

/// Tools that write a whole file.
fn is_writer(name: &str) -> bool {
    ["write", "create", "write_file", "create_file", "write_to_file"]
        .iter()
        .any(|it| name.eq_ignore_ascii_case(it))
}
