//! Whether everything that a draft names was really said (R250). What can be compared letter by
//! letter blocks: paths, identifiers, numbers, commands, quotes. What is a matter of wording is
//! only advice. A draft without blocking doubts is saved, no other (R251).

pub mod claims;
mod heard;
mod numbers;

use std::collections::BTreeSet;
use std::fmt;

use self::heard::Heard;
use oldhand_core::content::{Alternative, FieldValue};
use oldhand_core::draft::Draft;
use oldhand_core::kind::Kind;
use oldhand_core::kind::schema::{Place, Shape};
use oldhand_core::yaml::Yaml;
use oldhand_text::sentence;
use oldhand_text::strings::{shorten, visible_line};

/// With fewer of its telling words in what was said, a sentence is not supported.
const SUPPORT_MIN: f64 = 0.4;
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
    let mut doubts: Vec<Doubt> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut doubt = |field: &str, class, what, value: &str| {
        let (field, value) = (field.to_owned(), value.to_owned());
        if seen.insert((field.clone(), what, value.clone())) {
            doubts.push(Doubt { class, field, what, value });
        }
    };
    let kind = draft.kind.as_ref();
    let content = draft.content.iter().filter(|(name, _)| is_text(kind, name));
    let content =
        content.flat_map(|(name, value)| texts(value).map(move |text| (name.as_str(), text)));
    let sections = draft.sections.iter().map(|(heading, text)| (heading.as_str(), text.as_str()));
    let title = [("title", draft.title().unwrap_or_default())];
    for (field, text) in title.into_iter().chain(content).chain(sections) {
        check_text(&heard, field, text, &mut |class, what, value| doubt(field, class, what, value));
    }
    let named = |field| draft.get(field).and_then(Yaml::as_texts).unwrap_or_default();
    for path in named("related_files") {
        claims::path(&heard, &path, &mut |class, what, value| {
            doubt("related_files", class, what, value)
        });
    }
    for tag in named("tags").iter().filter(|tag| !heard.has_any_stem(tag)) {
        doubt("tags", Class::Advisory, "tag", tag);
    }
    // Blocking ones first, otherwise in the order of the draft.
    doubts.sort_by_key(|doubt| doubt.class);
    doubts
}

fn is_text(kind: Option<&Kind>, name: &str) -> bool {
    let fields = kind.map_or(&[][..], Kind::fields);
    let Some(field) = fields.iter().find(|field| field.name == name) else { return true };
    let is_prose =
        matches!(field.shape, Shape::Text | Shape::List | Shape::Steps | Shape::Alternatives);
    // In the frontmatter are classes of failures and the like; only the topic is prose.
    is_prose && (field.place != Place::Frontmatter || name == "topic")
}

fn texts(value: &FieldValue) -> impl Iterator<Item = &str> {
    let (text, items, options): (_, &[String], &[Alternative]) = match value {
        FieldValue::Text(text) => (Some(text.as_str()), &[], &[]),
        FieldValue::List(items) => (None, items, &[]),
        FieldValue::Alternatives(options) => (None, &[], options),
        FieldValue::Flag(_) => (None, &[], &[]),
    };
    let options = options.iter().flat_map(|it| [it.option.as_str(), &it.rejected_reason]);
    text.into_iter().chain(items.iter().map(String::as_str)).chain(options)
}

fn check_text(heard: &Heard, field: &str, text: &str, take: &mut claims::Take<'_>) {
    claims::check(heard, text, take);
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
#[cfg(test)]
mod tests;
