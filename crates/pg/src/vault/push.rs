//! A push: the mirror of a repository becomes what a commit of it has, in one transaction.

use std::collections::{BTreeMap, BTreeSet};

use deadpool_postgres::Object;
use oldhand_core::event::{Event, in_order};
use oldhand_store::failure::Failure;
use oldhand_store::port::{FileWrite, id_of_path};
use oldhand_text::hash::ContentHash;
use oldhand_text::secrets::{self, SecretFinding};
use serde_json::json;

use crate::access::Transaction;
use crate::audit;
use crate::database::{Value, execute, query};
use crate::error::PgError;
use crate::sql;
use crate::sync::{FileHash, change_of};

use super::PgVault;
use super::apply::{Applying, Signed, Source};
use super::write::Head;

/// One file of the commit.
pub type PushedFile = FileHash;

/// What a commit has.
pub struct Push<'a> {
    /// The id in the configuration of the repository.
    pub repository: &'a str,
    /// The commit that is mirrored now, as the client knows it.
    pub base: Option<&'a str>,
    pub commit: &'a str,
    pub files: &'a [PushedFile],
    /// The hashes of its files of the log.
    pub logs: &'a [String],
    /// Its `config.toml`.
    pub config: &'a str,
    /// The commit does not follow from `base`, and a maintainer says so.
    pub is_reset: bool,
    /// What git said about the code, each a question and its answer as JSON.
    pub code: &'a [(String, String)],
    /// Those that were sent along; others were uploaded before, or are here already.
    pub texts: &'a [String],
}

/// What came of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pushed {
    Taken(Taken),
    /// The store mirrors this commit already.
    There,
    /// It mirrors another one than the client named.
    Moved {
        head: Option<String>,
    },
    /// It is the store of another repository.
    OtherRepository,
    /// Its truth is not in git.
    NoMirror,
    /// These texts must be sent first.
    Lacking(Vec<String>),
    /// A path that is no place for a memory.
    BadPath(String),
    /// Where a secret is, and by which rule: nothing was taken.
    Secret {
        place: String,
        rule: &'static str,
        line: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Taken {
    pub created: usize,
    pub changed: usize,
    pub removed: usize,
    pub events: usize,
}

/// Folders of a store that hold no files of a mirror.
const RESERVED: &[&str] = &["events", "local"];

/// What a push does, once all is known.
struct Steps {
    files: Vec<FileWrite>,
    /// New ones.
    events: Vec<Event>,
    logs: Vec<String>,
    /// Of texts that were uploaded before.
    uploaded: Vec<String>,
}

/// Why a push ends before it changes anything.
enum End {
    With(Pushed),
    Error(PgError),
}

impl From<PgError> for End {
    fn from(error: PgError) -> Self {
        Self::Error(error)
    }
}

impl PgVault<'_> {
    /// Replaces what is mirrored by what a commit has; the events of both are united by id.
    pub fn push(&self, push: &Push<'_>) -> Result<Pushed, Failure> {
        let failed = |error: PgError| error.failure("push to", "the store");
        // Known by what they hash to, whatever a client says.
        let hash = |text: &String| ContentHash::of(text.as_bytes()).to_string();
        let sent: Vec<(String, &str)> =
            push.texts.iter().map(|text| (hash(text), text.as_str())).collect();
        self.access.database.block_on(async {
            let (transaction, head) = self.lock().await.map_err(failed)?;
            let steps = match self.steps(&transaction, &head, (push, &sent)).await {
                Ok(steps) => steps,
                Err(End::With(pushed)) => {
                    transaction.rollback().await.map_err(failed)?;
                    return Ok(pushed);
                }
                Err(End::Error(error)) => {
                    // A connection that can't even do this is closed, which does the same.
                    let _ = transaction.rollback().await;
                    return Err(failed(error));
                }
            };
            let taken = taken(&steps);
            match self.take(&transaction, head, steps, push).await {
                Ok(signed) => self.commit(transaction, &signed).await.map_err(failed)?,
                Err(failure) => {
                    let _ = transaction.rollback().await;
                    return Err(failure);
                }
            }
            Ok(Pushed::Taken(taken))
        })
    }

    async fn steps(
        &self,
        transaction: &Transaction,
        head: &Head,
        (push, sent): (&Push<'_>, &[(String, &str)]),
    ) -> Result<Steps, End> {
        if let Some(end) = refused(head, push) {
            return Err(End::With(end));
        }
        let (client, tenant, store) = (transaction.client(), self.tenant(), self.store);
        let there = query(client, sql::sync::FILE_HASHES, &[&tenant, &store]).await?;
        let there: BTreeMap<&str, &str> =
            there.iter().map(|row| (row.get("path"), row.get("hash"))).collect();
        let pushed: BTreeMap<&str, &str> =
            push.files.iter().map(|file| (file.path.as_str(), file.hash.as_str())).collect();
        let changed: Vec<(&str, &str)> = pushed
            .iter()
            .map(|(path, hash)| (*path, *hash))
            .filter(|(path, hash)| there.get(path) != Some(hash))
            .collect();
        let taken = query(client, sql::sync::TAKEN_LOGS, &[&tenant, &store, &push.logs]).await?;
        let taken: BTreeSet<&str> = taken.iter().map(|row| row.get(0)).collect();
        let logs: Vec<String> =
            push.logs.iter().filter(|log| !taken.contains(log.as_str())).cloned().collect();
        // Also what a changed file holds now: a secret that it has already may stay.
        let replaced = changed.iter().filter_map(|(path, _)| there.get(path).copied());
        let wanted: BTreeSet<String> = changed
            .iter()
            .map(|(_, hash)| *hash)
            .chain(replaced)
            .map(str::to_owned)
            .chain(logs.iter().cloned())
            .collect();
        let mut texts: BTreeMap<&str, &str> =
            sent.iter().map(|(hash, text)| (hash.as_str(), *text)).collect();
        let others: Vec<&String> =
            wanted.iter().filter(|hash| !texts.contains_key(hash.as_str())).collect();
        let rows = query(client, sql::sync::TEXTS, &[&tenant, &store, &others]).await?;
        for row in &rows {
            texts.insert(row.get("hash"), row.get("text"));
        }
        let lacks = |hash: &&&String| !texts.contains_key(hash.as_str());
        let lacking: Vec<String> = others.iter().filter(lacks).map(|it| (*it).clone()).collect();
        if !lacking.is_empty() {
            return Err(End::With(Pushed::Lacking(lacking)));
        }
        refuse_secret("config.toml", secrets::scan(push.config).into_iter().next())?;
        let mut files = Vec::new();
        for (path, hash) in changed {
            let before = there.get(path).copied();
            let old = before.and_then(|hash| texts.get(hash)).copied().unwrap_or_default();
            refuse_secret(path, secrets::first_added(old, texts[hash]))?;
            files.push(file_write(path, before, Some(texts[hash]))?);
        }
        for (path, hash) in there.iter().filter(|(path, _)| !pushed.contains_key(*path)) {
            files.push(file_write(path, Some(hash), None)?);
        }
        let events = self.new_events(client, &texts, &logs).await?;
        let uploaded = rows.iter().map(|row| row.get("hash")).collect();
        Ok(Steps { files, events, logs, uploaded })
    }

    /// What the logs have and the store does not, scanned.
    async fn new_events(
        &self,
        client: &Object,
        texts: &BTreeMap<&str, &str>,
        logs: &[String],
    ) -> Result<Vec<Event>, End> {
        let (tenant, store) = (self.tenant(), self.store);
        let events = logs.iter().flat_map(|log| texts[log.as_str()].lines());
        let events: Vec<Event> =
            events.filter_map(Event::of_line).filter(|it| !it.id.is_empty()).collect();
        let ids: Vec<&str> = events.iter().map(|event| event.id.as_str()).collect();
        let known = query(client, sql::sync::KNOWN_EVENTS, &[&tenant, &store, &ids]).await?;
        let known: BTreeSet<&str> = known.iter().map(|row| row.get(0)).collect();
        let mut events: Vec<Event> =
            events.iter().filter(|it| !known.contains(it.id.as_str())).cloned().collect();
        in_order(&mut events);
        for event in &events {
            let found = event.texts().find_map(|(_, text)| secrets::scan(text).into_iter().next());
            refuse_secret(&format!("event {}", event.id), found)?;
        }
        Ok(events)
    }

    /// Everything but the commit.
    async fn take(
        &self,
        transaction: &Transaction,
        head: Head,
        steps: Steps,
        push: &Push<'_>,
    ) -> Result<Signed, Failure> {
        let (client, tenant, store) = (transaction.client(), self.tenant(), self.store);
        let applying =
            Applying { client, tenant, store, revision: head.revision + 1, access: self.access };
        let Steps { files, events, logs, uploaded } = steps;
        let failed = |error: PgError| error.failure("push to", "the store");
        query(client, sql::sync::MANY_ROWS, &[]).await.map_err(failed)?;
        applying.files(&files).await?;
        let ended = async {
            applying.events(&events, head.seq, Source::Git).await?;
            applying.touch(&events).await?;
            let mut log = head.log;
            events.iter().for_each(|event| log.take(event));
            let last = events.iter().map(|event| event.id.as_str()).max().unwrap_or_default();
            let signed = self.sign(&head.last, &mut []);
            // The next write must not get the name of this one, whatever the clock says.
            let last = signed.last.as_str().max(last).to_owned();
            let signed = Signed { last, ..signed };
            applying.end(&signed, head.seq + events.len() as i64, &log).await?;
            let reread =
                execute(client, sql::sync::REREAD, &[&tenant, &store, &push.config]).await?;
            if reread > 0 {
                execute(client, sql::JOBS_OF_CHANGED, &[&tenant, &store]).await?;
            }
            let values: [Value<'_>; 5] =
                [&tenant, &store, &push.commit, &push.repository, &push.config];
            execute(client, sql::sync::SET_HEAD, &values).await?;
            execute(client, sql::sync::DROP_CODE, &[&tenant, &store]).await?;
            let (questions, answers): (Vec<&str>, Vec<&str>) =
                push.code.iter().map(|(question, answer)| (&**question, &**answer)).unzip();
            execute(client, sql::sync::ADD_CODE, &[&tenant, &store, &questions, &answers]).await?;
            execute(client, sql::sync::TAKE_LOGS, &[&tenant, &store, &logs]).await?;
            execute(client, sql::sync::END_UPLOADS, &[&tenant, &store, &uploaded]).await?;
            let arrived: BTreeSet<i64> =
                events.iter().filter_map(|event| change_of(event, push.repository)).collect();
            let arrived: Vec<i64> = arrived.into_iter().collect();
            execute(client, sql::sync::CHANGES_ARRIVED, &[&tenant, &store, &arrived]).await?;
            if push.is_reset {
                let what = json!({ "store": store, "from": push.base, "to": push.commit });
                let who = (tenant, self.access.caller.principal);
                audit::add(client, who, "sync_reset", &what).await?;
            }
            Ok(signed)
        };
        ended.await.map_err(failed)
    }
}

fn refused(head: &Head, push: &Push<'_>) -> Option<Pushed> {
    if !head.is_mirror {
        return Some(Pushed::NoMirror);
    }
    if head.repository.as_deref().is_some_and(|it| it != push.repository) {
        return Some(Pushed::OtherRepository);
    }
    if head.commit.as_deref() == Some(push.commit) {
        return Some(Pushed::There);
    }
    if head.commit.as_deref() != push.base {
        return Some(Pushed::Moved { head: head.commit.clone() });
    }
    None
}

fn refuse_secret(place: &str, found: Option<SecretFinding>) -> Result<(), End> {
    let Some(found) = found else { return Ok(()) };
    let (place, SecretFinding { rule, line, .. }) = (place.to_owned(), found);
    Err(End::With(Pushed::Secret { place, rule, line }))
}

fn file_write(path: &str, before: Option<&str>, after: Option<&str>) -> Result<FileWrite, End> {
    let folder = path.split('/').next().unwrap_or_default();
    let id = id_of_path(path).filter(|_| !RESERVED.contains(&folder));
    let id = id.ok_or_else(|| End::With(Pushed::BadPath(path.to_owned())))?;
    let (before, after) = (before.and_then(ContentHash::parse), after.map(str::to_owned));
    Ok(FileWrite { path: path.to_owned(), id, before, after, memory: None })
}

fn taken(steps: &Steps) -> Taken {
    let count = |is: fn(&FileWrite) -> bool| steps.files.iter().filter(|file| is(file)).count();
    Taken {
        created: count(|file| file.before.is_none()),
        changed: count(|file| file.before.is_some() && file.after.is_some()),
        removed: count(|file| file.after.is_none()),
        events: steps.events.len(),
    }
}
