//! `oldhand history`: what happened to a memory, and who did it.

use oldhand_app::history::{History, describe};
use oldhand_text::time::format_instant;

use super::prelude::*;
use crate::cli::NameArgs;

pub(super) fn run(args: &NameArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let history = engine.history(&args.name)?;
        desk.print(io, "history", &history, || text(&history))?;
        Ok(DONE)
    })
}

fn text(history: &History) -> String {
    let mut rows = Vec::new();
    for step in &history.steps {
        let event = &step.event;
        let at = format_instant(event.at);
        if step.edited_before {
            let what = "edited by hand before this".to_owned();
            rows.push([at.clone(), "external".to_owned(), what]);
        }
        rows.push([at, visible_line(&event.via.beside(&event.by)), describe(event)]);
    }
    let mut text = table(rows);
    if history.edited_since {
        text.push_str("edited by hand since; `oldhand doctor` records it\n");
    }
    if history.is_unreadable {
        text.push_str("the file can't be read; `oldhand doctor` tells more\n");
    } else if history.id.is_none() {
        text.push_str("the file is gone\n");
    }
    text
}
