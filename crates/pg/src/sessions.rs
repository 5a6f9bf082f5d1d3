//! The session store on PostgreSQL: what is known of the sessions that a principal has in a store.

use deadpool_postgres::Object;
use oldhand_sessions::notes::{Line, Notes};
use oldhand_store::disk::Held;
use oldhand_store::failure::StoreError;
use oldhand_store::port::session::{Log, NotesChange, SessionId, SessionStore, StoreRecord};
use oldhand_store::port::session_state::{Said, SessionState};
use oldhand_store::ulid::{Entropy, SystemEntropy};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::access::{Access, Caller, SharedReading};
use crate::database::{Database, Value, execute, query};
use crate::error::PgError;
use crate::sql;

/// Names of parts.
const STATE: &str = "state";
const PROMPTS: &str = "prompts";
const NOTES: &str = "notes";
const SUMMARY: &str = "summary";
const RECORD: &str = "record";

/// Sessions that are listed, lines that are read.
const RECENT_MAX: i64 = 60;
const LINES_MAX: i64 = 20_000;

pub struct PgSessions {
    pub database: Database,
    /// Whose sessions these are.
    pub caller: Caller,
    pub store: i32,
    /// That of the answer that asks, which is on this thread.
    pub reading: Option<SharedReading>,
}

/// Which value or list of lines.
#[derive(Clone, Copy)]
struct Key<'k> {
    part: &'k str,
    session: &'k str,
    agent: &'k str,
}

impl<'k> Key<'k> {
    fn of(part: &'k str, id: SessionId<'k>) -> Self {
        Self { part, session: id.session, agent: id.agent }
    }

    fn plain(part: &'k str, session: &'k str) -> Self {
        Self { part, session, agent: "" }
    }
}

/// One transaction of a caller.
struct SessionRows<'a> {
    client: &'a Object,
    tenant: i32,
    store: i32,
    principal: i32,
}

impl PgSessions {
    fn access(&self) -> Access<'_> {
        let access = Access::new(&self.database, self.caller.clone());
        match &self.reading {
            Some(reading) => access.sharing(reading.clone()),
            None => access,
        }
    }

    fn rows<'a>(&self, client: &'a Object) -> SessionRows<'a> {
        let principal = self.caller.principal.unwrap_or_default();
        SessionRows { client, tenant: self.caller.tenant, store: self.store, principal }
    }

    fn read<T>(
        &self,
        name: &str,
        run: impl AsyncFn(SessionRows<'_>) -> Result<T, PgError>,
    ) -> Result<T, StoreError> {
        let access = self.access();
        let read = access.read(async |client| run(self.rows(client)).await);
        read.map_err(|error| error.at("read", name))
    }

    fn write<T>(
        &self,
        name: &str,
        run: impl AsyncFnOnce(SessionRows<'_>) -> Result<T, PgError>,
    ) -> Result<T, StoreError> {
        let access = self.access();
        let written = access.change(async |client| run(self.rows(client)).await);
        written.map_err(|error| error.at("write", name))
    }

    /// Nobody else changes the value meanwhile.
    fn change_value<T: DeserializeOwned + Serialize + Default>(
        &self,
        key: Key<'_>,
        change: impl AsyncFnOnce(&SessionRows<'_>, &mut T) -> Result<(), PgError>,
    ) -> Result<(), StoreError> {
        self.write(key.session, async |kept| {
            let body = kept.lock(key).await?;
            let mut value: T = parse(&body)?;
            change(&kept, &mut value).await?;
            kept.set(key, &json(&value)?).await
        })
    }

    fn states(
        &self,
        run: impl AsyncFn(SessionRows<'_>) -> Result<Vec<String>, PgError>,
    ) -> Vec<SessionState> {
        // As where there is none: a list is for looking back.
        let bodies = self.read(STATE, run).unwrap_or_default();
        bodies.iter().filter_map(|body| serde_json::from_str(body).ok()).collect()
    }
}

/// Nothing yet is the default; what can't be read is an error, so that it is not replaced.
fn parse<T: DeserializeOwned + Default>(body: &str) -> Result<T, PgError> {
    if body.is_empty() {
        return Ok(T::default());
    }
    serde_json::from_str(body).map_err(|error| PgError::refused(error.to_string()))
}

fn json(value: &impl Serialize) -> Result<String, PgError> {
    serde_json::to_string(value).map_err(|error| PgError::refused(error.to_string()))
}

impl SessionRows<'_> {
    async fn value(&self, key: Key<'_>) -> Result<Option<String>, PgError> {
        let Key { part, session, agent } = key;
        let values: [Value<'_>; 6] =
            [&self.tenant, &self.store, &self.principal, &part, &session, &agent];
        let rows = query(self.client, sql::VALUE, &values).await?;
        Ok(rows.first().map(|row| row.get(0)).filter(|body: &String| !body.is_empty()))
    }

    async fn lock(&self, key: Key<'_>) -> Result<String, PgError> {
        let Key { part, session, agent } = key;
        let values: [Value<'_>; 6] =
            [&self.tenant, &self.store, &self.principal, &part, &session, &agent];
        execute(self.client, sql::MAKE_VALUE, &values).await?;
        let rows = query(self.client, sql::LOCK_VALUE, &values).await?;
        rows.first().map(|row| row.get(0)).ok_or_else(|| PgError::refused("it is gone"))
    }

    async fn set(&self, key: Key<'_>, body: &str) -> Result<(), PgError> {
        let Key { part, session, agent } = key;
        let values: [Value<'_>; 7] =
            [&self.tenant, &self.store, &self.principal, &part, &session, &agent, &body];
        execute(self.client, sql::SET_VALUE, &values).await.map(drop)
    }

    /// Oldest first.
    async fn lines(&self, key: Key<'_>) -> Result<Vec<String>, PgError> {
        let Key { part, session, .. } = key;
        let values: [Value<'_>; 6] =
            [&self.tenant, &self.store, &self.principal, &part, &session, &LINES_MAX];
        let rows = query(self.client, sql::SESSION_LINES, &values).await?;
        Ok(rows.iter().rev().map(|row| row.get("body")).collect())
    }

    async fn add_lines(&self, key: Key<'_>, lines: &[String]) -> Result<(), PgError> {
        let Key { part, session, .. } = key;
        let values: [Value<'_>; 6] =
            [&self.tenant, &self.store, &self.principal, &part, &session, &lines];
        execute(self.client, sql::ADD_LINES, &values).await.map(drop)
    }

    /// Removes them, oldest first.
    async fn take_lines(&self, key: Key<'_>) -> Result<Vec<String>, PgError> {
        let Key { part, session, .. } = key;
        let values: [Value<'_>; 5] = [&self.tenant, &self.store, &self.principal, &part, &session];
        let mut rows = query(self.client, sql::TAKE_LINES, &values).await?;
        rows.sort_by_key(|row| row.get::<_, i64>("n"));
        Ok(rows.iter().map(|row| row.get("body")).collect())
    }

    async fn notes(&self, session: &str) -> Result<Notes, PgError> {
        let lines = self.lines(Key::plain(NOTES, session)).await?;
        let lines = lines.iter().map(|line| serde_json::from_str(line));
        let lines = lines.collect::<Result<Vec<Line>, _>>();
        let lines = lines.map_err(|error| PgError::refused(error.to_string()))?;
        Ok(Notes::fold(&lines))
    }
}

/// Somebody works on a session; dropped, it is let go.
struct AtWork {
    database: Database,
    caller: Caller,
    store: i32,
    session: String,
    agent: String,
    holder: String,
}

impl Held for AtWork {}

impl Drop for AtWork {
    fn drop(&mut self) {
        let access = Access::new(&self.database, self.caller.clone());
        let (tenant, principal) = (self.caller.tenant, self.caller.principal.unwrap_or_default());
        // What can't be let go ends by itself.
        let _ = access.change(async |client| {
            let values: [Value<'_>; 6] =
                [&tenant, &self.store, &principal, &self.session, &self.agent, &self.holder];
            execute(client, sql::END_WORK, &values).await
        });
    }
}

impl SessionStore for PgSessions {
    fn load(&self, id: SessionId<'_>) -> Option<SessionState> {
        let key = Key::of(STATE, id);
        let body = self.read(id.session, async |kept| kept.value(key).await).ok()??;
        serde_json::from_str(&body).ok()
    }

    fn change(
        &self,
        id: SessionId<'_>,
        change: &mut dyn FnMut(&mut SessionState),
    ) -> Result<(), StoreError> {
        self.change_value(Key::of(STATE, id), async |kept, state: &mut SessionState| {
            (state.session, state.agent) = (id.session.to_owned(), id.agent.to_owned());
            if id.agent.is_empty() {
                for said in kept.take_lines(Key::plain(PROMPTS, id.session)).await? {
                    state.hear(serde_json::from_str(&said).ok());
                }
            }
            change(state);
            Ok(())
        })
    }

    fn recent(&self) -> Vec<SessionState> {
        let mut found = self.states(async |kept| {
            let values: [Value<'_>; 5] =
                [&kept.tenant, &kept.store, &kept.principal, &STATE, &RECENT_MAX];
            let rows = query(kept.client, sql::RECENT_VALUES, &values).await?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        });
        found.retain(SessionState::has_begun);
        found.sort_by(SessionState::latest_first);
        found
    }

    fn subagents(&self, session: &str) -> Vec<SessionState> {
        self.states(async |kept| {
            let values: [Value<'_>; 5] =
                [&kept.tenant, &kept.store, &kept.principal, &STATE, &session];
            let rows = query(kept.client, sql::VALUES_OF_AGENTS, &values).await?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        })
    }

    fn hold_work(&self, id: SessionId<'_>) -> Result<Box<dyn Held>, StoreError> {
        let held = AtWork {
            database: self.database.clone(),
            caller: self.caller.clone(),
            store: self.store,
            session: id.session.to_owned(),
            agent: id.agent.to_owned(),
            holder: SystemEntropy.next().to_string(),
        };
        let taken = self.write(id.session, async |kept| {
            let values: [Value<'_>; 6] = [
                &kept.tenant,
                &kept.store,
                &kept.principal,
                &held.session,
                &held.agent,
                &held.holder,
            ];
            execute(kept.client, sql::HOLD_WORK, &values).await
        })?;
        match taken {
            0 => Err(StoreError::at_work(id.session.as_ref())),
            _ => Ok(Box::new(held)),
        }
    }

    fn keep_prompt(&self, session: &str, said: &Said) -> Result<(), StoreError> {
        self.write(session, async |kept| {
            kept.add_lines(Key::plain(PROMPTS, session), &[json(said)?]).await
        })
    }

    fn notes(&self, session: &str) -> Result<Notes, StoreError> {
        self.read(session, async |kept| kept.notes(session).await)
    }

    fn change_notes(
        &self,
        session: &str,
        decide: &mut dyn FnMut(&Notes) -> Option<NotesChange>,
    ) -> Result<(), StoreError> {
        let key = Key::plain(NOTES, session);
        self.write(session, async |kept| {
            kept.lock(key).await?;
            let lines = match decide(&kept.notes(session).await?) {
                None => return Ok(()),
                Some(NotesChange::Append(lines)) => lines,
                Some(NotesChange::Restart(line)) => {
                    kept.take_lines(key).await?;
                    vec![line]
                }
            };
            let lines = lines.iter().map(json).collect::<Result<Vec<_>, _>>()?;
            kept.add_lines(key, &lines).await
        })
    }

    fn summary(&self, session: &str) -> Option<String> {
        let key = Key::plain(SUMMARY, session);
        self.read(session, async |kept| kept.value(key).await).ok()?
    }

    fn replace_summary(&self, session: &str, text: &str) -> Result<(), StoreError> {
        let key = Key::plain(SUMMARY, session);
        self.write(session, async |kept| {
            kept.lock(key).await?;
            kept.set(key, text).await
        })
    }

    fn record(&self) -> Result<StoreRecord, StoreError> {
        let key = Key::plain(RECORD, "");
        self.read(RECORD, async |kept| parse(&kept.value(key).await?.unwrap_or_default()))
    }

    fn change_record(&self, change: &mut dyn FnMut(&mut StoreRecord)) -> Result<(), StoreError> {
        self.change_value(Key::plain(RECORD, ""), async |_, record: &mut StoreRecord| {
            change(record);
            Ok(())
        })
    }

    fn append(&self, log: Log, line: &str) -> Result<(), StoreError> {
        self.write(log.name(), async |kept| {
            kept.add_lines(Key::plain(log.name(), ""), &[line.to_owned()]).await
        })
    }

    fn lines(&self, log: Log) -> Vec<String> {
        let key = Key::plain(log.name(), "");
        self.read(log.name(), async |kept| kept.lines(key).await).unwrap_or_default()
    }

    fn forget_old(&self, hooks_before: &str) {
        // Best effort: the next session start tries again.
        let _ = self.write("sessions", async |kept| {
            let SessionRows { client, tenant, store, principal } = &kept;
            for statement in sql::FORGET_SESSIONS {
                execute(client, statement, &[tenant, store, principal]).await?;
            }
            let values: [Value<'_>; 5] =
                [tenant, store, principal, &Log::Hooks.name(), &hooks_before];
            execute(client, sql::FORGET_LINES, &values).await
        });
    }
}
