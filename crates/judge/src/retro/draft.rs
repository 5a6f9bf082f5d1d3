//! One lesson from one piece of text: its title, its type when it names one, and why.

use super::{LessonDraft, says_nothing};
use crate::guess::{self, UNCLEAR_LESSON, lesson_type};
use oldhand_core::kind::schema::LESSON_TYPES;
use oldhand_core::policy::TITLE_CHARS_MAX;
use oldhand_text::sentence::{has_words, without_item_mark};
use oldhand_text::strings::{normalise_body, normalise_line};

/// A lesson of a bullet, a paragraph or a sentence, below this heading; `None` for an empty answer.
pub(super) fn of_text(text: &str, heading: &str) -> Option<LessonDraft> {
    let body = normalise_body(text);
    let (named, body) = without_label(without_item_mark(body.trim_start()));
    let (bold, summary) = without_bold_lead(body);
    if says_nothing(&summary) {
        return None;
    }
    let (lesson_type, reason) = type_of(named, &summary, heading);
    let title = bold.map_or_else(|| title_of(&summary), |bold| given_title(&bold));
    Some(LessonDraft { title, summary, lesson_type, reason, ..LessonDraft::default() })
}

/// The type that the author gave, else by the words of the text, else by those of its heading.
pub(super) fn type_of(
    named: Option<&'static str>,
    text: &str,
    heading: &str,
) -> (&'static str, String) {
    if let Some(named) = named {
        return (named, "named in the retrospective".to_owned());
    }
    let (of_text, because) = lesson_type(text);
    if !because.is_empty() {
        return (of_text, because);
    }
    let (of_heading, because) = lesson_type(heading);
    if !because.is_empty() {
        return (of_heading, format!("under the heading `{}`", normalise_line(heading)));
    }
    (UNCLEAR_LESSON, super::NO_WORDS.to_owned())
}

pub(super) fn given_title(title: &str) -> String {
    let line = normalise_line(title);
    guess::at_word(line.trim_end_matches(['.', ':', ' ']), TITLE_CHARS_MAX)
}

pub(super) fn title_of(text: &str) -> String {
    let line = text.lines().find(|line| has_words(line)).unwrap_or(text);
    guess::title_within(line, TITLE_CHARS_MAX)
}

/// `[failure_lesson] text` and `failure_lesson: text`: the type that the author gives.
fn without_label(text: &str) -> (Option<&'static str>, &str) {
    let known = |word: &str| LESSON_TYPES.iter().copied().find(|known| *known == word);
    let boxed = text.strip_prefix('[').and_then(|text| text.split_once(']'));
    // `[name](address)` is a link.
    let boxed = boxed.filter(|(_, rest)| !rest.starts_with('('));
    let labelled = boxed.or_else(|| text.split_once(": "));
    match labelled.and_then(|(label, rest)| Some((known(label.trim_matches(['`', ' ']))?, rest))) {
        Some((named, rest)) => (Some(named), rest.trim_start_matches([':', ' '])),
        None => (None, text),
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
