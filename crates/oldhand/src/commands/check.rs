//! `oldhand check`: does a proposal clash with what was decided? Nothing is written.

use oldhand_app::gate::{CheckVerdict, Proposal};
use oldhand_core::policy::MEMORY_BYTES_MAX;

use super::prelude::*;

pub(super) fn run(args: &CheckArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
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
        desk.print(io, "check", wire::check::Check::of(&proposal, &judged), || {
            judged.report(&proposal, &judged.ways_on())
        })?;
        desk.remark(io, "warning", judged.notes());
        Ok(match judged.verdict() {
            CheckVerdict::Clear => DONE,
            CheckVerdict::Conflict => FINDING,
            CheckVerdict::Unknown => TROUBLE,
        })
    })
}
