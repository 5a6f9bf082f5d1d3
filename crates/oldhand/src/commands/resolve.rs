//! `oldhand resolve`: a person settles what waits.

use oldhand_app::pending::Resolution;
use oldhand_text::problem::Problem;
use wire::pending::ResolvedMatter;

use super::prelude::*;
use crate::cli::ResolveArgs;

pub(super) fn run(args: &ResolveArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    // R96: it is a person's name that stands for it, not whoever happens to be logged in.
    if desk.flags.by.as_deref().is_none_or(|by| by.trim().is_empty()) {
        return Err(Problem::new("by", "the name of the person who decides", "nothing")
            .with_fix("add `--by <name>`; nothing was changed")
            .into());
    }
    let (resolution, word) = match (args.follow, args.supersede) {
        (true, _) => (Resolution::Follow, "dropped"),
        (_, true) => (Resolution::Supersede, "reversed"),
        _ => (Resolution::KeepBoth, "kept both"),
    };
    desk.work(|engine| {
        let done = engine.resolve(&args.name, resolution, &args.reason)?;
        acknowledge(engine, io, done, |resolved, io| {
            desk.print(io, "resolve", &ResolvedMatter::of(resolved), || {
                let memory = resolved.memory.as_ref();
                let facts = facts(&[
                    ("by", engine.by.to_owned()),
                    ("memory", memory.map(|it| it.id.to_string()).unwrap_or_default()),
                    ("state", memory.map(|it| it.state.to_string()).unwrap_or_default()),
                    ("superseded", resolved.superseded.join(", ")),
                ]);
                format!("{word}: {}\n{facts}", visible_line(&resolved.pending.headline()))
            })
        })?;
        Ok(DONE)
    })
}
