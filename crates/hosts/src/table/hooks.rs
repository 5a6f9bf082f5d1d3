//! Which of a host's events oldhand listens to, and how an entry is written.
//!
//! The command lines are the same in every release: Codex trusts a hook by its hash, so a version
//! or a path in there would make people trust it again each time.

use serde_json::{Value, json};

use crate::dialect::Dialect;

/// The events of one host.
pub struct HookSet {
    pub host: Dialect,
    pub hooks: &'static [HookWhen],
}

pub struct HookWhen {
    pub event: &'static str,
    pub matcher: Option<&'static str>,
    pub timeout_s: u32,
}

/// A person waits for the answer to a prompt.
const PROMPT_S: u32 = 5;
const OTHER_S: u32 = 10;
/// Codex cuts a longer limit at the end of a session to this, with a warning.
const END_S: u32 = 3;

const fn on(event: &'static str) -> HookWhen {
    HookWhen { event, matcher: None, timeout_s: OTHER_S }
}

const fn end(event: &'static str) -> HookWhen {
    HookWhen { event, matcher: None, timeout_s: END_S }
}

const fn prompt(event: &'static str) -> HookWhen {
    HookWhen { event, matcher: None, timeout_s: PROMPT_S }
}

const fn tools(event: &'static str, matcher: &'static str) -> HookWhen {
    HookWhen { event, matcher: Some(matcher), timeout_s: OTHER_S }
}

pub(super) const CLAUDE_CODE: HookSet = HookSet {
    host: Dialect::ClaudeCode,
    hooks: &[
        on("SessionStart"),
        prompt("UserPromptSubmit"),
        tools("PreToolUse", "Write|Edit|MultiEdit|NotebookEdit|Bash"),
        on("PostToolUseFailure"),
        on("PreCompact"),
        on("SubagentStart"),
        on("SubagentStop"),
        on("Stop"),
        on("SessionEnd"),
    ],
};

pub(super) const CODEX: HookSet = HookSet {
    host: Dialect::Codex,
    hooks: &[
        on("SessionStart"),
        prompt("UserPromptSubmit"),
        tools("PreToolUse", "Bash|apply_patch|Edit|Write"),
        tools("PostToolUse", "Bash"),
        on("PreCompact"),
        on("SubagentStart"),
        on("SubagentStop"),
        on("Stop"),
        end("SessionEnd"),
    ],
};

pub(super) const GEMINI: HookSet = HookSet {
    host: Dialect::Gemini,
    hooks: &[
        on("SessionStart"),
        prompt("BeforeAgent"),
        tools("BeforeTool", "write_file|replace|run_shell_command"),
        tools("AfterTool", "run_shell_command"),
        on("AfterAgent"),
        on("SessionEnd"),
    ],
};

pub(super) const CURSOR: HookSet = HookSet {
    host: Dialect::Cursor,
    hooks: &[
        on("sessionStart"),
        prompt("beforeSubmitPrompt"),
        tools("preToolUse", "Shell|Write|Delete"),
        on("preCompact"),
        on("subagentStart"),
        on("subagentStop"),
        on("stop"),
        on("sessionEnd"),
    ],
};

pub(super) const COPILOT: HookSet = HookSet {
    host: Dialect::Copilot,
    hooks: &[
        on("sessionStart"),
        prompt("userPromptSubmitted"),
        on("preToolUse"),
        on("postToolUseFailure"),
        on("preCompact"),
        on("subagentStart"),
        on("subagentStop"),
        on("agentStop"),
        on("sessionEnd"),
    ],
};

impl HookSet {
    /// What stands beside `hooks` in a file that holds nothing else.
    pub fn has_version(&self) -> bool {
        matches!(self.host, Dialect::Cursor | Dialect::Copilot)
    }

    /// The entry in the list of its event.
    pub fn entry(&self, hook: &HookWhen) -> Value {
        let line = format!("oldhand hook {}", self.host.as_str());
        let seconds = hook.timeout_s;
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
                let line = format!("{line} --event {}", hook.event);
                json!({"type": "command", "bash": format!("{line} || true"),
                    "powershell": format!("{line}; exit 0"), "timeoutSec": seconds})
            }
        };
        if let (Some(matcher), Value::Object(entry)) = (hook.matcher, &mut entry) {
            entry.shift_insert(0, "matcher".to_owned(), matcher.into());
        }
        entry
    }

    /// The entry of each event.
    pub fn entries(&self) -> Vec<(&'static str, Value)> {
        self.hooks.iter().map(|hook| (hook.event, self.entry(hook))).collect()
    }

    /// All of them, as they stand below `hooks`.
    pub fn all(&self) -> Value {
        self.entries().into_iter().map(|(event, entry)| (event, json!([entry]))).collect()
    }
}
