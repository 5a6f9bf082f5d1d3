//! Geas 1.0: candidates and entries as lessons, a log for each use, an index. Its schemas are closed.

use std::collections::BTreeMap;

use jiff::Timestamp;
use oldhand_core::event::{Effect, Event, EventType, Followup, Surface};
use oldhand_core::kind::Kind;
use oldhand_core::memory::Memory;
use oldhand_core::scope::Scope;
use oldhand_core::state::State;
use oldhand_text::time::{days_after, format_instant};
use serde_json::{Value, json};

use super::{Out, Outgoing, markdown};

pub(super) fn write(out: &mut Out<'_>, memories: &[Outgoing<'_>]) {
    let mut index = Vec::new();
    let mut newest = Timestamp::UNIX_EPOCH;
    let name = |id: &str| {
        let found = memories.iter().find(|it| it.memory.id.as_str() == id);
        found.map_or_else(|| format!("mem-oldhand-{id}"), |it| name_of(it.memory))
    };
    for it in memories {
        let memory = it.memory;
        let Some((memory_type, instead)) = type_of(memory) else {
            out.leave_out(memory, "Geas keeps no session summaries");
            continue;
        };
        newest = newest.max(memory.updated_at.unwrap_or_default());
        let is_candidate = memory.state == State::Candidate;
        let (folder, artifact) = if is_candidate {
            ("candidates", "memory_candidate")
        } else {
            ("entries", "memory_entry")
        };
        let id = name_of(memory);
        let mut object = common(it, &id, artifact, memory_type, out);
        if is_candidate {
            let reason =
                memory.state_reason.clone().unwrap_or_else(|| "kept by oldhand".to_owned());
            object["candidate_reason"] = json!(reason);
            object["source_artifacts"] = json!(at_least_one(&memory.sources, memory));
        } else {
            let guidance = body(memory, out);
            object["review_after"] = json!(format_instant(review_after(memory)));
            object["supersedes"] = memory.supersedes.iter().map(|it| name(it)).collect();
            object["superseded_by"] = json!(memory.superseded_by.as_deref().map(name));
            object["tags"] = json!(memory.tags);
            object["body"] = json!(guidance);
            index.push(json!({
                "memory_id": id,
                "memory_type": memory_type,
                "state": object["state"],
                "confidence": object["signals"]["confidence"],
                "tags": memory.tags,
                "review_after": object["review_after"],
            }));
        }
        out.record(memory, &format!("memory/{folder}/{id}.json"), &pretty(&object), instead);
        logs(out, it.events, &id);
    }
    let meta = meta("memory_index", "memory-index", newest, None);
    out.text("state/memory-index.json", &pretty(&json!({"meta": meta, "entries": index})));
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// The name that the tool gave, or one that it accepts.
fn name_of(memory: &Memory) -> String {
    let own = memory.aliases.iter().find(|alias| {
        let rest = alias.strip_prefix("mem-").unwrap_or_default();
        !rest.is_empty() && rest.chars().all(|it| it.is_ascii_alphanumeric() || "-_".contains(it))
    });
    own.cloned().unwrap_or_else(|| format!("mem-oldhand-{}", memory.id))
}

/// The type there; the second is told where a memory is no lesson here.
fn type_of(memory: &Memory) -> Option<(&str, Option<&'static str>)> {
    let is_agents = matches!(memory.scope, Scope::Agent(_));
    let instead = match memory.kind {
        Kind::Lesson => {
            return Some((memory.content.text("lesson_type").unwrap_or("project_rule"), None));
        }
        Kind::SessionSummary => return None,
        Kind::Decision => "decision_precedent",
        Kind::Architecture => "architecture_precedent",
        Kind::Runbook => "failure_lesson",
        Kind::TechDebt => "risk_pattern",
        _ if is_agents => "agent_rule",
        _ => "project_rule",
    };
    Some((instead, Some(instead)))
}

fn meta(artifact: &str, id: &str, created: Timestamp, updated: Option<Timestamp>) -> Value {
    let mut meta = json!({
        "version": "1.0",
        "artifact_type": artifact,
        "artifact_id": id,
        "producer_type": "orchestration_authority",
        "created_at": format_instant(created),
    });
    if let Some(updated) = updated {
        meta["updated_at"] = json!(format_instant(updated));
    }
    meta
}

fn common(it: &Outgoing<'_>, id: &str, artifact: &str, memory_type: &str, out: &Out<'_>) -> Value {
    let (memory, signals) = (it.memory, it.signals);
    let created = memory.created_at.or(memory.updated_at).unwrap_or_default();
    let state = if memory.state == State::Retired { State::Archived } else { memory.state };
    let scope = match memory.scope {
        Scope::Global => "global",
        Scope::Mission(_) => "mission",
        Scope::Task(_) => "task",
        Scope::Agent(_) => "agent",
        Scope::Project | Scope::Component(_) => "project",
    };
    let summary = match memory.kind {
        Kind::Lesson => markdown::main_text(memory, out.kinds),
        _ => markdown::main_text(memory, out.kinds).lines().next().unwrap_or_default().to_owned(),
    };
    json!({
        "meta": meta(artifact, id, created, memory.updated_at),
        "memory_id": id,
        "memory_type": memory_type,
        "state": state,
        "title": markdown::title(memory),
        "summary": if summary.is_empty() { markdown::title(memory) } else { summary },
        "scope": scope,
        "evidence_refs": at_least_one(&memory.evidence, memory),
        "signals": {
            "evidence_count": signals.evidence_count,
            "reuse_count": signals.reuse_count,
            "successful_reuses": signals.successful_reuses,
            "failed_reuses": signals.failed_reuses,
            "contradiction_count": signals.contradiction_count,
            "confidence": (signals.trust * 1000.0).round() / 1000.0,
        },
    })
}

fn at_least_one(all: &[String], memory: &Memory) -> Vec<String> {
    if all.is_empty() { vec![format!("oldhand:{}", memory.id)] } else { all.to_vec() }
}

/// A lesson's guidance by its paragraphs; of any other kind all that it says.
fn body(memory: &Memory, out: &Out<'_>) -> Vec<String> {
    let text = match memory.kind {
        Kind::Lesson => markdown::field(memory, "guidance", out.kinds).unwrap_or_default(),
        _ => markdown::body(memory, "###", out.kinds),
    };
    text.split("\n\n").filter(|it| !it.trim().is_empty()).map(str::to_owned).collect()
}

/// As often as it is looked at here.
fn review_after(memory: &Memory) -> Timestamp {
    let days = match memory.state {
        State::Provisional => 30,
        State::Canonical => 180,
        _ => 90,
    };
    let updated = memory.updated_at.or(memory.created_at).unwrap_or_default();
    memory.review_after.unwrap_or_else(|| days_after(updated, days))
}

/// One log for each task that used it: the last word counts.
fn logs(out: &mut Out<'_>, events: &[Event], id: &str) {
    let uses =
        events.iter().filter(|it| it.event_type == EventType::Applied && !it.task.is_empty());
    let by_task: BTreeMap<&str, &Event> = uses.map(|event| (event.task.as_str(), event)).collect();
    for (task, event) in by_task {
        let safe: String = task
            .chars()
            .map(|it| if it.is_ascii_alphanumeric() || "-_.".contains(it) { it } else { '-' })
            .collect();
        let effect = match event.effect {
            Some(Effect::Positive) => "positive",
            Some(Effect::Negative | Effect::Contradiction) => "negative",
            Some(Effect::Neutral) => "neutral",
            None => "unknown",
        };
        let surface = match event.surface {
            Some(Surface::SessionStart | Surface::Prompt) => "session_summary",
            Some(Surface::Review | Surface::Testing) => "review_context",
            Some(Surface::Recovery) => "recovery_context",
            Some(Surface::Planning) => "decision_context",
            Some(Surface::Implementation) | None => "task_packet",
        };
        let followup = match event.followup {
            Some(Followup::Strengthen | Followup::Promote) => "strengthen",
            Some(Followup::Weaken) => "weaken",
            Some(Followup::Review) => "review_required",
            Some(Followup::Nothing) | None => "none",
        };
        let log = json!({
            "meta": meta("memory_application_log", &format!("mal-{safe}-{id}"), event.at, None),
            "memory_id": id,
            "task_id": task,
            "applied_by_type": if event.role.is_empty() { "orchestration_authority" } else { &event.role },
            "usage_surface": surface,
            "effect": effect,
            "notes": event.reason,
            "followup_action": followup,
        });
        out.text(&format!("memory/logs/{safe}-{id}.json"), &pretty(&log));
    }
}
