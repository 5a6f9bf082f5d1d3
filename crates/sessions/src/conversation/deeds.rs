//! The fold of a conversation: everything that was done in some turns, each command and each file
//! once, with what came of it last; each error with what was done until it was gone.

use std::collections::{HashMap, VecDeque};

use super::Outcome;
use super::command::{Command, CommandKey};
use super::exact::{command_text, error_text, path_text};
use super::removed::{is_removed, removes};
use super::working::{Working, call_id};
use oldhand_text::strings::normalise_line;
use oldhand_text::table;
use oldhand_transcripts::{ToolResult, ToolUse, Turn, Voice};

#[derive(Debug, Default)]
pub(crate) struct Run<'t> {
    pub text: String,
    pub origin: &'t str,
    pub line: usize,
    pub last_line: usize,
    pub runs: usize,
    pub failures: usize,
    pub outcome: Outcome,
    /// How it had ended before it began again.
    before: Outcome,
    pub command: Command,
    pub is_check: bool,
    pub only_looks: bool,
}

/// What was done to a file; the more telling counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Touch {
    Named,
    Read,
    Edited,
    Written,
}

#[derive(Debug)]
pub(crate) struct File<'t> {
    pub text: String,
    pub origin: &'t str,
    pub line: usize,
    pub last_line: usize,
    pub touch: Touch,
    pub is_deleted: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Trouble<'t> {
    /// The command, or the tool and its file.
    pub what: String,
    pub run: Option<usize>,
    pub error: String,
    pub origin: &'t str,
    pub line: usize,
    pub last_line: usize,
    pub time: usize,
    /// How many deeds there were before it.
    begin: usize,
    /// The deeds until it was gone; `None` while it is not.
    pub fix: Option<Vec<Deed>>,
    /// Another error of the same command came after it.
    pub is_replaced: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    Changed(usize),
    Ran(usize),
}

/// What shows that an error is over, each with its time: the number of its turn, from 1.
#[derive(Debug, Default)]
pub(super) struct Signs<'t> {
    pub passed: Vec<(usize, Command)>,
    pub prompts: Vec<(usize, &'t str)>,
    pub last_commit: usize,
    /// An edit, or a command that does something and ended well.
    pub last_work: usize,
    pub last_use: usize,
    /// The last command that does something and has an end.
    pub last_doing: Option<usize>,
    pub last_words: Option<(usize, &'t str)>,
}

#[derive(Debug, Default)]
pub(crate) struct Deeds<'t> {
    pub runs: Vec<Run<'t>>,
    pub files: Vec<File<'t>>,
    pub troubles: Vec<Trouble<'t>>,
    /// What of it is stored.
    pub working: Working,
    /// Nothing stands where an edit was refused, or failed.
    deeds: Vec<Option<Deed>>,
    run_at: HashMap<String, usize>,
    file_at: HashMap<String, usize>,
    /// By id, which some hosts leave empty: what each open call does, and which command it is.
    waiting: HashMap<String, VecDeque<(String, Option<usize>)>>,
    open: HashMap<CommandKey, Vec<usize>>,
    /// Of edits whose result is still to come: their deeds, and how the file was touched before.
    editing: HashMap<String, Vec<(usize, Touch)>>,
    /// How many deeds there were when it ended well first.
    succeeded: HashMap<CommandKey, usize>,
    pub(super) signs: Signs<'t>,
    /// The folder of the project, and where the fold is.
    root: &'t str,
    time: usize,
    line: usize,
}

impl<'t> Deeds<'t> {
    pub(crate) fn of(turns: &'t [Turn], root: &'t str) -> Self {
        Self::since(Working::default(), turns, root)
    }

    /// Of the turns behind those that a working state knows.
    pub(super) fn since(working: Working, turns: &'t [Turn], root: &'t str) -> Self {
        let mut deeds = Self { root, ..Self::default() };
        for running in &working.running {
            let at = deeds.note_run(running.command.clone(), "");
            let waiting = (running.command.clone(), Some(at));
            deeds.waiting.entry(running.id.clone()).or_default().push_back(waiting);
        }
        deeds.working = working;
        for (at, turn) in turns.iter().enumerate() {
            (deeds.time, deeds.line) = (at + 1, turn.line);
            deeds.working.is_called |= turn.is_by_program;
            let is_said = !turn.is_sidechain && !turn.text.is_empty();
            let says_something = is_said && deeds.working.hear(turn);
            match turn.voice {
                Voice::Agent if is_said => deeds.signs.last_words = Some((at + 1, &turn.text)),
                Voice::Person if says_something => deeds.signs.prompts.push((at + 1, &turn.text)),
                _ => {}
            }
            deeds.working.has_worked_since |= !turn.is_sidechain && !turn.uses.is_empty();
            for tool in &turn.uses {
                deeds.begin(tool);
            }
            for result in &turn.results {
                deeds.finish(result);
            }
        }
        deeds
    }

    /// What was done until this command, or one that does the same, ended well.
    pub(crate) fn until_success(&self, command: &str) -> Option<Vec<Deed>> {
        let until = *self.succeeded.get(&Command::of(command).key())?;
        Some(distinct(&self.deeds[..until]))
    }

    /// The newest error of a command; without one, the newest error.
    pub(crate) fn last_trouble(&self) -> Option<usize> {
        let all = self.troubles.iter().enumerate();
        all.max_by_key(|(at, it)| (it.run.is_some(), it.last_line, *at)).map(|(at, _)| at)
    }

    /// The deed that it is, and how the file was touched before.
    pub(crate) fn note_file(
        &mut self,
        path: &'t str,
        touch: Touch,
        line: usize,
    ) -> Option<(usize, Touch)> {
        let text = path_text(path, self.root);
        if text.is_empty() {
            return None;
        }
        let next = self.files.len();
        let at = *self.file_at.entry(text.clone()).or_insert(next);
        if at == next {
            let (origin, last_line) = (path, line);
            self.files.push(File { text, origin, line, last_line, touch, is_deleted: false });
        }
        let file = &mut self.files[at];
        let before = if at == next { Touch::Named } else { file.touch };
        // Written first and edited then is still a new file.
        file.touch = file.touch.max(touch);
        file.last_line = file.last_line.max(line);
        file.is_deleted &= touch < Touch::Edited;
        if touch >= Touch::Edited {
            self.deeds.push(Some(Deed::Changed(at)));
            self.signs.last_work = self.time;
            return Some((self.deeds.len() - 1, before));
        }
        None
    }

    fn begin(&mut self, tool: &'t ToolUse) {
        self.working.begin(tool);
        self.signs.last_use = self.time;
        // Tools that write a whole file.
        let writers = "write create write_file create_file write_to_file";
        let touch = match (tool.is_edit, table::has(writers, &tool.name.to_ascii_lowercase())) {
            (false, _) => Touch::Read,
            (true, false) => Touch::Edited,
            (true, true) => Touch::Written,
        };
        for path in &tool.paths {
            let deed = self.note_file(path, touch, self.line);
            if !tool.id.is_empty() {
                self.editing.entry(call_id(&tool.id)).or_default().extend(deed);
            }
        }
        let waiting = match &tool.command {
            Some(command) => {
                let at = self.note_run(command_text(command, self.root), command);
                (self.runs[at].text.clone(), Some(at))
            }
            None => {
                let path = tool.paths.first().map(|path| path_text(path, self.root));
                let path = path.map(|path| format!(" {path}")).unwrap_or_default();
                (format!("{}{path}", normalise_line(&tool.name)), None)
            }
        };
        self.waiting.entry(call_id(&tool.id)).or_default().push_back(waiting);
    }

    fn note_run(&mut self, text: String, origin: &'t str) -> usize {
        let next = self.runs.len();
        let at = *self.run_at.entry(text.clone()).or_insert(next);
        if at == next {
            let command = Command::of(&text);
            let (is_check, only_looks) = (command.is_check(), command.only_looks());
            let (line, rest) = (self.line, Run::default());
            self.runs.push(Run { text, origin, line, command, is_check, only_looks, ..rest });
        }
        let run = &mut self.runs[at];
        run.runs += 1;
        run.last_line = self.line;
        run.before = std::mem::replace(&mut run.outcome, Outcome::Open);
        at
    }

    fn finish(&mut self, result: &'t ToolResult) {
        self.finish_edit(result, Outcome::of(result, || false));
        let waiting = self.waiting.get_mut(&call_id(&result.id)).and_then(VecDeque::pop_front);
        let Some((what, run)) = waiting else { return };
        if let Some(at) = run {
            return self.finish_run(at, what, result);
        }
        let key = (what.clone(), String::new());
        match Outcome::of(result, || false) {
            Outcome::Failed => self.note_trouble((what, None), key, result),
            _ => self.note_success(&key),
        }
    }

    /// What was refused, or failed, left the file as it was.
    fn finish_edit(&mut self, result: &ToolResult, outcome: Outcome) {
        let id = call_id(&result.id);
        self.working.finish_edit(&id, outcome);
        let deeds = self.editing.remove(&id).unwrap_or_default();
        if !matches!(outcome, Outcome::Failed | Outcome::NotRun) {
            return;
        }
        for (deed, before) in deeds {
            if let Some(Deed::Changed(at)) = self.deeds[deed].take() {
                self.files[at].touch = before;
            }
        }
    }

    fn finish_run(&mut self, at: usize, text: String, result: &'t ToolResult) {
        let run = &mut self.runs[at];
        let outcome = Outcome::of(result, || run.is_check);
        self.working.finish(result, outcome, (&text, &run.command));
        if outcome == Outcome::NotRun {
            // What never ran leaves everything as it was.
            run.runs -= 1;
            run.outcome = if run.runs == 0 { Outcome::NotRun } else { run.before };
            return;
        }
        let failed = outcome == Outcome::Failed;
        (run.outcome, run.last_line) = (outcome, self.line);
        run.failures += usize::from(failed);
        let (only_looks, origin) = (run.only_looks, run.origin);
        let (command, key) = (run.command.clone(), run.command.key());
        if !only_looks {
            self.signs.last_doing = Some(self.time);
        }
        if !failed {
            self.note_success(&key);
            self.note_passed(&text, command, &key);
            if !only_looks {
                self.deeds.push(Some(Deed::Ran(at)));
                self.signs.last_work = self.time;
            }
            let removed = removes(origin, self.root);
            for file in self.files.iter_mut().filter(|_| !removed.is_empty()) {
                file.is_deleted |= removed.iter().any(|it| is_removed(it, &file.text));
            }
        } else if !only_looks {
            self.note_trouble((text, Some(at)), key, result);
        }
    }

    /// All parts of `a && b` ended well.
    fn note_passed(&mut self, text: &str, whole: Command, first: &CommandKey) {
        let parts = text.split("&&").map(Command::of);
        let parts = if text.contains("&&") { parts.collect() } else { vec![whole] };
        for command in parts {
            if command.key() != *first {
                self.note_success(&command.key());
            }
            if command.program == "git" && matches!(command.object.as_str(), "commit" | "push") {
                self.signs.last_commit = self.time;
            }
            if command.is_check() {
                self.signs.passed.push((self.time, command));
            }
        }
    }

    fn note_trouble(
        &mut self,
        (what, run): (String, Option<usize>),
        key: CommandKey,
        result: &'t ToolResult,
    ) {
        let error = error_text(&result.text, self.root);
        let (line, time) = (self.line, self.time);
        let open = self.open.entry(key).or_default();
        let again = open.iter().find(|at| self.troubles[**at].error == error);
        if let Some(known) = again.and_then(|at| self.troubles.get_mut(*at)) {
            (known.last_line, known.time) = (line, time);
            return;
        }
        open.push(self.troubles.len());
        let (origin, last_line, begin) = (result.text.as_str(), line, self.deeds.len());
        let trouble = Trouble {
            what,
            run,
            error,
            origin,
            line,
            last_line,
            time,
            begin,
            ..Trouble::default()
        };
        self.troubles.push(trouble);
    }

    fn note_success(&mut self, key: &CommandKey) {
        for (nth, at) in self.open.remove(key).unwrap_or_default().into_iter().rev().enumerate() {
            let trouble = &mut self.troubles[at];
            trouble.is_replaced = nth > 0;
            trouble.fix = Some(distinct(&self.deeds[trouble.begin..]));
        }
        self.succeeded.entry(key.clone()).or_insert(self.deeds.len());
    }
}

/// The newest of each, in their order; no more than could be shown.
fn distinct(deeds: &[Option<Deed>]) -> Vec<Deed> {
    const DEEDS_MAX: usize = 40;
    let mut found: Vec<Deed> = Vec::new();
    for deed in deeds.iter().rev().flatten() {
        if found.len() < DEEDS_MAX && !found.contains(deed) {
            found.push(*deed);
        }
    }
    found.reverse();
    found
}
