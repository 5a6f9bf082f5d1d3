//! Which fields each kind has, where the file keeps them, and what they may hold. One table; the
//! codec, the flags, the checks and the documentation all read it.

use std::borrow::Cow;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    Text,
    List,
    /// A list whose order matters; numbered in the file.
    Steps,
    Choice(&'static [&'static str]),
    Flag,
    /// A date or an instant.
    Date,
    Alternatives,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Frontmatter,
    /// A level-2 heading; files by others may use one of the further headings.
    Section {
        heading: Cow<'static, str>,
        also: &'static [&'static str],
    },
    /// The whole body.
    Body,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSpec {
    pub name: Cow<'static, str>,
    pub shape: Shape,
    pub place: Place,
    /// A new memory without it is refused.
    pub required: bool,
    /// Filled in when a new memory does not say.
    pub default: Option<&'static str>,
    /// The JSON object inside `content` that holds it.
    pub group: Option<&'static str>,
}

impl FieldSpec {
    /// Further sections of a custom kind.
    pub fn custom_section(heading: &str) -> Self {
        Self {
            name: Cow::Owned(oldhand_text::strings::slug(heading).replace('-', "_")),
            place: Place::Section { heading: Cow::Owned(heading.to_owned()), also: &[] },
            ..field("", Shape::Text, Place::Body)
        }
    }
}

type Word = &'static str;

const fn field(name: Word, shape: Shape, place: Place) -> FieldSpec {
    let name = Cow::Borrowed(name);
    FieldSpec { name, shape, place, required: false, default: None, group: None }
}

const fn section(name: Word, shape: Shape, heading: Word) -> FieldSpec {
    section_also(name, shape, heading, &[])
}

const fn section_also(name: Word, shape: Shape, heading: Word, also: &'static [Word]) -> FieldSpec {
    field(name, shape, Place::Section { heading: Cow::Borrowed(heading), also })
}

const fn choice(name: Word, words: &'static [Word], default: Word) -> FieldSpec {
    let mut spec = field(name, Shape::Choice(words), Place::Frontmatter);
    spec.default = Some(default);
    spec
}

const fn required(mut spec: FieldSpec) -> FieldSpec {
    spec.required = true;
    spec
}

const fn grouped(mut spec: FieldSpec, group: Word) -> FieldSpec {
    spec.group = Some(group);
    spec
}

pub const DECISION_STATUS: &[&str] = &["proposed", "accepted", "deprecated", "superseded"];
pub const DEBT_STATUS: &[&str] = &["open", "in_progress", "resolved", "wont_fix"];
/// The types of a lesson (R179).
pub const LESSON_TYPES: &[&str] = &[
    "project_rule",
    "agent_rule",
    "decision_precedent",
    "failure_lesson",
    "security_pattern",
    "performance_tip",
    "test_strategy",
    "integration_pattern",
    "ux_pattern",
    "architecture_precedent",
    "process_improvement",
    "risk_pattern",
];

pub(super) const DECISION: &[FieldSpec] = &[
    choice("status", DECISION_STATUS, "accepted"),
    section_also(
        "context",
        Shape::Text,
        "Context",
        &["Context and Problem Statement", "Problem", "Background", "Context / Problem"],
    ),
    required(section_also(
        "decision",
        Shape::Text,
        "Decision",
        &["Decision Outcome", "Outcome", "Proposal"],
    )),
    section_also(
        "alternatives",
        Shape::Alternatives,
        "Alternatives",
        &["Alternatives considered", "Considered Options", "Options considered", "Options"],
    ),
    section_also("rationale", Shape::List, "Rationale", &["Decision Drivers", "Justification"]),
    section_also("consequences", Shape::List, "Consequences", &["Positive Consequences"]),
    section_also("constraints", Shape::List, "Constraints introduced", &["Constraints"]),
];

pub(super) const CONSTRAINT: &[FieldSpec] = &[
    choice("kind", &["limitation", "gap", "policy", "technical"], "technical"),
    choice("severity", &["high", "medium", "low"], "medium"),
    field("active", Shape::Flag, Place::Frontmatter),
    field("expires", Shape::Date, Place::Frontmatter),
    required(section("rule", Shape::Text, "Rule")),
    section("impact", Shape::List, "Impact"),
    section("workarounds", Shape::List, "Workarounds"),
];

pub(super) const RUNBOOK: &[FieldSpec] = &[
    section("trigger", Shape::Text, "Trigger"),
    section("symptoms", Shape::List, "Symptoms"),
    required(section("steps", Shape::Steps, "Steps")),
    section("verification", Shape::Text, "Verification"),
    section("root_cause", Shape::Text, "Root cause"),
    section("environment", Shape::Text, "Environment"),
];

pub(super) const TECH_DEBT: &[FieldSpec] = &[
    choice("status", DEBT_STATUS, "open"),
    choice("priority", &["critical", "high", "medium", "low"], "medium"),
    required(section("description", Shape::Text, "Description")),
    section("reason_deferred", Shape::Text, "Reason deferred"),
    section("impact", Shape::List, "Impact"),
    section("suggested_fix", Shape::List, "Suggested fix"),
    section("acceptance_criteria", Shape::List, "Acceptance criteria"),
];

pub(super) const PREFERENCE: &[FieldSpec] = &[
    field("topic", Shape::Text, Place::Frontmatter),
    choice("strength", &["strong", "default", "soft"], "default"),
    required(section("value", Shape::Text, "Value")),
    section("reason", Shape::Text, "Reason"),
    grouped(section("prefer", Shape::List, "Prefer"), "examples"),
    grouped(section("avoid", Shape::List, "Avoid"), "examples"),
];

/// The template of every summary: of a compaction, a finished task, a handoff (R74, R172).
pub(super) const SESSION_SUMMARY: &[FieldSpec] = &[
    choice("outcome", &["success", "partial", "blocked", "abandoned"], "partial"),
    field("scale", Shape::Choice(&["small", "medium", "large"]), Place::Frontmatter),
    // Who hands over, and to whom.
    field("handoff_from", Shape::Text, Place::Frontmatter),
    field("handoff_to", Shape::Text, Place::Frontmatter),
    // What repeated trouble is recognised by, see `trigger`.
    field("failure_class", Shape::Text, Place::Frontmatter),
    field("concerns", Shape::List, Place::Frontmatter),
    field("recovery_class", Shape::Text, Place::Frontmatter),
    field("task_kind", Shape::Text, Place::Frontmatter),
    field("self_check", Shape::Text, Place::Frontmatter),
    required(section("goal", Shape::Text, "Goal")),
    section("focus", Shape::List, "Focus"),
    section("standing", Shape::List, "Where it stands"),
    section("completed", Shape::List, "Completed"),
    section("in_progress", Shape::List, "In progress"),
    section("blockers", Shape::List, "Blockers"),
    section("next_actions", Shape::List, "Next actions"),
    section("decisions", Shape::List, "Decisions"),
    section("key_changes", Shape::List, "Key changes"),
    section("files", Shape::List, "Files"),
    section("commands", Shape::List, "Commands"),
    section("tests", Shape::List, "Tests"),
    section("errors", Shape::List, "Errors"),
    section("exact_values", Shape::List, "Exact values"),
    section("pattern", Shape::Text, "Pattern learned"),
    section("resolved_questions", Shape::List, "Resolved questions"),
    section("open_questions", Shape::List, "Open questions"),
    section("left_out", Shape::List, "Left out"),
];

pub(super) const LESSON: &[FieldSpec] = &[
    choice("lesson_type", LESSON_TYPES, "project_rule"),
    required(section("summary", Shape::Text, "Summary")),
    section("guidance", Shape::Text, "Guidance"),
    section("applies_when", Shape::Text, "Applies when"),
    section("falsified_by", Shape::Text, "Falsified by"),
];

pub(super) const ARCHITECTURE: &[FieldSpec] = &[
    section("module_map", Shape::Text, "Module map"),
    section_also("interfaces", Shape::Text, "Interfaces", &["Key interfaces"]),
    section("data_flow", Shape::Text, "Data flow"),
    section("external_dependencies", Shape::Text, "External dependencies"),
    section_also("known_debt", Shape::Text, "Known debt", &["Known technical debt"]),
];

/// References, custom kinds without sections, and undeclared kinds.
pub const FREE_TEXT: &[FieldSpec] = &[required(field("text", Shape::Text, Place::Body))];

/// The field that a quick note of this kind fills.
pub fn main_field(fields: &[FieldSpec]) -> Option<&FieldSpec> {
    fields.iter().find(|field| field.required).or_else(|| fields.first())
}
