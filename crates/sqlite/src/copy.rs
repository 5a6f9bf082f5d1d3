//! A private copy of a database that somebody else may be writing.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::SqliteError;

const TRIES_MAX: usize = 3;
const JOURNAL_MAGIC: &[u8] = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";

/// It is gone when this is dropped.
pub(crate) struct Copy {
    pub(crate) path: PathBuf,
    _folder: tempfile::TempDir,
}

/// The database with its write-ahead log, as both were at one moment. A rollback journal is never taken
/// along: SQLite deletes files that a journal names.
pub(crate) fn make(path: &Path, bytes_max: u64) -> Result<Copy, SqliteError> {
    let log = beside(path, "-wal");
    for _ in 0..TRIES_MAX {
        let before = (look(path)?, look(&log)?);
        let Some(file) = &before.0 else {
            return Err(io::Error::from(io::ErrorKind::NotFound).into());
        };
        if file.bytes + before.1.as_ref().map_or(0, |log| log.bytes) > bytes_max {
            return Err(SqliteError::FileTooLarge);
        }
        if !file.head.starts_with(oldhand_exchange::database::MAGIC) {
            return Err(SqliteError::NotADatabase);
        }
        if look(&beside(path, "-journal"))?.is_some_and(|it| it.head.starts_with(JOURNAL_MAGIC)) {
            return Err(SqliteError::Unfinished);
        }
        let folder = tempfile::Builder::new().prefix("oldhand-import-").tempdir()?;
        let copy = folder.path().join("copy.db");
        copy_bytes(path, &copy, bytes_max)?;
        if before.1.is_some() {
            copy_bytes(&log, &beside(&copy, "-wal"), bytes_max)?;
        }
        // A checkpoint in between would leave a log that does not belong to the file.
        if before == (look(path)?, look(&log)?) {
            return Ok(Copy { path: copy, _folder: folder });
        }
    }
    Err(SqliteError::Busy)
}

fn copy_bytes(from: &Path, to: &Path, bytes_max: u64) -> io::Result<()> {
    io::copy(&mut File::open(from)?.take(bytes_max), &mut File::create_new(to)?).map(drop)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// What tells that a file has changed. The head of a log changes when it begins anew.
#[derive(PartialEq, Eq)]
struct Looks {
    bytes: u64,
    modified: SystemTime,
    head: Vec<u8>,
}

/// `None` if there is no plain file: links are not followed.
fn look(path: &Path) -> io::Result<Option<Looks>> {
    let about = match fs::symlink_metadata(path) {
        Ok(about) if about.is_file() => about,
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut head = Vec::new();
    File::open(path)?.take(32).read_to_end(&mut head)?;
    Ok(Some(Looks { bytes: about.len(), modified: about.modified()?, head }))
}
