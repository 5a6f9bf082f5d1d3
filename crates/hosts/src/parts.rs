//! Texts that oldhand writes among a host's own files.

/// A text of ours, with words that identify it after a change.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub text: &'static str,
    pub mark: &'static str,
    pub what: &'static str,
}

pub const SKILL_MEMORY: Part = Part {
    text: include_str!("../../../plugin/skills/oldhand-memory/SKILL.md"),
    mark: "name: oldhand-memory",
    what: "skill",
};
pub const SKILL_SAVE: Part = Part {
    text: include_str!("../../../plugin/skills/oldhand-save/SKILL.md"),
    mark: "name: oldhand-save",
    what: "skill",
};
pub const DRAFTER: Part = Part {
    text: include_str!("../../../plugin/agents/memory-drafter.md"),
    mark: "for oldhand",
    what: "agent",
};
pub const OPENCODE_SHIM: Part = Part {
    text: include_str!("../../../plugin/opencode/oldhand.ts"),
    mark: "`oldhand hook opencode`",
    what: "plugin",
};
