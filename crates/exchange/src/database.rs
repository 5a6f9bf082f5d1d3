//! Which databases of other tools are read, and what to do where they cannot be. Somebody else reads them.

/// How every database file of SQLite begins.
pub const MAGIC: &[u8] = b"SQLite format 3\0";

/// The tables that the formats ask for; no other is read.
pub const TABLES: &[&str] = &[
    "beliefs",
    "concept_links",
    "concepts",
    "facts",
    "feedback",
    "history",
    "memoirs",
    "memories",
    "memory_graph",
    "memory_items",
    "observations",
    "sdk_sessions",
    "session_summaries",
    "sessions",
    "user_prompts",
];

/// By the usual name of the file: the JSON that the tool itself writes of it.
const EXPORTS: &[(&str, &str)] = &[
    ("claude-mem.db", "`npx tsx scripts/export-memories.ts` of claude-mem"),
    ("engram.db", "`engram export`"),
    ("history.db", "`get_all` of mem0"),
    ("sqlite_vec.db", "the export script of mcp-memory-service"),
];

/// What to do about a database with a program that was built without SQLite.
pub fn advice_without_reader(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let typed = oldhand_text::strings::typed(path);
    match EXPORTS.iter().find(|(known, _)| *known == name) {
        Some((_, export)) => {
            format!("this oldhand was built without SQLite; import what {export} writes")
        }
        None => format!(
            "this oldhand was built without SQLite; import what `sqlite3 -readonly -json {typed} 'SELECT * FROM \
             memories'` writes"
        ),
    }
}
