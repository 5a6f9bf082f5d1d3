//! A memory that was filed wrongly becomes one of another kind: what it says stays, in the fields of
//! its new kind.

use super::create::fill_defaults;
use super::update::record_kind;
use super::{Writer, check, normalise, refuse_newer, refuse_secrets};
use crate::content::{Content, FieldValue};
use crate::draft::Draft;
use crate::kind::Kind;
use crate::kind::schema::{FieldSpec, Shape, main_field};
use crate::memory::Memory;
use crate::refusal::{Code, Refusal};
use oldhand_text::time::whole_seconds;

/// The same memory as a `kind`, with what the draft says on top. Its id, its state and its history
/// stay.
pub fn rekind(
    old: &Memory,
    kind: &Kind,
    draft: &Draft,
    writer: Writer<'_>,
) -> Result<Memory, Refusal> {
    refuse_newer(old)?;
    refuse_secrets(draft)?;
    if !old.is_active() {
        let message = format!("could not change the kind of `{}`: it is {}", old.id, old.state);
        return Err(Refusal::new(Code::State, message).with_hint("bring it back first"));
    }
    let (from, to) = (writer.kinds.spec(&old.kind), writer.kinds.spec(kind));
    if !to.enabled {
        let message = format!("memories of kind `{kind}` are switched off");
        return Err(Refusal::new(Code::Disabled, message).with_hint(format!(
            "switch them on with `oldhand config set kinds.{kind}.enabled true`"
        )));
    }
    let mut new = old.clone();
    new.kind = kind.clone();
    new.content = Content::default();
    let main = main_field(&from.fields).map(|field| field.name.to_string());
    for (name, value) in old.content.iter() {
        let is_main = main.as_deref() == Some(name);
        let place = match is_main {
            true => main_field(&to.fields),
            false => to.field(name),
        };
        match place.and_then(|field| Some((field, shaped(value, field)?))) {
            Some((field, value)) => new.content.set(&field.name, value),
            // A default that nobody chose says nothing.
            None if is_default(&from.fields, name, value) => {}
            None => new.sections.push((heading(name), value.plain())),
        }
    }
    draft.apply_to(&mut new)?;
    new.origin = old.origin;
    normalise(&mut new);
    fill_defaults(&mut new, &to);
    record_kind(&mut new, &old.kind, writer.now);
    new.times_updated = new.times_updated.saturating_add(1);
    new.updated_at = Some(whole_seconds(writer.now));
    let problems = check(&new, writer.kinds);
    if problems.is_empty() { Ok(new) } else { Err(Refusal::invalid(problems)) }
}

/// A value in the shape that a field takes; none where it has no such shape.
fn shaped(value: &FieldValue, field: &FieldSpec) -> Option<FieldValue> {
    match (&field.shape, value) {
        (Shape::Text, value) => Some(FieldValue::Text(value.plain())),
        (Shape::List | Shape::Steps, FieldValue::List(items)) => {
            Some(FieldValue::List(items.clone()))
        }
        (Shape::List | Shape::Steps, value) => Some(FieldValue::List(vec![value.plain()])),
        (Shape::Choice(words), FieldValue::Text(word)) if words.contains(&word.as_str()) => {
            Some(value.clone())
        }
        (Shape::Flag, FieldValue::Flag(_))
        | (Shape::Alternatives, FieldValue::Alternatives(_))
        | (Shape::Date, FieldValue::Text(_)) => Some(value.clone()),
        _ => None,
    }
}

fn is_default(fields: &[FieldSpec], name: &str, value: &FieldValue) -> bool {
    let field = fields.iter().find(|field| field.name == name);
    field.and_then(|field| field.default).is_some_and(|default| value.plain() == default)
}

/// `rejected_reason` as a heading.
fn heading(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default();
    first + &letters.as_str().replace('_', " ")
}

#[cfg(test)]
mod tests;
