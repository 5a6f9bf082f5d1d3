//! `oldhand check`: does a proposal clash with what was decided? `oldhand pending`: what waits for a
//! person; `oldhand resolve`: a person settles it.

use oldhand_app::gate::{CheckVerdict, Proposal};
use oldhand_app::pending::Resolution;
use oldhand_core::pending::Pending;
use oldhand_core::policy::MEMORY_BYTES_MAX;
use oldhand_screen::Screen;
use wire::pending::{PendingList, PendingMatter, ResolvedMatter};

use super::prelude::*;

pub(super) fn check(args: &CheckArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        let is_input = args.proposal == ["-"];
        let mut proposal = match args.from.as_deref().or(is_input.then_some("-")) {
            Some(source) => {
                let text = read_text(source, &desk.current_dir(), MEMORY_BYTES_MAX, io)?;
                Proposal::of_input(&text, args.from.is_some(), &engine.settings.kinds)?
            }
            None => Proposal::of_text(&args.proposal.join(" ")),
        };
        proposal.paths.extend(args.path.iter().cloned());
        proposal.domain = args.domain.clone().or(proposal.domain);
        if proposal.statement.is_empty() {
            return Err(Fail::usage(
                "could not judge: the proposal says nothing that could be compared",
                "say what you are about to decide, for example `oldhand check \"use MySQL\"`",
            ));
        }
        let judged = engine.gate().check(&proposal)?;
        let agent = || judged.report(&proposal, &judged.ways_on());
        let people = |screen: &Screen| people::check(&judged, &proposal, screen);
        desk.present(io, "check", wire::check::Check::of(&proposal, &judged), (agent, people))?;
        desk.remark(io, "warning", judged.notes());
        Ok(match judged.verdict() {
            CheckVerdict::Clear => DONE,
            CheckVerdict::Conflict | CheckVerdict::Judge => FINDING,
            CheckVerdict::Unknown => TROUBLE,
        })
    })
}

pub(super) fn pending(name: Option<&str>, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    desk.work(|engine| {
        if let Some(name) = name {
            let (pending, raw) = engine.gate().get_pending(name)?;
            let people = |screen: &Screen| screen.page(&pending.report());
            let agent = || visible(&raw.text);
            return desk.present(io, "pending", PendingMatter::of(&pending), (agent, people));
        }
        let (waiting, odd) = engine.gate().pending_list()?;
        odd.iter().for_each(|what| io.note("warning", &format!("can't be read: {what}")));
        desk.keep_list(waiting.iter().map(|one| one.id.as_str()));
        let people = |screen: &Screen| people::pending(&waiting, screen);
        let agent = || {
            let Some(first) = waiting.first() else {
                return if odd.is_empty() { "nothing waits\n".to_owned() } else { String::new() };
            };
            let row = |one: &Pending| {
                let by = visible_line(&one.via.beside(&one.by));
                [format_day(one.at), one.id.to_string(), by, visible_line(&one.headline())]
            };
            let hint = format!("hint: `oldhand pending {}` shows it and your options\n", first.id);
            table(waiting.iter().map(row)) + &hint
        };
        desk.present(io, "pending", PendingList::of(&waiting, &odd), (agent, people))
    })
}

pub(super) fn resolve(args: &ResolveArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    // R96: it is a person's name that stands for it, not whoever happens to be logged in.
    if desk.flags.by.as_deref().is_none_or(|by| by.trim().is_empty()) {
        return Err(Problem::new("by", "the name of the person who decides", "nothing")
            .with_fix("add `--by <name>`; nothing was changed")
            .into());
    }
    let (resolution, word) = match (args.follow, args.supersede) {
        (true, _) => (Resolution::Follow, "dropped"),
        (_, true) => (Resolution::Supersede, "reversed"),
        _ => (Resolution::KeepBoth, "kept both"),
    };
    desk.work(|engine| {
        let done = engine.gate().resolve(&args.name, resolution, &args.reason)?;
        acknowledge(engine, io, done, |resolved, io| {
            let memory = resolved.memory.as_ref();
            let facts = vec![
                ("by", engine.by.to_owned()),
                ("memory", memory.map(|it| it.id.to_string()).unwrap_or_default()),
                ("state", memory.map(|it| it.state.to_string()).unwrap_or_default()),
                ("superseded", resolved.superseded.join(", ")),
            ];
            let title = resolved.pending.headline();
            Deed { verb: word, title, memory, facts, ..Deed::default() }.tell(
                ("resolve", ResolvedMatter::of(&resolved)),
                desk,
                io,
            )
        })
    })
}
