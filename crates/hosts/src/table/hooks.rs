//! Which of a host's events oldhand listens to, and how an entry is written.
//!
//! The command lines are the same in every release: Codex trusts a hook by its hash, so a version
//! or a path in there would make people trust it again each time.

use serde_json::{Value, json};

use crate::dialect::Dialect;
use crate::payload::Event;

/// The events of one host, each with a matcher for tools where it has one.
pub struct HookSet {
    pub host: Dialect,
    pub events: &'static [(&'static str, Option<&'static str>)],
}

pub(super) const CLAUDE_CODE: HookSet = HookSet {
    host: Dialect::ClaudeCode,
    events: &[
        ("SessionStart", None),
        ("UserPromptSubmit", None),
        ("PreToolUse", Some("Write|Edit|MultiEdit|NotebookEdit|Bash")),
        ("PostToolUse", Some("Bash|Write|ExitPlanMode|AskUserQuestion|mcp__.*(create|save)_.*")),
        ("PostToolUseFailure", None),
        ("PreCompact", None),
        ("SubagentStart", None),
        ("SubagentStop", None),
        ("Stop", None),
        ("SessionEnd", None),
    ],
};

pub(super) const CODEX: HookSet = HookSet {
    host: Dialect::Codex,
    events: &[
        ("SessionStart", None),
        ("UserPromptSubmit", None),
        ("PreToolUse", Some("Bash|apply_patch|Edit|Write")),
        ("PostToolUse", Some("Bash")),
        ("PreCompact", None),
        ("SubagentStart", None),
        ("SubagentStop", None),
        ("Stop", None),
        ("SessionEnd", None),
    ],
};

pub(super) const GEMINI: HookSet = HookSet {
    host: Dialect::Gemini,
    events: &[
        ("SessionStart", None),
        ("BeforeAgent", None),
        ("BeforeTool", Some("write_file|replace|run_shell_command")),
        ("AfterTool", Some("run_shell_command")),
        ("AfterAgent", None),
        ("SessionEnd", None),
    ],
};

pub(super) const CURSOR: HookSet = HookSet {
    host: Dialect::Cursor,
    events: &[
        ("sessionStart", None),
        ("beforeSubmitPrompt", None),
        ("preToolUse", Some("Shell|Write|Delete")),
        ("preCompact", None),
        ("subagentStart", None),
        ("subagentStop", None),
        ("stop", None),
        ("sessionEnd", None),
    ],
};

pub(super) const COPILOT: HookSet = HookSet {
    host: Dialect::Copilot,
    events: &[
        ("sessionStart", None),
        ("userPromptSubmitted", None),
        ("preToolUse", None),
        ("postToolUseFailure", None),
        ("preCompact", None),
        ("subagentStart", None),
        ("subagentStop", None),
        ("agentStop", None),
        ("sessionEnd", None),
    ],
};

impl HookSet {
    /// What stands beside `hooks` in a file that holds nothing else.
    pub fn has_version(&self) -> bool {
        matches!(self.host, Dialect::Cursor | Dialect::Copilot)
    }

    /// The entry of each event, as it stands in the event's list.
    pub fn entries(&self) -> Vec<(&'static str, Value)> {
        self.events.iter().map(|(event, matcher)| (*event, self.entry(event, *matcher))).collect()
    }

    fn entry(&self, event: &str, matcher: Option<&str>) -> Value {
        let line = format!("oldhand hook {}", self.host.as_str());
        let seconds = match (Event::named(event), self.host) {
            // A person waits for the answer to a prompt.
            (Some(Event::Prompt), _) => 5,
            // Codex cuts a longer limit here to this, with a warning.
            (Some(Event::SessionEnd), Dialect::Codex) => 3,
            _ => 10,
        };
        let mut entry = match self.host {
            // The program and its arguments, without a shell.
            Dialect::ClaudeCode => json!({"hooks": [{"type": "command", "command": "oldhand",
                "args": ["hook", self.host.as_str()], "timeout": seconds}]}),
            Dialect::Codex | Dialect::OpenCode => {
                json!({"hooks": [{"type": "command", "command": line, "timeout": seconds}]})
            }
            Dialect::Gemini => json!({"hooks": [{"type": "command", "command": line,
                "name": "oldhand", "timeout": seconds * 1000}]}),
            Dialect::Cursor => json!({"command": line, "timeout": seconds}),
            // The payload doesn't name the event. Copilot refuses every tool when this hook fails:
            // memory must never do that.
            Dialect::Copilot => {
                let line = format!("{line} --event {event}");
                json!({"type": "command", "bash": format!("{line} || true"),
                    "powershell": format!("{line}; exit 0"), "timeoutSec": seconds})
            }
        };
        if let (Some(matcher), Value::Object(entry)) = (matcher, &mut entry) {
            entry.shift_insert(0, "matcher".to_owned(), matcher.into());
        }
        entry
    }

    /// All of them, as they stand below `hooks`.
    pub fn all(&self) -> Value {
        self.entries().into_iter().map(|(event, entry)| (event, json!([entry]))).collect()
    }
}
