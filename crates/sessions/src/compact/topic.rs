//! A topic that was asked for: what is about it is labelled and kept in more detail (R170).

use std::collections::HashSet;

use super::piece::{Piece, Urgency};
use crate::conversation::exact::middle;
use oldhand_judge::capture::sentence::sentences;
use oldhand_text::strings::{normalise_line, shorten};
use oldhand_transcripts::Turn;

pub(super) struct Topic {
    pub label: String,
    words: Vec<String>,
}

const LABEL_CHARS_MAX: usize = 120;
const SENTENCE_CHARS_MAX: usize = 400;
const SENTENCES_MAX: usize = 60;
/// Shorter words are in every sentence.
const WORD_CHARS_MIN: usize = 3;

/// Marks what is about the topic, and adds what was said about it, now and in an earlier summary on the
/// same topic. Without a topic the earlier one stays.
pub(super) fn focus<'t>(
    pieces: &mut Vec<Piece<'t>>,
    focus: Option<&str>,
    earlier: &'t [String],
    turns: &'t [Turn],
) {
    let topic = focus.and_then(Topic::of);
    let known = match (&topic, earlier) {
        (None, known) => known,
        (Some(topic), [label, known @ ..]) if *label == topic.label => known,
        (Some(_), _) => &[],
    };
    let mut on_topic: Vec<Piece<'t>> =
        known.iter().map(|item| Piece::line("focus", item.clone(), item)).collect();
    if let Some(topic) = topic {
        // Urgent pieces are taken sooner already.
        for piece in pieces.iter_mut().filter(|it| it.urgency == Urgency::Usual) {
            if topic.score(&piece.text()) > 0 {
                piece.urgency = Urgency::Topic;
            }
        }
        pieces.insert(0, Piece::line("focus", topic.label.clone(), "").vital(true));
        on_topic.extend(topic.pieces(turns));
    }
    let mut seen: HashSet<String> = HashSet::new();
    pieces.extend(on_topic.into_iter().filter(|piece| seen.insert(piece.text())));
}

impl Topic {
    pub(super) fn of(focus: &str) -> Option<Self> {
        let focus = shorten(&normalise_line(focus), LABEL_CHARS_MAX);
        let lower = focus.to_lowercase();
        let label = format!("topic: {focus}");
        let is_long = |it: &String| it.chars().count() >= WORD_CHARS_MIN || !it.is_ascii();
        let all = lower.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
        let mut words: Vec<String> = all.map(str::to_owned).collect();
        if words.iter().any(is_long) {
            words.retain(is_long);
        }
        (!words.is_empty()).then_some(Self { label, words })
    }

    /// How many of its words are there; less than half of them is another topic.
    fn score(&self, text: &str) -> usize {
        let lower = text.to_lowercase();
        let score = self.words.iter().filter(|word| lower.contains(word.as_str())).count();
        if 2 * score >= self.words.len() { score } else { 0 }
    }

    /// What was said about it, the best and newest first.
    fn pieces<'t>(&self, turns: &'t [Turn]) -> Vec<Piece<'t>> {
        let mut found: Vec<Piece<'t>> = sentences(turns)
            .iter()
            .filter(|it| !it.is_heading && !it.is_pasted)
            .filter_map(|it| {
                let score = self.score(it.text);
                let text = middle(&normalise_line(it.text), SENTENCE_CHARS_MAX);
                let text = format!("{text} (line {})", it.line);
                let mut piece = Piece::line("focus", text, it.text).at(it.line + 1);
                piece.priority += score << 32;
                piece.urgency = Urgency::Topic;
                (score > 0).then_some(piece)
            })
            .collect();
        found.sort_by_key(|piece| std::cmp::Reverse(piece.priority));
        found.truncate(SENTENCES_MAX);
        found
    }
}
