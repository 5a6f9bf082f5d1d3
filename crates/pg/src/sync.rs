//! A store and what goes back and forth with a repository, or with a copy on somebody's machine. The push itself is a
//! write: see `vault::push`.

use std::collections::BTreeMap;

use oldhand_core::event::Event;
use oldhand_store::port::{FileWrite, Plan};
use serde::{Deserialize, Serialize};
use tokio_postgres::Row;

use crate::access::Access;
use crate::database::{Value, execute, query};
use crate::error::PgError;
use crate::sql;

/// Events that a copy gets at a time.
const EVENTS_MAX: i64 = 2_000;
/// Changes that a checkout takes at a time.
const CHANGES_MAX: i64 = 500;

/// How a store stands to its repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncState {
    pub name: String,
    pub level: String,
    pub truth: String,
    /// The id in the configuration of the repository; none before the first push.
    pub repository: Option<String>,
    /// The commit that was pushed last.
    pub head: Option<String>,
    pub revision: i64,
    /// The number of its last event.
    pub events: i64,
    /// Changes that wait for the repository.
    pub waiting: i64,
}

/// A file by its hash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileHash {
    pub path: String,
    pub hash: String,
}

/// What was decided here for a store whose truth is in git.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeBody {
    pub files: Vec<ChangedFile>,
    pub events: Vec<Event>,
}

/// One file before and after, as in a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedFile {
    pub path: String,
    pub id: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// A change that waits for its repository.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    pub seq: i64,
    pub kind: String,
    pub at: String,
    #[serde(flatten)]
    pub body: ChangeBody,
    /// What whoever took it last told of it.
    pub outcome: Option<String>,
    pub note: String,
}

/// What became of a change in a checkout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub seq: i64,
    /// `written`, `stopped`, `stale` or `refused`.
    pub outcome: String,
    pub note: String,
}

impl Outcome {
    /// What was written waits until it comes with a push; nothing else comes of the others.
    fn is_settled(&self) -> bool {
        matches!(self.outcome.as_str(), "stale" | "refused")
    }
}

/// A part of the log of a store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogPart {
    pub events: Vec<Event>,
    /// The number of the last one.
    pub last: i64,
}

impl ChangeBody {
    pub(crate) fn of(plan: Plan) -> Self {
        let file = |file: FileWrite| ChangedFile {
            path: file.path,
            id: file.id.to_string(),
            before: file.before.map(|hash| hash.to_string()),
            after: file.after,
        };
        let mut events = plan.events;
        for event in &mut events {
            // They get their ids where they are recorded.
            event.id.clear();
            event.write.clear();
        }
        Self { files: plan.files.into_iter().map(file).collect(), events }
    }

    /// What happens by it, in a word.
    pub(crate) fn kind(&self) -> String {
        self.events.first().map_or_else(|| "files".to_owned(), |event| event.event_type.to_string())
    }
}

/// How the log of a repository names the writes that came from a change.
pub fn batch_of(store: &str, seq: i64) -> String {
    format!("{store}-change-{seq}")
}

/// The number of the change that an event came from.
pub(crate) fn change_of(event: &Event, repository: &str) -> Option<i64> {
    event.batch.strip_prefix(repository)?.strip_prefix("-change-")?.parse().ok()
}

impl Access<'_> {
    /// A store by its name or the id of its repository, among those that the caller sees.
    pub fn find_store(&self, name: &str) -> Result<Option<i32>, PgError> {
        let (tenant, stores) = (self.caller.tenant, &self.caller.stores);
        let rows = self.read(async |client| {
            query(client, sql::sync::FIND_STORE, &[&tenant, stores, &name]).await
        })?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    pub fn sync_state(&self, store: i32) -> Result<SyncState, PgError> {
        let tenant = self.caller.tenant;
        let rows = self
            .read(async |client| query(client, sql::sync::SYNC_STATE, &[&tenant, &store]).await)?;
        let row = rows.first().ok_or_else(|| PgError::refused("there is no such store"))?;
        Ok(SyncState {
            name: row.get("name"),
            level: row.get("level"),
            truth: row.get("truth"),
            repository: row.get("repository"),
            head: row.get("head"),
            revision: row.get("revision"),
            events: row.get("seq"),
            waiting: row.get("waiting"),
        })
    }

    /// Those of these texts that are not here, by their hashes.
    pub fn lacking(&self, store: i32, hashes: &[String]) -> Result<Vec<String>, PgError> {
        let tenant = self.caller.tenant;
        let rows = self.read(async |client| {
            query(client, sql::sync::LACKING, &[&tenant, &store, &hashes]).await
        })?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Keeps texts for a push. They are known by what they hash to, whatever a client says.
    pub fn upload(&self, store: i32, texts: &[String]) -> Result<(), PgError> {
        let tenant = self.caller.tenant;
        let hash = |text: &String| oldhand_text::hash::ContentHash::of(text.as_bytes()).to_string();
        let hashes: Vec<String> = texts.iter().map(hash).collect();
        self.change(async |client| {
            query(client, sql::sync::MANY_ROWS, &[]).await?;
            let values: [Value<'_>; 4] = [&tenant, &store, &hashes, &texts];
            execute(client, sql::sync::UPLOAD, &values).await.map(drop)
        })
    }

    /// The files of a store.
    pub fn file_hashes(&self, store: i32) -> Result<Vec<FileHash>, PgError> {
        let tenant = self.caller.tenant;
        let rows = self
            .read(async |client| query(client, sql::sync::FILE_HASHES, &[&tenant, &store]).await)?;
        let one = |row: &Row| FileHash { path: row.get("path"), hash: row.get("hash") };
        Ok(rows.iter().map(one).collect())
    }

    /// Texts that a file has or had, by their hashes.
    pub fn texts(&self, store: i32, hashes: &[String]) -> Result<Vec<String>, PgError> {
        let tenant = self.caller.tenant;
        let rows = self.read(async |client| {
            query(client, sql::sync::TEXTS, &[&tenant, &store, &hashes]).await
        })?;
        Ok(rows.iter().map(|row| row.get("text")).collect())
    }

    /// The next events behind a number.
    pub fn log_after(&self, store: i32, seq: i64) -> Result<LogPart, PgError> {
        let tenant = self.caller.tenant;
        let rows = self.read(async |client| {
            query(client, sql::EVENTS, &[&tenant, &store, &seq, &EVENTS_MAX]).await
        })?;
        let events = rows.iter().map(crate::rows::event_of).collect::<Result<Vec<_>, _>>()?;
        Ok(LogPart { events, last: rows.last().map_or(seq, |row| row.get("seq")) })
    }

    /// What waits for the repository, behind a number.
    pub fn changes(&self, store: i32, after: i64) -> Result<Vec<Change>, PgError> {
        let tenant = self.caller.tenant;
        let rows = self.read(async |client| {
            query(client, sql::sync::CHANGES, &[&tenant, &store, &after, &CHANGES_MAX]).await
        })?;
        rows.iter().map(change).collect()
    }

    /// What waits for the repository about these memories, by their ids: the names of events.
    pub fn waiting_for(
        &self,
        store: i32,
        ids: &[String],
    ) -> Result<BTreeMap<String, Vec<String>>, PgError> {
        let tenant = self.caller.tenant;
        let rows = self.read(async |client| {
            query(client, sql::sync::WAITING_FOR, &[&tenant, &store, &ids]).await
        })?;
        let mut waiting: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in rows {
            waiting.entry(row.get("id")).or_default().push(row.get("kind"));
        }
        Ok(waiting)
    }

    /// Records what became of changes.
    pub fn settle_changes(&self, store: i32, outcomes: &[Outcome]) -> Result<(), PgError> {
        let tenant = self.caller.tenant;
        self.change(async |client| {
            for it in outcomes {
                let is_settled = it.is_settled();
                let values: [Value<'_>; 6] =
                    [&tenant, &store, &it.seq, &it.outcome, &it.note, &is_settled];
                execute(client, sql::sync::SETTLE_CHANGE, &values).await?;
            }
            Ok(())
        })
    }
}

fn change(row: &Row) -> Result<Change, PgError> {
    let seq = row.get("seq");
    let body: String = row.get("body");
    let body = serde_json::from_str(&body)
        .map_err(|error| PgError::refused(format!("change {seq} can't be read: {error}")))?;
    Ok(Change {
        seq,
        kind: row.get("kind"),
        at: row.get("at"),
        body,
        outcome: row.get("outcome"),
        note: row.get("note"),
    })
}
