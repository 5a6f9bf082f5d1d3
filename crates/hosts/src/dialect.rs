//! How a host speaks to its hooks. Several hosts share a dialect.

use oldhand_text::problem::Problem;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    ClaudeCode,
    Codex,
    Gemini,
    Cursor,
    Copilot,
    /// The shim of ours that runs inside of OpenCode; it speaks as Claude Code does.
    OpenCode,
}

/// Every dialect in the order of [`Dialect`], with what is typed after `oldhand hook`.
const NAMES: [&str; 6] = ["claude-code", "codex", "gemini", "cursor", "copilot", "opencode"];

impl Dialect {
    pub const ALL: [Self; 6] =
        [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::Cursor, Self::Copilot, Self::OpenCode];

    pub fn as_str(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Whether a prompt that it hands over was typed by whoever uses it. In OpenCode a subagent is a
    /// session like any other, and what its agent writes to it arrives the same way.
    pub fn vouches_for_prompts(self) -> bool {
        self != Self::OpenCode
    }

    pub fn parse(name: &str) -> Result<Self, Problem> {
        let folded = name.trim().to_lowercase().replace('_', "-");
        let folded = match folded.as_str() {
            "claude" | "claudecode" => "claude-code",
            "gemini-cli" | "antigravity" => "gemini",
            "copilot-cli" => "copilot",
            "codex-cli" => "codex",
            other => other,
        };
        Self::ALL.into_iter().find(|known| known.as_str() == folded).ok_or_else(|| {
            Problem::new("host", &format!("`{}`", NAMES.join("` or `")), name)
                .with_fix("`oldhand install --list` shows every host")
        })
    }
}
