//! The rolling window over session summaries, retention, and what may be collected.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::kind::KindSpec;
use crate::memory::Memory;
use crate::policy::GcPolicy;
use crate::state::State;
use oldhand_text::time::days_between;

/// The active ones beyond the limit, oldest first; without a date is oldest, ties by id (R278).
pub fn over_window(memories: &[Memory], max_retained: usize) -> Vec<&Memory> {
    let mut active: Vec<&Memory> = memories.iter().filter(|memory| memory.is_active()).collect();
    active.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
    let most = if max_retained == 0 { usize::MAX } else { max_retained };
    active.truncate(active.len().saturating_sub(most));
    active
}

/// The fields whose loss a person would want to hear about.
const GUARDED: &[&str] =
    &["completed", "in_progress", "blockers", "next_actions", "key_changes", "open_questions"];

fn guarded(memory: &Memory) -> impl Iterator<Item = &String> {
    GUARDED.iter().flat_map(|field| memory.content.list(field))
}

/// What only this session says, of all that stay (R280).
pub fn unique_items(retiring: &Memory, staying: &[&Memory]) -> Vec<String> {
    let key = |item: &String| item.trim().to_lowercase();
    let known: BTreeSet<String> = staying.iter().flat_map(|it| guarded(it)).map(key).collect();
    guarded(retiring).filter(|item| !known.contains(&key(item))).cloned().collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collection {
    /// Retired long enough: out of sight, kept.
    Archive,
    /// Retired long enough, of a kind that may go.
    Delete,
    /// Retired long enough, durable, and the settings don't archive: a person must name it.
    Ask,
    Expire,
    /// A durable memory past its retention: worth a look.
    ReviewDue,
}

/// R270, R290, R293: `None` leaves it alone. Without a date nothing is collected.
pub fn collection(
    memory: &Memory,
    spec: &KindSpec,
    policy: &GcPolicy,
    now: Timestamp,
) -> Option<Collection> {
    let (since, days, collection) = match memory.state {
        State::Retired => {
            let collection = match (policy.archive_retired, spec.durable) {
                (true, _) => Collection::Archive,
                (false, false) => Collection::Delete,
                (false, true) => Collection::Ask,
            };
            (memory.retired_at?, policy.grace_period_days, collection)
        }
        state if state.is_active() && spec.retention_days > 0 => {
            let since = memory.updated_at.or(memory.created_at)?;
            let is_durable = spec.durable;
            let collection = if is_durable { Collection::ReviewDue } else { Collection::Expire };
            (since, spec.retention_days, collection)
        }
        _ => return None,
    };
    (days_between(since, now) >= days).then_some(collection)
}
