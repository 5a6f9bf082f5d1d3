//! Markdown as people read it in a terminal: headings stand out, prose is wrapped, code is left alone.

use oldhand_text::strings::visible;

use crate::{Screen, Tone};

impl Screen {
    /// The text of a memory, indented. Its hidden characters are shown.
    pub fn body(&self, text: &str, indent: usize) -> String {
        let deep = " ".repeat(indent);
        let mut out = String::new();
        let (mut paragraph, mut is_code) = (String::new(), false);
        let shown = visible(text);
        for line in shown.lines() {
            let bare = line.trim();
            let is_fence = bare.starts_with("```");
            if is_code || is_fence {
                self.end(&mut paragraph, indent, &mut out);
                if !is_fence {
                    out.push_str(&format!("{deep}{}\n", self.paint(Tone::Dim, line)));
                }
                is_code ^= is_fence;
            } else if bare.is_empty() {
                self.end(&mut paragraph, indent, &mut out);
                if !out.is_empty() && !out.ends_with("\n\n") {
                    out.push('\n');
                }
            } else if let Some(heading) = heading(bare) {
                self.end(&mut paragraph, indent, &mut out);
                out.push_str(&format!("{deep}{}\n", self.title(heading)));
            } else if let Some(item) = bare.strip_prefix("- ").or_else(|| bare.strip_prefix("* ")) {
                self.end(&mut paragraph, indent, &mut out);
                let inner = (line.len() - line.trim_start().len()).min(8);
                out.push_str(&self.item("•", item, indent + inner));
            } else if bare.starts_with('|') {
                self.end(&mut paragraph, indent, &mut out);
                out.push_str(&format!("{deep}{bare}\n"));
            } else {
                paragraph.push_str(bare);
                paragraph.push(' ');
            }
        }
        self.end(&mut paragraph, indent, &mut out);
        out.trim_end().to_owned() + "\n"
    }

    fn end(&self, paragraph: &mut String, indent: usize, out: &mut String) {
        let text = std::mem::take(paragraph);
        if !text.is_empty() {
            out.push_str(&self.wrapped(text.trim_end(), indent));
        }
    }
}

pub(crate) fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let depth = line.len() - text.len();
    (1..=6).contains(&depth).then(|| text.strip_prefix(' ')).flatten()
}
