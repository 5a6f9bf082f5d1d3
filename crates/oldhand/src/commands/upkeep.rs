//! `oldhand sweep`, `oldhand gc` and `oldhand health`: what time does, what is collected, and how the
//! memory is doing.

use oldhand_app::gc::Collected;
use oldhand_app::health::{Health, Indicator, Status};
use oldhand_app::sweep::Swept;
use oldhand_screen::Screen;
use oldhand_text::time::days_between;

use super::prelude::*;

pub(super) fn sweep(args: &SweepArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if args.if_due {
        return sweep_if_due(desk, io);
    }
    if args.dry_run {
        return desk.work(|engine| {
            let swept = engine.preview().upkeep().sweep()?.answer;
            show_swept(&swept, "would sweep", desk, io)
        });
    }
    sweep_and_tell(desk, io, |swept, io| show_swept(&swept, "swept", desk, io))
}

fn show_swept(swept: &Swept, verb: &str, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let people = |screen: &Screen| {
        let parts = swept_parts(swept);
        let title = if parts.is_empty() { "nothing to do" } else { "" };
        let facts = parts.iter().map(|(what, ids)| (*what, few(ids, usize::MAX))).collect();
        let hint = swept.more.then(|| "there is more to do: `oldhand sweep` goes on".to_owned());
        Deed { hint, ..Deed::about(verb, title).with_facts(facts) }.people(screen)
    };
    desk.present(io, "sweep", swept, (|| swept_text(swept, verb), people))
}

/// Once a day on each machine, and silent when there is nothing to say.
pub(super) fn sweep_if_due(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let record = desk.sessions().and_then(|it| it.record().ok()).unwrap_or_default();
    if parse_instant(&record.swept_at).is_some_and(|last| days_between(last, desk.now) < 1) {
        return Ok(DONE);
    }
    sweep_and_tell(desk, io, |swept, io| {
        if !desk.flags.json && !swept_line(&swept).is_empty() {
            return show_swept(&swept, "swept", desk, io);
        }
        Ok(DONE)
    })
}

fn sweep_and_tell(
    desk: &Desk<'_>,
    io: &mut Io<'_>,
    tell: impl FnOnce(Swept, &mut Io<'_>) -> Outcome,
) -> Outcome {
    desk.work(|engine| {
        let mut progress = desk.progress("reading");
        let done = engine.upkeep().sweep_watched(&mut |done, of| progress.at(done, of))?;
        drop(progress);
        acknowledge(engine, io, done, tell)?;
        // Best effort: without the note the next one sweeps again, which does no harm.
        if let Some(sessions) = desk.sessions() {
            let _ = sessions.update_record(|record| record.swept_at = format_instant(desk.now));
        }
        Ok(DONE)
    })
}

fn swept_text(swept: &Swept, verb: &str) -> String {
    let line = swept_line(swept);
    format!("{verb}: {}\n", if line.is_empty() { "nothing to do" } else { &line })
}

/// What it did, and to which memories.
fn swept_parts(swept: &Swept) -> Vec<(&'static str, Vec<String>)> {
    let decayed: Vec<String> = swept.decayed.iter().map(|it| it.id.clone()).collect();
    let parts = [
        ("decayed", &decayed),
        ("promoted", &swept.promoted),
        ("never confirmed", &swept.faded),
        ("kept for good", &swept.kept_notes),
        ("expired", &swept.expired),
        ("over the window", &swept.over_window),
        ("purged", &swept.purged),
        ("to be looked at again", &swept.review_due),
        ("late for a review", &swept.late_reviews),
        ("urgent to review", &swept.urgent_reviews),
    ];
    let parts = parts.into_iter().filter(|(_, ids)| !ids.is_empty());
    parts.map(|(what, ids)| (what, ids.clone())).collect()
}

fn swept_line(swept: &Swept) -> String {
    let parts = swept_parts(swept);
    let part =
        |(what, ids): &(&str, Vec<String>)| format!("{} {what} ({})", ids.len(), few(ids, 3));
    let mut parts: Vec<String> = parts.iter().map(part).collect();
    if swept.more {
        parts.push("more to do, sweep again".to_owned());
    }
    parts.join(", ")
}

fn few(ids: &[String], named: usize) -> String {
    let more = if ids.len() > named { ", …" } else { "" };
    format!("{}{more}", ids[..ids.len().min(named)].join(", "))
}

pub(super) fn gc(args: &GcArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        if args.dry_run && args.purge.is_none() {
            let collected = engine.preview().upkeep().gc()?.answer;
            return show_collected(&collected, desk, io);
        }
        let done = match &args.purge {
            Some(id) => engine.upkeep().purge(id)?,
            None => engine.upkeep().gc()?,
        };
        acknowledge(engine, io, done, |collected, io| show_collected(&collected, desk, io))
    })
}

fn show_collected(collected: &Collected, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let people = |screen: &Screen| people::collected(collected, screen);
    desk.present(io, "gc", collected, (|| collected_text(collected), people))
}

fn collected_text(collected: &Collected) -> String {
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

pub(super) fn health(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let health = engine.care().health()?;
        // Best effort: the trend has one day less.
        let _ = desk.sessions().map(|it| it.note_health(&health, desk.now));
        let people = |screen: &Screen| people::health(&health, screen);
        desk.present(io, "health", &health, (|| health_text(&health), people))?;
        Ok(if health.status == Status::NeedsAttention { FINDING } else { DONE })
    })
}

fn health_text(health: &Health) -> String {
    let row = |one: &Indicator| {
        let way = if one.command.is_empty() { "" } else { " -> " };
        let reason = format!("{}{way}{}", one.reason, one.command);
        [one.name.to_owned(), one.status.as_str().to_owned(), reason]
    };
    let mut text = table(health.indicators.iter().map(row));
    if !health.archive_review.is_empty() {
        let why = health.archive_review.join("; ");
        text.push_str(&format!("archive review due: {why} -> oldhand review --archive\n"));
    }
    text
}
