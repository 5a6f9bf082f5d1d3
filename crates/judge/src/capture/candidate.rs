//! What a new draft meets, and what becomes of it: the candidate check (R245) and its table (R254).
//! It asks nobody (R257). Conflicts with decisions are left to the gate.

use std::collections::BTreeSet;

use serde::Serialize;

use oldhand_core::kind::Kind;
use oldhand_core::memory::Memory;
use oldhand_text::strings::normalise_tag;
use oldhand_text::terms::{self, Form};
use oldhand_text::word::words;

words! {
    LifecycleEvent, "lifecycle_event" {
        Resolved = "resolved",
        Removed = "removed",
        Reversed = "reversed",
        Superseded = "superseded",
        Deprecated = "deprecated",
    }
}

words! {
    /// What is possible by what is there.
    Structural, "structural_cud" {
        Create = "CREATE",
        Update = "UPDATE",
        UpdateOrDelete = "UPDATE_OR_DELETE",
        Noop = "NOOP",
    }
}

words! {
    /// What a reader of the text wants, and what is done. `DELETE` retires the memory.
    Action, "action" {
        Create = "CREATE",
        Update = "UPDATE",
        Delete = "DELETE",
        Noop = "NOOP",
    }
}

impl Action {
    /// As a reader of the text writes it; an unknown word is the same as none.
    pub fn judged(word: &str) -> Option<Self> {
        let word = word.trim().to_ascii_uppercase();
        Self::parse(if word == "RETIRE" { "DELETE" } else { &word }).ok()
    }
}

/// Forbids one action and no other (R246).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Veto {
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub action: Action,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Check {
    pub vetoes: Vec<Veto>,
    /// Decided already, whatever is judged: nothing to change, or nothing to compare with (R247).
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub pre_action: Option<Action>,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[serde(rename = "structural_cud")]
    pub structural: Structural,
    /// The id of the memory that the draft is about.
    pub candidate: Option<String>,
    pub hints: Vec<String>,
}

/// Kinds whose memories capture may retire; only a person takes the others back.
pub fn is_deletable(kind: &Kind) -> bool {
    matches!(kind, Kind::Runbook | Kind::Constraint | Kind::TechDebt)
}

/// What is possible for a draft of this kind with this candidate (R245).
pub fn check(kind: &Kind, candidate: Option<&str>, event: Option<LifecycleEvent>) -> Check {
    let (pre_action, structural) = match (candidate, event) {
        (None, None) => (Some(Action::Create), Structural::Create),
        (None, Some(_)) => (Some(Action::Noop), Structural::Noop),
        (Some(_), _) if is_deletable(kind) => (None, Structural::UpdateOrDelete),
        (Some(_), _) => (None, Structural::Update),
    };
    let about = candidate.map(|id| format!("`{id}` is about the same"));
    let happened = event.map(|event| match candidate {
        None => format!("found nothing that could be {event}"),
        Some(id) if is_deletable(kind) => format!("it was {event}: consider retiring `{id}`"),
        Some(id) => format!("it was {event}: say so in `{id}`"),
    });
    let veto = Veto { action: Action::Delete, why: format!("capture does not delete a {kind}") };
    Check {
        vetoes: Vec::from_iter((structural == Structural::Update).then_some(veto)),
        pre_action,
        structural,
        candidate: candidate.map(str::to_owned),
        hints: about.into_iter().chain(happened).collect(),
    }
}

/// What is done, and why in one line (R253). Without a judgement, UPDATE goes before DELETE (R248).
pub fn resolve(check: &Check, judged: Option<Action>) -> (Action, &'static str) {
    let (action, why) = by_table(check, judged);
    if check.vetoes.iter().any(|veto| veto.action == action) {
        return (Action::Noop, "the resolved action is vetoed for this kind");
    }
    (action, why)
}

fn by_table(check: &Check, judged: Option<Action>) -> (Action, &'static str) {
    match (check.structural, judged) {
        (Structural::Noop, _) => (Action::Noop, "found no memory that the event is about"),
        (_, Some(Action::Noop)) => (Action::Noop, "judged as nothing new"),
        (Structural::Create, None) => (Action::Create, "there is no memory about it yet"),
        (_, None) => (Action::Update, "there is already a memory about it"),
        (Structural::Create, Some(Action::Create)) => (Action::Create, "it is new"),
        (Structural::Create, Some(Action::Update)) => {
            (Action::Create, "an update was wanted, but there is no memory about it yet")
        }
        (Structural::Create, Some(Action::Delete)) => {
            (Action::Noop, "a removal was wanted, but there is no memory about it")
        }
        (_, Some(Action::Create)) => (Action::Create, "judged as a different subject"),
        (_, Some(Action::Update)) => (Action::Update, "it adds to an existing memory"),
        (Structural::UpdateOrDelete, Some(Action::Delete)) => {
            (Action::Delete, "the memory no longer holds")
        }
        (_, Some(Action::Delete)) => (
            Action::Update,
            "capture does not delete memories of this kind: the change is noted in it",
        ),
    }
}

/// Somebody chose a tag to find the memory by: one is enough.
const TAG: f64 = 3.0;
/// Two words of a title are as good as a tag.
const TITLE_WORD: f64 = 2.0;
/// A word that all work is full of says little: `test`, `build`, `fix`.
const EVERYDAY_WORD: f64 = 0.75;
/// An identifier, path or version that both have as it was written.
const WHOLE: f64 = 2.5;
/// From here on a memory is the candidate.
const FLOOR: f64 = 3.0;

/// Words of the filler list that are subjects in technical talk.
const SHORT_SUBJECTS: &[&str] = &["go", "c", "r"];

/// The memory of the same kind that the text is about. Ties go to the lower id.
pub fn choose<'a>(new_info: &str, kind: &Kind, known: &'a [Memory]) -> Option<&'a str> {
    let said = Words::of(new_info);
    let memories = known.iter().filter(|it| it.kind == *kind && it.is_active());
    let scored = memories.map(|memory| (score(&said, memory), memory.id.as_str()));
    let near = scored.filter(|(score, _)| *score >= FLOOR);
    near.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(one.1))).map(|it| it.1)
}

#[derive(Default)]
struct Words {
    stems: BTreeSet<String>,
    wholes: BTreeSet<String>,
    /// The words one after the other, for tags of several.
    line: String,
}

impl Words {
    fn of(text: &str) -> Self {
        let mut words = Self { line: String::from(" "), ..Self::default() };
        terms::each_term(text, &mut |term, form, _| match form {
            Form::Whole => {
                words.wholes.insert(term.to_owned());
            }
            Form::Stem => {
                words.line.push_str(term);
                words.line.push(' ');
                if SHORT_SUBJECTS.contains(&term) || !terms::is_common(term) {
                    words.stems.insert(term.to_owned());
                }
            }
            Form::Exact => {}
        });
        words
    }
}

fn score(said: &Words, memory: &Memory) -> f64 {
    let mut of_tags: BTreeSet<String> = BTreeSet::new();
    let mut score = 0.0;
    for tag in &memory.tags {
        let tag = Words::of(&normalise_tag(tag));
        // All words of the tag, in its order: the tag `rate limit` is not met by any limit.
        if !tag.stems.is_empty() && said.line.contains(&tag.line) && !tag.stems.is_subset(&of_tags)
        {
            score += TAG;
            of_tags.extend(tag.stems);
        }
    }
    let title = Words::of(&memory.title);
    for word in title.stems.intersection(&said.stems) {
        score += if terms::is_everyday(word) { EVERYDAY_WORD } else { TITLE_WORD };
    }
    score + WHOLE * title.wholes.intersection(&said.wholes).count() as f64
}

#[cfg(test)]
mod tests;
