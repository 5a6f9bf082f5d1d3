//! What a memory is: the nine kinds, and the custom ones that a configuration declares.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use oldhand_text::problem::Problem;
use oldhand_text::word;

pub mod schema;

use schema::FieldSpec;

macro_rules! built_in_kinds {
    ($($(#[$meta:meta])* $kind:ident $name:literal $folder:literal $fields:ident: $purpose:literal;)+) => {
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub enum Kind {
            $($(#[$meta])* $kind,)+
            /// Declared in the configuration, or found in a file of another tool.
            Custom(String),
        }

        impl Kind {
            pub const BUILT_IN: [Self; 9] = [$(Self::$kind),+];

            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$kind => $name,)+
                    Self::Custom(name) => name,
                }
            }

            pub fn fields(&self) -> &'static [FieldSpec] {
                match self {
                    $(Self::$kind => schema::$fields,)+
                    Self::Custom(_) => schema::FREE_TEXT,
                }
            }
        }

        impl Default for Kinds {
            fn default() -> Self {
                let specs = [$(KindSpec::built_in(Kind::$kind, $folder, $purpose)),+];
                Self(specs.map(|spec| (spec.kind.clone(), spec)).into())
            }
        }
    };
}

// The kind, its name, its folder and its fields, and what is kept there.
built_in_kinds! {
    Decision "decision" "decisions" DECISION: "what was decided, why, and what was rejected";
    Constraint "constraint" "constraints" CONSTRAINT: "limits and rules that the work must respect";
    Preference "preference" "preferences" PREFERENCE: "how people here like things done";
    Runbook "runbook" "runbooks" RUNBOOK: "how a failure shows, and the steps that fix it";
    TechDebt "tech_debt" "tech-debt" TECH_DEBT: "what was put off, why, and how it would be paid";
    SessionSummary "session_summary" "sessions" SESSION_SUMMARY: "where the last sessions stopped";
    Lesson "lesson" "lessons" LESSON: "what experience taught, with its evidence";
    Architecture "architecture" "architecture" ARCHITECTURE:
        "modules, interfaces, data flow, dependencies";
    #[default]
    Reference "reference" "reference" FREE_TEXT: "project facts, operations, contacts, domains";
}

impl Kind {
    /// Any name is a kind when a file says so; only `Kinds::parse` checks that it is declared.
    pub fn named(name: &str) -> Self {
        let folded = name.trim().to_lowercase().replace(['-', ' '], "_");
        let folded = match folded.as_str() {
            "adr" | "madr" | "decision_record" => "decision",
            "session" | "summary" => "session_summary",
            "debt" => "tech_debt",
            other => other,
        };
        Self::BUILT_IN
            .into_iter()
            .find(|kind| kind.as_str() == folded)
            .unwrap_or_else(|| Self::Custom(name.trim().to_owned()))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Everything the program knows about one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct KindSpec {
    pub kind: Kind,
    pub folder: String,
    /// The sentence in the index that tells an agent what is kept here.
    pub description: String,
    /// The description for agents: never words of a repository's configuration.
    pub told: String,
    /// Ephemeral kinds may expire and be deleted; durable ones may not.
    pub durable: bool,
    pub enabled: bool,
    pub auto_capture: bool,
    /// 0 keeps for ever (R290).
    pub retention_days: i64,
    /// How many active ones are kept; 0 is no rolling window (R278).
    pub max_retained: usize,
    pub fields: Cow<'static, [FieldSpec]>,
}

impl KindSpec {
    fn built_in(kind: Kind, folder: &str, description: &str) -> Self {
        let session = kind == Kind::SessionSummary;
        Self {
            folder: folder.to_owned(),
            description: description.to_owned(),
            told: description.to_owned(),
            durable: !session,
            enabled: true,
            auto_capture: true,
            retention_days: if session { 90 } else { 0 },
            max_retained: if session { 5 } else { 0 },
            fields: Cow::Borrowed(kind.fields()),
            kind,
        }
    }

    /// A kind of the configuration: durable, with the sections that it names.
    pub fn custom(name: &str, folder: &str) -> Self {
        Self::built_in(Kind::Custom(name.to_owned()), folder, "")
    }

    pub fn field(&self, name: &str) -> Option<&FieldSpec> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// The kinds of one store: the built-in ones with their settings, and the custom ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Kinds(BTreeMap<Kind, KindSpec>);

impl Kinds {
    pub fn iter(&self) -> impl Iterator<Item = &KindSpec> {
        self.0.values()
    }

    /// An undeclared kind is treated as a custom one.
    pub fn spec(&self, kind: &Kind) -> Cow<'_, KindSpec> {
        match self.0.get(kind) {
            Some(spec) => Cow::Borrowed(spec),
            None => Cow::Owned(KindSpec::custom(kind.as_str(), "reference")),
        }
    }

    pub fn get_mut(&mut self, kind: &Kind) -> Option<&mut KindSpec> {
        self.0.get_mut(kind)
    }

    pub fn declare(&mut self, spec: KindSpec) {
        self.0.insert(spec.kind.clone(), spec);
    }

    pub fn is_declared(&self, kind: &Kind) -> bool {
        self.0.contains_key(kind)
    }

    pub fn of_folder(&self, folder: &str) -> Option<&KindSpec> {
        self.iter().find(|spec| spec.folder == folder)
    }

    /// A kind that may be written: declared, by its own name or a common one.
    pub fn parse(&self, text: &str) -> Result<Kind, Problem> {
        let kind = Kind::named(text);
        if self.is_declared(&kind) {
            return Ok(kind);
        }
        let names: Vec<&str> = self.iter().map(|spec| spec.kind.as_str()).collect();
        let problem = word::unknown("category", &names, text);
        if !problem.fix.is_empty() {
            return Err(problem);
        }
        Err(problem.with_fix("declare it under `[kinds.<name>]` in `config.toml`"))
    }
}
