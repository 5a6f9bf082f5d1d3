//! Whether a line of a message was written by a program.

use oldhand_text::table;

const MACHINE_STARTS: &str = "at |File \"|Traceback|panic:|goroutine |error[|error:|Error:|warning:|--- |+++ |=== |\
     @@ |diff --git|index |FAIL|PASS|ok  |npm |$ |❯ |% |# [|│|┌|└|├|╭|╰|⏺|⎿|✻|+\t|-\t|+  |\
     -  |//|/*|*/|<|{|}|import |func |def |return |const |var |let mut |fn |pub |use |\
     ENTRYPOINT|RUN ";

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
        || has_column(bare)
        || (line.starts_with("    ") || line.starts_with('\t')) && has_code_mark(bare)
        || is_mostly_marks(bare)
}

/// Eight spaces in a row stand between the columns of a listing.
fn has_column(bare: &str) -> bool {
    // Such a run covers a place that is a multiple of eight: only those are looked at.
    let places = bare.as_bytes().iter().enumerate().skip(7).step_by(8);
    let mut blanks = places.filter(|(_, byte)| **byte == b' ');
    blanks.any(|(at, _)| {
        let from = bare[..at].trim_end_matches(' ').len();
        bare.as_bytes()[from..].iter().take_while(|byte| **byte == b' ').count() >= 8
    })
}

fn has_code_mark(bare: &str) -> bool {
    ["(", "{", "};", " = ", ":=", "==", "->", "=>", "</", "\":", "::", ".go:", ".rs:", ".py:"]
        .iter()
        .any(|mark| bare.contains(mark))
}

fn is_stamped(bare: &str) -> bool {
    let bytes = bare.trim_start_matches(['[', '(']).as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let digits = |from: usize, count: usize| (from..from + count).all(is_digit);
    digits(0, 4) && bytes.get(4) == Some(&b'-') && digits(5, 2)
        || digits(0, 2) && bytes.get(2) == Some(&b':') && digits(3, 2)
}

fn is_mostly_marks(bare: &str) -> bool {
    let bytes = &bare.as_bytes()[..bare.len().min(200)];
    let is_spoken =
        |byte: &&u8| byte.is_ascii_alphabetic() || !byte.is_ascii() || matches!(byte, b' ' | b'`');
    bytes.len() >= 20 && bytes.iter().filter(is_spoken).count() * 10 < bytes.len() * 6
}
