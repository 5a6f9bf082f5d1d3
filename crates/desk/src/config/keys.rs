//! The table of keys: name, type with its range, the field that it sets, and its meaning. A key's
//! default is what its field holds before anything is set.

use oldhand_core::kind::{Kind, KindSpec, Kinds};
use oldhand_core::policy::{CaptureMode, CapturePolicy, InjectMode};
use oldhand_core::reviewer::{Reviewers, Role};
use oldhand_core::scope::is_relative_path;
use oldhand_text::problem::Problem;
use oldhand_text::strings::{nearest, normalise_line};

use super::Setting;
use super::slot::{Effective, OneOf, Slot, SlotOf};

#[cfg(test)]
mod tests;

/// The version of the store's layout that this program reads and writes.
pub const FORMAT: i64 = 1;

#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    Flag,
    Number {
        min: i64,
        max: i64,
    },
    Fraction,
    Text {
        chars_max: usize,
    },
    Choice(Vec<&'static str>),
    /// A plain folder name inside the store.
    Folder,
    List,
}

pub struct Key {
    pub name: String,
    pub kind: Type,
    pub default: Setting,
    pub meaning: String,
    slot_of: SlotOf,
}

type Row = (String, Type, SlotOf, String);

/// One line per key: `name: type, field, meaning;`.
macro_rules! rows {
    ($($name:literal: $make:ident($kind:expr), $($field:ident).+, $meaning:literal;)+) => {
        vec![$($make($name, $kind, |e| &mut e.$($field).+, $meaning)),+]
    };
}

fn store_keys() -> Vec<Row> {
    rows! {
        "format": plain(from(1, FORMAT)), program.format, "version of the store's layout";
        "decisions.policy": choice(&[("record", false), ("example_only", true)]),
            settings.write.decisions_example_only,
            "`example_only` sends decisions to the session notes instead of the log";
        "export.block_tokens": plain(from(200, 20_000)), settings.export.block_tokens,
            "tokens that the block in AGENTS.md and the like may use";
        "gc.archive_retired": plain(FLAG), settings.gc.archive_retired,
            "`gc` archives instead of deleting";
        "gc.grace_period_days": plain(from(0, 3650)), settings.gc.grace_period_days,
            "days before a retired memory is collected";
        "index.check_hours": plain(from(1, 8760)), program.check.hours,
            "hours after which every file is compared with the index again";
        "index.check_entries": plain(from(1, 100_000)), program.check.entries,
            "new or changed files after which every file is compared with the index";
        "limits.max_memories_per_kind": plain(from(0, 1_000_000)), settings.write.memories_per_kind_max,
            "active memories per kind; 0: no limit";
        "lock.wait_seconds": plain(from(1, 600)), program.lock_seconds,
            "seconds that a command waits for another one's write";
        "team.id": plain(text(64)), program.team_id,
            "by which a team server knows this repository; written by `oldhand-team sync push`";
        "team.server": plain(text(500)), program.team_server,
            "address of your team server; only in your configuration";
        "trust.folders": plain(LIST), program.trusted.folders,
            "folders whose stores you trust, with all below; only in your configuration";
        "trust.remotes": plain(LIST), program.trusted.remotes,
            "remotes whose stores you trust, such as `github.com/acme`; only in your configuration";
        "user.name": plain(text(100)), program.user_name, "who writes; default: git's `user.name`, or your login";
        "write.resurrection_hours": plain(from(0, 8760)), settings.write.resurrection_hours,
            "hours in which a retired memory is not written again";
        "recall.budget_tokens": plain(from(100, 1_000_000)), settings.recall.budget_tokens,
            "tokens that the memories of one answer may use";
        "recall.index_tokens": plain(from(100, 1_000_000)), settings.recall.index_tokens,
            "tokens that the registry may use";
        "recall.max_memories": plain(from(1, 1_000)), settings.recall.items_max, "memories per answer";
        "recall.model": choice(MODELS),
            program.model,
            "what finds memories: the sentence model and words, or words only; `static` is a former name of `minilm`";
        "trimming.relevance_half_life_days": plain(from(1, 36_500)), settings.recall.half_life_days,
            "days after which a memory counts half as recent";
        "review.mode": choice(&[("lightweight", true), ("people", false)]),
            settings.review.lightweight,
            "`lightweight` promotes candidates with enough evidence itself, `people` asks for each";
        "review.reminder_days": plain(from(1, 3650)), settings.review.reminder_days,
            "days after which an overdue review is mentioned";
        "review.urgent_days": plain(from(1, 3650)), settings.review.urgent_days,
            "days after which it needs attention";
        "sweep.purge_days": plain(from(0, 3650)), settings.sweep.purge_days,
            "days between two purges of unused session notes; 0: never";
        "sweep.purge_tasks": plain(from(0, 100_000)), settings.sweep.purge_tasks,
            "ended tasks after which they are purged as well; 0: never";
        "sweep.candidate_days": plain(from(0, 3650)), settings.sweep.candidate_days,
            "days after which a candidate that nobody confirmed is retired; 0: never";
        "health.max_decisions": plain(from(1, 1_000_000)), settings.health.decisions_max,
            "active decisions above which the archive needs a review";
        "health.max_sessions": plain(from(1, 1_000_000)), settings.health.sessions_max,
            "open session summaries above which the store needs attention";
    }
}

const CAPTURE_MODES: &[(&str, CaptureMode)] =
    &[("extract", CaptureMode::Extract), ("agent", CaptureMode::Agent), ("off", CaptureMode::Off)];

/// A project that asked for the model of single words, which is gone, gets the one that took its place.
const MODELS: &[(&str, &str)] =
    &[("minilm", "minilm"), ("keywords", "keywords"), ("static", "minilm")];

const INJECT_MODES: &[(&str, InjectMode)] = &[
    ("inject", InjectMode::Inject),
    ("pointers", InjectMode::Pointers),
    ("explicit", InjectMode::Explicit),
];

fn view_keys() -> Vec<Row> {
    rows! {
        "views.agents": plain(FLAG), settings.views.agents,
            "keep a block of memories in AGENTS.md";
        "views.architecture": plain(FLAG), settings.views.architecture,
            "keep ARCHITECTURE.md at the repository's root";
        "views.archive": plain(FLAG), settings.views.archive,
            "keep DECISIONS_ARCHIVE.md at the repository's root";
        "views.claude": plain(FLAG), settings.views.claude,
            "keep a block of memories in CLAUDE.md";
        "views.copilot": plain(FLAG), settings.views.copilot,
            "keep a block of memories in .github/copilot-instructions.md";
        "views.decisions": plain(FLAG), settings.views.decisions,
            "keep DECISIONS.md at the repository's root";
        "views.gemini": plain(FLAG), settings.views.gemini,
            "keep a block of memories in GEMINI.md";
        "views.index": plain(FLAG), settings.views.index,
            "commit `index.md`; without it each clone builds its own";
    }
}

fn hook_keys() -> Vec<Row> {
    rows! {
        "capture.default_model": plain(text(60)), settings.capture.default_model,
            "model of drafting agents, for kinds without their own";
        "capture.harvest": plain(FLAG), settings.capture.harvest,
            "keep plans, answers, issues, commits and summaries that a session left behind";
        "capture.max_nudges": plain(from(0, 100)), settings.capture.nudges_max,
            "reminders per session to keep what was settled";
        "capture.max_per_stop": plain(from(0, 50)), settings.capture.per_stop_max,
            "candidates per look at a session; the strongest first";
        "capture.mode": choice(CAPTURE_MODES), settings.capture.mode,
            "`extract` turns sentences into candidates, `agent` asks the running agent to draft";
        "capture.nudge": plain(FLAG), settings.capture.nudge,
            "remind the running agent to keep what was settled, at commits and the like";
        "capture.parallel": plain(FLAG), settings.capture.parallel,
            "drafting agents run at the same time";
        "capture.uses": plain(FLAG), settings.capture.uses,
            "record what a session was given as used when the session ends";
        "hooks.compact_after": plain(from(0, 1000)), settings.hooks.compact_after,
            "exchanges on one task after which hooks suggest a compaction; 0: never";
        "hooks.deadline_ms": plain(from(50, 30_000)), settings.hooks.deadline_ms,
            "milliseconds after which a hook gives up without an answer";
        "hooks.enabled": plain(FLAG), settings.hooks.enabled, "whether hooks do anything in this store";
        "log.keep_days": plain(from(1, 3650)), settings.hooks.log_days,
            "days that the log of hooks is kept";
        "recall.inject_tokens": plain(from(100, 100_000)), settings.hooks.inject_tokens,
            "tokens that a hook may add per prompt";
        "recall.max_inject": plain(from(0, 20)), settings.hooks.inject_max,
            "memories that a hook adds per prompt; 0: none";
        "recall.mode": choice(INJECT_MODES), settings.hooks.mode,
            "what hooks add: whole memories, only their ids, or nothing unless asked";
    }
}

fn reviewer_keys() -> Vec<Row> {
    let key = |(of, _)| {
        row(
            &format!("reviewers.{of}"),
            Type::Choice(Role::WORDS.to_vec()),
            move |e| Some(Box::new(e.settings.reviewers.role_mut(of)?)),
            "the role that reviews these memories",
        )
    };
    Reviewers::default().iter().map(key).collect()
}

fn capture_keys() -> Vec<Row> {
    let kinds = || CapturePolicy::THRESHOLDS.iter().map(|(kind, _)| kind);
    let thresholds = kinds().map(|kind| {
        row(
            &format!("capture.threshold.{kind}"),
            Type::Fraction,
            move |e| Some(Box::new(e.settings.capture.thresholds.get_mut(kind)?)),
            "the score from which these are captured",
        )
    });
    let models = kinds().map(|kind| {
        row(
            &format!("capture.model.{kind}"),
            text(60),
            move |e| Some(Box::new(e.settings.capture.models.get_mut(kind)?)),
            "the model of the agent that drafts these; default: `capture.default_model`",
        )
    });
    thresholds.chain(models).collect()
}

type KindField = for<'s> fn(&'s mut KindSpec) -> Box<dyn Slot + 's>;

macro_rules! kind_rows {
    ($($name:literal: $kind:expr, $field:ident, $meaning:literal;)+) => {
        [$(($name, $kind, |spec| Box::new(&mut spec.$field), $meaning)),+]
    };
}

/// The keys `kinds.<kind>.*`; the last three are for kinds that a configuration declares.
const KIND_KEYS: [(&str, Type, KindField, &str); 8] = kind_rows! {
    "description": text(500), description, "what is kept here, for the index and for agents";
    "enabled": FLAG, enabled, "whether memories of this kind are written";
    "auto_capture": FLAG, auto_capture, "whether sessions are searched for them";
    "retention_days": from(0, 36_500), retention_days,
        "age at which an ephemeral one expires and a durable one is due for review; 0: never";
    "max_retained": from(0, 10_000), max_retained,
        "how many active ones a rolling window keeps; 0: all";
    "folder": Type::Folder, folder, "the folder inside the store";
    "durable": FLAG, durable, "durable memories are never deleted automatically";
    "sections": LIST, fields, "level-2 headings that its memories have";
};

fn kind_keys(spec: &KindSpec) -> Vec<Row> {
    let count = if matches!(spec.kind, Kind::Custom(_)) { KIND_KEYS.len() } else { 5 };
    let key = |(name, kind, field, meaning): (&str, Type, KindField, &str)| {
        let (which, name) = (spec.kind.clone(), format!("kinds.{}.{name}", spec.kind));
        row(&name, kind, move |e| Some(field(e.settings.kinds.get_mut(&which)?)), meaning)
    };
    KIND_KEYS.into_iter().take(count).map(key).collect()
}

fn row<F>(name: &str, kind: Type, slot_of: F, meaning: &str) -> Row
where
    F: for<'e> Fn(&'e mut Effective) -> Option<Box<dyn Slot + 'e>> + Send + Sync + 'static,
{
    (name.to_owned(), kind, Box::new(slot_of), meaning.to_owned())
}

fn plain<T: Slot + 'static>(
    name: &str,
    kind: Type,
    field: fn(&mut Effective) -> &mut T,
    meaning: &str,
) -> Row {
    row(name, kind, move |e| Some(Box::new(field(e))), meaning)
}

const FLAG: Type = Type::Flag;
const LIST: Type = Type::List;

const fn text(chars_max: usize) -> Type {
    Type::Text { chars_max }
}

const fn from(min: i64, max: i64) -> Type {
    Type::Number { min, max }
}

fn choice<T: Copy + PartialEq + Send + Sync>(
    name: &str,
    words: &'static [(&'static str, T)],
    field: fn(&mut Effective) -> &mut T,
    meaning: &str,
) -> Row {
    let kind = Type::Choice(words.iter().map(|(word, _)| *word).collect());
    row(name, kind, move |e| Some(Box::new(OneOf { value: field(e), words })), meaning)
}

pub fn keys(kinds: &Kinds) -> Vec<Key> {
    let mut rows = store_keys();
    rows.extend(reviewer_keys());
    rows.extend(view_keys());
    rows.extend(hook_keys());
    rows.extend(capture_keys());
    rows.extend(kinds.iter().flat_map(kind_keys));
    let mut defaults = Effective::new(kinds.clone());
    let with_default = |(name, kind, slot_of, meaning): Row| {
        let default = slot_of(&mut defaults)?.get();
        Some(Key { name, kind, default, meaning, slot_of })
    };
    rows.into_iter().filter_map(with_default).collect()
}

impl Key {
    pub(super) fn put(&self, value: Setting, effective: &mut Effective) {
        if let Some(mut slot) = (self.slot_of)(effective) {
            slot.put(value);
        }
    }

    pub fn check(&self, value: Setting) -> Result<Setting, Problem> {
        let is_right = match (&self.kind, &value) {
            (Type::Flag, Setting::Flag(_)) | (Type::List, Setting::List(_)) => true,
            (Type::Number { min, max }, Setting::Number(number)) => (*min..=*max).contains(number),
            (Type::Fraction, Setting::Fraction(number)) => (0.0..=1.0).contains(number),
            (Type::Fraction, Setting::Number(number)) => (0..=1).contains(number),
            (Type::Text { chars_max }, Setting::Text(text)) => text.chars().count() <= *chars_max,
            (Type::Choice(words), Setting::Text(text)) => words.contains(&text.as_str()),
            (Type::Folder, Setting::Text(text)) => is_folder(text),
            _ => false,
        };
        if !is_right {
            return Err(Problem::new(&self.name, &self.expected(), &value.to_string()));
        }
        Ok(match (&self.kind, value) {
            (Type::Fraction, Setting::Number(number)) => Setting::Fraction(number as f64),
            (Type::Text { .. }, Setting::Text(text)) => Setting::Text(normalise_line(&text)),
            (_, value) => value,
        })
    }

    /// A value as somebody typed it.
    pub fn parse(&self, text: &str) -> Result<Setting, Problem> {
        let read = match (&self.kind, text.trim()) {
            (Type::Flag, "true" | "1" | "yes" | "on") => Some(Setting::Flag(true)),
            (Type::Flag, "false" | "0" | "no" | "off") => Some(Setting::Flag(false)),
            (Type::Number { .. }, text) => text.parse().ok().map(Setting::Number),
            (Type::Fraction, text) => text.parse().ok().map(Setting::Fraction),
            (Type::List, text) => {
                Some(Setting::List(text.split(',').map(|item| item.trim().to_owned()).collect()))
            }
            _ => None,
        };
        self.check(read.unwrap_or_else(|| Setting::Text(text.to_owned())))
    }

    pub fn expected(&self) -> String {
        match &self.kind {
            Type::Flag => "`true` or `false`".to_owned(),
            Type::Number { min, max } => format!("a whole number from {min} to {max}"),
            Type::Fraction => "a number from 0 to 1".to_owned(),
            Type::Text { chars_max } => format!("at most {chars_max} characters of text"),
            Type::Choice(words) => format!("`{}`", words.join("` or `")),
            Type::Folder => "a plain folder name that no other kind has".to_owned(),
            Type::List => "a list of texts".to_owned(),
        }
    }
}

/// `OLDHAND_GC_GRACE_PERIOD_DAYS` for `gc.grace_period_days`.
pub fn variable(name: &str) -> String {
    format!("OLDHAND_{}", name.to_uppercase().replace(['.', '-'], "_"))
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

pub fn unknown(name: &str, keys: &[Key]) -> Problem {
    let problem = Problem::new(name, "a known setting", name);
    // Names that similar tools use for the same setting.
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
