//! An entry of a log as a decision.

use oldhand_core::content::{Alternative, FieldValue};
use oldhand_core::kind::Kind;
use oldhand_core::scope::is_relative_path;
use oldhand_core::state::State;
use oldhand_text::sentence;
use oldhand_text::strings::normalise_line;
use serde_json::json;

use super::{Entry, Label, known};
use crate::World;
use crate::record::{Ending, Foreign, Relation};
use crate::{status, text, topic};

/// Puts everything that an entry says into a record.
pub fn fill(record: &mut Foreign, entry: &Entry, world: &World<'_>) {
    record.draft.kind = Some(Kind::Decision);
    record.set_title(&entry.title);
    record.set_dates(entry.date, None, world.now);
    if let Some(id) = &entry.id {
        record.add_alias(id);
    }
    for (name, body) in &entry.fields {
        if text::says_nothing(body).is_none() {
            fill_field(record, name, body, world);
        }
    }
    if let Some(loud) = loud_status(&entry.raw).filter(|_| entry.field(Label::Status).is_none()) {
        set_status(record, loud);
    }
    fill_free(record, entry, world);
    if record.value("status").is_none() {
        record.set_text("status", "accepted");
    }
}

/// Text before the labels is the decision, unless one of them says it.
fn fill_free(record: &mut Foreign, entry: &Entry, world: &World<'_>) {
    let free = Some(entry.free.as_str()).filter(|it| text::says_nothing(it).is_none());
    match (record.value("decision").is_some(), free) {
        (false, Some(free)) => record.set_field("decision", &single(free), world.kinds),
        (false, None) => record.set_text("decision", entry.title.clone()),
        (true, Some(free)) if record.value("context").is_none() => {
            record.set_field("context", free, world.kinds);
        }
        (true, Some(free)) => record.add_section("Notes", free, world.kinds),
        (true, None) => {}
    }
}

fn fill_field(record: &mut Foreign, name: &str, body: &str, world: &World<'_>) {
    let Some(label) = known(name) else { return record.add_section(name, body, world.kinds) };
    match label {
        Label::Context => record.set_field("context", &single(body), world.kinds),
        Label::Decision => record.set_field("decision", &single(body), world.kinds),
        Label::Alternatives => {
            record.add_value("alternatives", FieldValue::Alternatives(alternatives(body)));
        }
        Label::Rationale => record.add_value("rationale", FieldValue::List(list(body))),
        Label::Consequences => record.add_value("consequences", FieldValue::List(list(body))),
        Label::Constraints => record.add_value("constraints", FieldValue::List(list(body))),
        Label::Status => set_status(record, body),
        Label::Date => match text::date(body).or_else(|| text::leading_date(body).map(|it| it.0)) {
            Some(date) => record.set_dates(Some(date), None, world.now),
            None => record.set_rest("date", json!(body)),
        },
        Label::Sources => names(body).iter().for_each(|it| record.add_source(it)),
        Label::Files => add_files(record, body),
        Label::ArchivedOn => {
            let (at, reason) = match text::leading_date(body) {
                Some((at, reason)) => (Some(at), reason),
                None => (None, body),
            };
            record.set_rest("archived_on", json!(body));
            record.ending =
                Some(Ending { state: State::Archived, at, reason: reason.trim().to_owned() });
        }
        Label::SupersededBy => {
            record.set_text("status", "deprecated");
            add_links(record, Relation::SupersededBy, name, body);
        }
        Label::Supersedes => add_links(record, Relation::Supersedes, name, body),
        Label::Related => add_links(record, Relation::Related, name, body),
    }
}

/// The status of a decision by a word of its source, which stays in `rest`.
pub(crate) fn set_status(record: &mut Foreign, body: &str) {
    let line = normalise_line(body);
    let status = status::read(&line);
    record.set_text("status", status.word);
    record.set_rest("status", json!(line));
    if let Some(successor) = &status.successor {
        record.add_link(Relation::SupersededBy, "superseded by", successor);
    }
    if let Some(state) = status.state {
        record.ending = Some(Ending { state, at: None, reason: line });
    }
}

/// A line that begins with a status in capitals: `SUPERSEDED by DEC-14`, `OBSOLETE - why`.
fn loud_status(raw: &str) -> Option<&str> {
    raw.lines().skip(1).map(|line| line.trim_matches(['*', '>', '_', ' ', '~'])).find(|line| {
        let word = line.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        matches!(
            word,
            "SUPERSEDED" | "SUPERCEDED" | "RETRACTED" | "OBSOLETE" | "DEPRECATED" | "REJECTED"
        )
    })
}

fn add_links(record: &mut Foreign, relation: Relation, word: &str, body: &str) {
    for name in names(body) {
        let to = status::link_target(&name).unwrap_or(&name).to_owned();
        record.add_link(relation, word, to.trim_matches(['[', ']']));
    }
}

fn add_files(record: &mut Foreign, body: &str) {
    for name in names(body) {
        let path = name.trim_matches('`');
        let is_path = !path.contains(char::is_whitespace)
            && is_relative_path(path)
            && !path.contains(['*', ':']);
        if is_path { record.add_to("related_files", path) } else { record.add_source(&name) }
    }
}

/// One name an item, or between commas and semicolons; prose is one name.
fn names(body: &str) -> Vec<String> {
    let (items, others) = topic::items(body);
    let parts = |text: &str| -> Vec<String> {
        let parts =
            text.split([',', ';', '\n']).map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
        let parts: Vec<String> = parts.collect();
        let is_list = parts.iter().all(|it| !it.contains(' ') || it.starts_with('['));
        if is_list { parts } else { vec![normalise_line(text)] }
    };
    let others = parts(&others).into_iter().filter(|it| !it.is_empty());
    items.iter().map(|it| normalise_line(it)).chain(others).collect()
}

/// Text whose lines flow; one item alone is its words.
fn single(body: &str) -> String {
    let joined = text::joined_lines(body);
    match topic::items(&joined) {
        (items, others) if items.len() == 1 && others.is_empty() => {
            items.into_iter().next().unwrap_or_default()
        }
        _ => joined,
    }
}

/// One item each; paragraphs are items too.
pub(crate) fn list(body: &str) -> Vec<String> {
    match oldhand_core::codec::sections::read(&oldhand_core::kind::schema::Shape::List, body) {
        FieldValue::List(items) => items.iter().map(|item| text::joined_lines(item)).collect(),
        _ => Vec::new(),
    }
}

/// Options with why they were not taken: one an item, or the parts between `;`.
pub fn alternatives(body: &str) -> Vec<Alternative> {
    let (items, others) = topic::items(body);
    let parts: Vec<String> = match items.is_empty() {
        true => others.split(';').map(str::to_owned).collect(),
        false if others.is_empty() => items,
        false => std::iter::once(others).chain(items).collect(),
    };
    let parts = parts.iter().map(|part| part.trim()).filter(|part| sentence::has_words(part));
    parts.filter(|part| !text::is_blank_word(part)).map(alternative).collect()
}

fn alternative(part: &str) -> Alternative {
    let bold = part.strip_prefix("**").and_then(|it| it.split_once("**"));
    if let Some((option, why)) = bold {
        let option = option.trim().trim_end_matches(':');
        return Alternative::new(option, why.trim_start_matches([':', '-', '–', '—', ' ']));
    }
    let line = part.lines().next().unwrap_or_default();
    let marks = [": ", " - ", " – ", " — "];
    if let Some((at, mark)) = marks.iter().filter_map(|mark| Some((line.find(mark)?, mark))).min() {
        return Alternative::new(&part[..at], &part[at + mark.len()..]);
    }
    let bracketed = line.trim_end().strip_suffix(')').and_then(|it| it.split_once(" ("));
    match bracketed.filter(|(option, _)| sentence::has_words(option)) {
        Some((option, why)) if part.lines().count() == 1 => Alternative::new(option, why),
        _ => {
            let rest = part[line.len()..].trim();
            Alternative::new(line.trim_end_matches(':'), rest)
        }
    }
}
