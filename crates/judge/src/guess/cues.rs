//! What words speak for: the one search for cues. A cue is a phrase with who says it, what it means
//! and how much it weighs. The cues are data, in the text files beside this one; what follows from
//! those that a text has is decided by whoever asks.

use std::ops::Range;
use std::sync::LazyLock;

use super::phrase::Phrases;
use oldhand_core::kind::Kind;
use oldhand_text::sentence::is_question;
use oldhand_transcripts::Voice;

/// What people and agents say to each other, with weights from 0 to 1; 1 is explicit.
pub(crate) static SPEECH: LazyLock<Book> =
    LazyLock::new(|| Book::of(OPENERS, &[SPEECH_TABLE, LANGUAGES_TABLE]));
/// Which kind a note is, with weights from 1 (a hint) to 4 (says it).
pub(super) static NOTES: LazyLock<Book> = LazyLock::new(|| Book::of("", &[NOTES_TABLE]));
/// Which type a lesson is, with the same weights.
pub(super) static LESSONS: LazyLock<Book> = LazyLock::new(|| Book::of("", &[LESSONS_TABLE]));

const SPEECH_TABLE: &str = include_str!("cues/speech.txt");
const LANGUAGES_TABLE: &str = include_str!("cues/languages.txt");
const NOTES_TABLE: &str = include_str!("cues/notes.txt");
const LESSONS_TABLE: &str = include_str!("cues/lessons.txt");

/// Words before the first one that counts.
const OPENERS: &str = "ok okay yes yeah yep yup no nope so and but also please well hmm hm um ah oh alright right \
     cool great good nice thanks thank you then actually btw fyi now sure just : hey hi perfect \
     sorry guys first second finally important one more thing additionally bitte und aber ja nein \
     s'il vous plaît por favor per favore proszę пожалуйста";

/// What a text with a cue is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meaning {
    Kind(Kind),
    LessonType(&'static str),
    /// To be remembered, as whatever its content is.
    Memory,
    /// The same as a request: a question mark takes nothing from it.
    Request,
    /// Makes another cue more likely: why, as in because, since, otherwise.
    Reason,
    /// The same: over what, as in instead of, rather than.
    Contrast,
    /// The same: it lasts, as in everywhere, in this repo, by default.
    Lasting,
    /// The same: it broke, and it works again.
    Fixed,
    /// The same: nobody here can change it.
    Given,
    /// The same: it is known to be unfinished.
    Unfinished,
    /// Makes it no statement: a question without its mark, or a request.
    Asked,
    /// The same: not settled, as in maybe, could, whether, if we.
    Open,
    /// The same: an agent about its own next step.
    Narrated,
    /// The same, whatever was to be remembered: `I don't remember`, `remember when`.
    Denied,
}

impl Meaning {
    /// As the tables call it.
    fn named(name: &'static str) -> Self {
        match name {
            "memory" => Self::Memory,
            "request" => Self::Request,
            "reason" => Self::Reason,
            "contrast" => Self::Contrast,
            "lasting" => Self::Lasting,
            "fixed" => Self::Fixed,
            "given" => Self::Given,
            "unfinished" => Self::Unfinished,
            "asked" => Self::Asked,
            "open" => Self::Open,
            "narrated" => Self::Narrated,
            "denied" => Self::Denied,
            name => match Kind::named(name) {
                Kind::Custom(_) => Self::LessonType(name),
                kind => Self::Kind(kind),
            },
        }
    }

    pub(crate) fn kind(&self) -> Option<&Kind> {
        if let Self::Kind(kind) = self { Some(kind) } else { None }
    }
}

#[derive(Debug)]
pub(crate) struct Cue {
    pub(crate) meaning: Meaning,
    /// Who must say it; anyone may where nobody is named.
    who: Option<Voice>,
    pub(crate) weight: f64,
    pub(super) row: usize,
}

impl Cue {
    pub(crate) fn counts_for(&self, voice: Voice) -> bool {
        self.who.is_none_or(|who| who == voice)
    }
}

/// The cues of some tables, ready for the search.
pub(crate) struct Book {
    phrases: Phrases,
    cues: Vec<Cue>,
    /// Phrases of scripts without spaces, by their cue.
    unspaced: Vec<(&'static str, usize)>,
}

/// A cue that a text has, by the bytes of the text.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) cue: &'static Cue,
    pub(super) place: usize,
    pub(crate) span: Range<usize>,
}

/// What was found in a text.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) words: usize,
    pub(crate) found: Vec<Found>,
}

impl Heard {
    /// The cue that weighs most; of equals the one that comes first.
    pub(crate) fn loudest(&self, counts: impl Fn(&Cue) -> bool) -> Option<&Found> {
        let found = self.found.iter().filter(|found| counts(found.cue));
        found.reduce(|best, other| if other.cue.weight > best.cue.weight { other } else { best })
    }

    /// The kind that the loudest cue of this weight or more says, and where it says so.
    pub(crate) fn loudest_kind(&self, weight_min: f64) -> Option<(Kind, Range<usize>)> {
        let said = |cue: &Cue| cue.weight >= weight_min && cue.meaning.kind().is_some();
        let loudest = self.loudest(said)?;
        Some((loudest.cue.meaning.kind()?.clone(), loudest.span.clone()))
    }
}

impl Book {
    /// Rows of a table begin with `= who meaning weight:`; their phrases are separated by commas.
    fn of(openers: &'static str, tables: &[&'static str]) -> Self {
        let mut book = Self { phrases: Phrases::default(), cues: Vec::new(), unspaced: Vec::new() };
        book.phrases.add_openers(openers);
        let rows = tables.iter().flat_map(|table| table.split("= ").skip(1));
        for (row, text) in rows.enumerate() {
            let (head, phrases) = text.split_once(':').unwrap_or((text, ""));
            let mut head = head.split(' ');
            let mut next = || head.next().unwrap_or_default();
            let (speaker, meaning, weight) = (next(), Meaning::named(next()), next());
            let weight = weight.parse().unwrap_or(0.0);
            let who = match speaker {
                "person" => Some(Voice::Person),
                "agent" => Some(Voice::Agent),
                _ => None,
            };
            for phrase in phrases.split(',').map(str::trim) {
                let cue = book.cues.len();
                book.cues.push(Cue { meaning: meaning.clone(), who, weight, row });
                match speaker {
                    "unspaced" => book.unspaced.push((phrase, cue)),
                    _ => book.phrases.add(cue, phrase),
                }
            }
        }
        book
    }

    /// Finds the cues of a text that count. Its statement begins at the byte `start`, behind words
    /// that only announce it.
    pub(crate) fn hear(
        &'static self,
        text: &str,
        start: usize,
        counts: impl Fn(&Cue) -> bool,
    ) -> Heard {
        let words = self.phrases.read(text);
        let mut found = Vec::new();
        self.phrases.find(&words, start, |place, span| {
            let cue = &self.cues[place];
            found.extend(counts(cue).then_some(Found { cue, place, span }));
        });
        Heard { words: words.len(), found }
    }

    /// Which kind a sentence in a script without spaces is, and the words that say so.
    pub(crate) fn unspaced<'t>(&self, text: &'t str) -> Option<(Kind, &'t str)> {
        if text.is_ascii() || !text.chars().any(is_wide) || is_question(text) {
            return None;
        }
        let found = self.unspaced.iter().find_map(|(phrase, cue)| {
            let at = text.find(phrase)?;
            Some((&self.cues[*cue].meaning, &text[at..at + phrase.len()]))
        });
        // What is still open stands first in the table.
        let (meaning, words) = found.filter(|(meaning, _)| **meaning != Meaning::Open)?;
        Some((meaning.kind().cloned().unwrap_or(Kind::Reference), words))
    }
}

/// Han, kana or Hangul.
fn is_wide(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}')
}

#[cfg(test)]
mod tests;
