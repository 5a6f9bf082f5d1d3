//! The stored cases: their fixtures put together, their words for time replaced. It knows the
//! format of `records.json` and how a record of the reference looks as a memory of ours.

use jiff::{SignedDuration, Timestamp};
use oldhand_core::codec::{fields, markdown};
use oldhand_core::kind::Kinds;
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::origin::Origin;
use oldhand_core::state::State;
use serde_json::Value;

use crate::scratch::NOW;

pub(super) struct Cases {
    fixtures: Value,
    all: Vec<Case>,
}

pub(super) struct Case {
    pub id: String,
    pub kind: String,
    pub title: String,
    pub input: Value,
    /// What the reference does, or what is wanted of us instead.
    pub expect: Value,
    whole: Value,
}

impl Cases {
    pub(super) fn read() -> Self {
        let file: Value = serde_json::from_str(include_str!("records.json")).unwrap();
        let all = file["cases"].as_array().unwrap().iter().cloned().map(Case::new).collect();
        Self { fixtures: file["fixtures"].clone(), all }
    }

    pub(super) fn all(&self) -> &[Case] {
        &self.all
    }

    pub(super) fn changed(&self, id: &str, change: impl FnOnce(&mut Value)) -> Case {
        let mut whole = self.all.iter().find(|case| case.id == id).unwrap().whole.clone();
        change(&mut whole);
        Case::new(whole)
    }

    /// `{"use": …, "with": …}` as one record.
    pub(super) fn record(&self, asked: &Value) -> Value {
        self.fixture(asked["use"].as_str().unwrap(), &asked["with"])
    }

    pub(super) fn fixture(&self, name: &str, with: &Value) -> Value {
        let mut record = put_over(&self.fixtures[name], with);
        replace_ages(&mut record);
        record
    }
}

impl Case {
    fn new(whole: Value) -> Self {
        let text = |key: &str| whole[key].as_str().unwrap().to_owned();
        Self {
            id: text("id"),
            kind: text("kind"),
            title: text("title"),
            input: whole["input"].clone(),
            expect: put_over(&whole["expect"], &whole["wanted"]),
            whole,
        }
    }
}

/// The one object with the keys of the other put over it; `null` takes a key out.
pub(super) fn put_over(base: &Value, over: &Value) -> Value {
    let mut object = base.as_object().unwrap().clone();
    for (key, value) in over.as_object().into_iter().flatten() {
        if value.is_null() {
            object.remove(key);
        } else {
            object.insert(key.clone(), value.clone());
        }
    }
    Value::Object(object)
}

pub(super) fn days_ago(days: i64) -> Timestamp {
    hours_ago(24 * days)
}

fn hours_ago(hours: i64) -> Timestamp {
    NOW.parse::<Timestamp>().unwrap() - SignedDuration::from_hours(hours)
}

/// `@ago:2h` is an instant two hours ago.
fn replace_ages(record: &mut Value) {
    for value in record.as_object_mut().unwrap().values_mut() {
        let Some(age) = value.as_str().and_then(|text| text.strip_prefix("@ago:")) else {
            continue;
        };
        let hours: i64 =
            age.strip_suffix('h').expect("ages of these cases are in hours").parse().unwrap();
        *value = hours_ago(hours).to_string().into();
    }
}

/// The record as our store holds it: a person's memory, with the dates and the history it has.
pub(super) fn markdown_of(record: &Value) -> String {
    let kinds = Kinds::default();
    let draft = oldhand_core::draft::json::draft_of(record, &kinds).unwrap();
    let id = MemoryId::parse(draft.id.as_deref().unwrap()).unwrap();
    let mut memory = Memory::new(id, draft.kind.clone().unwrap(), draft.title().unwrap());
    draft.apply_to(&mut memory).unwrap();
    for (key, value) in &draft.front {
        // What the tool owns is not taken from a draft, and belongs to what is there.
        (fields::find(key).unwrap().set)(&mut memory, value).unwrap();
    }
    memory.origin = Origin::User;
    memory.state = match draft.record_status.as_deref() {
        None | Some("active") => State::Stable,
        Some("retired") => State::Retired,
        Some("archived") => State::Archived,
        Some(other) => panic!("unknown record_status: {other}"),
    };
    markdown::render(&memory, &kinds)
}
