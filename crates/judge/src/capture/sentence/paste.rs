//! What of a message its speaker did not write: lines of programs, logs, documents.

use std::ops::Range;

use oldhand_text::table;
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
     this session is being continued|caveat: the messages below|you are a|# |---\n|<";

/// Longer than any of them.
const PROGRAM_START_BYTES: usize = 64;

#[derive(Default)]
pub(super) struct Paste {
    is_all: bool,
    /// The bytes of a document, between what is said before it and after it.
    document: Range<usize>,
    /// The lines of a log.
    log: Range<usize>,
}

impl Paste {
    pub(super) fn of(turn: &Turn) -> Self {
        if turn.voice == Voice::Agent {
            return Self::default();
        }
        let text = turn.text.as_str();
        let start = text.trim_start();
        let start = start[..start.floor_char_boundary(PROGRAM_START_BYTES)].to_ascii_lowercase();
        // The opening ends at the first heading, or when it has become long.
        let opening_end = text.find("\n#").unwrap_or(OPENING_BYTES).min(OPENING_BYTES);
        let is_long = text.len() > TYPED_BYTES_MAX;
        Self {
            is_all: table::begins(PROGRAM_STARTS, &start),
            document: if is_long { opening_end..text.len() - CLOSING_BYTES } else { 0..0 },
            log: log_rows(text).unwrap_or_default(),
        }
    }

    /// The line of this number, which begins at this byte, is not the speaker's.
    pub(super) fn holds(&self, row: usize, offset: usize) -> bool {
        self.is_all || self.document.contains(&offset) || self.log.contains(&row)
    }
}

/// From the first to the last line of a log, when there is one.
fn log_rows(text: &str) -> Option<Range<usize>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    if lines < LOG_LINES_MIN {
        return None;
    }
    let rows = text.lines().enumerate().filter(|(_, line)| is_machine(line.trim_end()));
    let machine: Vec<usize> = rows.map(|(row, _)| row).collect();
    (machine.len() * 2 >= lines).then_some(*machine.first()?..machine.last()? + 1)
}

const MACHINE_STARTS: &str = "at |File \"|Traceback|panic:|goroutine |error[|error:|Error:|warning:|--- |+++ |=== |\
     @@ |diff --git|index |FAIL|PASS|ok  |npm |$ |❯ |% |# [|│|┌|└|├|╭|╰|⏺|⎿|✻|+\t|-\t|+  |\
     -  |//|/*|*/|<|{|}|import |func |def |return |const |var |let mut |fn |pub |use |\
     ENTRYPOINT|RUN ";

/// Stands between the columns of a listing.
const COLUMN_GAP: &str = "        ";

/// A line of a log, a diff, a listing or a program.
pub(super) fn is_machine(line: &str) -> bool {
    let bare = line.trim();
    let starts = table::begins(MACHINE_STARTS, bare);
    // Words that a sentence begins with as well need something of a program with them.
    if starts && (!bare.starts_with(|c: char| c.is_ascii_lowercase()) || has_code_mark(bare)) {
        return true;
    }
    bare.ends_with(['{', ';', '│', '|'])
        || is_stamped(bare)
        || bare.contains(COLUMN_GAP)
        || (line.starts_with("    ") || line.starts_with('\t')) && has_code_mark(bare)
        || is_mostly_marks(bare)
}

fn has_code_mark(bare: &str) -> bool {
    ["(", "{", "};", " = ", ":=", "==", "->", "=>", "</", "\":", "::", ".go:", ".rs:", ".py:"]
        .iter()
        .any(|mark| bare.contains(mark))
}

fn is_stamped(bare: &str) -> bool {
    let start = bare.trim_start_matches(['[', '(']).chars().take(7);
    let shape: String = start.map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    table::begins("0000-00|00:00", &shape)
}

fn is_mostly_marks(bare: &str) -> bool {
    let bytes = &bare.as_bytes()[..bare.len().min(200)];
    let is_spoken =
        |byte: &&u8| byte.is_ascii_alphabetic() || !byte.is_ascii() || matches!(byte, b' ' | b'`');
    bytes.len() >= 20 && bytes.iter().filter(is_spoken).count() * 10 < bytes.len() * 6
}
