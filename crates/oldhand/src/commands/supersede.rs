//! `oldhand supersede`: a memory gives way to another one.

use oldhand_app::Engine;
use oldhand_app::moves::Successor;
use oldhand_core::draft::Draft;
use oldhand_core::origin::Origin;
use oldhand_core::yaml::Yaml;
use oldhand_text::strings::visible_line;
use serde_json::{Map, json};

use crate::cli::SupersedeArgs;
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Fail, Outcome};
use crate::fields::put_content;
use crate::format::facts;
use crate::printer::Io;

pub(super) fn run(args: &SupersedeArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let origin = desk.origin(args.fields.origin.as_deref())?;
    desk.work(|engine| {
        let kinds = &engine.settings.kinds;
        let old = engine.get(&args.name)?.memory;
        let mut draft = match &args.from {
            Some(source) => crate::input::read_record(source, &desk.current_dir(), kinds, io)?,
            None => Draft::default(),
        };
        args.fields.put_into(&mut draft);
        let kind = draft.kind.clone().unwrap_or_else(|| old.kind.clone());
        put_content(&mut draft, &args.content, args.fields.set_values()?, &kind, kinds)?;
        let is_new = draft != Draft::default();
        let successor = match (&args.by_memory, is_new) {
            (Some(by), false) => Successor::Existing(by),
            (None, true) => {
                inherit(&mut draft, &old);
                Successor::New(&draft)
            }
            (Some(_), true) => {
                return Err(Fail::usage(
                    "the successor is either there already or new",
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
        let done = engine.supersede(&args.name, &successor, &args.because, origin)?;
        acknowledge(engine, io, done, |superseded, io| {
            let (old, new) = (&superseded.old, &superseded.new);
            if desk.flags.json {
                let mut object = Map::new();
                object.insert("superseded".into(), json!(old.id.as_str()));
                object.insert("by".into(), json!(new.id.as_str()));
                object.insert("title".into(), json!(new.title));
                return io.json("supersede", object);
            }
            io.text(&format!("superseded: {}\n", visible_line(&old.title)))?;
            io.text(&facts(&[
                ("old", old.id.to_string()),
                ("new", new.id.to_string()),
                ("title", visible_line(&new.title)),
            ]))
        })?;
        Ok(DONE)
    })
}

/// A successor is about the same thing unless it says otherwise.
fn inherit(draft: &mut Draft, old: &oldhand_core::memory::Memory) {
    let lines = [("domain", &old.domain), ("level", &old.level)];
    for (key, value) in lines {
        if let (None, Some(value)) = (draft.get(key), value) {
            draft.set(key, Yaml::text(value.clone()));
        }
    }
    let lists = [("tags", &old.tags), ("related_files", &old.related_files)];
    for (key, values) in lists {
        if draft.get(key).is_none() && !values.is_empty() {
            draft.set(key, Yaml::list(values));
        }
    }
    if draft.get("scope").is_none() {
        draft.set("scope", Yaml::text(old.scope.to_string()));
    }
}
