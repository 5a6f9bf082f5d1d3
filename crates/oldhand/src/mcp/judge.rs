//! `check` and `feedback`: what a proposal clashes with, and what came of using a memory.

use oldhand_app::gate::Proposal;
use oldhand_app::usage::{Use, Used};
use oldhand_app::wire::agent::{CheckedProposal, RecordedUse};
use oldhand_core::event::Effect;
use oldhand_text::strings::shorten;
use oldhand_text::time::format_day;

use super::prelude::*;
use super::table::EFFECTS;

/// An agent reverses nothing by itself.
const WAYS_ON: &str =
    "follow what was decided, or ask the person; a write that clashes is stopped\n";

impl MemoryServer {
    pub(super) fn check(&self, call: &Call<'_>, desk: &Desk<'_>) -> Result<ToolAnswer, Fail> {
        let args = Args::of(call)?;
        let text = args.needed("proposal", "what you are about to decide, in a sentence")?;
        let mut proposal = Proposal::of_text(text);
        proposal.paths.extend(args.texts("paths")?);
        if let Some(domain) = args.text("domain")? {
            proposal.domain = Some(domain.to_owned());
        }
        if proposal.statement.is_empty() {
            return Err(Problem::new("proposal", "a sentence that settles something", text)
                .with_fix("say what shall be done, for example: Use PostgreSQL for storage")
                .into());
        }
        desk.work(|engine| {
            let judged = engine.gate().check(&proposal)?;
            let mut text = judged.report(&proposal, WAYS_ON);
            judged.notes().for_each(|note| text.push_str(&format!("warning: {note}\n")));
            Ok(ToolAnswer::of(
                AgentText::lines(&text),
                &CheckedProposal::of(&judged, WAYS_ON.trim_end()),
            ))
        })
    }

    pub(super) fn feedback(&self, call: &Call<'_>, desk: &Desk<'_>) -> Result<ToolAnswer, Fail> {
        let args = Args::of(call)?;
        let id = args.needed("id", "the id of the memory that was used")?;
        let said = args.choice("effect", EFFECTS)?.ok_or_else(|| {
            Problem::new("effect", &format!("one of {}", EFFECTS.join(", ")), "nothing")
                .with_fix("call again with `effect`")
        })?;
        let effect = Effect::parse(said)?;
        let with = args.text("with")?;
        if with.is_some() && effect != Effect::Contradiction {
            return Err(Problem::new("effect", "`contradiction` beside `with`", said)
                .with_fix("leave `with` out, or say `contradiction`")
                .into());
        }
        // One connection is one piece of work, where nobody says which.
        let task = args.text("task")?.map(str::to_owned);
        let task = task.or_else(|| desk.current_task(None));
        // The stateless protocol knows no connection: a day of one client is one piece of work.
        let day = || format!("mcp-{}-{}", shorten(&call.caller.client, 40), format_day(desk.now));
        let task = task.or_else(|| call.caller.connection.clone()).unwrap_or_else(day);
        let one = Use {
            effect,
            task: &task,
            role: self.agent_of(call.caller).unwrap_or(&call.caller.client),
            surface: None,
            followup: None,
            notes: args.text("note")?.unwrap_or_default(),
        };
        desk.work_on(id, |engine| {
            let (used, notes) = settled(engine, engine.upkeep().use_memory(id, with, &one)?);
            let line = |one: &Used| {
                let (id, state, trust) = (&one.memory.id, one.state_line(), one.signals.trust);
                format!("{}: {id} is {state}, trust {trust}\n", one.effect)
            };
            let mut text = AgentText::lines(&used.iter().map(line).collect::<String>());
            text.push(&notes_text(&notes));
            Ok(ToolAnswer::of(text, &RecordedUse::of_all(&used)))
        })
    }
}
