//! `oldhand handoff`: work goes to another role with everything that it needs, or not at all.

use oldhand_app::complete::{Completion, Telling};
use oldhand_app::create::Written;
use oldhand_app::usage::refuse_bad_task;
use oldhand_core::kind::Kind;
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::policy::HANDOFF_EXCHANGES_MAX;
use oldhand_core::refusal::Refusal;
use oldhand_core::yaml::Yaml;
use oldhand_sessions::completion::Ending;
use oldhand_sessions::completion::handoff::missing;
use oldhand_sessions::summary::Summary;
use oldhand_text::agent_text::AgentText;
use oldhand_text::strings::visible_line;
use serde_json::{Map, Value, json};

use crate::cli::HandoffArgs;
use crate::closing::{self, Ask, Closing, content_json};
use crate::desk::{Desk, SOMEBODY, acknowledge};
use crate::failure::{DONE, Outcome};
use crate::printer::Io;
use crate::session::Session;

/// What is handed over, complete.
struct Handoff {
    task: Option<String>,
    from: String,
    to: String,
    summary: Summary,
    closing: Closing,
}

pub(super) fn run(args: &HandoffArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let to = closing::role("--to", &args.to)?;
    let from = args.from.as_deref().map(|from| closing::role("--from", from)).transpose()?;
    let mut said = closing::said(&args.said)?;
    let current = || desk.current_task(args.said.session.as_deref());
    let task = args.task.clone().or_else(current);
    if let Some(task) = &task {
        refuse_bad_task(task)?;
    }
    desk.work(|engine| {
        // "From somebody" tells the next one nothing: then it is asked for.
        let by = || Some(engine.by).filter(|by| *by != SOMEBODY).unwrap_or_default().to_owned();
        let from = from.unwrap_or_else(by);
        said.set_text("handoff_from", &from);
        said.set_text("handoff_to", &to);
        if said.text("outcome").is_empty() {
            said.set_text("outcome", Ending::Partial.as_str());
        }
        let ask = Ask {
            task: task.as_deref(),
            since: args.said.since.as_deref(),
            session: args.said.session.as_deref(),
        };
        let closing = Closing::look(ask, desk, engine)?;
        // The name of a task tells nobody what it is for.
        let mut summary = closing.fill(said, None, "");
        refuse_incomplete(&summary)?;
        closing.add_branch(&mut summary);
        say_compaction(&closing, io);
        let handoff = Handoff { task, from, to, summary, closing };
        handoff.complete(desk, |work| {
            if args.said.dry_run {
                engine.preview_complete(work)?;
                tell(&handoff, None, desk, io)?;
                return Ok(DONE);
            }
            let done = acknowledge(engine, io, engine.complete(work)?, |done, io| {
                tell(&handoff, Some(&done.summary), desk, io)
            })?;
            done.summary.warnings.iter().for_each(|warning| io.note("warning", warning));
            Ok(DONE)
        })
    })
}

fn refuse_incomplete(summary: &Summary) -> Result<(), Refusal> {
    let missing = missing(summary);
    let what = match missing.as_slice() {
        [] => return Ok(()),
        [only] => only.to_string(),
        many => format!("{} fields are missing", many.len()),
    };
    let mut refusal = Refusal::invalid(missing);
    refusal.message = format!("the handoff is not complete: {what}");
    Err(refusal)
}

/// R163: what was only said in a long conversation is not in the artifact.
fn say_compaction(closing: &Closing, io: &mut Io<'_>) {
    let state = closing.session.as_ref().map(Session::state).unwrap_or_default();
    let is_long = |exchanges: usize| exchanges > HANDOFF_EXCHANGES_MAX;
    let has_none = closing.compacted.is_none();
    if is_long(state.prompts_since_compaction) || has_none && is_long(closing.working.exchanges) {
        io.note("note", "compaction is due before a handoff: oldhand compact");
    }
}

impl Handoff {
    /// Hands over what the engine is to write.
    fn complete(&self, desk: &Desk<'_>, job: impl FnOnce(&Completion<'_>) -> Outcome) -> Outcome {
        let Self { task, to, summary, closing, .. } = self;
        let goal = visible_line(summary.text("goal"));
        let (about, title) = match task {
            Some(task) => (task.as_str(), format!("Handoff {task} to {to}: {goal}")),
            None => (goal.as_str(), format!("Handoff to {to}: {goal}")),
        };
        let mut draft = closing.draft(summary, &title, task.as_deref());
        draft.set("tags", Yaml::list(&["handoff", "session"]));
        job(&Completion {
            tell: &|_| Ok(Telling { draft: draft.clone(), end: None, lessons: None }),
            id: MemoryId::of_title(&format!("handoff {about} to {to}")),
            is_same: &|memory| is_same(memory, self),
            origin: desk.origin(None)?,
            ends_once: false,
        })
    }
}

/// The same work between the same two.
fn is_same(memory: &Memory, handoff: &Handoff) -> bool {
    let text = |name: &str| memory.content.text(name).unwrap_or_default();
    let is_same_work = match &handoff.task {
        Some(task) => memory.evidence.contains(&format!("task:{task}")),
        None => text("goal") == handoff.summary.text("goal"),
    };
    memory.kind == Kind::SessionSummary
        && text("handoff_from") == handoff.from
        && text("handoff_to") == handoff.to
        && is_same_work
}

fn tell(
    handoff: &Handoff,
    written: Option<&Written>,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> std::io::Result<()> {
    if desk.flags.json {
        return io.json("handoff", to_json(handoff, written));
    }
    let Handoff { task, from, to, summary, .. } = handoff;
    let of = task.as_ref().map(|task| format!(" of {task}")).unwrap_or_default();
    let (from, to) = (visible_line(from), visible_line(to));
    io.text(&format!("# Handoff{of} from {from} to {to}\n\n"))?;
    io.text(&format!("{}\n", AgentText::body(&summary.render())))?;
    match written {
        Some(it) => io.text(&format!("handoff: {} ({})\n", it.memory.id, it.action.as_str())),
        None => io.text("nothing was written\n"),
    }
}

fn to_json(handoff: &Handoff, written: Option<&Written>) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("from".into(), json!(handoff.from));
    object.insert("to".into(), json!(handoff.to));
    object.insert("task".into(), json!(handoff.task));
    object.insert("action".into(), json!(written.map(|it| it.action.as_str())));
    object.insert("id".into(), json!(written.map(|it| it.memory.id.as_str())));
    object.insert("path".into(), json!(written.map(|it| it.path.as_str())));
    object.insert("summary".into(), content_json(&handoff.summary));
    object.insert("markdown".into(), json!(handoff.summary.render()));
    handoff.closing.code_json(&mut object);
    object.insert("dry_run".into(), json!(written.is_none()));
    object
}
