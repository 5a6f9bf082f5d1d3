//! `oldhand show`: one memory, with what it has earned.

use oldhand_core::write;
use oldhand_text::strings::{visible, visible_line};

use crate::cli::ShowArgs;
use crate::desk::Desk;
use crate::failure::{DONE, Outcome};
use crate::format::facts;
use crate::printer::Io;

pub(super) fn run(args: &ShowArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let stored = engine.get(&args.name)?;
        if args.raw {
            io.text(&stored.text)?;
            return Ok(DONE);
        }
        if desk.flags.json {
            let object = engine.export_json(&stored)?;
            io.json("memory", object)?;
            return Ok(DONE);
        }
        let memory = &stored.memory;
        let signals = engine.signals(memory)?;
        io.text(&format!("{}\n", visible_line(&memory.title)))?;
        io.text(&facts(&[
            ("id", memory.id.to_string()),
            ("kind", memory.kind.to_string()),
            ("state", format!("{}, scope {}, trust {}", memory.state, memory.scope, signals.trust)),
            ("file", stored.path.clone()),
            ("hash", stored.hash.short()),
        ]))?;
        io.text("\n")?;
        io.text(&visible(&stored.text))?;
        if !stored.text.ends_with('\n') {
            io.text("\n")?;
        }
        for problem in &stored.problems {
            io.note("warning", &format!("{}: {problem}", stored.path));
        }
        if let Err(refusal) = write::refuse_newer(memory) {
            io.note("warning", &refusal.message);
        }
        Ok(DONE)
    })
}
