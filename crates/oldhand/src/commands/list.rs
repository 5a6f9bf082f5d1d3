//! `oldhand list`, `oldhand index` and `oldhand search`: what there is, filtered.

use oldhand_app::list::{Filter, Listing};
use oldhand_app::registry::Registry;
use oldhand_app::search::{Found, Match, Mode, SearchRequest};
use oldhand_core::state::RecordStatus;
use oldhand_store::port::Stored;
use oldhand_store::port::index::Index;
use wire::list::RegistryPage;

use super::prelude::*;
use oldhand_desk::format::state_mark;

pub(super) fn list(args: &ListArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let filter = Filter {
            status: args.status.as_deref().map(RecordStatus::parse).transpose()?,
            level: args.level.clone(),
            path: args.path.clone(),
            limit: args.limit,
            ..filter(&args.filter, engine)?
        };
        let listing = engine.memories().list(&filter)?;
        desk.print(io, "list", wire::list::List::of(&listing), || list_text(&listing))?;
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

pub(super) fn warn_unreadable(listing: &Listing, io: &mut Io<'_>) {
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
            mode: match args.mode {
                SearchMode::Frontmatter => Mode::Frontmatter,
                SearchMode::Content => Mode::Content,
                SearchMode::Links => Mode::Links,
            },
            what: args.what.join(" "),
            filter: filter(&args.filter, reading.engine)?,
            limit: args.limit,
        };
        let found = reading.engine.memories().search(reading.index, &request)?;
        desk.print(io, "search", wire::list::Search::of(&found), || search_text(&found))
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
