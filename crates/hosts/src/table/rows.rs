//! The rows.

use super::At::{Both, Config, HomeUnlessMoved, Own, Project};
use super::hooks::{CLAUDE_CODE, CODEX, COPILOT, CURSOR, GEMINI};
use super::{At, Folder, Form, HookSet, Host, Moved, Piece};
use serde_json::{Value, json};

use crate::parts::{DRAFTER, OPENCODE_SHIM, Part, SKILL_MEMORY, SKILL_SAVE};

const fn hooks(at: &'static [At], set: &'static HookSet) -> Piece {
    Piece { at, form: Form::Hooks(set) }
}

const fn text(at: &'static [At], part: Part) -> Piece {
    Piece { at, form: Form::Text(part) }
}

const fn server(at: &'static [At], keys: &'static [&'static str], entry: fn() -> Value) -> Piece {
    Piece { at, form: Form::JsonServer { keys, entry } }
}

/// How most hosts are told to start the server.
pub(crate) fn plain_server() -> Value {
    json!({"command": "oldhand", "args": ["mcp"]})
}

pub(crate) fn stdio_server() -> Value {
    json!({"type": "stdio", "command": "oldhand", "args": ["mcp"]})
}

/// Copilot has to be told which tools: all.
fn copilot_server() -> Value {
    json!({"type": "local", "command": "oldhand", "args": ["mcp"], "tools": ["*"]})
}

fn opencode_server() -> Value {
    json!({"type": "local", "command": ["oldhand", "mcp"], "enabled": true})
}

const MCP_SERVERS: &[&str] = &["mcpServers", "oldhand"];
const MEMORY: Piece = text(&[Both("skills/oldhand-memory/SKILL.md")], SKILL_MEMORY);
const SAVE: Piece = text(&[Both("skills/oldhand-save/SKILL.md")], SKILL_SAVE);

pub(super) const HOSTS: &[Host] = &[
    Host {
        name: "claude-code",
        title: "Claude Code",
        programs: &["claude"],
        folder: Folder::Home(".claude"),
        project_folder: ".claude",
        moved_by: Some(Moved { variable: "CLAUDE_CONFIG_DIR", below: "" }),
        pieces: &[
            hooks(&[Both("settings.json")], &CLAUDE_CODE),
            MEMORY,
            SAVE,
            text(&[Both("agents/memory-drafter.md")], DRAFTER),
            Piece { at: &[Own("settings.json")], form: Form::ClaudePlugin },
            server(
                &[HomeUnlessMoved(".claude.json"), Project(".mcp.json")],
                MCP_SERVERS,
                stdio_server,
            ),
        ],
        after: "restart open sessions to pick it up; `/hooks` lists the hooks",
    },
    Host {
        name: "codex",
        title: "Codex",
        programs: &["codex"],
        folder: Folder::Home(".codex"),
        project_folder: ".codex",
        moved_by: Some(Moved { variable: "CODEX_HOME", below: "" }),
        pieces: &[
            hooks(&[Both("hooks.json")], &CODEX),
            MEMORY,
            SAVE,
            Piece { at: &[Both("config.toml")], form: Form::TomlServer },
        ],
        after: "Codex runs a new hook only once you trust it: type `/hooks` in Codex",
    },
    Host {
        name: "gemini",
        title: "Gemini CLI",
        programs: &["gemini"],
        folder: Folder::Home(".gemini"),
        project_folder: ".gemini",
        moved_by: Some(Moved { variable: "GEMINI_CLI_HOME", below: ".gemini" }),
        pieces: &[
            hooks(&[Both("settings.json")], &GEMINI),
            MEMORY,
            SAVE,
            server(&[Both("settings.json")], MCP_SERVERS, plain_server),
        ],
        after: "restart open sessions to pick it up",
    },
    Host {
        name: "cursor",
        title: "Cursor",
        programs: &["cursor", "cursor-agent"],
        folder: Folder::Home(".cursor"),
        project_folder: ".cursor",
        moved_by: None,
        pieces: &[
            hooks(&[Both("hooks.json")], &CURSOR),
            MEMORY,
            SAVE,
            server(&[Both("mcp.json")], MCP_SERVERS, plain_server),
        ],
        after: "where Cursor also loads Claude Code's hooks, switch that off or oldhand answers twice",
    },
    Host {
        name: "copilot",
        title: "GitHub Copilot CLI",
        programs: &["copilot"],
        folder: Folder::Home(".copilot"),
        project_folder: ".github",
        moved_by: Some(Moved { variable: "COPILOT_HOME", below: "" }),
        pieces: &[
            hooks(&[Both("hooks/oldhand.json")], &COPILOT),
            MEMORY,
            SAVE,
            server(
                &[Own("mcp-config.json"), Project(".github/mcp.json")],
                MCP_SERVERS,
                copilot_server,
            ),
        ],
        after: "restart open sessions to pick it up",
    },
    Host {
        name: "opencode",
        title: "OpenCode",
        programs: &["opencode"],
        folder: Folder::Config("opencode"),
        project_folder: ".opencode",
        moved_by: Some(Moved { variable: "OPENCODE_CONFIG_DIR", below: "" }),
        pieces: &[
            text(&[Both("plugins/oldhand.ts")], OPENCODE_SHIM),
            MEMORY,
            SAVE,
            server(
                &[
                    Own("opencode.json"),
                    Own("opencode.jsonc"),
                    Project("opencode.json"),
                    Project("opencode.jsonc"),
                ],
                &["mcp", "oldhand"],
                opencode_server,
            ),
        ],
        after: "restart open sessions to pick it up",
    },
    Host {
        name: "windsurf",
        title: "Windsurf",
        programs: &["windsurf"],
        folder: Folder::Home(".codeium/windsurf"),
        project_folder: ".windsurf",
        moved_by: None,
        pieces: &[MEMORY, server(&[Own("mcp_config.json")], MCP_SERVERS, plain_server)],
        after: "Windsurf's hooks can't hand over text: the skill teaches the commands instead",
    },
    Host {
        name: "zed",
        title: "Zed",
        programs: &["zed", "zeditor"],
        folder: Folder::Config("zed"),
        project_folder: ".zed",
        moved_by: None,
        pieces: &[server(&[Both("settings.json")], &["context_servers", "oldhand"], plain_server)],
        after: "Zed has no hooks: its agent asks the server",
    },
    Host {
        name: "cline",
        title: "Cline",
        programs: &["cline"],
        folder: Folder::Home(".cline"),
        project_folder: ".cline",
        moved_by: None,
        pieces: &[
            MEMORY,
            server(
                &[Config(
                    "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
                )],
                MCP_SERVERS,
                plain_server,
            ),
        ],
        after: "skills have to be switched on in Cline's settings",
    },
];
