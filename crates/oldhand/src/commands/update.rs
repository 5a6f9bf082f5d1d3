//! `oldhand update`: some fields of a memory.

use oldhand_core::draft::Draft;
use oldhand_core::problem::Problem;
use oldhand_engine::update::UpdateRequest;

use super::written::{Words, tell};
use crate::cli::UpdateArgs;
use crate::desk::Desk;
use crate::failure::Outcome;
use crate::fields::put_content;
use crate::printer::Io;

pub(super) fn run(args: &UpdateArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let kinds = &engine.settings.kinds;
        let kind = engine.get(&args.name)?.memory.kind;
        let mut draft = match &args.from {
            Some(source) => crate::input::read_record(source, &desk.current_dir(), kinds, io)?,
            None => Draft::default(),
        };
        let is_record = args.from.is_some();
        args.fields.put_into(&mut draft);
        if args.fields.origin.is_some() {
            return Err(Problem::new("origin", "nothing: it is who said it first", "a value")
                .with_fix("leave `--origin` out")
                .into());
        }
        put_content(&mut draft, &args.content, args.fields.set_values()?, &kind, kinds)?;
        let request = UpdateRequest {
            name: &args.name,
            draft: &draft,
            // Flags add to lists; a record says what the lists shall be.
            grow: !is_record,
            summary: args.note.as_deref(),
            if_match: args.if_match.as_deref(),
        };
        tell(engine, desk, io, engine.update(&request)?, &Words::new("update", "updated"))
    })
}
