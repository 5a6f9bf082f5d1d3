//! The one search for cues: phrases with who says them, what they mean and how much they weigh. The
//! text files beside this one list them.

use std::ops::Range;
use std::sync::LazyLock;

use foldhash::HashMap;

use super::phrase::{Part, length, words_of};
use oldhand_core::kind::Kind;
use oldhand_text::sentence::is_question;
use oldhand_text::table;
use oldhand_transcripts::Voice;

/// What people and agents say to each other, with weights from 0 to 1; 1 is explicit.
pub(crate) static SPEECH: LazyLock<Book> =
    LazyLock::new(|| Book::of(OPENERS, &[SPEECH_TABLE, LANGUAGES_TABLE]));
/// Which type a lesson is, with weights from 1 (a hint) to 4 (says it).
pub(super) static LESSONS: LazyLock<Book> = LazyLock::new(|| Book::of("", &[LESSONS_TABLE]));

const SPEECH_TABLE: &str = include_str!("cues/speech.txt");
const LANGUAGES_TABLE: &str = include_str!("cues/languages.txt");
const LESSONS_TABLE: &str = include_str!("cues/lessons.txt");

/// Words before the first one that counts.
const OPENERS: &str = "ok okay yes yeah yep yup no nope so and but also please well hmm hm um ah oh alright right \
     cool great good nice thanks thank you then actually btw fyi now sure just : hey hi perfect \
     sorry guys first second finally important one more thing additionally bitte und aber ja nein \
     s'il vous plaît por favor per favore proszę пожалуйста";

#[derive(Debug)]
pub(crate) struct Cue {
    /// What a text with it is: a kind, the type of a lesson, or one of these. `memory` is to be
    /// remembered, as whatever its content is; `request` too, and a question mark takes nothing from
    /// it. `reason`, `contrast`, `lasting`, `fixed`, `given` and `unfinished` make another cue more
    /// likely. `asked`, `open` (not settled), `narrated` (an agent about its next step) and `denied`
    /// (`I don't remember`) make it no statement.
    pub(crate) meaning: &'static str,
    pub(crate) kind: Option<Kind>,
    /// Who must say it; anyone may where nobody is named.
    who: Option<Voice>,
    pub(crate) weight: f64,
    /// Its phrase.
    parts: Vec<Part>,
    /// It opens the sentence, but for words such as `ok` and `please`.
    is_first: bool,
}

impl Cue {
    pub(crate) fn counts_for(&self, voice: Voice) -> bool {
        self.who.is_none_or(|who| who == voice)
    }
}

/// The cues of some tables, ready for the search.
#[derive(Default)]
pub(crate) struct Book {
    cues: Vec<Cue>,
    /// The cues by the words that they may begin with.
    by_first: HashMap<&'static str, Vec<usize>>,
    /// Those that begin with `word*`, by its beginning.
    by_prefix: Vec<(&'static str, usize)>,
    /// Phrases of scripts without spaces, by their cue.
    unspaced: Vec<(&'static str, usize)>,
    /// Words that may stand before a sentence without being its beginning.
    openers: &'static str,
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
        let loudest = self.loudest(|cue| cue.weight >= weight_min && cue.kind.is_some())?;
        Some((loudest.cue.kind.clone()?, loudest.span.clone()))
    }
}

impl Book {
    /// Rows of a table begin with `= who meaning weight:`; their phrases are separated by commas, and
    /// `^` marks one that opens a sentence.
    fn of(openers: &'static str, tables: &[&'static str]) -> Self {
        let mut book = Self { openers, ..Self::default() };
        let rows = tables.iter().flat_map(|table| table.split("= ").skip(1));
        for text in rows {
            let (head, phrases) = text.split_once(':').unwrap_or((text, ""));
            let mut head = head.split(' ');
            let mut next = || head.next().unwrap_or_default();
            let (speaker, meaning, weight) = (next(), next(), next());
            let kind = Some(Kind::named(meaning)).filter(|kind| !matches!(kind, Kind::Custom(_)));
            let weight = weight.parse().unwrap_or(0.0);
            let who = match speaker {
                "person" => Some(Voice::Person),
                "agent" => Some(Voice::Agent),
                _ => None,
            };
            for phrase in phrases.split(',').map(str::trim) {
                let words = phrase.trim_start_matches('^').split_whitespace();
                let parts: Vec<Part> = words.map(Part::of).collect();
                book.list(phrase, speaker, &parts);
                let (kind, is_first) = (kind.clone(), phrase.starts_with('^'));
                book.cues.push(Cue { meaning, kind, who, weight, parts, is_first });
            }
        }
        book
    }

    /// Makes the next cue one that is found.
    fn list(&mut self, phrase: &'static str, speaker: &str, parts: &[Part]) {
        let cue = self.cues.len();
        if speaker == "unspaced" {
            return self.unspaced.push((phrase, cue));
        }
        for word in parts.first().into_iter().flat_map(|first| &first.any_of) {
            match word.strip_suffix('*') {
                Some(start) => self.by_prefix.push((start, cue)),
                None => self.by_first.entry(word).or_default().push(cue),
            }
        }
    }

    /// Finds the cues of a text that count. Its statement begins at the byte `start`, behind words
    /// that only announce it.
    pub(crate) fn hear(
        &'static self,
        text: &str,
        start: usize,
        counts: impl Fn(&Cue) -> bool,
    ) -> Heard {
        let words = words_of(text);
        let first = words.iter().take_while(|word| word.start < start).count();
        let openers = words[first..].iter().take_while(|word| table::has(self.openers, &word.text));
        let last = first + openers.count();
        let mut found = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let by_prefix = self.by_prefix.iter().filter(|(it, _)| word.text.starts_with(it));
            let by_first = self.by_first.get(word.text.as_ref()).into_iter().flatten();
            for &place in by_first.chain(by_prefix.map(|(_, cue)| cue)) {
                let cue = &self.cues[place];
                let is_here = !cue.is_first || (first..=last).contains(&at);
                if is_here
                    && counts(cue)
                    && let Some(length) = length(&cue.parts, &words[at..])
                {
                    let span = word.start..words[at + length.max(1) - 1].end;
                    found.push(Found { cue, place, span });
                }
            }
        }
        Heard { words: words.len(), found }
    }

    /// Which kind a sentence in a script without spaces is, and the words that say so.
    pub(crate) fn unspaced<'t>(&self, text: &'t str) -> Option<(Kind, &'t str)> {
        if text.is_ascii() || !text.chars().any(is_wide) || is_question(text) {
            return None;
        }
        let found = self.unspaced.iter().find_map(|(phrase, cue)| {
            let at = text.find(phrase)?;
            Some((&self.cues[*cue], &text[at..at + phrase.len()]))
        });
        // What is still open stands first in the table.
        let (cue, words) = found.filter(|(cue, _)| cue.meaning != "open")?;
        Some((cue.kind.clone().unwrap_or(Kind::Reference), words))
    }
}

/// Han, kana or Hangul.
fn is_wide(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}')
}

#[cfg(test)]
mod tests;
