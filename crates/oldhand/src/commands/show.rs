//! `oldhand show`: one memory, with what it has earned.

use oldhand_core::write;

use super::prelude::*;
use crate::cli::ShowArgs;

pub(super) fn run(args: &ShowArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let stored = engine.get(&args.name)?;
        if args.raw {
            io.text(&stored.text)?;
            return Ok(DONE);
        }
        if desk.flags.json {
            io.json("memory", engine.export(&stored)?)?;
            return Ok(DONE);
        }
        let memory = &stored.memory;
        let signals = engine.signals(memory)?;
        let facts = facts(&[
            ("id", memory.id.to_string()),
            ("kind", memory.kind.to_string()),
            ("state", format!("{}, scope {}, trust {}", memory.state, memory.scope, signals.trust)),
            ("file", stored.path.clone()),
            ("hash", stored.hash.short()),
        ]);
        let end = if stored.text.ends_with('\n') { "" } else { "\n" };
        let (title, text) = (visible_line(&memory.title), visible(&stored.text));
        io.text(&format!("{title}\n{facts}\n{text}{end}"))?;
        for problem in &stored.problems {
            io.note("warning", &format!("{}: {problem}", stored.path));
        }
        if let Err(refusal) = write::refuse_newer(memory) {
            io.note("warning", &refusal.message);
        }
        Ok(DONE)
    })
}
