//! Which of the twelve types a lesson is (R180): telling words are weighed, the heaviest type
//! wins, and the order of the table breaks ties. The same text always gives the same type.

use super::cues::{CUES, Cues};
use super::prose::fold;
use oldhand_core::policy::CLASSIFY_CHARS_MAX;
use oldhand_text::strings::shorten;

/// The type of a lesson that nothing tells: what a new lesson is without a word about it.
pub const UNCLEAR: &str = "project_rule";

/// The type and the words that decided; no words when nothing did.
pub fn classify(text: &str) -> (&'static str, String) {
    let folded = fold(&shorten(text, CLASSIFY_CHARS_MAX));
    let mut best: (u32, &'static str, Vec<&str>) = (0, UNCLEAR, Vec::new());
    for (lesson_type, cues) in CUES {
        let (words, weights): (Vec<&str>, Vec<u32>) =
            each_cue(cues).filter_map(|(cue, weight)| Some((find(&folded, cue)?, weight))).unzip();
        let weight = weights.iter().sum();
        if weight > best.0 {
            best = (weight, lesson_type, words);
        }
    }
    (best.1, best.2.join(", "))
}

fn each_cue(cues: Cues) -> impl Iterator<Item = (&'static str, u32)> {
    cues.iter().flat_map(|(weight, words)| words.split(", ").map(|cue| (cue, *weight)))
}

/// The words that a cue stands for: itself, or with a `*` what begins with it.
fn find<'a>(folded: &'a str, cue: &str) -> Option<&'a str> {
    let Some(start) = cue.strip_suffix('*') else {
        let at = folded.find(&format!(" {cue} "))? + 1;
        return Some(&folded[at..at + cue.len()]);
    };
    let at = folded.find(&format!(" {start}"))? + 1;
    let rest = &folded[at + start.len()..];
    Some(&folded[at..at + start.len() + rest.find(' ').unwrap_or(rest.len())])
}

#[cfg(test)]
mod tests;
