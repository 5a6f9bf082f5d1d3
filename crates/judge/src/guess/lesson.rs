//! Which of the twelve types a lesson is (R180): telling words are weighed, the heaviest type wins,
//! and the order of the table breaks ties. The same text always gives the same type.

use super::cues::{Heard, LESSONS, Meaning};
use super::weighed;
use oldhand_core::policy::CLASSIFY_CHARS_MAX;
use oldhand_text::sentence::folded;
use oldhand_text::strings::shorten;

/// The type of a lesson without telling words, and of a new lesson that names no type.
pub const UNCLEAR_LESSON: &str = "project_rule";

/// The type and the words that decided; no words when nothing did.
pub fn lesson_type(text: &str) -> (&'static str, String) {
    let folded = folded(&shorten(text, CLASSIFY_CHARS_MAX));
    let mut heard = Heard::default();
    LESSONS.hear(&folded, 0, |_| true, &mut heard);
    // Each cue counts once, where it stands first.
    heard.found.sort_by_key(|found| found.place);
    heard.found.dedup_by_key(|found| found.place);
    let Some((_, group)) = weighed(&heard.found).into_iter().next() else {
        return (UNCLEAR_LESSON, String::new());
    };
    let words: Vec<&str> = group.iter().map(|found| &folded[found.span.clone()]).collect();
    match group[0].cue.meaning {
        Meaning::LessonType(name) => (name, words.join(", ")),
        _ => (UNCLEAR_LESSON, String::new()),
    }
}

#[cfg(test)]
mod tests;
