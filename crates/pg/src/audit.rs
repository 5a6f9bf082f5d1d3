//! The audit: lines that are only added, each with the hash of the one before. What is changed outside of a store is
//! a line of the same transaction; writes are recorded in theirs, and become lines soon after.

use std::collections::BTreeMap;

use deadpool_postgres::Object;
use serde_json::{Value as Json, json};
use tokio_postgres::Row;

use crate::access::Access;
use crate::database::{Database, Value, execute, query};
use crate::error::PgError;
use crate::sql;

/// Lines that are in memory at a time.
const PAGE: i64 = 500;
/// The action of a line about a write to a store.
const WRITE: &str = "write";

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLine {
    pub seq: i64,
    /// Since 1970, in microseconds.
    pub micros: i64,
    /// None for the server itself, and for whoever uses its shell.
    pub principal: Option<i32>,
    pub action: String,
    /// A JSON object, as the database writes it.
    pub what: String,
    pub before: Vec<u8>,
    pub hash: Vec<u8>,
}

/// A line before it has its place.
struct Said {
    micros: Option<i64>,
    principal: Option<i32>,
    action: &'static str,
    what: String,
}

impl AuditLine {
    /// Of everything in the line. Lengths stand before texts, so that nothing can move from one into another.
    fn digest(&self, tenant: i32) -> Vec<u8> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&tenant.to_le_bytes()).update(&self.seq.to_le_bytes());
        hasher.update(&self.micros.to_le_bytes());
        hasher.update(&self.principal.map_or(-1, i64::from).to_le_bytes());
        for part in [self.action.as_bytes(), self.what.as_bytes(), &self.before] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
        hasher.finalize().as_bytes().to_vec()
    }
}

fn line_of(row: &Row) -> AuditLine {
    AuditLine {
        seq: row.get("seq"),
        micros: row.get("micros"),
        principal: row.get("principal"),
        action: row.get("action"),
        what: row.get("what"),
        before: row.get("before"),
        hash: row.get("hash"),
    }
}

/// The end of the chain. Held until the transaction ends, so lines have one order.
struct Head {
    seq: i64,
    hash: Vec<u8>,
    micros: i64,
}

async fn lock(client: &Object, tenant: i32) -> Result<Head, PgError> {
    execute(client, sql::door::MAKE_AUDIT_HEAD, &[&tenant]).await?;
    let rows = query(client, sql::door::LOCK_AUDIT, &[&tenant]).await?;
    let row = rows.first().ok_or_else(|| PgError::refused("there is no such tenant"))?;
    Ok(Head { seq: row.get("seq"), hash: row.get("hash"), micros: row.get("micros") })
}

async fn append(
    client: &Object,
    tenant: i32,
    mut head: Head,
    said: Vec<Said>,
) -> Result<(), PgError> {
    let whats: Vec<&str> = said.iter().map(|it| it.what.as_str()).collect();
    let normal = query(client, sql::door::NORMAL_JSON, &[&whats]).await?;
    let mut lines = Vec::new();
    for (said, what) in said.into_iter().zip(&normal) {
        let mut line = AuditLine {
            seq: head.seq + 1,
            micros: said.micros.unwrap_or(head.micros),
            principal: said.principal,
            action: said.action.to_owned(),
            what: what.get(0),
            before: head.hash,
            hash: Vec::new(),
        };
        line.hash = line.digest(tenant);
        (head.seq, head.hash) = (line.seq, line.hash.clone());
        lines.push(line);
    }
    let seqs: Vec<i64> = lines.iter().map(|it| it.seq).collect();
    let micros: Vec<i64> = lines.iter().map(|it| it.micros).collect();
    let principals: Vec<Option<i32>> = lines.iter().map(|it| it.principal).collect();
    let actions: Vec<&str> = lines.iter().map(|it| it.action.as_str()).collect();
    let whats: Vec<&str> = lines.iter().map(|it| it.what.as_str()).collect();
    let befores: Vec<&[u8]> = lines.iter().map(|it| &it.before[..]).collect();
    let hashes: Vec<&[u8]> = lines.iter().map(|it| &it.hash[..]).collect();
    let values: [Value<'_>; 8] =
        [&tenant, &seqs, &micros, &principals, &actions, &whats, &befores, &hashes];
    execute(client, sql::door::ADD_AUDIT, &values).await?;
    execute(client, sql::door::MOVE_AUDIT_HEAD, &[&tenant, &head.seq, &head.hash]).await?;
    Ok(())
}

/// A line in the transaction of what it is about.
pub(crate) async fn add(
    client: &Object,
    (tenant, principal): (i32, Option<i32>),
    action: &'static str,
    what: &Json,
) -> Result<(), PgError> {
    let head = lock(client, tenant).await?;
    let said = Said { micros: None, principal, action, what: what.to_string() };
    append(client, tenant, head, vec![said]).await
}

impl Access<'_> {
    /// A change with its line: both or none.
    pub(crate) fn change_audited<T>(
        &self,
        action: &'static str,
        what: &Json,
        run: impl AsyncFnOnce(&Object) -> Result<T, PgError>,
    ) -> Result<T, PgError> {
        let (tenant, principal) = (self.caller.tenant, self.caller.principal);
        self.change(async |client| {
            let answer = run(client).await?;
            add(client, (tenant, principal), action, what).await?;
            Ok(answer)
        })
    }

    /// A line about something that changes nothing here.
    pub fn audit(&self, action: &'static str, what: &Json) -> Result<(), PgError> {
        self.change_audited(action, what, async |_| Ok(()))
    }

    pub fn audit_lines(&self, after: i64, most: i64) -> Result<Vec<AuditLine>, PgError> {
        let tenant = self.caller.tenant;
        let rows = self.read(async |client| {
            query(client, sql::door::AUDIT_LINES, &[&tenant, &after, &most]).await
        })?;
        Ok(rows.iter().map(line_of).collect())
    }

    /// Makes lines of the writes to a store that are none yet; returns how many.
    pub fn audit_writes(&self, store: i32) -> Result<u64, PgError> {
        let tenant = self.caller.tenant;
        let mut done = 0;
        loop {
            let count = self.change(async |client| {
                let head = lock(client, tenant).await?;
                let audited = query(client, sql::door::AUDITED, &[&tenant, &store]).await?;
                let since: i64 = audited.first().map_or(0, |row| row.get(0));
                let values: [Value<'_>; 4] = [&tenant, &store, &since, &PAGE];
                let rows = query(client, sql::door::WRITES_SINCE, &values).await?;
                let Some(last) = rows.last() else { return Ok(0) };
                let last: i64 = last.get("revision");
                let said = rows.iter().map(|row| write_line(store, row)).collect();
                append(client, tenant, head, said).await?;
                execute(client, sql::door::SET_AUDITED, &[&tenant, &store, &last]).await?;
                Ok(rows.len() as u64)
            })?;
            done += count;
            if count < PAGE as u64 {
                return Ok(done);
            }
        }
    }

    /// Everything that is wrong with the chain: the caller must see all stores of the tenant.
    pub fn verify_audit(&self) -> Result<Vec<String>, PgError> {
        let tenant = self.caller.tenant;
        let mut problems = Vec::new();
        let (mut seq, mut hash) = (0, Vec::new());
        let mut writes: BTreeMap<i32, i64> = BTreeMap::new();
        loop {
            let lines = self.audit_lines(seq, PAGE)?;
            if lines.is_empty() {
                break;
            }
            for line in &lines {
                if line.seq != seq + 1 {
                    problems.push(format!("line {} of the audit is missing", seq + 1));
                } else if line.before != hash {
                    problems.push(format!("line {} does not follow the one before", line.seq));
                }
                if line.digest(tenant) != line.hash {
                    problems.push(format!("line {} was changed", line.seq));
                }
                (seq, hash) = (line.seq, line.hash.clone());
            }
            problems.extend(self.compare_writes(&lines, &mut writes)?);
        }
        let head =
            self.read(async |client| query(client, sql::door::AUDIT_HEAD, &[&tenant]).await)?;
        let end: i64 = head.first().map_or(0, |row| row.get(0));
        let end_hash: Vec<u8> = head.first().map_or_else(Vec::new, |row| row.get(1));
        if (end, &end_hash) != (seq, &hash) {
            problems.push(format!("the audit ends at line {seq}, and should at line {end}"));
        }
        let counted =
            self.read(async |client| query(client, sql::door::WRITES_AUDITED, &[&tenant]).await)?;
        for row in &counted {
            let (store, count): (i32, i64) = (row.get(0), row.get(1));
            let lines = writes.get(&store).copied().unwrap_or(0);
            if count != lines {
                problems.push(format!(
                    "store {store} has {count} writes, and {lines} lines about them"
                ));
            }
        }
        Ok(problems)
    }

    /// Lines about writes that are not as `written` has them.
    fn compare_writes(
        &self,
        lines: &[AuditLine],
        counts: &mut BTreeMap<i32, i64>,
    ) -> Result<Vec<String>, PgError> {
        let said: Vec<(&AuditLine, Json)> = lines
            .iter()
            .filter(|line| line.action == WRITE)
            .map(|line| (line, serde_json::from_str(&line.what).unwrap_or_default()))
            .collect();
        let of = |what: &Json| what["store"].as_i64().and_then(|it| i32::try_from(it).ok());
        let stores: Vec<i32> = said.iter().filter_map(|(_, what)| of(what)).collect();
        let names: Vec<&str> = said.iter().filter_map(|(_, what)| what["write"].as_str()).collect();
        let tenant = self.caller.tenant;
        let rows = match said.is_empty() {
            true => Vec::new(),
            false => self.read(async |client| {
                query(client, sql::door::WRITES_NAMED, &[&tenant, &stores, &names]).await
            })?,
        };
        let there: BTreeMap<(i32, String), (i64, Option<i32>)> = rows
            .iter()
            .map(|row| {
                ((row.get("store"), row.get("write")), (row.get("revision"), row.get("principal")))
            })
            .collect();
        let mut problems = Vec::new();
        for (line, what) in &said {
            let store = of(what).unwrap_or_default();
            *counts.entry(store).or_default() += 1;
            let key = (store, what["write"].as_str().unwrap_or_default().to_owned());
            let want = (what["revision"].as_i64().unwrap_or_default(), line.principal);
            if there.get(&key) != Some(&want) {
                problems.push(format!("the write of line {} is gone, or was changed", line.seq));
            }
        }
        Ok(problems)
    }
}

fn write_line(store: i32, row: &Row) -> Said {
    let (write, revision): (String, i64) = (row.get("write"), row.get("revision"));
    let what = json!({ "store": store, "write": write, "revision": revision });
    let micros: i64 = row.get("micros");
    Said {
        micros: Some(micros),
        principal: row.get("principal"),
        action: WRITE,
        what: what.to_string(),
    }
}

impl Database {
    /// Tenants and stores with writes that are no lines yet.
    pub fn unaudited(&self, most: i32) -> Result<Vec<(i32, i32)>, PgError> {
        let rows = self.block_on(async {
            let client = self.client().await?;
            query(&client, sql::door::UNAUDITED, &[&most]).await
        })?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }
}
