//! Tables, facts and wrapped text, as wide as the terminal. Nothing is broken inside a word.

use comfy_table::{Cell, ColumnConstraint, ContentArrangement, Table, presets};
use textwrap::core::display_width;
use textwrap::{Options, WordSplitter};

use crate::Screen;

/// Between two columns.
const GAP: usize = 2;
/// A column that shares the rest of the line is never narrower.
const FLEXIBLE_MIN: usize = 14;

impl Screen {
    /// Rows of painted cells. One column takes what the others leave, and wraps. Where they leave too
    /// little, the last of them goes below its text.
    pub fn table(&self, mut rows: Vec<Vec<String>>, flexible: usize) -> String {
        let Some(mut columns) = rows.iter().map(Vec::len).max() else { return String::new() };
        let mut room = self.room(&rows, columns, flexible);
        while room < FLEXIBLE_MIN && columns > flexible + 1 {
            columns -= 1;
            for row in rows.iter_mut().filter(|row| row.len() > columns) {
                let last = row.pop().filter(|it| !it.is_empty());
                row[flexible].extend(last.map(|it| format!("\n{it}")));
            }
            room = self.room(&rows, columns, flexible);
        }
        let room = room.max(FLEXIBLE_MIN);
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.force_no_tty();
        for mut row in rows {
            if let Some(cell) = row.get_mut(flexible) {
                *cell = cell.lines().map(|line| fold(line, room)).collect::<Vec<_>>().join("\n");
            }
            table.add_row(row.into_iter().map(Cell::new).collect::<Vec<_>>());
        }
        for (at, column) in table.column_iter_mut().enumerate() {
            let gap = if at + 1 == columns { 0 } else { GAP as u16 };
            column.set_padding((0, gap));
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
        table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// What the other columns leave.
    fn room(&self, rows: &[Vec<String>], columns: usize, flexible: usize) -> usize {
        let width_of = |at: usize| {
            let cells = rows.iter().filter_map(|row| row.get(at));
            cells.flat_map(|cell| cell.lines()).map(display_width).max().unwrap_or(0)
        };
        let fixed: usize = (0..columns).filter(|at| *at != flexible).map(width_of).sum();
        self.width.saturating_sub(fixed + GAP * columns.saturating_sub(1))
    }

    /// Dim labels, and what they stand for, wrapped beside them. Empty values are left out.
    pub fn facts(&self, facts: &[(&str, String)]) -> String {
        let said = facts.iter().filter(|(_, value)| !value.is_empty());
        let row =
            |(label, value): &(&str, String)| vec![format!("  {}", self.dim(label)), value.clone()];
        let narrow = Self { width: self.prose(), ..*self };
        narrow.table(said.map(row).collect(), 1)
    }

    /// A painted line, wrapped, each line below the first one indented as deep as `indent`.
    pub fn wrapped(&self, line: &str, indent: usize) -> String {
        let deep = " ".repeat(indent);
        let options = options(self.prose()).initial_indent(&deep).subsequent_indent(&deep);
        textwrap::fill(line, options) + "\n"
    }

    /// The same behind a mark such as `•`.
    pub fn item(&self, mark: &str, line: &str, indent: usize) -> String {
        let first = format!("{}{mark} ", " ".repeat(indent));
        let deep = " ".repeat(display_width(&first));
        let options = options(self.prose()).initial_indent(&first).subsequent_indent(&deep);
        textwrap::fill(line, options) + "\n"
    }

    /// A line of parts with dots between them, such as `decision · stable`.
    pub fn parts(&self, parts: &[String]) -> String {
        let dot = self.dim(" · ");
        let said: Vec<&str> =
            parts.iter().filter(|it| !it.is_empty()).map(String::as_str).collect();
        said.join(&dot)
    }

    /// What to type next.
    pub fn next(&self, command: &str, what: &str) -> String {
        let command = format!("{} {}", self.dim("→"), self.command(command));
        let what = self.dim(what);
        match display_width(&command) + display_width(&what) + GAP {
            _ if what.is_empty() => format!("{command}\n"),
            wide if wide > self.width => format!("{command}\n{}", self.wrapped(&what, GAP)),
            _ => format!("{command}  {what}\n"),
        }
    }
}

pub(crate) fn options<'a>(width: usize) -> Options<'a> {
    Options::new(width).break_words(false).word_splitter(WordSplitter::NoHyphenation)
}

/// Wrapped at spaces; a word that is longer than the line is cut, not broken.
fn fold(line: &str, room: usize) -> String {
    let lines = textwrap::wrap(line, options(room));
    let whole = lines.iter().map(|line| match display_width(line) > room {
        true => cut_painted(line, room),
        false => line.to_string(),
    });
    repainted(&whole.collect::<Vec<_>>())
}

/// The same as `cut`, between the escapes that paint it.
fn cut_painted(word: &str, room: usize) -> String {
    let escape = |text: &str| text.strip_prefix("\x1b[").and_then(|it| Some(it.find('m')? + 3));
    let (mut start, mut end) = (0, word.len());
    while let Some(length) = escape(&word[start..end]) {
        start += length;
    }
    while let Some(at) = word[start..end].rfind("\x1b[").map(|at| start + at)
        && escape(&word[at..end]) == Some(end - at)
    {
        end = at;
    }
    format!("{}{}{}", &word[..start], cut(&word[start..end], room), &word[end..])
}

/// A style that was open at the end of a line goes on in the next: cells are padded between them.
fn repainted(lines: &[String]) -> String {
    let mut open = String::new();
    let mut out = Vec::new();
    for line in lines {
        let whole = format!("{open}{line}");
        open = last_style(&whole);
        let end = if open.is_empty() { "" } else { "\x1b[0m" };
        out.push(format!("{whole}{end}"));
    }
    out.join("\n")
}

/// The escapes since the last reset.
fn last_style(text: &str) -> String {
    let since = text.rsplit_once("\x1b[0m").map_or(text, |(_, rest)| rest);
    let mut styles = String::new();
    for part in since.split('\x1b').skip(1) {
        if let Some((style, _)) = part.split_once('m') {
            styles.push_str(&format!("\x1b{style}m"));
        }
    }
    styles
}

/// The first words of a text without spaces, and `…` for the rest.
fn cut(word: &str, room: usize) -> String {
    if display_width(word) <= room {
        return word.to_owned();
    }
    let mut short = String::new();
    for part in word.split_inclusive(['-', '/', '_', '.']) {
        if display_width(&short) + display_width(part) + 1 > room {
            break;
        }
        short.push_str(part);
    }
    if short.is_empty() {
        short = word.chars().take(room.saturating_sub(1)).collect();
    }
    short + "…"
}
