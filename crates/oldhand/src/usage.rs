//! Mistakes in the words of a command line, and questions about them.

use std::io;

use oldhand_desk::desk::Desk;
use oldhand_desk::failure::{self, DONE, Fail, TROUBLE};
use oldhand_desk::printer::Io;
use oldhand_screen::Screen;

/// A page for people, or of a width that suits a file.
pub(crate) fn screen(desk: &Desk<'_>) -> Screen {
    desk.screen().unwrap_or_else(|| Screen::new(PAGE_COLUMNS, desk.has_colour(), desk.now))
}

/// Of help that goes to a file.
const PAGE_COLUMNS: usize = 100;

/// Help and version are answers; anything else is a mistake in the words.
pub(crate) fn report(error: &clap::Error, json: bool, desk: &Desk<'_>, io: &mut Io<'_>) -> u8 {
    let terminal = if error.use_stderr() { desk.env.remarks } else { desk.env.terminal };
    let text = match error.render() {
        text if desk.has_colour_on(terminal) && !json => text.ansi().to_string(),
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
        io.remark(|_| text);
        return TROUBLE;
    }
    answer(&text, desk, io)
}

pub(crate) fn answer(text: &str, desk: &Desk<'_>, io: &mut Io<'_>) -> u8 {
    match desk.page(text, io).and_then(|()| io.flush()) {
        Ok(()) => DONE,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => DONE,
        Err(_) => TROUBLE,
    }
}
