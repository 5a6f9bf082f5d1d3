//! Every way a command can fail, and the only place that chooses an exit code: 0 done, 1 a finding
//! or a refusal, 2 usage or I/O.

use std::io;

use oldhand_app::wire::pending::PendingMatter;
use oldhand_app::wire::program::ErrorAnswer;
use oldhand_core::pending::Pending;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_screen::Screen;
use oldhand_store::failure::{Failure, Stop, StoreError, StoreErrorKind};
use oldhand_text::agent_text::AgentText;
use oldhand_text::hint::Hint;
use oldhand_text::problem::Problem;
use oldhand_text::strings::visible;
use serde_json::Value;

use crate::printer::Io;

/// What a command comes to: its exit code, or why not.
pub type Outcome = Result<u8, Fail>;

pub const DONE: u8 = 0;
pub const FINDING: u8 = 1;
pub const TROUBLE: u8 = 2;

pub enum Fail {
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
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: hint.into() }
    }

    pub fn message(self) -> String {
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

struct Said {
    exit: u8,
    code: String,
    message: String,
    problems: Vec<Problem>,
    hint: Hint,
    pending: Option<Pending>,
}

impl Said {
    fn new(exit: u8, code: &str, message: String, hint: impl Into<Hint>) -> Self {
        let (code, hint) = (code.to_owned(), hint.into());
        Self { exit, code, message, problems: Vec::new(), hint, pending: None }
    }

    fn answer<'a>(&'a self, hint: &'a str) -> ErrorAnswer<'a> {
        ErrorAnswer {
            code: &self.code,
            message: &self.message,
            problems: &self.problems,
            hint,
            pending: self.pending.as_ref().map(PendingMatter::of),
        }
    }

    fn text(&self, hint: &str) -> String {
        let mut lines = vec![format!("error[{}]: {}", self.code, self.message)];
        lines.extend(self.each_problem().map(|problem| format!("  problem: {problem}")));
        if !hint.is_empty() {
            lines.push(format!("hint: {hint}"));
        }
        lines.iter().map(|line| format!("{}\n", visible(line))).collect()
    }

    /// People search for words, not for codes.
    fn people(&self, hint: &str, screen: &Screen) -> String {
        let mut out = screen.remark("error", &self.message);
        for problem in self.each_problem() {
            out.push_str(&screen.item("•", &screen.literals(&problem), 2));
        }
        if !hint.is_empty() {
            out.push_str(&screen.remark("hint", hint));
        }
        out
    }

    /// With its fix, where the message does not say it already.
    fn each_problem(&self) -> impl Iterator<Item = String> {
        let many = self.problems.iter().filter(|_| self.problems.len() > 1);
        many.map(|problem| match problem.fix.as_str() {
            "" => problem.to_string(),
            fix => format!("{problem} ({fix})"),
        })
    }
}

impl Fail {
    fn say(self) -> Said {
        match self {
            Self::Refused(Refusal { code, message, problems, hint }) => {
                Said { problems, ..Said::new(FINDING, code.as_str(), message, hint) }
            }
            Self::Stopped(stop) => {
                let message = stop.pending.report().trim_end().to_owned();
                let waits = &stop.pending.id;
                let hint = format!("nothing else was written; the proposal waits as `{waits}`");
                let said = Said::new(FINDING, "CONFLICT", message, hint);
                Said { pending: Some(stop.pending), ..said }
            }
            Self::Store(error) => {
                let (exit, code) = match error.kind {
                    StoreErrorKind::Conflict => (FINDING, Code::Occ.as_str()),
                    _ => (TROUBLE, "STORE_ERROR"),
                };
                Said::new(exit, code, error.to_string(), error.hint())
            }
            Self::Config(problems) => {
                let message = match problems.as_slice() {
                    [only] => only.to_string(),
                    many => format!("{} settings can't be used", many.len()),
                };
                let fix = problems.iter().map(|it| it.fix.as_str()).find(|fix| !fix.is_empty());
                let hint = fix.unwrap_or("`oldhand config list` shows every key").to_owned();
                Said { problems, ..Said::new(TROUBLE, "CONFIG_ERROR", message, hint) }
            }
            Self::Usage { message, hint } => Said::new(TROUBLE, "USAGE_ERROR", message, hint),
            Self::Io(error) => Said::new(TROUBLE, "IO_ERROR", error.to_string(), ""),
            Self::Bug(why) => {
                let message = format!("this is a bug in oldhand: {why}");
                let hint =
                    "run `oldhand doctor`, then try again; report this line if it fails again";
                Said::new(TROUBLE, "INTERNAL_ERROR", message, hint)
            }
        }
    }

    /// As text and as data, with the hint in the words of a surface.
    pub fn tell(self, words: impl FnOnce(&Hint) -> String) -> (String, Value) {
        let said = self.say();
        let hint = words(&said.hint);
        (said.text(&hint), serde_json::to_value(said.answer(&hint)).unwrap_or_default())
    }
}

pub fn report(outcome: Outcome, json: bool, io: &mut Io<'_>) -> u8 {
    let fail = match outcome.and_then(|code| Ok(io.flush().map(|()| code)?)) {
        Ok(code) => return code,
        // The reader has seen enough.
        Err(Fail::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => return DONE,
        Err(fail) => fail,
    };
    if let Fail::Stopped(stop) = &fail {
        stop.notes.iter().for_each(|note| io.note("note", note));
    }
    let said = fail.say();
    let hint = said.hint.to_string();
    let is_told = json && io.json("error", said.answer(&hint)).and_then(|()| io.flush()).is_ok();
    if !is_told {
        let is_agents = io.is_read_by_agent;
        io.remark(|screen| match screen {
            Some(screen) => said.people(&hint, screen),
            None if is_agents => AgentText::body(&said.text(&hint)).into_string(),
            None => said.text(&hint),
        });
    }
    said.exit
}
