//! `oldhand list`: what there is, filtered.

use oldhand_app::list::{Filter, Listing};
use oldhand_core::state::RecordStatus;
use oldhand_store::port::Stored;
use oldhand_text::problem::Problem;
use oldhand_text::strings::shorten;

use super::prelude::*;
use crate::cli::{FilterFlags, ListArgs};
use oldhand_desk::format::state_mark;

pub(super) fn run(args: &ListArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let filter = Filter {
            status: args.status.as_deref().map(RecordStatus::parse).transpose()?,
            level: args.level.clone(),
            path: args.path.clone(),
            limit: args.limit,
            ..filter(&args.filter, engine)?
        };
        let listing = engine.list(&filter)?;
        desk.print(io, "list", &wire::list::List::of(&listing), || text(&listing))?;
        warn_unreadable(&listing, io);
        Ok(DONE)
    })
}

/// The flags that several commands share.
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

fn text(listing: &Listing) -> String {
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
