//! A new memory: its defaults, its state, its name.

use super::{Writer, normalise, refuse_invalid, refuse_secrets, refuse_stored_secrets};
use crate::content::FieldValue;
use crate::draft::Draft;
use crate::kind::{Kind, KindSpec};
use crate::memory::{Memory, MemoryId};
use crate::origin::Origin;
use crate::refusal::{Code, Refusal};
use crate::scope::Scope;
use crate::state::State;
use crate::yaml::Yaml;
use oldhand_text::hint::{Hint, NextStep};
use oldhand_text::time::{format_instant, hours_between, whole_seconds};
use oldhand_text::word;

/// Numbers tried behind a taken slug before the title is called too common.
const SAME_SLUG_MAX: usize = 1_000;

#[derive(Debug, Clone, PartialEq)]
pub enum Created {
    New(Box<Memory>),
    /// The same thing is there already: nothing to do.
    Unchanged(MemoryId),
}

/// Decides a new memory; `occupant` tells what stands under an id.
pub fn create(
    draft: &Draft,
    writer: Writer<'_>,
    occupant: &dyn Fn(&MemoryId) -> Result<Option<Memory>, Refusal>,
) -> Result<Created, Refusal> {
    let kind = draft.kind.clone().ok_or_else(|| {
        let names: Vec<&str> = writer.kinds.iter().map(|spec| spec.kind.as_str()).collect();
        oldhand_text::problem::Problem::new("category", &word::one_of(&names), "nothing")
    })?;
    let spec = writer.kinds.spec(&kind);
    refuse_disabled(&spec, writer.origin)?;
    refuse_secrets(draft)?;
    let mut memory = fill(draft, kind, writer)?;
    let wanted = wanted_id(draft, &mut memory)?;
    normalise(&mut memory);
    fill_defaults(&mut memory, &spec);
    refuse_invalid(&memory, writer.kinds)?;
    refuse_coupled_status(&memory)?;
    refuse_stored_secrets(&memory, draft)?;
    name(memory, wanted, writer, occupant)
}

pub(super) fn refuse_disabled(spec: &KindSpec, origin: Origin) -> Result<(), Refusal> {
    let kind = &spec.kind;
    let (message, them, key) = if !spec.enabled {
        (format!("memories of kind `{kind}` are switched off"), "them", "enabled")
    } else if origin == Origin::Capture && !spec.auto_capture {
        (format!("automatic capture of kind `{kind}` is switched off"), "it", "auto_capture")
    } else {
        return Ok(());
    };
    let step = NextStep::SwitchOn(format!("kinds.{kind}.{key}"));
    let hint = Hint::with_steps(format!("switch {them} on with {{}}"), [step]);
    Err(Refusal::new(Code::Disabled, message).with_hint(hint))
}

fn fill(draft: &Draft, kind: Kind, writer: Writer<'_>) -> Result<Memory, Refusal> {
    let title = draft.title().unwrap_or_default().to_owned();
    let mut memory = Memory::new(MemoryId::of_title(&title), kind, &title);
    memory.origin = writer.origin;
    draft.apply_to(&mut memory)?;
    // A draft can't claim a better origin than its writer has.
    memory.origin = writer.origin;
    memory.state = if draft.unverified { State::Candidate } else { memory.origin.entry_state() };
    memory.created_at = Some(whole_seconds(draft.dated.unwrap_or(writer.now)));
    memory.updated_at = Some(whole_seconds(writer.now));
    if draft.get("scope").is_none() {
        memory.scope = Scope::narrowest_for(&memory.paths());
    }
    Ok(memory)
}

/// A given slug is the id; any other given id is kept as an alias.
fn wanted_id(draft: &Draft, memory: &mut Memory) -> Result<Option<MemoryId>, Refusal> {
    let Some(given) = draft.id.as_deref().map(str::trim).filter(|id| !id.is_empty()) else {
        return Ok(None);
    };
    super::refuse_path(given)?;
    let id = MemoryId::parse(given).ok();
    if id.is_none() {
        memory.aliases.push(given.to_owned());
    }
    Ok(id)
}

pub(super) fn fill_defaults(memory: &mut Memory, spec: &KindSpec) {
    for field in spec.fields.iter() {
        let absent = memory.content.get(&field.name).is_none();
        if let Some(default) = field.default.filter(|_| absent) {
            memory.content.set(&field.name, FieldValue::text(default));
        }
    }
    // A proposed decision does not bind yet.
    if memory.content.text("status") == Some("proposed") && memory.state == State::Stable {
        memory.state = State::Provisional;
    }
}

fn refuse_coupled_status(memory: &Memory) -> Result<(), Refusal> {
    if memory.kind == Kind::Decision && memory.content.text("status") == Some("superseded") {
        return Err(Refusal::new(Code::State, "a decision is superseded by another one")
            .with_hint(Hint::with_steps(
                "write the new one, then {}",
                [NextStep::SupersedeBy("<old>".to_owned())],
            )));
    }
    Ok(())
}

fn name(
    mut memory: Memory,
    wanted: Option<MemoryId>,
    writer: Writer<'_>,
    occupant: &dyn Fn(&MemoryId) -> Result<Option<Memory>, Refusal>,
) -> Result<Created, Refusal> {
    let base = wanted.clone().unwrap_or_else(|| MemoryId::of_title(&memory.title));
    for number in 1..SAME_SLUG_MAX {
        let id = if number == 1 { base.clone() } else { base.numbered(number) };
        let Some(there) = occupant(&id)? else {
            memory.id = id;
            return Ok(Created::New(Box::new(memory)));
        };
        refuse_resurrection(&there, writer)?;
        let is_same = there.kind == memory.kind && there.content == memory.content;
        if there.is_active() && is_same && there.title == memory.title {
            return Ok(Created::Unchanged(id));
        }
        if wanted.is_some() {
            let message = format!("`{id}` is there already: {} ({})", there.title, there.state);
            return Err(Refusal::new(Code::Overwrite, message).with_hint(Hint::with_steps(
                "change it with {}, or leave the id out",
                [NextStep::Update(id.to_string())],
            )));
        }
    }
    Err(Refusal::new(Code::Limit, format!("too many memories are called `{base}`"))
        .with_hint("give it a title of its own"))
}

pub fn refuse_resurrection(there: &Memory, writer: Writer<'_>) -> Result<(), Refusal> {
    let Some(retired_at) = there.retired_at.filter(|_| there.state == State::Retired) else {
        return Ok(());
    };
    let hours = writer.policy.resurrection_hours;
    if hours_between(retired_at, writer.now) >= hours {
        return Ok(());
    }
    let (id, at) = (&there.id, format_instant(retired_at));
    let message = format!("`{id}` was retired at {at}, less than {hours} hours ago");
    let step = NextStep::Restore(id.to_string());
    let hint = Hint::with_steps("bring it back with {}, or use another title", [step]);
    Err(Refusal::new(Code::AntiResurrection, message).with_hint(hint))
}

impl Draft {
    /// A draft with nothing but a kind and a title.
    pub fn titled(kind: Kind, title: &str) -> Self {
        let mut draft = Self { kind: Some(kind), ..Self::default() };
        draft.set("title", Yaml::text(title));
        draft
    }
}
