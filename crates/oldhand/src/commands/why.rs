//! `oldhand why`: why a memory was served, or was not, and how it came to its state.

use oldhand_app::recall::Request;
use oldhand_app::transfer::signals_json;
use oldhand_text::strings::visible_line;
use oldhand_text::time::format_instant;
use serde_json::{Map, Value, json};

use crate::cli::WhyArgs;
use crate::desk::Desk;
use crate::failure::{DONE, Outcome};
use crate::format::{columns, facts};
use crate::printer::Io;
use crate::reading::Reading;

use super::history::describe;
use super::recall::{heads, parts_json, recall, row};
use super::receipts::asked;

/// Receipts that are searched for the memory.
const RECEIPTS: usize = 1_000;

pub(super) fn run(args: &WhyArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.read(|reading| {
        let stored = reading.engine.get(&args.name)?;
        let id = stored.memory.id.to_string();
        let question = args.question.join(" ");
        if question.trim().is_empty() && args.path.is_empty() {
            return by_receipts(&id, reading, desk, io);
        }
        let request = Request { text: question, paths: args.path.clone(), ..Request::default() };
        let recalled = recall(reading, &request)?;
        let explained = recalled.explain(&id);
        if desk.flags.json {
            let mut object = Map::new();
            object.insert("id".into(), json!(id));
            object.insert("is_served".into(), json!(explained.is_served));
            object.insert("why".into(), json!(explained.why));
            object.insert("rank".into(), json!(explained.rank));
            let steps: Vec<String> = recalled.bundle.steps.iter().map(|step| step.line()).collect();
            object.insert("steps".into(), json!(steps));
            let weighed = explained.scored.as_ref().map(parts_json).map(Value::Object);
            object.insert("weighed".into(), weighed.unwrap_or(Value::Null));
            io.json("why", object)?;
            return Ok(DONE);
        }
        io.text(&format!("{id}: {}\n", explained.why))?;
        io.text(&facts(&[
            ("state", stored.memory.state.to_string()),
            ("place", explained.rank.map(|rank| rank.to_string()).unwrap_or_default()),
        ]))?;
        for step in &recalled.bundle.steps {
            io.text(&format!("  {}\n", step.line()))?;
        }
        if let Some(scored) = &explained.scored {
            io.text("\n")?;
            io.text(&columns(&[heads(), row(scored)]))?;
        }
        Ok(DONE)
    })
}

/// Without a question: its whole life, and when it was last given to somebody.
fn by_receipts(id: &str, reading: &Reading<'_>, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let receipts = reading.receipts.as_ref().map(|it| it.newest(None, RECEIPTS));
    let mentions: Vec<Value> =
        receipts.unwrap_or_default().iter().filter_map(|it| mention(it, id)).take(5).collect();
    let story = reading.engine.story(id)?;
    if desk.flags.json {
        let mut object = Map::new();
        object.insert("id".into(), json!(id));
        object.insert("state".into(), json!(story.stored.memory.state));
        object.insert("story".into(), json!(story.sentences));
        let history: Vec<String> = story
            .events
            .iter()
            .map(|event| format!("{} {}", format_instant(event.at), describe(event)))
            .collect();
        object.insert("history".into(), json!(history));
        object.insert("signals".into(), signals_json(&story.signals));
        object.insert("answers".into(), Value::Array(mentions));
        io.json("why", object)?;
        return Ok(DONE);
    }
    io.text(&format!("{id}: {}\n", visible_line(&story.stored.memory.title)))?;
    for sentence in &story.sentences {
        io.text(&format!("  {sentence}\n"))?;
    }
    if mentions.is_empty() {
        io.text("  No answer on this machine had to do with it.\n")?;
    } else {
        io.text("answers on this machine:\n")?;
    }
    for one in &mentions {
        let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
        io.text(&format!("  {} {}: {}\n", text("at"), text("what"), text("reason")))?;
        io.text(&format!("    for: {}\n", visible_line(&asked(one))))?;
    }
    Ok(DONE)
}

fn mention(receipt: &Value, id: &str) -> Option<Value> {
    let find = |list: &str| {
        receipt[list].as_array()?.iter().find(|one| one["id"].as_str() == Some(id)).cloned()
    };
    let (what, one) = match find("served") {
        Some(one) => ("served", one),
        None => ("left out", find("dropped")?),
    };
    Some(json!({
        "at": receipt["at"],
        "what": what,
        "reason": one["reason"],
        "query": receipt["query"],
        "paths": receipt["paths"],
    }))
}
