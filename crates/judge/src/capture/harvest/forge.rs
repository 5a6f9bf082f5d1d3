//! What was written for reviewers: an answer in a thread, and the text of a pull request.

use oldhand_core::kind::Kind;
use oldhand_text::command_line;
use oldhand_text::table;

use super::super::drafter::plain;
use super::Harvested;
use super::commit;
use super::units::{Unit, names_code, says_why, units};
use crate::guess;

const ANSWER_WORDS_MIN: usize = 18;
const PER_TEXT_MAX: usize = 4;
/// Before what an answer says.
const LEADS: &str = "good catch|agreed|acknowledged|reconsidered|already fixed|fixed|done|added|\
     addressed|resolved";
/// A point of a review that was turned down.
const REFUSALS: &str = "won't fix|wontfix|intentional|declined|not changing|skipped|by design";
const REASONS: &str = "because|since |so that|, so |due to|matching|to match|consistent|cannot|\
     can't|doesn't|does not|instead of|rather than|avoid|prevent|compat|only |otherwise|ensures|\
     when both|acceptable|when ";
/// Of the reviewer's words, which are not there.
const VERDICTS: &str = "this is |that is |valid|correct|incorrect|fair |you're right";
/// Parts of a pull request that say how it was tried.
const ROUTINE: &str = "test|checklist|screenshot|how to";

/// The text that a command hands to the forge.
pub(super) fn written(line: &str, at: usize) -> Vec<Harvested> {
    let mut found = Vec::new();
    for command in command_line::commands(line) {
        let words = &command.words;
        let is_forge = words.first().is_some_and(|it| it == "gh" || it == "glab");
        let Some(body) = body(words).filter(|_| is_forge) else { continue };
        let body = commit::here_document(&body).unwrap_or(body);
        if command.created_on_forge(&["pr", "mr"]).is_some() {
            let told = units(&body).into_iter();
            let told = told.filter(|it| it.explains() && !table::holds(ROUTINE, &it.heading));
            found.extend(told.take(PER_TEXT_MAX).map(|unit| unit.harvested(at)));
        } else if command.created_on_forge(&["issue"]).is_none() {
            found.extend(answer(&body, at));
        }
    }
    found
}

fn body(words: &[String]) -> Option<String> {
    let flag = |word: &String| matches!(word.as_str(), "--body" | "-b" | "--description" | "-m");
    let behind = || words.iter().position(flag).and_then(|at| words.get(at + 1)).cloned();
    let field = |word: &String| {
        let text = word.strip_prefix("--body=").or_else(|| word.strip_prefix("body="))?;
        Some(text.to_owned())
    };
    words.iter().find_map(field).or_else(behind)
}

/// `Fixed in 1a2b3c4 — …`: what was done and why, or why not.
fn answer(body: &str, line: usize) -> Option<Harvested> {
    let told = body.split("```").next()?.split("\n\n").next()?;
    let (text, commit) = without_lead(&plain(told));
    let lower = text.to_lowercase();
    let is_refusal = table::holds(REFUSALS, &lower);
    let words = text.split_whitespace().count();
    let is_long = words >= ANSWER_WORDS_MIN;
    let has_reason = table::holds(REASONS, &lower) && says_why(&lower);
    let explains = names_code(&text) && (is_refusal || has_reason);
    if !is_long || !explains || text.ends_with(':') || table::begins(VERDICTS, &lower) {
        return None;
    }
    let unit = Unit { heading: String::new(), name: None, text };
    let title = guess::title(&unit.text);
    Some(Harvested {
        fields: vec![("decision", unit.text)],
        commit,
        ..Harvested::of(line, Kind::Decision, &title)
    })
}

/// Without who was right and in which commit it was put right.
fn without_lead(text: &str) -> (String, Option<String>) {
    let is_hash = |word: &str| word.len() >= 7 && word.bytes().all(|it| it.is_ascii_hexdigit());
    let lower = text.to_lowercase();
    // Whichever ends first.
    let cuts = ["—", "–", " - ", ". "].into_iter().filter_map(|mark| text.split_once(mark));
    let cut = cuts.min_by_key(|(lead, _)| lead.len());
    let Some((lead, rest)) = cut.filter(|_| table::begins(LEADS, &lower)) else {
        return (text.to_owned(), None);
    };
    let words = || lead.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    if words().count() > 6 {
        return (text.to_owned(), None);
    }
    let commit = words().find(|word| is_hash(word)).map(str::to_owned);
    (rest.trim().to_owned(), commit)
}
