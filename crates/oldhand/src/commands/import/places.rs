//! Where other tools keep what they remember: what `import` looks at when nobody names a source.

use std::path::{Path, PathBuf};

use oldhand_desk::desk::Desk;
use oldhand_exchange::companion;

/// Files with these names, in any folder.
const NAMES: &str = "CLAUDE.md CLAUDE.local.md AGENTS.md GEMINI.md .cursorrules .windsurfrules \
    .clinerules .roorules DECISIONS.md DECISIONS_ARCHIVE.md prompt-budget.yml .adr-dir \
    .log4brains.yml MEMORY.md SOUL.md USER.md claude-mem.db sqlite_vec.db memories.db engram.db \
    project-manifest.md copilot-instructions.md memory_summary.md";

/// Files below a folder of these names, wherever it is.
const FOLDERS: &[&str] = &[
    ".agent-memory",
    ".agent/rules",
    ".agent_memory",
    ".agents/memory",
    ".beads",
    ".claude/agent-memory",
    ".claude/agent-memory-local",
    ".claude/memory",
    ".claude/rules",
    ".clinerules",
    ".cursor/rules",
    ".devin/rules",
    ".geas",
    ".github/instructions",
    ".kiro/steering",
    ".roo",
    ".serena",
    ".windsurf/rules",
    "adr",
    "contexts/memory",
    "doc/adr",
    "docs/adr",
    "docs/adrs",
    "docs/decisions",
    "memory-bank",
];

/// Signs in the first bytes of a file that has no place of its own.
const SIGNS: &[(&str, &str)] = &[
    (".md", "\npermalink:"),
    (".md", "\nokf_version:"),
    (".md", "\ntimestamp:"),
    (".md", "\ngenerated:"),
    (".md", "\nscope:"),
    (".md", "# Palace Export"),
    (".jsonl", "\"entityType\""),
    (".jsonl", "\"relationType\""),
    (".json", "\"entityType\""),
    (".json", "\"core_memory\""),
    (".json", "\"export_metadata\""),
    (".json", "\"observations\""),
    (".json", "\"memory\""),
    (".af", "\"blocks\""),
    (".af", "\"core_memory\""),
];

/// Folders that hold no memories of this project, or those of others.
const PASSED: &str = ".git .oldhand node_modules target .venv venv __pycache__ .tox .next .gradle";

pub(super) fn is_passed(folder: &str) -> bool {
    oldhand_text::table::has(PASSED, folder)
}

pub(super) fn is_place(path: &str, more: &[String]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let slashed = format!("/{path}");
    let is_below = |folder: &str| slashed.contains(&format!("/{folder}/"));
    oldhand_text::table::has(NAMES, name)
        || name.starts_with(".roorules-")
        || path == "ARCHITECTURE.md"
        || export_of(path).is_some()
        || FOLDERS.iter().any(|folder| is_below(folder))
        || more.iter().any(|folder| is_below(folder))
        // The daily notes beside a `MEMORY.md`.
        || name.ends_with(".md") && is_below("memory")
}

/// What in the beginning of a file makes it worth reading.
pub(super) fn signs_of(path: &str) -> impl Iterator<Item = &'static str> {
    let is_near = path.ends_with(".md") || !path.contains('/');
    SIGNS.iter().filter(move |(ending, _)| is_near && path.ends_with(ending)).map(|it| it.1)
}

/// What the companion of an export of ours stands for: a folder, or the file beside it.
fn export_of(path: &str) -> Option<&str> {
    path.strip_suffix(companion::NAME).or_else(|| path.strip_suffix(companion::SUFFIX))
}

/// The folder of an index of memories holds them, and that of a companion an export.
pub(super) fn whole_folder(path: &str) -> Option<String> {
    if let Some(export) = export_of(path).filter(|it| !it.is_empty()) {
        return Some(export.to_owned());
    }
    let (folder, name) = path.rsplit_once('/')?;
    oldhand_text::table::has("MEMORY.md memory_summary.md SOUL.md", name)
        .then(|| format!("{folder}/"))
}

/// Notes of a knowledge base lie in one tree, and not all of them show the sign.
pub(super) fn whole_tree(path: &str, sign: &str) -> Option<String> {
    let (top, _) = path.split_once('/')?;
    matches!(sign, "\npermalink:" | "# Palace Export").then(|| format!("{top}/"))
}

/// The places below the user's home, and those that variables name.
pub(super) fn of_user(desk: &Desk<'_>, worktree: &Path) -> Vec<PathBuf> {
    let Some(home) = desk.env.var("HOME").map(PathBuf::from) else { return Vec::new() };
    let claude =
        desk.env.var("CLAUDE_CONFIG_DIR").map_or_else(|| home.join(".claude"), PathBuf::from);
    let mut places = vec![
        claude.join("CLAUDE.md"),
        claude.join("rules"),
        claude.join("projects").join(project_folder(worktree)).join("memory"),
    ];
    let below_home = [
        ".gemini/GEMINI.md",
        ".codex/memories",
        ".openclaw/workspace",
        ".serena/memories/global",
        ".kiro/steering",
        ".letta/agents",
    ];
    places.extend(below_home.iter().map(|below| home.join(below)));
    let mem = desk.env.var("CLAUDE_MEM_DATA_DIR").map(PathBuf::from);
    places.push(mem.unwrap_or_else(|| home.join(".claude-mem")).join("claude-mem.db"));
    let named = ["MEMORY_FILE_PATH", "MCP_MEMORY_SQLITE_PATH", "ICM_DB"];
    places.extend(named.iter().filter_map(|name| desk.env.var(name)).map(PathBuf::from));
    places.retain(|place| place.exists());
    places
}

/// Claude Code names the folder of a project by its path.
fn project_folder(worktree: &Path) -> String {
    let path = worktree.display().to_string();
    let folder: String =
        path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    folder
}
