//! `oldhand note`: one line about the work, on disk when it is acknowledged; `oldhand notes`: what a
//! session noted, and at its end what of it shall last (R147 to R149).

use oldhand_sessions::notes::{Item, ItemState, NoteKind, Notes, What, checked};
use oldhand_store::port::session_state::SessionState;
use wire::session::{
    DiscardedNotes, KeptNote, KnownSession, KnownSessions, SessionNotes, WrittenNote,
};

use super::prelude::*;
use oldhand_desk::session::Session;
use oldhand_screen::Screen;

pub(super) fn note(args: &NoteArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let session = desk.session(args.session.as_deref())?;
    let mut said = None;
    let notes = session.update_notes(desk.now, |notes| {
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
    desk.print(io, "note", answer, || {
        item.map(|item| format!("{}\n", row(item).join("  "))).unwrap_or_default()
    })
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

pub(super) fn row(item: &Item) -> [String; 3] {
    let standing = match (item.standing, item.kind) {
        (ItemState::Dropped, _) => "dropped",
        (ItemState::Closed, NoteKind::Remaining) => "done",
        _ => item.kind.as_str(),
    };
    [format!("{:>3}", item.number), format!("{standing:9}"), visible_line(&item.line())]
}

pub(super) fn notes(args: &NotesArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    match &args.action {
        Some(NotesAction::Keep { item, kind, session }) => {
            keep(*item, kind.as_deref(), session.as_deref(), desk, io)
        }
        Some(NotesAction::Discard { session }) => discard(session.as_deref(), desk, io),
        None if args.all => all(desk, io),
        None => show(&desk.known_session(args.session.as_deref())?, desk, io),
    }
}

fn show(session: &Session<'_>, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let notes = session.notes()?;
    let whose = session.label();
    let agent = || {
        if notes.is_empty() {
            return format!("no notes of {whose}\n");
        }
        let mut text = format!("notes of {whose} ({} open)\n", notes.open());
        if !notes.objective.is_empty() {
            text.push_str(&format!("objective: {}\n", visible_line(&notes.objective)));
        }
        text + &table(notes.items.iter().map(row))
    };
    let people = |screen: &Screen| people::notes(&notes, &whose, screen);
    desk.present(io, "notes", SessionNotes::of(&session.name, &notes), (agent, people))
}

fn all(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let store = desk.own_sessions()?;
    let worktree = desk.worktree().to_string_lossy().into_owned();
    let is_here = |known: &SessionState| {
        let place = &known.presence.worktree;
        place.is_empty() || *place == worktree
    };
    let sessions: Vec<KnownSession> = store
        .recent()
        .into_iter()
        .filter(is_here)
        .map(|known| {
            let notes = store.notes(&known.session).unwrap_or_default();
            KnownSession {
                session: known.session,
                host: known.presence.host,
                seen_at: known.presence.seen_at,
                goal: known.working.goal,
                notes: notes.items.len(),
                open: notes.open(),
            }
        })
        .collect();
    desk.print(io, "sessions", KnownSessions::of(&sessions), || {
        if sessions.is_empty() {
            return "this machine knows no session here\n".to_owned();
        }
        let row = |known: &KnownSession| {
            let host = if known.host.is_empty() { "-" } else { &known.host };
            [
                visible_line(&known.session),
                host.to_owned(),
                known.seen_at.clone(),
                format!("{}, {} open", counted(known.notes, "note", "notes"), known.open),
                visible_line(&shorten(&known.goal, 60)),
            ]
        };
        table(sessions.iter().map(row))
    })
}

fn keep(
    number: usize,
    kind: Option<&str>,
    session: Option<&str>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let session = desk.known_session(session)?;
    let notes = session.notes()?;
    let item = refuse_unknown(&notes, number, None)?;
    let name = (!session.is_own).then_some(session.name.as_str());
    desk.work(|engine| {
        let kind = kind.map(|kind| engine.settings.kinds.parse(kind)).transpose()?;
        let done = engine.learning().keep_note(item, kind, name, desk.origin(None)?)?;
        acknowledge(engine, io, done, |written, io| {
            let (memory, action) = (&written.memory, written.action.as_str());
            let agent = || format!("{action}: {} ({})\n", memory.id, memory.state);
            let people = |screen: &Screen| {
                let facts = vec![("id", memory.id.to_string()), ("file", written.path.clone())];
                Deed::of(action, memory).with_facts(facts).people(screen)
            };
            desk.present(io, "kept", KeptNote::of(&written), (agent, people))
        })
    })
}

fn discard(session: Option<&str>, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let session = desk.known_session(session)?;
    let notes = session.notes()?;
    let count = notes.items.len();
    if !notes.is_empty() {
        session.append(desk.now, vec![What::reviewed_all()])?;
    }
    desk.print(io, "notes", DiscardedNotes::of(&session.name, count), || {
        format!("{} discarded\n", counted(count, "note", "notes"))
    })
}
