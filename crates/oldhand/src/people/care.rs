//! How the memory is doing, and its numbers.

use oldhand_app::health::{Health, Indicator, Status};
use oldhand_app::stats::{HookNumbers, StoreNumbers};
use oldhand_app::status::Week;
use oldhand_screen::{Screen, Tone, bar, sparkline};
use oldhand_text::strings::counted;
use oldhand_text::time::parse_instant;

pub(crate) fn health(health: &Health, screen: &Screen) -> String {
    let row = |one: &Indicator| {
        let reason = screen.paint(Tone::Plain, &one.reason);
        let cell = match one.command.as_str() {
            "" => reason,
            command => format!("{reason}\n{} {}", screen.dim("→"), screen.command(command)),
        };
        vec![mark(one.status, screen), screen.title(one.name), cell]
    };
    let mut out = format!("{}\n\n", word(health.status, screen));
    out.push_str(&screen.table(health.indicators.iter().map(row).collect(), 2));
    if !health.archive_review.is_empty() {
        let why = format!("archive review due: {}", health.archive_review.join("; "));
        out.push_str(&format!("\n{}", screen.wrapped(&screen.paint(Tone::Warn, &why), 0)));
        out.push_str(&screen.next("oldhand review --archive", ""));
    }
    out
}

pub(super) fn tone(status: Status) -> Tone {
    match status {
        Status::Healthy => Tone::Good,
        Status::Watch => Tone::Warn,
        Status::NeedsAttention => Tone::Bad,
    }
}

fn mark(status: Status, screen: &Screen) -> String {
    let mark = match status {
        Status::Healthy => "✓",
        Status::Watch => "!",
        Status::NeedsAttention => "✗",
    };
    screen.paint(tone(status), mark)
}

pub(super) fn word(status: Status, screen: &Screen) -> String {
    format!("{} {}", mark(status, screen), screen.paint(tone(status), status.as_str()))
}

pub(crate) fn stats(stats: &StoreNumbers, week: &Week, screen: &Screen) -> String {
    let memories = counted(stats.memories, "memory", "memories");
    let tokens = screen.dim(&format!("{} tokens in all", stats.tokens));
    let mut out = format!("{}\n\n", screen.parts(&[screen.title(&memories), tokens]));
    let most = stats.kinds.values().map(|kind| kind.memories).max().unwrap_or(1);
    let rows = stats.kinds.iter().map(|(kind, of)| {
        vec![
            format!("  {}", super::kind(kind, screen)),
            format!("{:>6}", of.memories),
            screen.command(&bar(of.memories as f64 / most as f64)),
            screen.dim(&format!("{} tokens", of.tokens)),
        ]
    });
    out.push_str(&screen.table(rows.collect(), 3));
    let states = stats.states.iter().map(|(state, count)| format!("{count} {state}"));
    let states: Vec<String> = states.collect();
    let index = &stats.index;
    let embedded = format!("{} by meaning ({})", index.embedded, index.model);
    let size = format!("{} KiB", index.bytes.div_ceil(1024));
    let day = |days: &[usize]| screen.command(&sparkline(days));
    out.push_str(&format!(
        "\n{}",
        screen.facts(&[
            ("states", states.join(", ")),
            ("used", counted(stats.used, "time", "times")),
            (
                "index",
                screen.parts(&[counted(index.memories, "memory", "memories"), embedded, size])
            ),
            ("served", format!("{} {} this week", day(&week.served_by_day), week.served)),
            ("captured", format!("{} {} this week", day(&week.captured_by_day), week.captured)),
        ])
    ));
    out + &hooks(&stats.hooks, screen)
}

fn hooks(hooks: &HookNumbers, screen: &Screen) -> String {
    if hooks.calls == 0 {
        return String::new();
    }
    let since = parse_instant(&hooks.since).map(|at| screen.ago(at)).unwrap_or_default();
    let calls = counted(hooks.calls, "hook call", "hook calls");
    let head = screen.parts(&[screen.title(&calls), screen.dim(&format!("first {since}"))]);
    let trouble = match hooks.trouble {
        0 => screen.paint(Tone::Good, "none"),
        count => screen.paint(Tone::Bad, &count.to_string()),
    };
    let facts = screen.facts(&[
        ("served", hooks.served.to_string()),
        ("captured", hooks.captured.to_string()),
        ("reminders", hooks.reminders.to_string()),
        ("refused", hooks.denied.to_string()),
        ("tokens", format!("{}, {} in the median session", hooks.tokens, hooks.session_tokens)),
        ("trouble", trouble),
    ]);
    let rows = hooks.events.iter().map(|(event, times)| {
        vec![
            format!("  {}", screen.dim(event)),
            counted(times.calls, "call", "calls"),
            format!("p50 {} ms", times.p50_ms),
            format!("p95 {} ms", times.p95_ms),
        ]
    });
    format!("\n{head}\n{facts}\n{}", screen.table(rows.collect(), 3))
}
