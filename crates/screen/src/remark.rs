//! Lines that speak to the reader: errors, hints, and answers that have no layout of their own.

use textwrap::core::display_width;

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

    /// What to do next, in a sentence.
    pub fn hint(&self, text: &str) -> String {
        self.item(&self.dim("→"), &self.literals(text), 0)
    }

    /// Text that was laid out for no width: its lines are wrapped, and go on where their last column
    /// begins.
    pub fn page(&self, text: &str) -> String {
        let line = |line: &str| match line.trim_end() {
            "" => "\n".to_owned(),
            line => match line.split_once(": ") {
                Some(("hint", rest)) => self.hint(rest),
                Some((label @ ("note" | "warning"), rest)) => self.remark(label, rest),
                _ => self.hanging(line),
            },
        };
        text.lines().map(line).collect()
    }

    fn hanging(&self, line: &str) -> String {
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        let column = bare.rfind("  ").map(|at| indent + display_width(&bare[..at + 2]));
        let deep = match column {
            Some(column) if column <= self.width / 2 => column,
            _ if bare.starts_with("- ") => indent + 2,
            _ => indent,
        };
        let width = if column.is_some() { self.width } else { self.prose() };
        let deep = " ".repeat(deep);
        let options = super::layout::options(width).subsequent_indent(&deep);
        textwrap::fill(&self.literals(line), options) + "\n"
    }
}
