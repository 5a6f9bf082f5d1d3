//! What each connection was given whole: it is not given again, unless it is asked for by name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// Connections that are remembered; the oldest goes first.
const CONNECTIONS_MAX: usize = 256;

#[derive(Default)]
pub(super) struct ServedByConnection {
    known: Mutex<BTreeMap<String, BTreeSet<String>>>,
}

impl ServedByConnection {
    pub(super) fn of(&self, connection: Option<&str>) -> BTreeSet<String> {
        let (Some(connection), Ok(known)) = (connection, self.known.lock()) else {
            return BTreeSet::new();
        };
        known.get(connection).cloned().unwrap_or_default()
    }

    pub(super) fn add(&self, connection: Option<&str>, ids: impl Iterator<Item = String>) {
        let (Some(connection), Ok(mut known)) = (connection, self.known.lock()) else { return };
        if !known.contains_key(connection) && known.len() >= CONNECTIONS_MAX {
            // Names begin with the time: the first is the oldest.
            known.pop_first();
        }
        known.entry(connection.to_owned()).or_default().extend(ids);
    }

    /// The conversation begins anew: what it was told before may be forgotten.
    pub(super) fn forget(&self, connection: Option<&str>) {
        if let (Some(connection), Ok(mut known)) = (connection, self.known.lock()) {
            known.remove(connection);
        }
    }
}
