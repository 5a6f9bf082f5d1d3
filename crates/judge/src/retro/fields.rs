//! The fields of a retrospective that came as an object, each one checked and named when wrong.

use super::draft::{self, given_title, title_of, type_of};
use super::{LessonDraft, Retrospective, distinct, says_nothing};
use oldhand_core::kind::schema::LESSON_TYPES;
use oldhand_core::policy::{
    LIST_ITEMS_MAX, REASON_CHARS_MAX, RETRO_LESSONS_MAX, SELF_CHECK_MAX, SIGNAL_CHARS_MAX,
    SIGNALS_MAX, TAGS_MAX,
};
use oldhand_core::scope::Scope;
use oldhand_core::task::{Outcome, TaskSignals};
use oldhand_core::yaml::Yaml;
use oldhand_text::problem::Problem;
use oldhand_text::strings::{TAG_CHARS_MAX, normalise_body, normalise_line, normalise_tag};
use oldhand_text::table;
use oldhand_text::word::unknown;

type Entries = [(String, Yaml)];

/// How many items a list may have, and how many characters each.
type ListMax = (usize, usize);
const WORDS: ListMax = (SIGNALS_MAX, SIGNAL_CHARS_MAX);
const TAG_WORDS: ListMax = (TAGS_MAX, TAG_CHARS_MAX);
/// Evidence may be an address or the line of a log.
const LINES: ListMax = (LIST_ITEMS_MAX, REASON_CHARS_MAX);

/// Every name that `read` knows.
const KNOWN: &str = "task_id|task|outcome|memory_candidates|lessons|most_useful|\
     most_useful_memory|failure_class|concerns|concern_category|recovery_class|task_kind|\
     self_check|self_check_confidence|recipes|integration_conflicts";

/// Every name that `Reader::lesson` knows.
const KNOWN_OF_LESSON: &str = "title|summary|text|guidance|applies_when|memory_type|lesson_type|\
     scope|tags|evidence_refs|evidence";

pub(super) fn is_known(key: &str) -> bool {
    table::phrases(KNOWN).any(|name| name == key)
}

/// Reads the known fields and skips the others; an object without prose must have a known one.
pub(super) fn read(entries: &Entries, is_all: bool) -> Result<Retrospective, Vec<Problem>> {
    if is_all && !entries.iter().any(|(key, _)| is_known(key)) {
        let expected = "an object with `memory_candidates`, `task_id` or another known field";
        let keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
        return Err(vec![Problem::new("retrospective", expected, &keys.join(", "))]);
    }
    let mut reader = Reader { entries, at: String::new(), problems: Vec::new() };
    let mut retrospective = Retrospective {
        task: reader.word("task_id|task"),
        outcome: reader.parsed("outcome", outcome),
        most_useful: reader.list("most_useful|most_useful_memory", WORDS),
        signals: TaskSignals {
            failure_class: reader.word("failure_class"),
            concerns: reader.list("concerns|concern_category", WORDS),
            recovery_class: reader.word("recovery_class"),
            task_kind: reader.word("task_kind"),
            self_check: reader.parsed("self_check|self_check_confidence", self_check),
            recipes: reader.list("recipes", WORDS),
            integration_conflicts: reader.list("integration_conflicts", WORDS),
        },
        ..Retrospective::default()
    };
    retrospective.lessons = reader.lessons(retrospective.task.as_deref());
    if reader.problems.is_empty() { Ok(retrospective) } else { Err(reader.problems) }
}

fn outcome(word: &str) -> Result<Outcome, Problem> {
    match word.to_lowercase().as_str() {
        "pass" | "success" | "succeeded" => Ok(Outcome::Passed),
        "fail" | "failure" => Ok(Outcome::Failed),
        word => Outcome::parse(word),
    }
}

fn self_check(word: &str) -> Result<u8, Problem> {
    let number = word.parse().ok().filter(|number| (1..=SELF_CHECK_MAX).contains(number));
    let expected = format!("a number from 1 to {SELF_CHECK_MAX}");
    number.ok_or_else(|| Problem::new("", &expected, word))
}

/// Reads one object and collects its problems. A field may have several names, separated by `|`.
struct Reader<'e> {
    entries: &'e Entries,
    /// Where the object stands: `memory_candidates[2].`, or nothing at the top.
    at: String,
    problems: Vec<Problem>,
}

impl<'e> Reader<'e> {
    fn wrong(&mut self, field: &str, expected: &str, found: &str) {
        let field = format!("{}{field}", self.at);
        self.problems.push(Problem::new(&field, expected, found));
    }

    /// The first of the names that is there with a value.
    fn value(&self, names: &str) -> Option<(&'e str, &'e Yaml)> {
        names.split('|').find_map(|name| {
            let (key, value) = self.entries.iter().find(|(key, _)| key == name)?;
            (!value.is_null()).then_some((key.as_str(), value))
        })
    }

    fn text(&mut self, names: &str) -> Option<(&'e str, &'e str)> {
        let (field, value) = self.value(names)?;
        if value.as_text().is_none() {
            self.wrong(field, "a text", &value.describe());
        }
        Some((field, value.as_text()?))
    }

    /// A text that may have several lines.
    fn body(&mut self, names: &str) -> Option<String> {
        let (_, text) = self.text(names)?;
        Some(normalise_body(text)).filter(|body| !says_nothing(body))
    }

    /// One line of bounded length.
    fn word(&mut self, names: &str) -> Option<String> {
        let (field, text) = self.text(names)?;
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

    fn parsed<T>(&mut self, names: &str, parse: impl Fn(&str) -> Result<T, Problem>) -> Option<T> {
        let (field, _) = self.value(names)?;
        let parsed = parse(&self.word(names)?);
        let located = |problem| Problem { field: format!("{}{field}", self.at), ..problem };
        parsed.map_err(|problem| self.problems.push(located(problem))).ok()
    }

    /// A list of lines, each once; one text stands for a list of one.
    fn list(&mut self, names: &str, (items_max, chars_max): ListMax) -> Vec<String> {
        let Some((field, value)) = self.value(names) else { return Vec::new() };
        let Some(texts) = value.as_texts() else {
            self.wrong(field, "a list of texts", &value.describe());
            return Vec::new();
        };
        if texts.len() > items_max {
            self.wrong(field, &format!("at most {items_max} texts"), &texts.len().to_string());
            return Vec::new();
        }
        let lines = texts.iter().filter_map(|text| self.bounded(field, text, chars_max));
        distinct(lines)
    }

    /// R177: each text is one lesson, each object too.
    fn lessons(&mut self, task: Option<&str>) -> Vec<LessonDraft> {
        let Some((field, value)) = self.value("memory_candidates|lessons") else {
            return Vec::new();
        };
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
            let at = format!("{field}[{number}]");
            match item {
                Yaml::Scalar { .. } if item.is_null() => {}
                Yaml::Scalar { text, .. } => lessons.extend(draft::of_text(text, "")),
                Yaml::Map(entries) => {
                    let mut reader = Reader { entries, at: format!("{at}."), problems: Vec::new() };
                    lessons.extend(reader.lesson(task));
                    self.problems.append(&mut reader.problems);
                }
                Yaml::List(_) => self.wrong(&at, "a text or an object", &item.describe()),
            }
        }
        lessons
    }

    fn lesson(&mut self, task: Option<&str>) -> Option<LessonDraft> {
        if let Some(sentence) = sentence_with_colon(self.entries) {
            return draft::of_text(&sentence, "");
        }
        let title = self.body("title");
        let summary = self.body("summary|text");
        // R179: one of the twelve or refused.
        let named = self.parsed("memory_type|lesson_type", |word| {
            let known = LESSON_TYPES.iter().copied().find(|known| *known == word);
            known.ok_or_else(|| unknown("", LESSON_TYPES, word))
        });
        // `task` alone means the task of this retrospective.
        let scope = self.parsed("scope", |word| match (word, task) {
            ("task", Some(task)) => Ok(Scope::Task(task.to_owned())),
            _ => Scope::parse(word),
        });
        let guidance = self.body("guidance");
        let applies_when = self.body("applies_when");
        let tags = self.list("tags", TAG_WORDS);
        let tags = distinct(tags.iter().map(|tag| normalise_tag(tag)));
        let evidence = self.list("evidence_refs|evidence", LINES);
        let Some(summary) = summary.or_else(|| title.clone()) else {
            self.wrong("summary", "what was learned, as a text", "nothing");
            return None;
        };
        let title = title.map_or_else(|| title_of(&summary), |title| given_title(&title));
        let (lesson_type, reason) = type_of(named, &format!("{title}. {summary}"), "");
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
}

/// `- Never trust the cache: it lies` is a mapping to YAML and a sentence to its author.
fn sentence_with_colon(entries: &Entries) -> Option<String> {
    match entries {
        [(key, Yaml::Scalar { text, .. })]
            if table::phrases(KNOWN_OF_LESSON).all(|it| it != key) =>
        {
            Some(format!("{key}: {text}"))
        }
        _ => None,
    }
}
