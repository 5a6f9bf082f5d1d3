//! `oldhand status`, and `oldhand` alone: what waits, what this week brought, and what to do next;
//! `oldhand help`: which commands there are.

use std::ffi::OsString;

use oldhand_app::status::StoreStatus;
use oldhand_screen::Screen;
use oldhand_store::locate::Located;

use super::prelude::*;
use super::stats::RECEIPTS;
use crate::{help as pages, usage};

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if !desk.flags.global && matches!(desk.located()?, Located::Missing { .. }) {
        let begin = StoreStatus::without_store();
        let text = || {
            "there is no store here yet\nhint: `oldhand init` makes one, `oldhand tour` shows the \
             first five minutes, `oldhand help` lists the everyday commands\n"
                .to_owned()
        };
        return desk.present(io, "status", begin, (text, people::beginning));
    }
    desk.work(|engine| {
        let sessions = desk.sessions();
        let receipts = sessions.as_ref().map(|it| it.receipts(None, RECEIPTS)).unwrap_or_default();
        let log = sessions.as_ref().map(|it| it.hook_lines()).unwrap_or_default();
        let root = desk.layout()?.root.display().to_string();
        let status = StoreStatus { store: root, ..engine.care().status(&receipts, &log)? };
        let name = desk.worktree().file_name().map(|it| it.to_string_lossy().into_owned());
        let name = if desk.flags.global { None } else { name };
        let name = name.unwrap_or_else(|| "your own store".to_owned());
        let people = |screen: &Screen| people::status(&status, &name, screen);
        desk.present(io, "status", &status, (|| text(&status), people))
    })
}

fn text(status: &StoreStatus) -> String {
    let waiting = status.causes().into_iter();
    let waiting: Vec<String> = waiting
        .map(|(cause, count)| format!("{count} {}", people::cause_words(cause, count)))
        .collect();
    let week = &status.week;
    let health = match status.health.reason.as_str() {
        "" => status.health.status.as_str().to_owned(),
        reason => format!("{}: {reason}", status.health.status.as_str()),
    };
    let nothing = || "nothing".to_owned();
    let waiting = if waiting.is_empty() { nothing() } else { waiting.join(", ") };
    let facts = facts(&[
        ("waiting", waiting),
        (
            "this week",
            format!("{} served, {} captured, {} new", week.served, week.captured, week.added),
        ),
        ("health", health),
    ]);
    let memories = counted(status.memories, "memory", "memories");
    format!("{memories}\n{facts}hint: `{}`: {}\n", status.next.command, status.next.why)
}

/// The everyday commands, all of them, or one.
pub(super) fn help(words: &[String], all: bool, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if words.is_empty() {
        let command = crate::command();
        let page = if all { pages::all } else { pages::everyday };
        desk.page(&page(&command, &usage::screen(desk)), io)?;
        return Ok(DONE);
    }
    // One line per option fits most screens; a file has room for all.
    let flag = if desk.screen().is_some() { "-h" } else { "--help" }.to_owned();
    let words = ["oldhand".to_owned()].into_iter().chain(words.iter().cloned()).chain([flag]);
    let words: Vec<OsString> = words.map(OsString::from).collect();
    match crate::command().try_get_matches_from(words) {
        Err(error) => Ok(usage::report(&error, desk.flags.json, desk, io)),
        // Help always ends the parsing.
        Ok(_) => Ok(DONE),
    }
}
