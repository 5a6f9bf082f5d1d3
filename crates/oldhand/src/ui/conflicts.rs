//! Conflicts: what waits in `pending/`, and what the log says was settled.

use jiff::Timestamp;
use oldhand_app::settled::SettledConflict;
use oldhand_app::wire::pending::{ConflictList, PendingList, SettledMatter};
use oldhand_core::pending::{Against, Matter, Pending};
use oldhand_ui::house::conflicts::{Conflict, Conflicts, ConflictsPage, Settled, Side};
use oldhand_ui::house::{Answer, Named};

use super::house::{Household, moment};
use super::values::json_text;
use oldhand_desk::failure::Fail;

const OPEN_SHOWN: usize = 40;
const SETTLED_SHOWN: usize = 50;

impl ConflictsPage for Household {
    fn conflicts(&self) -> Answer<Conflicts> {
        self.at_desk(|desk| {
            desk.work(|engine| {
                let (waiting, odd) = engine.gate().pending_list()?;
                let found = || Ok(engine.gate().settled_conflicts(SETTLED_SHOWN)?);
                let settled = self.worked_out("conflicts", desk, "", found)?;
                let shown = |it: Conflict| {
                    let hash = engine.gate().get_pending(&it.id)?.1.hash.to_string();
                    Ok(Conflict { hash, ..it })
                };
                let open = waiting.iter().filter_map(|it| conflict(it, desk.now));
                let more = open.clone().count().saturating_sub(OPEN_SHOWN);
                let open = open.take(OPEN_SHOWN).map(shown);
                Ok(Conflicts {
                    open: open.collect::<Result<_, Fail>>()?,
                    more,
                    settled: settled.iter().map(|it| told(it, desk.now)).collect(),
                    odd,
                })
            })
        })
    }

    fn conflicts_json(&self) -> Answer<String> {
        self.at_desk(|desk| {
            desk.work(|engine| {
                let (mut waiting, odd) = engine.gate().pending_list()?;
                waiting.retain(|it| matches!(it.matter, Matter::Conflict { .. }));
                let settled = engine.gate().settled_conflicts(SETTLED_SHOWN)?;
                let settled = settled.iter().map(SettledMatter::of).collect();
                let open = PendingList::of(&waiting, &odd);
                json_text("conflicts", ConflictList { open, settled })
            })
        })
    }
}

/// None for a request for an approval.
fn conflict(pending: &Pending, now: Timestamp) -> Option<Conflict> {
    let Matter::Conflict { title, against, .. } = &pending.matter else { return None };
    let side = |it: &Against| Side {
        against: Named { id: it.id.clone(), title: it.title.clone() },
        date: it.date.clone(),
        why: it.why.clone(),
        ours: it.ours.clone(),
        theirs: it.theirs.clone(),
    };
    Some(Conflict {
        id: pending.id.to_string(),
        at: moment(pending.at, now),
        by: pending.via.beside(&pending.by),
        title: title.clone(),
        sides: against.iter().map(side).collect(),
        hash: String::new(),
    })
}

fn told(settled: &SettledConflict, now: Timestamp) -> Settled {
    Settled {
        at: moment(settled.at, now),
        by: settled.by.clone(),
        outcome: settled.outcome.clone(),
        reason: settled.reason.clone(),
        conflict: settled.pending.as_ref().and_then(|it| conflict(it, now)),
        id: settled.id.clone(),
    }
}
