//! From the files, the environment and the flags to the rules in force.

use std::collections::BTreeMap;

use oldhand_core::content::schema::FieldSpec;
use oldhand_core::kind::{Kind, KindSpec, Kinds};
use oldhand_core::policy::{CaptureMode, CapturePolicy, HookPolicy, InjectMode};
use oldhand_core::problem::Problem;
use oldhand_core::reviewer::Role;
use oldhand_core::trust::StoreTrust;
use oldhand_engine::settings::{Settings, Views};
use oldhand_local::index::CheckPolicy;

use super::Setting;
use super::file::ConfigFile;
use super::keys::{FORMAT, Key, keys, unknown};
use super::reach::{Reach, switches_on};

/// Where a value comes from, weakest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Default,
    User,
    Store,
    Variable(String),
    Flag,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::User => f.write_str("user config"),
            Self::Store => f.write_str("store config"),
            Self::Variable(name) => write!(f, "{name}"),
            Self::Flag => f.write_str("--config"),
        }
    }
}

pub(crate) struct Resolved {
    pub settings: Settings,
    pub keys: Vec<Key>,
    values: BTreeMap<String, (Setting, Source)>,
    pub trust: StoreTrust,
    /// What the store's file says and does not decide.
    pub ignored: Vec<(String, Ignored)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ignored {
    /// The user has not accepted the store.
    NotAccepted,
    /// Nobody but its user says it.
    Persons,
}

impl Ignored {
    pub(crate) fn sentence(self, key: &str) -> String {
        match self {
            Self::NotAccepted => {
                format!(
                    "`{key}` of the store is not used: you have not accepted it (`oldhand trust`)"
                )
            }
            Self::Persons => format!(
                "`{key}` of the store is not used: only you say it, with `oldhand config set --user`"
            ),
        }
    }
}

impl Resolved {
    pub(crate) fn get(&self, key: &Key) -> (Setting, Source) {
        self.values.get(&key.name).cloned().unwrap_or((key.default.clone(), Source::Default))
    }

    fn value(&self, name: &str) -> Setting {
        let default = || {
            self.keys
                .iter()
                .find(|key| key.name == name)
                .map(|key| key.default.clone())
                .unwrap_or(Setting::Flag(false))
        };
        self.values.get(name).map_or_else(default, |(value, _)| value.clone())
    }

    fn flag(&self, name: &str) -> bool {
        matches!(self.value(name), Setting::Flag(true))
    }

    fn number(&self, name: &str) -> i64 {
        match self.value(name) {
            Setting::Number(number) => number,
            _ => 0,
        }
    }

    fn fraction(&self, name: &str) -> f64 {
        match self.value(name) {
            Setting::Fraction(number) => number,
            _ => 0.0,
        }
    }

    fn text(&self, name: &str) -> String {
        match self.value(name) {
            Setting::Text(text) => text,
            _ => String::new(),
        }
    }

    pub(crate) fn user_name(&self) -> String {
        self.text("user.name")
    }

    /// Which model gives meaning.
    pub(crate) fn model(&self) -> String {
        self.text("recall.model")
    }

    pub(crate) fn check_policy(&self) -> CheckPolicy {
        CheckPolicy {
            hours: self.number("index.check_hours"),
            entries: usize::try_from(self.number("index.check_entries")).unwrap_or(usize::MAX),
            window: CheckPolicy::WINDOW,
        }
    }

    pub(crate) fn lock_wait(&self) -> std::time::Duration {
        std::time::Duration::from_secs(self.number("lock.wait_seconds").unsigned_abs())
    }
}

/// What can say something, weakest first.
pub(crate) struct Inputs<'a> {
    pub user: Option<&'a ConfigFile>,
    pub store: Option<&'a ConfigFile>,
    /// Whether the user stands for the store.
    pub trust: StoreTrust,
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    pub flags: &'a [String],
}

/// Everything wrong is named at once.
pub(crate) fn resolve(inputs: &Inputs<'_>) -> Result<Resolved, Vec<Problem>> {
    let mut kinds = Kinds::default();
    let files: Vec<(&ConfigFile, Source)> =
        [(inputs.user, Source::User), (inputs.store, Source::Store)]
            .into_iter()
            .filter_map(|(file, source)| Some((file?, source)))
            .collect();
    for (file, _) in &files {
        declare_custom(file, &mut kinds);
    }
    let keys = keys(&kinds);
    let (mut problems, mut ignored) = (Vec::new(), Vec::new());
    let mut values = BTreeMap::new();
    for (file, source) in &files {
        for (name, value) in file.entries() {
            let checked = match keys.iter().find(|key| key.name == name) {
                Some(_) if name == "format" => check_format(&value),
                Some(key) => key.check(value),
                None => Err(unknown(&name, &keys)),
            };
            match checked {
                Ok(value) => match refused(&name, &value, (source, inputs), (&values, &keys)) {
                    Some(why) => ignored.push((name, why)),
                    None => drop(values.insert(name, (value, source.clone()))),
                },
                Err(mut problem) => {
                    if problem.fix.is_empty() {
                        problem.fix = format!("mend it in `{}`", file.path.display());
                    }
                    problem.field = format!("{} in {}", problem.field, file.path.display());
                    problems.push(problem);
                }
            }
        }
    }
    read_variables(inputs, &keys, &mut values, &mut problems);
    read_flags(inputs.flags, &keys, &mut values, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut resolved = Resolved {
        settings: Settings::default(),
        trust: inputs.trust.clone(),
        keys,
        values,
        ignored,
    };
    resolved.settings = settings_of(&resolved, kinds);
    let clashes = folder_clashes(&resolved.settings.kinds);
    if clashes.is_empty() { Ok(resolved) } else { Err(clashes) }
}

/// Why a value of a store's file does not count.
fn refused(
    name: &str,
    value: &Setting,
    (source, inputs): (&Source, &Inputs<'_>),
    (values, keys): (&BTreeMap<String, (Setting, Source)>, &[Key]),
) -> Option<Ignored> {
    if *source != Source::Store {
        return None;
    }
    let default = || keys.iter().find(|key| key.name == name).map(|key| &key.default);
    let users = values.get(name).map(|(value, _)| value).or_else(default);
    match Reach::of(name) {
        Reach::Person => Some(Ignored::Persons),
        Reach::Team if !inputs.trust.is_trusted() => Some(Ignored::NotAccepted),
        _ if users.is_some_and(|users| switches_on(name, users, value)) => Some(Ignored::Persons),
        _ => None,
    }
}

fn check_format(value: &Setting) -> Result<Setting, Problem> {
    match value {
        Setting::Number(number) if (1..=FORMAT).contains(number) => Ok(value.clone()),
        Setting::Number(number) if *number > FORMAT => {
            let expected = format!("a store of format {FORMAT} or older");
            Err(Problem::new("format", &expected, &number.to_string())
                .with_fix("this store was written by a newer version: update oldhand"))
        }
        other => Err(Problem::new("format", "1", &other.to_string())),
    }
}

fn read_variables(
    inputs: &Inputs<'_>,
    keys: &[Key],
    values: &mut BTreeMap<String, (Setting, Source)>,
    problems: &mut Vec<Problem>,
) {
    for key in keys {
        let name = key.variable();
        let Some(text) = (inputs.variable)(&name) else { continue };
        match key.parse(&text) {
            Ok(value) => drop(values.insert(key.name.clone(), (value, Source::Variable(name)))),
            Err(mut problem) => {
                problem.field = name;
                problems.push(problem);
            }
        }
    }
}

fn read_flags(
    flags: &[String],
    keys: &[Key],
    values: &mut BTreeMap<String, (Setting, Source)>,
    problems: &mut Vec<Problem>,
) {
    for flag in flags {
        let Some((name, text)) = flag.split_once('=') else {
            problems.push(Problem::new("--config", "`key=value`", flag));
            continue;
        };
        let checked = match keys.iter().find(|key| key.name == name.trim()) {
            Some(key) => key.parse(text),
            None => Err(unknown(name, keys)),
        };
        match checked {
            Ok(value) => drop(values.insert(name.trim().to_owned(), (value, Source::Flag))),
            Err(problem) => problems.push(problem),
        }
    }
}

/// A table `[kinds.<name>]` of an unknown name declares that kind.
fn declare_custom(file: &ConfigFile, kinds: &mut Kinds) {
    for name in file.tables_below("kinds") {
        let is_name =
            name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        let kind = Kind::Custom(name.clone());
        if is_name && Kind::named(&name) == kind && !kinds.is_declared(&kind) {
            kinds.declare(KindSpec::custom(&name, &name.replace('_', "-")));
        }
    }
    for (name, value) in file.entries() {
        let Some((kind, "sections")) =
            name.strip_prefix("kinds.").and_then(|rest| rest.split_once('.'))
        else {
            continue;
        };
        if let (Some(spec), Setting::List(headings)) =
            (kinds.get_mut(&Kind::Custom(kind.to_owned())), value)
            && !headings.is_empty()
        {
            spec.fields =
                headings.iter().map(|heading| FieldSpec::custom_section(heading)).collect();
        }
    }
}

/// Two kinds in one folder could not be told apart.
fn folder_clashes(kinds: &Kinds) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seen: BTreeMap<&str, &Kind> = BTreeMap::new();
    for spec in kinds.iter() {
        if let Some(other) = seen.insert(&spec.folder, &spec.kind) {
            let found = format!("{}, which is the folder of `{other}`", spec.folder);
            problems.push(
                Problem::new(&format!("kinds.{}.folder", spec.kind), "a folder of its own", &found)
                    .with_fix("set `folder` to another name"),
            );
        }
    }
    problems
}

fn settings_of(resolved: &Resolved, mut kinds: Kinds) -> Settings {
    let built_in = Kinds::default();
    let names: Vec<Kind> = kinds.iter().map(|spec| spec.kind.clone()).collect();
    for kind in names {
        let name = |key: &str| format!("kinds.{kind}.{key}");
        let is_custom = matches!(kind, Kind::Custom(_));
        let (folder, durable) = (resolved.text(&name("folder")), resolved.flag(&name("durable")));
        let Some(spec) = kinds.get_mut(&kind) else { continue };
        spec.description = resolved.text(&name("description"));
        // No text of a repository is told as ours.
        spec.told = match resolved.values.get(&name("description")) {
            Some((_, Source::Store)) => built_in.spec(&kind).told.clone(),
            _ => spec.description.clone(),
        };
        spec.enabled = resolved.flag(&name("enabled"));
        spec.auto_capture = resolved.flag(&name("auto_capture"));
        spec.retention_days = resolved.number(&name("retention_days"));
        spec.max_retained = usize::try_from(resolved.number(&name("max_retained"))).unwrap_or(0);
        if is_custom {
            spec.folder = folder;
            spec.durable = durable;
        }
    }
    let mut settings = Settings { kinds, ..Settings::default() };
    settings.write.resurrection_hours = resolved.number("write.resurrection_hours");
    settings.write.memories_per_kind_max =
        usize::try_from(resolved.number("limits.max_memories_per_kind")).unwrap_or(0);
    settings.write.decisions_example_only = resolved.text("decisions.policy") == "example_only";
    settings.gc.grace_period_days = resolved.number("gc.grace_period_days");
    settings.gc.archive_retired = resolved.flag("gc.archive_retired");
    let count = |name: &str| usize::try_from(resolved.number(name)).unwrap_or(0);
    settings.recall.budget_tokens = count("recall.budget_tokens");
    settings.recall.index_tokens = count("recall.index_tokens");
    settings.recall.items_max = count("recall.max_memories");
    settings.recall.half_life_days = resolved.number("trimming.relevance_half_life_days") as f64;
    settings.review.lightweight = resolved.text("review.mode") == "lightweight";
    settings.review.reminder_days = resolved.number("review.reminder_days");
    settings.review.urgent_days = resolved.number("review.urgent_days");
    settings.sweep.purge_days = resolved.number("sweep.purge_days");
    settings.sweep.purge_tasks = count("sweep.purge_tasks");
    settings.health.decisions_max = count("health.max_decisions");
    settings.health.sessions_max = count("health.max_sessions");
    let rows: Vec<&str> = settings.reviewers.iter().map(|(of, _)| of).collect();
    for of in rows {
        // Both come from the same table: a row that is there takes any role.
        if let Ok(role) = Role::parse(&resolved.text(&format!("reviewers.{of}"))) {
            let _ = settings.reviewers.set(of, role);
        }
    }
    settings.hooks = hook_policy(resolved);
    settings.capture = capture_policy(resolved);
    settings.views = Views {
        decisions: resolved.flag("views.decisions"),
        archive: resolved.flag("views.archive"),
        architecture: resolved.flag("views.architecture"),
    };
    settings
}

fn hook_policy(resolved: &Resolved) -> HookPolicy {
    let count = |name: &str| usize::try_from(resolved.number(name)).unwrap_or(0);
    HookPolicy {
        enabled: resolved.flag("hooks.enabled"),
        mode: match resolved.text("recall.mode").as_str() {
            "pointers" => InjectMode::Pointers,
            "explicit" => InjectMode::Explicit,
            _ => InjectMode::Inject,
        },
        deadline_ms: resolved.number("hooks.deadline_ms"),
        inject_max: count("recall.max_inject"),
        inject_tokens: count("recall.inject_tokens"),
        log_days: resolved.number("log.keep_days"),
        compact_after: count("hooks.compact_after"),
    }
}

fn capture_policy(resolved: &Resolved) -> CapturePolicy {
    let kinds = || CapturePolicy::THRESHOLDS.iter().map(|(kind, _)| kind.clone());
    CapturePolicy {
        mode: match resolved.text("capture.mode").as_str() {
            "agent" => CaptureMode::Agent,
            "off" => CaptureMode::Off,
            _ => CaptureMode::Extract,
        },
        thresholds: kinds()
            .map(|kind| (kind.clone(), resolved.fraction(&format!("capture.threshold.{kind}"))))
            .collect(),
        models: kinds()
            .map(|kind| (kind.clone(), resolved.text(&format!("capture.model.{kind}"))))
            .collect(),
        default_model: resolved.text("capture.default_model"),
        parallel: resolved.flag("capture.parallel"),
        per_stop_max: usize::try_from(resolved.number("capture.max_per_stop")).unwrap_or(0),
        uses: resolved.flag("capture.uses"),
    }
}
