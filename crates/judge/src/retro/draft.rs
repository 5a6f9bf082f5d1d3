//! One lesson from one piece of text: its title, its type when it names one, and why.

use super::classify::{self, classify};
use super::{LessonDraft, says_nothing};
use crate::guess;
use oldhand_core::codec::sections::marker_width;
use oldhand_core::kind::schema::LESSON_TYPES;
use oldhand_core::policy::TITLE_CHARS_MAX;
use oldhand_text::strings::{normalise_body, normalise_line};

/// A lesson of a bullet, a paragraph or a sentence; `None` when it says nothing. The heading
/// above it decides the type where the text does not.
pub(super) fn of_text(text: &str, heading: &str) -> Option<LessonDraft> {
    let body = normalise_body(text);
    let (named, body) = without_label(body.trim_start());
    let (bold, summary) = without_bold_lead(body);
    if says_nothing(&summary) {
        return None;
    }
    let (lesson_type, reason) = match named {
        Some(lesson_type) => (lesson_type, NAMED.to_owned()),
        None => type_of(&summary, heading),
    };
    let title = bold.map_or_else(|| title_of(&summary), |bold| given_title(&bold));
    Some(LessonDraft {
        title,
        summary,
        guidance: None,
        applies_when: None,
        lesson_type,
        scope: None,
        tags: Vec::new(),
        evidence: Vec::new(),
        reason,
    })
}

/// The reason of a type that the author gave.
pub(super) const NAMED: &str = "named in the retrospective";

/// The type by the words of the text, else by those of its heading, else the usual one.
pub(super) fn type_of(text: &str, heading: &str) -> (&'static str, String) {
    let (lesson_type, because) = classify(text);
    if !because.is_empty() {
        return (lesson_type, because);
    }
    let (of_heading, because) = classify(heading);
    if !because.is_empty() {
        return (of_heading, format!("under the heading `{}`", normalise_line(heading)));
    }
    (classify::UNCLEAR, super::NO_WORDS.to_owned())
}

pub(super) fn given_title(title: &str) -> String {
    let line = normalise_line(title);
    guess::at_word(line.trim_end_matches(['.', ':', ' ']), TITLE_CHARS_MAX)
}

/// The first line that has words, as a title.
pub(super) fn title_of(text: &str) -> String {
    let line = text.lines().find(|line| has_words(line)).unwrap_or(text);
    let title = guess::title_within(line, TITLE_CHARS_MAX);
    if has_words(&title) { title } else { given_title(line) }
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// `[x] text`, `[failure_lesson] text` and `failure_lesson: text`: the box goes, a type is taken.
fn without_label(text: &str) -> (Option<&'static str>, &str) {
    let known = |word: &str| LESSON_TYPES.iter().copied().find(|known| *known == word.trim());
    if let Some((label, rest)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) {
        let is_box = matches!(label, " " | "x" | "X");
        // `[name](address)` is a link.
        return match known(label) {
            Some(named) if !rest.starts_with('(') => {
                (Some(named), rest.trim_start_matches([':', ' ']))
            }
            _ if is_box && rest.starts_with(' ') => (None, rest.trim_start()),
            _ => (None, text),
        };
    }
    match text.split_once(": ") {
        Some((label, rest)) if known(label.trim_matches('`')).is_some() => {
            (known(label.trim_matches('`')), rest.trim_start())
        }
        _ => (None, text),
    }
}

/// `**Title**: text` and `**Title.** text`: the title, and the whole text without the stars.
fn without_bold_lead(text: &str) -> (Option<String>, String) {
    let lead = text.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    let Some((bold, rest)) = lead.filter(|(bold, _)| has_words(bold) && !bold.contains('\n'))
    else {
        return (None, text.to_owned());
    };
    // One emphasised word at the start of a sentence is no title.
    let ends_lead =
        bold.ends_with(['.', ':', '!']) || rest.trim_start().starts_with([':', '-', '–', '—']);
    let is_title = ends_lead || rest.trim().is_empty();
    (is_title.then(|| bold.to_owned()), format!("{bold}{rest}"))
}

/// What an item of a list says, without its marker.
pub(super) fn item_of(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix("• ") {
        return Some(rest);
    }
    marker_width(line).map(|width| &line[width..])
}
