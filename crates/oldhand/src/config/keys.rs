//! The table of keys.

use oldhand_core::kind::{Kind, KindSpec, Kinds};
use oldhand_core::policy::{
    GcPolicy, HealthPolicy, RecallPolicy, ReviewPolicy, SweepPolicy, WritePolicy,
};
use oldhand_core::problem::Problem;
use oldhand_core::reviewer::{Reviewers, Role};
use oldhand_core::scope::is_relative_path;
use oldhand_core::text::{nearest, normalise_line};

use super::Setting;

mod capture;

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
    Choice(&'static [&'static str]),
    /// A plain folder name inside the store.
    Folder,
    List,
}

#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub name: String,
    pub kind: Type,
    pub default: Setting,
    pub meaning: String,
}

fn key(name: &str, kind: Type, default: Setting, meaning: &str) -> Key {
    Key { name: name.to_owned(), kind, default, meaning: meaning.to_owned() }
}

/// How memories are reviewed, what time does to them, and from where on the store needs attention.
fn life_keys() -> Vec<Key> {
    let (review, sweep) = (ReviewPolicy::default(), SweepPolicy::default());
    let health = HealthPolicy::default();
    let mut keys = vec![
        key(
            "review.mode",
            Type::Choice(&["lightweight", "people"]),
            Setting::Text("lightweight".to_owned()),
            "`lightweight` raises candidates with enough evidence by itself, `people` asks for each",
        ),
        number(
            "review.reminder_days",
            (1, 3650),
            review.reminder_days,
            "days after which a review that nobody held is named",
        ),
        number(
            "review.urgent_days",
            (1, 3650),
            review.urgent_days,
            "days after which it needs attention",
        ),
        number(
            "sweep.purge_days",
            (0, 3650),
            sweep.purge_days,
            "days between two purges of session notes that nobody used again; 0 is never",
        ),
        number(
            "sweep.purge_tasks",
            (0, 100_000),
            sweep.purge_tasks as i64,
            "ended tasks after which they are purged as well; 0 is never",
        ),
        number(
            "health.max_decisions",
            (1, 1_000_000),
            health.decisions_max as i64,
            "active decisions above which the archive should be looked through",
        ),
        number(
            "health.max_sessions",
            (1, 1_000_000),
            health.sessions_max as i64,
            "open session summaries above which the store needs attention",
        ),
    ];
    keys.extend(Reviewers::default().iter().map(|(of, role)| {
        key(
            &format!("reviewers.{of}"),
            Type::Choice(Role::WORDS),
            Setting::Text(role.to_string()),
            &format!("who reviews `{of}`"),
        )
    }));
    keys
}

fn flag(name: &str, default: bool, meaning: &str) -> Key {
    key(name, Type::Flag, Setting::Flag(default), meaning)
}

fn number(name: &str, (min, max): (i64, i64), default: i64, meaning: &str) -> Key {
    key(name, Type::Number { min, max }, Setting::Number(default), meaning)
}

/// Every key; those of the kinds for each kind that there is.
pub(crate) fn keys(kinds: &Kinds) -> Vec<Key> {
    let (gc, write) = (GcPolicy::default(), WritePolicy::default());
    let mut keys = vec![
        number("format", (1, FORMAT), FORMAT, "version of the store's layout"),
        key(
            "decisions.policy",
            Type::Choice(&["record", "example_only"]),
            Setting::Text("record".to_owned()),
            "`example_only` sends decisions to the session notes instead of the log",
        ),
        flag("gc.archive_retired", gc.archive_retired, "collecting archives instead of deleting"),
        number(
            "gc.grace_period_days",
            (0, 3650),
            gc.grace_period_days,
            "days a retired memory waits before it is collected",
        ),
        number(
            "index.check_hours",
            (1, 8760),
            24,
            "hours after which every file is compared with the index again",
        ),
        number(
            "index.check_entries",
            (1, 100_000),
            5,
            "new or changed files after which every file is compared with the index",
        ),
        number(
            "limits.max_memories_per_kind",
            (0, 1_000_000),
            write.memories_per_kind_max as i64,
            "active memories of one kind; 0 is no limit",
        ),
        number(
            "lock.wait_seconds",
            (1, 600),
            30,
            "how long a command waits for another one's write",
        ),
        key(
            "trust.folders",
            Type::List,
            Setting::List(Vec::new()),
            "folders whose stores you trust, with all below; in your own configuration alone",
        ),
        key(
            "trust.remotes",
            Type::List,
            Setting::List(Vec::new()),
            "remotes whose stores you trust, such as `github.com/acme`; in your own configuration alone",
        ),
        key(
            "user.name",
            Type::Text { chars_max: 100 },
            Setting::Text(String::new()),
            "who writes; your login name when empty",
        ),
        flag("views.architecture", false, "keep ARCHITECTURE.md at the repository's root"),
        flag("views.archive", false, "keep DECISIONS_ARCHIVE.md at the repository's root"),
        flag("views.decisions", false, "keep DECISIONS.md at the repository's root"),
        number(
            "write.resurrection_hours",
            (0, 8760),
            write.resurrection_hours,
            "hours in which a retired memory is not written again",
        ),
    ];
    keys.extend(recall_keys());
    keys.extend(life_keys());
    keys.extend(capture::keys());
    for spec in kinds.iter() {
        keys.extend(kind_keys(spec));
    }
    keys
}

fn recall_keys() -> Vec<Key> {
    let recall = RecallPolicy::default();
    vec![
        number(
            "recall.budget_tokens",
            (100, 1_000_000),
            recall.budget_tokens as i64,
            "tokens that the memories of one answer may cost",
        ),
        number(
            "recall.index_tokens",
            (100, 1_000_000),
            recall.index_tokens as i64,
            "tokens that the registry may cost",
        ),
        number(
            "recall.max_memories",
            (1, 1_000),
            recall.items_max as i64,
            "memories in one answer",
        ),
        key(
            "recall.model",
            Type::Choice(&["minilm", "static", "keywords"]),
            Setting::Text("minilm".to_owned()),
            "what finds memories by meaning: the sentence model, the small static one, or words alone",
        ),
        number(
            "trimming.relevance_half_life_days",
            (1, 36_500),
            recall.half_life_days as i64,
            "days after which a memory weighs half as new",
        ),
    ]
}

fn kind_keys(spec: &KindSpec) -> Vec<Key> {
    let name = |key: &str| format!("kinds.{}.{key}", spec.kind);
    let mut keys = vec![
        key(
            &name("description"),
            Type::Text { chars_max: 500 },
            Setting::Text(spec.description.clone()),
            "what is kept here, for the index and for agents",
        ),
        flag(&name("enabled"), spec.enabled, "whether memories of this kind are written"),
        flag(&name("auto_capture"), spec.auto_capture, "whether sessions are searched for them"),
        number(
            &name("retention_days"),
            (0, 36_500),
            spec.retention_days,
            "age at which an ephemeral one expires and a durable one is due for review; 0 never",
        ),
        number(
            &name("max_retained"),
            (0, 10_000),
            spec.max_retained as i64,
            "how many active ones a rolling window keeps; 0 is all",
        ),
    ];
    if matches!(spec.kind, Kind::Custom(_)) {
        keys.push(key(
            &name("folder"),
            Type::Folder,
            Setting::Text(spec.folder.clone()),
            "the folder inside the store",
        ));
        keys.push(flag(
            &name("durable"),
            spec.durable,
            "durable memories are never deleted by themselves",
        ));
        keys.push(key(
            &name("sections"),
            Type::List,
            Setting::List(Vec::new()),
            "level-2 headings that its memories have",
        ));
    }
    keys
}

impl Key {
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
