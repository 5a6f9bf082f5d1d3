//! The one template of a summary: what a session, a finished task or a handoff leaves. Its sections
//! are the fields of a session summary in core's `kind/schema.rs`.

use std::collections::BTreeSet;

use oldhand_core::codec::markdown::{self, Origin};
use oldhand_core::codec::sections;
use oldhand_core::content::{Content, FieldValue};
use oldhand_core::draft::Draft;
use oldhand_core::kind::schema::{FieldSpec, Place};
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::policy::SUMMARY_ITEMS_MAX;
use oldhand_core::yaml::Yaml;
use oldhand_text::secrets;
use oldhand_text::strings::{normalise_line, shorten, visible_line};

#[cfg(test)]
mod tests;

/// A summary that is being filled. Names are those of the fields in the schema.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    pub content: Content,
}

impl Summary {
    pub fn fields() -> &'static [FieldSpec] {
        Kind::SessionSummary.fields()
    }

    pub fn text(&self, name: &str) -> &str {
        self.content.text(name).unwrap_or_default()
    }

    pub fn list(&self, name: &str) -> &[String] {
        self.content.list(name)
    }

    pub fn is_empty(&self) -> bool {
        self.content.iter().next().is_none()
    }

    pub fn set_text(&mut self, name: &str, text: &str) {
        self.set(name, FieldValue::Text(text.trim().to_owned()));
    }

    pub fn set_list(&mut self, name: &str, items: Vec<String>) {
        self.set(name, FieldValue::List(items));
    }

    fn set(&mut self, name: &str, value: FieldValue) {
        let is_known = Self::fields().iter().any(|field| field.name == name);
        debug_assert!(is_known, "no field of the template: {name}");
        self.content.set(name, value);
    }

    /// Each item once; an empty one is none.
    pub fn push(&mut self, name: &str, item: &str) {
        let item = item.trim();
        let mut items = self.list(name).to_vec();
        if !item.is_empty() && !items.iter().any(|known| known == item) {
            items.push(item.to_owned());
            self.set_list(name, items);
        }
    }

    /// Appends items once each, without those that a memory would refuse, and counts what is over
    /// the limit.
    pub fn gather(&mut self, name: &str, items: Vec<String>) {
        let mut list = self.list(name).to_vec();
        let mut known: BTreeSet<String> = list.iter().map(|it| key(it)).collect();
        for item in items.iter().filter(|item| is_fit(item)) {
            let item = visible_line(item);
            if !item.trim().is_empty() && known.insert(key(&item)) {
                list.push(item);
            }
        }
        cut(&mut list, SUMMARY_ITEMS_MAX);
        if !list.is_empty() {
            self.set_list(name, list);
        }
    }

    pub fn render(&self) -> String {
        let section = |field: &FieldSpec| {
            let Place::Section { heading, .. } = &field.place else { return None };
            let value = self.content.get(&field.name)?;
            Some(format!("## {heading}\n{}", sections::write(&field.shape, value)))
        };
        Self::fields().iter().filter_map(section).collect::<Vec<String>>().join("\n")
    }

    /// Ignores sections that are not in the template.
    pub fn parse(text: &str) -> Self {
        let at = Origin { stem: "summary", folder: "sessions" };
        let content = markdown::parse(text, at, &Kinds::default())
            .map(|parsed| parsed.memory.content)
            .unwrap_or_default();
        Self { content }
    }

    pub fn to_draft(&self, title: &str) -> Draft {
        let mut draft = Draft { kind: Some(Kind::SessionSummary), ..Draft::default() };
        let title = shorten(&normalise_line(title), oldhand_core::policy::TITLE_CHARS_MAX);
        draft.set("title", Yaml::text(title));
        draft.set("tags", Yaml::list(&["session"]));
        for (name, value) in self.content.iter() {
            draft.set_content(name, value.clone());
        }
        draft
    }
}

/// By which two items are the same one.
pub(crate) fn key(item: &str) -> String {
    normalise_line(item).to_lowercase()
}

/// A commit's subject or a command may hold a secret that a memory would refuse as a whole.
pub(crate) fn is_fit(text: &str) -> bool {
    !text.trim().is_empty() && secrets::scan(text).is_empty()
}

/// A list within its limit says how many it leaves out.
pub fn cut(items: &mut Vec<String>, most: usize) {
    let count = |item: &str| -> Option<usize> {
        item.strip_prefix("and ")?.strip_suffix(" more")?.parse().ok()
    };
    let before = items.iter().filter_map(|it| count(it)).max().unwrap_or(0);
    items.retain(|item| count(item).is_none());
    let more = before + items.len().saturating_sub(most);
    items.truncate(most);
    if more > 0 {
        items.push(format!("and {more} more"));
    }
}
