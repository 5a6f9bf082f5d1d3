//! Whether a message carries a text that its speaker did not write.

use super::line::is_machine;
use oldhand_transcripts::{Turn, Voice};

/// People type less than this in one go; more is a document that they brought.
const TYPED_BYTES_MAX: usize = 2_500;
/// Around a document people say what it is for: so much at its beginning, so much at its end.
const OPENING_BYTES: usize = 500;
const CLOSING_BYTES: usize = 300;
/// From so many lines on, half of them by a program is a log.
const LOG_LINES_MIN: usize = 8;

/// How texts begin that a program puts into somebody's mouth, in lower case.
const PROGRAM_STARTS: &str = "implement the following plan|base directory for this skill|\
     this session is being continued|caveat: the messages below|you are a|you are an|# |---\n|<";

pub(super) struct Paste {
    is_all: bool,
    /// Speech ends here and begins again there, by byte.
    document: Option<(usize, usize)>,
    /// Only the first line and what follows the log is speech.
    log: Option<(usize, usize)>,
}

impl Paste {
    pub(super) fn of(turn: &Turn) -> Self {
        let none = Self { is_all: false, document: None, log: None };
        if turn.voice == Voice::Agent {
            return none;
        }
        let text = turn.text.trim_start();
        let is_programs = |start: &str| {
            text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
        };
        if PROGRAM_STARTS.split('|').any(is_programs) {
            return Self { is_all: true, ..none };
        }
        // The opening ends at the first heading, or when it has become long.
        let opening_end = turn.text.find("\n#").unwrap_or(OPENING_BYTES).min(OPENING_BYTES);
        let document = (turn.text.len() > TYPED_BYTES_MAX)
            .then(|| (opening_end, turn.text.len() - CLOSING_BYTES));
        Self { document, log: log_rows(&turn.text), ..none }
    }

    /// The line of this number, which begins at this byte, is not the speaker's.
    pub(super) fn holds(&self, row: usize, offset: usize) -> bool {
        let within = |range: Option<(usize, usize)>, at: usize| {
            range.is_some_and(|(from, to)| (from..to).contains(&at))
        };
        self.is_all || within(self.document, offset) || within(self.log, row)
    }
}

/// From the first to the last line of a log, when there is one.
fn log_rows(text: &str) -> Option<(usize, usize)> {
    let (mut lines, mut machine, mut first, mut last) = (0_usize, 0_usize, None, 0);
    for (row, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        lines += 1;
        if is_machine(line) {
            machine += 1;
            first.get_or_insert(row);
            last = row + 1;
        }
    }
    (lines >= LOG_LINES_MIN && machine * 2 >= lines).then_some((first?, last))
}
