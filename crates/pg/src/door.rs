//! Who somebody is: tokens and browsers by their keyed hashes, people by the word of an identity provider.

use std::time::Duration;

use serde_json::json;
use tokio_postgres::Row;

use crate::access::Access;
use crate::admin::{NewCredential, StoreAccess};
use crate::database::{Database, Value, execute, query};
use crate::error::PgError;
use crate::sql;

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
    pub is_admin: bool,
    pub scopes: Vec<String>,
    /// None for every store of the principal.
    pub stores: Option<Vec<i32>>,
    /// Neither ended nor revoked, and its principal is not disabled.
    pub is_valid: bool,
    /// It is known already that it was used today.
    pub is_seen: bool,
}

/// A browser that somebody signed in with, while that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    pub tenant: i32,
    pub principal: i32,
    pub kind: String,
    pub name: String,
    pub is_admin: bool,
    pub groups: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    pub principal: i32,
    pub kind: String,
    pub name: String,
    pub is_admin: bool,
    pub is_disabled: bool,
}

/// Whom an identity provider vouches for.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub issuer: &'a str,
    pub subject: &'a str,
    /// What they are called, if they are new.
    pub name: &'a str,
}

/// A token as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CredentialLine {
    pub credential: String,
    pub principal: i32,
    pub name: String,
    pub scopes: Vec<String>,
    pub stores: Option<Vec<i32>>,
    pub expires_at: String,
    pub last_day: Option<String>,
    pub is_revoked: bool,
    pub is_ended: bool,
}

fn principal_of(row: &Row) -> Principal {
    Principal {
        principal: row.get("principal"),
        kind: row.get("kind"),
        name: row.get("name"),
        is_admin: row.get("is_admin"),
        is_disabled: row.get("is_disabled"),
    }
}

impl Database {
    /// Whose token this is, by its keyed hash: asked before the tenant is known, through a door.
    pub fn credential(&self, hash: &[u8]) -> Result<Option<Credential>, PgError> {
        let rows = self.ask_door(sql::door::CREDENTIAL, &[&hash])?;
        let one = |row: &Row| Credential {
            tenant: row.get("tenant"),
            credential: row.get("credential"),
            principal: row.get("principal"),
            kind: row.get("kind"),
            name: row.get("name"),
            is_admin: row.get("is_admin"),
            scopes: row.get("scopes"),
            stores: row.get("stores"),
            is_valid: row.get("is_valid"),
            is_seen: row.get("is_seen"),
        };
        Ok(rows.first().map(one))
    }

    /// Whose browser this is, by the keyed hash of its cookie.
    pub fn visit(&self, hash: &[u8]) -> Result<Option<Visit>, PgError> {
        let rows = self.ask_door(sql::door::VISIT, &[&hash])?;
        let one = |row: &Row| Visit {
            tenant: row.get("tenant"),
            principal: row.get("principal"),
            kind: row.get("kind"),
            name: row.get("name"),
            is_admin: row.get("is_admin"),
            groups: row.get("groups"),
        };
        Ok(rows.first().map(one))
    }

    pub fn tenant_named(&self, name: &str) -> Result<Option<i32>, PgError> {
        let rows = self.ask_door(sql::door::TENANT_NAMED, &[&name])?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    /// Whether the database answers at all.
    pub fn is_alive(&self) -> bool {
        self.ask_door(sql::door::IS_ALIVE, &[]).is_ok()
    }

    /// A connection that was lost meanwhile is replaced once.
    fn ask_door(&self, statement: &'static str, values: &[Value<'_>]) -> Result<Vec<Row>, PgError> {
        let ask = async || {
            let client = self.client().await?;
            query(&client, statement, values).await
        };
        self.block_on(async {
            match ask().await {
                Err(error) if error.is_lost() => ask().await,
                answer => answer,
            }
        })
    }
}

impl Access<'_> {
    /// What a principal may see, as what, also as a member of groups: one row each.
    pub fn stores_of_member(
        &self,
        principal: i32,
        groups: &[String],
    ) -> Result<Vec<StoreAccess>, PgError> {
        let tenant = self.caller.tenant;
        let rows = self.read(async |client| {
            query(client, sql::door::STORES_OF, &[&tenant, &principal, &groups]).await
        })?;
        Ok(rows.iter().map(StoreAccess::of_row).collect())
    }

    pub fn stores_of(&self, principal: i32) -> Result<Vec<StoreAccess>, PgError> {
        self.stores_of_member(principal, &[])
    }

    /// Whether one of these groups administers the tenant.
    pub fn is_admin_group(&self, groups: &[String]) -> Result<bool, PgError> {
        let tenant = self.caller.tenant;
        let rows = self.read(async |client| {
            query(client, sql::door::IS_ADMIN_GROUP, &[&tenant, &groups]).await
        })?;
        Ok(rows.first().is_some_and(|row| row.get(0)))
    }

    /// Whoever the provider means, made when they come for the first time. They have access to nothing yet.
    pub fn principal_of_subject(&self, who: Subject<'_>) -> Result<Principal, PgError> {
        let (tenant, Subject { issuer, subject, name }) = (self.caller.tenant, who);
        let found = self.read(async |client| {
            query(client, sql::door::PRINCIPAL_OF_SUBJECT, &[&tenant, &issuer, &subject]).await
        })?;
        if let Some(row) = found.first() {
            return Ok(principal_of(row));
        }
        let what = json!({ "principal": name, "kind": "person", "issuer": issuer });
        let rows = self.change_audited("access", &what, async |client| {
            let values: [Value<'_>; 4] = [&tenant, &issuer, &subject, &name];
            execute(client, sql::door::NEW_SUBJECT, &values).await?;
            query(client, sql::door::PRINCIPAL_OF_SUBJECT, &[&tenant, &issuer, &subject]).await
        })?;
        rows.first().map(principal_of).ok_or_else(|| PgError::refused("nobody was made"))
    }

    pub fn principal_named(&self, name: &str) -> Result<Option<Principal>, PgError> {
        Ok(self.principals()?.into_iter().find(|it| it.name == name))
    }

    pub fn principals(&self) -> Result<Vec<Principal>, PgError> {
        let tenant = self.caller.tenant;
        let rows =
            self.read(async |client| query(client, sql::door::PRINCIPALS, &[&tenant]).await)?;
        Ok(rows.iter().map(principal_of).collect())
    }

    /// Registers that somebody signed in; `hash` is that of the new cookie.
    pub fn begin_visit(
        &self,
        hash: &[u8],
        principal: i32,
        groups: &[String],
        lasts: Duration,
    ) -> Result<(), PgError> {
        let (tenant, seconds) = (self.caller.tenant, lasts.as_secs_f64());
        let what = json!({ "principal": principal });
        self.change_audited("sign-in", &what, async |client| {
            execute(client, sql::door::FORGET_VISITS, &[&tenant]).await?;
            let values: [Value<'_>; 5] = [&tenant, &hash, &principal, &groups, &seconds];
            execute(client, sql::door::NEW_VISIT, &values).await.map(drop)
        })
    }

    pub fn end_visit(&self, hash: &[u8]) -> Result<bool, PgError> {
        let tenant = self.caller.tenant;
        self.change(async |client| {
            Ok(execute(client, sql::door::END_VISIT, &[&tenant, &hash]).await? > 0)
        })
    }

    pub fn create_credential(&self, new: &NewCredential<'_>) -> Result<(), PgError> {
        let tenant = self.caller.tenant;
        let NewCredential { credential, principal, hash, scopes, stores, expires_at } = new;
        let ends = expires_at.to_string();
        let what = json!({
            "did": "create", "token": credential, "principal": principal, "scopes": scopes,
            "stores": stores, "ends": ends,
        });
        self.change_audited("token", &what, async |client| {
            let values: [Value<'_>; 7] =
                [&tenant, credential, principal, hash, scopes, stores, &ends];
            execute(client, sql::NEW_CREDENTIAL, &values).await.map(drop)
        })
    }

    /// False for one that is not there, or was revoked before.
    pub fn revoke_credential(&self, credential: &str) -> Result<bool, PgError> {
        let tenant = self.caller.tenant;
        let what = json!({ "did": "revoke", "token": credential });
        self.change_audited("token", &what, async |client| {
            Ok(execute(client, sql::REVOKE_CREDENTIAL, &[&tenant, &credential]).await? > 0)
        })
    }

    /// Lets a token end at the latest then, and makes another one of the same principal, scopes and stores. False if
    /// there is none in force.
    pub fn rotate_credential(
        &self,
        old: &str,
        old_ends: jiff::Timestamp,
        new: &NewCredential<'_>,
    ) -> Result<bool, PgError> {
        let (tenant, ends) = (self.caller.tenant, new.expires_at.to_string());
        let old_ends = old_ends.to_string();
        let what = json!({ "did": "rotate", "token": old, "new": new.credential, "ends": ends });
        self.change_audited("token", &what, async |client| {
            let values: [Value<'_>; 3] = [&tenant, &old, &old_ends];
            let rows = query(client, sql::door::SHORTEN_CREDENTIAL, &values).await?;
            let Some(row) = rows.first() else { return Ok(false) };
            let principal: i32 = row.get("principal");
            let (scopes, stores): (Vec<String>, Option<Vec<i32>>) =
                (row.get("scopes"), row.get("stores"));
            let values: [Value<'_>; 7] =
                [&tenant, &new.credential, &principal, &new.hash, &scopes, &stores, &ends];
            execute(client, sql::NEW_CREDENTIAL, &values).await?;
            Ok(true)
        })
    }

    /// Notes the day on which a token was last used.
    pub fn see_credential(&self, credential: &str) -> Result<(), PgError> {
        let tenant = self.caller.tenant;
        self.change(async |client| {
            execute(client, sql::door::SEE_CREDENTIAL, &[&tenant, &credential]).await.map(drop)
        })
    }

    /// Those of one principal, or all.
    pub fn credentials(&self, of: Option<i32>) -> Result<Vec<CredentialLine>, PgError> {
        let tenant = self.caller.tenant;
        let rows =
            self.read(async |client| query(client, sql::door::CREDENTIALS, &[&tenant, &of]).await)?;
        let one = |row: &Row| CredentialLine {
            credential: row.get("credential"),
            principal: row.get("principal"),
            name: row.get("name"),
            scopes: row.get("scopes"),
            stores: row.get("stores"),
            expires_at: row.get("expires_at"),
            last_day: row.get("last_day"),
            is_revoked: row.get("is_revoked"),
            is_ended: row.get("is_ended"),
        };
        Ok(rows.iter().map(one).collect())
    }
}
