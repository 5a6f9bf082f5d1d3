//! `oldhand update`: some fields of a memory.

use oldhand_app::update::{UpdateRequest, lifted};
use oldhand_core::draft::Draft;
use oldhand_core::origin::Origin;
use oldhand_core::yaml::Yaml;

use super::prelude::*;
use super::written::{Words, tell};
use oldhand_desk::input::read_draft;

pub(super) fn run(args: &UpdateArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let kinds = &engine.settings.kinds;
        let kind = match &args.kind {
            Some(kind) => kinds.parse(kind)?,
            None => engine.get(&args.name)?.memory.kind,
        };
        let mut draft = read_draft(args.from.as_ref(), &desk.current_dir(), kinds, io)?;
        if args.fields.origin.is_some() {
            return Err(Problem::new("origin", "nothing: it is who said it first", "a value")
                .with_fix("leave `--origin` out")
                .into());
        }
        args.fields.put_into(&mut draft, &args.content, &kind, kinds)?;
        let is_lift = draft.get("scope").and_then(Yaml::as_text) == Some("global");
        if is_lift && !desk.flags.global && engine.is_person {
            return lift(&args.name, &draft, engine, desk, io);
        }
        let request = UpdateRequest {
            name: &args.name,
            draft: &draft,
            // Flags add to lists; a record says what the lists shall be.
            grow: args.from.is_none(),
            summary: args.note.as_deref(),
            kind: args.kind.is_some().then_some(&kind),
            if_match: args.if_match.as_deref(),
        };
        let done = engine.writing().update(&request)?;
        tell(engine, desk, io, done, &Words::new("update", "updated"))
    })
}

/// A person makes a project's memory one of all projects: it moves into their own store.
fn lift(
    name: &str,
    changes: &Draft,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let stored = engine.get(name)?;
    let draft = lifted(&stored.memory, changes);
    let layout = desk.user_layout()?;
    desk.make_user_store(&layout)?;
    // Written there before it goes here: whatever fails in between, it is in one of the two.
    let words = Words::new("update", "lifted into your own store");
    let outcome = desk.work_in(layout, |own| {
        tell(own, desk, io, own.writing().create(&draft, Origin::User)?, &words)
    })?;
    let reason = "lifted into the user's own store";
    acknowledge(engine, io, engine.life().retire(stored.memory.id.as_str(), reason)?, |_, _| {
        Ok(outcome)
    })
}
