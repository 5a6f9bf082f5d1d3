//! Many memories, a few lines each.

use std::collections::BTreeMap;

use oldhand_app::list::Listing;
use oldhand_app::review::{Cause, Inbox, Item};
use oldhand_app::search::{Found, Match};
use oldhand_app::wire::setup::KnownHost;
use oldhand_core::pending::Pending;
use oldhand_core::state::State;
use oldhand_screen::{Screen, Tone};
use oldhand_store::port::Stored;

use super::{kind, none, place, shown, since, state};

/// Longer lines of a match say no more.
const PLACE_CHARS: usize = 160;

pub(crate) fn list(listing: &Listing, trusts: &BTreeMap<String, f64>, screen: &Screen) -> String {
    if listing.total == 0 {
        return none(screen) + &screen.next("oldhand status", "says what to do next");
    }
    let row = |(at, stored): (usize, &Stored)| {
        let memory = &stored.memory;
        let id = memory.id.as_str();
        let mark = match memory.state {
            State::Stable => String::new(),
            other => state(other, screen),
        };
        let below = screen.parts(&[mark, screen.dim(id)]);
        vec![
            place(at, screen),
            format!("{}\n{below}", screen.title(&memory.title)),
            kind(memory.kind.as_str(), screen),
            trusts.get(id).map(|trust| screen.trust(*trust)).unwrap_or_default(),
            since(memory.updated_at.or(memory.created_at), screen),
        ]
    };
    let table = screen.table(listing.stored.iter().enumerate().map(row).collect(), 1);
    let count = shown(listing.stored.len(), listing.total, screen);
    format!("{table}\n{count}\n{}", screen.next("oldhand show @1", "shows the first"))
}

pub(crate) fn search(found: &Found, screen: &Screen) -> String {
    if found.matches.is_empty() {
        return none(screen);
    }
    let row = |(at, one): (usize, &Match)| {
        let card = &one.candidate.card;
        let mark = match card.state {
            State::Stable => String::new(),
            other => state(other, screen),
        };
        let line = oldhand_text::strings::shorten(&one.place, PLACE_CHARS);
        let (title, below) =
            (screen.title(&card.title), screen.parts(&[mark, screen.dim(&card.id)]));
        let cell = [title, below, screen.paint(Tone::Plain, &line)];
        let cell: Vec<&str> = cell.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
        vec![place(at, screen), cell.join("\n"), kind(&card.kind, screen), screen.trust(card.trust)]
    };
    let table = screen.table(found.matches.iter().enumerate().map(row).collect(), 1);
    format!("{table}\n{}\n", shown(found.matches.len(), found.total, screen))
}

/// What waits for a person, without going through it.
pub(crate) fn review(inbox: &Inbox, items: &[Item], waiting: usize, screen: &Screen) -> String {
    if inbox.pending.is_empty() && waiting == 0 {
        return format!("{}\n", screen.paint(Tone::Good, "nothing waits for you"));
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for one in &inbox.pending {
        rows.push(matter(rows.len(), one, screen));
    }
    for item in items {
        rows.push(item_row(rows.len(), item, screen));
    }
    let all = inbox.pending.len() + waiting;
    let told = inbox.pending.len() + items.len();
    let count = match told < all {
        true => format!("{told} of {all}, `--limit 0` shows all"),
        false => format!("{all} in all"),
    };
    let mut out = format!("{}\n{}\n", screen.table(rows, 2), screen.dim(&count));
    if !items.is_empty() {
        let at = inbox.pending.len() + 1;
        let command = format!("oldhand review @{at} --decision promote --reason \"…\"");
        out.push_str(&screen.next(&command, ""));
    }
    out
}

fn item_row(at: usize, item: &Item, screen: &Screen) -> Vec<String> {
    let memory = &item.stored.memory;
    // Why it rose or was kept is over; why it waits is not.
    let waits = matches!(item.cause, Cause::UnderReview | Cause::Candidate);
    let reason = memory.state_reason.as_deref().filter(|_| waits).unwrap_or_default();
    let mut cell = format!("{}\n{}", screen.title(&memory.title), screen.dim(memory.id.as_str()));
    if !reason.is_empty() {
        cell.push_str(&format!("\n{}", screen.paint(Tone::Plain, reason)));
    }
    let tone = if item.cause == Cause::Unrecorded { Tone::Bad } else { Tone::Warn };
    vec![
        place(at, screen),
        screen.paint(tone, &item.cause.as_str().replace('_', " ")),
        cell,
        screen.trust(item.signals.trust),
        since(item.since, screen),
    ]
}

fn matter(at: usize, one: &Pending, screen: &Screen) -> Vec<String> {
    let by = one.via.beside(&one.by);
    let below = screen.parts(&[screen.dim(one.id.as_str()), screen.dim(&format!("by {by}"))]);
    vec![
        place(at, screen),
        screen.paint(Tone::Bad, "conflict"),
        format!("{}\n{below}", screen.title(&one.headline())),
        String::new(),
        since(Some(one.at), screen),
    ]
}

pub(crate) fn pending(waiting: &[Pending], screen: &Screen) -> String {
    let Some(_) = waiting.first() else {
        return format!("{}\n", screen.paint(Tone::Good, "nothing waits for you"));
    };
    let rows = waiting.iter().enumerate().map(|(at, one)| matter(at, one, screen)).collect();
    let next = screen.next("oldhand pending @1", "shows the first and your options");
    format!("{}\n{next}", screen.table(rows, 2))
}

/// Settings with their values and sources; what somebody has set stands out.
pub(crate) fn settings(rows: impl Iterator<Item = [String; 3]>, screen: &Screen) -> String {
    let row = |[key, value, source]: [String; 3]| {
        let is_default = source == "default";
        let tone = if is_default { Tone::Dim } else { Tone::Good };
        let key = if is_default { screen.paint(Tone::Plain, &key) } else { screen.title(&key) };
        vec![key, screen.paint(Tone::Plain, &value), screen.paint(tone, &source)]
    };
    screen.table(rows.map(row).collect(), 1)
}

/// Agents, and whether they are on this machine and set up.
pub(crate) fn hosts(hosts: &[KnownHost], screen: &Screen) -> String {
    let row = |host: &KnownHost| {
        let (tone, standing) = match &host.problem {
            Some(problem) => (Tone::Bad, format!("✗ {problem}")),
            None if host.installed => (Tone::Good, "✓ set up".to_owned()),
            None if host.found => (Tone::Warn, "on this machine, not set up".to_owned()),
            None => (Tone::Dim, "not found".to_owned()),
        };
        vec![screen.title(host.title), screen.dim(host.name), screen.paint(tone, &standing)]
    };
    let table = screen.table(hosts.iter().map(row).collect(), 2);
    let next = hosts.iter().find(|host| host.found && !host.installed);
    let name = next.map_or("<name>", |host| host.name);
    format!("{table}\n{}", screen.next(&format!("oldhand install {name}"), "sets one up"))
}
