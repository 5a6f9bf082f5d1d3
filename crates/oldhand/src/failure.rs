//! Every way a command can fail, and the only place that chooses an exit code: 0 done, 1 a finding
//! or a refusal, 2 usage or I/O.

use std::io;

use oldhand_core::refusal::{Code, Refusal};
use oldhand_store::failure::{Failure, Stop, StoreError, StoreErrorKind};
use oldhand_text::problem::Problem;
use serde_json::{Map, Value, json};

use crate::commands::pending_json;
use crate::printer::Io;

/// What a command comes to: its exit code, or why not.
pub(crate) type Outcome = Result<u8, Fail>;

pub(crate) const DONE: u8 = 0;
pub(crate) const FINDING: u8 = 1;
pub(crate) const TROUBLE: u8 = 2;

pub(crate) enum Fail {
    Refused(Refusal),
    /// The conflict gate; the proposal waits for a person.
    Stopped(Box<Stop>),
    Store(StoreError),
    /// Settings that can't be used.
    Config(Vec<Problem>),
    Usage {
        message: String,
        hint: String,
    },
    Io(io::Error),
    /// A panic, and what it said.
    Bug(String),
}

impl Fail {
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: hint.into() }
    }
}

impl Fail {
    /// In one line, for a log.
    pub(crate) fn message(self) -> String {
        self.say().message
    }
}

impl From<Failure> for Fail {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) => Self::Refused(refusal),
            Failure::Store(error) => Self::Store(error),
            Failure::Stopped(stop) => Self::Stopped(stop),
        }
    }
}

impl From<Refusal> for Fail {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Problem> for Fail {
    fn from(problem: Problem) -> Self {
        Self::Refused(problem.into())
    }
}

impl From<StoreError> for Fail {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<io::Error> for Fail {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What is said about a failure, whatever it was.
struct Said {
    exit: u8,
    code: String,
    message: String,
    problems: Vec<Problem>,
    hint: String,
}

impl Fail {
    fn say(self) -> Said {
        match self {
            Self::Refused(refusal) => Said {
                exit: FINDING,
                code: refusal.code.to_string(),
                message: refusal.message,
                problems: refusal.problems,
                hint: refusal.hint,
            },
            Self::Stopped(stop) => Said {
                exit: FINDING,
                code: "CONFLICT".to_owned(),
                message: stop.pending.report().trim_end().to_owned(),
                problems: Vec::new(),
                hint: format!(
                    "nothing else was written; the proposal waits as `{}`",
                    stop.pending.id
                ),
            },
            Self::Store(error) => {
                let is_conflict = error.kind == StoreErrorKind::Conflict;
                let code = if is_conflict { Code::Occ.as_str() } else { "STORE_ERROR" };
                Said {
                    exit: if is_conflict { FINDING } else { TROUBLE },
                    code: code.to_owned(),
                    message: error.to_string(),
                    problems: Vec::new(),
                    hint: error.hint().to_owned(),
                }
            }
            Self::Config(problems) => Said {
                exit: TROUBLE,
                code: "CONFIG_ERROR".to_owned(),
                message: match problems.as_slice() {
                    [only] => only.to_string(),
                    many => format!("{} settings can't be used", many.len()),
                },
                hint: problems
                    .iter()
                    .map(|problem| problem.fix.clone())
                    .find(|fix| !fix.is_empty())
                    .unwrap_or_else(|| "`oldhand config list` shows every key".to_owned()),
                problems,
            },
            Self::Usage { message, hint } => Said {
                exit: TROUBLE,
                code: "USAGE_ERROR".to_owned(),
                message,
                problems: Vec::new(),
                hint,
            },
            Self::Io(error) => Said {
                exit: TROUBLE,
                code: "IO_ERROR".to_owned(),
                message: error.to_string(),
                problems: Vec::new(),
                hint: String::new(),
            },
            Self::Bug(why) => Said {
                exit: TROUBLE,
                code: "INTERNAL_ERROR".to_owned(),
                message: format!("this is a bug in oldhand: {why}"),
                problems: Vec::new(),
                hint: "run `oldhand doctor`, then try again; report this line if it fails again"
                    .to_owned(),
            },
        }
    }
}

/// A failure in words and as data, where no process ends by it.
pub(crate) struct Told {
    pub text: String,
    pub json: Map<String, Value>,
}

impl Fail {
    pub(crate) fn tell(self) -> Told {
        let more = self.more();
        let said = self.say();
        let mut bytes = Vec::new();
        let mut io = Io {
            stdin: Box::new(io::empty()),
            stdout: Box::new(io::sink()),
            stderr: Box::new(&mut bytes),
        };
        tell_text(&said, &mut io);
        drop(io);
        Told { text: String::from_utf8_lossy(&bytes).into_owned(), json: said.to_json(more) }
    }

    fn more(&self) -> Map<String, Value> {
        match self {
            Self::Stopped(stop) => pending_json(&stop.pending),
            _ => Map::new(),
        }
    }
}

pub(crate) fn report(outcome: Outcome, json: bool, io: &mut Io<'_>) -> u8 {
    let outcome = match outcome {
        Ok(code) => io.flush().map(|()| code).map_err(Fail::Io),
        Err(fail) => Err(fail),
    };
    let fail = match outcome {
        Ok(code) => return code,
        // The reader has seen enough.
        Err(Fail::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => return DONE,
        Err(fail) => fail,
    };
    if let Fail::Stopped(stop) = &fail {
        stop.notes.iter().for_each(|note| io.note("note", note));
    }
    let more = fail.more();
    let said = fail.say();
    let exit = said.exit;
    let told = if json { tell_json(&said, more, io) } else { Ok(()) };
    if !json || told.is_err() {
        tell_text(&said, io);
    }
    exit
}

fn tell_json(said: &Said, more: Map<String, Value>, io: &mut Io<'_>) -> io::Result<()> {
    io.json("error", said.to_json(more))?;
    io.flush()
}

impl Said {
    fn to_json(&self, more: Map<String, Value>) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("code".into(), json!(self.code));
        object.insert("message".into(), json!(self.message));
        if !self.problems.is_empty() {
            object.insert("problems".into(), json!(self.problems));
        }
        object.insert("hint".into(), Value::String(self.hint.clone()));
        object.extend(more);
        object
    }
}

fn tell_text(said: &Said, io: &mut Io<'_>) {
    io.note(&format!("error[{}]", said.code), &said.message);
    if said.problems.len() > 1 {
        for problem in &said.problems {
            let fix =
                if problem.fix.is_empty() { String::new() } else { format!(" ({})", problem.fix) };
            io.note("  problem", &format!("{problem}{fix}"));
        }
    }
    if !said.hint.is_empty() {
        io.note("hint", &said.hint);
    }
}

/// Help and version are answers; anything else is a mistake in the words.
pub(crate) fn report_usage(error: &clap::Error, json: bool, io: &mut Io<'_>) -> u8 {
    let text = error.render().to_string();
    if error.use_stderr() && json {
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let message = first.trim_start_matches("error: ");
        let hint: Vec<&str> = rest.split_whitespace().collect();
        return report(Err(Fail::usage(message, hint.join(" "))), true, io);
    }
    if error.use_stderr() {
        // Clap's own words end in a hint to `--help`.
        let _ = io.stderr.write_all(text.as_bytes());
        return TROUBLE;
    }
    match io.text(&text).and_then(|()| io.flush()) {
        Ok(()) => DONE,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => DONE,
        Err(_) => TROUBLE,
    }
}
