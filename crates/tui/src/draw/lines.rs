//! Text that has to fit: cut, filled or wrapped between words, by the columns that it takes.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// At most so many columns, with a mark where it goes on.
pub(super) fn cut(text: &str, columns: u16) -> String {
    let columns = usize::from(columns);
    if text.width() <= columns {
        return text.to_owned();
    }
    let (mut cut, mut taken) = (String::new(), 0);
    for letter in text.chars() {
        taken += letter.width().unwrap_or(0);
        if taken >= columns {
            break;
        }
        cut.push(letter);
    }
    if columns > 0 {
        cut.push('…');
    }
    cut
}

/// One part at the left end of a line, the other at its right end.
pub(super) fn fill(
    mut left: Vec<Span<'static>>,
    right: Vec<Span<'static>>,
    columns: u16,
) -> Line<'static> {
    let taken: usize = left.iter().chain(&right).map(Span::width).sum();
    let gap = usize::from(columns).saturating_sub(taken);
    left.push(Span::raw(" ".repeat(gap)));
    left.extend(right);
    Line::from(left)
}

/// Pieces of one text as lines, broken between words; lines after the first begin with `indent`.
pub(super) fn wrap(pieces: &[(String, Style)], columns: u16, indent: &str) -> Vec<Line<'static>> {
    let columns = usize::from(columns.max(4));
    let mut wrapped = Wrapped { lines: Vec::new(), spans: Vec::new(), taken: 0, columns, indent };
    for (text, style) in pieces {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                wrapped.end();
            }
            for word in line.split_inclusive(' ') {
                wrapped.word(word, *style);
            }
        }
    }
    wrapped.end();
    wrapped.lines
}

const SEAMS: [char; 6] = ['/', '-', '_', '.', ':', '#'];

struct Wrapped<'i> {
    lines: Vec<Line<'static>>,
    spans: Vec<Span<'static>>,
    taken: usize,
    columns: usize,
    indent: &'i str,
}

impl Wrapped<'_> {
    /// A path or an id that is wider than the line goes on behind one of its own seams.
    fn word(&mut self, word: &str, style: Style) {
        match self.indent.width() + word.trim_end().width() > self.columns {
            true => word.split_inclusive(SEAMS).for_each(|part| self.part(part, style)),
            false => self.part(word, style),
        }
    }

    fn part(&mut self, word: &str, style: Style) {
        if self.taken > 0 && self.taken + word.trim_end().width() > self.columns {
            self.go_on();
        }
        // What is still wider than the line is broken where it has to be.
        let mut part = String::new();
        for letter in word.chars() {
            let wide = letter.width().unwrap_or(0);
            if self.taken + wide > self.columns && letter != ' ' {
                self.spans.push(Span::styled(std::mem::take(&mut part), style));
                self.go_on();
            }
            part.push(letter);
            self.taken += wide;
        }
        self.spans.push(Span::styled(part, style));
    }

    /// In the next line.
    fn go_on(&mut self) {
        self.end();
        self.spans.push(Span::raw(self.indent.to_owned()));
        self.taken = self.indent.width();
    }

    fn end(&mut self) {
        self.lines.push(Line::from(std::mem::take(&mut self.spans)));
        self.taken = 0;
    }
}
