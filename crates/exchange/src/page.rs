//! A page by its headings, and what readers of pages share: names for keys, and what came of them.

use oldhand_core::kind::Kind;
use oldhand_core::scope::Scope;
use oldhand_text::strings::normalise_body;

use crate::names::Names;
use crate::record::{Foreign, Passed};
use crate::text::{self, marked_lines};

/// One page as it lies in its source.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// The page's name in keys and messages.
    pub path: &'a str,
    pub text: &'a str,
    pub scope: Scope,
}

/// Records, and what was left out of them.
#[derive(Debug, Default)]
pub struct Read {
    pub records: Vec<Foreign>,
    pub skipped: Vec<Passed>,
}

impl Read {
    pub fn skip(&mut self, source: impl Into<String>, reason: impl Into<String>) {
        self.skipped.push(Passed { source: source.into(), reason: reason.into() });
    }

    pub fn extend(&mut self, more: Self) {
        self.records.extend(more.records);
        self.skipped.extend(more.skipped);
    }
}

/// One heading and the text below it, up to the next heading of its level.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Section {
    pub heading: String,
    /// Its name in keys, unique within the page.
    pub slug: String,
    pub text: String,
    /// The line of its heading, from 1.
    pub line: usize,
    pub level: usize,
    /// The later level-1 heading that it is below of, if there is one.
    pub part: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// The level-1 heading above everything else.
    pub title: Option<String>,
    pub above: String,
    pub sections: Vec<Section>,
}

/// The page by its level-2 headings; by those of level 1 when there are several and no level 2.
pub fn outline(text: &str) -> Outline {
    let levels = |wanted: usize| {
        let fits = |(line, is_plain): &(&str, bool)| {
            *is_plain && text::heading(line).is_some_and(|(level, _)| level == wanted)
        };
        marked_lines(text).filter(fits).count()
    };
    let is_flat = levels(2) == 0 && levels(1) > 1;
    let mut outline = Outline::default();
    let mut slugs = Names::default();
    let mut part: Option<String> = None;
    let mut above: Vec<&str> = Vec::new();
    let mut begun: Option<(Section, Vec<&str>)> = None;
    let mut finish = |begun: Option<(Section, Vec<&str>)>, sections: &mut Vec<Section>| {
        let Some((section, lines)) = begun else { return };
        let text = normalise_body(&lines.join("\n"));
        // A later level-1 heading right above a section is only that section's part.
        if !text.is_empty() || is_flat || section.level > 1 {
            sections.push(Section { slug: slugs.slug(&section.heading), text, ..section });
        }
    };
    for (at, (line, is_plain)) in marked_lines(text).enumerate() {
        let heading = if is_plain { text::heading(line) } else { None };
        match heading {
            Some((1, words)) if !is_flat && outline.title.is_none() && begun.is_none() => {
                outline.title = Some(words.to_owned());
            }
            Some((level @ 1..=2, words)) => {
                finish(begun.take(), &mut outline.sections);
                let part_of = part.clone().filter(|_| level == 2);
                if level == 1 && !is_flat {
                    part = Some(words.to_owned());
                }
                let section = Section {
                    heading: words.to_owned(),
                    line: at + 1,
                    level,
                    part: part_of,
                    ..Section::default()
                };
                begun = Some((section, Vec::new()));
            }
            _ => match &mut begun {
                Some((_, lines)) => lines.push(line),
                None => above.push(line),
            },
        }
    }
    finish(begun, &mut outline.sections);
    outline.above = normalise_body(&above.join("\n"));
    outline
}

impl Outline {
    /// The page's title for its sections; without a heading its name.
    pub fn title_or(&self, name: &str) -> String {
        self.title.as_deref().map_or_else(|| name.to_owned(), text::heading_title)
    }
}

impl Page<'_> {
    /// A record of this page.
    pub fn record(&self, key: &str, line: usize, raw: &str) -> Foreign {
        let mut record = Foreign::new(key, format!("{}:{line}", self.path), Kind::Reference, raw);
        record.set_scope(&self.scope);
        record.is_personal = self.scope == Scope::Global;
        record
    }
}
