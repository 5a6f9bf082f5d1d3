//! When each session was last used. Few clients end their session: when the limit is reached, the
//! one that was idle longest makes room.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A session that was used more recently than this is active.
const SILENT: Duration = Duration::from_secs(30);

#[derive(Default)]
pub(super) struct Heard {
    /// With whose it is.
    last: Mutex<HashMap<String, (Instant, String)>>,
}

impl Heard {
    /// The map is valid even after a panic.
    fn last(&self) -> MutexGuard<'_, HashMap<String, (Instant, String)>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn note(&self, session: &str, owner: &str, now: Instant) {
        self.last().insert(session.to_owned(), (now, owner.to_owned()));
    }

    pub(super) fn is_of(&self, session: &str, owner: &str) -> bool {
        self.last().get(session).is_some_and(|(_, whose)| whose == owner)
    }

    /// The session that was idle longest, if it was idle long enough. Forgets sessions that ended.
    pub(super) fn most_silent(&self, there: &[String], now: Instant) -> Option<String> {
        let mut last = self.last();
        last.retain(|session, _| there.contains(session));
        // A client may leave before its session was used for the first time.
        for session in there {
            last.entry(session.clone()).or_insert_with(|| (now, String::new()));
        }
        let oldest = last.iter().min_by_key(|(session, (at, _))| (*at, (*session).clone()));
        let silent = oldest.filter(|(_, (at, _))| now.duration_since(*at) >= SILENT);
        silent.map(|(session, _)| session.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::{Heard, SILENT};
    use std::time::{Duration, Instant};

    #[test]
    fn the_one_that_was_silent_longest_goes() {
        let (heard, now) = (Heard::default(), Instant::now());
        let there: Vec<String> = ["a", "b", "c"].map(String::from).into();
        heard.note("a", "", now);
        heard.note("b", "", now + Duration::from_secs(1));
        heard.note("c", "", now + Duration::from_secs(2));
        heard.note("a", "", now + Duration::from_secs(3));
        assert_eq!(
            heard.most_silent(&there, now + Duration::from_secs(4)),
            None,
            "all are at work"
        );
        let later = now + SILENT + Duration::from_secs(2);
        assert_eq!(heard.most_silent(&there, later).as_deref(), Some("b"));
        assert_eq!(heard.most_silent(&there[2..], later).as_deref(), Some("c"), "b is gone");
        let unused = ["never used".to_owned()];
        assert_eq!(heard.most_silent(&unused, later), None);
        let silent = heard.most_silent(&unused, later + SILENT);
        assert_eq!(silent.as_deref(), Some("never used"), "it keeps no place for ever");
    }
}
