//! Changes the kind of a memory: its contents move to the fields of the new kind.

use super::create::{fill_defaults, refuse_disabled};
use super::update::record_kind;
use super::{Writer, normalise, refuse_invalid, refuse_newer, refuse_secrets};
use crate::content::{Content, FieldValue};
use crate::draft::Draft;
use crate::kind::Kind;
use crate::kind::schema::{FieldSpec, Shape, main_field};
use crate::memory::Memory;
use crate::origin::Origin;
use crate::refusal::{Code, Refusal};
use oldhand_text::strings::sentence_case;
use oldhand_text::time::whole_seconds;

/// Applies the draft as well. Id, state and history stay.
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
    // Filing a capture under another kind captures nothing.
    refuse_disabled(&to, Origin::User)?;
    let mut new = old.clone();
    new.kind = kind.clone();
    new.content = Content::default();
    let main = main_field(&from.fields).map(|field| field.name.to_string());
    for (name, value) in old.content.iter() {
        let is_main = main.as_deref() == Some(name);
        let place = if is_main { main_field(&to.fields) } else { to.field(name) };
        match place.and_then(|field| Some((field, shaped(value, field)?))) {
            Some((field, value)) => new.content.set(&field.name, value),
            // A default that nobody chose says nothing.
            None if is_default(&from.fields, name, value) => {}
            None => new.sections.push((sentence_case(name), value.plain())),
        }
    }
    draft.apply_to(&mut new)?;
    new.origin = old.origin;
    normalise(&mut new);
    fill_defaults(&mut new, &to);
    record_kind(&mut new, &old.kind, writer.now);
    new.times_updated = new.times_updated.saturating_add(1);
    new.updated_at = Some(whole_seconds(writer.now));
    refuse_invalid(&new, writer.kinds)?;
    Ok(new)
}

/// A value in the shape that a field takes; none where it has no such shape.
fn shaped(value: &FieldValue, field: &FieldSpec) -> Option<FieldValue> {
    match (&field.shape, value) {
        (Shape::Text, value) => Some(FieldValue::Text(value.plain())),
        (Shape::Choice(words), FieldValue::Text(word)) if !words.contains(&word.as_str()) => None,
        (Shape::List | Shape::Steps, FieldValue::List(_))
        | (Shape::Flag, FieldValue::Flag(_))
        | (Shape::Alternatives, FieldValue::Alternatives(_))
        | (Shape::Choice(_) | Shape::Date, FieldValue::Text(_)) => Some(value.clone()),
        (Shape::List | Shape::Steps, value) => Some(FieldValue::List(vec![value.plain()])),
        _ => None,
    }
}

fn is_default(fields: &[FieldSpec], name: &str, value: &FieldValue) -> bool {
    let field = fields.iter().find(|field| field.name == name);
    field.and_then(|field| field.default).is_some_and(|default| value.plain() == default)
}

#[cfg(test)]
mod tests;
