//! `oldhand history`: what happened to a memory, and who did it.

use oldhand_app::history::History;
use oldhand_core::event::{Event, EventType};
use oldhand_core::state::State;
use oldhand_text::strings::visible_line;
use oldhand_text::time::format_instant;
use serde_json::{Map, Value, json};

use crate::cli::NameArgs;
use crate::desk::Desk;
use crate::failure::{DONE, Outcome};
use crate::format::columns;
use crate::printer::Io;

pub(super) fn run(args: &NameArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let history = engine.history(&args.name)?;
        if desk.flags.json {
            io.json("history", to_json(&history))?;
            return Ok(DONE);
        }
        let mut rows = Vec::new();
        for step in &history.steps {
            let event = &step.event;
            if step.edited_before {
                rows.push(vec![
                    format_instant(event.at),
                    "external".to_owned(),
                    "edited by hand before this".to_owned(),
                ]);
            }
            rows.push(vec![
                format_instant(event.at),
                visible_line(&event.via.beside(&event.by)),
                describe(event),
            ]);
        }
        io.text(&columns(&rows))?;
        if history.edited_since {
            io.text("edited by hand since; `oldhand doctor` records it\n")?;
        }
        if history.is_unreadable {
            io.text("the file can't be read; `oldhand doctor` tells more\n")?;
        } else if history.stored.is_none() {
            io.text("the file is gone\n")?;
        }
        Ok(DONE)
    })
}

pub(super) fn describe(event: &Event) -> String {
    let reason = if event.reason.is_empty() {
        String::new()
    } else {
        format!(": {}", visible_line(&event.reason))
    };
    match event.event_type {
        EventType::Moved => format!("{}{reason}", way(event)),
        EventType::Reviewed => {
            let mut parts = vec!["reviewed".to_owned()];
            parts.extend(event.decision.map(|it| it.to_string()));
            parts.extend((event.from != event.to).then(|| way(event)));
            format!("{}{reason}", parts.join(", "))
        }
        EventType::Applied => {
            let mut parts = vec![format!("used in {}", visible_line(&event.task))];
            parts.extend(event.effect.map(|it| it.to_string()));
            parts.extend(event.followup.map(|it| it.to_string()));
            format!("{}{reason}", parts.join(", "))
        }
        EventType::Evidence if event.evidence.is_empty() => visible_line(&event.reason),
        EventType::Evidence => {
            format!("evidence {}{reason}", visible_line(&event.evidence.join(", ")))
        }
        EventType::Updated if !event.fields.is_empty() => {
            format!("updated {}{reason}", visible_line(&event.fields.join(", ")))
        }
        EventType::Adopted => "edited by hand".to_owned(),
        other => format!("{other}{reason}"),
    }
}

fn way(event: &Event) -> String {
    let state = |state: Option<State>| state.map_or("?", |state| state.as_str());
    format!("{} -> {}", state(event.from), state(event.to))
}

fn to_json(history: &History) -> Map<String, Value> {
    let steps: Vec<Value> = history
        .steps
        .iter()
        .map(|step| {
            let mut value = serde_json::to_value(&step.event).unwrap_or(Value::Null);
            if let Value::Object(object) = &mut value {
                object.insert("edited_before".into(), json!(step.edited_before));
            }
            value
        })
        .collect();
    let mut object = Map::new();
    let id = history.stored.as_ref().map(|stored| stored.memory.id.to_string());
    object.insert("id".into(), json!(id));
    object.insert("events".into(), Value::Array(steps));
    object.insert("edited_since".into(), json!(history.edited_since));
    object
}
