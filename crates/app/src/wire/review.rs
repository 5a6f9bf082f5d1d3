//! Answers of `review`.

use super::memory::EarnedSignals;
use super::pending::PendingMatter;
use crate::prelude::*;
use crate::review::{Inbox, Item};

answers! {
    /// Everything that waits for a judgement.
    ReviewList<'a>(inbox: &'a Inbox, items: &'a [Item], total: usize) {
        pending: Vec<PendingMatter<'a>> = inbox.pending.iter().map(PendingMatter::of).collect(),
        items: Vec<ReviewItem<'a>> = items.iter().map(ReviewItem::of).collect(),
        total: usize = total,
        unreadable: &'a [String] = &inbox.odd,
    }

    ReviewItem<'a>(item: &'a Item) {
        id: &'a str = item.stored.memory.id.as_str(),
        title: &'a str = &item.stored.memory.title,
        r#type: &'a str = item.stored.memory.kind.as_str(),
        cause: &'a str = item.cause.as_str(),
        since: Option<String> = item.since.map(format_instant),
        state: &'a str = item.stored.memory.state.as_str(),
        reason: Option<&'a str> = item.stored.memory.state_reason.as_deref(),
        reviewer: &'a str = item.role.as_str(),
        evidence: &'a [String] = &item.stored.memory.evidence,
        conflicts_with: &'a [String] = &item.stored.memory.conflicts_with,
        signals: EarnedSignals = EarnedSignals::of(&item.signals),
    }

    /// `review --archive`
    ArchiveReview<'a>(all: &'a [Stored]) {
        decisions: Vec<ReadDecision<'a>> = all.iter().map(ReadDecision::of).collect(),
    }

    ReadDecision<'a>(stored: &'a Stored) {
        id: &'a str = stored.memory.id.as_str(),
        state: &'a str = stored.memory.state.as_str(),
        record_status: &'a str = stored.memory.record_status().as_str(),
        markdown: &'a str = &stored.text,
    }
}
