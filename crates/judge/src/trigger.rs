//! What repeats itself across tasks becomes a candidate (R187 to R192), by one table of rules.

use std::collections::BTreeMap;

use crate::guess::{at_word, lesson_type};
use crate::retro::{distinct, says_nothing};
use oldhand_core::policy::{
    INCIDENTS_MAX, LIST_ITEMS_MAX, RECIPE_TASKS, REPEATED_TIMES, SELF_CHECK_LOW, SIGNAL_CHARS_MAX,
    SIGNALS_MAX, TITLE_CHARS_MAX,
};
use oldhand_core::task::{Outcome, TaskSignals};
use oldhand_text::strings::normalise_line;

/// One end of a task and what it left behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Incident {
    /// What can be looked up: `task:t1` or `session:2026-06-01`. Given twice, it counts once.
    pub reference: String,
    pub task: String,
    pub outcome: Option<Outcome>,
    pub signals: TaskSignals,
}

/// Something that came up often enough to be worth a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The same for the same repetition, however it is spelled: `failure_class:flaky-test`.
    pub key: String,
    pub lesson_type: &'static str,
    pub title: String,
    pub summary: String,
    pub guidance: String,
    /// As many as the trust that the rule gives: one is 0.4, two are 0.6. The newest ones.
    pub evidence: Vec<String>,
    /// Every reference, the newest `LIST_ITEMS_MAX` of them, in order of their names.
    pub sources: Vec<String>,
}

/// The patterns among the newest incidents; `incidents` has the oldest first.
pub fn patterns(incidents: &[Incident]) -> Vec<Pattern> {
    let newest = &incidents[incidents.len().saturating_sub(INCIDENTS_MAX)..];
    let mut found: Vec<Pattern> = RULES.iter().flat_map(|rule| rule.patterns(newest)).collect();
    found.sort_by(|one, other| one.key.cmp(&other.key));
    found
}

struct Rule {
    key: &'static str,
    values: fn(&Incident) -> Vec<&String>,
    /// Tasks are counted, not references.
    counts_tasks: bool,
    times: usize,
    evidence: usize,
    lesson_type: fn(&str) -> &'static str,
    /// The value stands for `{}` in these.
    title: &'static str,
    summary: &'static str,
    guidance: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        key: "failure_class",
        values: |incident| incident.signals.failure_class.iter().collect(),
        counts_tasks: false,
        times: REPEATED_TIMES,
        evidence: 2,
        lesson_type: |_| "failure_lesson",
        title: "Repeated failure: {}",
        summary: "Work failed more than once with `{}`.",
        guidance: "Check for `{}` before the work counts as done, and look at how the tasks among \
                   the sources got over it.",
    },
    Rule {
        key: "concern",
        values: |incident| incident.signals.concerns.iter().collect(),
        counts_tasks: true,
        times: REPEATED_TIMES,
        evidence: 2,
        // What reviewers object to twice is a risk, unless its words say what else it is.
        lesson_type: |category| match lesson_type(category) {
            (by_words, because) if !because.is_empty() => by_words,
            _ => "risk_pattern",
        },
        title: "Reviewers keep raising: {}",
        summary: "Reviewers objected to `{}` in more than one task.",
        guidance: "Look at the work for `{}` before it goes to review.",
    },
    Rule {
        key: "recovery_class",
        values: |incident| incident.signals.recovery_class.iter().collect(),
        counts_tasks: false,
        times: REPEATED_TIMES,
        evidence: 1,
        lesson_type: |_| "risk_pattern",
        title: "Repeated recovery: {}",
        summary: "Work had to be recovered more than once by `{}`.",
        guidance: "Before similar work, see that `{}` is possible, and what made it necessary.",
    },
    Rule {
        key: "recipe",
        values: |incident| match incident.outcome {
            Some(Outcome::Passed) => incident.signals.recipes.iter().collect(),
            _ => Vec::new(),
        },
        counts_tasks: true,
        times: RECIPE_TASKS,
        evidence: 2,
        lesson_type: |_| "test_strategy",
        title: "Proven recipe: {}",
        summary: "`{}` showed that the result works, in at least three tasks that passed.",
        guidance: "Use `{}` to check similar work.",
    },
    Rule {
        key: "integration_conflict",
        values: |incident| incident.signals.integration_conflicts.iter().collect(),
        counts_tasks: false,
        times: REPEATED_TIMES,
        evidence: 1,
        lesson_type: |_| "integration_pattern",
        title: "Work keeps colliding in {}",
        summary: "Results did not fit together with other work in `{}` more than once.",
        guidance: "Before changing `{}`, see who else works there, and integrate in small steps.",
    },
    Rule {
        key: "self_check",
        values: |incident| match (incident.signals.self_check, &incident.signals.task_kind) {
            (Some(sure), Some(kind)) if sure <= SELF_CHECK_LOW => vec![kind],
            _ => Vec::new(),
        },
        counts_tasks: false,
        times: REPEATED_TIMES,
        evidence: 1,
        lesson_type: |_| "risk_pattern",
        title: "Workers are unsure about: {}",
        summary: "Workers were unsure of their own result more than once for tasks of the kind \
                  `{}`.",
        guidance: "Plan a second look at the result for tasks of the kind `{}`.",
    },
];

/// Who said the same, the newest first: each incident with its spelling of the value.
type Group<'a> = Vec<(&'a Incident, String)>;

impl Rule {
    fn patterns(&self, incidents: &[Incident]) -> Vec<Pattern> {
        let mut groups: BTreeMap<String, Group<'_>> = BTreeMap::new();
        for incident in incidents.iter().rev() {
            let values = (self.values)(incident).into_iter().take(SIGNALS_MAX);
            for (folded, spelling) in values.filter_map(|value| folded(value)) {
                groups.entry(folded).or_default().push((incident, spelling));
            }
        }
        groups.iter().filter_map(|(folded, group)| self.pattern(folded, group)).collect()
    }

    fn pattern(&self, folded: &str, group: &Group<'_>) -> Option<Pattern> {
        let references = distinct(group.iter().map(|(it, _)| it.reference.trim().to_owned()));
        let tasks = distinct(group.iter().map(|(it, _)| it.task.trim().to_owned()));
        let times = if self.counts_tasks { tasks.len() } else { references.len() };
        if times < self.times {
            return None;
        }
        // Two tasks of one session have one reference between them; their names stand in.
        let named = tasks.iter().map(|task| format!("task:{task}"));
        let mut evidence = distinct(references.iter().cloned().chain(named));
        evidence.truncate(self.evidence);
        let mut sources = references;
        sources.truncate(LIST_ITEMS_MAX);
        sources.sort_unstable();
        // The same spelling whatever the order of the incidents.
        let value = group.iter().map(|(_, spelling)| spelling.as_str()).min().unwrap_or(folded);
        Some(Pattern {
            key: format!("{}:{folded}", self.key),
            lesson_type: (self.lesson_type)(folded),
            title: at_word(&self.title.replace("{}", value), TITLE_CHARS_MAX),
            summary: self.summary.replace("{}", value),
            guidance: self.guidance.replace("{}", value),
            evidence,
            sources,
        })
    }
}

/// How a value is compared and how it is shown; nothing for an empty answer or prose.
fn folded(value: &str) -> Option<(String, String)> {
    let spelling = normalise_line(value).replace('`', "'");
    let spelling = spelling.strip_prefix("./").unwrap_or(&spelling).trim_end_matches('/').trim();
    let lowered = spelling.to_lowercase();
    let words = lowered.split([' ', '_', '-']).filter(|word| !word.is_empty());
    let folded = words.collect::<Vec<_>>().join("-");
    let is_unknown = matches!(folded.as_str(), "unknown" | "other" | "misc" | "various");
    let is_long = folded.chars().count() > SIGNAL_CHARS_MAX;
    let is_class = !says_nothing(&folded) && !is_unknown && !is_long;
    is_class.then(|| (folded, spelling.to_owned()))
}

#[cfg(test)]
mod tests;
