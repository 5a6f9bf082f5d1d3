//! What a session is told about the architecture map: whether it lags behind the tree. Looking at
//! the tree is a chore; what was found waits beside the receipts for the next beginning.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use oldhand_app::Engine;
use oldhand_core::kind::Kind;
use oldhand_core::policy::SEEN_WAIT;
use oldhand_sessions::architecture::drift_line;
use oldhand_store::layout::Layout;
use oldhand_text::time::{days_between, format_instant, parse_instant};
use serde::{Deserialize, Serialize};

use crate::failure::Fail;

/// What the last look found, and what it was a look at.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Note {
    at: String,
    /// The last commit then.
    head: Option<String>,
    /// The maps then.
    maps: String,
    line: Option<String>,
}

/// The name by which people know a repository.
pub(crate) fn repository_name(layout: &Layout) -> String {
    let root = &layout.repository;
    let root = std::fs::canonicalize(root).unwrap_or_else(|_| root.clone());
    root.file_name().map_or_else(|| "this repository".to_owned(), |it| it.to_string_lossy().into())
}

/// R56: compares the map with the tree once a day, after a commit, and after a change of the map.
pub(crate) fn note_drift(engine: &Engine<'_>, folder: &Path, repository: &str) -> Result<(), Fail> {
    if !engine.settings.kinds.spec(&Kind::Architecture).enabled {
        return Ok(());
    }
    let maps = engine.maps_mark()?;
    let known = read(folder);
    if maps.is_empty() {
        forget_drift(folder);
        return Ok(());
    }
    let head = engine.code.history().and_then(|history| history.look(&[], SEEN_WAIT).head);
    let is_young =
        |note: &Note| parse_instant(&note.at).is_some_and(|at| days_between(at, engine.now) < 1);
    if known.is_some_and(|note| note.head == head && note.maps == maps && is_young(&note)) {
        return Ok(());
    }
    let standing = engine.architecture(repository, &engine.tree())?;
    let line = drift_line(&standing.drift);
    let note = Note { at: format_instant(engine.now), head, maps, line };
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let text = serde_json::to_vec(&note).map_err(std::io::Error::from)?;
    // A note that is torn is no note: it is made again.
    std::fs::write(path(folder), text)?;
    Ok(())
}

/// What the next session is told; nothing about a map that has changed since.
pub(crate) fn drift(engine: &Engine<'_>, folder: &Path) -> Option<String> {
    let note = read(folder)?;
    let line = note.line?;
    engine.maps_mark().is_ok_and(|maps| maps == note.maps).then_some(line)
}

/// Best effort: a note about what was there before is not believed anyway.
pub(crate) fn forget_drift(folder: &Path) {
    let _ = std::fs::remove_file(path(folder));
}

fn path(folder: &Path) -> PathBuf {
    folder.join("architecture.json")
}

/// A few lines; anything longer was not written here.
const NOTE_BYTES_MAX: u64 = 64 * 1024;

fn read(folder: &Path) -> Option<Note> {
    let path = path(folder);
    let meta = std::fs::symlink_metadata(&path).ok()?;
    if !meta.is_file() || meta.len() > NOTE_BYTES_MAX {
        return None;
    }
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}
