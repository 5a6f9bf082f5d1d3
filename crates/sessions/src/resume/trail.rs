//! Where work stopped: of this session, of the one before it on this machine, or what a stored
//! summary says about it.

use crate::anchor::Anchor;
use crate::conversation::Working;
use crate::notes::Notes;
use crate::summary::Summary;
use oldhand_core::content::Content;
use oldhand_text::strings::{shorten, visible_line};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trail {
    /// Whose it is, such as `this session so far`.
    pub label: String,
    /// Lines, the most important first.
    pub facts: Vec<String>,
    pub last_completed: String,
    pub pending: Vec<String>,
    pub next_step: String,
}

#[derive(Debug, Clone)]
pub struct Compacted {
    pub summary: Summary,
    /// Nothing was said since.
    pub is_current: bool,
}

const ITEM_CHARS_MAX: usize = 300;

impl Trail {
    /// Notes come before what was observed, and a current summary replaces what was observed.
    pub fn of_session(
        label: &str,
        notes: &Notes,
        working: &Working,
        compacted: Option<&Compacted>,
    ) -> Self {
        let mut facts = notes.facts();
        // Where in the plan, right behind what the plan is for.
        if let Some(anchor) = Anchor::of(notes, working, Vec::new()).filter(|it| it.steps > 1) {
            facts.insert(usize::from(!notes.objective.is_empty()), anchor.where_it_is());
        }
        // What happened since the summary is not in it.
        if !compacted.is_some_and(|it| it.is_current) {
            facts.extend(working.facts());
        }
        facts.extend(compacted.into_iter().flat_map(|it| summary_facts(&it.summary.content)));
        let mut met = std::collections::BTreeSet::new();
        facts.retain(|fact| met.insert(fact.clone()));
        let said = compacted.map(|it| Self::of_content(&it.summary.content)).unwrap_or_default();
        let noted = notes.completed().last().map(|item| item.line());
        let seen =
            working.last_done().or_else(|| Some(said.last_completed).filter(|it| !it.is_empty()));
        let noted_pending: Vec<String> = notes.remaining().map(|item| item.line()).collect();
        let pending = [noted_pending, working.pending(), said.pending];
        let pending = pending.into_iter().find(|it| !it.is_empty()).unwrap_or_default();
        let next_step = pending.first().cloned().unwrap_or(said.next_step);
        Self {
            label: label.to_owned(),
            facts,
            last_completed: noted.or(seen).unwrap_or_default(),
            next_step: if next_step.is_empty() { working.asked() } else { next_step },
            pending,
        }
    }

    pub fn of_content(content: &Content) -> Self {
        let list = |name: &str| content.list(name).iter().map(|item| visible_line(item));
        let first = |name: &str| list(name).next().unwrap_or_default();
        let goal = visible_line(content.text("goal").unwrap_or_default());
        let completed = list("completed").next_back().or_else(|| list("key_changes").next());
        let pending: Vec<String> =
            list("next_actions").chain(list("in_progress")).chain(list("blockers")).collect();
        let next = [first("next_actions"), first("in_progress"), first("open_questions")];
        // What was asked for is done only where the summary says so.
        let done = (content.text("outcome") == Some("success")).then_some(goal);
        Self {
            label: String::new(),
            facts: summary_facts(content),
            last_completed: completed.or(done).unwrap_or_default(),
            next_step: next.into_iter().find(|it| !it.is_empty()).unwrap_or_default(),
            pending,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }
}

/// The sections of a summary, the ones that a reader needs most first (R66).
const BY_NEED: &[(&str, &str)] = &[
    ("goal", "goal"),
    ("outcome", "outcome"),
    ("next_actions", "next"),
    ("in_progress", "in progress"),
    ("blockers", "blocked"),
    ("open_questions", "open question"),
    ("standing", "stands"),
    ("completed", "completed"),
    ("errors", "error"),
    ("decisions", "decided"),
    ("focus", "focus"),
    ("tests", "tests"),
    ("key_changes", "changed"),
    ("exact_values", "value"),
    ("files", "file"),
    ("pattern", "pattern"),
    ("commands", "ran"),
    ("resolved_questions", "resolved"),
];

pub(super) fn summary_facts(content: &Content) -> Vec<String> {
    let lines = BY_NEED.iter().flat_map(|(name, label)| {
        let items =
            content.text(name).into_iter().chain(content.list(name).iter().map(String::as_str));
        items.map(move |it| format!("{label}: {}", shorten(&visible_line(it), ITEM_CHARS_MAX)))
    });
    lines.collect()
}
