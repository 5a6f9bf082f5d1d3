//! Lines that speak to the reader: errors, hints, and answers that have no layout of their own.

use textwrap::core::display_width;

use crate::body::heading;
use crate::layout::options;
use crate::{Screen, Tone};

impl Screen {
    /// One line of words in which literals stand out.
    pub fn literals(&self, text: &str) -> String {
        let parts: Vec<&str> = text.split('`').collect();
        let mut out = String::new();
        for (at, part) in parts.iter().enumerate() {
            let is_literal = at % 2 == 1 && at + 1 < parts.len();
            match is_literal {
                true => out.push_str(&self.paint(Tone::Command, &format!("`{part}`"))),
                // A tick that nothing closes is a tick.
                false if at % 2 == 1 => out.push_str(&self.paint(Tone::Plain, &format!("`{part}"))),
                false => out.push_str(&self.paint(Tone::Plain, part)),
            }
        }
        out
    }

    /// `error: …`, wrapped beside its label; further lines of the text keep their shape below it.
    pub fn remark(&self, label: &str, text: &str) -> String {
        let tone = match label {
            "error" | "refused" => Tone::Bad,
            "warning" => Tone::Warn,
            "hint" | "next" => Tone::Command,
            _ => Tone::Title,
        };
        let mut lines = text.lines();
        let first = self.literals(lines.next().unwrap_or_default());
        let label = format!("{}:", self.paint(tone, label));
        self.item(&label, &first, 0) + &self.page(&lines.collect::<Vec<_>>().join("\n"))
    }

    /// A sentence about what was done.
    pub fn done(&self, text: &str) -> String {
        self.item(&self.paint(Tone::Good, "✓"), &self.literals(text), 0)
    }

    /// What to do next, in a sentence.
    pub fn hint(&self, text: &str) -> String {
        self.item(&self.dim("→"), &self.literals(text), 0)
    }

    /// Text that was laid out for no width: lines are wrapped and go on where their last column
    /// begins, what stands above indented lines is their heading, the first column of those is a label,
    /// and differences have the colours of one.
    pub fn page(&self, text: &str) -> String {
        let mut out = String::new();
        let mut lines = text.lines().map(str::trim_end).peekable();
        while let Some(line) = lines.next() {
            let is_above = lines.peek().is_some_and(|next| next.starts_with("  "));
            out.push_str(&self.line(line, is_above));
        }
        out
    }

    fn line(&self, line: &str, is_above: bool) -> String {
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        if let Some(heading) = heading(line) {
            return format!("{}\n", self.title(heading));
        }
        if let (4, Some(sign @ ('+' | '-'))) = (indent, bare.chars().next()) {
            let tone = if sign == '+' { Tone::Good } else { Tone::Bad };
            return format!("    {}\n", self.paint(tone, bare));
        }
        match bare.split_once(": ") {
            Some(("hint" | "next", rest)) => {
                self.item(&self.dim("→"), &self.literals(rest), indent)
            }
            Some((label @ ("note" | "warning"), rest)) => self.remark(label, rest),
            Some((verb, title)) if is_above && indent == 0 => {
                self.wrapped(&format!("{verb}: {}", self.title(title)), 0)
            }
            None if is_above && indent == 0 => self.wrapped(&self.title(line), 0),
            _ if bare.is_empty() => "\n".to_owned(),
            _ => self.hanging(bare, indent),
        }
    }

    fn hanging(&self, bare: &str, indent: usize) -> String {
        let first = " ".repeat(indent);
        let column = bare.rfind("  ").map(|at| indent + display_width(&bare[..at + 2]));
        let deep = match column {
            Some(column) if column <= self.width / 2 => column,
            _ if bare.starts_with("- ") => indent + 2,
            _ => indent,
        };
        let painted = match bare.split_once("  ").filter(|_| indent > 0) {
            Some((label, rest)) => format!("{}  {}", self.dim(label), self.literals(rest)),
            None => self.literals(bare),
        };
        // A command is copied more easily from one line.
        let is_wide = column.is_some() || bare.contains('`');
        let width = if is_wide { self.width } else { self.prose() };
        let deep = " ".repeat(deep);
        let options = options(width).initial_indent(&first).subsequent_indent(&deep);
        textwrap::fill(&painted, options) + "\n"
    }
}
