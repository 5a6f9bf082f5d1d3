//! `oldhand doctor`: a look at everything. It never deletes.

use oldhand_app::doctor::Diagnosis;
use oldhand_store::port::Finding;
use oldhand_text::strings::visible_line;
use serde_json::{Map, Value, json};

use crate::desk::Desk;
use crate::failure::{DONE, FINDING, Fail, Outcome};
use crate::format::counted;
use crate::printer::Io;

mod hosts;

/// So many between two lines of progress.
const PROGRESS_FILES: usize = 1_000;

pub(super) fn run(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let shows_progress = desk.shows_progress();
    let mut progress = |done: usize, of: usize| {
        if shows_progress && done.is_multiple_of(PROGRESS_FILES) {
            io.progress(&format!("looked at {done} of {of} files"));
        }
    };
    let looked = desk.work(|engine| Ok(engine.doctor(&mut progress)?));
    if shows_progress {
        io.progress("");
    }
    let mut diagnosis = match looked {
        Ok(diagnosis) => diagnosis,
        // Settings that can't be used are what somebody runs a doctor for.
        Err(Fail::Config(problems)) => Diagnosis {
            findings: problems
                .into_iter()
                .map(|problem| Finding::new("config.toml", problem.to_string(), problem.fix))
                .collect(),
            ..Diagnosis::default()
        },
        Err(other) => return Err(other),
    };
    let (answered, findings) = hosts::look(desk);
    diagnosis.findings.extend(findings);
    if desk.flags.json {
        let mut object = to_json(&diagnosis);
        if !answered.is_empty() {
            object.insert("hosts".into(), json!(answered));
        }
        io.json("doctor", object)?;
    } else {
        tell(&diagnosis, &answered, io)?;
    }
    Ok(if diagnosis.findings.is_empty() { DONE } else { FINDING })
}

fn to_json(diagnosis: &Diagnosis) -> Map<String, Value> {
    let findings: Vec<Value> = diagnosis
        .findings
        .iter()
        .map(|finding| json!({"path": finding.path, "what": finding.what, "hint": finding.hint}))
        .collect();
    let mut object = Map::new();
    object.insert("memories".into(), json!(diagnosis.memories));
    object.insert("events".into(), json!(diagnosis.events));
    object.insert("repaired".into(), json!(diagnosis.repaired));
    object.insert("findings".into(), Value::Array(findings));
    object.insert("notes".into(), json!(diagnosis.notes));
    object
}

fn tell(diagnosis: &Diagnosis, answered: &[&str], io: &mut Io<'_>) -> std::io::Result<()> {
    let memories = counted(diagnosis.memories, "memory", "memories");
    let events = counted(diagnosis.events, "event", "events");
    io.text(&format!("looked at {memories} and {events}\n"))?;
    for host in answered {
        io.text(&format!("the hook for {host} answers\n"))?;
    }
    for repaired in &diagnosis.repaired {
        io.text(&format!("repaired: {}\n", visible_line(repaired)))?;
    }
    for note in &diagnosis.notes {
        io.text(&format!("note: {}\n", visible_line(note)))?;
    }
    for finding in &diagnosis.findings {
        io.text(&format!(
            "finding: {}: {}\n",
            visible_line(&finding.path),
            visible_line(&finding.what)
        ))?;
        if !finding.hint.is_empty() {
            io.text(&format!("  hint: {}\n", visible_line(&finding.hint)))?;
        }
    }
    if diagnosis.findings.is_empty() {
        return io.text("all is well\n");
    }
    io.text(&format!(
        "{} for you to decide\n",
        counted(diagnosis.findings.len(), "finding", "findings")
    ))
}
