//! Stores, access, the audit, erasing and verifying.

use jiff::Timestamp;
use oldhand_core::kind::Kinds;
use oldhand_core::memory::MemoryId;
use oldhand_pg::access::{Access, Caller};
use oldhand_pg::admin::{NewStore, StoreAccess};
use oldhand_pg::database::Database;
use oldhand_pg::door::Principal;
use oldhand_pg::vault::PgVault;
use oldhand_pg::verify::Truth;
use oldhand_store::ulid::SystemEntropy;
use serde_json::{Value as Json, json};

use super::Trouble;
use crate::door::key::ServerKey;
use crate::visitor::Role;

/// Lines of the audit in one answer.
const LINES_MAX: i64 = 1000;

/// Who administers a tenant: somebody who was let in, or whoever has the shell of the server.
pub struct Administrator<'a> {
    pub database: &'a Database,
    pub key: Option<&'a ServerKey>,
    pub tenant: i32,
    /// None for the shell.
    pub principal: Option<i32>,
    pub name: &'a str,
}

impl<'a> Administrator<'a> {
    /// Sees principals, tokens and names of stores, but nothing inside of a store.
    pub fn outside(&self) -> Access<'a> {
        self.with_stores(Vec::new())
    }

    pub fn with_stores(&self, stores: Vec<i32>) -> Access<'a> {
        let caller = Caller { tenant: self.tenant, stores, principal: self.principal };
        Access::new(self.database, caller)
    }

    pub fn principal_named(&self, name: &str) -> Result<Principal, Trouble> {
        self.outside().principal_named(name)?.ok_or_else(|| {
            let hint = "list them with `oldhand-team admin principal list`";
            Trouble::missing(format!("there is no principal `{name}`"), hint)
        })
    }

    pub fn store_named(&self, name: &str) -> Result<StoreAccess, Trouble> {
        let found = self.outside().all_stores()?.into_iter().find(|it| it.name == name);
        found.ok_or_else(|| {
            let hint = "list them with `oldhand-team admin store list`";
            Trouble::missing(format!("there is no store `{name}`"), hint)
        })
    }

    pub fn create_principal(
        &self,
        kind: &str,
        name: &str,
        is_admin: bool,
    ) -> Result<Json, Trouble> {
        one_of("kind", kind, &["person", "agent", "ci", "group"])?;
        let access = self.outside();
        let principal = access.create_principal(kind, name)?;
        if is_admin {
            access.set_admin(principal, true)?;
        }
        Ok(json!({ "principal": name, "kind": kind, "is_admin": is_admin }))
    }

    pub fn principals(&self) -> Result<Json, Trouble> {
        let all = self.outside().principals()?;
        let one = |it: &Principal| json!({ "principal": it.name, "kind": it.kind, "is_admin": it.is_admin, "is_disabled": it.is_disabled });
        Ok(json!({ "principals": all.iter().map(one).collect::<Vec<_>>() }))
    }

    pub fn set_disabled(&self, name: &str, is_disabled: bool) -> Result<Json, Trouble> {
        let principal = self.principal_named(name)?.principal;
        match is_disabled {
            true => self.outside().disable(principal)?,
            false => self.outside().enable(principal)?,
        }
        Ok(json!({ "principal": name, "is_disabled": is_disabled }))
    }

    pub fn set_admin(&self, name: &str, is_admin: bool) -> Result<Json, Trouble> {
        let principal = self.principal_named(name)?.principal;
        self.outside().set_admin(principal, is_admin)?;
        Ok(json!({ "principal": name, "is_admin": is_admin }))
    }

    pub fn create_store(&self, new: &NewStore<'_>) -> Result<Json, Trouble> {
        one_of("level", new.level, &["org", "team", "repository", "person"])?;
        one_of("truth", new.truth, &["server", "git"])?;
        self.outside().create_store(new)?;
        Ok(json!({ "store": new.name, "level": new.level, "truth": new.truth }))
    }

    pub fn stores(&self) -> Result<Json, Trouble> {
        let all = self.outside().all_stores()?;
        let one =
            |it: &StoreAccess| json!({ "store": it.name, "level": it.level, "truth": it.truth });
        Ok(json!({ "stores": all.iter().map(one).collect::<Vec<_>>() }))
    }

    pub fn access(&self, store: &str) -> Result<Json, Trouble> {
        let rows = self.outside().access_of(self.store_named(store)?.store)?;
        let one = |[name, kind, role]: &[String; 3]| json!({ "principal": name, "kind": kind, "role": role });
        Ok(json!({ "store": store, "access": rows.iter().map(one).collect::<Vec<_>>() }))
    }

    pub fn grant(&self, store: &str, principal: &str, role: &str) -> Result<Json, Trouble> {
        one_of("role", role, &Role::ALL.map(Role::name))?;
        let (at, who) =
            (self.store_named(store)?.store, self.principal_named(principal)?.principal);
        self.outside().grant(at, who, role)?;
        Ok(json!({ "store": store, "principal": principal, "role": role }))
    }

    pub fn ungrant(&self, store: &str, principal: &str) -> Result<Json, Trouble> {
        let (at, who) =
            (self.store_named(store)?.store, self.principal_named(principal)?.principal);
        match self.outside().ungrant(at, who)? {
            true => Ok(json!({ "store": store, "principal": principal, "role": null })),
            false => Err(Trouble::missing(
                format!("`{principal}` has no access to `{store}`"),
                "nothing was changed; groups have access of their own",
            )),
        }
    }

    /// The audit with all writes so far, from one line on.
    pub fn audit(&self, after: i64) -> Result<Json, Trouble> {
        let access = self.complete_audit()?;
        let one = |it: &oldhand_pg::audit::AuditLine| {
            let at = Timestamp::from_microsecond(it.micros).map(|it| it.to_string());
            let what: Json = serde_json::from_str(&it.what).unwrap_or_default();
            json!({
                "seq": it.seq, "at": at.unwrap_or_default(), "principal": it.principal, "action": it.action,
                "what": what, "hash": it.hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
            })
        };
        let lines = access.audit_lines(after, LINES_MAX)?;
        Ok(json!({ "lines": lines.iter().map(one).collect::<Vec<_>>() }))
    }

    /// Writes become lines first.
    fn complete_audit(&self) -> Result<Access<'a>, Trouble> {
        let stores: Vec<i32> = self.outside().all_stores()?.iter().map(|it| it.store).collect();
        let access = self.with_stores(stores.clone());
        for store in stores {
            access.audit_writes(store)?;
        }
        Ok(access)
    }

    pub fn verify_audit(&self) -> Result<Json, Trouble> {
        let problems = self.complete_audit()?.verify_audit()?;
        Ok(json!({ "is_whole": problems.is_empty(), "problems": problems }))
    }

    /// Every memory against its last event, one store or all, and the audit.
    pub fn verify(&self, store: Option<&str>) -> Result<Json, Trouble> {
        let all = match store {
            Some(name) => vec![self.store_named(name)?],
            None => self.outside().all_stores()?,
        };
        let (mut files, mut problems) = (0, Vec::new());
        for it in &all {
            let access = self.with_stores(vec![it.store]);
            let kinds = Kinds::default();
            let truth = if it.truth == "git" { Truth::Git } else { Truth::Server };
            let verified = vault(&access, it.store, &kinds).verify(truth)?;
            files += verified.files;
            problems
                .extend(verified.problems.into_iter().map(|what| format!("{}: {what}", it.name)));
        }
        problems.extend(self.complete_audit()?.verify_audit()?);
        let is_whole = problems.is_empty();
        Ok(
            json!({ "stores": all.len(), "files": files, "is_whole": is_whole, "problems": problems }),
        )
    }

    pub fn erase_memory(&self, store: &str, id: &str) -> Result<Json, Trouble> {
        let at = self.store_named(store)?;
        let id = MemoryId::parse(id).map_err(|_| {
            Trouble::asked(format!("`memory` is no id: `{id}`"), "give the id of a memory")
        })?;
        let access = self.with_stores(vec![at.store]);
        let kinds = Kinds::default();
        let erased = vault(&access, at.store, &kinds).erase(&id, self.name)?;
        let elsewhere = match at.truth.as_str() {
            "git" => "git keeps it: take it out of the repository and its history too",
            _ => "backups keep it until they end",
        };
        Ok(json!({
            "store": store, "memory": id.as_str(), "versions": erased.versions, "events": erased.events,
            "mentions": erased.mentions, "note": elsewhere,
        }))
    }

    pub fn erase_person(&self, name: &str) -> Result<Json, Trouble> {
        let principal = self.principal_named(name)?.principal;
        let stores = self.outside().all_stores()?.iter().map(|it| it.store).collect();
        let rows = self.with_stores(stores).erase_person(principal)?;
        let note = "memories that they wrote belong to their stores and stay; backups keep the rest until they end";
        Ok(json!({ "principal": format!("erased {principal}"), "rows": rows, "note": note }))
    }
}

/// For whoever looks after a store, now.
pub(super) fn vault<'a>(access: &'a Access<'a>, store: i32, kinds: &'a Kinds) -> PgVault<'a> {
    PgVault { access, store, kinds, entropy: &SystemEntropy, now: Timestamp::now() }
}

/// The words are those of the schema.
fn one_of(field: &str, word: &str, known: &[&str]) -> Result<(), Trouble> {
    match known.contains(&word) {
        true => Ok(()),
        false => Err(Trouble::asked(
            format!("`{field}` is unknown: `{word}`"),
            format!("use one of `{}`", known.join("`, `")),
        )),
    }
}
