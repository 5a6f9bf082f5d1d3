//! How a record is put together: the same limits and the same homes for what does not fit, in every format.

use jiff::Timestamp;
use oldhand_core::codec::sections;
use oldhand_core::content::FieldValue;
use oldhand_core::kind::schema::{FieldSpec, Place, Shape, main_field};
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::policy::{
    CONFIDENCE_PERSON_ONLY, DESCRIPTION_CHARS_MAX, LIST_ITEMS_MAX, MEMORY_BYTES_MAX, TAGS_MAX,
    TITLE_CHARS_MAX,
};
use oldhand_core::scope::{Scope, is_relative_path};
use oldhand_core::yaml::Yaml;
use oldhand_text::strings::{normalise_body, normalise_line, normalise_tag, shorten};
use serde_json::{Map, Value, json};

use crate::files::SourceFile;
use crate::record::{Foreign, Link, Relation, Source, hash_of};
use crate::text;

/// What a confidence is written as that only a person may give.
const CONFIDENCE_MAX: f64 = 0.89;
/// Further sections of a record stand inside of the last one.
const SECTIONS_MAX: usize = 500;

impl Foreign {
    /// A record without words yet. `raw` is its part of the source, for the hash.
    pub fn new(key: impl Into<String>, place: impl Into<String>, kind: Kind, raw: &str) -> Self {
        let mut record = Self { key: key.into(), place: place.into(), ..Self::default() };
        record.draft.kind = Some(kind);
        record.hash = hash_of(raw.as_bytes());
        record
    }

    pub fn kind(&self) -> Kind {
        self.draft.kind.clone().unwrap_or_default()
    }

    /// On one line, cut at a word; the whole of a longer or hidden one is in `rest.title`.
    pub fn set_title(&mut self, title: &str) {
        let line = normalise_line(title);
        let has_hidden = title.chars().any(oldhand_text::strings::is_invisible);
        if line.chars().count() > TITLE_CHARS_MAX || has_hidden {
            self.set_rest("title", json!(title.trim()));
        }
        self.draft.set("title", Yaml::text(cut_at_word(&line, TITLE_CHARS_MAX)));
    }

    /// On one line; the whole of a longer one is in `rest.description`.
    pub fn set_description(&mut self, description: &str) {
        let line = normalise_line(description);
        if line.is_empty() {
            return;
        }
        if line.chars().count() > DESCRIPTION_CHARS_MAX {
            self.set_rest("description", json!(description));
        }
        self.draft.set("description", Yaml::text(cut_at_word(&line, DESCRIPTION_CHARS_MAX)));
    }

    /// Lower-cased, sorted, at most twelve; the others go to `rest.tags`.
    pub fn add_tags<T: AsRef<str>>(&mut self, tags: impl IntoIterator<Item = T>) {
        let mut all = self.list("tags");
        let new = tags.into_iter().map(|tag| normalise_tag(tag.as_ref()));
        all.extend(new.filter(|tag| !tag.is_empty()));
        let mut seen = std::collections::BTreeSet::new();
        all.retain(|tag| seen.insert(tag.clone()));
        let mut kept: Vec<String> = all.iter().take(TAGS_MAX).cloned().collect();
        if all.len() > TAGS_MAX {
            let known =
                self.rest.get("tags").and_then(Value::as_array).cloned().unwrap_or_default();
            let more = all[TAGS_MAX..].iter().map(|tag| json!(tag));
            self.set_rest("tags", known.into_iter().chain(more).collect());
        }
        kept.sort();
        if !kept.is_empty() {
            self.draft.set("tags", Yaml::list(&kept));
        }
    }

    pub fn add_alias(&mut self, alias: &str) {
        self.add_to("aliases", &normalise_line(alias));
    }

    pub fn add_source(&mut self, source: &str) {
        self.add_to("sources", &normalise_line(source));
    }

    /// One more item of a list in the frontmatter, once. What is above the limit goes to `rest`.
    pub fn add_to(&mut self, key: &str, item: &str) {
        let mut items = self.list(key);
        if item.is_empty() || items.iter().any(|known| known == item) {
            return;
        }
        if items.len() >= LIST_ITEMS_MAX {
            let more = self.rest.entry(key).or_insert_with(|| json!([]));
            return more.as_array_mut().into_iter().for_each(|more| more.push(json!(item)));
        }
        items.push(item.to_owned());
        self.draft.set(key, Yaml::list(&items));
    }

    pub fn list(&self, key: &str) -> Vec<String> {
        self.draft.get(key).and_then(Yaml::as_texts).unwrap_or_default()
    }

    pub fn set_scope(&mut self, scope: &Scope) {
        if *scope != Scope::Project {
            self.draft.set("scope", Yaml::text(scope.to_string()));
        }
    }

    pub fn set_audience(&mut self, audience: &str) {
        self.draft.set("audience", Yaml::text(audience));
    }

    pub fn set_evergreen(&mut self) {
        self.draft.set("evergreen", Yaml::literal(true));
    }

    /// It is about a person and goes to their own store.
    pub fn make_personal(&mut self) {
        self.set_scope(&Scope::Global);
        self.is_personal = true;
    }

    /// The highest numbers are a person's to give: one of them is written as the highest below, see `rest`.
    pub fn set_confidence(&mut self, confidence: f64) {
        if !(0.0..=1.0).contains(&confidence) {
            self.set_rest("confidence", json!(confidence));
            return;
        }
        let is_high = confidence >= CONFIDENCE_PERSON_ONLY;
        if is_high {
            self.set_rest("confidence", json!(confidence));
        }
        let shown = if is_high { CONFIDENCE_MAX } else { confidence };
        self.draft.set("confidence", Yaml::literal(shown));
    }

    /// The source's dates, never later than now.
    pub fn set_dates(
        &mut self,
        created: Option<Timestamp>,
        updated: Option<Timestamp>,
        now: Timestamp,
    ) {
        let past = |instant: Option<Timestamp>| instant.filter(|it| *it <= now);
        self.created_at = past(created).or(self.created_at);
        self.updated_at = past(updated).or(self.updated_at);
    }

    /// Paths become `related_files`; what has wildcards or leads outside goes to `rest` below this key.
    pub fn add_paths(&mut self, rest_key: &str, paths: &[String]) {
        let (plain, others): (Vec<&String>, Vec<&String>) =
            paths.iter().partition(|path| !has_wildcard(path) && is_relative_path(path));
        for path in plain {
            self.add_to("related_files", path.trim_start_matches("./"));
        }
        if !others.is_empty() {
            self.set_rest(rest_key, json!(others));
        }
    }

    /// What a rule applies to: files, and the folder that all the patterns share.
    pub fn set_patterns(&mut self, patterns: &[String]) {
        for path in patterns.iter().filter(|it| !has_wildcard(it) && is_relative_path(it)) {
            self.add_to("related_files", path.trim_start_matches("./"));
        }
        let folders: Option<Vec<String>> =
            patterns.iter().map(|it| folder_of_pattern(it)).collect();
        // Below each folder something is matched, so that the folder itself is shared.
        let files: Vec<String> =
            folders.unwrap_or_default().iter().map(|it| format!("{it}/x")).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        self.set_scope(&Scope::narrowest_for(&files));
    }

    pub fn set_rest(&mut self, key: &str, value: Value) {
        if !value.is_null() && value != json!("") && value != json!([]) {
            self.rest.insert(key.to_owned(), value);
        }
    }

    pub fn add_rest(&mut self, more: Map<String, Value>) {
        self.rest.extend(more);
    }

    /// The text that the kind is mainly about; several lines of a list are its items.
    pub fn set_main(&mut self, text: &str, kinds: &Kinds) {
        let spec = kinds.spec(&self.kind());
        if let Some(field) = main_field(&spec.fields) {
            self.set_field_of(field, text);
        }
    }

    /// A field of the kind from text; one that the kind lacks becomes a section.
    pub fn set_field(&mut self, name: &str, text: &str, kinds: &Kinds) {
        let spec = kinds.spec(&self.kind());
        match spec.field(name) {
            Some(field) => self.set_field_of(field, text),
            None => self.add_section(&oldhand_text::strings::sentence_case(name), text, kinds),
        }
    }

    fn set_field_of(&mut self, field: &FieldSpec, text: &str) {
        let text = normalise_body(text);
        let is_section = matches!(field.place, Place::Section { .. });
        let text = if is_section { lowered(&text) } else { text };
        let value = match field.shape {
            // Backslashes of the source are its own: they guard nothing.
            Shape::Text | Shape::Date | Shape::Choice(_) => FieldValue::Text(text),
            _ => sections::read(&field.shape, &text),
        };
        self.add_value(&field.name, value);
    }

    pub fn set_value(&mut self, name: &str, value: FieldValue) {
        if !value.is_empty() {
            self.draft.set_content(name, value);
        }
    }

    pub fn set_text(&mut self, name: &str, text: impl Into<String>) {
        self.set_value(name, FieldValue::text(text));
    }

    pub fn set_list(&mut self, name: &str, items: Vec<String>) {
        self.set_value(name, FieldValue::List(items));
    }

    pub fn value(&self, name: &str) -> Option<&FieldValue> {
        self.draft.content.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Said twice is kept twice: texts one below the other, items behind items.
    pub fn add_value(&mut self, name: &str, value: FieldValue) {
        let known = self.draft.content.iter_mut().find(|(known, _)| known == name);
        match (known.map(|(_, known)| known), value) {
            (Some(FieldValue::Text(known)), FieldValue::Text(more)) => push_paragraph(known, &more),
            (Some(FieldValue::List(known)), FieldValue::List(more)) => known.extend(more),
            (Some(FieldValue::Alternatives(known)), FieldValue::Alternatives(more)) => {
                known.extend(more);
            }
            (_, value) => self.set_value(name, value),
        }
    }

    /// A further section. Where the kind has a field of that heading it is that field, and where the kind is
    /// one text it is a part of it.
    pub fn add_section(&mut self, heading: &str, text: &str, kinds: &Kinds) {
        let heading = normalise_line(heading);
        let text = normalise_body(text);
        if text.is_empty() && heading.is_empty() {
            return;
        }
        let spec = kinds.spec(&self.kind());
        let is_named = |field: &&FieldSpec| match &field.place {
            Place::Section { heading: own, also } => {
                own.eq_ignore_ascii_case(&heading)
                    || also.iter().any(|it| it.eq_ignore_ascii_case(&heading))
            }
            _ => false,
        };
        if let Some(field) = spec.fields.iter().find(is_named) {
            return self.set_field_of(field, &text);
        }
        if let Some(body) = spec.fields.iter().find(|field| field.place == Place::Body) {
            let part = format!("{}\n\n{text}", sections::write_heading(&heading));
            return self.add_value(&body.name, FieldValue::text(part.trim_end()));
        }
        let text = lowered(&text);
        let is_full = self.draft.sections.len() >= SECTIONS_MAX;
        let known = self.draft.sections.iter_mut().find(|(known, _)| *known == heading);
        if let Some((_, known)) = known {
            push_paragraph(known, &text);
        } else if let Some((_, last)) = self.draft.sections.last_mut().filter(|_| is_full) {
            push_paragraph(last, &format!("### {heading}\n\n{text}"));
        } else {
            self.draft.sections.push((heading, text));
        }
    }

    pub fn add_link(&mut self, relation: Relation, word: &str, to: &str) {
        let link = Link { relation, word: word.to_owned(), to: to.trim().to_owned() };
        let is_full = self.links.len() >= LIST_ITEMS_MAX;
        if !is_full && !link.to.is_empty() && !self.links.contains(&link) {
            self.links.push(link);
        }
    }

    /// All of its words, for tests of what they say: fields, sections and the rest.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        let front = self.draft.front.iter().map(|(_, value)| value.plain());
        let content = self.draft.content.iter().map(|(_, value)| value.plain());
        let sections =
            self.draft.sections.iter().map(|(heading, text)| format!("{heading}\n{text}"));
        front
            .chain(content)
            .chain(sections)
            .chain(std::iter::once(Value::Object(self.rest.clone()).to_string()))
    }
}

fn push_paragraph(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(more);
}

/// The first characters, cut at a blank.
pub fn cut_at_word(line: &str, chars_max: usize) -> String {
    if line.chars().count() <= chars_max {
        return line.to_owned();
    }
    let cut = shorten(line, chars_max);
    match cut.rfind(' ') {
        Some(space) if space > cut.len() / 2 => format!("{}…", &cut[..space]),
        _ => cut,
    }
}

/// Headings of level 1 and 2 inside of a section would begin another one: all go down together.
fn lowered(text: &str) -> String {
    let level_of =
        |(line, is_plain): (&str, bool)| text::heading(line).filter(|_| is_plain).map(|it| it.0);
    let Some(least) = text::marked_lines(text).filter_map(level_of).min().filter(|it| *it <= 2)
    else {
        return text.to_owned();
    };
    let lines = text::marked_lines(text).map(|(line, is_plain)| match text::heading(line) {
        Some((level, words)) if is_plain => {
            format!("{} {words}", "#".repeat((level + 3 - least).min(6)))
        }
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn has_wildcard(path: &str) -> bool {
    path.contains(['*', '?', '[', '{', '!'])
}

/// The folder before the first wildcard of a pattern, or that of a file.
fn folder_of_pattern(pattern: &str) -> Option<String> {
    let pattern = pattern.trim_start_matches("./");
    let fixed = &pattern[..pattern.find(['*', '?', '[', '{', '!']).unwrap_or(pattern.len())];
    let (folder, _) = fixed.rsplit_once('/')?;
    is_relative_path(folder).then(|| folder.to_owned())
}

impl Source {
    /// The text of a file that is one record; one that is too large for that is refused.
    pub fn record_text(&mut self, file: &SourceFile, key: &str) -> Option<String> {
        let text = self.text_of(file);
        if text.len() as u64 <= MEMORY_BYTES_MAX {
            return Some(text);
        }
        self.refuse(key, "larger than 1 MiB");
        None
    }

    /// The text of a file. What was no text in it is told.
    pub fn text_of(&mut self, file: &SourceFile) -> String {
        let decoded = text::decode(file.bytes());
        if decoded.nuls > 0 {
            self.notes
                .push(format!("{} NUL characters in `{}` were dropped", decoded.nuls, file.path));
        }
        if decoded.is_damaged {
            self.notes
                .push(format!("some bytes of `{}` are no text, and were replaced", file.path));
        }
        decoded.text
    }
}
