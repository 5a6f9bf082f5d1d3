//! The first look at a store.

use oldhand_app::status::{NextCommand, StoreStatus};
use oldhand_screen::{Screen, Tone, sparkline};
use oldhand_text::strings::counted;
use oldhand_text::time::parse_instant;

use super::care::word;

pub(crate) fn status(status: &StoreStatus, name: &str, screen: &Screen) -> String {
    let memories = counted(status.memories, "memory", "memories");
    let head = screen.parts(&[screen.title(name), screen.paint(Tone::Plain, &memories)]);
    let health = match status.health.reason.as_str() {
        "" => word(status.health.status, screen),
        reason => {
            format!("{}: {}", word(status.health.status, screen), screen.paint(Tone::Plain, reason))
        }
    };
    let facts = screen.facts(&[
        ("waiting", waiting(status, screen)),
        ("this week", week(status, screen)),
        ("health", health),
    ]);
    let NextCommand { command, why } = &status.next;
    format!("{head}\n\n{facts}\n{}", screen.next(command, why))
}

fn waiting(status: &StoreStatus, screen: &Screen) -> String {
    if status.waiting.is_empty() {
        return screen.paint(Tone::Good, "nothing");
    }
    let cause = |(cause, count): (&'static str, usize)| {
        let tone = if cause == "conflict" { Tone::Bad } else { Tone::Warn };
        screen.paint(tone, &format!("{count} {}", cause_words(cause, count)))
    };
    let mut parts: Vec<String> = status.causes().into_iter().map(cause).collect();
    let oldest = status.waiting_since.as_deref().and_then(parse_instant);
    parts.extend(oldest.map(|at| screen.dim(&format!("the oldest {}", screen.ago(at)))));
    screen.parts(&parts)
}

/// A cause as it is counted.
pub(crate) fn cause_words(cause: &str, count: usize) -> &str {
    match (cause, count) {
        ("conflict", 1) => "conflict",
        ("conflict", _) => "conflicts",
        ("candidate", 1) => "candidate",
        ("candidate", _) => "candidates",
        ("under_review", _) => "under review",
        ("ready", _) => "ready to rise",
        ("review_due", _) => "due for review",
        ("unrecorded", _) => "not in the log",
        (other, _) => other,
    }
}

fn week(status: &StoreStatus, screen: &Screen) -> String {
    let week = &status.week;
    let trend = |count: usize, days: &[usize]| match count {
        0 => String::new(),
        _ => format!(" {}", screen.command(&sparkline(days))),
    };
    screen.parts(&[
        format!("{} served{}", week.served, trend(week.served, &week.served_by_day)),
        format!("{} captured{}", week.captured, trend(week.captured, &week.captured_by_day)),
        format!("{} new", week.added),
    ])
}

/// Where there is no store.
pub(crate) fn beginning(screen: &Screen) -> String {
    let line = "there is no store here yet";
    let rows = [
        ("oldhand init", "makes one in this repository"),
        ("oldhand tour", "shows the first five minutes in a scratch repository"),
        ("oldhand help", "lists the everyday commands"),
    ];
    let row = |(command, what): &(&str, &str)| {
        vec![format!("{} {}", screen.dim("→"), screen.command(command)), screen.dim(what)]
    };
    format!("{}\n\n{}", screen.title(line), screen.table(rows.iter().map(row).collect(), 1))
}
