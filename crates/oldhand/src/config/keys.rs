//! The table of keys.

use oldhand_core::kind::Kinds;
use oldhand_core::reviewer::{Reviewers, Role};
use oldhand_core::scope::is_relative_path;
use oldhand_text::problem::Problem;
use oldhand_text::strings::{nearest, normalise_line};

use super::Setting;
use super::place::{At, Effective, Number, OneOf, Place, Whole};

mod capture;
mod kinds;
#[cfg(test)]
mod tests;

/// The version of the store's layout that this program reads and writes.
pub(crate) const FORMAT: i64 = 1;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Type {
    Flag,
    Number {
        min: i64,
        max: i64,
    },
    /// From 0 to 1.
    Fraction,
    Text {
        chars_max: usize,
    },
    Choice(Vec<&'static str>),
    /// A plain folder name inside the store.
    Folder,
    List,
}

pub(crate) struct Key {
    pub name: String,
    pub kind: Type,
    pub default: Setting,
    pub meaning: String,
    at: At,
}

/// A row of the table. Its default is what stands in its place.
struct Row {
    name: String,
    kind: Type,
    at: At,
    meaning: String,
}

fn row<F>(name: &str, kind: Type, at: F, meaning: &str) -> Row
where
    F: for<'e> Fn(&'e mut Effective) -> Option<Box<dyn Place + 'e>> + Send + Sync + 'static,
{
    Row { name: name.to_owned(), kind, at: Box::new(at), meaning: meaning.to_owned() }
}

/// How memories are reviewed, what time does to them, and from where on the store needs attention.
fn life_keys() -> Vec<Row> {
    let mut keys = vec![
        choice(
            "review.mode",
            &[("lightweight", true), ("people", false)],
            |e| &mut e.settings.review.lightweight,
            "`lightweight` raises candidates with enough evidence by itself, `people` asks for each",
        ),
        number(
            "review.reminder_days",
            (1, 3650),
            |e| &mut e.settings.review.reminder_days,
            "days after which a review that nobody held is named",
        ),
        number(
            "review.urgent_days",
            (1, 3650),
            |e| &mut e.settings.review.urgent_days,
            "days after which it needs attention",
        ),
        number(
            "sweep.purge_days",
            (0, 3650),
            |e| &mut e.settings.sweep.purge_days,
            "days between two purges of session notes that nobody used again; 0 is never",
        ),
        number(
            "sweep.purge_tasks",
            (0, 100_000),
            |e| &mut e.settings.sweep.purge_tasks,
            "ended tasks after which they are purged as well; 0 is never",
        ),
        number(
            "health.max_decisions",
            (1, 1_000_000),
            |e| &mut e.settings.health.decisions_max,
            "active decisions above which the archive should be looked through",
        ),
        number(
            "health.max_sessions",
            (1, 1_000_000),
            |e| &mut e.settings.health.sessions_max,
            "open session summaries above which the store needs attention",
        ),
    ];
    keys.extend(Reviewers::default().iter().map(|(of, _)| {
        row(
            &format!("reviewers.{of}"),
            Type::Choice(Role::WORDS.to_vec()),
            move |e| Some(Box::new(e.settings.reviewers.role_mut(of)?)),
            &format!("who reviews `{of}`"),
        )
    }));
    keys
}

fn flag(name: &str, at: fn(&mut Effective) -> &mut bool, meaning: &str) -> Row {
    row(name, Type::Flag, move |e| Some(Box::new(at(e))), meaning)
}

fn text(name: &str, chars_max: usize, at: fn(&mut Effective) -> &mut String, meaning: &str) -> Row {
    row(name, Type::Text { chars_max }, move |e| Some(Box::new(at(e))), meaning)
}

fn number<T: Whole + 'static>(
    name: &str,
    (min, max): (i64, i64),
    at: fn(&mut Effective) -> &mut T,
    meaning: &str,
) -> Row {
    row(name, Type::Number { min, max }, move |e| Some(Box::new(Number(at(e)))), meaning)
}

fn choice<T: Copy + PartialEq + Send + Sync>(
    name: &str,
    words: &'static [(&'static str, T)],
    at: fn(&mut Effective) -> &mut T,
    meaning: &str,
) -> Row {
    let kind = Type::Choice(words.iter().map(|(word, _)| *word).collect());
    row(name, kind, move |e| Some(Box::new(OneOf { at: at(e), words })), meaning)
}

/// Every key; those of the kinds for each kind that there is.
pub(crate) fn keys(kinds: &Kinds) -> Vec<Key> {
    let mut rows = store_keys();
    rows.extend(desk_keys());
    rows.extend(recall_keys());
    rows.extend(life_keys());
    rows.extend(capture::keys());
    rows.extend(kinds.iter().flat_map(kinds::keys));
    let mut defaults = Effective::new(kinds.clone());
    let with_default = |Row { name, kind, at, meaning }| {
        let default = at(&mut defaults)?.get();
        Some(Key { name, kind, default, meaning, at })
    };
    rows.into_iter().filter_map(with_default).collect()
}

fn store_keys() -> Vec<Row> {
    vec![
        number("format", (1, FORMAT), |e| &mut e.program.format, "version of the store's layout"),
        choice(
            "decisions.policy",
            &[("record", false), ("example_only", true)],
            |e| &mut e.settings.write.decisions_example_only,
            "`example_only` sends decisions to the session notes instead of the log",
        ),
        flag(
            "gc.archive_retired",
            |e| &mut e.settings.gc.archive_retired,
            "collecting archives instead of deleting",
        ),
        number(
            "gc.grace_period_days",
            (0, 3650),
            |e| &mut e.settings.gc.grace_period_days,
            "days a retired memory waits before it is collected",
        ),
        number(
            "index.check_hours",
            (1, 8760),
            |e| &mut e.program.check.hours,
            "hours after which every file is compared with the index again",
        ),
        number(
            "index.check_entries",
            (1, 100_000),
            |e| &mut e.program.check.entries,
            "new or changed files after which every file is compared with the index",
        ),
        number(
            "limits.max_memories_per_kind",
            (0, 1_000_000),
            |e| &mut e.settings.write.memories_per_kind_max,
            "active memories of one kind; 0 is no limit",
        ),
    ]
}

fn desk_keys() -> Vec<Row> {
    vec![
        number(
            "lock.wait_seconds",
            (1, 600),
            |e| &mut e.program.lock_seconds,
            "how long a command waits for another one's write",
        ),
        row(
            "trust.folders",
            Type::List,
            |e| Some(Box::new(&mut e.program.trusted.folders)),
            "folders whose stores you trust, with all below; in your own configuration alone",
        ),
        row(
            "trust.remotes",
            Type::List,
            |e| Some(Box::new(&mut e.program.trusted.remotes)),
            "remotes whose stores you trust, such as `github.com/acme`; in your own configuration alone",
        ),
        text(
            "user.name",
            100,
            |e| &mut e.program.user_name,
            "who writes; your login name when empty",
        ),
        flag(
            "views.architecture",
            |e| &mut e.settings.views.architecture,
            "keep ARCHITECTURE.md at the repository's root",
        ),
        flag(
            "views.archive",
            |e| &mut e.settings.views.archive,
            "keep DECISIONS_ARCHIVE.md at the repository's root",
        ),
        flag(
            "views.decisions",
            |e| &mut e.settings.views.decisions,
            "keep DECISIONS.md at the repository's root",
        ),
        number(
            "write.resurrection_hours",
            (0, 8760),
            |e| &mut e.settings.write.resurrection_hours,
            "hours in which a retired memory is not written again",
        ),
    ]
}

fn recall_keys() -> Vec<Row> {
    vec![
        number(
            "recall.budget_tokens",
            (100, 1_000_000),
            |e| &mut e.settings.recall.budget_tokens,
            "tokens that the memories of one answer may cost",
        ),
        number(
            "recall.index_tokens",
            (100, 1_000_000),
            |e| &mut e.settings.recall.index_tokens,
            "tokens that the registry may cost",
        ),
        number(
            "recall.max_memories",
            (1, 1_000),
            |e| &mut e.settings.recall.items_max,
            "memories in one answer",
        ),
        choice(
            "recall.model",
            &[("minilm", "minilm"), ("static", "static"), ("keywords", "keywords")],
            |e| &mut e.program.model,
            "what finds memories by meaning: the sentence model, the small static one, or words alone",
        ),
        number(
            "trimming.relevance_half_life_days",
            (1, 36_500),
            |e| &mut e.settings.recall.half_life_days,
            "days after which a memory weighs half as new",
        ),
    ]
}

impl Key {
    /// A value that was checked.
    pub(super) fn put(&self, value: Setting, effective: &mut Effective) {
        if let Some(mut place) = (self.at)(effective) {
            place.put(value);
        }
    }

    /// A value from a file, checked against type and range.
    pub(crate) fn check(&self, value: Setting) -> Result<Setting, Problem> {
        let found = value.to_string();
        let wrong = |expected: &str| Err(Problem::new(&self.name, expected, &found));
        match (&self.kind, value) {
            (Type::Flag, value @ Setting::Flag(_)) => Ok(value),
            (Type::Flag, _) => wrong("`true` or `false`"),
            (Type::Number { min, max }, Setting::Number(number))
                if (*min..=*max).contains(&number) =>
            {
                Ok(Setting::Number(number))
            }
            (Type::Number { min, max }, _) => wrong(&format!("a whole number from {min} to {max}")),
            (Type::Fraction, Setting::Fraction(number)) if (0.0..=1.0).contains(&number) => {
                Ok(Setting::Fraction(number))
            }
            (Type::Fraction, Setting::Number(number @ (0 | 1))) => {
                Ok(Setting::Fraction(number as f64))
            }
            (Type::Fraction, _) => wrong("a number from 0 to 1"),
            (Type::Text { chars_max }, Setting::Text(text))
                if text.chars().count() <= *chars_max =>
            {
                Ok(Setting::Text(normalise_line(&text)))
            }
            (Type::Text { chars_max }, _) => {
                wrong(&format!("at most {chars_max} characters of text"))
            }
            (Type::Choice(words), Setting::Text(text)) if words.contains(&text.as_str()) => {
                Ok(Setting::Text(text))
            }
            (Type::Choice(words), _) => wrong(&format!("`{}`", words.join("` or `"))),
            (Type::Folder, Setting::Text(text)) if is_folder(&text) => Ok(Setting::Text(text)),
            (Type::Folder, _) => wrong("a plain folder name that no other kind has"),
            (Type::List, Setting::List(items)) => Ok(Setting::List(items)),
            (Type::List, _) => wrong("a list of texts"),
        }
    }

    /// A value as somebody typed it.
    pub(crate) fn parse(&self, text: &str) -> Result<Setting, Problem> {
        let setting = match self.kind {
            Type::Flag => match text {
                "true" | "1" | "yes" | "on" => Setting::Flag(true),
                "false" | "0" | "no" | "off" => Setting::Flag(false),
                other => Setting::Text(other.to_owned()),
            },
            Type::Number { .. } => match text.trim().parse() {
                Ok(number) => Setting::Number(number),
                Err(_) => Setting::Text(text.to_owned()),
            },
            Type::Fraction => match text.trim().parse() {
                Ok(number) => Setting::Fraction(number),
                Err(_) => Setting::Text(text.to_owned()),
            },
            Type::List => {
                Setting::List(text.split(',').map(|item| item.trim().to_owned()).collect())
            }
            _ => Setting::Text(text.to_owned()),
        };
        self.check(setting)
    }

    pub(crate) fn expected(&self) -> String {
        match &self.kind {
            Type::Flag => "true or false".to_owned(),
            Type::Number { min, max } => format!("{min} to {max}"),
            Type::Fraction => "0 to 1".to_owned(),
            Type::Text { chars_max } => format!("text, at most {chars_max} characters"),
            Type::Choice(words) => words.join(" or "),
            Type::Folder => "a folder name".to_owned(),
            Type::List => "a list of texts".to_owned(),
        }
    }

    /// `OLDHAND_GC_GRACE_PERIOD_DAYS` for `gc.grace_period_days`.
    pub(crate) fn variable(&self) -> String {
        format!("OLDHAND_{}", self.name.to_uppercase().replace(['.', '-'], "_"))
    }
}

fn is_folder(text: &str) -> bool {
    const TAKEN: &[&str] = &["events", "local", "candidates", "pending"];
    is_relative_path(text)
        && !text.starts_with('.')
        && !TAKEN.contains(&text)
        && Kinds::default().of_folder(text).is_none()
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_')
}

/// The error for a key that does not exist.
pub(crate) fn unknown(name: &str, keys: &[Key]) -> Problem {
    let problem = Problem::new(name, "a setting that there is", name);
    // What other tools of this kind call the same thing.
    let renamed = match name {
        "delete.grace_period_days" => Some("gc.grace_period_days"),
        "delete.archive_retired" => Some("gc.archive_retired"),
        "max_memories_per_category" => Some("limits.max_memories_per_kind"),
        "retrieval.max_inject" => Some("recall.max_inject"),
        "retrieval.enabled" => Some("recall.mode"),
        "triage.enabled" => Some("capture.mode"),
        "triage.parallel.enabled" => Some("capture.parallel"),
        "triage.parallel.default_model" => Some("capture.default_model"),
        _ => None,
    };
    match renamed.or_else(|| nearest(name, keys.iter().map(|key| key.name.as_str()))) {
        Some(near) => problem.with_fix(format!("did you mean `{near}`?")),
        None => problem.with_fix("`oldhand config list` shows every key"),
    }
}
