//! Mistakes in the words of a command line, and questions about them.

use std::io;

use oldhand_desk::failure::{self, DONE, Fail, TROUBLE};
use oldhand_desk::printer::Io;

/// Help and version are answers; anything else is a mistake in the words.
pub(crate) fn report(error: &clap::Error, json: bool, io: &mut Io<'_>) -> u8 {
    let text = error.render().to_string();
    if error.use_stderr() && json {
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let message = first.trim_start_matches("error: ");
        let hint: Vec<&str> = rest.split_whitespace().collect();
        return failure::report(Err(Fail::usage(message, hint.join(" "))), true, io);
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
