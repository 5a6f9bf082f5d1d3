//! The quick way to write something down: which kind a sentence is, and what to call it. A guess
//! that says so; people refine it.

use self::cues::CUES;
use crate::capture::triage;
use oldhand_core::kind::Kind;
use oldhand_text::strings::{normalise_line, shorten};

/// How long a title made from a text becomes.
const TITLE_CHARS: usize = 80;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    pub kind: Kind,
    /// The words that decided it; empty when nothing did.
    pub because: String,
    /// Nothing in it speaks for another kind as loudly.
    pub is_sure: bool,
}

/// The kind that most of what a text says speaks for.
pub fn kind(text: &str) -> Guess {
    let heard = Heard::of(text);
    let mut best: Option<(u32, &Kind, &'static str)> = None;
    let mut second = 0;
    for (kind, groups) in CUES {
        let found = groups.iter().filter_map(|(weight, cues)| Some((*weight, heard.first(cues)?)));
        let found: Vec<(u32, &'static str)> = found.collect();
        let score = found.iter().map(|(weight, _)| weight).sum();
        // Of one kind the plainest words come first.
        let Some((_, because)) = found.first() else { continue };
        match best {
            Some((most, ..)) if most >= score => second = second.max(score),
            _ => {
                second = best.map_or(0, |(most, ..)| most);
                best = Some((score, kind, because));
            }
        }
    }
    let is_sure = best.is_some_and(|(score, ..)| score >= SURE && score > second);
    // Triage knows more languages, and what people say outright.
    if let Some((kind, because)) = triage::cued_kind(text).filter(|_| !is_sure) {
        return Guess { kind, because, is_sure: true };
    }
    match best {
        Some((_, kind, because)) => {
            Guess { kind: kind.clone(), because: because.to_owned(), is_sure }
        }
        None => Guess { kind: Kind::Reference, because: String::new(), is_sure: false },
    }
}

/// From which score on a kind is no mere guess.
const SURE: u32 = 3;
/// What a text is about stands at its beginning.
const HEARD_CHARS: usize = 400;

/// A text as cues are looked for in it.
struct Heard {
    /// Words between single spaces, with one at either end.
    words: String,
    /// The same without what only announces it.
    bare: String,
}

impl Heard {
    fn of(text: &str) -> Self {
        let line = shorten(&normalise_line(text), HEARD_CHARS);
        let line = line.trim_start_matches(['#', '-', '*', '>', ' ']);
        Self { words: spaced(line), bare: spaced(without_announcement(line)) }
    }

    fn first(&self, cues: &[&'static str]) -> Option<&'static str> {
        let found = cues.iter().find(|cue| self.has(cue));
        found.map(|cue| cue.trim_start_matches('^'))
    }

    /// `^` is the beginning, and ` … ` stands for any words between.
    fn has(&self, cue: &str) -> bool {
        let (cue, mut rest, is_first) = match cue.strip_prefix('^') {
            Some(cue) => (cue, self.bare.as_str(), true),
            None => (cue, self.words.as_str(), false),
        };
        for (number, part) in cue.split(" … ").enumerate() {
            let part = format!(" {part} ");
            match rest.find(&part) {
                Some(at) if number > 0 || !is_first || at == 0 => {
                    rest = &rest[at + part.len() - 1..]
                }
                _ => return false,
            }
        }
        true
    }
}

/// In lower case, with one space around each word. A colon is a word that cues may name.
fn spaced(text: &str) -> String {
    let lower = text.to_lowercase().replace('’', "'");
    let words =
        lower.replace(['.', ',', ';', '!', '?', '(', ')', '`', '"'], " ").replace(": ", " : ");
    format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The first sentence, without the words that only announce it.
pub fn title(text: &str) -> String {
    title_within(text, TITLE_CHARS)
}

/// The same where a longer title is wanted.
pub(crate) fn title_within(text: &str, chars_max: usize) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line = normalise_line(line.trim_start_matches(['#', '-', '*', '>', ' ']));
    let sentence = first_sentence(&line);
    let bare = without_reason(without_announcement(sentence));
    let mut characters = bare.trim_end_matches(['.', ':', ' ']).chars();
    let capitalised = match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    };
    at_word(&capitalised, chars_max)
}

/// Words that only announce what follows.
const ANNOUNCEMENTS: &[&str] = &[
    "please remember that ",
    "please remember to ",
    "please remember ",
    "remember that ",
    "remember to ",
    "remember: ",
    "remember ",
    "note that ",
    "note: ",
    "we decided to ",
    "we decided that ",
    "we have decided to ",
    "i decided to ",
    "decided to ",
    "from now on, ",
    "from now on ",
    "lesson learned: ",
    "lessons learned: ",
    "lesson: ",
    "takeaway: ",
    "next time, ",
    "next time ",
    "please ",
    "keep in mind that ",
    "bear in mind that ",
    "don't forget that ",
    "don't forget to ",
    "note to self: ",
    "for future reference: ",
    "for the record: ",
];

fn without_announcement(mut sentence: &str) -> &str {
    let announced = |sentence: &str, words: &str| {
        sentence.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words))
    };
    while let Some(words) = ANNOUNCEMENTS.iter().find(|words| announced(sentence, words)) {
        sentence = &sentence[words.len()..];
    }
    sentence
}

/// The reason is in the text; a title says what, not why.
fn without_reason(sentence: &str) -> &str {
    let cut = [", because ", " because ", ", since ", ", so that "]
        .iter()
        .filter_map(|word| sentence.find(word))
        .min()
        .filter(|at| *at >= 10);
    cut.map_or(sentence, |at| &sentence[..at])
}

fn first_sentence(line: &str) -> &str {
    let end = sentence_end(line).unwrap_or(line.len());
    line[..end].trim_end_matches(['.', '!', '?', '。', '！', '？'])
}

/// Short forms that end in a period and no sentence.
const SHORT_FORMS: &[&str] = &["e.g.", "i.e.", "etc.", "vs.", "approx.", "cf."];

/// Where the first sentence ends: behind a mark before a space, but not behind a short form.
pub(crate) fn sentence_end(line: &str) -> Option<usize> {
    line.match_indices(['.', '!', '?', '。', '！', '？']).find_map(|(at, mark)| {
        let end = at + mark.len();
        let is_end = !mark.is_ascii() || line[end..].is_empty() || line[end..].starts_with(' ');
        (is_end && !ends_in_short_form(&line[..end])).then_some(end)
    })
}

fn ends_in_short_form(text: &str) -> bool {
    let word = text.rsplit([' ', '(']).next().unwrap_or_default();
    SHORT_FORMS.iter().any(|short| word.eq_ignore_ascii_case(short))
}

/// Cuts a long title behind a word.
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

mod cues;
#[cfg(test)]
mod tests;
