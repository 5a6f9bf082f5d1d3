//! `oldhand show`: one memory, with what it has earned; `oldhand history`: what happened to it, and
//! who did it.

use oldhand_app::history::{History, describe};
use oldhand_core::signals::Signals;
use oldhand_core::write;
use oldhand_screen::Screen;

use super::prelude::*;

pub(super) fn show(args: &ShowArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let stored = engine.get(&args.name)?;
        if args.raw {
            io.text(&stored.text)?;
            return Ok(DONE);
        }
        if desk.flags.json {
            io.json("memory", engine.exchange().export(&stored)?)?;
            return Ok(DONE);
        }
        let memory = &stored.memory;
        let mut signals = engine.signals(memory)?;
        signals.compare(stored.hash);
        let kinds = &engine.settings.kinds;
        let whole = || text_of(&stored, &signals);
        let people = |screen: &Screen| people::show(&stored, &signals, kinds, screen);
        desk.present(io, "memory", (), (whole, people))?;
        for problem in &stored.problems {
            io.note("warning", &format!("{}: {problem}", stored.path));
        }
        if let Err(refusal) = write::refuse_newer(memory) {
            io.note("warning", &refusal.message);
        }
        Ok(DONE)
    })
}

fn text_of(stored: &Stored, signals: &Signals) -> String {
    let memory = &stored.memory;
    let facts = facts(&[
        ("id", memory.id.to_string()),
        ("kind", memory.kind.to_string()),
        ("state", format!("{}, scope {}, trust {}", memory.state, memory.scope, signals.trust)),
        ("standing", signals.standing().to_owned()),
        ("file", stored.path.clone()),
        ("hash", stored.hash.short()),
    ]);
    let end = if stored.text.ends_with('\n') { "" } else { "\n" };
    let (title, text) = (visible_line(&memory.title), visible(&stored.text));
    format!("{title}\n{facts}\n{text}{end}")
}

pub(super) fn history(args: &NameArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let history = engine.trail().history(&args.name)?;
        let people = |screen: &Screen| people::history(&history, screen);
        desk.present(io, "history", &history, (|| text(&history), people))
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
    if history.merged_since {
        text.push_str("merged by git since; `oldhand doctor` records it\n");
    }
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
