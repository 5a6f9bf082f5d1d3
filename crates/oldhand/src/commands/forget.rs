//! `oldhand forget`: shows a memory, asks, and retires it. Without a terminal nobody is asked, and
//! nothing is done.

use oldhand_text::strings::visible;

use super::written::{Words, tell};
use crate::cli::ForgetArgs;
use crate::desk::Desk;
use crate::failure::{DONE, FINDING, Outcome};
use crate::printer::Io;

pub(super) fn run(args: &ForgetArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let stored = engine.get(&args.name)?;
        if !args.yes {
            if !desk.flags.json {
                io.text(&visible(&stored.text))?;
            }
            if desk.flags.json {
                let mut object = engine.export_json(&stored)?;
                object.insert("action".into(), serde_json::json!("asked"));
                object.insert(
                    "confirm".into(),
                    serde_json::json!(format!("oldhand forget {} --yes", args.name)),
                );
                io.json("forget", object)?;
                return Ok(FINDING);
            }
            if !desk.env.interactive {
                io.note(
                    "note",
                    &format!("nothing was forgotten: `oldhand forget {} --yes` does it", args.name),
                );
                return Ok(FINDING);
            }
            let question = format!("\nforget `{}`? It can be restored. [y/N] ", stored.memory.id);
            if !matches!(io.ask(&question)?.as_str(), "y" | "Y" | "yes") {
                io.text("nothing was forgotten\n")?;
                return Ok(DONE);
            }
        }
        let reason = if args.reason.is_empty() { "forgotten on request" } else { &args.reason };
        let mut words = Words::new("forget", "forgotten");
        words.hint = Some(format!("`oldhand restore {}` brings it back", args.name));
        tell(engine, desk, io, engine.retire(&args.name, reason)?, &words)
    })
}
