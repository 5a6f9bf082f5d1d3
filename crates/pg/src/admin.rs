//! Tenants, principals, stores and access. Only the owner of the tables makes tenants; the rest is the server's,
//! inside of one tenant.

use serde_json::json;
use tokio_postgres::{Client, Row};

use crate::access::Access;
use crate::database::{execute, query};
use crate::error::PgError;
use crate::sql;

/// A store that somebody has access to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreAccess {
    pub store: i32,
    pub name: String,
    pub level: String,
    pub truth: String,
    pub role: String,
}

/// What a store says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreFacts {
    /// Grows with each write.
    pub revision: i64,
    /// Its `config.toml`.
    pub config: String,
}

pub struct NewStore<'a> {
    pub name: &'a str,
    /// `org`, `team`, `repository` or `person`.
    pub level: &'a str,
    /// `git` or `server`.
    pub truth: &'a str,
}

pub struct NewCredential<'a> {
    /// A UUID.
    pub credential: &'a str,
    pub principal: i32,
    /// Keyed, with a secret that is not in the database.
    pub hash: &'a [u8],
    pub scopes: &'a [&'a str],
    pub stores: Option<&'a [i32]>,
    pub expires_at: jiff::Timestamp,
}

/// The limits of a tenant's stores, which only the owner of the tables sets.
pub async fn set_limits(owner: &mut Client, tenant: i32, limits: &str) -> Result<(), PgError> {
    let transaction = owner.transaction().await?;
    transaction.query_one(sql::CONTEXT, &[&tenant.to_string(), &"{}", &"10000", &"30000"]).await?;
    transaction.execute(sql::door::TENANT_LIMITS, &[&tenant, &limits]).await?;
    transaction.commit().await?;
    Ok(())
}

/// Makes a tenant, over a connection of the owner.
pub async fn create_tenant(owner: &mut Client, name: &str) -> Result<i32, PgError> {
    let transaction = owner.transaction().await?;
    let tenant: i32 = transaction.query_one(sql::NEXT_TENANT, &[]).await?.get(0);
    let text = tenant.to_string();
    // Row security holds for the owner too.
    transaction.query_one(sql::CONTEXT, &[&text, &"{}", &"10000", &"30000"]).await?;
    transaction.execute(sql::NEW_TENANT, &[&tenant, &name]).await?;
    transaction.commit().await?;
    Ok(tenant)
}

impl StoreAccess {
    pub(crate) fn of_row(row: &Row) -> Self {
        Self {
            store: row.get("store"),
            name: row.get("name"),
            level: row.get("level"),
            truth: row.get("truth"),
            role: row.get("role"),
        }
    }
}

impl Access<'_> {
    /// `kind` is `person`, `agent`, `ci` or `group`.
    pub fn create_principal(&self, kind: &str, name: &str) -> Result<i32, PgError> {
        let tenant = self.caller.tenant;
        let what = json!({ "principal": name, "kind": kind });
        self.change_audited("access", &what, async |client| {
            Ok(query(client, sql::NEW_PRINCIPAL, &[&tenant, &kind, &name]).await?[0].get(0))
        })
    }

    pub fn create_store(&self, new: &NewStore<'_>) -> Result<i32, PgError> {
        let (tenant, NewStore { name, level, truth }) = (self.caller.tenant, new);
        let what = json!({ "did": "create store", "store": name, "level": level });
        self.change_audited("settings", &what, async |client| {
            Ok(query(client, sql::NEW_STORE, &[&tenant, name, level, truth]).await?[0].get(0))
        })
    }

    /// `role` is `reader`, `writer`, `reviewer` or `maintainer`.
    pub fn grant(&self, store: i32, principal: i32, role: &str) -> Result<(), PgError> {
        let tenant = self.caller.tenant;
        let what = json!({ "did": "grant", "store": store, "principal": principal, "role": role });
        self.change_audited("access", &what, async |client| {
            execute(client, sql::GRANT, &[&tenant, &store, &principal, &role]).await.map(drop)
        })
    }

    /// False if there was no access.
    pub fn ungrant(&self, store: i32, principal: i32) -> Result<bool, PgError> {
        let tenant = self.caller.tenant;
        let what = json!({ "did": "ungrant", "store": store, "principal": principal });
        self.change_audited("access", &what, async |client| {
            Ok(execute(client, sql::door::UNGRANT, &[&tenant, &store, &principal]).await? > 0)
        })
    }

    pub fn store_facts(&self, store: i32) -> Result<Option<StoreFacts>, PgError> {
        let tenant = self.caller.tenant;
        let rows =
            self.read(async |client| query(client, sql::STORE_FACTS, &[&tenant, &store]).await)?;
        let one =
            |row: &Row| StoreFacts { revision: row.get("revision"), config: row.get("config") };
        Ok(rows.first().map(one))
    }

    /// Whether somebody administers the tenant.
    pub fn set_admin(&self, principal: i32, is_admin: bool) -> Result<(), PgError> {
        let tenant = self.caller.tenant;
        let what = json!({ "did": "admin", "principal": principal, "is_admin": is_admin });
        self.change_audited("access", &what, async |client| {
            execute(client, sql::door::SET_ADMIN, &[&tenant, &principal, &is_admin]).await.map(drop)
        })
    }

    /// Nothing of theirs counts any more, from now on.
    pub fn disable(&self, principal: i32) -> Result<(), PgError> {
        let tenant = self.caller.tenant;
        let what = json!({ "did": "disable", "principal": principal });
        self.change_audited("access", &what, async |client| {
            execute(client, sql::door::DISABLE, &[&tenant, &principal]).await.map(drop)
        })
    }

    pub fn enable(&self, principal: i32) -> Result<(), PgError> {
        let tenant = self.caller.tenant;
        let what = json!({ "did": "enable", "principal": principal });
        self.change_audited("access", &what, async |client| {
            execute(client, sql::door::ENABLE, &[&tenant, &principal]).await.map(drop)
        })
    }

    /// All stores of the tenant.
    pub fn all_stores(&self) -> Result<Vec<StoreAccess>, PgError> {
        let tenant = self.caller.tenant;
        let rows = self.read(async |client| query(client, sql::door::STORES, &[&tenant]).await)?;
        Ok(rows.iter().map(StoreAccess::of_row).collect())
    }

    /// Who has access to a store: name, kind, role.
    pub fn access_of(&self, store: i32) -> Result<Vec<[String; 3]>, PgError> {
        let tenant = self.caller.tenant;
        let rows = self.read(async |client| {
            query(client, sql::door::ACCESS_OF_STORE, &[&tenant, &store]).await
        })?;
        Ok(rows.iter().map(|row| [row.get(0), row.get(1), row.get(2)]).collect())
    }
}
