//! The bundles for hosts: hooks, skills, commands, agents. Their texts are in the repository's
//! `plugin` folder; each kind of bundle takes what its host supports.

use serde_json::{Value, json};

use crate::parts::{DRAFTER, SKILL_MEMORY, SKILL_SAVE};
use crate::table::{self, Form, plain_server, stdio_server};

const COMMANDS: &[(&str, &str)] = &[
    ("recall", include_str!("../../../plugin/commands/recall.md")),
    ("remember", include_str!("../../../plugin/commands/remember.md")),
    ("review", include_str!("../../../plugin/commands/review.md")),
    ("status", include_str!("../../../plugin/commands/status.md")),
];

const NAME: &str = "oldhand";
const DESCRIPTION: &str = "The memory of coding agents: decisions, constraints, runbooks and \
    lessons of a repository, recalled when they matter";
const LICENSE: &str = "MIT OR Apache-2.0";
const KEYWORDS: &[&str] = &["memory", "decisions", "context"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bundle {
    ClaudeCode,
    /// The portable form, Agent Plugins 1.0.0.
    AgentPlugin,
    Gemini,
    Codex,
}

/// The files of a bundle, sorted by path.
pub fn bundle(kind: Bundle, version: &str, with_mcp: bool) -> Vec<(String, String)> {
    let mut files = vec![
        file("skills/oldhand-memory/SKILL.md", SKILL_MEMORY.text),
        file("skills/oldhand-save/SKILL.md", SKILL_SAVE.text),
    ];
    let servers = json_file(".mcp.json", &json!({"mcpServers": {NAME: plain_server()}}));
    match kind {
        Bundle::ClaudeCode => {
            files.push(json_file(".claude-plugin/plugin.json", &about(version)));
            files.push(json_file(".claude-plugin/marketplace.json", &marketplace()));
            files.push(hooks_file("claude-code"));
            files.push(file("agents/memory-drafter.md", DRAFTER.text));
            for (name, text) in COMMANDS {
                files.push(file(&format!("commands/{name}.md"), text));
            }
            files.extend(with_mcp.then_some(servers));
        }
        Bundle::AgentPlugin => {
            files.push(json_file("plugin.json", &portable(version)));
            files.extend(with_mcp.then(|| json_file("mcp.json", &portable_servers())));
        }
        Bundle::Gemini => {
            files.push(json_file("gemini-extension.json", &extension(version, with_mcp)));
            files.push(hooks_file("gemini"));
            for (name, text) in COMMANDS {
                files.push(file(&format!("commands/{NAME}/{name}.toml"), &toml_command(text)));
            }
        }
        Bundle::Codex => {
            files.push(json_file(".codex-plugin/plugin.json", &codex(version, with_mcp)));
            files.push(json_file(".agents/plugins/marketplace.json", &codex_marketplace()));
            files.push(hooks_file("codex"));
            files.extend(with_mcp.then_some(servers));
        }
    }
    files.sort();
    files
}

fn file(path: &str, text: &str) -> (String, String) {
    (path.to_owned(), text.to_owned())
}

fn json_file(path: &str, value: &Value) -> (String, String) {
    (path.to_owned(), format!("{value:#}\n"))
}

/// The same hooks as in the host's own settings.
fn hooks_file(host: &str) -> (String, String) {
    let pieces = table::find(host).map_or(&[][..], |host| host.pieces);
    let set = pieces.iter().find_map(|piece| match &piece.form {
        Form::Hooks(set) => Some(set),
        _ => None,
    });
    json_file("hooks/hooks.json", &json!({"hooks": set.map(|set| set.all())}))
}

fn about(version: &str) -> Value {
    json!({"name": NAME, "version": version, "description": DESCRIPTION,
        "author": {"name": NAME}, "license": LICENSE, "keywords": KEYWORDS})
}

/// The folder is a marketplace with itself as the only plugin.
fn marketplace() -> Value {
    json!({"name": NAME, "owner": {"name": NAME},
        "description": "oldhand, from this machine",
        "plugins": [{"name": NAME, "source": "./", "description": DESCRIPTION}]})
}

fn portable(version: &str) -> Value {
    json!({"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
        "name": NAME, "version": version, "description": DESCRIPTION,
        "author": {"name": NAME}, "license": LICENSE, "keywords": KEYWORDS})
}

fn portable_servers() -> Value {
    json!({"$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
        "mcpServers": {NAME: stdio_server()}})
}

fn extension(version: &str, with_mcp: bool) -> Value {
    let mut whole = json!({"name": NAME, "version": version, "description": DESCRIPTION});
    if with_mcp {
        whole["mcpServers"] = json!({NAME: plain_server()});
    }
    whole
}

fn codex(version: &str, with_mcp: bool) -> Value {
    let mut whole = about(version);
    whole["skills"] = json!("./skills/");
    whole["hooks"] = json!("./hooks/hooks.json");
    if with_mcp {
        whole["mcpServers"] = json!("./.mcp.json");
    }
    whole
}

/// The same for Codex, which adds only what a marketplace names.
fn codex_marketplace() -> Value {
    json!({"name": NAME, "plugins": [{"name": NAME,
        "source": {"source": "local", "path": "./"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": "Productivity"}]})
}

/// Gemini's commands are TOML, and call what the user typed `{{args}}`.
fn toml_command(markdown: &str) -> String {
    let (head, body) = split_frontmatter(markdown);
    let description =
        head.lines().find_map(|line| line.strip_prefix("description: ")).unwrap_or_default();
    let prompt = body.trim().replace("$ARGUMENTS", "{{args}}");
    format!("description = {}\nprompt = '''\n{prompt}\n'''\n", toml_edit::Value::from(description))
}

/// The text between the lines of dashes, and the text after them.
fn split_frontmatter(markdown: &str) -> (&str, &str) {
    let parts = markdown.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    parts.unwrap_or(("", markdown))
}

#[cfg(test)]
mod tests;
