//! The rows.

use super::hooks::{CLAUDE_CODE, CODEX, COPILOT, CURSOR, GEMINI};
use super::{At, Form, HookSet, Host, Moved, Piece, ServerShape, Way};
use crate::parts::{DRAFTER, OPENCODE_SHIM, Part, SKILL_MEMORY, SKILL_SAVE};

const fn hooks(at: &'static [At], set: &'static HookSet) -> Piece {
    Piece { at, form: Form::Hooks(set), way: Way::Settings }
}

const fn text(at: &'static [At], part: Part) -> Piece {
    Piece { at, form: Form::Text(part), way: Way::Settings }
}

const fn server(at: &'static [At], keys: &'static [&'static str], shape: ServerShape) -> Piece {
    Piece { at, form: Form::JsonServer { keys, shape }, way: Way::Always }
}

const MCP_SERVERS: &[&str] = &["mcpServers", "oldhand"];

pub(super) const HOSTS: &[Host] = &[
    Host {
        name: "claude-code",
        title: "Claude Code",
        programs: &["claude"],
        folder: At::Home(".claude"),
        moved_by: Some(Moved { variable: "CLAUDE_CONFIG_DIR", below: "" }),
        pieces: &[
            hooks(&[At::Own("settings.json")], &CLAUDE_CODE),
            hooks(&[At::Project(".claude/settings.json")], &CLAUDE_CODE),
            text(&[At::Own("skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Own("skills/oldhand-save/SKILL.md")], SKILL_SAVE),
            text(&[At::Own("agents/memory-drafter.md")], DRAFTER),
            text(&[At::Project(".claude/skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Project(".claude/skills/oldhand-save/SKILL.md")], SKILL_SAVE),
            text(&[At::Project(".claude/agents/memory-drafter.md")], DRAFTER),
            Piece { at: &[At::Own("settings.json")], form: Form::ClaudePlugin, way: Way::Plugin },
            server(&[At::HomeUnlessMoved(".claude.json")], MCP_SERVERS, ServerShape::Stdio),
            server(&[At::Project(".mcp.json")], MCP_SERVERS, ServerShape::Stdio),
        ],
        after: "restart open sessions to pick it up; `/hooks` lists the hooks",
    },
    Host {
        name: "codex",
        title: "Codex",
        programs: &["codex"],
        folder: At::Home(".codex"),
        moved_by: Some(Moved { variable: "CODEX_HOME", below: "" }),
        pieces: &[
            hooks(&[At::Own("hooks.json")], &CODEX),
            hooks(&[At::Project(".codex/hooks.json")], &CODEX),
            text(&[At::Own("skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Own("skills/oldhand-save/SKILL.md")], SKILL_SAVE),
            text(&[At::Project(".codex/skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Project(".codex/skills/oldhand-save/SKILL.md")], SKILL_SAVE),
            Piece { at: &[At::Own("config.toml")], form: Form::TomlServer, way: Way::Always },
            Piece {
                at: &[At::Project(".codex/config.toml")],
                form: Form::TomlServer,
                way: Way::Always,
            },
        ],
        after: "Codex runs a new hook only once you trust it: type `/hooks` in Codex",
    },
    Host {
        name: "gemini",
        title: "Gemini CLI",
        programs: &["gemini"],
        folder: At::Home(".gemini"),
        moved_by: Some(Moved { variable: "GEMINI_CLI_HOME", below: ".gemini" }),
        pieces: &[
            hooks(&[At::Own("settings.json")], &GEMINI),
            hooks(&[At::Project(".gemini/settings.json")], &GEMINI),
            text(&[At::Own("skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Own("skills/oldhand-save/SKILL.md")], SKILL_SAVE),
            text(&[At::Project(".gemini/skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Project(".gemini/skills/oldhand-save/SKILL.md")], SKILL_SAVE),
            server(&[At::Own("settings.json")], MCP_SERVERS, ServerShape::Plain),
            server(&[At::Project(".gemini/settings.json")], MCP_SERVERS, ServerShape::Plain),
        ],
        after: "restart open sessions to pick it up",
    },
    Host {
        name: "cursor",
        title: "Cursor",
        programs: &["cursor", "cursor-agent"],
        folder: At::Home(".cursor"),
        moved_by: None,
        pieces: &[
            hooks(&[At::Home(".cursor/hooks.json")], &CURSOR),
            hooks(&[At::Project(".cursor/hooks.json")], &CURSOR),
            text(&[At::Home(".cursor/skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Home(".cursor/skills/oldhand-save/SKILL.md")], SKILL_SAVE),
            text(&[At::Project(".cursor/skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Project(".cursor/skills/oldhand-save/SKILL.md")], SKILL_SAVE),
            server(&[At::Home(".cursor/mcp.json")], MCP_SERVERS, ServerShape::Plain),
            server(&[At::Project(".cursor/mcp.json")], MCP_SERVERS, ServerShape::Plain),
        ],
        after: "where Cursor also loads Claude Code's hooks, switch that off or oldhand answers twice",
    },
    Host {
        name: "copilot",
        title: "GitHub Copilot CLI",
        programs: &["copilot"],
        folder: At::Home(".copilot"),
        moved_by: Some(Moved { variable: "COPILOT_HOME", below: "" }),
        pieces: &[
            hooks(&[At::Own("hooks/oldhand.json")], &COPILOT),
            hooks(&[At::Project(".github/hooks/oldhand.json")], &COPILOT),
            text(&[At::Own("skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Own("skills/oldhand-save/SKILL.md")], SKILL_SAVE),
            text(&[At::Project(".github/skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Project(".github/skills/oldhand-save/SKILL.md")], SKILL_SAVE),
            server(&[At::Own("mcp-config.json")], MCP_SERVERS, ServerShape::Local),
            server(&[At::Project(".github/mcp.json")], MCP_SERVERS, ServerShape::Local),
        ],
        after: "restart open sessions to pick it up",
    },
    Host {
        name: "opencode",
        title: "OpenCode",
        programs: &["opencode"],
        folder: At::Config("opencode"),
        moved_by: Some(Moved { variable: "OPENCODE_CONFIG_DIR", below: "" }),
        pieces: &[
            text(&[At::Own("plugins/oldhand.ts")], OPENCODE_SHIM),
            text(&[At::Project(".opencode/plugins/oldhand.ts")], OPENCODE_SHIM),
            text(&[At::Own("skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Own("skills/oldhand-save/SKILL.md")], SKILL_SAVE),
            text(&[At::Project(".opencode/skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Project(".opencode/skills/oldhand-save/SKILL.md")], SKILL_SAVE),
            server(
                &[At::Own("opencode.json"), At::Own("opencode.jsonc")],
                &["mcp", "oldhand"],
                ServerShape::CommandList,
            ),
            server(
                &[At::Project("opencode.json"), At::Project("opencode.jsonc")],
                &["mcp", "oldhand"],
                ServerShape::CommandList,
            ),
        ],
        after: "restart open sessions to pick it up",
    },
    Host {
        name: "windsurf",
        title: "Windsurf",
        programs: &["windsurf"],
        folder: At::Home(".codeium/windsurf"),
        moved_by: None,
        pieces: &[
            text(&[At::Home(".codeium/windsurf/skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Project(".windsurf/skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            server(
                &[At::Home(".codeium/windsurf/mcp_config.json")],
                MCP_SERVERS,
                ServerShape::Plain,
            ),
        ],
        after: "Windsurf's hooks can't hand over text: the skill teaches the commands instead",
    },
    Host {
        name: "zed",
        title: "Zed",
        programs: &["zed", "zeditor"],
        folder: At::Config("zed"),
        moved_by: None,
        pieces: &[
            server(
                &[At::Config("zed/settings.json")],
                &["context_servers", "oldhand"],
                ServerShape::Plain,
            ),
            server(
                &[At::Project(".zed/settings.json")],
                &["context_servers", "oldhand"],
                ServerShape::Plain,
            ),
        ],
        after: "Zed has no hooks: its agent asks the server",
    },
    Host {
        name: "cline",
        title: "Cline",
        programs: &["cline"],
        folder: At::Home(".cline"),
        moved_by: None,
        pieces: &[
            text(&[At::Home(".cline/skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            text(&[At::Project(".cline/skills/oldhand-memory/SKILL.md")], SKILL_MEMORY),
            server(
                &[At::Config(
                    "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
                )],
                MCP_SERVERS,
                ServerShape::Plain,
            ),
        ],
        after: "skills have to be switched on in Cline's settings",
    },
];
