//! A draft made of the sentences themselves. Nothing is invented: a field holds words that were
//! said, or stays empty. Labels of the schema (`policy`, `high`, `strong`) are the only others.

mod clause;
mod names;

#[cfg(test)]
mod tests;

use self::clause::Clauses;
use super::triage::Hit;
use crate::guess;
use oldhand_core::content::{Alternative, FieldValue};
use oldhand_core::draft::Draft;
use oldhand_core::evidence;
use oldhand_core::kind::Kind;
use oldhand_core::kind::schema::Shape;
use oldhand_core::yaml::Yaml;
use oldhand_text::secrets;
use oldhand_text::sentence::has_words;
use oldhand_text::strings::{normalise_line, shorten};
use oldhand_transcripts::{Turn, Voice};

/// How much of the prompt that led to a decision is kept as its context.
const CONTEXT_CHARS: usize = 300;
/// Said to be remembered; a person has not confirmed the wording (R186 keeps 0.9 for that).
const CONFIDENCE_SAID: f64 = 0.8;
/// What was only recognised is believed less, and less for a weak cue.
const CONFIDENCE_BASE: f64 = 0.5;
const CONFIDENCE_BY_SCORE: f64 = 0.2;

#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    pub session: &'a str,
    /// The agent that kept the transcript, such as `claude-code`.
    pub host: &'a str,
    /// The host vouches that a person typed them.
    pub is_typed: bool,
}

/// The draft of a hit, or nothing when its words hold a secret.
pub fn draft(hit: &Hit, turns: &[Turn], source: &Source<'_>) -> Option<Draft> {
    let text = plain(&hit.text);
    let reason = hit.reason.as_deref().map(plain);
    let said = reason.as_ref().map_or_else(|| text.clone(), |reason| format!("{text}\n{reason}"));
    if !secrets::scan(&said).is_empty() {
        return None;
    }
    let mut draft = Draft::titled(hit.kind.clone(), &title(&text));
    let is_decision = hit.kind == Kind::Decision;
    let context = is_decision.then(|| context(hit, turns)).flatten();
    let mut clauses = Clauses {
        text: &text,
        neighbour: reason.as_deref(),
        context: context.as_deref(),
        topic: None,
        is_by_person: hit.voice == Voice::Person,
        is_explicit: hit.explicit,
    };
    let topic = names::tags(clauses.statement()).into_iter().next();
    clauses.topic = topic.as_deref();
    let fields = FIELDS.iter().filter(|(kind, ..)| *kind == hit.kind);
    for (kind, field, part) in fields {
        if let Some(value) = part(&clauses).filter(|value| !value.is_empty()) {
            draft.set_content(field, field_value(kind, field, value));
        }
    }
    if draft.content.is_empty() {
        draft.set_content("text", FieldValue::Text(said.clone()));
    }
    for (field, names) in [("tags", names::tags(&text)), ("related_files", names::files(&said))] {
        if !names.is_empty() {
            draft.set(field, Yaml::list(&names));
        }
    }
    draft.set("confidence", Yaml::literal(confidence(hit)));
    let place = evidence::of_sentence(source.session, hit.line, source.is_typed);
    draft.set("evidence", Yaml::list(&[place]));
    if !source.host.is_empty() {
        draft.set("sources", Yaml::list(&[format!("session:{}", normalise_line(source.host))]));
    }
    Some(draft)
}

fn confidence(hit: &Hit) -> f64 {
    if hit.explicit && hit.voice == Voice::Person {
        return CONFIDENCE_SAID;
    }
    ((CONFIDENCE_BASE + CONFIDENCE_BY_SCORE * hit.score) * 100.0).round() / 100.0
}

/// One line without the stars of Markdown.
pub(super) fn plain(text: &str) -> String {
    let line = normalise_line(&text.replace("**", "").replace("__", " "));
    // Brackets around all of it say "by the way", which a memory no longer is.
    let inner = line.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(&line).to_owned()
}

pub(super) fn title(text: &str) -> String {
    let bare = guess::without_leads(text, OPENERS);
    guess::title(if has_words(bare) { bare } else { text })
}

/// What people say before they say something; longer forms stand before those that they begin with.
const OPENERS: &str = "can you|could you|we should keep in mind that|keep in mind:|\
     for future reference,|for the future:|note for the future:|thinking again:|going forward,|\
     going forward|i think we should|i think|let's|lets|okay,|okay|ok,|ok|yes,|yes|yeah,|yeah|\
     yep,|no,|hmm,|so,|so|and|also,|also|but|please,|please|now,|well,|actually,|actually|\
     merk dir, dass|merk dir:|souviens-toi que|recuerda que|lembre-se que|lembre-se de que|\
     ricorda che|onthoud dat|pamiętaj, że|запомни, что|запомни:|请记住，|请记住：|记住，|记住：";

/// The prompt that led to it: the last one before it, or the one that it stands in.
fn context(hit: &Hit, turns: &[Turn]) -> Option<String> {
    let end = turns.len().min(hit.turn + 1);
    let prompt = turns[..end].iter().rev().find(|turn| {
        turn.voice == Voice::Person
            && !turn.is_sidechain
            && plain(&turn.text) != plain(&hit.text)
            && !turn.text.trim().is_empty()
    })?;
    // The whole is looked at: what is left of a secret that was cut no longer looks like one.
    let is_clean = secrets::scan(&prompt.text).is_empty();
    is_clean.then(|| shorten(&plain(&prompt.text), CONTEXT_CHARS))
}

type Part = for<'s> fn(&Clauses<'s>) -> Option<&'s str>;

const FIELDS: &[(Kind, &str, Part)] = &[
    (Kind::Decision, "decision", |said| Some(said.text)),
    (Kind::Decision, "context", |said| said.context),
    (Kind::Decision, "rationale", |said| said.reason()),
    (Kind::Decision, "alternatives", |said| said.contrast()),
    (Kind::Constraint, "rule", |said| Some(said.text)),
    (Kind::Constraint, "impact", |said| said.reason()),
    (Kind::Constraint, "kind", |said| said.is_by_person.then_some("policy")),
    (Kind::Constraint, "severity", |said| said.is_strict().then_some("high")),
    (Kind::Preference, "value", |said| Some(said.text)),
    (Kind::Preference, "reason", |said| said.reason()),
    (Kind::Preference, "topic", |said| said.topic),
    (Kind::Preference, "strength", |said| said.is_strict().then_some("strong")),
    (Kind::Preference, "avoid", |said| said.contrast()),
    (Kind::Runbook, "trigger", |said| said.condition()),
    (Kind::Runbook, "symptoms", |said| said.symptom()),
    (Kind::Runbook, "root_cause", |said| said.cause()),
    (Kind::Runbook, "steps", |said| said.step().or(Some(said.text))),
    (Kind::TechDebt, "description", |said| Some(said.text)),
    (Kind::TechDebt, "reason_deferred", |said| said.reason()),
];

pub(super) fn field_value(kind: &Kind, field: &str, value: &str) -> FieldValue {
    let spec = kind.fields().iter().find(|spec| spec.name == field);
    match spec.map(|spec| &spec.shape) {
        Some(Shape::Alternatives) => FieldValue::Alternatives(vec![Alternative::new(value, "")]),
        Some(Shape::List | Shape::Steps) => FieldValue::List(vec![value.to_owned()]),
        _ => FieldValue::Text(value.to_owned()),
    }
}
