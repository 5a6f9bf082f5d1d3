//! `oldhand log`: what hooks did, how long it took, and why they said nothing.

use oldhand_app::sessions::Sessions;
use serde_json::Value;

use super::prelude::*;

const SESSION_SHOWN: usize = 8;
const NOTE_SHOWN: usize = 120;

pub(super) fn run(args: &LogArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.layout()?;
    let log = desk.sessions().map(|sessions| sessions.hook_lines()).unwrap_or_default();
    let is = |line: &Value, key: &str, wanted: &Option<String>| {
        wanted.as_deref().is_none_or(|wanted| line[key].as_str() == Some(wanted))
    };
    let wanted = log.iter().rev().filter(|line| {
        is(line, "session", &args.session)
            && is(line, "event", &args.event)
            && is(line, "host", &args.host)
            && (!args.trouble || line["trouble"] == true)
    });
    let mut lines: Vec<&Value> = wanted.take(args.limit).collect();
    lines.reverse();
    let answer = wire::program::HookLog { lines };
    desk.print(io, "log", &answer, || match (answer.lines.is_empty(), log.is_empty()) {
        (true, true) => "no hook has run here\n".to_owned(),
        (true, false) => "nothing in the log matches\n".to_owned(),
        _ => table(answer.lines.iter().map(|line| row(line))),
    })
}

fn row(line: &Value) -> [String; 7] {
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
    [
        text("at"),
        text("host"),
        text("event"),
        shorten(&text("session"), SESSION_SHOWN),
        format!("{} ms", line["ms"]),
        visible_line(&done),
        shorten(&format!("{trouble}{}", text("note")), NOTE_SHOWN),
    ]
}
