//! `oldhand sweep`: what time does, in one line.

use oldhand_app::sessions::Sessions;
use oldhand_app::sweep::Swept;
use oldhand_store::port::session::SessionStore;
use oldhand_text::time::{days_between, format_instant, parse_instant};

use super::prelude::*;

pub(super) fn run(args: &SweepArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if args.if_due {
        return if_due(desk, io);
    }
    if args.dry_run {
        return desk.work(|engine| {
            let swept = engine.preview().upkeep().sweep()?.answer;
            desk.print(io, "sweep", &swept, || text(&swept, "would sweep"))
        });
    }
    sweep(desk, io, |swept, io| desk.print(io, "sweep", &swept, || text(&swept, "swept")))
}

/// Once a day on each machine, and silent when there is nothing to say.
pub(super) fn if_due(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let record = desk.sessions().and_then(|it| it.record().ok()).unwrap_or_default();
    if parse_instant(&record.swept_at).is_some_and(|last| days_between(last, desk.now) < 1) {
        return Ok(DONE);
    }
    sweep(desk, io, |swept, io| {
        if !desk.flags.json && !line(&swept).is_empty() {
            io.text(&text(&swept, "swept"))?;
        }
        Ok(DONE)
    })
}

fn sweep(
    desk: &Desk<'_>,
    io: &mut Io<'_>,
    tell: impl FnOnce(Swept, &mut Io<'_>) -> Outcome,
) -> Outcome {
    desk.work(|engine| {
        acknowledge(engine, io, engine.upkeep().sweep()?, tell)?;
        // Best effort: without the note the next one sweeps again, which does no harm.
        if let Some(sessions) = desk.sessions() {
            let _ = sessions.update_record(|record| record.swept_at = format_instant(desk.now));
        }
        Ok(DONE)
    })
}

fn text(swept: &Swept, verb: &str) -> String {
    let line = line(swept);
    format!("{verb}: {}\n", if line.is_empty() { "nothing to do" } else { &line })
}

fn line(swept: &Swept) -> String {
    let decayed: Vec<String> = swept.decayed.iter().map(|it| it.id.clone()).collect();
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
    let more = if ids.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", ids[..ids.len().min(NAMED)].join(", "))
}
