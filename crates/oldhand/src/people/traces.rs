//! What hooks did, and what was served to whom.

use oldhand_screen::{Screen, Tone};
use oldhand_text::strings::shorten;
use oldhand_text::time::parse_instant;
use serde_json::Value;

use super::{reason, since};

const SESSION_SHOWN: usize = 8;
const NOTE_SHOWN: usize = 200;
const ASKED_SHOWN: usize = 160;

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn list<'v>(value: &'v Value, key: &str) -> Vec<&'v str> {
    value[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn session(value: &Value, screen: &Screen) -> String {
    match text(value, "session") {
        "" => String::new(),
        name => screen.dim(&format!("session {}", shorten(name, SESSION_SHOWN))),
    }
}

pub(crate) fn log(lines: &[&Value], screen: &Screen) -> String {
    let row = |line: &&Value| {
        let plain = |text: &str| screen.paint(Tone::Plain, text);
        let done = match (list(line, "served").as_slice(), list(line, "captured").as_slice()) {
            ([], []) => plain(text(line, "said")),
            ([], captured) => format!("{} {}", plain("captured"), screen.dim(&captured.join(", "))),
            (served, _) => format!("{} {}", plain("served"), screen.dim(&served.join(", "))),
        };
        let is_bad = line["trouble"] == true;
        let note = shorten(&reason(text(line, "note")), NOTE_SHOWN);
        let note = match is_bad {
            true => screen.paint(Tone::Bad, &format!("trouble: {note}")),
            false => screen.dim(&note),
        };
        let host = screen.dim(text(line, "host"));
        let below = screen.parts(&[host, session(line, screen), note]);
        let cell = [done, below].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>();
        vec![
            since(parse_instant(text(line, "at")), screen),
            screen.paint(if is_bad { Tone::Bad } else { Tone::Plain }, text(line, "event")),
            cell.join("\n"),
            screen.dim(&format!("{:>8} ms", line["ms"].to_string())),
        ]
    };
    screen.table(lines.iter().map(row).collect(), 2)
}

/// Each with what was asked.
pub(crate) fn receipts(receipts: &[(Value, String)], screen: &Screen) -> String {
    let row = |(receipt, asked): &(Value, String)| {
        let mut cell = vec![screen.title(&shorten(asked, ASKED_SHOWN))];
        let served = receipt["served"].as_array().into_iter().flatten();
        cell.extend(served.map(|one| {
            let (id, why) = (text(one, "id"), reason(text(one, "reason")));
            screen.parts(&[screen.paint(Tone::Good, id), screen.dim(&why)])
        }));
        if cell.len() == 1 {
            cell.push(screen.dim("nothing was served"));
        }
        let tokens = screen.dim(&format!("{} of {} tokens", receipt["tokens"], receipt["budget"]));
        cell.push(screen.parts(&[tokens, session(receipt, screen)]));
        vec![since(parse_instant(text(receipt, "at")), screen), cell.join("\n")]
    };
    screen.table(receipts.iter().map(row).collect(), 1)
}
