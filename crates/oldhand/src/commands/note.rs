//! `oldhand note`: one line about the work, on disk when it is acknowledged.

use oldhand_app::wire::session::WrittenNote;
use oldhand_sessions::notes::{Item, ItemState, NoteKind, Notes, What, checked};
use oldhand_text::problem::Problem;
use oldhand_text::strings::visible_line;

use crate::cli::{NoteAction, NoteArgs};
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::{DONE, Fail, Outcome};
use oldhand_desk::printer::Io;

pub(super) fn run(args: &NoteArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let session = desk.session(args.session.as_deref())?;
    let mut said = None;
    let notes = session.update(desk.now, |notes| {
        let what = what(&args.action, notes)?;
        said = Some(what.clone());
        Ok(vec![what])
    })?;
    let Some(what) = said else { return Ok(DONE) };
    let item = match &what {
        What::Close { item, .. } | What::Drop { item } => notes.item(*item),
        // One that was on the list is done there.
        What::Note { kind: NoteKind::Done, text, .. } => notes
            .completed()
            .into_iter()
            .rev()
            .find(|item| item.text.eq_ignore_ascii_case(text))
            .or(notes.items.last()),
        _ => notes.items.last(),
    };
    let answer = WrittenNote::of(&session.name, item, &notes);
    io.answer(desk.flags.json, "note", answer, || {
        item.map(|item| format!("{}\n", row(item).join("  "))).unwrap_or_default()
    })?;
    Ok(DONE)
}

fn what(action: &NoteAction, notes: &Notes) -> Result<What, Fail> {
    let note = |kind, text: &[String], outcome: Option<&String>| -> Result<What, Fail> {
        let text = checked("text", &text.join(" "))?;
        let outcome = outcome.map(|it| checked("outcome", it)).transpose()?.unwrap_or_default();
        Ok(What::Note { kind, text, outcome })
    };
    let close = |item: usize, kind, text: &[String]| -> Result<What, Fail> {
        refuse_unknown(notes, item, Some(kind))?;
        Ok(What::Close { item, outcome: checked("text", &text.join(" "))? })
    };
    match action {
        NoteAction::Done { text } => match numbered(text) {
            Some(item) => {
                refuse_unknown(notes, item, None)?;
                Ok(What::Close { item, outcome: String::new() })
            }
            None => note(NoteKind::Done, text, None),
        },
        NoteAction::Remaining { text } => note(NoteKind::Remaining, text, None),
        NoteAction::Error { text, fix } => note(NoteKind::Error, text, fix.as_ref()),
        NoteAction::Question { text, answer } => note(NoteKind::Question, text, answer.as_ref()),
        NoteAction::Fix { item, text } => close(*item, NoteKind::Error, text),
        NoteAction::Answer { item, text } => close(*item, NoteKind::Question, text),
        NoteAction::Drop { item } => {
            refuse_unknown(notes, *item, None)?;
            Ok(What::Drop { item: *item })
        }
    }
}

/// `done 3`.
fn numbered(text: &[String]) -> Option<usize> {
    match text {
        [only] => only.trim_start_matches('#').parse().ok(),
        _ => None,
    }
}

pub(super) fn refuse_unknown(
    notes: &Notes,
    number: usize,
    kind: Option<NoteKind>,
) -> Result<&Item, Problem> {
    let is_meant = |item: &&Item| kind.is_none_or(|kind| item.kind == kind);
    notes.item(number).filter(is_meant).ok_or_else(|| {
        let expected = match kind {
            Some(kind) => format!("the number of a note of the sort `{}`", kind.as_str()),
            None => "the number of a note of this session".to_owned(),
        };
        Problem::new("item", &expected, &number.to_string())
            .with_fix("`oldhand notes` shows the numbers")
    })
}

pub(super) fn row(item: &Item) -> Vec<String> {
    let standing = match (item.standing, item.kind) {
        (ItemState::Dropped, _) => "dropped",
        (ItemState::Closed, NoteKind::Remaining) => "done",
        _ => item.kind.as_str(),
    };
    vec![format!("{:>3}", item.number), format!("{standing:9}"), visible_line(&item.line())]
}
