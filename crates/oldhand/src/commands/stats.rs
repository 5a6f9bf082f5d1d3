//! `oldhand stats`: numbers about the store, its index, and what hooks did with them.

use oldhand_app::sessions::Sessions;
use oldhand_app::stats::{HookNumbers, StoreNumbers};

use super::prelude::*;

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let log = desk.sessions().map(|sessions| sessions.hook_lines());
        let stats = reading.engine.stats(reading.index, &log.unwrap_or_default())?;
        desk.print(io, "stats", &stats, || text(&stats))?;
        Ok(DONE)
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

/// Nothing where no hook has run.
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
