//! The headings, paragraphs and bullets of a text in Markdown, or nearly.

use oldhand_text::strings::shorten;
use oldhand_text::table;

use super::super::drafter::plain;

const SECTION_CHARS: usize = 400;

#[derive(Debug, Default)]
pub(super) struct Outline {
    parts: Vec<(String, Vec<String>)>,
}

/// A bullet with what is indented below it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Bullet {
    /// What stands in bold, or before the first colon.
    pub name: Option<String>,
    /// All of it but the name.
    pub text: String,
}

impl Outline {
    pub(super) fn of(text: &str) -> Self {
        let mut parts = vec![(String::new(), Vec::new())];
        let mut is_code = false;
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
                continue;
            }
            match heading(line).filter(|_| !is_code) {
                Some(heading) => parts.push((heading, Vec::new())),
                None if is_code => {}
                None => parts.last_mut().map_or((), |(_, lines)| lines.push(line.to_owned())),
            }
        }
        Self { parts }
    }

    /// The first heading, or the first line.
    pub(super) fn title(&self) -> Option<&str> {
        let heading = self.parts.iter().map(|(heading, _)| heading.as_str());
        let first = heading.into_iter().find(|heading| !heading.is_empty());
        let lines = || self.parts.iter().flat_map(|(_, lines)| lines).map(|line| line.trim());
        first.or_else(|| lines().find(|line| !line.is_empty()))
    }

    /// What stands below the first heading that has one of these words.
    pub(super) fn section(&self, words: &'static str) -> Option<String> {
        self.titled_section(words).map(|(_, text)| text)
    }

    /// With its heading.
    pub(super) fn titled_section(&self, words: &'static str) -> Option<(&str, String)> {
        let named = self.parts.iter().find(|(heading, lines)| {
            let heading = heading.to_lowercase();
            // A file is no section.
            let is_named = !heading.contains(['/', '`']) && table::holds(words, &heading);
            is_named && !prose(lines).is_empty()
        });
        named.map(|(heading, lines)| (heading.as_str(), prose(lines)))
    }

    /// What the text begins with, below whatever heading.
    pub(super) fn opening(&self) -> String {
        self.parts
            .iter()
            .map(|(_, lines)| prose(lines))
            .find(|text| !text.is_empty())
            .unwrap_or_default()
    }

    /// Every paragraph and list item below its heading, and whether it is an item; a table has none.
    pub(super) fn paragraphs(&self) -> Vec<(&str, String, bool)> {
        let mut found: Vec<(&str, String, bool)> = Vec::new();
        for (heading, lines) in &self.parts {
            let mut is_open = false;
            let mut margin = 0;
            for line in lines {
                let bare = line.trim();
                let indent = line.len() - line.trim_start().len();
                let item = item(bare).filter(|_| !is_open || margin == 0 || indent < margin);
                match (item, found.last_mut().filter(|_| is_open)) {
                    _ if bare.is_empty() || bare.starts_with('|') => is_open = false,
                    (Some(item), _) => {
                        found.push((heading, item.to_owned(), true));
                        (is_open, margin) = (true, indent + 1);
                    }
                    (None, Some((_, text, _))) => {
                        text.push(' ');
                        text.push_str(bare.trim_start_matches(['-', '*', '•', ' ']));
                    }
                    (None, None) => {
                        found.push((heading, bare.to_owned(), false));
                        (is_open, margin) = (true, 0);
                    }
                }
            }
        }
        found
    }

    /// Each with its heading; what is indented belongs to the bullet above it.
    pub(super) fn bullets(&self) -> Vec<(&str, Bullet)> {
        let mut found: Vec<(&str, String)> = Vec::new();
        for (heading, lines) in &self.parts {
            let mut margin = None;
            for line in lines.iter().filter(|line| !line.trim().is_empty()) {
                let indent = line.len() - line.trim_start().len();
                let is_bullet = line.trim_start().starts_with(['-', '*', '•']);
                let is_first = margin.is_none_or(|margin| indent <= margin);
                if is_bullet && is_first {
                    margin = Some(indent);
                    found.push((
                        heading,
                        line.trim().trim_start_matches(['-', '•', ' ']).to_owned(),
                    ));
                } else if let (Some((_, text)), Some(_)) = (found.last_mut(), margin) {
                    text.push(' ');
                    text.push_str(line.trim().trim_start_matches(['-', '•', ' ']));
                }
            }
        }
        found.into_iter().map(|(heading, text)| (heading, Bullet::of(&text))).collect()
    }
}

/// Behind `-`, `*`, `•` or `1.`.
fn item(line: &str) -> Option<&str> {
    let bulleted = || line.strip_prefix(['-', '*', '•']).and_then(|rest| rest.strip_prefix(' '));
    let numbered = || {
        let (number, rest) = line.split_once(". ")?;
        (number.len() <= 2 && number.bytes().all(|it| it.is_ascii_digit())).then_some(rest)
    };
    bulleted().or_else(numbered).map(str::trim)
}

impl Bullet {
    pub(super) fn of(text: &str) -> Self {
        let bold = text.strip_prefix("**").and_then(|rest| rest.split_once("**"));
        let (name, rest) = match bold.or_else(|| text.split_once(": ")) {
            Some((name, rest)) if name.split_whitespace().count() <= 16 => {
                (Some(plain(name)), rest)
            }
            _ => (None, text),
        };
        let name = name.map(|name| name.trim_end_matches([':', '.']).to_owned());
        let rest = plain(rest.trim_start_matches([':', ' ', '-', '–', '—']));
        Self { name: name.filter(|name| !name.is_empty()), text: rest }
    }
}

/// `## Title`, `4. Title:` or a bold line of its own.
fn heading(line: &str) -> Option<String> {
    let bare = line.trim();
    if bare.starts_with('#') {
        return Some(plain(bare.trim_start_matches('#').trim()));
    }
    let numbered = line.split_once(". ").filter(|(number, rest)| {
        !number.is_empty()
            && number.bytes().all(|it| it.is_ascii_digit())
            && rest.trim_end().ends_with(':')
    });
    let bold = bare.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    let bold = bold.filter(|rest| !rest.contains("**"));
    let name = numbered.map(|(_, rest)| rest.trim()).or(bold)?;
    Some(plain(name.trim_end_matches(':')))
}

/// The first paragraphs and bullets as one line.
fn prose(lines: &[String]) -> String {
    let told = lines
        .iter()
        .map(|line| line.trim())
        .filter(|line| !line.is_empty() && !line.starts_with('|'));
    let told: Vec<&str> = told.collect();
    shorten(&plain(&told.join(" ")), SECTION_CHARS)
}
