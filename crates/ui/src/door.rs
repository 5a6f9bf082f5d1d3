//! Who may ask, decided by the headers before a cookie or a body is looked at: pages of elsewhere,
//! other servers on this machine and rebound names get nothing.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::header::HeaderMap;
use http::request::Parts;
use oldhand_http::Refusal;
use oldhand_http::headers::{cookie, is_same};
use oldhand_http::site::Site;
use tokio::time::Instant;

pub(crate) const COOKIE_NAME: &str = "oh";
/// Holds the colour scheme that somebody chose.
pub(crate) const THEME_COOKIE: &str = "theme";
/// How long the printed address can be opened.
const TICKET_TTL: Duration = Duration::from_secs(60);
/// Browsers that are let in; the oldest makes room.
const SESSIONS_MAX: usize = 8;

/// Where random numbers come from.
pub type Random = fn() -> u128;

pub(crate) struct Door {
    site: Site,
    random: Random,
    secrets: Mutex<Secrets>,
}

#[derive(Default)]
struct Secrets {
    tickets: Vec<(String, Instant)>,
    sessions: Vec<Session>,
}

/// A browser that came with a ticket.
#[derive(Clone)]
pub(crate) struct Session {
    cookie: String,
    /// What every form of its pages brings along.
    pub(crate) form_token: String,
    /// `light`, `dark`, or nothing for what the system says.
    pub(crate) theme: &'static str,
}

impl Door {
    /// `host` is the only name that is served, with its port.
    pub(crate) fn new(host: &str, random: Random) -> Option<Self> {
        Some(Self { site: Site::new("http", host)?, random, secrets: Mutex::default() })
    }

    /// Whole also after a panic: each change is one push.
    fn secrets(&self) -> MutexGuard<'_, Secrets> {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn secret(&self) -> String {
        format!("{:032x}", (self.random)())
    }

    pub(crate) fn new_ticket(&self) -> String {
        let ticket = self.secret();
        self.secrets().tickets.push((ticket.clone(), Instant::now() + TICKET_TTL));
        ticket
    }

    /// The cookie of a new session; a ticket counts once, and only for a minute.
    pub(crate) fn enter(&self, ticket: &str) -> Option<String> {
        let (now, mut secrets) = (Instant::now(), self.secrets());
        secrets.tickets.retain(|(_, until)| *until > now);
        let is_it = |(known, _): &(String, Instant)| is_same(ticket.as_bytes(), known.as_bytes());
        let at = secrets.tickets.iter().position(is_it)?;
        secrets.tickets.remove(at);
        let cookie = self.secret() + &self.secret();
        let session = Session { cookie: cookie.clone(), form_token: self.secret(), theme: "" };
        if secrets.sessions.len() >= SESSIONS_MAX {
            secrets.sessions.remove(0);
        }
        secrets.sessions.push(session);
        Some(cookie)
    }

    pub(crate) fn session(&self, headers: &HeaderMap) -> Option<Session> {
        let said = cookie(headers, COOKIE_NAME)?;
        let is_it = |it: &&Session| is_same(said.as_bytes(), it.cookie.as_bytes());
        let mut session = self.secrets().sessions.iter().find(is_it).cloned()?;
        session.theme = match cookie(headers, THEME_COOKIE) {
            Some("light") => "light",
            Some("dark") => "dark",
            _ => "",
        };
        Some(session)
    }

    pub(crate) fn admit(&self, parts: &Parts) -> Result<(), Refusal> {
        self.site.admit(parts)
    }
}

impl Session {
    pub(crate) fn takes(&self, form_token: &str) -> bool {
        is_same(form_token.as_bytes(), self.form_token.as_bytes())
    }
}
