//! Answers about what waits for a person.

use oldhand_core::pending::Vote;

use crate::pending::Resolved;
use crate::prelude::*;
use crate::promote::Promoted;
use crate::settled::SettledConflict;

/// What a person can do about a conflict.
pub(super) const WAYS_ON: [&str; 3] = ["follow", "supersede", "keep_both"];

answers! {
    /// `pending`
    PendingList<'a>(waiting: &'a [Pending], unreadable: &'a [String]) {
        pending: Vec<PendingMatter<'a>> = waiting.iter().map(PendingMatter::of).collect(),
        unreadable: &'a [String] = unreadable,
    }

    /// Conflicts that wait, and conflicts that were settled, the newest first.
    ConflictList<'a> {
        open: PendingList<'a>,
        settled: Vec<SettledMatter<'a>>,
    }

    SettledMatter<'a>(settled: &'a SettledConflict) {
        at: String = format_instant(settled.at),
        pending: &'a str = &settled.id,
        by: &'a str = &settled.by,
        /// `follow`, `supersede` or `keep_both`.
        outcome: &'a str = &settled.outcome,
        reason: &'a str = &settled.reason,
        /// As it was; null where its text is no longer kept.
        matter: Option<PendingMatter<'a>> = settled.pending.as_ref().map(PendingMatter::of),
    }

    /// The same object wherever something that waits is told.
    PendingMatter<'a>(pending: &'a Pending) {
        pending: &'a str = pending.id.as_str(),
        by: &'a str = &pending.by,
        via: String = pending.via.to_string(),
        at: String = format_instant(pending.at),
        #[serde(flatten)]
        matter: MatterDetails<'a> = MatterDetails::of(&pending.matter),
    }
}

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum MatterDetails<'a> {
    Conflict {
        action: &'a str,
        memory: &'a str,
        title: &'a str,
        conflicts: Vec<PendingConflict<'a>>,
        options: [&'static str; 3],
    },
    Approval {
        memory: &'a str,
        to: &'a str,
        reason: &'a str,
        approvals: Vec<Approval<'a>>,
    },
}

impl<'a> MatterDetails<'a> {
    fn of(matter: &'a Matter) -> Self {
        match matter {
            Matter::Conflict { action, memory, title, against, .. } => Self::Conflict {
                action: action.as_str(),
                memory,
                title,
                conflicts: against.iter().map(PendingConflict::of).collect(),
                options: WAYS_ON,
            },
            Matter::Approval { memory, to, reason, votes } => Self::Approval {
                memory,
                to: to.as_str(),
                reason,
                approvals: votes.iter().map(Approval::of).collect(),
            },
        }
    }
}

answers! {
    PendingConflict<'a>(against: &'a Against) {
        id: &'a str = &against.id,
        title: &'a str = &against.title,
        date: &'a str = &against.date,
        why: &'a str = &against.why,
        decided: &'a str = &against.theirs,
        proposed: &'a str = &against.ours,
    }

    Approval<'a>(vote: &'a Vote) {
        by: &'a str = &vote.by,
        role: &'a str = &vote.role,
        at: String = format_instant(vote.at),
    }

    /// `resolve`
    ResolvedMatter<'a>(resolved: &'a Resolved) {
        pending: &'a str = resolved.pending.id.as_str(),
        resolution: &'a str = resolved.resolution.as_str(),
        memory: Option<&'a str> = resolved.memory.as_ref().map(|it| it.id.as_str()),
        superseded: &'a [String] = &resolved.superseded,
    }
}

/// `promote`, and a decision of `review`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "action", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PromotedMemory<'a> {
    Moved { id: &'a str, state: &'a str, review_after: Option<String> },
    Waiting { id: &'a str, state: &'a str, missing: &'a str, request: Box<PendingMatter<'a>> },
}

impl<'a> PromotedMemory<'a> {
    pub fn of(promoted: &'a Promoted) -> Self {
        match promoted {
            Promoted::Moved(memory) => Self::Moved {
                id: memory.id.as_str(),
                state: memory.state.as_str(),
                review_after: memory.review_after.map(format_instant),
            },
            Promoted::Waiting { memory, pending, missing } => Self::Waiting {
                id: memory.id.as_str(),
                state: memory.state.as_str(),
                missing,
                request: Box::new(PendingMatter::of(pending)),
            },
        }
    }
}
