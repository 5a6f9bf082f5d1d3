//! `oldhand resolve`: a person settles what waits.

use oldhand_app::pending::Resolution;
use oldhand_text::problem::Problem;
use oldhand_text::strings::visible_line;
use serde_json::{Map, json};

use crate::cli::ResolveArgs;
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Outcome};
use crate::format::facts;
use crate::printer::Io;

pub(super) fn run(args: &ResolveArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    // R96: it is a person's name that stands for it, not whoever happens to be logged in.
    if desk.flags.by.as_deref().is_none_or(|by| by.trim().is_empty()) {
        return Err(Problem::new("by", "the name of the person who decides", "nothing")
            .with_fix("add `--by <name>`; nothing was changed")
            .into());
    }
    let resolution = match (args.follow, args.supersede) {
        (true, _) => Resolution::Follow,
        (_, true) => Resolution::Supersede,
        _ => Resolution::KeepBoth,
    };
    desk.work(|engine| {
        let done = engine.resolve(&args.name, resolution, &args.reason)?;
        acknowledge(engine, io, done, |resolved, io| {
            let memory = resolved.memory.as_ref();
            if desk.flags.json {
                let mut object = Map::new();
                object.insert("pending".into(), json!(resolved.pending.id.as_str()));
                object.insert("resolution".into(), json!(resolved.resolution.as_str()));
                object.insert("memory".into(), json!(memory.map(|it| it.id.as_str())));
                object.insert("superseded".into(), json!(resolved.superseded));
                return io.json("resolve", object);
            }
            let word = match resolved.resolution {
                Resolution::Follow => "dropped",
                Resolution::Supersede => "reversed",
                Resolution::KeepBoth => "kept both",
            };
            io.text(&format!("{word}: {}\n", visible_line(&resolved.pending.headline())))?;
            io.text(&facts(&[
                ("by", engine.by.to_owned()),
                ("memory", memory.map(|it| it.id.to_string()).unwrap_or_default()),
                ("state", memory.map(|it| it.state.to_string()).unwrap_or_default()),
                ("superseded", resolved.superseded.join(", ")),
            ]))
        })?;
        Ok(DONE)
    })
}
