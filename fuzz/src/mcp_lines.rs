//! Bytes as the lines of a client of the protocol. Nothing may panic, every line out is one
//! message, nobody is answered who did not ask, what can't be read gets an error, and behind all of
//! it the server still answers.
//!
//! The first byte says how the client begins. From `0xF8` on it also lets a `0xFF` and the byte
//! behind it stand for something long, which random input would never become: that takes a hundred
//! times as long, so it is left to a few.

mod port;

use std::collections::BTreeMap;
use std::sync::Arc;

use oldhand_mcp::{MESSAGE_BYTES_MAX, answer_bytes};
use serde_json::{Value, json};

use port::Echo;

const LONGS: u8 = 0xF8;
const LONG: u8 = 0xFF;
/// More values than a message may have.
const VALUES: usize = 20_001;
/// Of a line this long the id may be a guess: only what stands for something long makes one.
const GUESS_BYTES: usize = 16 * 1024;
const HELLO: &str = "the first id";
const LAST: &str = "the last id";

pub fn mcp_lines(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let opening = Opening::of(*first);
    let mut input = opening.hello();
    match *first >= LONGS {
        true => expand(rest, &mut input),
        false => input.extend_from_slice(rest),
    }
    input.push(b'\n');
    input.extend_from_slice(opening.last().to_string().as_bytes());
    input.push(b'\n');
    let output = answer_bytes(Arc::new(Echo), &input).expect("the server goes on until the end");
    check(opening, &Said::of(&input), &Heard::of(&output));
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opening {
    Handshake(&'static str),
    Stateless,
    /// Not a word of our own.
    Nothing,
}

impl Opening {
    fn of(byte: u8) -> Self {
        match byte % 8 {
            0 => Self::Handshake("2024-11-05"),
            1 => Self::Handshake("2025-03-26"),
            2 => Self::Handshake("2025-06-18"),
            3 => Self::Handshake("2025-11-25"),
            4..=6 => Self::Stateless,
            _ => Self::Nothing,
        }
    }

    fn hello(self) -> Vec<u8> {
        let lines = match self {
            Self::Handshake(version) => vec![
                json!({"jsonrpc": "2.0", "id": HELLO, "method": "initialize", "params": {
                    "protocolVersion": version, "capabilities": {},
                    "clientInfo": {"name": "random", "version": "1"}}}),
                json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            ],
            Self::Stateless => vec![stateless(HELLO)],
            Self::Nothing => Vec::new(),
        };
        lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
    }

    fn last(self) -> Value {
        match self {
            Self::Handshake(_) => json!({"jsonrpc": "2.0", "id": LAST, "method": "tools/list"}),
            Self::Stateless => stateless(LAST),
            // Always answered, in whatever way the client began.
            Self::Nothing => json!({"jsonrpc": "2.0", "id": LAST, "method": "ping"}),
        }
    }
}

fn stateless(id: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "random", "version": "1"}}}})
}

/// Each long thing once at most: more of the same says nothing more.
fn expand(bytes: &[u8], input: &mut Vec<u8>) {
    let (mut had_text, mut had_values) = (false, false);
    let mut rest = bytes.iter();
    while let Some(byte) = rest.next() {
        match (*byte == LONG, rest.as_slice().first()) {
            (true, Some(kind)) if kind % 2 == 0 && !had_text => {
                had_text = true;
                input.resize(input.len() + MESSAGE_BYTES_MAX, b'x');
                rest.next();
            }
            (true, Some(kind)) if kind % 2 == 1 && !had_values => {
                had_values = true;
                input.extend(b"1,".repeat(VALUES));
                rest.next();
            }
            _ => input.push(*byte),
        }
    }
}

/// What the client said, read with less care than the server does.
#[derive(Default)]
struct Said {
    /// How often an id was in a message, and whether each time it was a request.
    asked: BTreeMap<String, (usize, bool)>,
    /// Lines that are no JSON, too long or too much.
    refused: usize,
    /// Lines whose id has to be guessed.
    guessed: usize,
    has_cancelled: bool,
}

impl Said {
    fn of(input: &[u8]) -> Self {
        let mut said = Self::default();
        for line in input.split(|byte| *byte == b'\n') {
            let is_too_long = line.len() >= MESSAGE_BYTES_MAX;
            let line = line.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(line).trim_ascii();
            let is_guessed = line.len() > GUESS_BYTES;
            said.guessed += usize::from(is_guessed);
            match serde_json::from_slice::<Value>(line) {
                Ok(value) if is_guessed => {
                    said.refused += usize::from(is_too_long || count(&value) > VALUES);
                }
                Ok(value) => said.add(&value),
                Err(_) => said.refused += usize::from(is_too_long || !line.is_empty()),
            }
        }
        said
    }

    fn add(&mut self, value: &Value) {
        self.has_cancelled |= value["method"] == "notifications/cancelled";
        let Some(id) = id_of(value) else { return };
        let is_request = value["jsonrpc"] == "2.0" && value["method"].is_string();
        let asked = self.asked.entry(id).or_insert((0, true));
        asked.0 += 1;
        asked.1 &= is_request;
    }
}

#[derive(Default)]
struct Heard {
    answers: BTreeMap<String, Vec<Value>>,
    /// Errors, whatever their id.
    errors: usize,
}

impl Heard {
    fn of(output: &[u8]) -> Self {
        let output = std::str::from_utf8(output).expect("text");
        assert!(output.is_empty() || output.ends_with('\n'), "a line that has no end: {output}");
        let mut heard = Self::default();
        for line in output.lines() {
            let value: Value = serde_json::from_str(line).expect("a line out is JSON");
            assert!(value.is_object() && value["jsonrpc"] == "2.0", "{line}");
            let (has_result, has_error) =
                (value.get("result").is_some(), value.get("error").is_some());
            if value["method"].is_string() {
                assert!(!has_result && !has_error, "{line}");
                continue;
            }
            assert!(has_result != has_error, "{line}");
            heard.errors += usize::from(has_error);
            match id_of(&value) {
                Some(id) => heard.answers.entry(id).or_default().push(value),
                None => assert!(has_error && value["id"].is_null(), "{line}"),
            }
        }
        heard
    }
}

fn count(value: &Value) -> usize {
    let inner: usize = match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    };
    1 + inner
}

/// The same text for the same id, however its number is written.
fn id_of(value: &Value) -> Option<String> {
    match value.get("id")? {
        Value::String(text) => Some(format!("\"{text}")),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Some(number.to_string()),
            None => {
                let number = number.as_f64()?;
                (number.fract() == 0.0 && number.abs() < 2f64.powi(53))
                    .then(|| (number as i64).to_string())
            }
        },
        _ => None,
    }
}

fn check(opening: Opening, said: &Said, heard: &Heard) {
    let mut surplus = 0;
    for (id, answers) in &heard.answers {
        let asked = said.asked.get(id).map_or(0, |asked| asked.0);
        surplus += answers.len().saturating_sub(asked);
    }
    assert!(surplus <= said.guessed, "answers that nobody asked for: {:?}", heard.answers);
    assert!(
        heard.errors >= said.refused,
        "{} errors for {} lines that can't be read",
        heard.errors,
        said.refused
    );
    for (id, (count, is_request)) in &said.asked {
        // Of two who ask with one id at the same time, one may go without.
        let is_owed = *is_request && *count == 1 && !said.has_cancelled;
        assert!(!is_owed || heard.answers.contains_key(id), "no answer to {id}");
    }
    let last = heard.answers.get(&format!("\"{LAST}")).expect("an answer to the last");
    let is_alone = said.asked[&format!("\"{LAST}")].0 == 1;
    if is_alone && opening != Opening::Nothing {
        assert!(last[0].get("result").is_some(), "{}", last[0]);
    }
}
