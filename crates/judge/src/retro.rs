//! Reads a retrospective as drafts of lessons, from JSON, YAML, Markdown or plain sentences.

use std::collections::BTreeSet;

use serde_json::Value;

use oldhand_core::codec::document::Document;
use oldhand_core::codec_error::Cause;
use oldhand_core::policy::{RETRO_BYTES_MAX, RETRO_LESSONS_MAX};
use oldhand_core::scope::Scope;
use oldhand_core::task::{Outcome, TaskSignals};
use oldhand_core::yaml::{self, Yaml};
use oldhand_text::problem::Problem;
use oldhand_text::table;

mod draft;
mod fields;
mod prose;

/// What a retrospective said. No lessons is an answer, not an error: the caller says so.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Retrospective {
    pub task: Option<String>,
    pub outcome: Option<Outcome>,
    pub lessons: Vec<LessonDraft>,
    /// The memories that helped most, as they were named.
    pub most_useful: Vec<String>,
    pub signals: TaskSignals,
    pub left: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct LessonDraft {
    pub title: String,
    pub summary: String,
    pub guidance: Option<String>,
    pub applies_when: Option<String>,
    /// One of `schema::LESSON_TYPES`.
    pub lesson_type: &'static str,
    pub scope: Option<Scope>,
    pub tags: Vec<String>,
    pub evidence: Vec<String>,
    /// Why this type: the words that decided, or who said it.
    pub reason: String,
}

/// The reason of a type that no word decided.
pub const NO_WORDS: &str = "no telling words";

/// Reads a retrospective in any of its forms; every wrong field is named, not only the first.
pub fn parse(text: &str) -> Result<Retrospective, Vec<Problem>> {
    if text.len() > RETRO_BYTES_MAX {
        let expected = format!("at most {RETRO_BYTES_MAX} bytes");
        let found = format!("{} bytes", text.len());
        return Err(vec![Problem::new("retrospective", &expected, &found)]);
    }
    let text = unfenced(text.trim_start_matches('\u{FEFF}').trim());
    let (entries, prose) = parts_of(text).map_err(|problem| vec![problem])?;
    let mut retrospective = match entries {
        Some(entries) => fields::read(&entries, prose.is_empty())?,
        None => Retrospective::default(),
    };
    retrospective.lessons.extend(prose::lessons(prose));
    retrospective.left = prose::left(prose, &retrospective.lessons);
    let mut known = BTreeSet::new();
    retrospective.lessons.retain(|lesson| known.insert(lesson.summary.clone()));
    if retrospective.lessons.len() > RETRO_LESSONS_MAX {
        let expected = format!("at most {RETRO_LESSONS_MAX} lessons");
        return Err(vec![
            Problem::new("memory_candidates", &expected, "more")
                .with_fix("keep those that help the next task"),
        ]);
    }
    Ok(retrospective)
}

/// Agents like to wrap the whole of a record into a fence: that is its cover, not code in it.
fn unfenced(text: &str) -> &str {
    let inside = ["```json\n", "```yaml\n", "```yml\n"]
        .iter()
        .find_map(|open| text.strip_prefix(open))
        .and_then(|rest| rest.strip_suffix("```"));
    inside.filter(|inside| !inside.contains("```")).map_or(text, str::trim)
}

/// Longer than this, a sentence that begins with "nothing to" goes on to say something.
const EMPTY_ANSWER_BYTES: usize = 30;

const EMPTY_ANSWERS: &str = "|none|n/a|na|nil|null|no|nothing|tbd|todo";
const EMPTY_STARTS: &str = "no lessons|no new lessons|nothing new|nothing to |none this time";

/// A text that stands for an empty answer: `none`, `n/a`.
pub(crate) fn says_nothing(text: &str) -> bool {
    let folded = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let is_short = folded.len() <= EMPTY_ANSWER_BYTES;
    table::phrases(EMPTY_ANSWERS).any(|answer| folded == answer)
        || is_short && table::begins(EMPTY_STARTS, &folded)
}

/// Each text once, where it comes first; blank ones are none.
pub(crate) fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    texts.filter(|text| !text.is_empty() && known.insert(text.clone())).collect()
}

type Entries = Vec<(String, Yaml)>;

/// The two parts of a retrospective: fields by name, and text for people.
fn parts_of(text: &str) -> Result<(Option<Entries>, &str), Problem> {
    let entries = match text.chars().next() {
        Some('{') => json_entries(text)?,
        // A bare list is a list of lessons; anything else in brackets is text.
        Some('[') => serde_json::from_str(text)
            .ok()
            .map(|items: Value| vec![("memory_candidates".to_owned(), Yaml::from_json(&items))]),
        Some('-') if text.lines().next().is_some_and(|line| line.trim_end() == "---") => {
            return frontmatter_and_prose(text);
        }
        _ if looks_like_yaml(text) => Some(entries_of(text)?),
        _ => None,
    };
    let prose = if entries.is_some() { "" } else { text };
    Ok((entries, prose))
}

fn json_entries(text: &str) -> Result<Option<Entries>, Problem> {
    match serde_json::from_str::<Value>(text) {
        Ok(value) => Ok(match Yaml::from_json(&value) {
            Yaml::Map(entries) => Some(entries),
            _ => None,
        }),
        // A sentence may begin with a brace; a brace and a quote are meant as JSON.
        Err(error) if text[1..].trim_start().starts_with(['"', '}']) => {
            Err(Problem::new("retrospective", "a JSON object", &error.to_string()))
        }
        Err(_) => Ok(None),
    }
}

fn frontmatter_and_prose(text: &str) -> Result<(Option<Entries>, &str), Problem> {
    let Ok(document) = Document::parse(text) else {
        // One `---` before keys is the start of a YAML document.
        let after_first = text.split_once('\n').map_or("", |(_, rest)| rest);
        return Ok((Some(entries_of(after_first)?), ""));
    };
    if document.frontmatter.is_none() || document.entries.is_empty() {
        return Ok((None, text));
    }
    let entries = entries_of(document.frontmatter_text())?;
    Ok((Some(entries), text[document.body.clone()].trim()))
}

fn entries_of(text: &str) -> Result<Entries, Problem> {
    yaml::parse_map(text).map_err(|error| {
        let fix = match error.cause {
            Cause::Size => "give a long one as JSON, or its lessons as Markdown",
            _ => "put quotes around a text that has a colon in it",
        };
        let expected = "YAML with one `key: value` per line";
        Problem::new("retrospective", expected, &error.to_string()).with_fix(fix)
    })
}

/// Lines at the margin are keys, items or comments, and one of the keys is ours.
fn looks_like_yaml(text: &str) -> bool {
    let is_free = |line: &&str| {
        line.trim().is_empty()
            || line.starts_with([' ', '\t', '#', ']', '}'])
            || line.starts_with("- ")
            || line.trim_end() == "-"
    };
    let keys: Vec<Option<&str>> = text.lines().filter(|line| !is_free(line)).map(key_of).collect();
    keys.iter().all(Option::is_some) && keys.into_iter().flatten().any(fields::is_known)
}

fn key_of(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let ends = rest.is_empty() || rest.starts_with([' ', '\t', '\r']);
    (ends && !key.is_empty() && key.chars().all(is_word)).then_some(key)
}

#[cfg(test)]
mod tests;
