//! What was said in a session: its goal, questions and answers, decisions, values.

use super::check::Sort;
use super::exchange::{Exchange, Exchanges};
use super::piece::Piece;
use super::telling::{self, Value, values};
use super::withhold::clean_line;
use crate::conversation::asks;
use crate::conversation::deeds::Deeds;
use crate::conversation::exact::middle;
use oldhand_core::kind::Kind;
use oldhand_judge::capture::sentence::{Sentence, sentences};
use oldhand_judge::capture::triage::{Rules, triage};
use oldhand_judge::capture::verify::claims::{bare, is_path, without_line};
use oldhand_text::strings::normalise_line;
use oldhand_transcripts::{PLAN_OPENING, Turn, Voice};

/// What somebody said, without its secrets.
#[derive(Debug)]
pub(super) struct Excerpt {
    pub text: String,
    pub line: usize,
}

#[derive(Debug, Default)]
pub(super) struct Talk<'t> {
    /// The first prompt that asks for something.
    pub goal: Option<Excerpt>,
    pub newest: Option<Excerpt>,
    pub last_said: Option<Excerpt>,
    /// The newest prompt, where the agent did not come to its end.
    pub unfinished: Option<Excerpt>,
    /// The line of a prompt that was over in an earlier summary, and goes on.
    pub reopened: Option<usize>,
    /// Decisions, values, and what was asked and answered.
    pub pieces: Vec<Piece<'t>>,
    pub paths: Vec<(&'t str, usize)>,
}

pub(super) const PROMPT_CHARS_MAX: usize = 300;
/// What the whole session is for may be told in more words.
const GOAL_CHARS_MAX: usize = 600;
const DECISION_CHARS_MAX: usize = 300;
/// With fewer words that tell something a prompt does not say what the work is.
const GOAL_WORDS_MIN: usize = 4;
const LINKS_MAX: usize = 8;
const LINK_BYTES_MAX: usize = 200;
const RESULT_LINKS: &[&str] =
    &["/pull/", "/issues/", "/issue/", "/merge_requests/", "/releases/", "/commit/", "/runs/"];

impl<'t> Talk<'t> {
    pub(super) fn of(turns: &'t [Turn], carried: Exchange<'t>, deeds: &Deeds<'t>) -> Self {
        let sentences = sentences(turns);
        let mut talk = Self::default();
        talk.frame(turns);
        Exchanges { turns, sentences: &sentences, deeds, talk: &mut talk }.walk(carried);
        let mut links: Vec<(&str, usize)> = Vec::new();
        for sentence in &sentences {
            if sentence.voice == Voice::Person && !sentence.is_pasted {
                talk.note_values(sentence.text, sentence.line);
                talk.note_paths(sentence);
            }
            note_links(sentence, &mut links);
        }
        let spare = links.len().saturating_sub(LINKS_MAX);
        for (link, line) in links.into_iter().skip(spare) {
            talk.pieces.push(Piece::line("exact_values", link.to_owned(), link).at(line));
        }
        talk.note_decisions(turns);
        talk
    }

    /// Without its secrets already.
    pub(super) fn tell(&mut self, section: &'static str, text: String, line: usize) {
        self.pieces.push(Piece::line(section, text, "").at(line));
    }

    /// The goal is the first prompt that says what the work is; without one, the first that asks.
    fn frame(&mut self, turns: &'t [Turn]) {
        let said = turns.iter().filter(|turn| !turn.is_sidechain && !turn.text.is_empty());
        let asking = |turn: &&Turn| turn.voice == Voice::Person && asks(&turn.text);
        // A slash command with an argument names its work too.
        let is_command =
            |text: &str| text.starts_with('/') && text.split_whitespace().nth(1).is_some();
        let says_what =
            |it: &Turn| is_command(&it.text) || telling::weight(&it.text) >= GOAL_WORDS_MIN;
        let is_goal = |turn: &&Turn| match turn.voice {
            Voice::Person => asking(turn) && says_what(turn),
            Voice::Agent => turn.text.starts_with(PLAN_OPENING),
        };
        let goal = said.clone().find(is_goal).or_else(|| said.clone().find(asking));
        let excerpt =
            |turn: &Turn, max| Excerpt { text: clean_line(&turn.text, max), line: turn.line };
        self.goal = goal.map(|turn| excerpt(turn, GOAL_CHARS_MAX));
        let newest = said.rev().find(asking);
        self.newest = newest.map(|turn| excerpt(turn, PROMPT_CHARS_MAX));
    }

    fn note_values(&mut self, origin: &'t str, line: usize) {
        for Value { text, snippet } in values(&normalise_line(origin)) {
            let piece = Piece::line("exact_values", snippet, origin).at(line);
            self.pieces.push(piece.exact(Sort::Number, &text, line).shorter(text));
        }
    }

    fn note_paths(&mut self, sentence: &Sentence<'t>) {
        for word in sentence.text.split_whitespace() {
            // `@src/a.rs` is how a prompt points at a file.
            let word = bare(word).trim_start_matches('@');
            if is_path(word) && !word.contains("://") {
                self.paths.push((without_line(word), sentence.line));
            }
        }
    }

    fn note_decisions(&mut self, turns: &'t [Turn]) {
        for hit in triage(turns, &Rules::default()).hits {
            if !matches!(hit.kind, Kind::Decision | Kind::Constraint | Kind::Preference) {
                continue;
            }
            let Some(turn) = turns.get(hit.turn) else { continue };
            // The sentence as the turn holds it, which outlives the hit.
            let origin = turn
                .text
                .find(&hit.text)
                .map_or(turn.text.as_str(), |at| &turn.text[at..at + hit.text.len()]);
            let text = middle(&normalise_line(&hit.text), DECISION_CHARS_MAX);
            let text = format!("{text} (line {})", hit.line);
            self.pieces.push(Piece::line("decisions", text, origin).at(hit.line));
            if hit.voice == Voice::Agent {
                self.note_values(origin, hit.line);
            }
        }
    }
}

/// The addresses of a person, and those of the agent that are a result; the newest last.
fn note_links<'t>(sentence: &Sentence<'t>, links: &mut Vec<(&'t str, usize)>) {
    if sentence.is_pasted || !sentence.text.contains("://") {
        return;
    }
    for word in sentence.text.split(|c: char| c.is_whitespace() || "()<>[]\"'`|".contains(c)) {
        let link = bare(word).trim_end_matches(['*', '_', '/']);
        let is_link = link.starts_with("https://") || link.starts_with("http://");
        let is_meant =
            sentence.voice == Voice::Person || RESULT_LINKS.iter().any(|part| link.contains(part));
        if is_link && is_meant && link.len() <= LINK_BYTES_MAX {
            links.retain(|(known, _)| *known != link);
            links.push((link, sentence.line));
        }
    }
}
