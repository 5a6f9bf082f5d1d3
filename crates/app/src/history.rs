//! What happened to a memory, from the log; edits that nobody told the tool about show as gaps in
//! the chain of hashes.

use oldhand_core::event::MERGED;

use crate::context::Trail;
use crate::doctor::merged::Fork;
use crate::prelude::*;

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryStep {
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    pub event: Event,
    /// The file was not what the event before had left: somebody changed it in between.
    pub edited_before: bool,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct History {
    /// Of the memory, as long as its file can be read.
    pub id: Option<String>,
    #[serde(rename = "events")]
    pub steps: Vec<HistoryStep>,
    /// The file is not what the last event left.
    pub edited_since: bool,
    /// Two branches changed it, and git made one file of both.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub merged_since: bool,
    /// The file is there, but can't be read as a memory.
    #[serde(skip)]
    pub is_unreadable: bool,
}

impl Trail<'_> {
    pub fn history(&self, name: &str) -> Result<History> {
        let mut is_unreadable = false;
        let (stored, events) = match self.get(name) {
            Ok(stored) => {
                let events = self.vault.events_of(stored.memory.id.as_str())?;
                (Some(stored), events)
            }
            Err(Failure::Refused(refusal)) if refusal.code == Code::Ambiguous => {
                return Err(refusal.into());
            }
            // What was collected is gone, and its history is not.
            Err(error) => {
                is_unreadable =
                    matches!(&error, Failure::Refused(it) if it.code == Code::Unreadable);
                let events = self.vault.events_of(name)?;
                if events.is_empty() {
                    return Err(error);
                }
                (None, events)
            }
        };
        let now = stored.as_ref().map(|stored| stored.hash.to_string());
        let is_known = now.is_none() || events.iter().any(|it| it.after == now);
        let is_fork = Fork::of(&events).is_some();
        let (steps, last) = steps_of(events);
        // Of two branches either may be the last; one side that was taken whole is no edit.
        let merged_since = is_fork && !is_known;
        let edited_since = stored.is_some() && last != now && !is_fork;
        let id = stored.map(|stored| stored.memory.id.to_string());
        Ok(History { id, steps, edited_since, merged_since, is_unreadable })
    }
}

/// With the hash that the last of them left.
fn steps_of(events: Vec<Event>) -> (Vec<HistoryStep>, Option<String>) {
    let mut last: Option<String> = None;
    // Another branch goes on from a version of before.
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut steps = Vec::with_capacity(events.len());
    for event in events {
        let writes = event.before.is_some() || event.after.is_some();
        let edited_before = writes
            && last.is_some()
            && event.before != last
            // A second creation is another branch's.
            && event.before.as_ref().is_some_and(|before| !known.contains(before))
            && event.event_type != EventType::Adopted;
        if writes {
            last.clone_from(&event.after);
            known.extend(event.after.clone());
        }
        steps.push(HistoryStep { event, edited_before });
    }
    (steps, last)
}

/// What an event did, in a line for people.
pub fn describe(event: &Event) -> String {
    let reason = match event.reason.as_str() {
        "" => String::new(),
        reason => format!(": {}", visible_line(reason)),
    };
    let state = |state: Option<State>| state.map_or("?", |state| state.as_str());
    let way = format!("{} -> {}", state(event.from), state(event.to));
    match event.event_type {
        EventType::Moved => format!("{way}{reason}"),
        EventType::Reviewed => {
            let mut parts = vec!["reviewed".to_owned()];
            parts.extend(event.decision.map(|it| it.to_string()));
            parts.extend((event.from != event.to).then_some(way));
            format!("{}{reason}", parts.join(", "))
        }
        EventType::Applied => {
            let mut parts = vec![format!("used in {}", visible_line(&event.task))];
            parts.extend(event.effect.map(|it| it.to_string()));
            parts.extend(event.followup.map(|it| it.to_string()));
            format!("{}{reason}", parts.join(", "))
        }
        EventType::Evidence if event.evidence.is_empty() => visible_line(&event.reason),
        EventType::Evidence => {
            format!("evidence {}{reason}", visible_line(&event.evidence.join(", ")))
        }
        EventType::Updated if !event.fields.is_empty() => {
            format!("updated {}{reason}", visible_line(&event.fields.join(", ")))
        }
        EventType::Adopted if event.reason == MERGED => "merged by git".to_owned(),
        EventType::Adopted => "edited by hand".to_owned(),
        other => format!("{other}{reason}"),
    }
}
