//! `oldhand verify`: somebody looked, and it still holds.

use super::written::{Words, tell};
use crate::cli::NameArgs;
use crate::desk::Desk;
use crate::failure::Outcome;
use crate::printer::Io;

pub(super) fn run(args: &NameArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        tell(engine, desk, io, engine.verify(&args.name)?, &Words::new("verify", "verified"))
    })
}
