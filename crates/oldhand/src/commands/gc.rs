//! `oldhand gc`: collects, and tells what waits for a person.

use oldhand_app::gc::Collected;
use oldhand_core::refusal::{Code, Refusal};
use serde_json::{Map, json};

use crate::cli::GcArgs;
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Outcome};
use crate::printer::Io;

pub(super) fn run(args: &GcArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        if let Some(id) = &args.purge {
            let stored = engine.get(id)?;
            if stored.memory.id.as_str() != id {
                let message =
                    format!("purging needs the id in full, which is `{}`", stored.memory.id);
                return Err(Refusal::new(Code::Validation, message)
                    .with_hint("nothing was deleted")
                    .into());
            }
            let done = engine.purge(id)?;
            acknowledge(engine, io, done, |collected, io| tell(collected, false, desk, io))?;
            return Ok(DONE);
        }
        if args.dry_run {
            tell(&engine.gc_preview()?, true, desk, io)?;
            return Ok(DONE);
        }
        let done = engine.gc()?;
        acknowledge(engine, io, done, |collected, io| tell(collected, false, desk, io))?;
        Ok(DONE)
    })
}

fn tell(
    collected: &Collected,
    dry_run: bool,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> std::io::Result<()> {
    if desk.flags.json {
        let mut object = Map::new();
        object.insert("dry_run".into(), json!(dry_run));
        object.insert("archived".into(), json!(collected.archived));
        object.insert("deleted".into(), json!(collected.deleted));
        object.insert("expired".into(), json!(collected.expired));
        object.insert("waiting".into(), json!(collected.waiting));
        object.insert("review_due".into(), json!(collected.review_due));
        object.insert("undated".into(), json!(collected.undated));
        object.insert("more".into(), json!(collected.more));
        return io.json("gc", object);
    }
    let would = if dry_run { "would be " } else { "" };
    let parts = [
        (format!("{would}archived"), &collected.archived),
        (format!("{would}deleted"), &collected.deleted),
        (format!("{would}retired, past their retention"), &collected.expired),
        (
            "wait for you: `oldhand gc --purge <id>` deletes one for good".to_owned(),
            &collected.waiting,
        ),
        ("due for a review".to_owned(), &collected.review_due),
        ("retired without a date, never collected".to_owned(), &collected.undated),
    ];
    let mut is_empty = true;
    for (what, ids) in parts.iter().filter(|(_, ids)| !ids.is_empty()) {
        is_empty = false;
        io.text(&format!("{what}:\n"))?;
        for id in ids.iter() {
            io.text(&format!("  {id}\n"))?;
        }
    }
    if collected.more {
        io.text("there is more: run `oldhand gc` again\n")?;
    }
    if is_empty { io.text("nothing to collect\n") } else { Ok(()) }
}
