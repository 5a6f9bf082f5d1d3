//! Vectors for memories that have none: a few on
//! the way of a recall, all of them on `reindex`.

use std::collections::HashMap;
use std::time::Duration;

use crate::failure::Failure;
use crate::port::Stored;
use oldhand_core::event::{Event, EventType};
use oldhand_core::memory::CANDIDATES_FOLDER;
use oldhand_core::signals::Signals;
use oldhand_index::{Builder, Damage, Stamp};

use crate::document::Made;

use super::heal::row_at;
use super::{Embedder, FillPolicy, LocalIndex, Shelf};

pub(super) fn by_memory(events: Vec<Event>) -> HashMap<String, Vec<Event>> {
    let mut by: HashMap<String, Vec<Event>> = HashMap::new();
    for event in events {
        by.entry(event.memory.clone()).or_default().push(event);
    }
    by
}

/// An event that moves trust.
pub(super) fn is_use(event: &Event) -> bool {
    matches!(event.event_type, EventType::Applied | EventType::Reviewed | EventType::Moved)
}

impl Shelf<'_> {
    pub(super) fn make(&self, stored: &Stored, stamp: Stamp, signals: &Signals) -> Made {
        Made::of(stored, self.vault.kinds, stamp, signals)
    }
}

/// Memories embedded before they are written: an interrupted `reindex` loses no more than this.
const BATCH: usize = 256;

impl LocalIndex<'_> {
    /// Everything that has no vectors yet; `progress` hears how many of how many are done, and says
    /// whether to go on.
    pub(super) fn embed_all(
        &self,
        with_waiting: bool,
        progress: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<usize, Failure> {
        let Some(embedder) = self.opening.embedder else { return Ok(0) };
        let mut shelves = self.shelves.borrow_mut();
        let missing =
            shelves.iter().map(|shelf| shelf.unembedded(with_waiting).unwrap_or_default());
        let missing: Vec<Vec<String>> = missing.collect();
        let total = missing.iter().map(Vec::len).sum();
        let mut done = 0;
        for (shelf, paths) in shelves.iter_mut().zip(&missing) {
            for batch in paths.chunks(BATCH) {
                // Damage here means that the next command rebuilds the index.
                let is_filled = shelf.fill(batch, embedder, &mut FillPolicy::ALL.clone()).is_ok();
                done += if is_filled { batch.len() } else { 0 };
                if !is_filled || !progress(done, total) {
                    return Ok(done);
                }
            }
        }
        Ok(done)
    }
}

impl Shelf<'_> {
    /// The files of live documents without vectors. What waits is not served, so it needs them only
    /// where somebody asks for it.
    pub(super) fn unembedded(&self, with_waiting: bool) -> Result<Vec<String>, Damage> {
        let mut paths: Vec<String> = Vec::new();
        for (segment, entry) in self.parts() {
            for at in segment.unembedded()?.into_iter().filter(|at| entry.is_live(*at)) {
                paths.push(segment.path(at)?);
            }
        }
        paths.retain(|path| with_waiting || !path.starts_with(CANDIDATES_FOLDER));
        Ok(paths)
    }

    /// Replaces the documents of these files by ones with vectors, as far as `rest` pays for them. How many it were.
    pub(super) fn fill(
        &mut self,
        paths: &[String],
        embedder: &dyn Embedder,
        rest: &mut FillPolicy,
    ) -> Result<usize, Damage> {
        let mut made: Vec<Made> = Vec::new();
        // Before the files are read: one that changes meanwhile does not fit its stamp later.
        let stamps: Vec<_> = paths.iter().map(|path| self.stamp(path)).collect();
        for (read, stamp) in self.vault.read_all(paths).into_iter().zip(stamps) {
            let (Some(Ok(stored)), Some(stamp)) = (read, stamp) else { continue };
            let Some(old) = self.known_of(&stored.path, row_at)? else { continue };
            let evidence = u32::try_from(stored.memory.evidence.len()).unwrap_or(u32::MAX);
            let mut signals = Signals::start(evidence, stored.memory.origin, self.opening.trust);
            old.signals(&mut signals);
            let one = self.make(&stored, stamp, &signals);
            if !rest.pay(&one.passages, embedder) {
                break;
            }
            made.push(one);
        }
        embed_all(&mut made, embedder);
        if made.is_empty() {
            return Ok(0);
        }
        let count = made.len();
        let mut builder = Builder::new(self.key());
        self.bury(&made.iter().map(|one| &one.document.path).collect::<Vec<_>>())?;
        made.into_iter().for_each(|one| builder.add(one.document));
        self.append(builder.finish())?;
        self.merge_alike()?;
        self.keep();
        Ok(count)
    }
}

impl FillPolicy {
    /// Whether there is enough left for this one, which is then taken off.
    fn pay(&mut self, passages: &[String], embedder: &dyn Embedder) -> bool {
        if self.time == Duration::MAX {
            return true;
        }
        let cost = passages.iter().map(|passage| embedder.cost(passage)).sum::<Duration>();
        let is_paid = self.least > 0 || cost <= self.time;
        self.time = self.time.saturating_sub(cost);
        self.least = self.least.saturating_sub(1);
        is_paid
    }
}

/// By as many threads as there are cores: this is the only heavy work there is.
fn embed_all(made: &mut [Made], embedder: &dyn Embedder) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(made.len()).max(1);
    let share = made.len().div_ceil(threads * 4).max(1);
    let queue = std::sync::Mutex::new(made.chunks_mut(share));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().map(|mut chunks| chunks.next());
                    let Ok(Some(chunk)) = next else { break };
                    chunk.iter_mut().for_each(|made| {
                        let passages = made.passages.iter();
                        let vectors = passages.map(|passage| embedder.embed(passage)).collect();
                        made.document.vectors = Some(vectors);
                    });
                }
            });
        }
    });
}

#[cfg(test)]
mod tests;
