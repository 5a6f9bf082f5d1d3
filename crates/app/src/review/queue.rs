//! The inbox as a queue: by cause in the order in which it is worked through, filtered, and the
//! first of it with their files.

use std::collections::BTreeSet;

use oldhand_core::pending::{Matter, Pending};
use oldhand_core::recall::card::Card;

use super::{Inbox, Item, Waiting};
use crate::context::Upkeep;
use crate::prelude::*;

/// As the inbox is worked through: what others wait for first, then what is quickly decided.
pub const CAUSES: [&str; 7] =
    ["conflict", "approval", "unrecorded", "under_review", "ready", "candidate", "review_due"];
/// Files that one page opens, when a filter asks for what no row of the index knows.
const OPENED_MAX: usize = 1_000;

/// What to show; what is not set limits nothing.
#[derive(Debug, Clone, Default)]
pub struct QueueFilter<'f> {
    pub cause: Option<&'f str>,
    pub kind: Option<&'f str>,
    pub role: Option<&'f str>,
    pub origin: Option<&'f str>,
    pub session: Option<&'f str>,
}

#[derive(Debug, Clone, Default)]
pub struct Queue {
    pub pending: Vec<Pending>,
    pub items: Vec<Item>,
    /// Items behind these.
    pub more: usize,
    /// What could be chosen: kinds of all, roles and origins of those that were opened.
    pub kinds: Vec<String>,
    pub roles: Vec<String>,
    pub origins: Vec<String>,
}

/// What waits for the same reason.
#[derive(Debug, Clone)]
pub struct CauseCount {
    pub cause: &'static str,
    pub count: usize,
    pub oldest: Option<Timestamp>,
}

pub fn pending_cause(pending: &Pending) -> &'static str {
    match pending.matter {
        Matter::Conflict { .. } => "conflict",
        Matter::Approval { .. } => "approval",
    }
}

impl Inbox {
    pub fn counts(&self) -> Vec<CauseCount> {
        let mut counts = CAUSES.map(|cause| CauseCount { cause, count: 0, oldest: None });
        let mut count = |cause: &str, since: Option<Timestamp>| {
            if let Some(one) = counts.iter_mut().find(|it| it.cause == cause) {
                one.count += 1;
                one.oldest = one.oldest.into_iter().chain(since).min();
            }
        };
        for pending in &self.pending {
            count(pending_cause(pending), Some(pending.at));
        }
        self.waiting.iter().for_each(|one| count(one.cause.as_str(), one.since));
        counts.into_iter().filter(|it| it.count > 0).collect()
    }
}

impl Upkeep<'_> {
    /// The first of the inbox that pass. `card` knows what the index knows of a memory.
    pub fn queue<'c>(
        &self,
        inbox: &mut Inbox,
        filter: &QueueFilter<'_>,
        limit: usize,
        card: impl Fn(&str) -> Option<&'c Card>,
    ) -> Result<Queue> {
        let mut queue = Queue::default();
        let narrows = [filter.kind, filter.role, filter.origin, filter.session];
        let asked = inbox.pending.iter().filter(|it| {
            narrows.iter().all(Option::is_none) && is(filter.cause, pending_cause(it))
        });
        queue.pending = asked.cloned().collect();
        let mut kinds: BTreeSet<&str> = BTreeSet::new();
        let mut wanted: Vec<(usize, usize)> = Vec::new();
        for (at, one) in inbox.waiting.iter().enumerate() {
            let known = || card(one.id());
            let kind = one.kind().or_else(|| known().map(|it| it.kind.as_str()));
            kinds.extend(kind);
            let cause = one.cause.as_str();
            let is_meant = is(filter.cause, cause)
                && kind.is_none_or(|kind| is(filter.kind, kind))
                && is_by_card(filter, known);
            if is_meant {
                wanted.push((CAUSES.iter().position(|it| *it == cause).unwrap_or(0), at));
            }
        }
        queue.kinds = kinds.into_iter().map(str::to_owned).collect();
        queue.more = (queue.pending.len() + wanted.len()).saturating_sub(limit);
        queue.pending.truncate(limit);
        wanted.sort_unstable();
        let (mut roles, mut origins) = (BTreeSet::new(), BTreeSet::new());
        let room = limit - queue.pending.len();
        for (opened, (_, at)) in wanted.iter().enumerate() {
            if queue.items.len() >= room || opened >= OPENED_MAX {
                queue.more = wanted.len() - opened;
                break;
            }
            let Some(item) = self.item(inbox, *at)? else { continue };
            roles.insert(item.role.as_str());
            origins.insert(item.stored.memory.origin.as_str());
            if is(filter.role, item.role.as_str()) {
                queue.items.push(item);
            }
        }
        queue.roles = roles.into_iter().map(str::to_owned).collect();
        queue.origins = origins.into_iter().map(str::to_owned).collect();
        Ok(queue)
    }
}

impl Waiting {
    /// `None` for a custom one.
    fn kind(&self) -> Option<&'static str> {
        self.listed.row.kind().map(Kind::as_str)
    }
}

fn is(wanted: Option<&str>, value: &str) -> bool {
    wanted.is_none_or(|it| it == value)
}

/// By what only a card knows; it is not looked up unless that is asked for.
fn is_by_card<'c>(filter: &QueueFilter<'_>, known: impl Fn() -> Option<&'c Card>) -> bool {
    if filter.origin.is_none() && filter.session.is_none() {
        return true;
    }
    known().is_none_or(|card| {
        is(filter.origin, card.origin.as_str())
            && is(filter.session, card.session.as_deref().unwrap_or_default())
    })
}
