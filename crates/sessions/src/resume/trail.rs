//! Where work stopped: of this session, of the one before it on this machine, or what a stored
//! summary says about it.

use super::{ANSWER_CHARS_MAX, PENDING_CONFIRMED};
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
const BESIDE: &str =
    "exact paths, commands and errors from before the compaction: `oldhand compact`";

impl Trail {
    /// Notes come before what was observed, and a current summary replaces what was observed.
    pub fn of_session(
        label: &str,
        notes: &Notes,
        working: &Working,
        compacted: Option<&Compacted>,
    ) -> Self {
        let is_current = compacted.is_some_and(|it| it.is_current);
        let summary = compacted.map(|it| &it.summary.content);
        // What was open when the conversation was compacted may be done.
        let said = summary.filter(|_| is_current).map(Self::of_content).unwrap_or_default();
        let noted = notes.completed().last().map(|item| item.line());
        let seen =
            working.last_done().or_else(|| Some(said.last_completed).filter(|it| !it.is_empty()));
        let noted_pending: Vec<String> = notes.remaining().map(|item| item.line()).collect();
        let pending = [noted_pending, working.pending(), said.pending];
        let pending = pending.into_iter().find(|it| !it.is_empty()).unwrap_or_default();
        let next_step = pending.first().cloned().unwrap_or(said.next_step);
        let mut trail = Self {
            label: label.to_owned(),
            facts: noted_facts(notes, working),
            last_completed: noted.or(seen).unwrap_or_default(),
            next_step: if next_step.is_empty() { working.asked() } else { next_step },
            pending,
        };
        // What happened since the summary is not in it.
        if !is_current {
            let mut seen = working.facts();
            seen.retain(|fact| !trail.ends_with(fact));
            trail.facts.extend(seen);
        }
        trail.facts.extend(summary.into_iter().flat_map(summary_facts));
        let mut met = std::collections::BTreeSet::new();
        trail.facts.retain(|fact| met.insert(fact.clone()));
        trail
    }

    /// Whether the confirmation at the end says it as well, and whole.
    fn ends_with(&self, fact: &str) -> bool {
        let said = fact.split_once(": ").map_or(fact, |(_, said)| said);
        let next = self.next_step.as_str();
        let next = ["answer: ", "go on with: "]
            .iter()
            .find_map(|it| next.strip_prefix(it))
            .unwrap_or(next);
        let shown = self.pending.iter().take(PENDING_CONFIRMED);
        let pending = shown.map(|it| it.strip_prefix("fix ").unwrap_or(it));
        let mut all = pending.chain([self.last_completed.as_str(), next]);
        said.chars().count() + "go on with: ".len() <= ANSWER_CHARS_MAX && all.any(|it| it == said)
    }

    /// Of a session whose host has just put a summary of its own into the conversation: only what was
    /// noted here and what waits, and where the rest is.
    pub fn beside_summary(label: &str, notes: &Notes, working: &Working) -> Self {
        let whole = Self::of_session(label, notes, working, None);
        let mut facts = noted_facts(notes, working);
        let question = format!("open question: {}", working.question);
        let is_news = !working.question.is_empty() && !whole.ends_with(&question);
        facts.extend(is_news.then_some(question));
        facts.push(BESIDE.to_owned());
        let noted = notes.completed().last().map(|item| item.line());
        Self { facts, last_completed: noted.unwrap_or_default(), ..whole }
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

/// With where the plan is, right behind what it is for.
fn noted_facts(notes: &Notes, working: &Working) -> Vec<String> {
    let mut facts = notes.facts();
    if let Some(anchor) = Anchor::of(notes, working, Vec::new()).filter(|it| it.steps > 1) {
        facts.insert(usize::from(!notes.objective.is_empty()), anchor.where_it_is());
    }
    facts
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
