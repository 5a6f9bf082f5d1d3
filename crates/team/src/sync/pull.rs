//! `sync pull`: what was decided on the server is written into the files that are checked out, by the rules that hold
//! here. Whoever runs it commits it, on a branch.

use oldhand_app::Engine;
use oldhand_app::take_in::{Incoming, TakenIn};
use oldhand_core::actor::Via;
use oldhand_desk::desk::{Desk, settled};
use oldhand_desk::failure::{DONE, FINDING, Fail};
use oldhand_desk::printer::Io;
use oldhand_pg::sync::batch_of;
use oldhand_store::failure::{Failure, StoreErrorKind};
use serde::Serialize;

use super::args::ReachArgs;
use super::client::Server;
use super::push::{encoded, id_in};
use super::wire::{Change, Changes, Hashes, Outcome, Outcomes};

/// What became of one change.
#[derive(Serialize)]
struct Pulled {
    change: i64,
    kind: String,
    memories: Vec<String>,
    outcome: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
}

#[derive(Serialize)]
struct PullAnswer {
    changes: Vec<Pulled>,
}

pub(super) fn run(
    reach: &ReachArgs,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> oldhand_desk::failure::Outcome {
    let layout = desk.layout()?;
    let config = std::fs::read_to_string(layout.config()).unwrap_or_default();
    let repository = id_in(&config).ok_or_else(|| {
        let message = "the repository has no id yet, by which a server knows it";
        Fail::usage(message, "push it first: `oldhand-team sync push`")
    })?;
    let server = reach.server(desk)?;
    let path = format!("/v1/sync/{}", encoded(&repository));
    let mut pulled = Vec::new();
    let mut after = 0;
    loop {
        let Changes { changes } = server.get(&format!("{path}/changes?after={after}"))?;
        let Some(last) = changes.last() else { break };
        after = last.seq;
        let done = desk.work(|engine| {
            changes
                .iter()
                .map(|change| take(engine, &repository, change))
                .collect::<Result<Vec<_>, _>>()
        })?;
        report(&server, &path, &done)?;
        pulled.extend(done);
    }
    let is_clean = pulled.iter().all(|it| matches!(it.outcome, "written" | "there"));
    let answer = PullAnswer { changes: pulled };
    match desk.flags.json {
        true => io.json("sync-pull", &answer)?,
        false => io.text(&described(&answer))?,
    }
    Ok(if is_clean { DONE } else { FINDING })
}

fn described(answer: &PullAnswer) -> String {
    if answer.changes.is_empty() {
        return "nothing waits for this repository\n".to_owned();
    }
    let mut text = String::new();
    for Pulled { kind, memories, outcome, note, .. } in &answer.changes {
        let about = memories.join("`, `");
        let note = if note.is_empty() { String::new() } else { format!(": {note}") };
        text.push_str(&format!("{outcome}: {kind} `{about}`{note}\n"));
    }
    text
}

fn report(server: &Server, path: &str, done: &[Pulled]) -> Result<(), Fail> {
    let outcomes = done.iter().map(|it| {
        let outcome = if it.outcome == "there" { "written" } else { it.outcome };
        Outcome { seq: it.change, outcome: outcome.to_owned(), note: it.note.clone() }
    });
    let outcomes = Outcomes { outcomes: outcomes.collect() };
    server.post::<Hashes>(&format!("{path}/outcomes"), &outcomes)?;
    Ok(())
}

/// An error ends all: what was written is found in the log the next time.
fn take(engine: &Engine<'_>, repository: &str, change: &Change) -> Result<Pulled, Fail> {
    let batch = batch_of(repository, change.seq);
    let first = change.body.events.first();
    let via = first.map_or(Via::Unknown, |event| event.via.clone());
    let by = first.map_or("somebody", |event| event.by.as_str());
    let is_person = via.is_person();
    let engine = Engine { batch: Some(&batch), via: &via, by, is_person, ..*engine };
    let files: Vec<Incoming<'_>> = change
        .body
        .files
        .iter()
        .map(|file| Incoming {
            path: &file.path,
            id: &file.id,
            before: file.before.as_deref(),
            after: file.after.as_deref(),
        })
        .collect();
    let (outcome, note) = match engine.exchange().take_in(&files, &change.body.events) {
        Ok(done) => match settled(&engine, done) {
            (TakenIn::Written, notes) => ("written", notes.join("; ")),
            (TakenIn::There, _) => ("there", String::new()),
            (TakenIn::Stale(path), _) => {
                ("stale", format!("`{path}` has changed since; decide again"))
            }
        },
        Err(Failure::Stopped(stop)) => {
            ("stopped", format!("the gate stopped it; it waits as `{}`", stop.pending.id))
        }
        Err(Failure::Refused(refusal)) => ("refused", refusal.message),
        Err(Failure::Store(error)) if error.kind == StoreErrorKind::Conflict => {
            ("stale", format!("`{}` has changed since; decide again", error.path.display()))
        }
        Err(failure) => return Err(failure.into()),
    };
    let mut memories: Vec<String> = change.body.files.iter().map(|file| file.id.clone()).collect();
    if memories.is_empty() {
        memories.extend(change.body.events.iter().map(|event| event.memory.clone()));
    }
    memories.sort();
    memories.dedup();
    Ok(Pulled { change: change.seq, kind: change.kind.clone(), memories, outcome, note })
}
