//! The fields of a retrospective that came as an object, each one checked and named when wrong.

use std::collections::BTreeSet;

use super::draft::{self, NAMED, given_title, title_of, type_of};
use super::{LessonDraft, Retrospective, says_nothing};
use oldhand_core::kind::schema::LESSON_TYPES;
use oldhand_core::policy::{
    LIST_ITEMS_MAX, REASON_CHARS_MAX, RETRO_LESSONS_MAX, SELF_CHECK_MAX, SIGNAL_CHARS_MAX,
    SIGNALS_MAX, TAGS_MAX,
};
use oldhand_core::scope::Scope;
use oldhand_core::task::Outcome;
use oldhand_core::yaml::Yaml;
use oldhand_text::problem::Problem;
use oldhand_text::strings::{normalise_body, normalise_line, normalise_tag};
use oldhand_text::word::unknown;

type Entries = [(String, Yaml)];

/// How many items a list may have, and how many characters each.
type ListMax = (usize, usize);
const WORDS: ListMax = (SIGNALS_MAX, SIGNAL_CHARS_MAX);
use oldhand_text::strings::TAG_CHARS_MAX;
const TAG_WORDS: ListMax = (TAGS_MAX, TAG_CHARS_MAX);
/// Evidence may be an address or the line of a log.
const LINES: ListMax = (LIST_ITEMS_MAX, REASON_CHARS_MAX);

const TASK: &[&str] = &["task_id", "task"];
const OUTCOME: &[&str] = &["outcome"];
const LESSONS: &[&str] = &["memory_candidates", "lessons"];
const MOST_USEFUL: &[&str] = &["most_useful", "most_useful_memory"];
const FAILURE: &[&str] = &["failure_class"];
const CONCERNS: &[&str] = &["concerns", "concern_category"];
const RECOVERY: &[&str] = &["recovery_class"];
const TASK_KIND: &[&str] = &["task_kind"];
const SELF_CHECK: &[&str] = &["self_check", "self_check_confidence"];
const RECIPES: &[&str] = &["recipes"];
const CONFLICTS: &[&str] = &["integration_conflicts"];

const KNOWN: &[&[&str]] = &[
    TASK,
    OUTCOME,
    LESSONS,
    MOST_USEFUL,
    FAILURE,
    CONCERNS,
    RECOVERY,
    TASK_KIND,
    SELF_CHECK,
    RECIPES,
    CONFLICTS,
];

const TITLE: &[&str] = &["title"];
const SUMMARY: &[&str] = &["summary", "text"];
const GUIDANCE: &[&str] = &["guidance"];
const APPLIES_WHEN: &[&str] = &["applies_when"];
const TYPE: &[&str] = &["memory_type", "lesson_type"];
const SCOPE: &[&str] = &["scope"];
const TAGS: &[&str] = &["tags"];
const EVIDENCE: &[&str] = &["evidence_refs", "evidence"];

const KNOWN_OF_LESSON: &[&[&str]] =
    &[TITLE, SUMMARY, GUIDANCE, APPLIES_WHEN, TYPE, SCOPE, TAGS, EVIDENCE];

pub(super) fn is_known(key: &str) -> bool {
    KNOWN.iter().any(|names| names.contains(&key))
}

/// Reads what is known and passes over the rest: retrospectives of other tools say more. When the
/// object is all there is, it must have something that is known.
pub(super) fn read(entries: &Entries, is_all: bool) -> Result<Retrospective, Vec<Problem>> {
    if is_all && !entries.iter().any(|(key, _)| is_known(key)) {
        let expected = "an object with `memory_candidates`, `task_id` or another known field";
        let keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
        return Err(vec![Problem::new("retrospective", expected, &keys.join(", "))]);
    }
    let mut reader = Reader::default();
    let mut retrospective = Retrospective {
        task: reader.word(entries, TASK),
        outcome: reader.outcome(entries),
        most_useful: reader.list(entries, MOST_USEFUL, WORDS),
        ..Retrospective::default()
    };
    let signals = &mut retrospective.signals;
    signals.failure_class = reader.word(entries, FAILURE);
    signals.concerns = reader.list(entries, CONCERNS, WORDS);
    signals.recovery_class = reader.word(entries, RECOVERY);
    signals.task_kind = reader.word(entries, TASK_KIND);
    signals.self_check = reader.self_check(entries);
    signals.recipes = reader.list(entries, RECIPES, WORDS);
    signals.integration_conflicts = reader.list(entries, CONFLICTS, WORDS);
    retrospective.lessons = reader.lessons(entries, retrospective.task.as_deref());
    if reader.problems.is_empty() { Ok(retrospective) } else { Err(reader.problems) }
}

/// Collects what is wrong; a wrong value reads as none.
#[derive(Default)]
struct Reader {
    problems: Vec<Problem>,
    /// Where in the object the reader is: `memory_candidates[2].`, or nothing at the top.
    at: String,
}

impl Reader {
    fn wrong(&mut self, field: &str, expected: &str, found: &str) {
        let field = format!("{}{field}", self.at);
        self.problems.push(Problem::new(&field, expected, found));
    }

    /// One line of bounded length.
    fn word(&mut self, entries: &Entries, names: &[&str]) -> Option<String> {
        let (field, value) = entry(entries, names)?;
        let Some(text) = value.as_text() else {
            self.wrong(field, "a text", &value.describe());
            return None;
        };
        self.bounded(field, text, SIGNAL_CHARS_MAX)
    }

    fn bounded(&mut self, field: &str, text: &str, chars_max: usize) -> Option<String> {
        let line = normalise_line(text);
        if line.chars().count() > chars_max {
            self.wrong(field, &format!("at most {chars_max} characters"), &line);
            return None;
        }
        (!says_nothing(&line)).then_some(line)
    }

    /// A text that may have several lines.
    fn body(&mut self, entries: &Entries, names: &[&str]) -> Option<String> {
        let (field, value) = entry(entries, names)?;
        let Some(text) = value.as_text() else {
            self.wrong(field, "a text", &value.describe());
            return None;
        };
        let body = normalise_body(text);
        (!says_nothing(&body)).then_some(body)
    }

    /// A list of lines; one text stands for a list of one.
    fn list(
        &mut self,
        entries: &Entries,
        names: &[&str],
        (items_max, chars_max): ListMax,
    ) -> Vec<String> {
        let Some((field, value)) = entry(entries, names) else { return Vec::new() };
        let Some(texts) = value.as_texts() else {
            self.wrong(field, "a list of texts", &value.describe());
            return Vec::new();
        };
        if texts.len() > items_max {
            self.wrong(field, &format!("at most {items_max} texts"), &texts.len().to_string());
            return Vec::new();
        }
        let mut lines = Vec::new();
        for line in texts.iter().filter_map(|text| self.bounded(field, text, chars_max)) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }

    fn outcome(&mut self, entries: &Entries) -> Option<Outcome> {
        let said = self.word(entries, OUTCOME)?;
        match said.to_lowercase().as_str() {
            "pass" | "success" | "succeeded" => Some(Outcome::Passed),
            "fail" | "failure" => Some(Outcome::Failed),
            word => match Outcome::parse(word) {
                Ok(outcome) => Some(outcome),
                Err(problem) => {
                    self.problems.push(problem);
                    None
                }
            },
        }
    }

    fn self_check(&mut self, entries: &Entries) -> Option<u8> {
        let (field, _) = entry(entries, SELF_CHECK)?;
        let said = self.word(entries, SELF_CHECK)?;
        let number = said.parse().ok().filter(|number| (1..=SELF_CHECK_MAX).contains(number));
        if number.is_none() {
            self.wrong(field, &format!("a number from 1 to {SELF_CHECK_MAX}"), &said);
        }
        number
    }

    /// R177: each text is one lesson, each object too.
    fn lessons(&mut self, entries: &Entries, task: Option<&str>) -> Vec<LessonDraft> {
        let Some((field, value)) = entry(entries, LESSONS) else { return Vec::new() };
        let items = match value {
            Yaml::List(items) => items.as_slice(),
            single => std::slice::from_ref(single),
        };
        if items.len() > RETRO_LESSONS_MAX {
            let expected = format!("at most {RETRO_LESSONS_MAX} lessons");
            self.wrong(field, &expected, &items.len().to_string());
            return Vec::new();
        }
        let mut lessons = Vec::new();
        for (number, item) in items.iter().enumerate() {
            match item {
                Yaml::Scalar { text, .. } if item.is_null() || says_nothing(text) => {}
                Yaml::Scalar { text, .. } => lessons.extend(draft::of_text(text, "")),
                Yaml::Map(entries) => {
                    self.at = format!("{field}[{number}].");
                    lessons.extend(self.lesson(entries, task));
                    self.at.clear();
                }
                Yaml::List(_) => {
                    let field = format!("{field}[{number}]");
                    self.wrong(&field, "a text or an object", &item.describe());
                }
            }
        }
        lessons
    }

    fn lesson(&mut self, entries: &Entries, task: Option<&str>) -> Option<LessonDraft> {
        if let Some(sentence) = sentence_with_colon(entries) {
            return draft::of_text(&sentence, "");
        }
        let title = self.body(entries, TITLE);
        let summary = self.body(entries, SUMMARY);
        let named = self.lesson_type(entries);
        let scope = self.scope(entries, task);
        let guidance = self.body(entries, GUIDANCE);
        let applies_when = self.body(entries, APPLIES_WHEN);
        let tags = self.list(entries, TAGS, TAG_WORDS);
        let evidence = self.list(entries, EVIDENCE, LINES);
        let Some(summary) = summary.or_else(|| title.clone()) else {
            self.wrong("summary", "what was learned, as a text", "nothing");
            return None;
        };
        let title = title.map_or_else(|| title_of(&summary), |title| given_title(&title));
        let (lesson_type, reason) = match named {
            Some(lesson_type) => (lesson_type, NAMED.to_owned()),
            None => type_of(&format!("{title}. {summary}"), ""),
        };
        let mut told = BTreeSet::new();
        let tags = tags.iter().map(|tag| normalise_tag(tag));
        let tags = tags.filter(|tag| !tag.is_empty() && told.insert(tag.clone())).collect();
        Some(LessonDraft {
            title,
            summary,
            guidance,
            applies_when,
            lesson_type,
            scope,
            tags,
            evidence,
            reason,
        })
    }

    /// R179: one of the twelve or refused.
    fn lesson_type(&mut self, entries: &Entries) -> Option<&'static str> {
        let (field, _) = entry(entries, TYPE)?;
        let said = self.word(entries, TYPE)?;
        let known = LESSON_TYPES.iter().copied().find(|known| *known == said);
        if known.is_none() {
            self.problems.push(unknown(&format!("{}{field}", self.at), LESSON_TYPES, &said));
        }
        known
    }

    /// `task` alone means the task of this retrospective.
    fn scope(&mut self, entries: &Entries, task: Option<&str>) -> Option<Scope> {
        let said = self.word(entries, SCOPE)?;
        if let ("task", Some(task)) = (said.as_str(), task) {
            return Some(Scope::Task(task.to_owned()));
        }
        match Scope::parse(&said) {
            Ok(scope) => Some(scope),
            Err(mut problem) => {
                problem.field = format!("{}scope", self.at);
                self.problems.push(problem);
                None
            }
        }
    }
}

/// The first of the names that is there with a value.
fn entry<'a>(entries: &'a Entries, names: &[&str]) -> Option<(&'a str, &'a Yaml)> {
    names.iter().find_map(|name| {
        let (key, value) = entries.iter().find(|(key, _)| key == name)?;
        (!value.is_null()).then_some((key.as_str(), value))
    })
}

/// `- Never trust the cache: it lies` is a mapping to YAML and a sentence to its author.
fn sentence_with_colon(entries: &Entries) -> Option<String> {
    match entries {
        [(key, Yaml::Scalar { text, .. })]
            if !KNOWN_OF_LESSON.iter().any(|names| names.contains(&key.as_str())) =>
        {
            Some(format!("{key}: {text}"))
        }
        _ => None,
    }
}
