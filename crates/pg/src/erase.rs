//! Erasing: the text of a memory, or what is kept about a person, leaves every table. A line of the audit says so.

use oldhand_core::event::{Event, EventType};
use oldhand_core::memory::MemoryId;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_store::failure::Failure;
use oldhand_store::port::{FileWrite, Plan, Vault};
use oldhand_text::hash::ContentHash;
use serde_json::json;

use crate::access::Access;
use crate::database::{execute, query};
use crate::error::PgError;
use crate::sql;
use crate::vault::PgVault;

/// What the last event of an erased memory says.
const REASON: &str = "erased";

/// What was taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Erased {
    /// Events that lost their words; they still say that and when something happened.
    pub events: i64,
    pub versions: u64,
    /// What sessions were given or asked, and answers to requests.
    pub mentions: u64,
}

impl PgVault<'_> {
    /// Erases a memory: its file, its versions, its words and vectors, the words of its events, and what sessions
    /// keep that names it. Repeated after an interruption, it goes on.
    pub fn erase(&self, id: &MemoryId, by: &str) -> Result<Erased, Failure> {
        let events = self.events_of(id.as_str())?;
        let raw = self.find_raw(id)?;
        if raw.is_none() && events.is_empty() {
            let message = format!("there is no memory `{id}` in this store");
            return Err(Refusal::new(Code::NotFound, message).into());
        }
        let mut hashes: Vec<String> =
            events.iter().flat_map(|it| [it.before.clone(), it.after.clone()]).flatten().collect();
        hashes.extend(raw.map(|it| it.hash.to_string()));
        self.write(&mut || self.removal(id, by))?.settle();
        let erased = self.access.erase_traces(self.store, id.as_str(), &hashes);
        erased.map_err(|error| error.failure("erase", id.as_str()))
    }

    fn removal(&self, id: &MemoryId, by: &str) -> Result<Plan, Failure> {
        let Some(raw) = self.find_raw(id)? else { return Ok(Plan::default()) };
        let mut event = Event::new(EventType::Collected, id.as_str(), self.now);
        event.path.clone_from(&raw.path);
        event.before = Some(raw.hash.to_string());
        by.clone_into(&mut event.by);
        REASON.clone_into(&mut event.reason);
        let before: ContentHash = raw.hash;
        let file = FileWrite {
            id: id.clone(),
            path: raw.path,
            before: Some(before),
            after: None,
            memory: None,
        };
        Ok(Plan::one(file, event))
    }
}

impl Access<'_> {
    fn erase_traces(&self, store: i32, id: &str, hashes: &[String]) -> Result<Erased, PgError> {
        let tenant = self.caller.tenant;
        let what = json!({ "did": "memory", "store": store, "memory": id });
        self.change_audited("erase", &what, async |client| {
            let versions =
                execute(client, sql::door::DROP_VERSIONS, &[&tenant, &store, &hashes]).await?;
            let events: i64 =
                query(client, sql::door::ERASE_WORDS, &[&store, &id]).await?[0].get(0);
            let mut mentions = 0;
            for statement in sql::door::ERASE_MENTIONS {
                mentions += execute(client, statement, &[&tenant, &store, &id]).await?;
            }
            Ok(Erased { events, versions, mentions })
        })
    }

    /// Erases a person: what their sessions asked and noted, their access, tokens and browsers, their name and who
    /// they are for the identity provider. Memories that they wrote belong to their stores and stay. The caller must
    /// see all stores of the tenant.
    pub fn erase_person(&self, principal: i32) -> Result<u64, PgError> {
        let tenant = self.caller.tenant;
        let what = json!({ "did": "person", "principal": principal });
        self.change_audited("erase", &what, async |client| {
            let mut rows = 0;
            for statement in sql::door::ERASE_PERSON {
                rows += execute(client, statement, &[&tenant, &principal]).await?;
            }
            Ok(rows)
        })
    }
}
