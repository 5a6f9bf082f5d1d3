//! The rules of every write. They return values; nothing is written here.

use jiff::Timestamp;

use crate::codec::fields::FIELDS;
use crate::content::FieldValue;
use crate::draft::Draft;
use crate::kind::Kinds;
use crate::memory::Memory;
use crate::origin::Origin;
use crate::policy::WritePolicy;
use crate::refusal::{Code, Refusal};
use crate::yaml::Yaml;
use oldhand_text::secrets::{self, SecretFinding};

mod added;
mod check;
mod create;
mod rekind;
mod update;
mod wrote;

pub use added::{added, fills, only_fills, wording};
pub use check::{check, missing, normalise};
pub use create::{Created, create, refuse_resurrection};
pub use rekind::rekind;
pub use update::{record_move, update};
pub use wrote::wrote;

#[derive(Clone, Copy)]
pub struct Writer<'a> {
    pub kinds: &'a Kinds,
    pub policy: &'a WritePolicy,
    pub origin: Origin,
    pub now: Timestamp,
}

/// Refuses a draft that carries a secret, by rule and place, never by value.
pub fn refuse_secrets(draft: &Draft) -> Result<(), Refusal> {
    refuse_secret("id", draft.id.as_deref().unwrap_or_default())?;
    // The message names the key, so the key is scanned first.
    for (key, _) in &draft.extra {
        refuse_secret("key", key)?;
    }
    for (key, value) in draft.front.iter().chain(&draft.extra) {
        refuse_secret(key, &flat_text(key, value))?;
    }
    for (name, value) in &draft.content {
        refuse_named_secret(&format!("content.{name}"), name, &content_text(value))?;
    }
    for (heading, text) in &draft.sections {
        refuse_secret("heading", heading)?;
        refuse_named_secret(&format!("section `{heading}`"), heading, text)?;
    }
    Ok(())
}

/// The same for a memory as it will be stored, with defaults, but for what was looked at or may stay.
pub fn refuse_stored_secrets(new: &Memory, but: &Draft) -> Result<(), Refusal> {
    let mut said = Draft::of_memory(new);
    said.id = said.id.filter(|id| but.id.as_ref() != Some(id));
    said.front.retain(|entry| !but.front.contains(entry));
    said.content.retain(|entry| !but.content.contains(entry));
    said.extra.retain(|entry| !but.extra.contains(entry));
    said.sections.retain(|entry| !but.sections.contains(entry));
    refuse_secrets(&said)
}

pub fn refuse_secret(field: &str, text: &str) -> Result<(), Refusal> {
    refuse_found(field, secrets::scan(text).into_iter().next())
}

/// A file's new text may hold no secret that its old one did not.
pub fn refuse_added_secret(file: &str, old: &str, new: &str) -> Result<(), Refusal> {
    refuse_found(file, secrets::first_added(old, new))
}

/// A value whose name stands somewhere else: a heading, a key.
fn refuse_named_secret(field: &str, name: &str, text: &str) -> Result<(), Refusal> {
    refuse_secret(field, text)?;
    let first = text.trim().lines().next().unwrap_or_default();
    refuse_found(field, secrets::scan(&format!("{name}: {first}")).into_iter().next())
}

fn refuse_found(field: &str, found: Option<SecretFinding>) -> Result<(), Refusal> {
    let Some(found) = found else { return Ok(()) };
    let message = format!(
        "`{field}` holds a secret at line {}, column {}: rule `{}`",
        found.line, found.column, found.rule
    );
    Err(Refusal::new(Code::Secret, message)
        .with_hint("nothing was written; put a placeholder there and say where the secret is kept"))
}

/// Key and value together: many rules look at the name beside the value.
fn flat_text(key: &str, value: &Yaml) -> String {
    match value {
        Yaml::Scalar { text, .. } if FIELDS.iter().any(|field| field.key == key) => text.clone(),
        Yaml::Scalar { text, .. } => format!("{key}: {text}"),
        Yaml::List(items) => items.iter().map(|it| flat_text(key, it) + "\n").collect(),
        Yaml::Map(entries) => {
            let each = entries.iter().map(|(key, value)| format!("\n{}", flat_text(key, value)));
            key.to_owned() + &each.collect::<String>()
        }
    }
}

fn content_text(value: &FieldValue) -> String {
    match value {
        FieldValue::List(items) => items.join("\n"),
        FieldValue::Alternatives(items) => {
            let texts = items.iter().flat_map(|item| [&*item.option, &*item.rejected_reason]);
            texts.collect::<Vec<_>>().join("\n")
        }
        other => other.plain(),
    }
}

fn refuse_invalid(memory: &Memory, kinds: &Kinds) -> Result<(), Refusal> {
    let problems = check(memory, kinds);
    if problems.is_empty() { Ok(()) } else { Err(Refusal::invalid(problems)) }
}

/// An id is a name inside a folder: it can't lead anywhere else.
pub fn refuse_path(name: &str) -> Result<(), Refusal> {
    if !name.contains(['/', '\\']) && !name.contains("..") {
        return Ok(());
    }
    let message = format!("an id is a plain name, found `{name}`");
    let hint = format!("use a name such as `{}`", oldhand_text::strings::slug(name));
    Err(Refusal::new(Code::Path, message).with_hint(hint))
}

/// A file by a later version of this program must not be rewritten by this one.
pub fn refuse_newer(memory: &Memory) -> Result<(), Refusal> {
    let major = |version: &str| version.split('.').next().and_then(|n| n.parse::<u32>().ok());
    let ours = major(crate::memory::SCHEMA_VERSION);
    match major(&memory.schema_version) {
        Some(theirs) if Some(theirs) > ours => {
            let message = format!(
                "`{}` was written by a newer version: schema_version is `{}`",
                memory.id, memory.schema_version
            );
            Err(Refusal::new(Code::Version, message).with_hint("update oldhand to change it"))
        }
        _ => Ok(()),
    }
}
