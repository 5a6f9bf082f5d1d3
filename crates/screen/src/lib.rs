//! How answers look to people. Values in, text for a terminal out: no clock, no environment, no
//! terminal. It knows colours, tables, wrapping and dates, but no memory.

mod body;
mod chart;
mod layout;
mod remark;
mod when;

#[cfg(test)]
mod tests;

use anstyle::{AnsiColor, Style};
use jiff::Timestamp;
use oldhand_text::strings::visible_line;

pub use chart::{bar, sparkline};
pub use when::ago;

/// Lines of prose are no longer than this, however wide the terminal is.
const PROSE_COLUMNS: usize = 96;
const COLUMNS_MIN: usize = 40;

/// What is known about whoever reads.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    pub width: usize,
    pub colour: bool,
    pub now: Timestamp,
}

/// What a piece of text is, not how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Title,
    /// Ids, labels, and whatever is there to be looked up.
    Dim,
    Good,
    Warn,
    Bad,
    /// What can be typed.
    Command,
}

impl Tone {
    fn style(self) -> Style {
        let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        match self {
            Self::Plain => Style::new(),
            Self::Title => Style::new().bold(),
            Self::Dim => Style::new().dimmed(),
            Self::Good => colour(AnsiColor::Green),
            Self::Warn => colour(AnsiColor::Yellow),
            Self::Bad => colour(AnsiColor::Red),
            Self::Command => colour(AnsiColor::Cyan),
        }
    }
}

impl Screen {
    pub fn new(width: usize, colour: bool, now: Timestamp) -> Self {
        Self { width: width.max(COLUMNS_MIN), colour, now }
    }

    /// One line of text. Hidden characters in it are shown, so that no memory paints for itself.
    pub fn paint(&self, tone: Tone, text: &str) -> String {
        let text = visible_line(text);
        if !self.colour || tone == Tone::Plain || text.is_empty() {
            return text;
        }
        let style = tone.style();
        format!("{style}{text}{style:#}")
    }

    pub fn title(&self, text: &str) -> String {
        self.paint(Tone::Title, text)
    }

    pub fn dim(&self, text: &str) -> String {
        self.paint(Tone::Dim, text)
    }

    pub fn command(&self, text: &str) -> String {
        self.paint(Tone::Command, text)
    }

    /// How long ago, or in how long.
    pub fn ago(&self, then: Timestamp) -> String {
        when::ago(then, self.now)
    }

    /// Trust as a small bar, in the colour of what it is worth.
    pub fn trust(&self, trust: f64) -> String {
        let tone = match trust {
            it if it >= 0.7 => Tone::Good,
            it if it >= 0.4 => Tone::Warn,
            _ => Tone::Bad,
        };
        self.paint(tone, &bar(trust))
    }

    /// The columns of prose.
    fn prose(&self) -> usize {
        self.width.min(PROSE_COLUMNS)
    }
}
