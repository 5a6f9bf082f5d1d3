//! `oldhand update`: some fields of a memory; `oldhand edit`: its text in `$EDITOR`, checked before it
//! replaces the old one; `oldhand supersede`: it gives way to another one.

use std::process::Command;

use oldhand_app::moves::Successor;
use oldhand_app::update::{UpdateRequest, lifted};
use oldhand_core::yaml::Yaml;
use tempfile::NamedTempFile;
use wire::memory::SupersededMemory;

use super::prelude::*;
use super::written::{Words, tell};
use oldhand_desk::input::read_draft;

pub(super) fn update(args: &UpdateArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
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
        args.standing.put_into(&mut draft);
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
            if_match: args.if_match.as_deref(),
            kind: args.kind.is_some().then_some(&kind),
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

pub(super) fn edit(args: &NameArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let before = engine.writing().raw(&args.name)?;
        let editor = desk.env.var("VISUAL").or(desk.env.var("EDITOR")).unwrap_or("vi");
        let mut file =
            tempfile::Builder::new().prefix(&format!("{}-", args.name)).suffix(".md").tempfile()?;
        std::io::Write::write_all(&mut file, before.text.as_bytes())?;
        let ran = run_editor(editor, file.path(), desk);
        let bytes = std::fs::read(file.path())?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Refusal::new(Code::Validation, "the edited text is not UTF-8").into());
        let text = match ran.and(text) {
            Ok(text) => text,
            Err(fail) => return keep_typed(file, &before.text, fail, io),
        };
        if text == before.text {
            let answer = wire::program::Unchanged { action: "unchanged" };
            return desk.print(io, "edit", &answer, || "nothing was changed\n".to_owned());
        }
        match engine.writing().replace_text(&args.name, &text, &before.hash.to_string()) {
            Ok(done) => tell(engine, desk, io, done, &Words::new("edit", "edited")),
            Err(failure) => keep_typed(file, &before.text, failure.into(), io),
        }
    })
}

/// What somebody typed is not thrown away because a rule, or the editor, said no.
fn keep_typed(file: NamedTempFile, before: &str, fail: Fail, io: &mut Io<'_>) -> Outcome {
    if std::fs::read(file.path())? != before.as_bytes() {
        let kept = file.into_temp_path().keep().map_err(|error| error.error)?;
        io.note("note", &format!("your text is kept in `{}`", kept.display()));
    }
    Err(fail)
}

/// The editor may have arguments; it is run without a shell.
fn run_editor(editor: &str, path: &std::path::Path, desk: &Desk<'_>) -> Result<(), Fail> {
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let status = Command::new(program)
        .args(words)
        .arg(path)
        .current_dir(desk.current_dir())
        .status()
        .map_err(|error| {
            Fail::usage(
                format!("could not run the editor `{program}`: {error}"),
                "set `EDITOR` to an installed editor",
            )
        })?;
    if status.success() {
        return Ok(());
    }
    Err(Fail::usage(format!("the editor `{editor}` ended with {status}"), "nothing was changed"))
}

pub(super) fn supersede(args: &SupersedeArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
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
                args.standing().put_into(&mut draft);
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
            let facts = vec![
                ("old", old.id.to_string()),
                ("new", new.id.to_string()),
                ("title", visible_line(&new.title)),
            ];
            Deed { verb: "superseded", title: old.title.clone(), facts, ..Deed::default() }
                .tell(("supersede", SupersededMemory::of(&superseded)), desk, io)
        })
    })
}
