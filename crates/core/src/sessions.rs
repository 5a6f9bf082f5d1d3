//! The rolling window over session summaries, retention, and what may be collected.

use jiff::Timestamp;

use crate::kind::KindSpec;
use crate::memory::Memory;
use crate::policy::GcPolicy;
use crate::state::State;
use oldhand_text::time::days_between;

/// The active ones beyond the limit, oldest first; without a date is oldest, ties by id (R278).
pub fn over_window(memories: &[Memory], max_retained: usize) -> Vec<&Memory> {
    if max_retained == 0 {
        return Vec::new();
    }
    let mut active: Vec<&Memory> = memories.iter().filter(|memory| memory.is_active()).collect();
    active.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
    let excess = active.len().saturating_sub(max_retained);
    active.truncate(excess);
    active
}

/// The fields whose loss a person would want to hear about.
const GUARDED: &[&str] =
    &["completed", "in_progress", "blockers", "next_actions", "key_changes", "open_questions"];

/// What only this session says, of all that stay (R280).
pub fn unique_items(retiring: &Memory, staying: &[&Memory]) -> Vec<String> {
    let key = |item: &str| item.trim().to_lowercase();
    let known: std::collections::BTreeSet<String> = staying
        .iter()
        .flat_map(|memory| GUARDED.iter().flat_map(|field| memory.content.list(field)))
        .map(|item| key(item))
        .collect();
    GUARDED
        .iter()
        .flat_map(|field| retiring.content.list(field))
        .filter(|item| !known.contains(&key(item)))
        .cloned()
        .collect()
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
    match memory.state {
        State::Retired => {
            let age = days_between(memory.retired_at?, now);
            if age < policy.grace_period_days {
                return None;
            }
            Some(match (policy.archive_retired, spec.durable) {
                (true, _) => Collection::Archive,
                (false, false) => Collection::Delete,
                (false, true) => Collection::Ask,
            })
        }
        state if state.is_active() && spec.retention_days > 0 => {
            let age = days_between(memory.updated_at.or(memory.created_at)?, now);
            if age < spec.retention_days {
                return None;
            }
            Some(if spec.durable { Collection::ReviewDue } else { Collection::Expire })
        }
        _ => None,
    }
}
