//! The vault on PostgreSQL: a store whose truth is in the database, or the mirror of one in git.

use std::path::Path;

use jiff::Timestamp;
use oldhand_core::event::{Event, in_order};
use oldhand_core::kind::{KindSpec, Kinds};
use oldhand_core::memory::{CANDIDATES_FOLDER, MemoryId};
use oldhand_core::pending::PENDING_FOLDER;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_store::failure::{Failure, StoreError};
use oldhand_store::port::{
    Finding, Inspection, Plan, RawFile, Scan, Stored, Unreadable, Unsettled, Vault, Visit,
};
use oldhand_store::ulid::{Entropy, SystemEntropy};
use oldhand_text::hash::ContentHash;
use tokio_postgres::Row;

use crate::access::Access;
use crate::database::{execute, query};
use crate::rows::event_of;
use crate::sql;

mod apply;
mod push;
mod write;

pub use push::{Push, Pushed, PushedFile, Taken};

/// Rows that are in memory at a time.
const PAGE: i64 = 500;

pub struct PgVault<'a> {
    pub access: &'a Access<'a>,
    pub store: i32,
    pub kinds: &'a Kinds,
    pub entropy: &'a dyn Entropy,
    pub now: Timestamp,
}

/// What follows a write is a job in its transaction.
struct Settled;

impl Unsettled for Settled {
    fn settle(self: Box<Self>) -> Vec<String> {
        Vec::new()
    }
}

fn raw(row: &Row) -> RawFile {
    let text: String = row.get("text");
    RawFile { path: row.get("path"), hash: ContentHash::of(text.as_bytes()), text }
}

impl<'a> PgVault<'a> {
    /// For whoever writes nothing.
    pub(crate) fn reader(access: &'a Access<'a>, store: i32, kinds: &'a Kinds) -> Self {
        Self { access, store, kinds, entropy: &SystemEntropy, now: Timestamp::UNIX_EPOCH }
    }
}

impl PgVault<'_> {
    fn tenant(&self) -> i32 {
        self.access.caller.tenant
    }

    fn parse(&self, raw: RawFile) -> Result<Stored, Unreadable> {
        Stored::parse(&raw.path, raw.text.into_bytes(), self.kinds)
    }

    fn raw_of(&self, id: &MemoryId) -> Result<Option<RawFile>, Failure> {
        let (tenant, store, id) = (self.tenant(), self.store, id.as_str());
        let found = self.access.read(async |client| {
            query(client, sql::FIND, &[&tenant, &store, &id, &PENDING_FOLDER]).await
        });
        let rows = found.map_err(|error| error.failure("find", id))?;
        let mut files: Vec<RawFile> = rows.iter().map(raw).collect();
        let [first, second, ..] = files.as_slice() else { return Ok(files.pop()) };
        let (first, second) = (&first.path, &second.path);
        let message = format!("`{id}` is the id of two files: `{first}` and `{second}`");
        Err(Refusal::new(Code::Ambiguous, message).with_hint("rename one of them").into())
    }

    /// Page by page, the files of one folder or of all.
    pub(crate) fn each_file(
        &self,
        folder: Option<&str>,
        see: &mut dyn FnMut(RawFile),
    ) -> Result<(), Failure> {
        let (tenant, store) = (self.tenant(), self.store);
        let (statement, folder) = match folder {
            Some(folder) => (sql::VISIT_FOLDER, folder),
            None => (sql::VISIT_ALL, PENDING_FOLDER),
        };
        let mut after = String::new();
        loop {
            let read = self.access.read(async |client| {
                query(client, statement, &[&tenant, &store, &folder, &after, &PAGE]).await
            });
            let rows = read.map_err(|error| error.failure("read", folder))?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = last.get("path");
            rows.iter().map(raw).for_each(&mut *see);
        }
    }

    fn scan_folder(&self, folder: Option<&str>) -> Result<Scan, Failure> {
        let mut scan = Scan::default();
        self.each_file(folder, &mut |file| match self.parse(file) {
            Ok(stored) => scan.stored.push(stored),
            Err(unreadable) => scan.unreadable.push(unreadable),
        })?;
        Ok(scan)
    }
}

impl Vault for PgVault<'_> {
    fn find(&self, id: &MemoryId) -> Result<Option<Stored>, Failure> {
        let found = self.raw_of(id)?.map(|file| self.parse(file)).transpose();
        found.map_err(|unreadable| unreadable.refusal().into())
    }

    fn find_at(&self, path: &str) -> Result<Option<Stored>, Failure> {
        let found = self.read_raw(path)?.map(|file| self.parse(file)).transpose();
        found.map_err(|unreadable| unreadable.refusal().into())
    }

    fn find_raw(&self, id: &MemoryId) -> Result<Option<RawFile>, Failure> {
        self.raw_of(id)
    }

    fn scan(&self) -> Result<Scan, Failure> {
        self.scan_folder(None)
    }

    fn ids(&self) -> Result<Vec<String>, Failure> {
        let (tenant, store) = (self.tenant(), self.store);
        let read = self.access.read(async |client| {
            query(client, sql::IDS, &[&tenant, &store, &PENDING_FOLDER]).await
        });
        let rows = read.map_err(|error| error.failure("list", "ids"))?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn visit(&self, see: &mut dyn FnMut(Visit)) -> Result<(), Failure> {
        let (tenant, store) = (self.tenant(), self.store);
        let counted = self.access.read(async |client| {
            query(client, sql::COUNT_ALL, &[&tenant, &store, &PENDING_FOLDER]).await
        });
        let count: i64 = counted.map_err(|error| error.failure("count", "memories"))?[0].get(0);
        let of = usize::try_from(count).unwrap_or(0);
        let mut done = 0;
        self.each_file(None, &mut |file| {
            done += 1;
            see(Visit { file: self.parse(file), done, of: of.max(done) });
        })
    }

    fn scan_kind(&self, spec: &KindSpec) -> Result<Scan, Failure> {
        self.scan_folder(Some(&spec.folder))
    }

    fn scan_candidates(&self) -> Result<Scan, Failure> {
        self.scan_folder(Some(CANDIDATES_FOLDER))
    }

    fn count_files(&self, folder: &str, limit: usize) -> Result<usize, Failure> {
        let (tenant, store) = (self.tenant(), self.store);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let counted = self.access.read(async |client| {
            query(client, sql::COUNT_FILES, &[&tenant, &store, &folder, &limit]).await
        });
        let count: i64 = counted.map_err(|error| error.failure("count", folder))?[0].get(0);
        Ok(usize::try_from(count).unwrap_or(0))
    }

    fn visit_events(&self, see: &mut dyn FnMut(Event)) -> Result<(), Failure> {
        self.events()?.into_iter().for_each(see);
        Ok(())
    }

    /// Events of a mirror come in the order of its pushes: they are put into that in which they happened.
    fn events(&self) -> Result<Vec<Event>, Failure> {
        let (tenant, store) = (self.tenant(), self.store);
        let (mut events, mut after) = (Vec::new(), 0_i64);
        loop {
            let read = self.access.read(async |client| {
                query(client, sql::EVENTS, &[&tenant, &store, &after, &PAGE]).await
            });
            let rows = read.map_err(|error| error.failure("read", "events"))?;
            let Some(last) = rows.last() else { break };
            after = last.get("seq");
            for row in &rows {
                events.push(event_of(row).map_err(|error| error.failure("read", "events"))?);
            }
        }
        in_order(&mut events);
        Ok(events)
    }

    fn events_of(&self, id: &str) -> Result<Vec<Event>, Failure> {
        let (tenant, store) = (self.tenant(), self.store);
        let read = self
            .access
            .read(async |client| query(client, sql::EVENTS_OF, &[&tenant, &store, &id]).await);
        let rows = read.map_err(|error| error.failure("read", id))?;
        let events = rows.iter().map(event_of).collect::<Result<Vec<_>, _>>();
        let mut events = events.map_err(|error| error.failure("read", id))?;
        in_order(&mut events);
        Ok(events)
    }

    fn pending(&self) -> Result<Vec<Result<RawFile, Unreadable>>, Failure> {
        let mut files = Vec::new();
        self.each_file(Some(PENDING_FOLDER), &mut |file| files.push(Ok(file)))?;
        Ok(files)
    }

    fn read_raw(&self, path: &str) -> Result<Option<RawFile>, Failure> {
        let (tenant, store) = (self.tenant(), self.store);
        let found = self
            .access
            .read(async |client| query(client, sql::FIND_AT, &[&tenant, &store, &path]).await);
        let rows = found.map_err(|error| error.failure("read", path))?;
        Ok(rows.first().map(raw))
    }

    fn kept(&self, hash: &str) -> Result<Option<String>, Failure> {
        let (tenant, store) = (self.tenant(), self.store);
        let read = self
            .access
            .read(async |client| query(client, sql::KEPT, &[&tenant, &store, &hash]).await);
        let rows = read.map_err(|error| error.failure("read", hash))?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    fn write(
        &self,
        decide: &mut dyn FnMut() -> Result<Plan, Failure>,
    ) -> Result<Box<dyn Unsettled + '_>, Failure> {
        self.write_plan(decide)?;
        Ok(Box::new(Settled))
    }

    fn refresh(&self) -> Result<Vec<String>, Failure> {
        Ok(Vec::new())
    }

    fn read_page(&self, name: &str) -> Result<Option<String>, Failure> {
        let (tenant, store) = (self.tenant(), self.store);
        let read = self
            .access
            .read(async |client| query(client, sql::READ_PAGE, &[&tenant, &store, &name]).await);
        let rows = read.map_err(|error| error.failure("read", name))?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    fn write_page(&self, name: &str, seen: Option<&str>, text: &str) -> Result<(), Failure> {
        let (tenant, store) = (self.tenant(), self.store);
        let changed = self.access.change(async |client| match seen {
            Some(seen) => {
                execute(client, sql::CHANGE_PAGE, &[&tenant, &store, &name, &text, &seen]).await
            }
            None => execute(client, sql::NEW_PAGE, &[&tenant, &store, &name, &text]).await,
        });
        match changed.map_err(|error| error.failure("write", name))? {
            0 => Err(StoreError::conflict(Path::new(name)).into()),
            _ => Ok(()),
        }
    }

    fn inspect(&self) -> Result<Inspection, Failure> {
        let (tenant, store) = (self.tenant(), self.store);
        let read = self
            .access
            .read(async |client| query(client, sql::LOG_FACTS, &[&tenant, &store]).await);
        let rows = read.map_err(|error| error.failure("inspect", "events"))?;
        let mut inspection = Inspection::default();
        let numbers = rows.first().map(|row| [0, 1, 2].map(|at| row.get::<_, i64>(at)));
        if let Some([seq, count, last]) = numbers.filter(|it| it[0] != it[1] || it[0] != it[2]) {
            let what = format!("the log ends at {last} with {count} events, and should have {seq}");
            let hint = "restore the database from a backup";
            inspection.findings.push(Finding::new("events", what, hint));
        }
        Ok(inspection)
    }
}
