//! Guesses the kind of a note, the type of a lesson and a title, and says which words decided.

pub(crate) mod cues;
mod model;
mod phrase;

#[cfg(test)]
mod tests;

use self::cues::{Found, LESSONS, SPEECH};
use oldhand_core::kind::Kind;
use oldhand_core::policy::CLASSIFY_CHARS_MAX;
use oldhand_text::sentence;
use oldhand_text::strings::{capitalised, normalise_line, shorten};
use oldhand_transcripts::Voice;

const TITLE_CHARS: usize = 80;
/// From which chance on the kind of a note is certain.
const SURE: f64 = 0.5;
/// From here on, a cue of speech says which kind it is.
const SAID: f64 = 0.4;
const OUTRIGHT: f64 = 1.0;
/// What a text is about stands at its beginning.
const HEARD_CHARS: usize = 400;

#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    pub kind: Kind,
    /// The words that decided it; empty when nothing did.
    pub because: String,
    /// Other kinds are far less likely.
    pub is_sure: bool,
    /// From 0 to 1.
    pub chance: f64,
}

/// The kind that a note most likely is. `meaning` is its sentence vector, where one was made.
pub fn kind(text: &str, meaning: Option<&[f32]>) -> Guess {
    let line = shorten(&normalise_line(text), HEARD_CHARS);
    let (kind, chance, because) = model::likeliest(line.trim_start_matches(LINE_MARKS), meaning);
    let is_sure = chance >= SURE;
    // Speech knows more languages, and what people say outright.
    let said = if is_sure { said_kind(text, OUTRIGHT) } else { said_kind(text, SAID) };
    match said {
        Some((kind, because)) => Guess { kind, because, is_sure: true, chance: 1.0 },
        None => Guess { kind, because, is_sure, chance },
    }
}

/// The meanings of cues in the order of the table, the heaviest first; ties keep that order.
fn weighed(found: &[Found]) -> Vec<(f64, &[Found])> {
    let groups = found.chunk_by(|one, next| one.cue.meaning == next.cue.meaning);
    let weight = |group: &[Found]| group.iter().map(|found| found.cue.weight).sum();
    let mut groups: Vec<(f64, &[Found])> = groups.map(|group| (weight(group), group)).collect();
    groups.sort_by(|one, other| other.0.total_cmp(&one.0));
    groups
}

/// The kind of the loudest cue in the first sentence that has one, and its words.
fn said_kind(text: &str, weight_min: f64) -> Option<(Kind, String)> {
    text.lines().flat_map(sentence::sentences).find_map(|said| {
        if let Some((kind, words)) = SPEECH.unspaced(said) {
            return Some((kind, words.to_owned()));
        }
        let heard = SPEECH.hear(said, 0, |cue| cue.counts_for(Voice::Person));
        let (kind, span) = heard.loudest_kind(weight_min)?;
        Some((kind, said[span].to_owned()))
    })
}

/// The type of a lesson without telling words, and of a new lesson that names no type.
pub const UNCLEAR_LESSON: &str = "project_rule";

/// Which of the twelve types a lesson is (R180), and the words that decided; no words when nothing
/// did. The heaviest type wins, and the order of the table breaks ties.
pub fn lesson_type(text: &str) -> (&'static str, String) {
    let folded = sentence::folded(&shorten(text, CLASSIFY_CHARS_MAX));
    let mut found = LESSONS.hear(&folded, 0, |_| true).found;
    // Each cue counts once, where it stands first.
    found.sort_by_key(|found| found.place);
    found.dedup_by_key(|found| found.place);
    let Some((_, group)) = weighed(&found).into_iter().next() else {
        return (UNCLEAR_LESSON, String::new());
    };
    let words: Vec<&str> = group.iter().map(|found| &folded[found.span.clone()]).collect();
    (group[0].cue.meaning, words.join(", "))
}

/// The first sentence, without the words that only announce it.
pub fn title(text: &str) -> String {
    title_within(text, TITLE_CHARS)
}

/// The same where a longer title is wanted.
pub(crate) fn title_within(text: &str, chars_max: usize) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line = sentence::without_item_mark(line.trim_start_matches(LINE_MARKS));
    let line = normalise_line(&line.replace("**", ""));
    let bare = without_reason(without_announcement(sentence::first(&line)));
    let bare = Some(bare).filter(|bare| sentence::has_words(bare)).unwrap_or(&line);
    at_word(&capitalised(bare.trim_end_matches(['.', ':', ' '])), chars_max)
}

const LINE_MARKS: [char; 5] = ['#', '-', '*', '>', ' '];

/// Words that only announce what follows.
const ANNOUNCEMENTS: &str = "please remember that|please remember to|please remember|\
     remember that|remember to|remember:|remember|note that|note:|we decided to|we decided that|\
     we have decided to|i decided to|decided to|from now on,|from now on|lesson learned:|\
     lessons learned:|lesson:|takeaway:|next time,|next time|please|keep in mind that|\
     bear in mind that|don't forget that|don't forget to|note to self:|for future reference:|\
     for the record:";

fn without_announcement(sentence: &str) -> &str {
    without_leads(sentence, ANNOUNCEMENTS)
}

/// The text behind all leading phrases of a table, separated by `|`, longer ones first.
pub(crate) fn without_leads<'t>(text: &'t str, leads: &str) -> &'t str {
    let behind = |lead: &str| {
        let rest = text.get(lead.len()..).filter(|_| text[..lead.len()].to_lowercase() == lead)?;
        let is_wide = lead.ends_with(['，', '：']);
        if is_wide { Some(rest) } else { rest.strip_prefix(' ') }
    };
    let rest = leads.split('|').find_map(behind);
    rest.map_or(text, |rest| without_leads(rest.trim_start(), leads))
}

/// The reason is in the text; a title says what, not why.
fn without_reason(sentence: &str) -> &str {
    let reasons = [", because ", " because ", ", since ", ", so that "];
    let cut = reasons.iter().filter_map(|word| sentence.find(word)).min().filter(|at| *at >= 10);
    cut.map_or(sentence, |at| &sentence[..at])
}

pub(crate) fn at_word(title: &str, chars_max: usize) -> String {
    if title.chars().count() <= chars_max {
        return title.to_owned();
    }
    let cut = shorten(title, chars_max);
    match cut.rfind(' ') {
        Some(space) if space > chars_max / 2 => format!("{}…", &cut[..space]),
        _ => cut,
    }
}
