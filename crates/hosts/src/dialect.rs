//! The format in which a host talks to its hooks.

use oldhand_text::problem::Problem;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    ClaudeCode,
    Codex,
    Gemini,
    Cursor,
    Copilot,
    /// Our shim inside OpenCode, which uses the format of Claude Code.
    OpenCode,
}

/// The names after `oldhand hook`, in the order of [`Dialect`].
const NAMES: [&str; 6] = ["claude-code", "codex", "gemini", "cursor", "copilot", "opencode"];

impl Dialect {
    pub const ALL: [Self; 6] =
        [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::Cursor, Self::Copilot, Self::OpenCode];

    pub fn as_str(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Whether a person typed its prompts. In OpenCode a subagent is a session like any other, so
    /// prompts that an agent writes arrive the same way.
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
