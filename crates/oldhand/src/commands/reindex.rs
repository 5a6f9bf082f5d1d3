//! `oldhand reindex`: rebuilds the search index from the files and embeds everything.

use std::time::Instant;

use oldhand_store::port::index::Index;

use super::prelude::*;

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        reading.index.renew()?;
        let begun = Instant::now();
        let shows_progress = desk.shows_progress();
        let filled = reading.index.fill_all(&mut |done, total| {
            if shows_progress {
                let rate = done as f64 / begun.elapsed().as_secs_f64().max(0.001);
                io.progress(&format!("embedded {done} of {total}, {rate:.0} per second"));
            }
            true
        })?;
        if shows_progress && filled > 0 {
            io.progress("");
        }
        let (facts, notes) = (reading.index.facts()?, reading.index.notes());
        desk.print(io, "reindex", &wire::list::Reindexed::of(&facts, &notes), || {
            let memories = counted(facts.memories, "memory", "memories");
            format!("indexed {memories}, {} by meaning ({})\n", facts.embedded, facts.model)
        })?;
        if !desk.flags.json {
            if !facts.is_kept {
                io.note("warning", "could not write the index: every recall rebuilds it");
            }
            notes.iter().for_each(|note| io.note("note", note));
        }
        Ok(DONE)
    })
}
