//! `oldhand handoff`: work goes to another role with everything that it needs, or not at all.

use oldhand_app::handoff::Handoff;
use oldhand_app::usage::refuse_bad_task;
use oldhand_app::written::Written;
use oldhand_core::policy::HANDOFF_EXCHANGES_MAX;
use oldhand_text::agent_text::AgentText;
use wire::work::HandoffAnswer;

use super::prelude::*;
use super::said;
use oldhand_desk::closing::{Closing, WorkQuery};
use oldhand_desk::desk::SOMEBODY;

pub(super) fn run(args: &HandoffArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let to = said::role("--to", &args.to)?;
    let from = args.from.as_deref().map(|from| said::role("--from", from)).transpose()?;
    let said = said::summary(&args.said)?;
    let session = args.said.session.as_deref();
    let task = args.task.clone().or_else(|| desk.current_task(session));
    let task = task.as_deref();
    task.map_or(Ok(()), refuse_bad_task)?;
    desk.work(|engine| {
        // "From somebody" tells the next one nothing: then it is asked for.
        let by = || Some(engine.by).filter(|by| *by != SOMEBODY).unwrap_or_default().to_owned();
        let query = WorkQuery { task, since: args.said.since.as_deref(), session };
        let closing = Closing::look(query, desk, engine)?;
        let handoff = Handoff::of(task, (from.unwrap_or_else(by), to), said, &closing.work)?;
        if is_compaction_due(&closing) {
            io.note("note", "compaction is due before a handoff: oldhand compact");
        }
        let completion = handoff.completion(desk.origin(None)?);
        if args.said.dry_run {
            engine.preview().sessions().complete(&completion)?;
            let answer = HandoffAnswer::of(&handoff, None);
            return desk.print(io, "handoff", answer, || text(&handoff, None));
        }
        let done =
            acknowledge(engine, io, engine.sessions().complete(&completion)?, |done, io| {
                let written = Some(&done.summary);
                let answer = HandoffAnswer::of(&handoff, written);
                desk.print(io, "handoff", answer, || text(&handoff, written))?;
                Ok(done)
            })?;
        done.summary.warnings.iter().for_each(|warning| io.note("warning", warning));
        Ok(DONE)
    })
}

/// R163: what was only said in a long conversation is not in the artifact.
fn is_compaction_due(closing: &Closing<'_>) -> bool {
    let state = closing.session.as_ref().map(|it| it.state()).unwrap_or_default();
    let is_long = |exchanges: usize| exchanges > HANDOFF_EXCHANGES_MAX;
    let has_none = closing.work.compacted.is_none();
    is_long(state.compaction.prompts) || has_none && is_long(closing.work.working.exchanges)
}

fn text(handoff: &Handoff<'_>, written: Option<&Written>) -> String {
    let of = handoff.task.map(|task| format!(" of {task}")).unwrap_or_default();
    let (from, to) = (visible_line(&handoff.from), visible_line(&handoff.to));
    let body = AgentText::body(&handoff.summary.render());
    let end = match written {
        Some(it) => format!("handoff: {} ({})\n", it.memory.id, it.action.as_str()),
        None => "nothing was written\n".to_owned(),
    };
    format!("# Handoff{of} from {from} to {to}\n\n{body}\n{end}")
}
