//! `oldhand learn`: lessons from a retrospective, as candidates.

use oldhand_app::create::Action;
use oldhand_app::learn::{Learned, Lessons};
use oldhand_app::transfer::signals_json;
use oldhand_core::policy::RETRO_BYTES_MAX;
use oldhand_core::refusal::Refusal;
use oldhand_judge::retro;
use oldhand_text::strings::visible_line;
use oldhand_text::time::{format_day, format_instant};
use serde_json::{Map, Value, json};

use crate::cli::LearnArgs;
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, FINDING, Outcome};
use crate::format::columns;
use crate::printer::Io;

/// Sentences that are named one by one.
const LEFT_MAX: usize = 20;

pub(super) fn run(args: &LearnArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let limit = RETRO_BYTES_MAX as u64;
    let text = crate::input::read_text(&args.source, &desk.current_dir(), limit, io)?;
    let retrospective = retro::parse(&text).map_err(Refusal::invalid)?;
    let task = match args.task.as_ref().or(retrospective.task.as_ref()) {
        Some(task) => task.clone(),
        None => {
            desk.current_task(None).unwrap_or_else(|| format!("retro-{}", format_day(desk.now)))
        }
    };
    let source = match args.source.as_str() {
        "-" => format!("retrospective:{task}"),
        file => format!("file:{file}"),
    };
    desk.work(|engine| {
        let lessons = Lessons {
            retrospective: &retrospective,
            task: &task,
            source: &source,
            evidence: &args.evidence,
        };
        let done = engine.learn(&lessons)?;
        let learned = acknowledge(engine, io, done, |learned, io| {
            if desk.flags.json {
                let all: Vec<Value> = learned.iter().map(|one| learned_json(one, &task)).collect();
                let mut object = Map::new();
                object.insert("task".into(), json!(task));
                object.insert("learned".into(), Value::Array(all));
                object.insert("not_taken".into(), json!(retrospective.left));
                return io.json("learn", object);
            }
            io.text(&columns(&learned.iter().map(row).collect::<Vec<_>>()))
        })?;
        if !desk.flags.json {
            tell_left(&retrospective.left, io);
        }
        if learned.is_empty() && !retrospective.signals.is_empty() {
            io.note("note", &format!("no lesson in it yet; what it says of `{task}` is recorded"));
            return Ok(DONE);
        }
        if learned.is_empty() {
            io.note("note", "no lesson was found in it");
            io.note(
                "hint",
                "give `memory_candidates` as JSON, bullets below a heading such as `## Lessons`, or \
                 sentences such as `next time …`",
            );
            return Ok(FINDING);
        }
        Ok(DONE)
    })
}

/// What is in no lesson is named, so that nobody thinks it was learned.
fn tell_left(left: &[String], io: &mut Io<'_>) {
    for sentence in left.iter().take(LEFT_MAX) {
        io.note("note", &format!("not taken: {}", visible_line(sentence)));
    }
    if left.len() > LEFT_MAX {
        let more = left.len() - LEFT_MAX;
        io.note("note", &format!("not taken: {more} more; `--json` has all of them"));
    }
}

pub(super) fn row(one: &Learned) -> Vec<String> {
    let word = match one.action {
        Action::Created => "candidate",
        Action::Strengthened => "strengthened",
        _ => "known",
    };
    let memory = &one.memory;
    vec![
        word.to_owned(),
        memory.id.to_string(),
        memory.content.text("lesson_type").unwrap_or_default().to_owned(),
        format!("{}, trust {}, reviewed by {}", memory.state, one.signals.trust, one.reviewer),
        visible_line(&memory.title),
    ]
}

/// R182: the record of a candidate as other tools know it.
pub(super) fn learned_json(one: &Learned, task: &str) -> Value {
    let memory = &one.memory;
    let alias = memory.aliases.iter().find(|alias| alias.starts_with("mem-"));
    json!({
        "action": one.action.as_str(),
        "meta": {
            "version": memory.schema_version,
            "artifact_type": "memory_candidate",
            "artifact_id": alias.map_or(memory.id.as_str(), String::as_str),
            "producer_type": memory.origin,
            "created_at": memory.created_at.map(format_instant),
        },
        "id": memory.id.as_str(),
        "aliases": memory.aliases,
        "memory_type": memory.content.text("lesson_type"),
        "state": memory.state,
        "title": memory.title,
        "summary": memory.content.text("summary"),
        "guidance": memory.content.text("guidance"),
        "scope": memory.scope.to_string(),
        "evidence_refs": memory.evidence,
        "source_artifacts": memory.sources,
        "signals": signals_json(&one.signals),
        "candidate_reason": memory.state_reason,
        "reviewer": one.reviewer,
        "task": task,
    })
}
