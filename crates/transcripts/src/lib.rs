//! What was said and done in a session, read from the files that agents keep.
//!
//! It owns the formats: who spoke, what a program put into somebody's mouth, which tools ran. It
//! must not know where files are, nor what anybody does with what was said. Every line stands for
//! itself, so that a file can be read on from where the last reading ended.

mod chat;
mod claude;
mod codex;
mod copilot;
mod detect;
mod gemini;
mod prose;
mod slim;
mod speech;
mod tools;

#[cfg(test)]
mod tests;

use memchr::memchr;
use slim::Slim;

pub use claude::ends_interrupted;
pub use detect::detect;
pub use prose::{Choice, Prose, Question};
pub use slim::repair as repaired_json;
pub use speech::{PLAN_OPENING, is_typed, spoken, without_injected};
pub use tools::PATH_KEYS;

/// Which agent wrote a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    ClaudeCode,
    Codex,
    Gemini,
    Copilot,
    Cursor,
    /// `{"role": "user", "content": "…"}` per line.
    Plain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Voice {
    Person,
    #[default]
    Agent,
}

/// One record of a transcript that said or did something.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turn {
    /// The line of the file, from 1; for a format that is one document, the number of the message.
    pub line: usize,
    pub voice: Voice,
    /// What was said: no tool output, no thinking, nothing that a program put into somebody's
    /// mouth, and nothing of what oldhand injected. Empty when the record only carries tools.
    pub text: String,
    pub uses: Vec<ToolUse>,
    pub results: Vec<ToolResult>,
    /// What a host or a person put down in it, where it is no speech.
    pub prose: Option<Prose>,
    /// A program asked the agent for something in a person's place: a command, news of a task.
    pub is_by_program: bool,
    /// Spoken inside of a subagent, not to the person.
    pub is_sidechain: bool,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolUse {
    pub id: String,
    pub name: String,
    pub paths: Vec<String>,
    /// A shell command, where it is one; never blank.
    pub command: Option<String>,
    /// It changes the files that it names.
    pub is_edit: bool,
    /// A to-do list that it writes: the text and whether it is done.
    pub todos: Vec<(String, bool)>,
    /// A text that it hands over for people to read.
    pub prose: Option<Prose>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolResult {
    pub id: String,
    pub is_error: bool,
    /// Its beginning and its end, within `RESULT_BYTES_MAX`.
    pub text: String,
}

/// Longer output is cut in the middle: an error stands at either end.
pub const RESULT_BYTES_MAX: usize = 4 * 1024;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    pub turns: Vec<Turn>,
    /// Bytes up to the end of the last whole line: reading goes on from here.
    pub consumed: usize,
    pub lines: usize,
    /// Lines that could not be understood.
    pub skipped: usize,
}

/// Reads the whole lines of `bytes`, which begin at the start of a line; its number is
/// `first_line`. A last line without an end is still being written and is left for the next time.
pub fn read(bytes: &[u8], format: Format, first_line: usize) -> Reading {
    let mut reading = Reading::default();
    let mut known = gemini::Known::default();
    while let Some(length) = memchr(b'\n', &bytes[reading.consumed..]) {
        let line = bytes[reading.consumed..reading.consumed + length].trim_ascii();
        // A crash may leave a run of NULs where the end of the file was.
        let start = line.iter().position(|byte| *byte != 0).unwrap_or(line.len());
        let number = first_line + reading.lines;
        match slim::parse(&line[start..]).filter(|_| start < line.len()) {
            Some(record @ Slim::Map(_)) if format == Format::Gemini => {
                reading.turns.extend(gemini::turns(&record, number, &mut known));
            }
            Some(record @ Slim::Map(_)) => reading.turns.extend(turn(&record, format, number)),
            _ => reading.skipped += usize::from(start < line.len()),
        }
        reading.consumed += length + 1;
        reading.lines += 1;
    }
    reading
}

/// Reads a file that is one JSON document: a list of messages, or an object that holds one.
/// The first `seen` messages are known already. `None` when it is no such document, or not yet.
pub fn read_document(bytes: &[u8], format: Format, seen: usize) -> Option<Reading> {
    let document = slim::parse(bytes)?;
    let messages = match &document {
        Slim::List(messages) => messages,
        Slim::Map(_) => match document.get("messages") {
            Slim::List(messages) => messages,
            _ => return None,
        },
        _ => return None,
    };
    let new = messages.iter().enumerate().skip(seen);
    let turns = new.filter_map(|(at, message)| turn(message, format, at + 1)).collect();
    Some(Reading { turns, consumed: bytes.len(), lines: messages.len(), skipped: 0 })
}

fn turn(record: &Slim, format: Format, line: usize) -> Option<Turn> {
    let mut turn = match format {
        Format::ClaudeCode => claude::turn(record),
        Format::Codex => codex::turn(record),
        Format::Gemini => gemini::turn(record),
        Format::Copilot => copilot::turn(record),
        Format::Cursor | Format::Plain => chat::turn(record),
    }?;
    turn.line = line;
    (!turn.is_silent()).then_some(turn)
}

impl Turn {
    /// Of the texts of a message what the person typed.
    fn of_person(texts: Vec<&str>) -> Self {
        let mut said: Vec<String> = texts.into_iter().map(spoken).collect();
        said.retain(|text| !text.is_empty());
        Self { text: said.join("\n"), voice: Voice::Person, ..Self::default() }
    }

    fn of_agent(texts: &[&str]) -> Self {
        let text = match texts {
            [only] => speech::said_by_agent(only),
            several => speech::said_by_agent(&several.join("\n")),
        };
        Self { text, ..Self::default() }
    }

    pub fn is_silent(&self) -> bool {
        self.text.is_empty()
            && self.uses.is_empty()
            && self.results.is_empty()
            && self.prose.is_none()
            && !self.is_by_program
    }
}
