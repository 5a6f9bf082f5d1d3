//! `oldhand pending`: what waits for a person.

use oldhand_core::pending::{Matter, Pending};
use oldhand_text::strings::{visible, visible_line};
use oldhand_text::time::{format_day, format_instant};
use serde_json::{Map, Value, json};

use crate::cli::PendingArgs;
use crate::desk::Desk;
use crate::failure::{DONE, Outcome};
use crate::format::columns;
use crate::printer::Io;

pub(super) fn run(args: &PendingArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        if let Some(name) = &args.name {
            let (pending, raw) = engine.get_pending(name)?;
            if desk.flags.json {
                io.json("pending", pending_json(&pending))?;
            } else {
                io.text(&visible(&raw.text))?;
            }
            return Ok(DONE);
        }
        let (waiting, odd) = engine.pending_list()?;
        for what in &odd {
            io.note("warning", &format!("can't be read: {what}"));
        }
        if desk.flags.json {
            let mut object = Map::new();
            let all: Vec<Value> =
                waiting.iter().map(|one| Value::Object(pending_json(one))).collect();
            object.insert("pending".into(), Value::Array(all));
            object.insert("unreadable".into(), json!(odd));
            io.json("pending", object)?;
            return Ok(DONE);
        }
        if waiting.is_empty() && odd.is_empty() {
            io.text("nothing waits\n")?;
            return Ok(DONE);
        }
        let rows: Vec<Vec<String>> = waiting
            .iter()
            .map(|one| {
                let by = visible_line(&one.via.beside(&one.by));
                vec![format_day(one.at), one.id.to_string(), by, visible_line(&one.headline())]
            })
            .collect();
        io.text(&columns(&rows))?;
        if let Some(first) = waiting.first() {
            io.text(&format!("hint: `oldhand pending {}` shows it and the ways on\n", first.id))?;
        }
        Ok(DONE)
    })
}

/// The same object wherever something waiting is told.
pub(crate) fn pending_json(pending: &Pending) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("pending".into(), json!(pending.id.as_str()));
    object.insert("by".into(), json!(pending.by));
    object.insert("via".into(), json!(pending.via));
    object.insert("at".into(), json!(format_instant(pending.at)));
    match &pending.matter {
        Matter::Conflict { action, memory, title, against, .. } => {
            let conflicts: Vec<Value> = against
                .iter()
                .map(|one| {
                    json!({"id": one.id, "title": one.title, "date": one.date, "why": one.why,
                           "decided": one.theirs, "proposed": one.ours})
                })
                .collect();
            object.insert("kind".into(), json!("conflict"));
            object.insert("action".into(), json!(action));
            object.insert("memory".into(), json!(memory));
            object.insert("title".into(), json!(title));
            object.insert("conflicts".into(), Value::Array(conflicts));
            object.insert("options".into(), json!(["follow", "supersede", "keep_both"]));
        }
        Matter::Approval { memory, to, reason, votes } => {
            let approvals: Vec<Value> = votes
                .iter()
                .map(
                    |vote| json!({"by": vote.by, "role": vote.role, "at": format_instant(vote.at)}),
                )
                .collect();
            object.insert("kind".into(), json!("approval"));
            object.insert("memory".into(), json!(memory));
            object.insert("to".into(), json!(to));
            object.insert("reason".into(), json!(reason));
            object.insert("approvals".into(), Value::Array(approvals));
        }
    }
    object
}
