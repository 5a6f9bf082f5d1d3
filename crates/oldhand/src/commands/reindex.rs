//! `oldhand reindex`: the search index from the files, with everything embedded.

use std::time::Instant;

use oldhand_store::port::index::Index;
use serde_json::{Map, json};

use crate::desk::Desk;
use crate::failure::{DONE, Outcome};
use crate::format::counted;
use crate::printer::Io;

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        reading.index.renew()?;
        let begun = Instant::now();
        let shows_progress = desk.shows_progress();
        let filled = reading.index.fill_all(&mut |done, total| {
            if shows_progress {
                let rate = done as f64 / begun.elapsed().as_secs_f64().max(0.001);
                io.progress(&format!("embedded {done} of {total}, {rate:.0} a second"));
            }
            true
        })?;
        if shows_progress && filled > 0 {
            io.progress("");
        }
        let facts = reading.index.facts()?;
        let notes = reading.index.notes();
        if desk.flags.json {
            let mut object = Map::new();
            object.insert("memories".into(), json!(facts.memories));
            object.insert("embedded".into(), json!(facts.embedded));
            object.insert("model".into(), json!(facts.model));
            object.insert("bytes".into(), json!(facts.bytes));
            object.insert("is_kept".into(), json!(facts.is_kept));
            object.insert("notes".into(), json!(notes));
            io.json("reindex", object)?;
            return Ok(DONE);
        }
        io.text(&format!(
            "indexed {}, {} by meaning ({})\n",
            counted(facts.memories, "memory", "memories"),
            facts.embedded,
            facts.model
        ))?;
        if !facts.is_kept {
            io.note("warning", "the index could not be written: every recall makes it anew");
        }
        notes.iter().for_each(|note| io.note("note", note));
        Ok(DONE)
    })
}
