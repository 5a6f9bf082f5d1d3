//! A short answer, read together with the options that the agent gave before it.

use oldhand_core::kind::Kind;
use oldhand_text::sentence;
use oldhand_text::table;
use oldhand_transcripts::{Turn, Voice};

use super::super::drafter::plain;
use super::Harvested;
use super::outline::Outline;
use super::units::{WHYS, names_code, units};
use crate::guess;

/// A longer reply says what it means by itself.
const ANSWER_WORDS_MAX: usize = 10;
/// More are a list of things to do.
const OPTIONS_MAX: usize = 5;
const OPTION_WORDS_MIN: usize = 2;
/// What may stand beside the number or letter in an answer.
const AROUND: &str = "yes yeah ok okay sure let's lets go with do the option number approach choice \
     i we prefer like pick take choose want please think would i'd use variant";

/// What a person picked from the options of the turn before.
pub(super) fn answered(turns: &[&Turn], at: usize) -> Option<Harvested> {
    let turn = turns.get(at).filter(|it| it.voice == Voice::Person && !it.text.is_empty())?;
    let before = turns[..at].iter().rev().find(|it| !it.is_sidechain && !it.text.is_empty())?;
    if before.voice != Voice::Agent || !before.text.contains('?') {
        return None;
    }
    let options = options(&before.text);
    let Some(picked) = picked(&turn.text, &options) else {
        return agreed(turn, &before.text, &options);
    };
    let question = before.text.lines().rev().map(str::trim).find(|line| line.ends_with('?'))?;
    let others = options.iter().filter(|it| it.mark != picked.mark);
    Some(Harvested {
        fields: vec![("decision", picked.text.clone()), ("context", plain(question))],
        others: others.map(|it| (it.name.clone(), it.text.clone())).collect(),
        is_chosen: true,
        typed: turn.text.clone(),
        ..Harvested::of(turn.line, Kind::Decision, &picked.name)
    })
}

/// Sections that propose something, and what an answer begins with that takes it.
const PROPOSALS: &str = "recommend|proposed|proposal|suggested|my take|solution";
const AGREEING: &str = "yes|yeah|yep|ok|sure|let's do|lets do|do it|do this|sounds good|go ahead|\
     perfect|great|looks good|agreed|go for it|please do";
const PROPOSAL_WORDS_MIN: usize = 20;
const ANSWERS: &str = "yes|no,|i'd |i would |i think";

/// A yes to what the agent proposed, under a heading of its own or right before it asked.
fn agreed(turn: &Turn, proposed: &str, options: &[Choice]) -> Option<Harvested> {
    let answer = turn.text.trim().to_lowercase();
    let is_yes = table::begins(AGREEING, &answer)
        && answer.split_whitespace().count() <= ANSWER_WORDS_MAX
        && !answer.contains('?')
        && !answer.contains(" but ");
    if !is_yes {
        return None;
    }
    let outline = Outline::of(proposed);
    let section = outline.titled_section(PROPOSALS).map(|(heading, text)| {
        let named = heading.split_once(": ").map(|(_, name)| name.to_owned());
        (named.unwrap_or_else(|| guess::title(&text)), text)
    });
    let is_long = |text: &str| text.split_whitespace().count() >= PROPOSAL_WORDS_MIN;
    let section = section.filter(|(_, text)| is_long(text));
    let found = section.or_else(|| asked_about(proposed, options));
    // An answer and a suggestion need what they answer; the question at the end is the one that got the yes.
    let is_whole = |text: &str| {
        let before = text.trim_end().trim_end_matches('?');
        !before.contains('?') && !table::begins(ANSWERS, &text.to_lowercase())
    };
    let (title, text) = found.filter(|(_, text)| is_whole(text))?;
    Some(Harvested {
        fields: vec![("decision", text)],
        is_chosen: true,
        typed: turn.text.clone(),
        ..Harvested::of(turn.line, Kind::Decision, &title)
    })
}

/// Paragraphs before the question in which the proposal may stand.
const PROPOSED_WITHIN: usize = 3;

/// What a message proposes with a reason right before it asks; with the option that it prefers.
fn asked_about(message: &str, options: &[Choice]) -> Option<(String, String)> {
    let last = units(message).into_iter().rev().take(PROPOSED_WITHIN);
    let proposal = last
        .map(|unit| without_questions(&unit.text))
        .find(|text| table::holds(WHYS, &text.to_lowercase()) && is_proposal(text))?;
    let lower = proposal.to_lowercase();
    let named = options.iter().filter(|it| lower.contains(&format!("option {}", it.mark)));
    Some(match named.collect::<Vec<_>>().as_slice() {
        [option] => (option.name.clone(), format!("{}. {proposal}", option.text)),
        [] => (guess::title(&proposal), proposal),
        _ => return None,
    })
}

/// Words of somebody who would do something.
const PROPOSING: &str = "recommend|propos|suggest|should|i think|i'd |could |can |would |the fix is|\
     approach|option|let's|instead|better";
/// What was weighed beside the proposal.
const ASIDE: &str = "the alternative|alternatively|maybe|the downside|the one |one consideration|\
     on the other hand|however|the trade-off|the tradeoff";

fn is_proposal(text: &str) -> bool {
    let lower = text.to_lowercase();
    text.split_whitespace().count() >= PROPOSAL_WORDS_MIN
        && names_code(text)
        && table::holds(PROPOSING, &lower)
        && !table::begins(ASIDE, &lower)
}

fn without_questions(text: &str) -> String {
    let told = sentence::sentences(text).filter(|it| !it.trim_end().ends_with('?'));
    told.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[derive(Debug, PartialEq)]
struct Choice {
    /// `1` or `a`.
    mark: char,
    /// What stands in bold or before a colon, otherwise all of it.
    name: String,
    text: String,
}

/// Lines such as `1. …`, `**Option A**: …` or `B) …`; none if there is more than one such list.
fn options(text: &str) -> Vec<Choice> {
    let mut found: Vec<Choice> = Vec::new();
    for line in text.lines() {
        let bare = line.trim().trim_start_matches(['-', '*', '#', ' ']);
        let bare = bare.strip_prefix("Option ").unwrap_or(bare);
        let mut letters = bare.chars();
        let Some(mark) = letters.next().filter(char::is_ascii_alphanumeric) else { continue };
        let rest = letters.as_str().trim_start_matches("**");
        let Some(rest) = rest.strip_prefix(['.', ')', ':']) else { continue };
        let text = plain(rest.trim_matches(['*', ' ', ':']));
        let name = text.split([':', '—', '–']).next().unwrap_or_default().trim().to_owned();
        if text.split_whitespace().count() >= OPTION_WORDS_MIN {
            found.push(Choice { mark: mark.to_ascii_lowercase(), name, text });
        }
    }
    let is_list = |(at, it): (usize, &Choice)| {
        let at = u8::try_from(at).unwrap_or(u8::MAX - b'a');
        it.mark == char::from(b'1' + at) || it.mark == char::from(b'a' + at)
    };
    let is_whole =
        (2..=OPTIONS_MAX).contains(&found.len()) && found.iter().enumerate().all(is_list);
    if is_whole { found } else { Vec::new() }
}

/// The one option that an answer names by its mark.
fn picked<'o>(answer: &str, options: &'o [Choice]) -> Option<&'o Choice> {
    let lower = answer.to_lowercase();
    let words =
        || lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|it| !it.is_empty());
    if words().count() > ANSWER_WORDS_MAX || answer.contains('?') {
        return None;
    }
    let is_mark = |word: &str, it: &Choice| word.len() == 1 && word.starts_with(it.mark);
    let mut named = words().filter_map(|word| options.iter().find(|it| is_mark(word, it)));
    let first = named.next().filter(|_| named.next().is_none())?;
    let is_plain = |word: &str| table::has(AROUND, word) || is_mark(word, first);
    words().all(is_plain).then_some(first)
}
