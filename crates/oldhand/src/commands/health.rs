//! `oldhand health`: how the memory is doing.

use oldhand_app::health::{Health, Status};
use serde_json::{Map, Value, json};

use crate::desk::Desk;
use crate::failure::{DONE, FINDING, Outcome};
use crate::format::columns;
use crate::printer::Io;

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let health = engine.health()?;
        let exit = if health.status() == Status::NeedsAttention { FINDING } else { DONE };
        if desk.flags.json {
            io.json("health", to_json(&health))?;
            return Ok(exit);
        }
        let rows: Vec<Vec<String>> = health
            .indicators
            .iter()
            .map(|one| {
                let help = if one.command.is_empty() {
                    String::new()
                } else {
                    format!(" -> {}", one.command)
                };
                vec![
                    one.name.to_owned(),
                    one.status.as_str().to_owned(),
                    format!("{}{help}", one.reason),
                ]
            })
            .collect();
        io.text(&columns(&rows))?;
        if !health.archive_review.is_empty() {
            let why = health.archive_review.join("; ");
            io.text(&format!("archive review due: {why} -> oldhand review --archive\n"))?;
        }
        Ok(exit)
    })
}

fn to_json(health: &Health) -> Map<String, Value> {
    let indicators: Vec<Value> = health
        .indicators
        .iter()
        .map(|one| {
            json!({"name": one.name, "status": one.status.as_str(), "reason": one.reason,
                   "command": one.command})
        })
        .collect();
    let mut object = Map::new();
    object.insert("status".into(), json!(health.status().as_str()));
    object.insert("indicators".into(), Value::Array(indicators));
    object.insert("archive_review".into(), json!(health.archive_review));
    object
}
