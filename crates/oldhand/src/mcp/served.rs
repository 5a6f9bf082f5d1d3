//! What each connection was given whole: it is not given again, unless it is asked for by name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Connections that are remembered; the oldest goes first.
const CONNECTIONS_MAX: usize = 256;

#[derive(Default)]
pub(super) struct ServedByConnection {
    known: Mutex<BTreeMap<String, BTreeSet<String>>>,
}

impl ServedByConnection {
    /// Right also where somebody panicked beside it.
    fn known(&self) -> MutexGuard<'_, BTreeMap<String, BTreeSet<String>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn of(&self, connection: Option<&str>) -> BTreeSet<String> {
        connection.and_then(|connection| self.known().get(connection).cloned()).unwrap_or_default()
    }

    pub(super) fn add(&self, connection: Option<&str>, ids: impl Iterator<Item = String>) {
        let Some(connection) = connection else { return };
        let mut known = self.known();
        if !known.contains_key(connection) && known.len() >= CONNECTIONS_MAX {
            // Names begin with the time: the first is the oldest.
            known.pop_first();
        }
        known.entry(connection.to_owned()).or_default().extend(ids);
    }

    /// The conversation begins anew: what it was told before may be forgotten.
    pub(super) fn forget(&self, connection: Option<&str>) {
        if let Some(connection) = connection {
            self.known().remove(connection);
        }
    }
}
