//! `oldhand stats`: numbers about the store, its index, and what hooks did with them;
//! `oldhand reindex`: rebuilds the search index from the files and embeds everything.

use oldhand_app::sessions::Sessions;
use oldhand_app::stats::{HookNumbers, StoreNumbers};
use oldhand_store::port::index::Index;
use std::time::Instant;

use super::prelude::*;

pub(super) fn stats(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let log = desk.sessions().map(|sessions| sessions.hook_lines());
        let stats = reading.engine.care().stats(reading.index, &log.unwrap_or_default())?;
        desk.print(io, "stats", &stats, || text(&stats))
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
    let HookNumbers { since, calls, served, captured, denied, trouble, tokens, events } = hooks;
    if *calls == 0 {
        return String::new();
    }
    let calls = |count: usize| counted(count, "call", "calls");
    let line = format!(
        "hooks: {} since {since}; {served} served, {captured} captured, {denied} refused, \
         {tokens} tokens, {trouble} in trouble\n",
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
