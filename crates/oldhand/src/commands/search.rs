//! `oldhand search`: the three modes: by field, by text, along the links.

use oldhand_app::search::{Found, Match, Mode, SearchRequest};
use oldhand_text::strings::shorten;

use super::list::filter;
use super::prelude::*;
use crate::cli::{SearchArgs, SearchMode};
use oldhand_desk::format::state_mark;

pub(super) fn run(args: &SearchArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
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
        let found = reading.engine.search(reading.index, &request)?;
        desk.print(io, "search", &wire::list::Search::of(&found), || text(&found))?;
        Ok(DONE)
    })
}

fn text(found: &Found) -> String {
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
