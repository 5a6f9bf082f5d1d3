//! Sentences of what was said, with where they stand. Knows how people and agents write in a
//! terminal: lists, headings, code, quotes and pasted logs. What a sentence means is not known here.

mod line;
mod paste;

#[cfg(test)]
mod tests;

use self::line::{Class, class};
use oldhand_transcripts::{Turn, Voice};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence<'t> {
    /// Index into the turns.
    pub turn: usize,
    /// The line of the transcript.
    pub line: usize,
    pub voice: Voice,
    /// Without the marks of a list or a heading.
    pub text: &'t str,
    /// Sentences of one line of the text share it: they are closer than any other.
    pub row: usize,
    /// Ends as a question does; what only begins like one is a matter of words.
    pub is_question: bool,
    /// All of it stands in quotes.
    pub is_quoted: bool,
    pub is_heading: bool,
    /// Within a text that its speaker did not write: a log, a plan, a document.
    pub is_pasted: bool,
}

/// Every sentence that was spoken to the other side, in order.
pub fn sentences(turns: &[Turn]) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        if !turn.is_sidechain && !turn.text.is_empty() {
            of_turn(at, turn, &mut found);
        }
    }
    found
}

fn of_turn<'t>(at: usize, turn: &'t Turn, found: &mut Vec<Sentence<'t>>) {
    let paste = paste::Paste::of(turn);
    let mut fence: Option<&str> = None;
    for (row, line) in turn.text.lines().enumerate() {
        let offset = line.as_ptr() as usize - turn.text.as_ptr() as usize;
        let bare = line.trim();
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark)) {
            // A fence that opens and ends on its line encloses nothing below.
            let is_closed_here = bare.len() > 3 && bare[3..].contains(mark);
            fence = match fence {
                None if !is_closed_here => Some(mark),
                Some(open) if open == mark => None,
                other => other,
            };
            continue;
        }
        if fence.is_some() || bare.is_empty() {
            continue;
        }
        let (text, is_heading) = match class(line) {
            Class::Nothing => continue,
            Class::Heading(text) => (text, true),
            Class::Speech(text) => (text, false),
        };
        let sample = Sentence {
            turn: at,
            line: turn.line,
            voice: turn.voice,
            text,
            row,
            is_question: false,
            is_quoted: false,
            is_heading,
            is_pasted: paste.holds(row, offset),
        };
        split(text, &mut |text| {
            found.push(Sentence {
                text,
                is_question: asks(text),
                is_quoted: is_in_quotes(text),
                ..sample
            });
        });
    }
}

/// Gives the sentences of one line.
fn split<'t>(line: &'t str, take: &mut dyn FnMut(&'t str)) {
    let mut start = 0;
    let mut at = 0;
    // Nearly all bytes are letters that end nothing: only what may end something is decoded.
    while let Some(byte) = line.as_bytes().get(at) {
        if byte.is_ascii() && !matches!(byte, b'.' | b'!' | b'?' | b'`') {
            at += 1;
            continue;
        }
        let Some(character) = line[at..].chars().next() else { break };
        let next = at + character.len_utf8();
        if character == '`' {
            // A lonely backtick opens nothing.
            at = line[next..].find('`').map_or(next, |close| next + close + 1);
            continue;
        }
        let end = ends_at(line, start, at, character);
        at = next;
        if let Some(end) = end {
            give(&line[start..end], take);
            start = end;
            at = end;
        }
    }
    give(&line[start..], take);
}

fn give<'t>(text: &'t str, take: &mut dyn FnMut(&'t str)) {
    let text = text.trim();
    if text.chars().any(char::is_alphanumeric) {
        take(text);
    }
}

/// The end of the sentence that this character closes, with the quotes and brackets behind it.
fn ends_at(line: &str, start: usize, at: usize, character: char) -> Option<usize> {
    let is_wide = matches!(character, '。' | '！' | '？' | '｡');
    if !is_wide && !matches!(character, '.' | '!' | '?' | '…') {
        return None;
    }
    let behind = &line[at + character.len_utf8()..];
    if !is_wide && behind.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let rest = behind.trim_start_matches([
        '.', '!', '?', '。', '！', '？', '"', '”', '’', '\'', ')', ']', '*', '_', '」', '』', '）',
    ]);
    let end = line.len() - rest.len();
    if is_wide {
        return Some(end);
    }
    // Versions, file names and addresses go on without a space.
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return None;
    }
    (character != '.' || !is_short_form(&line[start..=at])).then_some(end)
}

/// Short forms that end in a period and no sentence.
const SHORT_FORMS: &[&str] = &[
    "e.g.", "eg.", "i.e.", "ie.", "vs.", "approx.", "cf.", "no.", "fig.", "incl.", "dr.", "mr.",
    "ms.", "st.", "z.b.", "bzw.", "ca.", "evtl.", "ggf.", "usw.", "vgl.", "p.ej.", "np.", "tj.",
    "т.е.", "т.д.", "т.к.",
];

fn is_short_form(text: &str) -> bool {
    let word = text.rsplit([' ', '(', '\t']).next().unwrap_or_default();
    let stem = word.trim_end_matches('.');
    // `z. B.`, `J. Doe`, and the number of a list.
    let is_letter =
        stem.chars().count() == 1 && stem.chars().all(char::is_alphabetic) && stem != "I";
    let is_number =
        !stem.is_empty() && text.trim() == word && stem.bytes().all(|b| b.is_ascii_digit());
    is_letter || is_number || SHORT_FORMS.iter().any(|short| word.eq_ignore_ascii_case(short))
}

fn asks(text: &str) -> bool {
    let bare = text
        .trim_end_matches(['"', '”', '’', '\'', ')', ']', '*', '_', '!', '」', '』', '）', ' ']);
    bare.ends_with(['?', '？'])
        || bare.trim_end_matches('。').ends_with(['吗', '呢'])
        || bare.trim_end_matches('。').ends_with("ですか")
}

fn is_in_quotes(text: &str) -> bool {
    let bare = text.trim_end_matches(['.', ',', '!', '?']);
    [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('\'', '\'')].into_iter().any(
        |(open, close)| {
            let inner = bare.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
            inner.is_some_and(|inner| !inner.contains([open, close]))
        },
    )
}
