//! The sentences of a conversation, without what people and agents put into a terminal beside
//! speech: code, quotes, tables and pasted logs.

mod paste;

#[cfg(test)]
mod tests;

use self::paste::{Paste, is_machine};
use oldhand_text::sentence;
use oldhand_transcripts::{Turn, Voice};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence<'t> {
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
    let paste = Paste::of(turn);
    let mut fence: Option<&str> = None;
    for (row, line) in turn.text.lines().enumerate() {
        let bare = line.trim();
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark)) {
            // A fence that opens and ends on its line encloses nothing below.
            let is_closed_here = bare[3..].contains(mark);
            fence = match fence {
                None if !is_closed_here => Some(mark),
                Some(open) if open == mark => None,
                other => other,
            };
            continue;
        }
        if fence.is_some() || bare.is_empty() || bare.starts_with(['>', '|']) || is_machine(line) {
            continue;
        }
        let heading = sentence::heading(bare);
        let text =
            heading.map_or_else(|| sentence::without_item_mark(bare), |(_, heading)| heading);
        let offset = line.as_ptr() as usize - turn.text.as_ptr() as usize;
        let is_pasted = paste.holds(row, offset);
        found.extend(sentence::sentences(text).map(|text| Sentence {
            turn: at,
            line: turn.line,
            voice: turn.voice,
            text,
            row,
            is_question: sentence::is_question(text),
            is_quoted: is_in_quotes(text),
            is_heading: heading.is_some(),
            is_pasted,
        }));
    }
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
