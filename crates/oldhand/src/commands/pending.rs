//! `oldhand pending`: what waits for a person.

use oldhand_core::pending::Pending;
use oldhand_text::time::format_day;
use wire::pending::{PendingList, PendingMatter};

use super::prelude::*;
use crate::cli::PendingArgs;

pub(super) fn run(args: &PendingArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        if let Some(name) = &args.name {
            let (pending, raw) = engine.get_pending(name)?;
            desk.print(io, "pending", &PendingMatter::of(&pending), || visible(&raw.text))?;
            return Ok(DONE);
        }
        let (waiting, odd) = engine.pending_list()?;
        odd.iter().for_each(|what| io.note("warning", &format!("can't be read: {what}")));
        desk.print(io, "pending", &PendingList::of(&waiting, &odd), || {
            let Some(first) = waiting.first() else {
                return if odd.is_empty() { "nothing waits\n".to_owned() } else { String::new() };
            };
            let row = |one: &Pending| {
                let by = visible_line(&one.via.beside(&one.by));
                [format_day(one.at), one.id.to_string(), by, visible_line(&one.headline())]
            };
            let hint = format!("hint: `oldhand pending {}` shows it and the ways on\n", first.id);
            table(waiting.iter().map(row)) + &hint
        })?;
        Ok(DONE)
    })
}
