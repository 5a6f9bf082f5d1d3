//! `check` and `feedback`: what a proposal clashes with, and what came of using a memory.

use oldhand_app::gate::{Conflict, Judged, Proposal};
use oldhand_app::usage::{Use, Used};
use oldhand_core::event::Effect;
use oldhand_mcp::Call;
use oldhand_text::agent_text::{AgentData, AgentText};
use oldhand_text::problem::Problem;
use oldhand_text::strings::shorten;
use oldhand_text::time::format_day;
use serde_json::{Map, Value, json};

use super::args::Args;
use super::{MemoryServer, Told, notes_text};
use oldhand_desk::desk::{Desk, settled};
use oldhand_desk::failure::Fail;

/// An agent reverses nothing by itself.
const WAYS_ON: &str =
    "follow what was decided, or ask the person; a write that clashes is stopped\n";
const EFFECTS: &[&str] = &["positive", "negative", "neutral", "contradiction"];

impl MemoryServer {
    pub(super) fn check(&self, call: &Call<'_>, desk: &Desk<'_>) -> Result<Told, Fail> {
        let args = Args::new(&call.arguments, &["proposal", "paths", "domain"])?;
        let text = args.needed("proposal", "what you are about to decide, in a sentence")?;
        let mut proposal = Proposal::of_text(text);
        proposal.paths.extend(args.texts("paths")?);
        if let Some(domain) = args.text("domain")? {
            proposal.domain = Some(domain.to_owned());
        }
        if proposal.statement.is_empty() {
            return Err(Problem::new("proposal", "a sentence that settles something", text)
                .with_fix("say what shall be done, for example: Use PostgreSQL for storage")
                .into());
        }
        desk.work(|engine| {
            let judged = engine.check(&proposal)?;
            let mut text = judged.report(&proposal, WAYS_ON);
            judged.notes().for_each(|note| text.push_str(&format!("warning: {note}\n")));
            let text = AgentText::lines(&text);
            Ok(Told { text, data: AgentData::of(judged_json(&judged)) })
        })
    }

    pub(super) fn feedback(&self, call: &Call<'_>, desk: &Desk<'_>) -> Result<Told, Fail> {
        let args = Args::new(&call.arguments, &["id", "effect", "with", "note", "task"])?;
        let id = args.needed("id", "the id of the memory that was used")?;
        let said = args.choice("effect", EFFECTS)?.ok_or_else(|| {
            Problem::new("effect", &format!("one of {}", EFFECTS.join(", ")), "nothing")
                .with_fix("call again with `effect`")
        })?;
        let effect = Effect::parse(said)?;
        let with = args.text("with")?;
        if with.is_some() && effect != Effect::Contradiction {
            return Err(Problem::new("effect", "`contradiction` beside `with`", said)
                .with_fix("leave `with` out, or say `contradiction`")
                .into());
        }
        // One connection is one piece of work, where nobody says which.
        let task = args.text("task")?.map(str::to_owned);
        let task = task.or_else(|| desk.current_task(None));
        // The stateless protocol knows no connection: a day of one client is one piece of work.
        let day = || format!("mcp-{}-{}", shorten(&call.caller.client, 40), format_day(desk.now));
        let task = task.or_else(|| call.caller.connection.clone()).unwrap_or_else(day);
        let role = self.role(call.caller);
        let one = Use {
            effect,
            task: &task,
            role: &role,
            surface: None,
            followup: None,
            notes: args.text("note")?.unwrap_or_default(),
        };
        desk.work_in(super::store_of(id, desk)?, |engine| {
            let (used, notes) = settled(engine, engine.use_memory(id, with, &one)?);
            Ok(feedback_answer(&used, &notes))
        })
    }
}

fn conflict_json(conflict: &Conflict) -> Value {
    json!({
        "id": conflict.memory.id.as_str(),
        "title": *AgentText::line(&conflict.memory.title),
        "date": conflict.date(),
        "decided": conflict.clash.theirs,
        "proposed": conflict.clash.ours,
        "why": conflict.clash.sentence(),
    })
}

fn judged_json(judged: &Judged) -> Value {
    let mut object = Map::new();
    object.insert("verdict".into(), json!(judged.verdict().as_str()));
    let conflicts: Vec<Value> = judged.conflicts.iter().map(conflict_json).collect();
    object.insert("conflicts".into(), Value::Array(conflicts));
    if !judged.conflicts.is_empty() {
        // Some clients show their model nothing but the data.
        object.insert("hint".into(), json!(WAYS_ON.trim_end()));
    }
    object.insert("compared".into(), json!(judged.compared));
    let near: Vec<Value> = judged
        .related
        .iter()
        .map(|memory| json!({"id": memory.id.as_str(), "title": *AgentText::line(&memory.title)}))
        .collect();
    if !near.is_empty() {
        object.insert("related".into(), Value::Array(near));
    }
    if !judged.unreadable.is_empty() {
        object.insert("unreadable".into(), json!(judged.unreadable));
    }
    Value::Object(object)
}

fn feedback_answer(used: &[Used], notes: &[String]) -> Told {
    let mut text = String::new();
    for one in used {
        text.push_str(&format!(
            "{}: {} is {}, trust {}\n",
            one.effect,
            one.memory.id,
            one.state_line(),
            one.signals.trust
        ));
    }
    let mut all = used.iter().map(|one| {
        json!({
            "id": one.memory.id.as_str(),
            "effect": one.effect,
            "state": one.memory.state,
            "trust": one.signals.trust,
        })
    });
    let mut first = all.next().unwrap_or_default();
    let others: Vec<Value> = all.collect();
    if !others.is_empty() {
        first["others"] = Value::Array(others);
    }
    let mut text = AgentText::lines(&text);
    text.push(&notes_text(notes));
    Told { text, data: AgentData::of(first) }
}
