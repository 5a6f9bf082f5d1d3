//! Mistakes in the words of a command line, and questions about them.

use std::io;

use jiff::Timestamp;
use oldhand_desk::desk::{Desk, GlobalFlags};
use oldhand_desk::env::Env;
use oldhand_desk::failure::{self, DONE, Fail, TROUBLE};
use oldhand_desk::printer::Io;
use oldhand_screen::Screen;

/// Where no flags are known: the terminal, or a plain page.
pub(crate) fn screen(env: &Env<'_>, now: Timestamp) -> Screen {
    let desk = Desk { env, flags: GlobalFlags::default(), now, host: None, lasting: None };
    desk.screen().unwrap_or_else(|| Screen::new(PAGE_COLUMNS, desk.has_colour(), now))
}

/// Of help that goes to a file.
pub(crate) const PAGE_COLUMNS: usize = 100;

/// Help and version are answers; anything else is a mistake in the words.
pub(crate) fn report(error: &clap::Error, json: bool, colour: bool, io: &mut Io<'_>) -> u8 {
    let text = match error.render() {
        text if colour => text.ansi().to_string(),
        text => text.to_string(),
    };
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
    answer(&text, io)
}

pub(crate) fn answer(text: &str, io: &mut Io<'_>) -> u8 {
    match io.text(text).and_then(|()| io.flush()) {
        Ok(()) => DONE,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => DONE,
        Err(_) => TROUBLE,
    }
}
