//! `oldhand log`: what hooks did, how long it took, and why they said nothing.

use oldhand_text::strings::{shorten, visible_line};
use serde_json::{Map, Value, json};

use crate::cli::LogArgs;
use crate::desk::Desk;
use crate::failure::{DONE, Outcome};
use crate::format::columns;
use crate::hook::log;
use crate::printer::Io;

const SESSION_SHOWN: usize = 8;
const NOTE_SHOWN: usize = 120;

pub(super) fn run(args: &LogArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let layout = desk.layout()?;
    let lines = desk.state_folder(&layout).map(|folder| log::lines(&folder)).unwrap_or_default();
    let is = |line: &Value, key: &str, wanted: &Option<String>| {
        wanted.as_deref().is_none_or(|wanted| line[key].as_str() == Some(wanted))
    };
    let mut wanted: Vec<&Value> = lines
        .iter()
        .rev()
        .filter(|line| is(line, "session", &args.session))
        .filter(|line| is(line, "event", &args.event) && is(line, "host", &args.host))
        .filter(|line| !args.trouble || line["trouble"] == true)
        .take(args.limit)
        .collect();
    wanted.reverse();
    if desk.flags.json {
        let mut object = Map::new();
        object.insert("lines".into(), json!(wanted));
        io.json("log", object)?;
        return Ok(DONE);
    }
    if wanted.is_empty() {
        let what =
            if lines.is_empty() { "no hook has run here" } else { "nothing of that is in the log" };
        io.text(&format!("{what}\n"))?;
    }
    let rows: Vec<Vec<String>> = wanted.into_iter().map(row).collect();
    io.text(&columns(&rows))?;
    Ok(DONE)
}

fn row(line: &Value) -> Vec<String> {
    let text = |key: &str| visible_line(line[key].as_str().unwrap_or_default());
    let ids = |key: &str| -> Vec<&str> {
        line[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    };
    let done = match (ids("served").as_slice(), ids("captured").as_slice()) {
        ([], []) => text("said"),
        ([], captured) => format!("captured {}", captured.join(", ")),
        (served, _) => format!("served {}", served.join(", ")),
    };
    let trouble = if line["trouble"] == true { "trouble: " } else { "" };
    vec![
        text("at"),
        text("host"),
        text("event"),
        shorten(&text("session"), SESSION_SHOWN),
        format!("{} ms", line["ms"]),
        visible_line(&done),
        shorten(&format!("{trouble}{}", text("note")), NOTE_SHOWN),
    ]
}
