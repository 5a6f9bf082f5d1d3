//! Databases as tools leave them: idle, in the middle of their work, damaged, and none at all.

use std::fs;
use std::path::{Path, PathBuf};

use oldhand_exchange::files::Table;
use oldhand_sqlite::{SqliteError, read};
use rusqlite::Connection;
use serde_json::{Value, json};

fn sample(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/imports").join(path)
}

fn values(tables: &[Table], table: &str, column: &str) -> Vec<Value> {
    let table = tables.iter().find(|known| known.name == table).expect(table);
    let at = table.columns.iter().position(|name| name == column).expect(column);
    table.rows.iter().map(|row| row[at].clone()).collect()
}

#[track_caller]
fn check(path: &str, want: &[(&str, usize)]) {
    let tables = read(&sample(path)).expect(path);
    let found: Vec<(&str, usize)> =
        tables.iter().map(|table| (table.name.as_str(), table.rows.len())).collect();
    assert_eq!(found, want, "{path}");
}

#[test]
fn known_tables_are_read() {
    check(
        "claude-mem/claude-mem.db",
        &[("observations", 5), ("sdk_sessions", 2), ("session_summaries", 1), ("user_prompts", 1)],
    );
    check("mem0/history.db", &[("history", 4)]);
    check("mcp-memory-service/sqlite_vec.db", &[("memories", 5), ("memory_graph", 2)]);
    check(
        "icm/memories.db",
        &[
            ("concept_links", 0),
            ("concepts", 1),
            ("facts", 2),
            ("feedback", 1),
            ("memoirs", 1),
            ("memories", 4),
        ],
    );
}

/// A database whose program is running: what it wrote last is only in the log.
#[test]
fn a_live_log_is_read_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    let live = Connection::open(&path).unwrap();
    live.pragma_update(None, "journal_mode", "wal").unwrap();
    live.execute_batch(
        "PRAGMA wal_autocheckpoint = 0; CREATE TABLE history (memory_id TEXT, new_memory TEXT, vector BLOB);
         INSERT INTO history VALUES ('h-1', 'still in the log', x'00ff');",
    )
    .unwrap();
    let listed = |folder: &Path| {
        let mut all: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        all.sort();
        all
    };
    let before = listed(folder.path());
    assert_eq!(before.len(), 3, "the file, its log and the log's index");

    let tables = read(&path).unwrap();
    assert_eq!(values(&tables, "history", "new_memory"), [json!("still in the log")]);
    assert_eq!(values(&tables, "history", "vector"), [Value::Null]);
    assert!(listed(folder.path()) == before, "a source is never changed");
}

#[test]
fn only_plain_tables_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memories.db");
    let made = Connection::open(&path).unwrap();
    made.execute_batch(
        "CREATE TABLE secret (text TEXT); INSERT INTO secret VALUES ('not ours');
         CREATE VIEW memories AS SELECT text FROM secret;
         CREATE TABLE facts (\"od\"\"d\" TEXT, twice AS (\"od\"\"d\" || \"od\"\"d\"));
         INSERT INTO facts VALUES ('x');",
    )
    .unwrap();
    drop(made);
    let tables = read(&path).unwrap();
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0].columns, ["od\"d"], "a computed column is code of the database");
    assert_eq!(values(&tables, "facts", "od\"d"), [json!("x")]);
}

#[test]
fn a_long_text_is_cut_where_its_reader_notices() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    let made = Connection::open(&path).unwrap();
    made.execute_batch("CREATE TABLE history (new_memory TEXT)").unwrap();
    made.execute("INSERT INTO history VALUES (?1)", ["é".repeat(2 << 20)]).unwrap();
    drop(made);
    let tables = read(&path).unwrap();
    let text = values(&tables, "history", "new_memory")[0].as_str().unwrap().chars().count();
    assert_eq!(text, (1 << 20) + 1);
}

#[test]
fn what_cannot_be_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    assert!(matches!(read(&path), Err(SqliteError::Io(_))), "no such file");

    fs::write(&path, "plain text, as long as a header has to be, and then some more of it")
        .unwrap();
    assert!(matches!(read(&path), Err(SqliteError::NotADatabase)));

    let whole = fs::read(sample("claude-mem/claude-mem.db")).unwrap();
    fs::write(&path, &whole[..whole.len() / 3]).unwrap();
    assert!(matches!(read(&path), Err(SqliteError::Corrupt(_))), "{:?}", read(&path));

    fs::write(&path, &whole).unwrap();
    fs::write(folder.path().join("x.db-journal"), b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7 and so on")
        .unwrap();
    assert!(matches!(read(&path), Err(SqliteError::Unfinished)));

    fs::write(folder.path().join("x.db-journal"), [0; 512]).unwrap();
    assert!(read(&path).is_ok(), "a journal that is done");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("link.db");
    std::os::unix::fs::symlink(sample("mem0/history.db"), &path).unwrap();
    assert!(matches!(read(&path), Err(SqliteError::Io(_))));
}

/// Every byte of a database may be wrong: it is read or refused, and nothing else happens.
#[test]
fn damaged_bytes_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let whole = fs::read(sample("mem0/history.db")).unwrap();
    let mut refused = 0;
    for at in (16..whole.len()).step_by(37) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0xff;
        fs::write(&path, bytes).unwrap();
        refused += usize::from(read(&path).is_err());
    }
    assert!(refused > 0);
}
