//! Turns without their tool output, in groups of three to five (R72): what was said, shortened, and a
//! line for each tool: the command or the path, and what came of it (R164).

use std::collections::HashMap;

use super::facts::{command_text, error_text, middle, path_text};
use super::withhold::told;
use crate::window;
use crate::working::absorb::NOT_RUN;
use crate::working::{WITHHELD, has_failed};
use oldhand_text::secrets;
use oldhand_transcripts::{ToolResult, ToolUse, Turn, Voice};

/// Some turns that followed one another, as `window` groups them, pruned.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    results: HashMap<&'t str, &'t ToolResult>,
    /// The turn in which a command or a file comes up last.
    last: HashMap<&'t str, usize>,
}

impl<'t> Pruner<'t> {
    fn of(turns: &'t [Turn], root: &'t str) -> Self {
        let mut pruner = Self { root, results: HashMap::new(), last: HashMap::new() };
        for (at, turn) in turns.iter().enumerate() {
            for tool in &turn.uses {
                pruner.last.extend(tool.command.as_deref().map(|command| (command, at)));
                pruner.last.extend(tool.paths.iter().map(|path| (path.as_str(), at)));
            }
            for result in &turn.results {
                pruner.results.insert(&result.id, result);
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
            lines.push(format!("{name}: {}", told(&turn.text, chars_max)));
        }
        for tool in &turn.uses {
            lines.extend(self.tool(at, tool));
        }
        lines
    }

    fn tool(&self, at: usize, tool: &ToolUse) -> Vec<String> {
        let is_last = |name: &str| self.last.get(name).is_none_or(|last| *last <= at);
        if let Some(command) = &tool.command {
            let outcome = self.outcome(tool);
            // Superseded by a later run, unless it tells of an error.
            if !is_last(command) && !outcome.starts_with("failed") {
                return Vec::new();
            }
            if !secrets::scan(command).is_empty() {
                return vec![format!("$ {WITHHELD} → {outcome}")];
            }
            return vec![format!("$ {} → {outcome}", command_text(command, self.root))];
        }
        let verb = if tool.is_edit { "changed" } else { "read" };
        let paths = tool.paths.iter().filter(|path| tool.is_edit || is_last(path));
        paths.map(|path| format!("{verb} {}", told(&path_text(path, self.root), 300))).collect()
    }

    fn outcome(&self, tool: &ToolUse) -> String {
        let Some(result) = self.results.get(tool.id.as_str()) else {
            return "no result".to_owned();
        };
        if NOT_RUN.iter().any(|opening| result.text.starts_with(opening)) {
            return "not run".to_owned();
        }
        if !has_failed(tool.command.as_deref().unwrap_or_default(), result) {
            return "ok".to_owned();
        }
        if !secrets::scan(&result.text).is_empty() {
            return format!("failed: {WITHHELD}");
        }
        let error = middle(&error_text(&result.text, self.root), ERROR_CHARS_MAX);
        if error.is_empty() { "failed".to_owned() } else { format!("failed: {error}") }
    }
}
