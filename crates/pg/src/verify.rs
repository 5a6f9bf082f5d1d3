//! Whether a store is what its log says: every text against its hash, every hash against its last event, numbers
//! without a gap. For after a restore, and for whoever wants to know.

use std::collections::BTreeMap;

use oldhand_core::pending::PENDING_FOLDER;
use oldhand_store::failure::Failure;
use oldhand_store::port::{RawFile, Vault};
use oldhand_text::hash::ContentHash;

use crate::database::query;
use crate::error::PgError;
use crate::sql;
use crate::vault::PgVault;

/// Texts that are in memory at a time.
const PAGE: i64 = 500;

/// What was looked at, and what is wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    pub files: u64,
    pub problems: Vec<String>,
}

/// Whether the log of a store must explain each of its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// Nothing changes a file but a write.
    Server,
    /// A mirror: people edit files, and the log hears of it later.
    Git,
}

impl PgVault<'_> {
    /// Every file of the store, by its path: memories and what is pending.
    pub fn each_raw(&self, see: &mut dyn FnMut(RawFile)) -> Result<(), Failure> {
        self.each_file(None, see)?;
        self.each_file(Some(PENDING_FOLDER), see)
    }

    pub fn verify(&self, truth: Truth) -> Result<Verified, Failure> {
        let failed = |error: PgError| error.failure("verify", "the store");
        let mut verified = Verified::default();
        let last = self.last_hashes().map_err(failed)?;
        let (tenant, store) = (self.access.caller.tenant, self.store);
        let mut seen = BTreeMap::new();
        let mut after = String::new();
        loop {
            let read = self.access.read(async |client| {
                query(client, sql::door::PAGE_OF_FILES, &[&tenant, &store, &after, &PAGE]).await
            });
            let rows = read.map_err(failed)?;
            let Some(end) = rows.last() else { break };
            after = end.get("path");
            for row in &rows {
                let (path, id): (&str, &str) = (row.get("path"), row.get("id"));
                let (hash, text): (&str, &str) = (row.get("hash"), row.get("text"));
                verified.files += 1;
                if ContentHash::of(text.as_bytes()).to_string() != hash {
                    verified.problems.push(format!("`{path}` is not the text that was written"));
                }
                if !path.starts_with(PENDING_FOLDER) {
                    seen.insert(id.to_owned(), (path.to_owned(), hash.to_owned()));
                }
            }
        }
        if truth == Truth::Server {
            verified.problems.extend(compare(&seen, &last));
        }
        verified.problems.extend(self.held_problem().map_err(failed)?);
        verified.problems.extend(self.inspect()?.findings.iter().map(|it| it.what.clone()));
        Ok(verified)
    }

    /// What the log says that each memory's file is; none where it was removed.
    fn last_hashes(&self) -> Result<BTreeMap<String, Option<String>>, PgError> {
        let (tenant, store) = (self.access.caller.tenant, self.store);
        let rows = self
            .access
            .read(async |client| query(client, sql::door::LAST_HASHES, &[&tenant, &store]).await)?;
        Ok(rows.iter().map(|row| (row.get("memory"), row.get("after"))).collect())
    }

    fn held_problem(&self) -> Result<Option<String>, PgError> {
        let (tenant, store) = (self.access.caller.tenant, self.store);
        let rows = self
            .access
            .read(async |client| query(client, sql::door::HELD, &[&tenant, &store]).await)?;
        let Some(row) = rows.first() else { return Ok(Some("there is no such store".to_owned())) };
        let [files, bytes, real_files, real_bytes] = [0, 1, 2, 3].map(|at| row.get::<_, i64>(at));
        Ok(((files, bytes) != (real_files, real_bytes)).then(|| {
            format!("{files} files with {bytes} bytes were counted, and there are {real_files} with {real_bytes}")
        }))
    }
}

fn compare(
    files: &BTreeMap<String, (String, String)>,
    last: &BTreeMap<String, Option<String>>,
) -> Vec<String> {
    let mut problems = Vec::new();
    for (id, (path, hash)) in files {
        match last.get(id) {
            Some(Some(after)) if after == hash => {}
            Some(_) => problems.push(format!("`{path}` is not what its last event says")),
            None => problems.push(format!("no event says where `{path}` comes from")),
        }
    }
    for (id, after) in last {
        if after.is_some() && !id.starts_with("pending:") && !files.contains_key(id) {
            problems.push(format!("the memory `{id}` is gone, and no event says so"));
        }
    }
    problems
}
