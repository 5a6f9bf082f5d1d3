//! `oldhand list`, `oldhand index` and `oldhand search`: memories, filtered; `oldhand fresh`: whether
//! they still fit the code they rest on.

use std::collections::BTreeMap;

use oldhand_app::fresh::{Checked, FreshReport};
use oldhand_app::list::{Filter, Listing};
use oldhand_app::registry::Registry;
use oldhand_app::search::{Found, Match, Mode, SearchRequest};
use oldhand_core::fresh::{CHECKED_TIER, PathVerdict, Verdict, render_section};
use oldhand_core::state::RecordStatus;
use wire::list::RegistryPage;

use super::prelude::*;
use oldhand_desk::format::state_mark;
use oldhand_screen::Screen;

pub(super) fn list(args: &ListArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let filter = Filter {
            status: args.status.as_deref().map(RecordStatus::parse).transpose()?,
            level: args.level.clone(),
            path: args.path.clone(),
            source: args.source.clone(),
            limit: args.limit,
            ..filter(&args.filter, engine)?
        };
        let listing = engine.memories().list(&filter)?;
        let trusts = if desk.screen().is_some() { engine.trusts()? } else { BTreeMap::new() };
        desk.keep_list(listing.stored.iter().map(|it| it.memory.id.as_str()));
        desk.present(
            io,
            "list",
            wire::list::List::of(&listing),
            (|| list_text(&listing), |screen| people::list(&listing, &trusts, screen)),
        )?;
        warn_unreadable(&listing, io);
        Ok(DONE)
    })
}

pub(super) fn filter(flags: &FilterFlags, engine: &Engine<'_>) -> Result<Filter, Problem> {
    Ok(Filter {
        domain: flags.domain.clone(),
        scope: flags.scope.clone(),
        legacy: flags.legacy.clone(),
        ..Filter::named(&flags.kind, &flags.state, &flags.tag, &engine.settings.kinds)?
    })
}

fn warn_unreadable(listing: &Listing, io: &mut Io<'_>) {
    for unreadable in &listing.unreadable {
        io.note("warning", &format!("could not read `{}`: {}", unreadable.path, unreadable.why));
    }
}

fn list_text(listing: &Listing) -> String {
    if listing.total == 0 {
        return "no memories match\n".to_owned();
    }
    let row = |Stored { memory, .. }: &Stored| {
        let title = shorten(&visible_line(&memory.title), 100);
        let title = format!("{title} {}", state_mark(memory.state));
        [memory.kind.to_string(), memory.id.to_string(), title]
    };
    table(listing.stored.iter().map(row)) + &left_out(listing.stored.len(), listing.total)
}

pub(super) fn index(args: &IndexArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let (level, path) = (args.level.clone(), args.path.clone());
        let filter = Filter { level, path, ..filter(&args.filter, reading.engine)? };
        let engine = reading.engine;
        let registry =
            engine.sessions().registry(reading.index, &filter, args.long, args.budget)?;
        desk.print(io, "index", RegistryPage::of(&registry), || index_text(&registry))?;
        reading.index.notes().iter().for_each(|note| io.note("note", note));
        Ok(DONE)
    })
}

fn index_text(registry: &Registry) -> String {
    let Registry { text, shown, total, tokens } = registry;
    if *total == 0 {
        return "no memories match\n".to_owned();
    }
    let mut part = counted(*total, "memory", "memories");
    if shown.len() < *total {
        part = format!("{} of {part} shown: filter, or `--budget 0` for all", shown.len());
    }
    format!("{text}\n{part}, {tokens} tokens\n")
}

pub(super) fn search(args: &SearchArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let request = SearchRequest {
            mode: match (args.fields, args.text, args.links) {
                (true, _, _) => Mode::Frontmatter,
                (_, true, _) => Mode::Content,
                (_, _, true) => Mode::Links,
                _ => Mode::Words,
            },
            what: args.what.join(" "),
            filter: filter(&args.filter, reading.engine)?,
            limit: args.limit,
        };
        let found = reading.engine.memories().search(reading.index, &request)?;
        desk.keep_list(found.matches.iter().map(|it| it.candidate.card.id.as_str()));
        let answer = wire::list::Search::of(&found);
        let people = |screen: &Screen| people::search(&found, screen);
        desk.present(io, "search", answer, (|| search_text(&found), people))
    })
}

fn search_text(found: &Found) -> String {
    if found.matches.is_empty() {
        return "no memories match\n".to_owned();
    }
    let row = |one: &Match| {
        let card = &one.candidate.card;
        let place = shorten(&visible_line(&one.place), 100);
        [card.kind.clone(), card.id.clone(), state_mark(card.state), place]
    };
    table(found.matches.iter().map(row)) + &left_out(found.matches.len(), found.total)
}

pub(super) fn fresh(args: &FreshArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let stored = if args.names.is_empty() {
            let listing = engine.memories().list(&Filter::default())?;
            warn_unreadable(&listing, io);
            let is_wanted = |it: &Stored| args.all || it.memory.refresh_tier == Some(CHECKED_TIER);
            listing.stored.into_iter().filter(is_wanted).collect()
        } else {
            let found = args.names.iter().map(|name| engine.get(name));
            found.collect::<Result<Vec<Stored>, _>>()?
        };
        let report = engine.memories().fresh(&stored.iter().collect::<Vec<_>>());
        let is_named = !args.names.is_empty();
        let people = |screen: &Screen| {
            let stale = report.memories.iter().find(|it| it.verdict >= Verdict::Drifted);
            let hint = stale.map(fresh_hint);
            people::fresh(&report, is_named, (fresh_summary, hint), screen)
        };
        desk.present(io, "fresh", &report, (|| fresh_text(&report, is_named), people))
    })
}

/// The table, then what recall would say; every path when memories were named.
fn fresh_text(report: &FreshReport, is_named: bool) -> String {
    if report.memories.is_empty() {
        return "nothing to check\n".to_owned();
    }
    let row = |checked: &Checked| {
        [checked.verdict.to_string(), checked.id.clone(), fresh_summary(checked)]
    };
    let mut text = String::new();
    if is_named {
        let path = |path: &PathVerdict| [format!("  {}", path.verdict), path.reason.clone()];
        for checked in &report.memories {
            text.push_str(&table([row(checked)]));
            text.push_str(&table(checked.paths.iter().map(path)));
        }
    } else {
        text = table(report.memories.iter().map(row));
    }
    let section = render_section(&report.warnings);
    if !section.is_empty() {
        text.push_str(&format!("\n{section}"));
    }
    let stale = report.memories.iter().find(|checked| checked.verdict >= Verdict::Drifted);
    text + &stale.map(|it| format!("hint: {}\n", fresh_hint(it))).unwrap_or_default()
}

fn fresh_hint(stale: &Checked) -> String {
    let id = &stale.id;
    match stale.verdict {
        Verdict::Drifted => {
            format!("when it still holds, `oldhand verify {id}`; otherwise `oldhand update {id} …`")
        }
        _ => format!("name where the code is now: `oldhand update {id} --depends-on <path> …`"),
    }
}

fn fresh_summary(checked: &Checked) -> String {
    if let Some(reason) = checked.reason {
        return reason.to_owned();
    }
    let all = checked.paths.len();
    let counted_as = |from: Verdict| checked.paths.iter().filter(|p| p.verdict >= from).count();
    match (counted_as(Verdict::Drifted), counted_as(Verdict::Unknown)) {
        (0, 0) => counted(all, "path", "paths"),
        (0, unknown) => format!("{unknown} of {} not known", counted(all, "path", "paths")),
        (stale, _) => {
            format!("{stale} of {} {}", counted(all, "path", "paths"), how_stale(checked))
        }
    }
}

fn how_stale(checked: &Checked) -> &'static str {
    let is_any = |verdict: fn(Verdict) -> bool| checked.paths.iter().any(|p| verdict(p.verdict));
    let is_changed = is_any(|verdict| verdict == Verdict::Drifted);
    match (is_changed, is_any(|verdict| verdict > Verdict::Drifted)) {
        (true, true) => "changed or gone",
        (false, true) => "gone",
        _ => "changed",
    }
}
