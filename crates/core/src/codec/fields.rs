//! Every frontmatter key of a memory, in the order of the file: how it is read and how it is
//! written. One table serves Markdown, JSON and the flags.

use jiff::Timestamp;

use crate::memory::{Change, DependsOn, Memory};
use crate::origin::{Audience, Origin};
use crate::scope::Scope;
use crate::state::State;
use crate::yaml::Yaml;
use oldhand_text::problem::Problem;
use oldhand_text::time::{format_instant, parse_instant};

pub struct FrontField {
    pub key: &'static str,
    /// `None` leaves the key out of the file: it is at its default.
    pub get: fn(&Memory) -> Option<Yaml>,
    pub set: fn(&mut Memory, &Yaml) -> Result<(), Problem>,
}

pub fn find(key: &str) -> Option<&'static FrontField> {
    FIELDS.iter().find(|field| field.key == key)
}

/// The keys that stand above the kind's own ones (`status`, `severity`, …).
pub const HEAD_KEYS: &[&str] = &["id", "type", "title", "description"];

macro_rules! texts {
    ($key:literal, $($place:ident).+) => {
        FrontField {
            key: $key,
            get: |m| (!m.$($place).+.is_empty()).then(|| Yaml::list(&m.$($place).+)),
            set: |m, value| {
                m.$($place).+ = read_texts($key, value)?;
                Ok(())
            },
        }
    };
}

macro_rules! optional_text {
    ($key:literal, $place:ident) => {
        FrontField {
            key: $key,
            get: |m| m.$place.as_ref().map(|text| Yaml::text(text.clone())),
            set: |m, value| {
                m.$place = read_optional($key, value)?;
                Ok(())
            },
        }
    };
}

macro_rules! instant {
    ($key:literal, $place:ident) => {
        FrontField {
            key: $key,
            get: |m| m.$place.map(|instant| Yaml::text(format_instant(instant))),
            set: |m, value| {
                m.$place = read_instant($key, value)?;
                Ok(())
            },
        }
    };
}

pub static FIELDS: &[FrontField] = &[
    FrontField {
        key: "title",
        get: |m| Some(Yaml::text(m.title.clone())),
        set: |m, value| {
            m.title = read_text("title", value)?;
            Ok(())
        },
    },
    optional_text!("description", description),
    FrontField {
        key: "state",
        get: |m| Some(Yaml::text(m.state.as_str())),
        set: |m, value| {
            m.state = State::parse(&read_text("state", value)?)?;
            Ok(())
        },
    },
    optional_text!("state_reason", state_reason),
    FrontField {
        key: "prev_state",
        get: |m| m.prev_state.map(|state| Yaml::text(state.as_str())),
        set: |m, value| {
            let text = read_optional("prev_state", value)?;
            m.prev_state = text.map(|text| State::parse(&text)).transpose()?;
            Ok(())
        },
    },
    FrontField {
        key: "scope",
        get: |m| Some(Yaml::text(m.scope.to_string())),
        set: |m, value| {
            m.scope = Scope::parse(&read_text("scope", value)?)?;
            Ok(())
        },
    },
    optional_text!("domain", domain),
    optional_text!("level", level),
    texts!("tags", tags),
    texts!("aliases", aliases),
    FrontField {
        key: "audience",
        get: |m| m.audience.map(|audience| Yaml::text(audience.as_str())),
        set: |m, value| {
            let text = read_optional("audience", value)?;
            m.audience = text.map(|text| Audience::parse(&text)).transpose()?;
            Ok(())
        },
    },
    FrontField {
        key: "origin",
        get: |m| Some(Yaml::text(m.origin.as_str())),
        set: |m, value| {
            m.origin = Origin::parse(&read_text("origin", value)?)?;
            Ok(())
        },
    },
    FrontField { key: "confidence", get: |m| m.confidence.map(Yaml::literal), set: set_confidence },
    FrontField {
        key: "evergreen",
        get: |m| m.evergreen.then(|| Yaml::literal(true)),
        set: |m, value| {
            let found = value.describe();
            m.evergreen = value
                .as_bool()
                .ok_or_else(|| Problem::new("evergreen", "`true` or `false`", &found))?;
            Ok(())
        },
    },
    instant!("created_at", created_at),
    instant!("updated_at", updated_at),
    FrontField {
        key: "times_updated",
        get: |m| (m.times_updated > 0).then(|| Yaml::literal(m.times_updated)),
        set: |m, value| {
            m.times_updated = read_number("times_updated", value, u64::from(u32::MAX))? as u32;
            Ok(())
        },
    },
    texts!("evidence", evidence),
    texts!("sources", sources),
    texts!("related_files", related_files),
    FrontField {
        key: "depends_on",
        get: |m| (!m.depends_on.is_empty()).then(|| write_depends_on(&m.depends_on)),
        set: |m, value| {
            m.depends_on = read_depends_on(value)?;
            Ok(())
        },
    },
    FrontField {
        key: "refresh_tier",
        get: |m| m.refresh_tier.map(Yaml::literal),
        set: |m, value| {
            let tier = if value.is_null() { None } else { Some(read_tier(value)?) };
            m.refresh_tier = tier;
            Ok(())
        },
    },
    texts!("related_to", related_to),
    texts!("supersedes", supersedes),
    optional_text!("superseded_by", superseded_by),
    texts!("conflicts_with", conflicts_with),
    instant!("review_after", review_after),
    instant!("verified_at", verified_at),
    optional_text!("verified_commit", verified_commit),
    instant!("retired_at", retired_at),
    optional_text!("retired_reason", retired_reason),
    instant!("archived_at", archived_at),
    optional_text!("archived_reason", archived_reason),
    FrontField {
        key: "schema_version",
        get: |m| {
            let is_current = m.schema_version == crate::memory::SCHEMA_VERSION;
            (!is_current).then(|| Yaml::text(m.schema_version.clone()))
        },
        set: |m, value| {
            m.schema_version = read_text("schema_version", value)?;
            Ok(())
        },
    },
    FrontField {
        key: "changes",
        get: |m| {
            (!m.changes.is_empty())
                .then(|| Yaml::List(m.changes.iter().map(write_change).collect()))
        },
        set: |m, value| {
            m.changes = read_changes(value)?;
            Ok(())
        },
    },
];

fn read_text(field: &str, value: &Yaml) -> Result<String, Problem> {
    value
        .as_text()
        .map(str::to_owned)
        .ok_or_else(|| Problem::new(field, "a line of text", &value.describe()))
}

fn read_optional(field: &str, value: &Yaml) -> Result<Option<String>, Problem> {
    if value.is_null() {
        return Ok(None);
    }
    let text = read_text(field, value)?;
    Ok(if text.is_empty() { None } else { Some(text) })
}

fn read_texts(field: &str, value: &Yaml) -> Result<Vec<String>, Problem> {
    value
        .as_texts()
        .ok_or_else(|| Problem::new(field, "a list of lines of text", &value.describe()))
}

fn read_instant(field: &str, value: &Yaml) -> Result<Option<Timestamp>, Problem> {
    let Some(text) = read_optional(field, value)? else { return Ok(None) };
    parse_instant(&text).map(Some).ok_or_else(|| {
        Problem::new(field, "a date or an instant such as `2026-11-15T18:20:00Z`", &text)
    })
}

fn read_number(field: &str, value: &Yaml, max: u64) -> Result<u64, Problem> {
    value
        .as_text()
        .and_then(|text| text.parse::<u64>().ok())
        .filter(|number| *number <= max)
        .ok_or_else(|| {
            Problem::new(field, &format!("a whole number from 0 to {max}"), &value.describe())
        })
}

fn read_tier(value: &Yaml) -> Result<u8, Problem> {
    read_number("refresh_tier", value, 4)
        .ok()
        .filter(|tier| (1..=4).contains(tier))
        .map(|tier| tier as u8)
        .ok_or_else(|| Problem::new("refresh_tier", "1, 2, 3 or 4", &value.describe()))
}

fn set_confidence(memory: &mut Memory, value: &Yaml) -> Result<(), Problem> {
    if value.is_null() {
        memory.confidence = None;
        return Ok(());
    }
    let number = value.as_text().and_then(|text| text.parse::<f64>().ok());
    memory.confidence =
        Some(number.filter(|number| number.is_finite()).ok_or_else(|| {
            Problem::new("confidence", "a number from 0 to 1", &value.describe())
        })?);
    Ok(())
}

fn write_depends_on(depends_on: &DependsOn) -> Yaml {
    let mut entries = Vec::new();
    if !depends_on.code_paths.is_empty() {
        entries.push(("code_paths".to_owned(), Yaml::list(&depends_on.code_paths)));
    }
    if !depends_on.decisions.is_empty() {
        entries.push(("decisions".to_owned(), Yaml::list(&depends_on.decisions)));
    }
    if !depends_on.seen.is_empty() {
        entries.push(("seen".to_owned(), Yaml::list(&depends_on.seen)));
    }
    Yaml::Map(entries)
}

fn read_depends_on(value: &Yaml) -> Result<DependsOn, Problem> {
    let list = |key: &str| match value.get(key) {
        Some(list) => read_texts(&format!("depends_on.{key}"), list),
        None => Ok(Vec::new()),
    };
    if !matches!(value, Yaml::Map(_)) && !value.is_null() {
        let expected = "`code_paths` and `decisions`, each a list";
        return Err(Problem::new("depends_on", expected, &value.describe()));
    }
    Ok(DependsOn {
        code_paths: list("code_paths")?,
        decisions: list("decisions")?,
        seen: list("seen")?,
    })
}

fn write_change(change: &Change) -> Yaml {
    let mut entries = vec![
        ("date".to_owned(), Yaml::text(change.date.clone())),
        ("summary".to_owned(), Yaml::text(change.summary.clone())),
    ];
    let optional = [
        ("field", &change.field),
        ("old_value", &change.old_value),
        ("new_value", &change.new_value),
    ];
    for (key, value) in optional {
        if let Some(value) = value {
            entries.push((key.to_owned(), Yaml::text(value.clone())));
        }
    }
    Yaml::Map(entries)
}

fn read_changes(value: &Yaml) -> Result<Vec<Change>, Problem> {
    let wrong = || Problem::new("changes", "a list of `date` and `summary`", &value.describe());
    let items = match value {
        Yaml::List(items) => items.as_slice(),
        other if other.is_null() => &[],
        _ => return Err(wrong()),
    };
    items
        .iter()
        .map(|item| {
            let text = |key: &str| item.get(key).and_then(|v| v.as_text()).map(str::to_owned);
            Ok(Change {
                date: text("date").unwrap_or_default(),
                summary: text("summary").ok_or_else(wrong)?,
                field: text("field"),
                old_value: text("old_value"),
                new_value: text("new_value"),
            })
        })
        .collect()
}
