//! What recall found, and what it held back.

use jiff::Timestamp;
use oldhand_core::recall::bundle::{Bundle, Entry};
use oldhand_screen::{Screen, Tone};
use oldhand_text::strings::counted;

use super::{kind, place, reason, since};

pub(crate) fn recall(bundle: &Bundle, screen: &Screen) -> String {
    if bundle.is_empty() {
        return silent(bundle, screen);
    }
    let count = bundle.memories.len() + bundle.cautions.len();
    let numbers = format!("{} of {} tokens", bundle.used_tokens, bundle.budget_tokens);
    let count = screen.title(&counted(count, "memory", "memories"));
    let mut out = format!("{}\n", screen.parts(&[count, screen.dim(&numbers)]));
    for (at, one) in bundle.memories.iter().enumerate() {
        out.push_str(&entry(at, one, screen));
    }
    if !bundle.cautions.is_empty() {
        let line = "not settled: weigh these before you rely on them";
        out.push_str(&format!("\n{}\n", screen.paint(Tone::Warn, line)));
        for (at, one) in bundle.cautions.iter().enumerate() {
            out.push_str(&entry(bundle.memories.len() + at, one, screen));
        }
    }
    let stale = bundle.freshness.iter().map(|warning| warning.text.clone());
    let warnings: Vec<String> = stale.chain(bundle.warnings.iter().cloned()).collect();
    if !warnings.is_empty() {
        out.push('\n');
    }
    for warning in &warnings {
        out.push_str(&screen.item("!", &screen.paint(Tone::Warn, warning), 0));
    }
    out + &left_out(bundle, screen)
}

pub(super) fn entry(at: usize, one: &Entry, screen: &Screen) -> String {
    let card = &one.card;
    let (standing, _) = card.told_standing();
    let updated = card.updated_at.or(card.created_at);
    let updated = updated.and_then(|second| Timestamp::from_second(second).ok());
    let own = if card.is_own { screen.paint(Tone::Plain, "your own") } else { String::new() };
    let line = screen.parts(&[
        kind(&card.kind, screen),
        screen.paint(if standing == "stable" { Tone::Good } else { Tone::Warn }, standing),
        screen.trust(card.trust),
        own,
        since(updated, screen),
        screen.dim(&card.id),
    ]);
    let mut out = format!("\n{} {}\n", place(at, screen), screen.title(&card.title));
    out.push_str(&screen.wrapped(&line, 3));
    if !one.reason.is_empty() {
        out.push_str(&screen.wrapped(&screen.dim(&reason(&one.reason)), 3));
    }
    let body = one.text.trim_start();
    let body = body.strip_prefix("# ").and_then(|it| it.split_once('\n')).map_or(body, |it| it.1);
    if !body.trim().is_empty() {
        out.push_str(&format!("\n{}", screen.body(body.trim(), 3)));
    }
    out
}

fn left_out(bundle: &Bundle, screen: &Screen) -> String {
    let fitting: Vec<_> = bundle.dropped.iter().filter(|one| one.fits).collect();
    if fitting.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{}\n", screen.dim("left out"));
    for one in fitting.iter().take(5) {
        let line = screen.parts(&[
            screen.paint(Tone::Plain, &one.title),
            screen.dim(&one.id),
            screen.dim(&reason(&one.reason)),
        ]);
        out.push_str(&screen.item("•", &line, 2));
    }
    match fitting.len().saturating_sub(5) {
        0 => out,
        more => out + &format!("  {}\n", screen.dim(&format!("and {more} more"))),
    }
}

/// Silence is an answer; whoever asked sees what was nearest, and why it was held back.
fn silent(bundle: &Bundle, screen: &Screen) -> String {
    let text = bundle.to_text().into_string();
    let mut out =
        format!("{}\n", screen.paint(Tone::Plain, text.lines().next().unwrap_or_default()));
    if let Some(nearest) = bundle.dropped.first() {
        let line = format!("nearest: {}, {}", nearest.title, reason(&nearest.reason));
        out.push_str(&screen.wrapped(&screen.dim(&line), 0));
    }
    out
}
