//! `oldhand add`: a memory of a kind, by flags or as a whole record.

use oldhand_app::placement::Placement;
use oldhand_core::draft::Draft;
use oldhand_core::memory::MemoryId;
use oldhand_core::origin::Origin;

use super::prelude::*;
use super::written::{Words, tell};
use oldhand_desk::creating::{create, place};
use oldhand_desk::input::read_draft;

pub(super) fn run(args: &AddArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let origin = desk.origin(args.fields.origin.as_deref())?;
    let resolved = desk.resolve(desk.layout().ok().as_ref())?;
    let kinds = &resolved.settings.kinds;
    let mut draft = read_draft(args.from.as_ref(), &desk.current_dir(), kinds, io)?;
    if let Some(kind) = &args.kind {
        let kind = kinds.parse(kind)?;
        if let Some(said) = draft.kind.as_ref().filter(|said| **said != kind) {
            let problem =
                Problem::new("category", &format!("`{kind}`, as the command says"), said.as_str());
            return Err(problem.with_fix("leave one of the two out").into());
        }
        draft.kind = Some(kind);
    }
    let Some(kind) = draft.kind.clone() else {
        return Err(Fail::usage(
            "which kind of memory?",
            "say it, as in `oldhand add decision …`, or give it as `category` in the record",
        ));
    };
    if let Some(id) = &args.id {
        oldhand_core::write::refuse_path(id)?;
        draft.id = Some(MemoryId::parse(id)?.to_string());
    }
    args.fields.put_into(&mut draft, &args.content, &kind, kinds)?;
    let mut policy = resolved.settings.write.clone();
    policy.decisions_example_only &= !args.into_log;
    let placement = place(&draft, &kind, desk, &policy)?;
    write_new(&draft, (origin, placement), desk, io, Words::new("add", "added"))
}

pub(super) fn write_new(
    draft: &Draft,
    (origin, placement): (Origin, Placement),
    desk: &Desk<'_>,
    io: &mut Io<'_>,
    mut words: Words<'_>,
) -> Outcome {
    if placement == Placement::User {
        let root = desk.user_layout()?.root;
        words.more.push(("store", format!("your own: {}", root.display())));
    }
    create(draft, (origin, placement), desk, |engine, done| tell(engine, desk, io, done, &words))
}
