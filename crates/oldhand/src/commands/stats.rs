//! `oldhand stats`: numbers about the store, its index, and what hooks did with them; `oldhand log`:
//! what each hook did; `oldhand reindex`: rebuilds the search index from the files.

use oldhand_app::stats::{HookNumbers, StoreNumbers};
use oldhand_app::status::Week;
use oldhand_screen::Screen;
use serde_json::Value;

use super::prelude::*;

/// Answers of a week; more are not counted.
pub(super) const RECEIPTS: usize = 1_000;

pub(super) fn stats(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let log = desk.sessions().map(|sessions| sessions.hook_lines()).unwrap_or_default();
        let stats = reading.engine.care().stats(reading.index, &log)?;
        let people = |screen: &Screen| {
            let receipts = reading.sessions.as_ref().map(|it| it.receipts(None, RECEIPTS));
            let week = Week::of(&receipts.unwrap_or_default(), &log, desk.now);
            people::stats(&stats, &week, screen)
        };
        desk.present(io, "stats", &stats, (|| text(&stats), people))
    })
}

fn text(stats: &StoreNumbers) -> String {
    let memories = |count: usize| counted(count, "memory", "memories");
    let mut out = format!("{}, {} tokens in all\n", memories(stats.memories), stats.tokens);
    out.push_str(&table(stats.kinds.iter().map(|(kind, of)| {
        [format!("  {kind}"), of.memories.to_string(), format!("{} tokens", of.tokens)]
    })));
    let states: Vec<String> =
        stats.states.iter().map(|(state, count)| format!("{count} {state}")).collect();
    let index = &stats.index;
    let segments = counted(index.segments, "segment", "segments");
    let (indexed, embedded) = (memories(index.memories), index.embedded);
    let (model, bytes) = (&index.model, index.bytes);
    out.push_str(&facts(&[
        ("states", states.join(", ")),
        (
            "index",
            format!("{indexed}, {embedded} by meaning ({model}), {bytes} bytes in {segments}"),
        ),
        ("used", counted(stats.used, "time", "times")),
    ]));
    out + &hooks(&stats.hooks)
}

fn hooks(hooks: &HookNumbers) -> String {
    let HookNumbers { since, served, captured, denied, trouble, tokens, events, .. } = hooks;
    let HookNumbers { reminders, session_tokens, .. } = hooks;
    if hooks.calls == 0 {
        return String::new();
    }
    let calls = |count: usize| counted(count, "call", "calls");
    let line = format!(
        "hooks: {} since {since}; {served} served, {captured} captured, {reminders} reminders, \
         {denied} refused, {tokens} tokens ({session_tokens} in the median session), {trouble} in trouble\n",
        calls(hooks.calls)
    );
    line + &table(events.iter().map(|(event, times)| {
        let ms = |name: &str, ms: f64| format!("{name} {ms} ms");
        [format!("  {event}"), calls(times.calls), ms("p50", times.p50_ms), ms("p95", times.p95_ms)]
    }))
}

pub(super) fn reindex(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        reading.index.renew()?;
        let mut progress = desk.progress("embedding");
        progress.at(0, reading.index.facts()?.memories);
        reading.index.fill_all(true, &mut |done, total| {
            progress.at(done, total);
            true
        })?;
        drop(progress);
        let (facts, notes) = (reading.index.facts()?, reading.index.notes());
        desk.print(io, "reindex", wire::list::Reindexed::of(&facts, &notes), || {
            let memories = counted(facts.memories, "memory", "memories");
            format!("indexed {memories}, {} by meaning ({})\n", facts.embedded, facts.model)
        })?;
        let unwritten = "could not write the index: every recall rebuilds it";
        desk.remark(io, "warning", (!facts.is_kept).then_some(unwritten));
        desk.remark(io, "note", &notes);
        Ok(DONE)
    })
}

const SESSION_SHOWN: usize = 8;
const NOTE_SHOWN: usize = 120;

pub(super) fn log(args: &LogArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.layout()?;
    let log = desk.sessions().map(|sessions| sessions.hook_lines()).unwrap_or_default();
    let is = |line: &Value, key: &str, wanted: &Option<String>| {
        wanted.as_deref().is_none_or(|wanted| line[key].as_str() == Some(wanted))
    };
    let wanted = log.iter().rev().filter(|line| {
        is(line, "session", &args.session)
            && is(line, "event", &args.event)
            && is(line, "host", &args.host)
            && (!args.trouble || line["trouble"] == true)
    });
    let mut lines: Vec<&Value> = wanted.take(args.limit).collect();
    lines.reverse();
    let answer = wire::program::HookLog { lines };
    let nothing = match log.is_empty() {
        true => "no hook has run here\n",
        false => "nothing in the log matches\n",
    };
    if answer.lines.is_empty() {
        return desk.print(io, "log", &answer, || nothing.to_owned());
    }
    let agent = || table(answer.lines.iter().map(|line| log_row(line)));
    desk.present(io, "log", &answer, (agent, |screen: &Screen| people::log(&answer.lines, screen)))
}

fn log_row(line: &Value) -> [String; 7] {
    let text = |key: &str| visible_line(line[key].as_str().unwrap_or_default());
    let ids = |key: &str| -> Vec<&str> {
        line[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    };
    let done = match (ids("served").as_slice(), ids("captured").as_slice()) {
        ([], []) => text("said"),
        ([], captured) => format!("captured {}", captured.join(", ")),
        (served, _) => format!("served {}", served.join(", ")),
    };
    let trouble = if line["trouble"] == true { "trouble: " } else { "" };
    [
        text("at"),
        text("host"),
        text("event"),
        shorten(&text("session"), SESSION_SHOWN),
        format!("{} ms", line["ms"]),
        visible_line(&done),
        shorten(&format!("{trouble}{}", text("note")), NOTE_SHOWN),
    ]
}
