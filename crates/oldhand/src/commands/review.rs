//! `oldhand review`: what waits for a judgement. With a terminal one memory at a time, without one
//! a list; or one decision by flags.

mod inbox;

use oldhand_app::Engine;
use oldhand_app::review::{Cause, Decision, Inbox, Item};
use oldhand_app::transfer::signals_json;
use oldhand_core::event::Verdict;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_store::failure::Failure;
use oldhand_store::port::Stored;
use oldhand_text::problem::Problem;
use oldhand_text::strings::{counted, visible, visible_line};
use serde_json::{Map, Value, json};

use super::pending::pending_json;
use super::promote::{exit_of, role, tell};
use super::written::Words;
use crate::cli::ReviewArgs;
use crate::desk::{Desk, acknowledge};
use crate::failure::{DONE, Outcome};
use crate::format::columns;
use crate::printer::Io;

pub(super) fn run(args: &ReviewArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    if args.archive {
        return archive(desk, io);
    }
    match &args.name {
        Some(name) if args.request => desk.work(|engine| {
            let mut words = Words::new("review", "under review");
            words.hint = Some(format!("`oldhand review {name} --decision …` ends it"));
            super::written::tell(
                engine,
                desk,
                io,
                engine.request_review(name, &args.reason)?,
                &words,
            )
        }),
        Some(name) if args.decision.is_some() => decide(name, args, desk, io),
        None if args.decision.is_some() || args.request => {
            let fix = "name one, as in `oldhand review <id> --decision keep --reason \"…\"`";
            Err(Problem::new("name", "the id of a memory", "nothing").with_fix(fix).into())
        }
        name => desk.work(|engine| {
            let mut inbox = match name {
                Some(name) => only(engine.get(name)?, engine)?,
                None => Queue::of(engine.inbox()?),
            };
            if desk.env.interactive && engine.is_person && !desk.flags.json {
                return inbox::go_through(&mut inbox, engine, desk, io);
            }
            list(&mut inbox, args.limit, engine, desk, io)
        }),
    }
}

/// What is to be looked at: the inbox, or the one that was named.
struct Queue {
    inbox: Inbox,
    named: Option<Item>,
}

impl Queue {
    fn of(inbox: Inbox) -> Self {
        Self { inbox, named: None }
    }

    fn len(&self) -> usize {
        self.inbox.waiting.len() + usize::from(self.named.is_some())
    }

    /// Opened when its turn comes; `None` when somebody has settled it meanwhile.
    fn item(&mut self, at: usize, engine: &Engine<'_>) -> Result<Option<Item>, Failure> {
        match self.named.take() {
            Some(item) => Ok(Some(item)),
            None => engine.item(&mut self.inbox, at),
        }
    }
}

fn only(stored: Stored, engine: &Engine<'_>) -> Result<Queue, Failure> {
    let id = stored.memory.id.clone();
    let named = engine.item_of(stored)?;
    if named.is_none() {
        let message = format!("`{id}` does not wait for a review");
        return Err(Refusal::new(Code::State, message)
            .with_hint(format!("`oldhand review {id} --request --reason \"…\"` asks for one"))
            .into());
    }
    Ok(Queue { inbox: Inbox::default(), named })
}

fn decide(name: &str, args: &ReviewArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let verdict = Verdict::parse(args.decision.as_deref().unwrap_or_default())?;
    let role = role(args.role.as_deref())?;
    desk.work(|engine| {
        let decision = Decision {
            verdict,
            reason: &args.reason,
            role,
            guidance: args.guidance.as_deref(),
            successor: args.by_memory.as_deref(),
            approver: engine.is_person.then_some(engine.by),
        };
        apply(name, &decision, engine, desk, io)
    })
}

fn apply(
    name: &str,
    decision: &Decision<'_>,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let done = engine.review(name, decision)?;
    let promoted = acknowledge(engine, io, done, |promoted, io| {
        tell(promoted, "review", desk.flags.json, io)
    })?;
    Ok(exit_of(&promoted))
}

fn list(
    queue: &mut Queue,
    limit: usize,
    engine: &Engine<'_>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    let waiting = queue.len();
    let shown = if limit == 0 { waiting } else { waiting.min(limit) };
    let mut items = Vec::with_capacity(shown);
    for at in 0..shown {
        items.extend(queue.item(at, engine)?);
    }
    let inbox = &queue.inbox;
    if desk.flags.json {
        io.json("review", to_json(inbox, &items, waiting))?;
        return Ok(DONE);
    }
    for what in &inbox.odd {
        io.note("warning", &format!("can't be read: {what}"));
    }
    if inbox.pending.is_empty() && waiting == 0 {
        io.text("nothing waits for a review\n")?;
        return Ok(DONE);
    }
    let mut rows: Vec<Vec<String>> = inbox
        .pending
        .iter()
        .map(|one| {
            vec![
                "pending".to_owned(),
                one.id.to_string(),
                visible_line(&one.via.beside(&one.by)),
                visible_line(&one.headline()),
            ]
        })
        .collect();
    rows.extend(items.iter().map(|item| {
        let memory = &item.stored.memory;
        // Why it rose or was kept is over; why it waits is not.
        let waits = matches!(item.cause, Cause::UnderReview | Cause::Candidate);
        let reason = memory.state_reason.as_deref().filter(|_| waits);
        let reason = reason.map(|it| format!(" ({it})"));
        vec![
            item.cause.as_str().to_owned(),
            memory.id.to_string(),
            format!("trust {}, {}", item.signals.trust, item.role),
            visible_line(&format!("{}{}", memory.title, reason.unwrap_or_default())),
        ]
    }));
    io.text(&columns(&rows))?;
    if shown < waiting {
        let all = counted(waiting, "memory", "memories");
        io.text(&format!("{shown} of {all} shown; `--limit 0` shows all\n"))?;
    }
    if let Some(item) = items.first() {
        let id = &item.stored.memory.id;
        io.text(&format!("hint: `oldhand review {id} --decision … --reason \"…\"` decides\n"))?;
    }
    Ok(DONE)
}

fn to_json(inbox: &Inbox, items: &[Item], total: usize) -> Map<String, Value> {
    let pending: Vec<Value> =
        inbox.pending.iter().map(|one| Value::Object(pending_json(one))).collect();
    let items: Vec<Value> = items.iter().map(item_json).collect();
    let mut object = Map::new();
    object.insert("pending".into(), Value::Array(pending));
    object.insert("items".into(), Value::Array(items));
    object.insert("total".into(), json!(total));
    object.insert("unreadable".into(), json!(inbox.odd));
    object
}

pub(crate) fn item_json(item: &Item) -> Value {
    let memory = &item.stored.memory;
    json!({
        "id": memory.id.as_str(),
        "title": memory.title,
        "type": memory.kind.as_str(),
        "cause": item.cause.as_str(),
        "since": item.since.map(oldhand_text::time::format_instant),
        "state": memory.state,
        "reason": memory.state_reason,
        "reviewer": item.role,
        "evidence": memory.evidence,
        "conflicts_with": memory.conflicts_with,
        "signals": signals_json(&item.signals),
    })
}

/// R129: active and archived decisions in full.
fn archive(desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let done = engine.archive_review()?;
        acknowledge(engine, io, done, |all, io| {
            if desk.flags.json {
                let decisions: Vec<Value> = all
                    .iter()
                    .map(|it| {
                        json!({"id": it.memory.id.as_str(), "state": it.memory.state,
                               "record_status": it.memory.record_status(), "markdown": it.text})
                    })
                    .collect();
                let mut object = Map::new();
                object.insert("decisions".into(), Value::Array(decisions));
                return io.json("review", object);
            }
            for stored in all {
                io.text(&format!("=== {} [{}]\n", stored.path, stored.memory.state))?;
                io.text(&visible(&stored.text))?;
                io.text("\n")?;
            }
            let away = all.iter().filter(|it| !it.memory.is_active()).count();
            let count = counted(all.len(), "decision", "decisions");
            io.text(&format!(
                "{count}, {away} put away; `oldhand archive <id> --reason \"…\"` puts one away\n"
            ))
        })?;
        Ok(DONE)
    })
}
