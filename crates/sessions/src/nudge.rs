//! When an agent is reminded to keep what was settled: at moments that happen anyway, seldom, and
//! never twice for the same turns.

use oldhand_text::command_line;
use serde::{Deserialize, Serialize};

/// Something came to an end: what was decided on the way is still in the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    Commit,
    PullRequest,
    Issue,
    Plan,
    Answer,
    Document,
    /// A person stopped a tool, or the agent.
    Interrupt,
    Compaction,
    /// A prompt after something that came too soon after the last reminder.
    Belated,
    /// Several prompts were worked on, and nothing else happened.
    Stretch,
}

impl Moment {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::PullRequest => "pull request",
            Self::Issue => "issue",
            Self::Plan => "plan",
            Self::Answer => "answer",
            Self::Document => "document",
            Self::Interrupt => "interrupt",
            Self::Compaction => "compaction",
            Self::Belated | Self::Stretch => "stretch of work",
        }
    }

    /// What a tool that did its work brought about.
    pub fn of_tool(name: &str, command: Option<&str>, path: Option<&str>) -> Option<Self> {
        let name = name.to_lowercase();
        match name.as_str() {
            "exitplanmode" => return Some(Self::Plan),
            "askuserquestion" => return Some(Self::Answer),
            _ => {}
        }
        let makes = |what: &str| {
            ["create", "save", "open"].iter().any(|verb| name.contains(&format!("{verb}_{what}")))
        };
        if makes("issue") || makes("ticket") {
            return Some(Self::Issue);
        }
        if makes("pull_request") || makes("merge_request") {
            return Some(Self::PullRequest);
        }
        if let Some(command) = command {
            return Self::of_command(command);
        }
        path.filter(|path| is_document(path)).map(|_| Self::Document)
    }

    fn of_command(line: &str) -> Option<Self> {
        command_line::commands(line).iter().find_map(|command| {
            let is_dry = command.words.iter().any(|word| word == "--dry-run");
            if command.git_verb() == Some("commit") && !is_dry {
                return Some(Self::Commit);
            }
            let issue = command.created_on_forge(&["issue"]).map(|_| Self::Issue);
            issue.or_else(|| command.created_on_forge(&["pr", "mr"]).map(|_| Self::PullRequest))
        })
    }
}

/// Prose that people read later: not what an agent notes for itself.
fn is_document(path: &str) -> bool {
    let path = path.to_lowercase();
    path.ends_with(".md") && !path.contains("/.") && !path.starts_with('.')
}

/// What is known of the reminders of one session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Nudges {
    /// Prompts that were heard.
    #[serde(rename = "prompts_heard")]
    pub prompts: usize,
    /// How many there were at the last reminder.
    #[serde(rename = "nudged_at")]
    pub at: usize,
    #[serde(rename = "nudges")]
    pub count: usize,
    /// Tools that were used by then.
    #[serde(rename = "nudged_tools")]
    pub tool_uses: usize,
    /// The conversation lost its beginning since.
    #[serde(rename = "nudge_compacted")]
    pub is_compacted: bool,
    /// A moment came too soon after the last reminder: the next prompt will do.
    #[serde(rename = "nudge_owed")]
    pub is_owed: bool,
}

/// Prompts between two reminders; one more once a session has been reminded so often.
const GAP: usize = 2;
const GAP_GROWS_AT: usize = 3;
/// So many prompts with so many tools make a stretch of work: the first comes sooner if much is done
/// in it, and a long session waits one prompt more.
const STRETCH_FIRST: (usize, usize) = (3, 15);
const STRETCH: (usize, usize) = (4, 8);
const STRETCH_GROWS_AT: usize = 3;
/// Behind an interrupt, or something that came too soon, fewer tools settle too little.
const WORK_TOOLS: usize = 5;

impl Nudges {
    /// Whether this is a moment to remind; `tool_uses` counts those of the session.
    pub fn is_due(&self, moment: Moment, tool_uses: usize, count_max: usize) -> bool {
        let since = self.prompts.saturating_sub(self.at);
        let tools = tool_uses.saturating_sub(self.tool_uses);
        let gap = GAP + usize::from(self.count >= GAP_GROWS_AT);
        let is_apart = self.count == 0 || since >= gap;
        let is_time = match moment {
            Moment::Stretch => {
                let (prompts, work) = if self.count == 0 { STRETCH_FIRST } else { STRETCH };
                let prompts = prompts + usize::from(self.count >= STRETCH_GROWS_AT);
                since >= prompts && tools >= work
            }
            Moment::Belated => since >= gap && tools >= WORK_TOOLS,
            Moment::Interrupt => is_apart && tools >= WORK_TOOLS,
            Moment::Compaction => is_apart && tools > 0,
            _ => is_apart,
        };
        self.count < count_max && is_time
    }

    /// A moment came too soon. In the same turn it is part of what was asked about.
    pub fn owe(&mut self, moment: Moment) {
        let is_new = self.prompts > self.at;
        self.is_owed |= is_new && !matches!(moment, Moment::Stretch | Moment::Belated);
    }

    pub fn remind(&mut self, tool_uses: usize) {
        *self = Self {
            prompts: self.prompts,
            at: self.prompts,
            count: self.count + 1,
            tool_uses,
            is_compacted: false,
            is_owed: false,
        };
    }
}

#[cfg(test)]
mod tests;
