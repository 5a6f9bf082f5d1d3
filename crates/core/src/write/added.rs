//! What a draft adds to a memory, compared sentence by sentence: only the same words are known.

use crate::codec::fields;
use crate::content::{Alternative, FieldValue};
use crate::draft::{Draft, is_owned_by_tool};
use crate::kind::schema::main_field;
use crate::memory::Memory;
use crate::yaml::Yaml;
use oldhand_text::sentence;
use oldhand_text::strings::normalise_line;

/// The part of a draft that is new; empty when the memory has all of it.
pub fn added(draft: &Draft, there: &Memory) -> Draft {
    let mut new = Draft::default();
    for (key, value) in &draft.front {
        let is_ours = is_owned_by_tool(key) || is_bookkeeping(key);
        let is_known = key == "title" && is_title_known(draft, there);
        if is_ours || is_known {
            continue;
        }
        if let Some(value) = new_front(key, value, there) {
            new.set(key, value);
        }
    }
    for (name, value) in &draft.content {
        if let Some(value) = new_content(value, there.content.get(name)) {
            new.set_content(name, value);
        }
    }
    let is_new = |entry: &&(String, Yaml)| !there.extra.contains(entry);
    new.extra = draft.extra.iter().filter(is_new).cloned().collect();
    let is_new = |entry: &&(String, String)| !there.sections.contains(entry);
    new.sections = draft.sections.iter().filter(is_new).cloned().collect();
    new
}

/// Whether the addition only fills what the memory left open, so that nothing that it says changes.
pub fn only_fills(added: &Draft, there: &Memory) -> bool {
    let is_open = |name: &str| there.content.get(name).is_none();
    added.front.iter().all(|(key, _)| fills(key, there))
        && added.content.iter().all(|(name, value)| value.is_list() || is_open(name))
}

/// A list grows, and what is not there is open.
pub fn fills(key: &str, there: &Memory) -> bool {
    let known = fields::find(key).map(|field| (field.get)(there));
    key == "depends_on" || matches!(known, Some(None | Some(Yaml::List(_))))
}

/// The text of an addition, as a line for the history.
pub fn wording(added: &Draft) -> String {
    let title = added.title().map(str::to_owned);
    let content = added.content.iter().map(|(name, value)| format!("{name}: {}", value.plain()));
    let front = added.front.iter().filter(|(key, _)| key != "title");
    let sections = added.sections.iter().map(|(heading, text)| format!("{heading}: {text}"));
    let yaml = |(key, value): &(String, Yaml)| format!("{key}: {}", value.plain());
    let parts = title.into_iter().chain(content).chain(front.map(yaml)).chain(sections);
    let parts = parts.chain(added.extra.iter().map(yaml));
    normalise_line(&parts.collect::<Vec<_>>().join("; "))
}

/// Where it came from and how sure its author was: about the writing, not about what is said.
fn is_bookkeeping(key: &str) -> bool {
    matches!(key, "id" | "type" | "category" | "origin" | "sources" | "confidence" | "review_after")
}

/// The memory's own title, a sentence of it, or one that was made from the draft's own text.
fn is_title_known(draft: &Draft, there: &Memory) -> bool {
    let title = plain(draft.title().unwrap_or_default());
    let field = main_field(there.kind.fields()).map(|field| field.name.to_string());
    let is_main = |(name, _): &&(String, FieldValue)| Some(name) == field.as_ref();
    let own = draft.content.iter().find(is_main).map(|(_, value)| plain(&value.plain()));
    let theirs = field.and_then(|name| there.content.get(&name).map(FieldValue::plain));
    title == plain(&there.title)
        || own.is_some_and(|own| own.starts_with(title.trim_end_matches('…')))
        || theirs.is_some_and(|text| sentences(&text).contains(&title))
}

fn new_front(key: &str, value: &Yaml, there: &Memory) -> Option<Yaml> {
    let field = fields::find(key)?;
    let known = (field.get)(there);
    if let (Yaml::List(_), Some(given)) = (value, value.as_texts()) {
        let known = known.as_ref().and_then(Yaml::as_texts).unwrap_or_default();
        let new: Vec<&String> = given.iter().filter(|item| !known.contains(item)).collect();
        return (!new.is_empty()).then(|| Yaml::list(&new));
    }
    let mut copy = there.clone();
    // A value that can't be read was refused before.
    (field.set)(&mut copy, value).ok()?;
    if key == "depends_on" {
        let paths = std::mem::take(&mut copy.depends_on.code_paths);
        copy.depends_on = there.depends_on.clone();
        let is_new = |path: &String| !there.depends_on.code_paths.contains(path);
        copy.depends_on.code_paths.extend(paths.into_iter().filter(is_new));
    }
    (field.get)(&copy).filter(|new| Some(new) != known.as_ref())
}

fn new_content(value: &FieldValue, known: Option<&FieldValue>) -> Option<FieldValue> {
    let new = match (value, known) {
        (FieldValue::List(given), Some(FieldValue::List(known))) => {
            let known: Vec<String> = known.iter().map(|item| plain(item)).collect();
            let is_new = |item: &&String| !known.contains(&plain(item));
            FieldValue::List(given.iter().filter(is_new).cloned().collect())
        }
        (FieldValue::Alternatives(given), Some(FieldValue::Alternatives(known))) => {
            let is_new = |item: &&Alternative| !known.contains(item);
            FieldValue::Alternatives(given.iter().filter(is_new).cloned().collect())
        }
        (FieldValue::Text(given), Some(FieldValue::Text(known))) => {
            let known = sentences(known);
            let is_known = sentences(given).iter().all(|sentence| known.contains(sentence));
            if is_known { FieldValue::Text(String::new()) } else { value.clone() }
        }
        (given, known) if known == Some(given) => return None,
        (given, _) => given.clone(),
    };
    (!new.is_empty()).then_some(new)
}

/// Without case, spacing and the marks around it: what stays is what is said.
fn plain(text: &str) -> String {
    let line = normalise_line(text).to_lowercase();
    line.trim_matches(|it: char| it.is_whitespace() || ".!?,;:*_\"'`".contains(it)).to_owned()
}

/// What a text says, sentence by sentence; a semicolon ends one too.
fn sentences(text: &str) -> Vec<String> {
    let parts = text.lines().flat_map(sentence::sentences).flat_map(|it| it.split(';'));
    parts.map(plain).filter(|sentence| !sentence.is_empty()).collect()
}

#[cfg(test)]
mod tests;
