//! The life of a memory as a line in time: which state it was in when, what happened to it, and how
//! its trust moved. From its events alone.

use oldhand_core::event::Effect;

use crate::context::Trail;
use crate::history::describe;
use crate::prelude::*;

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LifeLine {
    pub id: String,
    pub title: String,
    /// Each from its instant to the next one's.
    pub states: Vec<StateSpan>,
    pub marks: Vec<LifeMark>,
    pub trust: Vec<TrustStep>,
    /// What took its place.
    pub successor: Option<Named>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateSpan {
    #[serde(serialize_with = "instant")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub at: Timestamp,
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub state: State,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LifeMark {
    #[serde(serialize_with = "instant")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub at: Timestamp,
    pub what: MarkKind,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum MarkKind {
    Created,
    Changed,
    Evidence,
    Helped,
    Used,
    Failed,
    Reviewed,
    Conflict,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrustStep {
    #[serde(serialize_with = "instant")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub at: Timestamp,
    pub trust: f64,
    pub event: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Named {
    pub id: String,
    pub title: String,
}

fn instant<S: serde::Serializer>(at: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&format_instant(*at))
}

impl Trail<'_> {
    pub fn life_line(&self, name: &str) -> Result<LifeLine> {
        let stored = self.get(name)?;
        let memory = &stored.memory;
        let events = self.vault.events_of(memory.id.as_str())?;
        let curve = Signals::curve(memory, &events, &self.settings.trust);
        let step = |(event, trust): (&Event, f64)| TrustStep {
            at: event.at,
            trust,
            event: visible_line(&describe(event)),
        };
        let successor = match &memory.superseded_by {
            Some(by) => {
                let title = self.look_up(by).ok().flatten().map(|it| it.memory.title);
                Some(Named { id: by.clone(), title: title.unwrap_or_else(|| by.clone()) })
            }
            None => None,
        };
        Ok(LifeLine {
            id: memory.id.to_string(),
            title: memory.title.clone(),
            states: states(memory, &events, self.now),
            marks: events.iter().filter_map(mark).collect(),
            trust: curve.into_iter().map(step).collect(),
            successor,
        })
    }
}

fn states(memory: &Memory, events: &[Event], now: Timestamp) -> Vec<StateSpan> {
    let mut spans: Vec<StateSpan> = Vec::new();
    for event in events {
        let Some(state) = event.to else { continue };
        if spans.last().is_none_or(|last| last.state != state) {
            spans.push(StateSpan { at: event.at, state });
        }
    }
    // A file can be older than the log, or say something else since.
    if spans.last().is_none_or(|last| last.state != memory.state) {
        let since = if spans.is_empty() { memory.created_at } else { memory.updated_at };
        let at = since.unwrap_or(now).max(spans.last().map_or(Timestamp::MIN, |last| last.at));
        spans.push(StateSpan { at, state: memory.state });
    }
    spans
}

fn mark(event: &Event) -> Option<LifeMark> {
    let what = match (event.event_type, event.effect) {
        (EventType::Created, _) => MarkKind::Created,
        (EventType::Updated | EventType::Adopted | EventType::Undone, _) => MarkKind::Changed,
        (EventType::Evidence, _) => MarkKind::Evidence,
        (EventType::Applied, Some(Effect::Positive)) => MarkKind::Helped,
        (EventType::Applied, Some(Effect::Negative)) => MarkKind::Failed,
        (EventType::Applied, Some(Effect::Contradiction)) | (EventType::Conflict, _) => {
            MarkKind::Conflict
        }
        (EventType::Applied, _) => MarkKind::Used,
        (EventType::Reviewed, _) => MarkKind::Reviewed,
        // The line itself shows these.
        (EventType::Moved | EventType::Swept, _) => return None,
        (EventType::Task | EventType::Collected, _) => return None,
    };
    Some(LifeMark { at: event.at, what, text: visible_line(&describe(event)) })
}
