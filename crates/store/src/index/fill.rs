//! Giving vectors to memories that have none: a few on the way of a recall, all of them on
//! `reindex`.

use std::collections::BTreeSet;

use crate::failure::Failure;
use oldhand_core::signals::Signals;
use oldhand_index::{Builder, Damage, Stamp};

use super::build::Made;
use super::check::stamp_of;
use super::heal::row_at;
use super::{Embedder, LocalIndex, Shelf};

/// Memories embedded before they are written: an interrupted `reindex` loses no more than this.
const BATCH: usize = 256;

impl LocalIndex<'_> {
    /// Everything that has no vectors yet; `progress` hears how many of how many are done, and says
    /// whether to go on.
    pub fn fill_all(
        &self,
        progress: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<usize, Failure> {
        let Some(embedder) = self.embedder else { return Ok(0) };
        let mut shelves = self.shelves.borrow_mut();
        let mut missing: Vec<Vec<String>> = Vec::new();
        for shelf in shelves.iter() {
            missing.push(shelf.unembedded().unwrap_or_default());
        }
        let total = missing.iter().map(Vec::len).sum();
        let mut done = 0;
        for (shelf, paths) in shelves.iter_mut().zip(&missing) {
            for batch in paths.chunks(BATCH) {
                // Damage here means that the next command makes the index anew.
                if shelf.fill(batch, embedder).is_err() {
                    return Ok(done);
                }
                done += batch.len();
                if !progress(done, total) {
                    return Ok(done);
                }
            }
        }
        Ok(done)
    }
}

impl Shelf<'_> {
    /// The files of live documents without vectors.
    pub(super) fn unembedded(&self) -> Result<Vec<String>, Damage> {
        let mut paths = Vec::new();
        for (segment, entry) in self.segments.iter().zip(&self.head.segments) {
            for at in segment.unembedded()? {
                if entry.dead.binary_search(&at).is_err() {
                    paths.push(segment.path(at)?);
                }
            }
        }
        Ok(paths)
    }

    /// Replaces the documents of these files by ones with vectors.
    pub(super) fn fill(&mut self, paths: &[String], embedder: &dyn Embedder) -> Result<(), Damage> {
        let refs: Vec<&String> = paths.iter().collect();
        let mut made: Vec<Made> = Vec::new();
        // Before the files are read: one that changes meanwhile does not fit its stamp later.
        let stamps: Vec<Option<Stamp>> =
            paths.iter().map(|path| stamp_of(&self.vault.layout().file(path))).collect();
        for ((path, read), stamp) in self.vault.read_many(&refs).into_iter().zip(stamps) {
            let (Some(Ok(stored)), Some(stamp)) = (read, stamp) else { continue };
            let Some(old) = self.known_of(&path, row_at)? else { continue };
            let evidence = u32::try_from(stored.memory.evidence.len()).unwrap_or(u32::MAX);
            let origin = stored.memory.origin;
            let mut signals = Signals::start(evidence, origin, self.trust);
            old.signals(&mut signals);
            made.push(self.make(&stored, stamp, &signals));
        }
        embed_all(&mut made, embedder);
        let replaced: BTreeSet<String> = made.iter().map(|one| one.path.clone()).collect();
        let mut builder = Builder::new(self.key());
        for one in &made {
            builder.add(&one.document());
        }
        self.bury(&replaced.iter().collect::<Vec<_>>())?;
        if !made.is_empty() {
            self.append(builder.finish())?;
            self.merge_alike()?;
            self.keep();
        }
        Ok(())
    }
}

/// By as many threads as there are cores: this is the only heavy work there is.
fn embed_all(made: &mut [Made], embedder: &dyn Embedder) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(made.len()).max(1);
    if threads == 1 {
        made.iter_mut().for_each(|one| one.embed(embedder));
        return;
    }
    let share = made.len().div_ceil(threads * 4).max(1);
    let queue = std::sync::Mutex::new(made.chunks_mut(share));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().map(|mut chunks| chunks.next());
                    let Ok(Some(chunk)) = next else { break };
                    chunk.iter_mut().for_each(|one| one.embed(embedder));
                }
            });
        }
    });
}
