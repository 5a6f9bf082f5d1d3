//! `oldhand notes`: what a session noted; and at its end, what of it shall last (R147 to R149).

use oldhand_app::wire::session::{
    DiscardedNotes, KeptNote, KnownSession, KnownSessions, SessionNotes,
};
use oldhand_sessions::notes::What;
use oldhand_store::port::session::SessionStore;
use oldhand_store::port::session_state::SessionState;
use oldhand_text::strings::{counted, shorten, visible_line};

use super::note::{refuse_unknown, row};
use crate::cli::{NotesAction, NotesArgs};
use oldhand_desk::desk::{Desk, acknowledge};
use oldhand_desk::failure::{DONE, Outcome};
use oldhand_desk::format::columns;
use oldhand_desk::printer::Io;
use oldhand_desk::session::Session;

pub(super) fn run(args: &NotesArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
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
    io.answer(desk.flags.json, "notes", SessionNotes::of(&session.name, &notes), || {
        let whose = session.label();
        if notes.is_empty() {
            return format!("no notes of {whose}\n");
        }
        let objective = match visible_line(&notes.objective).as_str() {
            "" => String::new(),
            objective => format!("objective: {objective}\n"),
        };
        let rows = columns(&notes.items.iter().map(row).collect::<Vec<_>>());
        format!("notes of {whose} ({} open)\n{objective}{rows}", notes.open())
    })?;
    Ok(DONE)
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
    io.answer(desk.flags.json, "sessions", KnownSessions::of(&sessions), || {
        if sessions.is_empty() {
            return "this machine knows no session here\n".to_owned();
        }
        let row = |known: &KnownSession| {
            let host = if known.host.is_empty() { "-" } else { &known.host };
            vec![
                visible_line(&known.session),
                host.to_owned(),
                known.seen_at.clone(),
                format!("{}, {} open", counted(known.notes, "note", "notes"), known.open),
                visible_line(&shorten(&known.goal, 60)),
            ]
        };
        columns(&sessions.iter().map(row).collect::<Vec<_>>())
    })?;
    Ok(DONE)
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
        let done = engine.keep_note(item, kind, name, desk.origin(None)?)?;
        acknowledge(engine, io, done, |written, io| {
            io.answer(desk.flags.json, "kept", KeptNote::of(written), || {
                let memory = &written.memory;
                format!("{}: {} ({})\n", written.action.as_str(), memory.id, memory.state)
            })
        })?;
        Ok(DONE)
    })
}

fn discard(session: Option<&str>, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let session = desk.known_session(session)?;
    let notes = session.notes()?;
    let count = notes.items.len();
    if !notes.is_empty() {
        session.append(desk.now, vec![What::reviewed_all()])?;
    }
    io.answer(desk.flags.json, "notes", DiscardedNotes::of(&session.name, count), || {
        format!("{} discarded\n", counted(count, "note", "notes"))
    })?;
    Ok(DONE)
}
