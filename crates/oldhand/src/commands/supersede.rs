//! `oldhand supersede`: a memory gives way to another one.

use oldhand_app::moves::Successor;
use oldhand_core::draft::Draft;
use oldhand_core::origin::Origin;
use wire::memory::SupersededMemory;

use super::prelude::*;
use oldhand_desk::input::read_draft;

pub(super) fn run(args: &SupersedeArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let origin = desk.origin(args.fields.origin.as_deref())?;
    desk.work(|engine| {
        let kinds = &engine.settings.kinds;
        let old = engine.get(&args.name)?.memory;
        let mut draft = read_draft(args.from.as_ref(), &desk.current_dir(), kinds, io)?;
        let kind = draft.kind.clone().unwrap_or_else(|| old.kind.clone());
        args.fields.put_into(&mut draft, &args.content, &kind, kinds)?;
        let is_new = draft != Draft::default();
        let successor = match (&args.by_memory, is_new) {
            (Some(by), false) => Successor::Existing(by),
            (None, true) => {
                draft.inherit(&old);
                Successor::New(&draft)
            }
            (Some(_), true) => {
                return Err(Fail::usage(
                    "a successor is either an existing memory or a new one",
                    "give `--by-memory`, or the fields of a new one, not both",
                ));
            }
            (None, false) => {
                return Err(Fail::usage(
                    "what supersedes it?",
                    "name it with `--by-memory <id>`, or give `--title` and the fields of a new one",
                ));
            }
        };
        // Whoever says that an agent speaks is not taken for a person.
        let is_stated = args.fields.origin.is_some() && origin != Origin::User;
        let engine = &Engine { is_person: engine.is_person && !is_stated, ..*engine };
        let done = engine.life().supersede(&args.name, &successor, &args.because, origin)?;
        acknowledge(engine, io, done, |superseded, io| {
            let (old, new) = (&superseded.old, &superseded.new);
            desk.print(io, "supersede", SupersededMemory::of(&superseded), || {
                let facts = facts(&[
                    ("old", old.id.to_string()),
                    ("new", new.id.to_string()),
                    ("title", visible_line(&new.title)),
                ]);
                format!("superseded: {}\n{facts}", visible_line(&old.title))
            })
        })
    })
}
