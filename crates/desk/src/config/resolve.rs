//! From the files, the environment and the flags to the rules in force.

use std::collections::BTreeMap;

use oldhand_app::settings::Settings;
use oldhand_core::kind::{Kind, KindSpec, Kinds};
use oldhand_core::trust::StoreTrust;
use oldhand_text::problem::Problem;

use super::Setting;
use super::file::ConfigFile;
use super::keys::{FORMAT, Key, keys, unknown, variable};
use super::reach::{Reach, switches_on};
use super::slot::{Effective, Program};

/// Where a value comes from, weakest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
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

pub struct Resolved {
    pub settings: Settings,
    pub(crate) program: Program,
    pub keys: Vec<Key>,
    values: BTreeMap<String, (Setting, Source)>,
    pub trust: StoreTrust,
    /// Values of the store's file that are not used, and why.
    pub ignored: Vec<(String, Ignored)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ignored {
    NotAccepted,
    Persons,
}

impl Ignored {
    pub fn sentence(self, key: &str) -> String {
        let why = match self {
            Self::NotAccepted => "you have not accepted it (`oldhand trust`)",
            Self::Persons => "only you can set it, with `oldhand config set --user`",
        };
        format!("`{key}` of the store is not used: {why}")
    }
}

impl Resolved {
    pub fn get(&self, key: &Key) -> (Setting, Source) {
        self.values.get(&key.name).cloned().unwrap_or((key.default.clone(), Source::Default))
    }

    pub fn model(&self) -> &'static str {
        self.program.model
    }

    pub fn lock_wait(&self) -> std::time::Duration {
        std::time::Duration::from_secs(self.program.lock_seconds)
    }
}

pub struct Inputs<'a> {
    pub user: Option<&'a ConfigFile>,
    pub store: Option<&'a ConfigFile>,
    pub trust: StoreTrust,
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    pub flags: &'a [String],
}

/// Reports all problems at once.
pub fn resolve(inputs: &Inputs<'_>) -> Result<Resolved, Vec<Problem>> {
    let mut kinds = Kinds::default();
    let files = [(inputs.user, Source::User), (inputs.store, Source::Store)];
    let files: Vec<(&ConfigFile, Source)> =
        files.into_iter().filter_map(|(file, source)| Some((file?, source))).collect();
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
                // An unaccepted store: a wrong value is ignored and stops nothing.
                Err(_)
                    if *source == Source::Store
                        && !inputs.trust.is_trusted()
                        && name != "format" =>
                {
                    ignored.push((name, Ignored::NotAccepted));
                }
                Err(mut problem) => {
                    if problem.fix.is_empty() {
                        problem.fix = format!("fix it in `{}`", file.path.display());
                    }
                    problem.field = format!("{} in {}", problem.field, file.path.display());
                    problems.push(problem);
                }
            }
        }
    }
    for (name, typed, source) in typed_values(inputs, &keys) {
        match typed {
            Ok(value) => drop(values.insert(name, (value, source))),
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut effective = Effective::new(kinds);
    for key in &keys {
        if let Some((value, _)) = values.get(&key.name) {
            key.put(value.clone(), &mut effective);
        }
    }
    let Effective { mut settings, program } = effective;
    let clashes = folder_clashes(&settings.kinds);
    if !clashes.is_empty() {
        return Err(clashes);
    }
    tell_own_words(&mut settings.kinds, &values);
    let trust = inputs.trust.clone();
    settings.is_unaccepted = !trust.is_trusted();
    settings.agent = (inputs.variable)("OLDHAND_AGENT").filter(|agent| !agent.is_empty());
    Ok(Resolved { settings, program, keys, values, trust, ignored })
}

/// Agents read the description of a kind: a repository's text must not pass for ours.
fn tell_own_words(kinds: &mut Kinds, values: &BTreeMap<String, (Setting, Source)>) {
    let built_in = Kinds::default();
    let names: Vec<Kind> = kinds.iter().map(|spec| spec.kind.clone()).collect();
    for kind in names {
        let said = values.get(&format!("kinds.{kind}.description"));
        let Some(spec) = kinds.get_mut(&kind) else { continue };
        spec.told = match said {
            Some((_, Source::Store)) => built_in.spec(&kind).told.clone(),
            _ => spec.description.clone(),
        };
    }
}

/// Why a value of a store's file is not used.
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

/// What the environment and then the flags set.
fn typed_values(
    inputs: &Inputs<'_>,
    keys: &[Key],
) -> Vec<(String, Result<Setting, Problem>, Source)> {
    let of_variable = |key: &Key| {
        let variable = variable(&key.name);
        let value = key.parse(&(inputs.variable)(&variable)?);
        let value = value.map_err(|problem| Problem { field: variable.clone(), ..problem });
        Some((key.name.clone(), value, Source::Variable(variable)))
    };
    let of_flag = |flag: &String| {
        let Some((name, text)) = flag.split_once('=') else {
            let problem = Problem::new("--config", "`key=value`", flag);
            return (String::new(), Err(problem), Source::Flag);
        };
        let key = keys.iter().find(|key| key.name == name.trim());
        let value = key.map_or_else(|| Err(unknown(name, keys)), |key| key.parse(text));
        (name.trim().to_owned(), value, Source::Flag)
    };
    keys.iter().filter_map(of_variable).chain(inputs.flags.iter().map(of_flag)).collect()
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
}

/// Two kinds in one folder could not be distinguished.
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
