//! Who may ask, decided by the headers before a cookie or a body is looked at: pages of elsewhere,
//! other servers on this machine and rebound names get nothing.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::header::{COOKIE, HOST, HeaderMap, HeaderName, ORIGIN};
use http::request::Parts;
use http::{Method, StatusCode};
use oldhand_http::Refusal;
use oldhand_http::headers::{is_same, only};
use oldhand_http::names::{Authority, Origin};
use tokio::time::Instant;

pub(crate) const COOKIE_NAME: &str = "oh";
/// Holds the colour scheme that somebody chose.
pub(crate) const THEME_COOKIE: &str = "theme";
/// How long the printed address can be opened.
const TICKET_TTL: Duration = Duration::from_secs(60);
/// Browsers that are let in; the oldest makes room.
const SESSIONS_MAX: usize = 8;
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Where random numbers come from.
pub type Random = fn() -> u128;

pub(crate) struct Door {
    host: Authority,
    origin: Origin,
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
        Some(Self {
            host: Authority::parse(host)?,
            origin: Origin::parse(&format!("http://{host}"))?,
            random,
            secrets: Mutex::default(),
        })
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

    /// Name, origin and the browser's own word about where a request comes from.
    pub(crate) fn admit(&self, parts: &Parts) -> Result<(), Refusal> {
        // A target with its own host is for proxies.
        let is_plain = parts.uri.scheme().is_none() && parts.uri.authority().is_none();
        let host = only(&parts.headers, HOST).and_then(|host| host.to_str().ok());
        let host = host.filter(|_| is_plain).and_then(Authority::parse);
        if host.as_ref() != Some(&self.host) {
            let text = "this name is not served here; open the address that `oldhand ui` printed";
            return Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, text));
        }
        let is_post = parts.method == Method::POST;
        let origin = only(&parts.headers, ORIGIN).and_then(|it| Origin::parse(it.to_str().ok()?));
        if (is_post || parts.headers.contains_key(ORIGIN)) && origin.as_ref() != Some(&self.origin)
        {
            let text = "only pages of this dashboard may ask";
            return Err(Refusal::new(StatusCode::FORBIDDEN, text));
        }
        let is_from_us = match parts.headers.get(FETCH_SITE).map(|it| it.as_bytes()) {
            Some(b"same-origin") => true,
            // Typed into the address bar, or opened by another program.
            Some(b"none") => !is_post,
            // Only old browsers say nothing; cookie, origin and form token count all the same.
            None => true,
            Some(_) => false,
        };
        let is_single = parts.headers.get_all(FETCH_SITE).iter().count() <= 1;
        if !is_from_us || !is_single {
            let text = "another page sent this request; type the address, or follow a link here";
            return Err(Refusal::new(StatusCode::FORBIDDEN, text));
        }
        Ok(())
    }
}

/// The first cookie of that name.
fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let values = headers.get_all(COOKIE).iter().filter_map(|it| it.to_str().ok());
    let mut pairs = values.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.find(|(one, _)| *one == name).map(|(_, value)| value)
}

impl Session {
    pub(crate) fn takes(&self, form_token: &str) -> bool {
        is_same(form_token.as_bytes(), self.form_token.as_bytes())
    }
}
