//! `oldhand notes`: what a session noted; and at its end, what of it shall last (R147 to R149).

use oldhand_core::content::FieldValue;
use oldhand_core::draft::Draft;
use oldhand_core::kind::Kind;
use oldhand_core::kind::schema::main_field;
use oldhand_sessions::notes::{Item, NoteKind, What};
use oldhand_text::strings::{counted, shorten, visible_line};
use serde_json::{Map, Value, json};

use super::note::{item_json, open, refuse_unknown, row};
use crate::cli::{NotesAction, NotesArgs};
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Outcome};
use crate::format::columns;
use crate::hook::state;
use crate::printer::Io;
use crate::session::Session;

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

fn show(session: &Session, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let notes = session.notes()?;
    if desk.flags.json {
        let mut object = Map::new();
        object.insert("session".into(), json!(session.name));
        object.insert("objective".into(), json!(notes.objective));
        object.insert("notes".into(), notes.items.iter().map(item_json).collect());
        object.insert("open".into(), json!(open(&notes)));
        object.insert("reviewed_at".into(), json!(notes.reviewed_at));
        io.json("notes", object)?;
        return Ok(DONE);
    }
    let whose = session.label();
    if notes.is_empty() {
        io.text(&format!("no notes of {whose}\n"))?;
        return Ok(DONE);
    }
    io.text(&format!("notes of {whose} ({} open)\n", open(&notes)))?;
    if !notes.objective.is_empty() {
        io.text(&format!("objective: {}\n", visible_line(&notes.objective)))?;
    }
    io.text(&columns(&notes.items.iter().map(row).collect::<Vec<_>>()))?;
    Ok(DONE)
}

fn all(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let folder = desk.notes_folder()?;
    let worktree = desk.worktree().to_string_lossy().into_owned();
    let sessions: Vec<(state::SessionState, usize, usize)> = state::known(&folder)
        .into_iter()
        .filter(|known| known.worktree.is_empty() || known.worktree == worktree)
        .map(|known| {
            let notes = Session::of_hook(&folder, &known.session).visible_notes();
            (known, notes.items.len(), open(&notes))
        })
        .collect();
    if desk.flags.json {
        let rows: Vec<Value> = sessions
            .iter()
            .map(|(known, notes, open)| {
                json!({"session": known.session, "host": known.host, "seen_at": known.seen_at,
                    "goal": known.working.goal, "notes": notes, "open": open})
            })
            .collect();
        let mut object = Map::new();
        object.insert("sessions".into(), Value::Array(rows));
        io.json("sessions", object)?;
        return Ok(DONE);
    }
    if sessions.is_empty() {
        io.text("this machine knows no session here\n")?;
    }
    let rows: Vec<Vec<String>> = sessions
        .iter()
        .map(|(known, notes, open)| {
            let host = if known.host.is_empty() { "-" } else { &known.host };
            vec![
                visible_line(&known.session),
                host.to_owned(),
                known.seen_at.clone(),
                format!("{}, {open} open", counted(*notes, "note", "notes")),
                visible_line(&shorten(&known.working.goal, 60)),
            ]
        })
        .collect();
    io.text(&columns(&rows))?;
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
    desk.work(|engine| {
        let kind = match kind {
            Some(kind) => engine.settings.kinds.parse(kind)?,
            None => kind_of(item),
        };
        let draft = draft_of(item, kind, &session);
        let done = engine.create(&draft, desk.origin(None)?)?;
        acknowledge(engine, io, done, |written, io| {
            if desk.flags.json {
                let mut object = Map::new();
                object.insert("action".into(), json!(written.action.as_str()));
                object.insert("id".into(), json!(written.memory.id.to_string()));
                object.insert("state".into(), json!(written.memory.state));
                return io.json("kept", object);
            }
            let id = &written.memory.id;
            io.text(&format!("{}: {id} ({})\n", written.action.as_str(), written.memory.state))
        })?;
        Ok(DONE)
    })
}

/// What broke and was fixed is a lesson; what was left undone is a debt.
fn kind_of(item: &Item) -> Kind {
    match item.kind {
        NoteKind::Error => Kind::Lesson,
        NoteKind::Remaining if item.is_open() => Kind::TechDebt,
        _ => Kind::Reference,
    }
}

fn draft_of(item: &Item, kind: Kind, session: &Session) -> Draft {
    use oldhand_core::kind::schema::Shape;
    use oldhand_core::yaml::Yaml;
    let title = shorten(&item.text, oldhand_core::policy::TITLE_CHARS_MAX);
    let fields = oldhand_core::kind::schema::fields_of(&kind);
    let mut draft = Draft::titled(kind.clone(), &title);
    if !session.is_own {
        draft.set("evidence", Yaml::list(&[format!("session:{}", session.name)]));
    }
    if kind == Kind::Lesson && !item.outcome.is_empty() {
        draft.set_content("summary", FieldValue::Text(item.text.clone()));
        draft.set_content("guidance", FieldValue::Text(item.outcome.clone()));
        draft.set_content("lesson_type", FieldValue::Text("failure_lesson".to_owned()));
        return draft;
    }
    if let Some(main) = main_field(fields) {
        let text = if kind == Kind::Runbook && !item.outcome.is_empty() {
            draft.set_content("symptoms", FieldValue::List(vec![item.text.clone()]));
            item.outcome.clone()
        } else {
            item.line()
        };
        let value = match main.shape {
            Shape::List | Shape::Steps => FieldValue::List(vec![text]),
            _ => FieldValue::Text(text),
        };
        draft.set_content(&main.name, value);
    }
    draft
}

fn discard(session: Option<&str>, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let session = desk.known_session(session)?;
    let notes = session.notes()?;
    let count = notes.items.len();
    if !notes.is_empty() {
        session.append(desk.now, vec![What::reviewed_all()])?;
    }
    if desk.flags.json {
        let mut object = Map::new();
        object.insert("session".into(), json!(session.name));
        object.insert("discarded".into(), json!(count));
        io.json("notes", object)?;
    } else {
        io.text(&format!("{} discarded\n", counted(count, "note", "notes")))?;
    }
    Ok(DONE)
}
