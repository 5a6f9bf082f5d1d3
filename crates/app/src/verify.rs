//! Somebody looked and found that it still holds: from now on changes count from here.

use oldhand_core::fresh::{BOUND_PATHS_MAX, CHECKED_TIER, SEEN_DIGITS, is_bound, paths_named};
use oldhand_core::policy::SEEN_WAIT;
use oldhand_store::port::CodeSnapshot;

use crate::context::Writing;
use crate::prelude::*;
use crate::written::Written;

impl<'a> Writing<'a> {
    /// One event and three fields; what the memory says stays as it is, and so does `updated_at`.
    pub fn verify(&self, name: &str) -> WriteResult<'a, Written> {
        self.write_to(name, &mut |stored| self.decide_verify(&stored))
    }

    fn decide_verify(&self, stored: &Stored) -> Decided<Written> {
        write::refuse_newer(&stored.memory)?;
        if !stored.memory.is_active() {
            let state = stored.memory.state;
            let message = format!("could not verify `{}`: it is {state}", stored.memory.id);
            return refuse(Code::State, message, "only what is in use can be verified");
        }
        let mut new = stored.memory.clone();
        let look = self.look(&new);
        put_seen(&mut new, &look);
        new.verified_at = Some(whole_seconds(self.now));
        // Without a history there is no commit to name, and an old one would be wrong.
        new.verified_commit = look.head.as_deref().map(short);
        let mut fields = vec!["verified_at".to_owned()];
        if new.depends_on != stored.memory.depends_on {
            fields.push("depends_on".to_owned());
        }
        if new.verified_commit != stored.memory.verified_commit {
            fields.push("verified_commit".to_owned());
        }
        let file = self.rewritten(stored, new)?;
        self.updated(stored, file, fields, "verified")
    }

    /// A memory about files that are there rests on them, also when nobody says so: it is compared
    /// with them from now on. Whoever named a tier has decided that.
    pub(crate) fn bind(&self, memory: &mut Memory) {
        if memory.refresh_tier.is_some() || !is_bound(&memory.kind) {
            return;
        }
        let mut paths = memory.depends_on.code_paths.clone();
        for path in memory.related_files.iter().cloned().chain(paths_named(memory)) {
            let is_new = paths.len() < BOUND_PATHS_MAX && !paths.contains(&path);
            if is_new && !path.starts_with(".oldhand") && self.code.exists(&path) {
                paths.push(path);
            }
        }
        if paths.iter().any(|path| self.code.exists(path)) {
            memory.depends_on.code_paths = paths;
            memory.refresh_tier = Some(CHECKED_TIER);
        }
    }

    /// Records what the code looks like at a write. Nothing is recorded of what is never compared,
    /// and a record of an older moment goes.
    pub(crate) fn record_seen(&self, memory: &mut Memory) {
        let is_checked = !checked_paths(memory).is_empty();
        let look = if is_checked { self.look(memory) } else { CodeSnapshot::default() };
        put_seen(memory, &look);
    }

    fn look(&self, memory: &Memory) -> CodeSnapshot {
        match self.code.history() {
            Some(history) => history.snapshot(checked_paths(memory), SEEN_WAIT),
            None => CodeSnapshot::default(),
        }
    }
}

fn checked_paths(memory: &Memory) -> &[String] {
    match memory.refresh_tier {
        Some(CHECKED_TIER) => &memory.depends_on.code_paths,
        _ => &[],
    }
}

fn put_seen(memory: &mut Memory, look: &CodeSnapshot) {
    let seen = memory.depends_on.code_paths.iter().zip(&look.ids);
    memory.depends_on.seen = seen
        .filter_map(|(path, id)| id.as_deref().map(|id| format!("{path}@{}", short(id))))
        .collect();
}

fn short(id: &str) -> String {
    id.chars().take(SEEN_DIGITS).collect()
}
