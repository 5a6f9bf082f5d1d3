//! What a hook answers, in each host's format. Most answers are silent.

use oldhand_text::agent_text::AgentText;
use serde_json::{Value, json};

use crate::dialect::Dialect;
use crate::payload::Event;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Silence,
    /// Facts for the agent.
    Context(AgentText),
    /// Allows a tool call without asking, because it runs oldhand.
    Allow(AgentText),
    /// Refuses a tool call.
    Deny(AgentText),
    /// Makes the agent continue instead of stopping.
    GoOn(AgentText),
}

impl Answer {
    /// Drops what the host doesn't accept at this event: it might show such an answer to the
    /// person, or fail the hook.
    pub fn as_taken(self, dialect: Dialect, event: Event) -> Self {
        let taken = match &self {
            Self::Silence => true,
            Self::Context(_) => takes_context(dialect, event),
            Self::Deny(_) => event == Event::BeforeTool,
            Self::Allow(_) => {
                event == Event::BeforeTool
                    && matches!(dialect, Dialect::ClaudeCode | Dialect::Codex | Dialect::Copilot)
            }
            Self::GoOn(_) => matches!(event, Event::Stop | Event::SubagentStop),
        };
        if taken { self } else { Self::Silence }
    }

    /// Exactly what goes to standard output; `event_name` is the host's own.
    pub fn render(&self, dialect: Dialect, event_name: &str) -> String {
        let object = self.object(dialect, event_name);
        object.map_or_else(String::new, |object| format!("{object}\n"))
    }

    /// Hosts that are not named here use the format of Claude Code.
    fn object(&self, dialect: Dialect, event_name: &str) -> Option<Value> {
        let verdict = if matches!(self, Self::Allow(_)) { "allow" } else { "deny" };
        Some(match (self, dialect) {
            (Self::Silence | Self::Allow(_), Dialect::Cursor) => json!({}),
            (Self::Silence, _) | (Self::Allow(_), Dialect::Gemini) => return None,
            (Self::Context(text), Dialect::Cursor) => {
                json!({"continue": true, "additional_context": **text})
            }
            (Self::Context(text), Dialect::Copilot) => json!({"additionalContext": **text}),
            (Self::Context(text), _) => json!({
                "hookSpecificOutput": {"hookEventName": event_name, "additionalContext": **text}
            }),
            (Self::Deny(reason), Dialect::Cursor) => json!({
                "permission": "deny",
                "user_message": **reason,
                "agent_message": **reason,
            }),
            (Self::Deny(reason) | Self::GoOn(reason), Dialect::Gemini) => {
                json!({"decision": "deny", "reason": **reason})
            }
            (Self::GoOn(reason), Dialect::Cursor) => json!({"followup_message": **reason}),
            (Self::GoOn(reason), _) => json!({"decision": "block", "reason": **reason}),
            (Self::Allow(reason) | Self::Deny(reason), Dialect::Copilot) => json!({
                "permissionDecision": verdict,
                "permissionDecisionReason": **reason,
            }),
            (Self::Allow(reason) | Self::Deny(reason), _) => json!({"hookSpecificOutput": {
                "hookEventName": event_name,
                "permissionDecision": verdict,
                "permissionDecisionReason": **reason,
            }}),
        })
    }
}

/// Whether the host reads additional context at this event.
pub fn takes_context(dialect: Dialect, event: Event) -> bool {
    use Event::{AfterTool, BeforeTool, Prompt, SessionStart, SubagentStart, ToolFailed};
    let events: &[Event] = match dialect {
        Dialect::ClaudeCode | Dialect::Codex | Dialect::Copilot => {
            &[SessionStart, Prompt, BeforeTool, AfterTool, ToolFailed, SubagentStart]
        }
        Dialect::Gemini | Dialect::OpenCode => &[SessionStart, Prompt, AfterTool, ToolFailed],
        Dialect::Cursor => &[SessionStart, Prompt, AfterTool],
    };
    events.contains(&event)
}

/// A host writes longer texts to a file with a preview, or cuts them.
pub fn context_chars_max(dialect: Dialect) -> usize {
    match dialect {
        // About 2,500 tokens.
        Dialect::Codex => 8_000,
        // Claude Code takes 10,000 characters; the others document no limit.
        _ => 9_500,
    }
}

#[cfg(test)]
mod tests;
