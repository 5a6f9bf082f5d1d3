//! Tenants, principals, stores and credentials. Only the owner of the tables makes tenants; the rest is the server's,
//! inside of one tenant.

use tokio_postgres::{Client, Row};

use crate::access::Access;
use crate::database::{Database, Value, execute, query};
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

/// A token that somebody showed, as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    pub tenant: i32,
    /// A UUID.
    pub credential: String,
    pub principal: i32,
    /// `person`, `agent`, `ci` or `group`.
    pub kind: String,
    pub name: String,
    pub scopes: Vec<String>,
    /// None for every store of the principal.
    pub stores: Option<Vec<i32>>,
    /// Neither ended nor revoked, and its principal is not disabled.
    pub is_valid: bool,
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

impl Access<'_> {
    /// `kind` is `person`, `agent`, `ci` or `group`.
    pub fn create_principal(&self, kind: &str, name: &str) -> Result<i32, PgError> {
        let tenant = self.caller.tenant;
        self.change(async |client| {
            Ok(query(client, sql::NEW_PRINCIPAL, &[&tenant, &kind, &name]).await?[0].get(0))
        })
    }

    pub fn create_store(&self, new: &NewStore<'_>) -> Result<i32, PgError> {
        let (tenant, NewStore { name, level, truth }) = (self.caller.tenant, new);
        self.change(async |client| {
            Ok(query(client, sql::NEW_STORE, &[&tenant, name, level, truth]).await?[0].get(0))
        })
    }

    /// `role` is `reader`, `writer`, `reviewer` or `maintainer`.
    pub fn grant(&self, store: i32, principal: i32, role: &str) -> Result<(), PgError> {
        let tenant = self.caller.tenant;
        self.change(async |client| {
            execute(client, sql::GRANT, &[&tenant, &store, &principal, &role]).await.map(drop)
        })
    }

    /// What a principal may see, and as what.
    pub fn stores_of(&self, principal: i32) -> Result<Vec<StoreAccess>, PgError> {
        let tenant = self.caller.tenant;
        let rows =
            self.read(async |client| query(client, sql::STORES_OF, &[&tenant, &principal]).await)?;
        let one = |row: &Row| StoreAccess {
            store: row.get("store"),
            name: row.get("name"),
            level: row.get("level"),
            truth: row.get("truth"),
            role: row.get("role"),
        };
        Ok(rows.iter().map(one).collect())
    }

    pub fn store_facts(&self, store: i32) -> Result<Option<StoreFacts>, PgError> {
        let tenant = self.caller.tenant;
        let rows =
            self.read(async |client| query(client, sql::STORE_FACTS, &[&tenant, &store]).await)?;
        let one =
            |row: &Row| StoreFacts { revision: row.get("revision"), config: row.get("config") };
        Ok(rows.first().map(one))
    }

    pub fn create_credential(&self, new: &NewCredential<'_>) -> Result<(), PgError> {
        let tenant = self.caller.tenant;
        let NewCredential { credential, principal, hash, scopes, stores, expires_at } = new;
        let ends = expires_at.to_string();
        self.change(async |client| {
            let values: [Value<'_>; 7] =
                [&tenant, credential, principal, hash, scopes, stores, &ends];
            execute(client, sql::NEW_CREDENTIAL, &values).await.map(drop)
        })
    }

    /// False for one that is not there, or was revoked before.
    pub fn revoke_credential(&self, credential: &str) -> Result<bool, PgError> {
        let tenant = self.caller.tenant;
        self.change(async |client| {
            Ok(execute(client, sql::REVOKE_CREDENTIAL, &[&tenant, &credential]).await? > 0)
        })
    }
}

impl Database {
    /// Whose token this is, by its keyed hash: asked before the tenant is known, through a door.
    pub fn credential(&self, hash: &[u8]) -> Result<Option<Credential>, PgError> {
        let rows = self.block_on(async {
            let client = self.client().await?;
            query(&client, sql::CREDENTIAL, &[&hash]).await
        })?;
        let one = |row: &Row| Credential {
            tenant: row.get("tenant"),
            credential: row.get("credential"),
            principal: row.get("principal"),
            kind: row.get("kind"),
            name: row.get("name"),
            scopes: row.get("scopes"),
            stores: row.get("stores"),
            is_valid: row.get("is_valid"),
        };
        Ok(rows.first().map(one))
    }
}
