//! From the headers of a request to a [`Visitor`], or a refusal. Nothing is kept between requests: a token that was
//! revoked does not count for the next one, on any server.

use std::sync::Arc;
use std::time::Duration;

use http::header::{AUTHORIZATION, HeaderMap};
use http::request::Parts;
use oldhand_http::headers::{cookie, only};
use oldhand_http::site::Site;
use oldhand_pg::access::{Access, Caller};
use oldhand_pg::admin::StoreAccess;
use oldhand_pg::database::Database;
use oldhand_pg::door::{Credential, Subject, Visit};
use oldhand_pg::error::PgError;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::key::{self, ServerKey, Use};
use super::limits::{Admission, LimitSettings, Limits};
use super::provider::{Claims, Provider, Unfit};
use super::refusal::Refusal;
use super::tickets::Tickets;
use crate::metrics::Metrics;
use crate::visitor::{Entrance, PrincipalKind, Role, Scope, Visitor};

/// Only over TLS or on this machine, for this host alone, and for no script.
pub const COOKIE_NAME: &str = "__Host-oldhand";
/// How long a browser stays signed in.
pub const VISIT_LASTS: Duration = Duration::from_secs(12 * 60 * 60);
/// Unknown tokens that are looked up at a time.
const LOOKUPS_MAX: usize = 8;
pub(super) const METADATA_PATH: &str = "/.well-known/oauth-protected-resource";

/// Which door a request came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// `/mcp`: tokens of the identity provider, and ours.
    Mcp,
    /// `/mcp/token`: our tokens alone.
    McpToken,
    /// `/v1`: tokens, or a browser that is signed in.
    Rest,
    /// The dashboard.
    Browser,
}

pub struct DoorSettings {
    /// The address that people and tokens know this server by, such as `https://memory.example.com`.
    pub address: String,
    pub limits: LimitSettings,
}

/// Shared by all requests of a server.
pub struct Door {
    pub database: Database,
    pub key: ServerKey,
    pub provider: Option<Provider>,
    pub metrics: Arc<Metrics>,
    pub limits: Limits,
    pub tickets: Tickets,
    pub(super) address: String,
    site: Site,
    lookups: Semaphore,
}

/// What a request shows of whom it is.
enum Shown {
    Token(String),
    Jwt(String),
    Cookie(String),
}

impl Door {
    pub fn new(
        database: Database,
        key: ServerKey,
        provider: Option<Provider>,
        metrics: Arc<Metrics>,
        settings: DoorSettings,
    ) -> Result<Self, String> {
        let address = settings.address.trim_end_matches('/').to_owned();
        let site = address.split_once("://").and_then(|(scheme, host)| Site::new(scheme, host));
        let site = site.ok_or_else(|| {
            format!("`--address` must be like https://memory.example.com: `{address}`")
        })?;
        let (limits, lookups) = (Limits::new(settings.limits), Semaphore::new(LOOKUPS_MAX));
        let tickets = Tickets::default();
        let counting = metrics.clone();
        let database =
            database.with_watch(Arc::new(move |took, waited| counting.wrote(took, waited)));
        Ok(Self { database, key, provider, metrics, limits, tickets, address, site, lookups })
    }

    /// The canonical address of `/mcp`: what its tokens must be for.
    pub fn resource(&self) -> String {
        format!("{}/mcp", self.address)
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// Who asks, counted against their limits.
    pub async fn enter(self: &Arc<Self>, way: Way, parts: &Parts) -> Result<Visitor, Refusal> {
        let found = self.identify(way, parts).await.and_then(|visitor| {
            let token = match &visitor.entrance {
                Entrance::Token(id) => id.clone(),
                Entrance::OAuth | Entrance::Browser => visitor.principal.to_string(),
            };
            self.limits.count(visitor.tenant, &token, Instant::now()).map(|()| visitor)
        });
        found.inspect_err(|refusal| self.metrics.refused(refusal.word()))
    }

    /// Waits until the visitor's call may run. Held while it does.
    pub async fn place(&self, visitor: &Visitor) -> Result<Admission, Refusal> {
        let place = self.limits.place(visitor.tenant).await;
        place.inspect_err(|refusal| self.metrics.refused(refusal.word()))
    }

    async fn identify(self: &Arc<Self>, way: Way, parts: &Parts) -> Result<Visitor, Refusal> {
        let shown = self.shown(way, parts)?;
        let lookup = self.lookups.acquire().await;
        let door = self.clone();
        let asked = tokio::task::spawn_blocking(move || match shown {
            Shown::Token(token) => door.visitor_of_token(way, &token),
            Shown::Jwt(token) => door.visitor_of_jwt(way, &token),
            Shown::Cookie(cookie) => door.visitor_of_cookie(way, &cookie),
        });
        let answer = asked.await;
        drop(lookup);
        answer.unwrap_or(Err(Refusal::Unavailable("the request failed inside the server")))
    }

    fn shown(&self, way: Way, parts: &Parts) -> Result<Shown, Refusal> {
        let unknown = |why| self.unknown(way, why);
        if parts.headers.contains_key(AUTHORIZATION) {
            let text = only(&parts.headers, AUTHORIZATION).and_then(|it| it.to_str().ok());
            let token = text.and_then(bearer).ok_or_else(|| unknown("the token is none"))?;
            let is_ours = token.starts_with(key::TOKEN_PREFIX);
            return match (is_ours, way) {
                (_, Way::Browser) => Err(unknown("sign in with this browser")),
                (true, _) if key::is_token(token) => Ok(Shown::Token(token.to_owned())),
                (true, _) | (false, Way::McpToken) => Err(unknown(NOT_IN_FORCE)),
                (false, _) if self.provider.is_some() => Ok(Shown::Jwt(token.to_owned())),
                (false, _) => Err(unknown(NOT_IN_FORCE)),
            };
        }
        match (way, cookie(&parts.headers, COOKIE_NAME)) {
            (Way::Rest | Way::Browser, Some(cookie)) => {
                // Whoever has a cookie may be a page of elsewhere.
                self.site
                    .admit(parts)
                    .map_err(|_| Refusal::Bad("another page sent this request"))?;
                Ok(Shown::Cookie(cookie.to_owned()))
            }
            (Way::Browser, None) => Err(unknown("this browser is not signed in")),
            _ => Err(unknown("this needs a token")),
        }
    }

    /// What a client learns when it is not let in. A client that sees where to get tokens starts a browser, even if it
    /// was given one: so the door for tokens says nothing about it.
    pub(super) fn unknown(&self, way: Way, why: &'static str) -> Refusal {
        let challenge = match (way, &self.provider) {
            (Way::Mcp, Some(_)) => {
                let metadata = format!("{}{METADATA_PATH}/mcp", self.address);
                format!("Bearer resource_metadata=\"{metadata}\", scope=\"{}\"", Scope::Read.name())
            }
            _ => "Bearer".to_owned(),
        };
        Refusal::Unknown { challenge, why }
    }

    fn visitor_of_token(&self, way: Way, token: &str) -> Result<Visitor, Refusal> {
        let hash = self.key.hash(Use::Token, token);
        let known = self.database.credential(&hash).map_err(unavailable)?;
        let known =
            known.filter(|it| it.is_valid).ok_or_else(|| self.unknown(way, NOT_IN_FORCE))?;
        let access = Access::new(&self.database, caller(known.tenant, known.principal));
        if !known.is_seen
            && let Err(error) = access.see_credential(&known.credential)
        {
            // The day is only for lists of tokens: this one counts all the same.
            tracing::warn!(error = %error, "the day of a token was not noted");
        }
        let stores = access.stores_of(known.principal).map_err(unavailable)?;
        visitor_of(known, stores).ok_or_else(|| self.unknown(way, NOT_IN_FORCE))
    }

    fn visitor_of_jwt(&self, way: Way, token: &str) -> Result<Visitor, Refusal> {
        let provider = self.provider.as_ref().ok_or_else(|| self.unknown(way, NOT_IN_FORCE))?;
        let claims = provider.verify(token, &self.resource()).map_err(|unfit| match unfit {
            Unfit::Token(why) => {
                tracing::info!(why, "a token of the provider does not count");
                self.unknown(way, NOT_IN_FORCE)
            }
            Unfit::Provider(why) => {
                tracing::warn!(why, "the identity provider can't be asked");
                Refusal::Unavailable("the identity provider can't be asked")
            }
        })?;
        let scopes = claims.scopes.iter().filter_map(|it| Scope::parse(it)).collect();
        let person = self.person(way, provider, &claims)?;
        Ok(Visitor { entrance: Entrance::OAuth, ..self.member(way, person, scopes)? })
    }

    fn visitor_of_cookie(&self, way: Way, cookie: &str) -> Result<Visitor, Refusal> {
        let hash = self.key.hash(Use::Cookie, cookie);
        let visit = self.database.visit(&hash).map_err(unavailable)?;
        let visit = visit.ok_or_else(|| self.unknown(way, "this browser is not signed in"))?;
        self.member(way, visit, Scope::ALL.to_vec())
    }

    /// Whom the provider means, in the tenant that it is for. Somebody new has access to nothing.
    pub(super) fn person(
        &self,
        way: Way,
        provider: &Provider,
        claims: &Claims,
    ) -> Result<Visit, Refusal> {
        let tenant = self.database.tenant_named(&provider.settings.tenant).map_err(unavailable)?;
        let tenant =
            tenant.ok_or(Refusal::Unavailable("the tenant of the provider is not there"))?;
        let nobody = Caller { tenant, stores: Vec::new(), principal: None };
        let access = Access::new(&self.database, nobody);
        let (issuer, subject, name) = (&provider.settings.issuer, &claims.subject, &claims.name);
        let found = access.principal_of_subject(Subject { issuer, subject, name });
        let found = found.map_err(unavailable)?;
        if found.is_disabled {
            return Err(self.unknown(way, NOT_IN_FORCE));
        }
        let (principal, groups) = (found.principal, claims.groups.clone());
        let (kind, name, is_admin) = (found.kind, found.name, found.is_admin);
        Ok(Visit { tenant, principal, kind, name, is_admin, groups })
    }

    /// With the access of their groups.
    fn member(&self, way: Way, visit: Visit, scopes: Vec<Scope>) -> Result<Visitor, Refusal> {
        let access = Access::new(&self.database, caller(visit.tenant, visit.principal));
        let stores =
            access.stores_of_member(visit.principal, &visit.groups).map_err(unavailable)?;
        let is_admin =
            visit.is_admin || access.is_admin_group(&visit.groups).map_err(unavailable)?;
        let kind = kind(&visit.kind).ok_or_else(|| self.unknown(way, NOT_IN_FORCE))?;
        Ok(Visitor {
            tenant: visit.tenant,
            principal: visit.principal,
            name: visit.name,
            kind,
            entrance: Entrance::Browser,
            scopes: granted(scopes, is_admin),
            stores: strongest(stores),
        })
    }

    /// What every form of this browser's pages brings along.
    pub fn form_token(&self, headers: &HeaderMap) -> Option<String> {
        Some(self.key.digits(Use::Form, cookie(headers, COOKIE_NAME)?))
    }
}

/// The same for one that never was, ended, or was revoked.
const NOT_IN_FORCE: &str = "the token is not in force";

pub(super) fn unavailable(error: PgError) -> Refusal {
    tracing::error!(error = %error, "the door could not ask the database");
    Refusal::of_database(&error)
}

fn caller(tenant: i32, principal: i32) -> Caller {
    Caller { tenant, stores: Vec::new(), principal: Some(principal) }
}

fn bearer(text: &str) -> Option<&str> {
    let (scheme, token) = text.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

fn kind(word: &str) -> Option<PrincipalKind> {
    match word {
        "person" => Some(PrincipalKind::Person),
        "agent" => Some(PrincipalKind::Agent),
        "ci" => Some(PrincipalKind::Ci),
        _ => None,
    }
}

/// Only administrators have the scope of one, whatever a token says.
fn granted(mut scopes: Vec<Scope>, is_admin: bool) -> Vec<Scope> {
    scopes.retain(|it| *it != Scope::Admin || is_admin);
    scopes.sort();
    scopes.dedup();
    scopes
}

fn visitor_of(known: Credential, stores: Vec<StoreAccess>) -> Option<Visitor> {
    let scopes = known.scopes.iter().filter_map(|it| Scope::parse(it)).collect();
    let is_named =
        |it: &StoreAccess| known.stores.as_ref().is_none_or(|all| all.contains(&it.store));
    Some(Visitor {
        tenant: known.tenant,
        principal: known.principal,
        kind: kind(&known.kind)?,
        name: known.name.clone(),
        entrance: Entrance::Token(known.credential.clone()),
        scopes: granted(scopes, known.is_admin),
        stores: strongest(stores).into_iter().filter(is_named).collect(),
    })
}

/// One row per store, with the strongest role that somebody has there by any group.
fn strongest(rows: Vec<StoreAccess>) -> Vec<StoreAccess> {
    let mut stores: Vec<StoreAccess> = Vec::new();
    for row in rows {
        match stores.iter_mut().find(|it| it.store == row.store) {
            Some(known) if Role::parse(&known.role) < Role::parse(&row.role) => *known = row,
            Some(_) => {}
            None => stores.push(row),
        }
    }
    stores
}
