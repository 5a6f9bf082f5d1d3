//! `review`: what waits for a person, and a doubt about a memory. An agent judges nothing here.

use oldhand_core::pending::Pending;
use oldhand_core::text::{visible, visible_line};
use oldhand_engine::Engine;
use oldhand_engine::failure::Failure;
use oldhand_engine::review::Item;
use oldhand_mcp::{Answer, Call};
use serde_json::{Value, json};

use super::args::Args;
use super::{MemoryServer, heard};
use crate::commands::pending::pending_json;
use crate::commands::review::item_json;
use crate::desk::{Desk, acknowledge};
use crate::failure::Fail;

/// Things that wait and are shown at once.
const SHOWN_MAX: usize = 20;

impl MemoryServer {
    pub(super) fn review(&self, call: &Call<'_>, desk: &Desk<'_>) -> Result<Answer, Fail> {
        let args = Args::new(&call.arguments, &["id", "reason"])?;
        let (id, reason) = (args.text("id")?, args.text("reason")?);
        if reason.is_some() {
            args.needed("id", "the id of the memory that seems wrong")?;
        }
        let Some(id) = id else { return desk.work(waiting) };
        desk.work_in(super::store_of(id, desk)?, |engine| match reason {
            Some(reason) => doubt(id, reason, engine),
            None => one(id, engine),
        })
    }
}

fn doubt(id: &str, reason: &str, engine: &Engine<'_>) -> Result<Answer, Fail> {
    let done = engine.request_review(id, reason)?;
    let mut state = String::new();
    let (_, notes) = heard(|io| {
        let written = acknowledge(engine, io, done, |_, _| Ok(()))?;
        state = written.memory.state.to_string();
        Ok::<(), Fail>(())
    })?;
    let text = format!("{state}: {id}; it is not served until a person has looked\n{notes}");
    Ok(Answer { text, structured: json!({"waiting": [{"id": id, "state": state}]}) })
}

/// Something in `pending/`, or a memory that waits.
fn one(id: &str, engine: &Engine<'_>) -> Result<Answer, Fail> {
    match engine.get_pending(id) {
        Ok((pending, _)) => {
            let text = visible(&pending.report());
            let mut waiting = pending_json(&pending);
            waiting.insert("id".into(), json!(pending.id.as_str()));
            waiting.insert("report".into(), json!(pending.report()));
            return Ok(Answer { text, structured: json!({"waiting": [waiting]}) });
        }
        Err(Failure::Refused(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let Some(item) = &engine.item_of(engine.get(id)?)? else {
        let text = format!("{id} does not wait; with `reason` you ask for a review of it\n");
        return Ok(Answer { text, structured: json!({"waiting": []}) });
    };
    let mut text = line(item);
    let id = &item.stored.memory.id;
    text.push_str(&format!("a person decides: `oldhand review {id}` shows the ways on\n"));
    Ok(Answer { text, structured: json!({"waiting": [item_json(item)]}) })
}

fn waiting(engine: &Engine<'_>) -> Result<Answer, Fail> {
    let mut inbox = engine.inbox()?;
    let total = inbox.total();
    let mut text = String::new();
    let mut list: Vec<Value> = Vec::new();
    for pending in inbox.pending.iter().take(SHOWN_MAX) {
        text.push_str(&headline(pending));
        list.push(json!({"id": pending.id.as_str(), "cause": "pending",
                         "title": visible_line(&pending.headline())}));
    }
    for at in 0..inbox.waiting.len().min(SHOWN_MAX.saturating_sub(list.len())) {
        let Some(item) = engine.item(&mut inbox, at)? else { continue };
        text.push_str(&line(&item));
        let memory = &item.stored.memory;
        list.push(json!({"id": memory.id.as_str(), "cause": item.cause.as_str(),
                         "type": memory.kind.as_str(), "title": visible_line(&memory.title)}));
    }
    if total == 0 {
        text.push_str("nothing waits for a person\n");
    } else if total > list.len() {
        text.push_str(&format!("{} of {total} shown: `oldhand review` has all\n", list.len()));
    }
    Ok(Answer { text, structured: json!({"waiting": list, "total": total}) })
}

fn headline(pending: &Pending) -> String {
    format!("pending  {}: {}\n", pending.id, visible_line(&pending.headline()))
}

fn line(item: &Item) -> String {
    let memory = &item.stored.memory;
    let reason = memory.state_reason.as_deref().map(|it| format!(" ({})", visible_line(it)));
    format!(
        "{}  {}: {}{}\n",
        item.cause.as_str(),
        memory.id,
        visible_line(&memory.title),
        reason.unwrap_or_default()
    )
}

/// The list as the prompt tells it.
pub(super) fn waiting_text(desk: &Desk<'_>) -> Result<String, Fail> {
    desk.work(|engine| Ok(waiting(engine)?.text))
}
