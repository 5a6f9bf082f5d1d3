//! The fields of a memory as flags. The content flags come from the one table of kinds, so that a
//! new field is a new flag without a line here.

use std::collections::BTreeMap;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use oldhand_core::codec::json::content_of;
use oldhand_core::draft::Draft;
use oldhand_core::kind::schema::{FieldSpec, Shape};
use oldhand_core::kind::{Kind, KindSpec, Kinds};
use oldhand_core::yaml::Yaml;
use oldhand_text::problem::Problem;
use serde_json::{Map, Value, json};

/// Fields that every kind has.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Fields of every kind")]
pub(crate) struct FieldFlags {
    /// One line, at most 120 characters
    #[arg(long)]
    pub title: Option<String>,
    /// One more sentence
    #[arg(long)]
    pub description: Option<String>,
    /// Tags, separated by commas or repeated
    #[arg(long, visible_alias = "tag", value_delimiter = ',')]
    pub tags: Vec<String>,
    /// global, project, component:<path>, mission:<id>, task:<id> or agent:<type>
    #[arg(long)]
    pub scope: Option<String>,
    #[arg(long)]
    pub domain: Option<String>,
    #[arg(long)]
    pub level: Option<String>,
    /// A related file, relative to the repository; repeatable
    #[arg(long = "file", value_name = "PATH")]
    pub files: Vec<String>,
    /// A path that makes it stale when it changes; repeatable
    #[arg(long, value_name = "PATH")]
    pub depends_on: Vec<String>,
    /// 1 to 4; 2 is checked against git when it is read
    #[arg(long, value_name = "TIER")]
    pub refresh_tier: Option<u8>,
    /// Another name, such as DEC-12; repeatable
    #[arg(long = "alias")]
    pub aliases: Vec<String>,
    /// Evidence, such as task:42 or file:notes.md; repeatable
    #[arg(long)]
    pub evidence: Vec<String>,
    /// What it was learned from; repeatable
    #[arg(long = "source")]
    pub sources: Vec<String>,
    /// A related memory; at most 5
    #[arg(long, value_name = "ID")]
    pub related_to: Vec<String>,
    /// How sure you are, 0 to 1
    #[arg(long, allow_negative_numbers = true)]
    pub confidence: Option<f64>,
    /// feedback, project, reference or user
    #[arg(long)]
    pub audience: Option<String>,
    /// Never let it age
    #[arg(long)]
    pub evergreen: bool,
    /// Who says so: user, agent, capture, retrospective, external …
    #[arg(long)]
    pub origin: Option<String>,
    /// Any field of the kind, by name; repeat it for lists
    #[arg(long = "set", value_name = "FIELD=VALUE")]
    pub set: Vec<String>,
}

/// How a memory stands to decisions in force that it may exclude.
#[derive(Args, Default)]
pub(crate) struct StandingFlags {
    /// A decision in force that it holds beside; repeatable
    #[arg(long, value_name = "ID", requires = "because")]
    pub beside: Vec<String>,
    /// A decision in force that it adds to; repeatable
    #[arg(long, value_name = "ID", requires = "because")]
    pub refines: Vec<String>,
    /// Why it holds beside them or adds to them
    #[arg(long, value_name = "WHY")]
    pub because: Option<String>,
}

impl StandingFlags {
    pub(crate) fn put_into(&self, draft: &mut Draft) {
        for (key, ids) in [("beside", &self.beside), ("refines", &self.refines)] {
            if !ids.is_empty() {
                draft.set(key, Yaml::list(ids));
            }
        }
        if let Some(because) = &self.because {
            draft.set("because", Yaml::text(because.clone()));
        }
    }
}

impl FieldFlags {
    /// Puts all flags into the draft, the content and `--set` checked like any other record; the
    /// draft keeps what no flag gives.
    pub(crate) fn put_into(
        &self,
        draft: &mut Draft,
        content: &ContentFlags,
        kind: &Kind,
        kinds: &Kinds,
    ) -> Result<(), Problem> {
        self.put_common(draft);
        put_content(draft, content, self.set_values()?, &kinds.spec(kind))
    }

    fn put_common(&self, draft: &mut Draft) {
        let lines = [
            ("title", &self.title),
            ("description", &self.description),
            ("scope", &self.scope),
            ("domain", &self.domain),
            ("level", &self.level),
            ("audience", &self.audience),
        ];
        for (key, value) in lines {
            if let Some(value) = value {
                draft.set(key, Yaml::text(value.clone()));
            }
        }
        let lists = [
            ("tags", &self.tags),
            ("related_files", &self.files),
            ("aliases", &self.aliases),
            ("evidence", &self.evidence),
            ("sources", &self.sources),
            ("related_to", &self.related_to),
        ];
        for (key, values) in lists {
            if !values.is_empty() {
                draft.set(key, Yaml::list(values));
            }
        }
        if !self.depends_on.is_empty() {
            let paths = ("code_paths".to_owned(), Yaml::list(&self.depends_on));
            draft.set("depends_on", Yaml::Map(vec![paths]));
        }
        if let Some(tier) = self.refresh_tier {
            draft.set("refresh_tier", Yaml::literal(tier));
        }
        if let Some(confidence) = self.confidence {
            draft.set("confidence", Yaml::literal(confidence));
        }
        if self.evergreen {
            draft.set("evergreen", Yaml::literal(true));
        }
    }

    /// `--set name=value` for any field of the kind.
    fn set_values(&self) -> Result<Vec<(String, String)>, Problem> {
        self.set
            .iter()
            .map(|pair| match pair.split_once('=') {
                Some((name, value)) => Ok((name.trim().replace('-', "_"), value.to_owned())),
                None => Err(Problem::new("--set", "`field=value`", pair)),
            })
            .collect()
    }
}

/// Flags for the fields of all built-in kinds, by field name.
#[derive(Clone, Default)]
pub(crate) struct ContentFlags(BTreeMap<String, Vec<String>>);

/// Words that are a flag of every kind already: a constraint's kind is said with
/// `--set kind=policy`, a debt's description with the common flag.
const NO_FLAG: &[&str] = &["kind", "description"];

fn all_fields() -> BTreeMap<String, (FieldSpec, Vec<String>)> {
    let mut all: BTreeMap<String, (FieldSpec, Vec<String>)> = BTreeMap::new();
    for spec in Kinds::default().iter() {
        for field in spec.fields.iter().filter(|field| !NO_FLAG.contains(&field.name.as_ref())) {
            let entry = all.entry(field.name.to_string());
            entry.or_insert_with(|| (field.clone(), Vec::new())).1.push(spec.kind.to_string());
        }
    }
    all
}

impl Args for ContentFlags {
    fn augment_args(command: Command) -> Command {
        all_fields().into_iter().fold(command, |command, (name, (field, kinds))| {
            let shape = match &field.shape {
                Shape::Choice(words) if kinds.len() == 1 => format!(": {}", words.join(", ")),
                Shape::List | Shape::Steps => "; repeatable".to_owned(),
                Shape::Alternatives => ", as \"option: why not\"; repeatable".to_owned(),
                Shape::Flag => ": true or false".to_owned(),
                _ => String::new(),
            };
            let arg = Arg::new(format!("content_{name}"))
                .long(name.replace('_', "-"))
                .value_name("TEXT")
                .action(ArgAction::Append)
                .help(format!("{}{shape}", kinds.join(", ")))
                .help_heading("Fields of a kind");
            command.arg(arg)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ContentFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut values = BTreeMap::new();
        for name in all_fields().into_keys() {
            if let Some(given) = matches.get_many::<String>(&format!("content_{name}")) {
                values.insert(name, given.cloned().collect());
            }
        }
        Ok(Self(values))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn put_content(
    draft: &mut Draft,
    flags: &ContentFlags,
    set: Vec<(String, String)>,
    spec: &KindSpec,
) -> Result<(), Problem> {
    let mut given = flags.0.clone();
    if spec.field("description").is_some()
        && let Some(text) = draft.get("description").and_then(Yaml::as_text).map(str::to_owned)
    {
        draft.front.retain(|(key, _)| key != "description");
        given.insert("description".to_owned(), vec![text]);
    }
    for (name, value) in set {
        if spec.field(&name).is_none() && oldhand_core::codec::fields::find(&name).is_some() {
            draft.set(&name, Yaml::text(value));
        } else {
            given.entry(name).or_default().push(value);
        }
    }
    let mut object = Map::new();
    for (name, values) in given {
        let value = match spec.field(&name).map(|field| &field.shape) {
            Some(Shape::List | Shape::Steps) => json!(values),
            Some(Shape::Alternatives) => values.iter().map(|value| alternative(value)).collect(),
            Some(Shape::Flag) => match values.last().map(String::as_str) {
                Some("true") => json!(true),
                Some("false") => json!(false),
                other => json!(other),
            },
            _ => json!(values.join("\n\n")),
        };
        object.insert(name, value);
    }
    for (name, value) in content_of(&Value::Object(object), spec)? {
        draft.set_content(&name, value);
    }
    Ok(())
}

fn alternative(text: &str) -> Value {
    match text.split_once(": ") {
        Some((option, reason)) => json!({"option": option, "rejected_reason": reason}),
        None => json!({"option": text}),
    }
}
