//! `oldhand sweep`: what time does, in one line.

use oldhand_app::sweep::Swept;
use oldhand_text::time::days_between;
use serde_json::{Map, Value, json};

use crate::cli::SweepArgs;
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Outcome};
use crate::printer::Io;

pub(super) fn run(args: &SweepArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if args.if_due {
        return if_due(desk, io);
    }
    if args.dry_run {
        return desk.work(|engine| {
            let swept = engine.sweep_preview()?;
            tell(&swept, "would sweep", desk.flags.json, io)?;
            Ok(DONE)
        });
    }
    sweep(desk, io)
}

/// Once a day on each machine, and silent when there is nothing to say.
pub(super) fn if_due(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let last = desk.receipts().and_then(|receipts| receipts.last_sweep());
    if last.is_some_and(|last| days_between(last, desk.now) < 1) {
        return Ok(DONE);
    }
    desk.work(|engine| {
        let done = engine.sweep()?;
        acknowledge(engine, io, done, |swept, io| {
            if !desk.flags.json && !line(swept).is_empty() {
                return tell(swept, "swept", false, io);
            }
            Ok(())
        })?;
        note(desk);
        Ok(DONE)
    })
}

fn sweep(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let done = engine.sweep()?;
        acknowledge(engine, io, done, |swept, io| tell(swept, "swept", desk.flags.json, io))?;
        note(desk);
        Ok(DONE)
    })
}

/// Best effort: without the note the next one sweeps again, which does no harm.
fn note(desk: &Desk<'_>) {
    if let Some(receipts) = desk.receipts() {
        let _ = receipts.note_sweep(desk.now);
    }
}

fn tell(swept: &Swept, verb: &str, json: bool, io: &mut Io<'_>) -> std::io::Result<()> {
    if json {
        return io.json("sweep", to_json(swept));
    }
    let line = line(swept);
    let line = if line.is_empty() { "nothing to do".to_owned() } else { line };
    io.text(&format!("{verb}: {line}\n"))
}

fn line(swept: &Swept) -> String {
    let decayed: Vec<String> = swept.decayed.iter().map(|(id, _)| id.clone()).collect();
    let mut parts: Vec<String> = [
        ("decayed", &decayed),
        ("promoted", &swept.promoted),
        ("kept for good", &swept.kept_notes),
        ("expired", &swept.expired),
        ("over the window", &swept.over_window),
        ("purged", &swept.purged),
        ("to be looked at again", &swept.review_due),
        ("late for a review", &swept.late_reviews),
        ("urgent to review", &swept.urgent_reviews),
    ]
    .into_iter()
    .filter(|(_, ids)| !ids.is_empty())
    .map(|(what, ids)| format!("{} {what} ({})", ids.len(), few(ids)))
    .collect();
    if swept.more {
        parts.push("more to do, sweep again".to_owned());
    }
    parts.join(", ")
}

/// The first of them by name.
fn few(ids: &[String]) -> String {
    const NAMED: usize = 3;
    let mut names = ids[..ids.len().min(NAMED)].join(", ");
    if ids.len() > NAMED {
        names.push_str(", …");
    }
    names
}

fn to_json(swept: &Swept) -> Map<String, Value> {
    let mut object = Map::new();
    let decayed: Vec<Value> =
        swept.decayed.iter().map(|(id, reason)| json!({"id": id, "reason": reason})).collect();
    object.insert("decayed".into(), Value::Array(decayed));
    object.insert("promoted".into(), json!(swept.promoted));
    object.insert("notes_kept".into(), json!(swept.kept_notes));
    object.insert("expired".into(), json!(swept.expired));
    object.insert("over_window".into(), json!(swept.over_window));
    object.insert("purged".into(), json!(swept.purged));
    object.insert("review_due".into(), json!(swept.review_due));
    object.insert("late_reviews".into(), json!(swept.late_reviews));
    object.insert("urgent_reviews".into(), json!(swept.urgent_reviews));
    object.insert("more".into(), json!(swept.more));
    object
}
