//! `oldhand edit`: the text in `$EDITOR`, checked before it replaces the old one. What was typed
//! is kept in a file until it is accepted.

use std::process::Command;

use tempfile::NamedTempFile;

use super::prelude::*;
use super::written::{Words, tell};

pub(super) fn run(args: &NameArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
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
