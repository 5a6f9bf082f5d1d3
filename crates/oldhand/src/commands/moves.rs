//! `retire`, `restore`, `archive`, `unarchive`: one memory between states.

use super::written::{Words, tell};
use crate::cli::{NameArgs, ReasonArgs, RestoreArgs};
use crate::desk::Desk;
use crate::failure::Outcome;
use crate::printer::Io;

pub(super) fn retire(args: &ReasonArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let mut words = Words::new("retire", "retired");
        words.hint = Some(format!("`oldhand restore {}` brings it back", args.name));
        tell(engine, desk, io, engine.retire(&args.name, &args.reason)?, &words)
    })
}

pub(super) fn restore(args: &RestoreArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let done = match &args.version {
            Some(version) => engine.restore_version(&args.name, version)?,
            None => engine.restore(&args.name)?,
        };
        tell(engine, desk, io, done, &Words::new("restore", "restored"))
    })
}

pub(super) fn archive(args: &ReasonArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let mut words = Words::new("archive", "archived");
        words.hint = Some(format!("`oldhand unarchive {}` brings it back", args.name));
        tell(engine, desk, io, engine.archive(&args.name, &args.reason)?, &words)
    })
}

pub(super) fn unarchive(args: &NameArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        tell(
            engine,
            desk,
            io,
            engine.unarchive(&args.name)?,
            &Words::new("unarchive", "unarchived"),
        )
    })
}
