//! What a session is told about the architecture map: whether it lags behind the tree. Looking at
//! the tree is a chore; what was found waits beside the receipts for the next beginning.

use oldhand_app::Engine;
use oldhand_app::sessions::Sessions;
use oldhand_core::kind::Kind;
use oldhand_core::policy::SEEN_WAIT;
use oldhand_sessions::architecture::drift_line;
use oldhand_store::layout::Layout;
use oldhand_store::port::session::{DriftNote, SessionStore};
use oldhand_text::time::{days_between, format_instant, parse_instant};

use crate::failure::Fail;

pub fn repository_name(layout: &Layout) -> String {
    let root = &layout.repository;
    let root = std::fs::canonicalize(root).unwrap_or_else(|_| root.clone());
    root.file_name().map_or_else(|| "this repository".to_owned(), |it| it.to_string_lossy().into())
}

/// R56: compares the map with the tree once a day, after a commit, and after a change of the map.
pub fn note_drift(
    engine: &Engine<'_>,
    sessions: &dyn SessionStore,
    repository: &str,
) -> Result<(), Fail> {
    if !engine.settings.kinds.spec(&Kind::Architecture).enabled {
        return Ok(());
    }
    let maps = engine.sessions().maps_mark()?;
    let known = sessions.record()?.drift;
    if maps.is_empty() {
        sessions.update_record(|record| record.drift = None)?;
        return Ok(());
    }
    let head = engine.code.history().and_then(|history| history.snapshot(&[], SEEN_WAIT).head);
    let is_young = |note: &DriftNote| {
        parse_instant(&note.at).is_some_and(|at| days_between(at, engine.now) < 1)
    };
    if known.is_some_and(|note| note.head == head && note.maps == maps && is_young(&note)) {
        return Ok(());
    }
    let standing = engine.sessions().architecture(repository, &engine.sessions().tree())?;
    let line = drift_line(&standing.drift);
    let note = DriftNote { at: format_instant(engine.now), head, maps, line };
    sessions.update_record(|record| record.drift = Some(note))?;
    Ok(())
}

/// What the next session is told; nothing about a map that has changed since.
pub fn drift(engine: &Engine<'_>, note: DriftNote) -> Option<String> {
    let line = note.line?;
    engine.sessions().maps_mark().is_ok_and(|maps| maps == note.maps).then_some(line)
}
