//! Whether everything that a draft names was really said (R250). What can be compared letter by
//! letter blocks: paths, identifiers, numbers, commands, quotes. What is a matter of wording is
//! only advice. A draft without blocking doubts is saved, no other (R251).

pub mod claims;
mod heard;
mod numbers;

use std::fmt;

use self::heard::Heard;
use oldhand_core::content::FieldValue;
use oldhand_core::draft::Draft;
use oldhand_core::kind::Kind;
use oldhand_core::kind::schema::{self, Place, Shape};
use oldhand_core::yaml::Yaml;
use oldhand_text::sentence;
use oldhand_text::strings::{shorten, visible_line};

/// With fewer of its telling words in what was said, a sentence is not supported.
const SUPPORT_MIN: f64 = 0.4;
/// A shorter sentence says too little to be measured.
const SENTENCE_WORDS_MIN: usize = 4;
const SHOWN_CHARS: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Blocking,
    Advisory,
}

/// Something in a draft that the transcript does not show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    pub class: Class,
    pub field: String,
    /// `path`, `identifier`, `version`, `number`, `date`, `command`, `quote`, `url`, `name`,
    /// `strong word`, `tag` or `sentence`.
    pub what: &'static str,
    pub value: String,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = visible_line(&self.value);
        match (self.what, self.class) {
            ("sentence", _) => {
                write!(f, "`{}`: the transcript does not support: {value}", self.field)
            }
            ("path", Class::Advisory) => {
                write!(f, "`{}`: only the file name of `{value}` is in the transcript", self.field)
            }
            (what, _) => {
                write!(f, "`{}`: the {what} `{value}` is not in the transcript", self.field)
            }
        }
    }
}

/// Only drafts that pass are saved (R251).
pub fn passes(doubts: &[Doubt]) -> bool {
    doubts.iter().all(|doubt| doubt.class != Class::Blocking)
}

/// Compares each text of the draft with what was said. What the tool sets itself, words of closed
/// vocabularies and the evidence are not claims.
pub fn verify(draft: &Draft, excerpt: &str) -> Vec<Doubt> {
    let heard = Heard::new(excerpt);
    let mut doubts = Doubts { heard: &heard, found: Vec::new() };
    doubts.text("title", draft.title().unwrap_or_default());
    for (name, value) in &draft.content {
        if is_text(draft.kind.as_ref(), name) {
            doubts.value(name, value);
        }
    }
    for (heading, text) in &draft.sections {
        doubts.text(heading, text);
    }
    for path in draft.get("related_files").and_then(Yaml::as_texts).unwrap_or_default() {
        claims::path(&heard, &path, &mut |class, what, value| {
            doubts.found.push(doubt("related_files", class, what, value))
        });
    }
    for tag in draft.get("tags").and_then(Yaml::as_texts).unwrap_or_default() {
        if !heard.has_any_stem(&tag) {
            doubts.found.push(doubt("tags", Class::Advisory, "tag", &tag));
        }
    }
    doubts.into_sorted()
}

fn is_text(kind: Option<&Kind>, name: &str) -> bool {
    let fields = kind.map_or(&[][..], schema::fields_of);
    let Some(field) = fields.iter().find(|field| field.name == name) else { return true };
    let is_prose =
        matches!(field.shape, Shape::Text | Shape::List | Shape::Steps | Shape::Alternatives);
    // In the frontmatter are classes of failures and the like; only the topic is prose.
    is_prose && (field.place != Place::Frontmatter || name == "topic")
}

fn doubt(field: &str, class: Class, what: &'static str, value: &str) -> Doubt {
    Doubt { class, field: field.to_owned(), what, value: value.to_owned() }
}

struct Doubts<'a> {
    heard: &'a Heard,
    found: Vec<Doubt>,
}

impl Doubts<'_> {
    fn value(&mut self, field: &str, value: &FieldValue) {
        match value {
            FieldValue::Text(text) => self.text(field, text),
            FieldValue::List(items) => items.iter().for_each(|item| self.text(field, item)),
            FieldValue::Flag(_) => {}
            FieldValue::Alternatives(items) => {
                for item in items {
                    self.text(field, &item.option);
                    self.text(field, &item.rejected_reason);
                }
            }
        }
    }

    fn text(&mut self, field: &str, text: &str) {
        let (heard, found) = (self.heard, &mut self.found);
        let mut take = |class: Class, what: &'static str, value: &str| {
            found.push(doubt(field, class, what, value));
        };
        claims::check(heard, text, &mut take);
        // A title is a heading, not a sentence.
        if field == "title" {
            return;
        }
        for sentence in text.lines().flat_map(sentence::sentences) {
            let (part, count) = heard.support(sentence);
            if count >= SENTENCE_WORDS_MIN && part < SUPPORT_MIN {
                take(Class::Advisory, "sentence", &shorten(sentence, SHOWN_CHARS));
            }
        }
    }

    /// Each once, blocking ones first, otherwise in the order of the draft.
    fn into_sorted(self) -> Vec<Doubt> {
        let mut kept: Vec<Doubt> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for doubt in self.found {
            if seen.insert((doubt.field.clone(), doubt.what, doubt.value.clone())) {
                kept.push(doubt);
            }
        }
        kept.sort_by_key(|doubt| doubt.class);
        kept
    }
}

#[cfg(test)]
mod tests;
