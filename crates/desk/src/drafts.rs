//! Capture with the agent at hand: what it is handed, and how its drafts are taken in.

pub mod handover;
pub mod save;

use oldhand_store::failure::Failure;

use crate::failure::Fail;

/// What a write came to, with its leftovers: what it did, or why a rule said no. Trouble with the disk
/// or the lock is neither, and ends what was begun: nothing is ticked off.
pub fn written<T>(
    done: Result<oldhand_app::Done<'_, T>, Failure>,
) -> Result<Result<T, String>, Fail> {
    match done {
        Ok(done) => {
            if let Some(pending) = done.pending {
                pending.settle();
            }
            Ok(Ok(done.answer))
        }
        Err(failure @ Failure::Store(_)) => Err(failure.into()),
        // A refusal is an answer like any other: it goes to the log and bothers nobody.
        Err(Failure::Refused(refusal)) => Ok(Err(refusal.to_string())),
        Err(Failure::Stopped(stop)) => {
            let pending = &stop.pending;
            Ok(Err(format!("{} (`oldhand pending {}`)", pending.headline(), pending.id)))
        }
    }
}
