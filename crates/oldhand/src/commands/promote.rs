//! `oldhand promote`: one state up.

use oldhand_app::Done;
use oldhand_app::promote::{Promoted, PromotionRequest};
use oldhand_core::reviewer::Role;
use oldhand_core::state::State;
use oldhand_text::time::format_day;
use wire::pending::PromotedMemory;

use super::prelude::*;

pub(super) fn run(args: &PromoteArgs, desk: &Desk<'_>, io: &mut Io<'_>) -> Outcome {
    let role = args.role.as_deref().map(Role::parse).transpose()?;
    let to = args.to.as_deref().map(State::parse).transpose()?;
    desk.work(|engine| {
        let ask = PromotionRequest {
            approver: engine.is_person.then_some(engine.by),
            role,
            reason: &args.reason,
            incidents: args.incidents,
            to,
        };
        judge(engine, engine.life().promote(&args.name, &ask)?, "promote", desk, io)
    })
}

/// Tells what came of a promotion or a review. What waits is no failure of the command, and not
/// what was asked for either.
pub(super) fn judge(
    engine: &Engine<'_>,
    done: Done<'_, Promoted>,
    schema: &str,
    desk: &Desk<'_>,
    io: &mut Io<'_>,
) -> Outcome {
    acknowledge(engine, io, done, |promoted, io| {
        desk.print(io, schema, PromotedMemory::of(&promoted), || text(&promoted))?;
        Ok(if matches!(promoted, Promoted::Moved(_)) { DONE } else { FINDING })
    })
}

fn text(promoted: &Promoted) -> String {
    match promoted {
        Promoted::Moved(memory) => {
            // What is put away has no date to be looked at.
            let due = memory.review_after.filter(|_| memory.state.is_served());
            let due = due.map(format_day).unwrap_or_default();
            let facts = facts(&[("id", memory.id.to_string()), ("look again", due)]);
            format!("{}: {}\n{facts}", memory.state, visible_line(&memory.title))
        }
        Promoted::Waiting { memory, pending, missing } => {
            let facts = facts(&[
                ("id", memory.id.to_string()),
                ("state", memory.state.to_string()),
                ("missing", missing.clone()),
                ("request", pending.id.to_string()),
            ]);
            format!("waits: {}\n{facts}", visible_line(&memory.title))
        }
    }
}
