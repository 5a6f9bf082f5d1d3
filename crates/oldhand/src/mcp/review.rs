//! `review`: what waits for a person, and a doubt about a memory. An agent judges nothing here.

use super::prelude::*;
use oldhand_app::Engine;
use oldhand_app::review::Item;
use oldhand_app::wire::agent::{DoubtedMemory, WaitingLine, WaitingList, WaitingMatter};
use oldhand_app::wire::pending::PendingMatter;
use oldhand_app::wire::review::ReviewItem;
use oldhand_core::origin::Origin;
use oldhand_store::failure::Failure;
use serde::Serialize;

const SHOWN_MAX: usize = 20;

impl MemoryServer {
    pub(super) fn review(&self, call: &Call<'_>, desk: &Desk<'_>) -> Result<ToolAnswer, Fail> {
        let args = Args::of(call)?;
        let (id, reason) = (args.text("id")?, args.text("reason")?);
        if reason.is_some() {
            args.needed("id", "the id of the memory that seems wrong")?;
        }
        let Some(id) = id else { return desk.work(waiting) };
        desk.work_on(id, |engine| match reason {
            Some(reason) => doubt(id, reason, engine),
            None => one(id, engine),
        })
    }
}

fn doubt(id: &str, reason: &str, engine: &Engine<'_>) -> Result<ToolAnswer, Fail> {
    let (written, notes) = settled(engine, engine.upkeep().request_review(id, reason)?);
    let state = written.memory.state.as_str();
    let served = match written.memory.origin {
        Origin::User | Origin::Gate => "a caution",
        _ => "not served",
    };
    let parts = [state, id, served].map(AgentText::line);
    let mut text = AgentText::of("{}: {}; it is {} until a person has looked\n", &parts);
    text.push(&notes_text(&notes));
    Ok(answer(text, vec![DoubtedMemory { id, state }], None))
}

/// Something in `pending/`, or a memory that waits.
fn one(id: &str, engine: &Engine<'_>) -> Result<ToolAnswer, Fail> {
    match engine.gate().get_pending(id) {
        Ok((pending, _)) => {
            let (id, report) = (pending.id.as_str(), pending.report());
            let waiting =
                WaitingMatter { matter: PendingMatter::of(&pending), id, report: &report };
            return Ok(answer(AgentText::lines(&report), vec![waiting], None));
        }
        Err(Failure::Refused(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let Some(item) = &engine.upkeep().item_of(engine.get(id)?)? else {
        let text = "{} does not wait; with `reason` you ask for a review of it\n";
        let text = AgentText::of(text, &[AgentText::line(id)]);
        return Ok(answer::<WaitingLine<'_>>(text, Vec::new(), None));
    };
    let mut text = line(item);
    let id = AgentText::line(item.stored.memory.id.as_str());
    text.add("a person decides: `oldhand review {}` shows your options\n", &[id]);
    Ok(answer(text, vec![ReviewItem::of(item)], None))
}

fn answer<T: Serialize>(text: AgentText, waiting: Vec<T>, total: Option<usize>) -> ToolAnswer {
    let data = serde_json::to_value(WaitingList { waiting, total }).unwrap_or_default();
    ToolAnswer { text, data: AgentData::of(data) }
}

/// The list of everything that waits.
pub(super) fn waiting(engine: &Engine<'_>) -> Result<ToolAnswer, Fail> {
    let mut inbox = engine.upkeep().inbox()?;
    let total = inbox.total();
    let mut text = AgentText::default();
    let mut list: Vec<WaitingLine<'_>> = Vec::new();
    for pending in inbox.pending.iter().take(SHOWN_MAX) {
        let title = AgentText::line(&pending.headline());
        text.add("pending  {}: {}\n", &[AgentText::line(pending.id.as_str()), title.clone()]);
        let (id, title) = (pending.id.to_string(), title.into_string());
        list.push(WaitingLine { id, cause: "pending", r#type: None, title });
    }
    for at in 0..inbox.waiting.len().min(SHOWN_MAX.saturating_sub(list.len())) {
        let Some(item) = engine.upkeep().item(&mut inbox, at)? else { continue };
        text.push(&line(&item));
        let memory = item.stored.memory;
        let (id, r#type) = (memory.id.to_string(), Some(memory.kind.to_string()));
        list.push(WaitingLine { id, cause: item.cause.as_str(), r#type, title: memory.title });
    }
    if total == 0 {
        text.push_ours("nothing waits for a person\n");
    } else if total > list.len() {
        let counts = [list.len(), total].map(AgentText::count);
        text.add("{} of {} shown: `oldhand review` has all\n", &counts);
    }
    Ok(answer(text, list, Some(total)))
}

fn line(item: &Item) -> AgentText {
    let memory = &item.stored.memory;
    let parts = [item.cause.as_str(), memory.id.as_str(), &memory.title].map(AgentText::line);
    let mut line = AgentText::of("{}  {}: {}", &parts);
    if let Some(reason) = &memory.state_reason {
        line.add(" ({})", &[AgentText::line(reason)]);
    }
    line.push_ours("\n");
    line
}
