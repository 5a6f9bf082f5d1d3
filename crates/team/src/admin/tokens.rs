//! Tokens: made, listed, revoked, rotated. The token itself is in one answer, and nowhere else.

use jiff::{Timestamp, ToSpan as _};
use oldhand_pg::admin::NewCredential;
use oldhand_pg::door::CredentialLine;
use serde_json::{Value as Json, json};

use super::Trouble;
use super::deeds::Administrator;
use crate::door::key::{self, ServerKey, Use};
use crate::visitor::Scope;

pub const DAYS_DEFAULT: u32 = 90;
const DAYS_MAX: u32 = 366;
pub const OVERLAP_HOURS_DEFAULT: u32 = 24;
const OVERLAP_HOURS_MAX: u32 = 24 * 14;

#[derive(Debug, Clone)]
pub struct NewToken {
    pub principal: String,
    pub scopes: Vec<String>,
    /// By their names; empty for all that the principal has access to.
    pub stores: Vec<String>,
    pub days: u32,
}

fn days_from_now(days: u32) -> Result<Timestamp, Trouble> {
    if !(1..=DAYS_MAX).contains(&days) {
        let hint = format!("use 1 to {DAYS_MAX}; without it a token lasts {DAYS_DEFAULT}");
        return Err(Trouble::asked(format!("`days` is out of range: {days}"), hint));
    }
    Ok(Timestamp::now() + (i64::from(days) * 24).hours())
}

fn made() -> Result<(String, String), Trouble> {
    let made = key::new_token().and_then(|token| Ok((token, key::uuid()?)));
    made.map_err(|error| Trouble::World(error.to_string()))
}

impl Administrator<'_> {
    fn key(&self) -> Result<&ServerKey, Trouble> {
        self.key.ok_or_else(|| {
            let hint = "name the key file with `--key-file`, or make one with `oldhand-team admin key create`";
            Trouble::asked("`--key-file` is missing: tokens are hashed with the server's key", hint)
        })
    }

    pub fn create_token(&self, new: &NewToken) -> Result<Json, Trouble> {
        let expires_at = days_from_now(new.days)?;
        let scopes: Vec<&str> = new.scopes.iter().map(|it| it.trim()).collect();
        if let Some(odd) = scopes.iter().find(|it| Scope::parse(it).is_none()) {
            let all = Scope::ALL.map(Scope::name).join("`, `");
            return Err(Trouble::asked(
                format!("`scope` is unknown: `{odd}`"),
                format!("use some of `{all}`"),
            ));
        }
        if scopes.is_empty() {
            return Err(Trouble::asked("`scope` is missing", "give at least `memory:read`"));
        }
        let principal = self.principal_named(&new.principal)?;
        if principal.kind == "group" {
            let hint = "make an agent, and grant it the group's access";
            return Err(Trouble::asked("a group has no tokens", hint));
        }
        let named = new.stores.iter().map(|name| Ok(self.store_named(name)?.store));
        let named = named.collect::<Result<Vec<i32>, Trouble>>()?;
        let stores = (!named.is_empty()).then_some(named.as_slice());
        let (token, id) = made()?;
        let hash = self.key()?.hash(Use::Token, &token);
        let credential = NewCredential {
            credential: &id,
            principal: principal.principal,
            hash: &hash,
            scopes: &scopes,
            stores,
            expires_at,
        };
        self.outside().create_credential(&credential)?;
        Ok(json!({
            "id": id, "token": token, "principal": principal.name, "scopes": scopes, "stores": new.stores,
            "ends": expires_at.to_string(),
        }))
    }

    /// Of one principal, or of all.
    pub fn tokens(&self, of: Option<i32>) -> Result<Json, Trouble> {
        let names: Vec<(i32, String)> =
            self.outside().all_stores()?.into_iter().map(|it| (it.store, it.name)).collect();
        let name =
            |store: &i32| names.iter().find(|(it, _)| it == store).map(|(_, name)| name.clone());
        let one = |it: &CredentialLine| {
            let stores: Option<Vec<String>> =
                it.stores.as_ref().map(|all| all.iter().filter_map(name).collect());
            let state = match (it.is_revoked, it.is_ended) {
                (true, _) => "revoked",
                (_, true) => "ended",
                _ => "in force",
            };
            json!({
                "id": it.credential, "principal": it.name, "scopes": it.scopes, "stores": stores,
                "ends": it.expires_at, "last_day": it.last_day, "state": state,
            })
        };
        let all = self.outside().credentials(of)?;
        Ok(json!({ "tokens": all.iter().map(one).collect::<Vec<_>>() }))
    }

    pub fn revoke_token(&self, id: &str) -> Result<Json, Trouble> {
        self.token_owner(id)?;
        match self.outside().revoke_credential(id)? {
            true => Ok(json!({ "id": id, "state": "revoked" })),
            false => Err(Trouble::missing(
                format!("the token `{id}` was revoked before"),
                "nothing was changed",
            )),
        }
    }

    /// A new token in the place of one, which counts for some hours more.
    pub fn rotate_token(&self, id: &str, days: u32, overlap_hours: u32) -> Result<Json, Trouble> {
        if overlap_hours > OVERLAP_HOURS_MAX {
            let hint = format!("use 0 to {OVERLAP_HOURS_MAX}");
            return Err(Trouble::asked(
                format!("`overlap` is out of range: {overlap_hours}"),
                hint,
            ));
        }
        self.token_owner(id)?;
        let expires_at = days_from_now(days)?;
        let old_ends = Timestamp::now() + i64::from(overlap_hours).hours();
        let (token, new_id) = made()?;
        let hash = self.key()?.hash(Use::Token, &token);
        let new = NewCredential {
            credential: &new_id,
            principal: 0,
            hash: &hash,
            scopes: &[],
            stores: None,
            expires_at,
        };
        match self.outside().rotate_credential(id, old_ends, &new)? {
            true => Ok(json!({
                "id": new_id, "token": token, "ends": expires_at.to_string(), "replaces": id,
                "old_ends": old_ends.to_string(),
            })),
            false => Err(Trouble::missing(
                format!("the token `{id}` is not in force"),
                "make a new one with `oldhand-team admin token create`",
            )),
        }
    }

    /// Whose token that is.
    pub fn token_owner(&self, id: &str) -> Result<i32, Trouble> {
        let all = self.outside().credentials(None)?;
        let found = all.iter().find(|it| it.credential == id).map(|it| it.principal);
        found.ok_or_else(|| {
            let hint = "list them with `oldhand-team admin token list`";
            Trouble::missing(format!("there is no token with the id `{id}`"), hint)
        })
    }
}
