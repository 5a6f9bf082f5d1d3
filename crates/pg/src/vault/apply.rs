//! What a plan does to the rows of a store, inside of its lock.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use deadpool_postgres::Object;
use oldhand_core::event::Event;
use oldhand_core::recall::row::LogFacts;
use oldhand_store::failure::{Failure, StoreError};
use oldhand_store::port::FileWrite;
use oldhand_text::time::format_instant;
use tokio_postgres::Row;

use crate::access::Access;
use crate::database::{Value, execute, query};
use crate::error::{PgError, PgErrorKind};
use crate::sql;
use crate::totals::{Totals, drop_words};

pub(super) struct Applying<'a> {
    pub client: &'a Object,
    pub tenant: i32,
    pub store: i32,
    /// The one that this write makes.
    pub revision: i64,
    pub access: &'a Access<'a>,
}

/// The names of one write.
pub(super) struct Signed {
    /// What its events share.
    pub write: String,
    /// Of this attempt alone, by which its outcome is looked up.
    pub token: String,
    /// The id of its last event.
    pub last: String,
}

/// A plan's files by what happens to their rows.
#[derive(Default)]
struct Sorted<'p> {
    created: Vec<&'p FileWrite>,
    /// With the number of the row, which a file that moves keeps.
    changed: Vec<(i64, &'p FileWrite)>,
    removed: Vec<i64>,
    /// What the index loses with the removed ones.
    loss: Totals,
}

/// Who recorded an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Server,
    /// A clone, which can write anything into its log.
    Git,
}

impl Source {
    fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Git => "git",
        }
    }
}

impl Applying<'_> {
    /// Compares every file with what the decision saw, and changes all of them.
    pub(super) async fn files(&self, files: &[FileWrite]) -> Result<(), Failure> {
        let there = self.rows_at(files).await?;
        let sorted = sort(files, &there)?;
        self.change(sorted).await.map_err(|error| error.failure("write", "the store"))
    }

    /// The same without changing any.
    pub(super) async fn compare(&self, files: &[FileWrite]) -> Result<(), Failure> {
        let there = self.rows_at(files).await?;
        sort(files, &there)?;
        Ok(())
    }

    async fn rows_at(&self, files: &[FileWrite]) -> Result<Vec<Row>, Failure> {
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let found = query(self.client, sql::FILES_AT, &[&self.tenant, &self.store, &paths]).await;
        found.map_err(|error| error.failure("write", "the store"))
    }

    async fn change(&self, sorted: Sorted<'_>) -> Result<(), PgError> {
        let (client, tenant, store) = (self.client, &self.tenant, &self.store);
        let nos: Vec<i64> = sorted.changed.iter().map(|(no, _)| *no).collect();
        let replaced = [&nos[..], &sorted.removed[..]].concat();
        if !replaced.is_empty() {
            execute(client, sql::KEEP_VERSIONS, &[tenant, store, &replaced]).await?;
        }
        if !sorted.removed.is_empty() {
            let removed = &sorted.removed;
            drop_words(client, self.tenant, self.store, removed).await?;
            for statement in [sql::DROP_PASSAGES, sql::DROP_JOBS, sql::DROP_FILES] {
                execute(client, statement, &[tenant, store, removed]).await?;
            }
        }
        if !nos.is_empty() {
            let files: Vec<&FileWrite> = sorted.changed.iter().map(|(_, file)| *file).collect();
            let Columns { paths, folders, texts, hashes, .. } = Columns::of(&files);
            let values: [Value<'_>; 8] =
                [tenant, store, &self.revision, &nos, &paths, &folders, &texts, &hashes];
            execute(client, sql::CHANGE_FILES, &values).await?;
        }
        if !sorted.created.is_empty() {
            let Columns { paths, folders, ids, texts, hashes } = Columns::of(&sorted.created);
            let values: [Value<'_>; 8] =
                [tenant, store, &self.revision, &paths, &folders, &ids, &texts, &hashes];
            execute(client, sql::CREATE_FILES, &values).await?;
        }
        if !sorted.removed.is_empty() {
            // Last, because workers wait for this row while they hold others.
            sorted.loss.negated().add(client, self.tenant, self.store).await?;
        }
        Ok(())
    }

    pub(super) async fn events(
        &self,
        events: &[Event],
        seq: i64,
        source: Source,
    ) -> Result<(), PgError> {
        if events.is_empty() {
            return Ok(());
        }
        let seqs: Vec<i64> = (seq + 1..).take(events.len()).collect();
        let ids: Vec<&str> = events.iter().map(|event| event.id.as_str()).collect();
        let ats: Vec<String> = events.iter().map(|event| format_instant(event.at)).collect();
        let types: Vec<String> = events.iter().map(|it| it.event_type.to_string()).collect();
        let memories: Vec<&str> = events.iter().map(|event| event.memory.as_str()).collect();
        let writes: Vec<&str> = events.iter().map(|event| event.write.as_str()).collect();
        let bodies = events.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        let bodies = bodies.map_err(|error| PgError::refused(error.to_string()))?;
        let source = source.name();
        let values: [Value<'_>; 10] = [
            &self.tenant,
            &self.store,
            &source,
            &seqs,
            &ids,
            &ats,
            &types,
            &memories,
            &writes,
            &bodies,
        ];
        execute(self.client, sql::ADD_EVENTS, &values).await.map(drop)
    }

    /// What the log says of a memory counts for its trust: the worker looks at it again.
    pub(super) async fn touch(&self, events: &[Event]) -> Result<(), PgError> {
        let ids: BTreeSet<&str> = events.iter().map(|event| event.memory.as_str()).collect();
        let ids: Vec<&str> = ids.into_iter().filter(|id| !id.is_empty()).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let values: [Value<'_>; 4] = [&self.tenant, &self.store, &self.revision, &ids];
        execute(self.client, sql::TOUCH_FILES, &values).await.map(drop)
    }

    pub(super) async fn end(
        &self,
        signed: &Signed,
        seq: i64,
        log: &LogFacts,
    ) -> Result<(), PgError> {
        let (client, tenant, store, revision) =
            (self.client, &self.tenant, &self.store, &self.revision);
        if let Some(attempt) = &self.access.attempt {
            let principal = self.access.caller.principal.unwrap_or_default();
            let claimed = execute(
                client,
                sql::CLAIM_ANSWER,
                &[tenant, &principal, &attempt.key, &attempt.run],
            )
            .await?;
            if claimed == 0 {
                let text = "this request was carried out already".to_owned();
                return Err(PgError { kind: PgErrorKind::Locked, text });
            }
        }
        let log =
            serde_json::to_string(log).map_err(|error| PgError::refused(error.to_string()))?;
        let principal = self.access.caller.principal;
        let Signed { write, token, last } = signed;
        let values: [Value<'_>; 9] =
            [tenant, store, revision, &seq, last, &log, write, &principal, token];
        execute(client, sql::END_WRITE, &values).await?;
        Ok(())
    }
}

/// Files as columns, which one statement takes.
#[derive(Default)]
struct Columns<'p> {
    paths: Vec<&'p str>,
    folders: Vec<&'p str>,
    ids: Vec<&'p str>,
    texts: Vec<&'p str>,
    hashes: Vec<String>,
}

impl<'p> Columns<'p> {
    fn of(files: &[&'p FileWrite]) -> Self {
        let mut columns = Self::default();
        for file in files {
            let text = file.after.as_deref().unwrap_or_default();
            columns.paths.push(&file.path);
            columns.folders.push(file.path.split_once('/').map_or("", |(folder, _)| folder));
            columns.ids.push(file.id.as_str());
            columns.texts.push(text);
            columns.hashes.push(file.hash().map(|hash| hash.to_string()).unwrap_or_default());
        }
        columns
    }
}

fn sort<'p>(files: &'p [FileWrite], there: &[Row]) -> Result<Sorted<'p>, StoreError> {
    let rows: HashMap<&str, &Row> = there.iter().map(|row| (row.get("path"), row)).collect();
    let mut seen = BTreeSet::new();
    let mut sorted = Sorted::default();
    let mut leaving: Vec<(&FileWrite, &Row)> = Vec::new();
    for file in files {
        let path = Path::new(&file.path);
        if !seen.insert(&file.path) {
            return Err(StoreError::corrupt("write", path, "it is twice in one write"));
        }
        if !file.is_inside() {
            return Err(StoreError::corrupt("write", path, "it is no place for a memory"));
        }
        let row = rows.get(file.path.as_str()).copied();
        let hash = row.map(|row| row.get::<_, String>("hash"));
        if hash != file.before.map(|hash| hash.to_string()) {
            return Err(StoreError::conflict(path));
        }
        match (row, &file.after) {
            (Some(row), Some(_)) => sorted.changed.push((row.get("no"), file)),
            (Some(row), None) => leaving.push((file, row)),
            (None, Some(_)) => sorted.created.push(file),
            (None, None) => {}
        }
    }
    for (file, row) in leaving {
        // What moves keeps its row, and with it what was embedded.
        match sorted.created.iter().position(|created| created.id == file.id) {
            Some(at) => sorted.changed.push((row.get("no"), sorted.created.remove(at))),
            None => {
                sorted.removed.push(row.get("no"));
                sorted.loss.take(&Totals::of_row(row));
            }
        }
    }
    Ok(sorted)
}
