//! Turns without their tool output, in groups of three to five (R72): what was said, shortened, and a
//! line for each tool: the command or the path, and what came of it (R164).

use std::collections::HashMap;

use super::withhold::clean_line;
use crate::conversation::exact::{command_text, error_text, middle, path_text};
use crate::conversation::{Outcome, Results, WITHHELD};
use crate::window;
use oldhand_text::secrets;
use oldhand_transcripts::{ToolUse, Turn, Voice};

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Group {
    pub first_line: usize,
    pub last_line: usize,
    /// What one side said until the other side spoke counts as one.
    pub turns: usize,
    pub lines: Vec<String>,
}

const PERSON_CHARS_MAX: usize = 600;
const AGENT_CHARS_MAX: usize = 300;
const ERROR_CHARS_MAX: usize = 300;

pub(super) fn groups(turns: &[Turn], root: &str) -> Vec<Group> {
    let pruner = Pruner::of(turns, root);
    let mut groups = Vec::new();
    let mut at = 0;
    for (own, spoken) in window::groups(turns) {
        let lines = own.iter().enumerate().flat_map(|(nth, turn)| pruner.lines(at + nth, turn));
        groups.push(Group {
            first_line: own.first().map_or(0, |turn| turn.line),
            last_line: own.last().map_or(0, |turn| turn.line),
            turns: spoken,
            lines: lines.collect(),
        });
        at += own.len();
    }
    groups
}

struct Pruner<'t> {
    root: &'t str,
    results: Results<'t>,
    /// The turn in which a command or a file comes up last.
    last: HashMap<&'t str, usize>,
}

impl<'t> Pruner<'t> {
    fn of(turns: &'t [Turn], root: &'t str) -> Self {
        let mut pruner = Self { root, results: Results::from(turns, 0), last: HashMap::new() };
        for (at, turn) in turns.iter().enumerate() {
            for tool in &turn.uses {
                pruner.last.extend(tool.command.as_deref().map(|command| (command, at)));
                pruner.last.extend(tool.paths.iter().map(|path| (path.as_str(), at)));
            }
        }
        pruner
    }

    fn lines(&self, at: usize, turn: &Turn) -> Vec<String> {
        let mut lines = Vec::new();
        if !turn.text.is_empty() {
            let (name, chars_max) = match turn.voice {
                _ if turn.is_sidechain => ("subagent", AGENT_CHARS_MAX),
                Voice::Person => ("person", PERSON_CHARS_MAX),
                Voice::Agent => ("agent", AGENT_CHARS_MAX),
            };
            lines.push(format!("{name}: {}", clean_line(&turn.text, chars_max)));
        }
        for tool in &turn.uses {
            lines.extend(self.tool(at, tool));
        }
        lines
    }

    fn tool(&self, at: usize, tool: &ToolUse) -> Vec<String> {
        let is_last = |name: &str| self.last.get(name).is_none_or(|last| *last <= at);
        if let Some(command) = &tool.command {
            let outcome = self.outcome(at, tool);
            // Superseded by a later run, unless it failed.
            if !is_last(command) && !outcome.starts_with("failed") {
                return Vec::new();
            }
            let is_clean = secrets::scan(command).is_empty();
            let text = command_text(command, self.root);
            let text = if is_clean { text.as_str() } else { WITHHELD };
            return vec![format!("$ {text} → {outcome}")];
        }
        let verb = if tool.is_edit { "changed" } else { "read" };
        let paths = tool.paths.iter().filter(|path| tool.is_edit || is_last(path));
        paths
            .map(|path| format!("{verb} {}", clean_line(&path_text(path, self.root), 300)))
            .collect()
    }

    fn outcome(&self, at: usize, tool: &ToolUse) -> String {
        let Some(result) = self.results.of(tool, at) else {
            return "no result".to_owned();
        };
        let error = match Outcome::of(tool.command.as_deref().unwrap_or_default(), result) {
            Outcome::NotRun => return "not run".to_owned(),
            Outcome::Fine | Outcome::Open => return "ok".to_owned(),
            Outcome::Failed if !secrets::scan(&result.text).is_empty() => WITHHELD.to_owned(),
            Outcome::Failed => middle(&error_text(&result.text, self.root), ERROR_CHARS_MAX),
        };
        if error.is_empty() { "failed".to_owned() } else { format!("failed: {error}") }
    }
}
