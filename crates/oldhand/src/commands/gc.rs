//! `oldhand gc`: collects, and tells what waits for a person.

use oldhand_app::gc::Collected;

use super::prelude::*;

pub(super) fn run(args: &GcArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        if args.dry_run && args.purge.is_none() {
            let collected = engine.preview().upkeep().gc()?.answer;
            return desk.print(io, "gc", &collected, || text(&collected));
        }
        let done = match &args.purge {
            Some(id) => engine.upkeep().purge(id)?,
            None => engine.upkeep().gc()?,
        };
        acknowledge(engine, io, done, |collected, io| {
            desk.print(io, "gc", &collected, || text(&collected))
        })
    })
}

fn text(collected: &Collected) -> String {
    let would = if collected.dry_run { "would be " } else { "" };
    let parts = [
        (would, "archived", &collected.archived),
        (would, "deleted", &collected.deleted),
        (would, "retired, past their retention", &collected.expired),
        ("", "wait for you: `oldhand gc --purge <id>` deletes one for good", &collected.waiting),
        ("", "due for a review", &collected.review_due),
        ("", "retired without a date, never collected", &collected.undated),
    ];
    let mut text = String::new();
    for (would, what, ids) in parts.iter().filter(|(_, _, ids)| !ids.is_empty()) {
        text.push_str(&format!("{would}{what}:\n"));
        ids.iter().for_each(|id| text.push_str(&format!("  {id}\n")));
    }
    let is_empty = text.is_empty();
    if collected.more {
        text.push_str("there is more: run `oldhand gc` again\n");
    }
    if is_empty { text + "nothing to collect\n" } else { text }
}
