//! The life of a memory in sentences: its origin, moves and uses, and whether recall serves it.

use jiff::Timestamp;

use crate::event::{Effect, Event, EventType, Followup};
use crate::memory::Memory;
use crate::origin::Origin;
use crate::policy::TrustPolicy;
use crate::signals::Signals;
use crate::state::State;
use oldhand_text::strings::{counted, visible_line};
use oldhand_text::time::format_day;

pub struct Life<'a> {
    pub memory: &'a Memory,
    /// In the order of the log.
    pub events: &'a [Event],
    pub signals: &'a Signals,
    pub trust: &'a TrustPolicy,
    pub review_due: Option<Timestamp>,
    pub now: Timestamp,
}

pub fn tell(life: &Life<'_>) -> Vec<String> {
    let mut sentences = vec![beginning(life)];
    for event in life.events {
        sentences.extend(sentence(event));
    }
    sentences.push(standing(life));
    sentences.push(trust_sum(life));
    sentences.extend(life.review_due.map(|due| match format_day(due) {
        day if due < life.now => format!("It was to be looked at again by {day}."),
        day => format!("It is to be looked at again on {day}."),
    }));
    sentences.push(served_today(life));
    sentences
}

fn beginning(life: &Life<'_>) -> String {
    let memory = life.memory;
    let source = match memory.origin {
        Origin::User => "a person stated it",
        Origin::Gate => "a person let it pass through the conflict gate",
        Origin::Capture => "it was captured from a session",
        Origin::Agent => "an agent wrote it",
        Origin::Retrospective => "a retrospective named it",
        Origin::Trigger => "repeated trouble asked for it",
        Origin::Import => "it was imported",
        Origin::External => "it came from outside",
    };
    let day = memory.created_at.map_or_else(|| "An unknown day".to_owned(), format_day);
    let mut text = format!("{day}: {source}, as a {}", memory.kind.as_str().replace('_', " "));
    if !memory.evidence.is_empty() {
        text.push_str(&format!(", resting on {}", list(&memory.evidence)));
    }
    if let Some(old) = memory.supersedes.first() {
        text.push_str(&format!(", in place of {old}"));
    }
    text + "."
}

fn list(items: &[String]) -> String {
    const NAMED: usize = 4;
    let mut text = visible_line(&items[..items.len().min(NAMED)].join(", "));
    if items.len() > NAMED {
        text.push_str(&format!(" and {} more", items.len() - NAMED));
    }
    text
}

fn sentence(event: &Event) -> Option<String> {
    let day = format_day(event.at);
    let name = if event.by.is_empty() { String::new() } else { event.via.beside(&event.by) };
    let (by, because) = (unless_empty(" by ", &name), unless_empty(": ", &event.reason));
    let text = match event.event_type {
        EventType::Created => {
            let state = event.to.map_or("?", State::as_str);
            format!("written{by}; it began as {state}{because}")
        }
        EventType::Updated if event.fields.is_empty() => format!("changed{by}{because}"),
        EventType::Updated => format!("{} changed{by}{because}", event.fields.join(", ")),
        EventType::Moved | EventType::Swept => format!("{}{by}{because}", moved(event)),
        EventType::Reviewed => {
            let decision = event.decision.map_or("looked at", |it| it.as_str());
            let role = unless_empty(" as ", &event.role);
            format!("reviewed{by}{role}, decision {decision}, {}{because}", moved(event))
        }
        EventType::Applied => applied(event),
        EventType::Evidence if event.evidence.is_empty() => event.reason.clone(),
        EventType::Evidence => format!("seen again: {}{because}", list(&event.evidence)),
        EventType::Conflict => format!("conflict{because}"),
        EventType::Adopted => "changed without the program".to_owned(),
        EventType::Collected => format!("collected{because}"),
        EventType::Undone => format!("the last write was taken back{by}"),
        EventType::Task => return None,
    };
    Some(visible_line(&format!("{day}: {text}.")))
}

/// A text behind the words that introduce it.
fn unless_empty(before: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{before}{text}") }
}

fn moved(event: &Event) -> String {
    let [from, to] = [event.from, event.to].map(|state| state.map_or("?", State::as_str));
    if from == to { format!("it stayed {to}") } else { format!("from {from} to {to}") }
}

fn applied(event: &Event) -> String {
    let effect = match event.effect {
        Some(Effect::Positive) => "it helped",
        Some(Effect::Negative) => "it failed",
        Some(Effect::Contradiction) => "it was contradicted",
        _ => "it made no difference",
    };
    let task = unless_empty(" in task ", &event.task);
    let surface = event.surface.map(|it| format!(" ({it})")).unwrap_or_default();
    let best = match event.followup {
        Some(Followup::Promote) => ", the most useful of its task",
        Some(Followup::Review) => ", and a review was asked for",
        _ => "",
    };
    let notes = unless_empty(": ", &event.reason);
    format!("used{task}{surface}, {effect}{best}{notes}")
}

fn standing(life: &Life<'_>) -> String {
    let signals = life.signals;
    if signals.reuse_count + signals.contradiction_count == 0 {
        return "It was never used in a task that was recorded.".to_owned();
    }
    format!(
        "It was used {} in {}: {} helped, {} failed since its last review, {} contradicted.",
        counted(signals.reuse_count as usize, "time", "times"),
        counted(signals.used_in.len(), "task", "tasks"),
        signals.successful_reuses,
        signals.failed_reuses,
        signals.contradiction_count
    )
}

fn trust_sum(life: &Life<'_>) -> String {
    let (signals, policy) = (life.signals, life.trust);
    if !signals.is_recorded {
        return format!("Its trust is {}: nobody vouches for what it claims.", signals.trust);
    }
    let start = Signals::start(signals.evidence_count, life.memory.origin, policy).trust;
    let mut text = format!("Its trust is {}: it began at {start}", signals.trust);
    let pieces =
        counted(signals.evidence_count as usize, "piece of evidence", "pieces of evidence");
    text.push_str(&format!(" (origin {}, {pieces})", life.memory.origin));
    for (effect, what, by) in [
        (Effect::Positive, "helped", policy.positive),
        (Effect::Negative, "failed", policy.negative),
        (Effect::Contradiction, "contradicted", policy.contradiction),
    ] {
        let count = life.events.iter().filter(|it| it.effect == Some(effect)).count();
        if count > 0 {
            text.push_str(&format!(", {count} {what} at {by:+}"));
        }
    }
    if let Some(ceiling) = signals.ceiling(policy) {
        text.push_str(&format!(", at most {ceiling} by uses in so few tasks"));
    }
    text + ", always within 0 and 1."
}

fn served_today(life: &Life<'_>) -> String {
    let memory = life.memory;
    let reason = memory.state_reason.as_deref().map(|it| format!(" ({it})")).unwrap_or_default();
    let text = match memory.state {
        state if state.is_served() && !life.signals.is_recorded => format!(
            "Recall serves it as a caution: its file claims {state} from {}, which the log does not \
             carry. A person settles that with `oldhand review {}`.",
            memory.origin, memory.id
        ),
        state if state.is_served() && life.signals.trust < CAUTION => {
            format!("Recall serves it as a caution: it is {state}, and its trust is low.")
        }
        state if state.is_served() => format!("Recall serves it when it fits: it is {state}."),
        State::Superseded => {
            let by = memory.superseded_by.as_deref().unwrap_or("another");
            format!("Recall does not serve it: {by} took its place{reason}.")
        }
        State::Candidate => {
            format!("Recall does not serve it: it is a candidate and has to earn it{reason}.")
        }
        State::UnderReview => format!("Recall does not serve it: it waits for a review{reason}."),
        State::Decayed => format!("Recall does not serve it by itself: it faded{reason}."),
        other => format!("Recall does not serve it: it is {other}{reason}."),
    };
    visible_line(&text)
}

/// Below this recall warns; the setting may say otherwise.
const CAUTION: f64 = 0.5;

#[cfg(test)]
mod tests;
