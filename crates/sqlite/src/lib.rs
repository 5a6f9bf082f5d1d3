//! Reads the tables of another tool's SQLite database, and knows nothing of what they mean. The tool may be
//! running: its files are only copied, and the copy is opened, because even a reader of a live database
//! writes beside it. Nothing in a database is trusted: no views, triggers or extensions, only plain tables
//! with known names.

mod copy;

use std::io;
use std::path::Path;

use oldhand_exchange::database;
use oldhand_exchange::files::Table;
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use serde_json::Value;

const FILE_BYTES_MAX: u64 = 2 << 30;
const ROWS_MAX: usize = 200_000;
/// Of all values that are read from one database.
const TOTAL_BYTES_MAX: usize = 256 << 20;
/// A longer text is cut one character above it, so that whoever reads the record sees that it is too large.
const VALUE_CHARS_MAX: usize = 1 << 20;
/// Older ones corrupt a database with several writers.
const SQLITE_VERSION_MIN: i32 = 3_051_003;

#[derive(Debug, thiserror::Error)]
pub enum SqliteError {
    #[error("could not read the database: {0}")]
    Io(#[from] io::Error),
    #[error("not a SQLite database")]
    NotADatabase,
    #[error("the database is larger than 2 GiB")]
    FileTooLarge,
    #[error("the table holds more than an import reads: `{0}`")]
    TableTooLarge(String),
    #[error("the database is being written; try again when its program is idle")]
    Busy,
    #[error(
        "an interrupted write waits beside the database; start its program once, then try again"
    )]
    Unfinished,
    #[error("the database is damaged: {0}")]
    Corrupt(String),
}

impl From<rusqlite::Error> for SqliteError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotADatabase,
            _ => Self::Corrupt(error.to_string()),
        }
    }
}

/// The tables that a format of ours knows, as far as this database has them, in the order of that list.
pub fn read(path: &Path) -> Result<Vec<Table>, SqliteError> {
    assert!(
        rusqlite::version_number() >= SQLITE_VERSION_MIN,
        "SQLite is bundled, and of this version"
    );
    let copy = copy::make(path, FILE_BYTES_MAX)?;
    let database = open(&copy.path)?;
    let mut left_bytes = TOTAL_BYTES_MAX;
    let mut tables = Vec::new();
    for name in database::TABLES {
        let columns = columns(&database, name)?;
        if !columns.is_empty() {
            tables.push(table(&database, name, columns, &mut left_bytes)?);
        }
    }
    Ok(tables)
}

/// The copy is ours, and a log beside it can only be read by a connection that may write.
fn open(copy: &Path) -> Result<Connection, SqliteError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(copy, flags)?;
    for (setting, is_on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        database.set_db_config(setting, is_on)?;
    }
    database.execute_batch(
        "PRAGMA trusted_schema = off; PRAGMA cell_size_check = on; PRAGMA mmap_size = 0; PRAGMA query_only = on;",
    )?;
    Ok(database)
}

/// The columns of a plain table; none of a view, a virtual table, or one that is not there.
fn columns(database: &Connection, table: &str) -> Result<Vec<String>, SqliteError> {
    let is_plain: bool = database.query_row(
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema
         WHERE type = 'table' AND name = ?1 AND sql NOT LIKE 'create virtual%')",
        [table],
        |row| row.get(0),
    )?;
    if !is_plain {
        return Ok(Vec::new());
    }
    let mut names = database.prepare("SELECT name FROM pragma_table_info(?1)")?;
    let names = names.query_map([table], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

fn table(
    database: &Connection,
    name: &str,
    columns: Vec<String>,
    left_bytes: &mut usize,
) -> Result<Table, SqliteError> {
    let mut statement = database.prepare(&select(name, &columns))?;
    let mut found = statement.query([])?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let mut values = Vec::with_capacity(columns.len());
        for at in 0..columns.len() {
            let value = row.get_ref(at)?;
            let bytes = size_of::<Value>() + value.as_bytes().map_or(0, <[u8]>::len);
            *left_bytes = left_bytes
                .checked_sub(bytes)
                .ok_or_else(|| SqliteError::TableTooLarge(name.to_owned()))?;
            values.push(json(value));
        }
        rows.push(values);
        if rows.len() > ROWS_MAX {
            return Err(SqliteError::TableTooLarge(name.to_owned()));
        }
    }
    Ok(Table { name: name.to_owned(), columns, rows })
}

/// Blobs are vectors: SQLite does not even load them.
fn select(table: &str, columns: &[String]) -> String {
    let bound = |column: &String| {
        let column = quoted(column);
        format!(
            "CASE typeof({column}) WHEN 'blob' THEN NULL
             WHEN 'text' THEN substr({column}, 1, {VALUE_CHARS_MAX} + 1) ELSE {column} END"
        )
    };
    let columns: Vec<String> = columns.iter().map(bound).collect();
    format!("SELECT {} FROM {}", columns.join(", "), quoted(table))
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null | ValueRef::Blob(_) => Value::Null,
        ValueRef::Integer(number) => number.into(),
        // Not a number and infinity are null in JSON.
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned().into(),
    }
}
