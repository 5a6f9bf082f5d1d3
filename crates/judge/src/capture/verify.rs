//! Whether everything that a draft names was really said (R250). What can be compared letter by
//! letter blocks: paths, identifiers, numbers, commands, quotes. What is a matter of wording is
//! only advice. A draft without blocking doubts is saved, no other (R251).

pub mod claims;
mod heard;

use std::collections::BTreeSet;
use std::fmt;

use self::claims::Claims;
use self::heard::Heard;
use oldhand_core::content::FieldValue;
use oldhand_core::draft::Draft;
use oldhand_core::kind::Kind;
use oldhand_core::kind::schema::{Place, Shape};
use oldhand_core::yaml::Yaml;
use oldhand_text::strings::visible_line;

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
        write!(f, "`{}`: ", self.field)?;
        match (self.what, self.class) {
            ("sentence", _) => write!(f, "the transcript does not support: {value}"),
            ("path", Class::Advisory) => {
                write!(f, "only the file name of `{value}` is in the transcript")
            }
            (what, _) => write!(f, "the {what} `{value}` is not in the transcript"),
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
    let mut claims = Claims { heard: &heard, field: "title", doubts: Vec::new() };
    claims.names(draft.title().unwrap_or_default());
    let content = draft.content.iter().filter(|(name, _)| is_text(draft.kind.as_ref(), name));
    for (name, value) in content {
        claims.field = name;
        texts(value).into_iter().for_each(|text| claims.prose(text));
    }
    for (heading, text) in &draft.sections {
        claims.field = heading;
        claims.prose(text);
    }
    let named = |field| draft.get(field).and_then(Yaml::as_texts).unwrap_or_default();
    claims.field = "related_files";
    named("related_files").iter().for_each(|path| claims.path(path));
    claims.field = "tags";
    for tag in named("tags") {
        claims.need(heard.has_any_stem(&tag), Class::Advisory, "tag", &tag);
    }
    let Claims { mut doubts, .. } = claims;
    let mut seen = BTreeSet::new();
    doubts.retain(|it| seen.insert((it.field.clone(), it.what, it.value.clone())));
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

fn texts(value: &FieldValue) -> Vec<&str> {
    match value {
        FieldValue::Text(text) => vec![text],
        FieldValue::List(items) => items.iter().map(String::as_str).collect(),
        FieldValue::Alternatives(options) => {
            options.iter().flat_map(|it| [it.option.as_str(), &it.rejected_reason]).collect()
        }
        FieldValue::Flag(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
