//! What a new draft meets, and what becomes of it: the candidate check (R245) and its table (R254).
//! All of it is automatic: nobody is asked (R257). A conflict with an active decision or constraint
//! is another rule, which does stop.

mod choose;

use serde::Serialize;

pub use self::choose::{Known, choose};
use oldhand_core::kind::Kind;
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
    /// What a reader of the text wants, and what is done. Delete retires: capture never removes a
    /// file.
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

/// Kinds whose memories capture may retire. The others are a person's decision or preference, or
/// record what happened: only a person takes them back.
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
    let mut hints: Vec<String> = Vec::new();
    hints.extend(candidate.map(|id| format!("`{id}` is about the same")));
    hints.extend(event.map(|event| match candidate {
        None => format!("found nothing that could be {event}"),
        Some(id) if is_deletable(kind) => format!("it was {event}: consider retiring `{id}`"),
        Some(id) => format!("it was {event}: say so in `{id}`"),
    }));
    let veto = Veto { action: Action::Delete, why: format!("capture does not delete a {kind}") };
    let is_vetoed = structural == Structural::Update;
    let vetoes = is_vetoed.then_some(veto).into_iter().collect();
    Check { vetoes, pre_action, structural, candidate: candidate.map(str::to_owned), hints }
}

/// What is done, and why in one line (R253). UPDATE goes before DELETE wherever both are possible
/// and nobody judged (R248).
pub fn resolve(check: &Check, judged: Option<Action>) -> (Action, &'static str) {
    let (action, why) = by_table(check, judged);
    if check.vetoes.iter().any(|veto| veto.action == action) {
        return (Action::Noop, "the resolved action is vetoed for this kind");
    }
    (action, why)
}

fn by_table(check: &Check, judged: Option<Action>) -> (Action, &'static str) {
    if check.pre_action == Some(Action::Noop) || check.structural == Structural::Noop {
        return (Action::Noop, "found no memory that the event is about");
    }
    let has_candidate = check.candidate.is_some();
    match (check.structural, judged) {
        (_, Some(Action::Noop)) => (Action::Noop, "judged as nothing new"),
        (_, None) if !has_candidate => (Action::Create, "there is no memory about it yet"),
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

#[cfg(test)]
mod tests;
