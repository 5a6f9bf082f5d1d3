//! The dashboards of those who are signed in: one for each of them and each store, as long as they have the same
//! rights.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::response::{Html, IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use oldhand::Household;
use oldhand_desk::desk::GlobalFlags;
use oldhand_pg::admin::StoreAccess;
use oldhand_pg::database::Database;
use ring::digest::{SHA256, digest};
use tokio_util::sync::CancellationToken;

use crate::desks::PgDesks;
use crate::visitor::Visitor;

/// Dashboards that are kept; the one that was used longest ago makes room.
const KEPT_MAX: usize = 64;

pub(crate) struct Houses {
    database: Database,
    ending: CancellationToken,
    /// The last one used is the last.
    kept: Mutex<Vec<House>>,
}

struct House {
    visitor: Arc<Visitor>,
    store: i32,
    pages: Router,
}

impl Houses {
    pub(crate) fn new(database: Database, ending: CancellationToken) -> Self {
        Self { database, ending, kept: Mutex::default() }
    }

    pub(crate) fn of(&self, visitor: &Arc<Visitor>, here: &StoreAccess) -> Router {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |it: &House| it.store == here.store && it.visitor == *visitor;
        let known = kept.iter().position(is_it).map(|at| kept.remove(at));
        let house = known.unwrap_or_else(|| {
            let desks = PgDesks::new(&self.database, visitor, here);
            let house = Household::over(Box::new(desks), GlobalFlags::default());
            let pages = oldhand_ui::pages_of(Arc::new(house), self.ending.clone());
            House { visitor: visitor.clone(), store: here.store, pages }
        });
        let pages = house.pages.clone();
        if kept.len() >= KEPT_MAX {
            kept.remove(0);
        }
        kept.push(house);
        pages
    }
}

/// The only thing that the page loads, and it is in it.
const STYLE: &str = ":root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}\
h1{font-size:1.4rem}h2{font-size:1rem;margin:2rem 0 .5rem}ul{list-style:none;padding:0;\
margin:0}a{display:flex;justify-content:space-between;gap:1rem;padding:.75rem 1rem;margin:.25rem 0;border:1px solid \
#8886;border-radius:.5rem;text-decoration:none;color:inherit}a:hover,a:focus-visible{outline:2px solid}\
small{opacity:.7}";
/// In this order, each with what people call it.
const LEVELS: [(&str, &str); 4] = [
    ("repository", "Repositories"),
    ("team", "Teams"),
    ("org", "Organisation"),
    ("person", "Your own"),
];

/// Which stores there are, for who has more than one.
pub(crate) fn list(visitor: &Visitor) -> Response {
    let link = |it: &StoreAccess| {
        let (href, name, role) = (encoded(&it.name), escaped(&it.name), escaped(&it.role));
        format!("<li><a href=\"/in/{href}\"><span>{name}</span><small>{role}</small></a>")
    };
    let part = |(level, heading): (&str, &str)| {
        let stores = visitor.stores.iter().filter(|it| it.level == level);
        let links: String = stores.map(link).collect();
        if links.is_empty() { links } else { format!("<h2>{heading}</h2><ul>{links}</ul>") }
    };
    let parts: String = LEVELS.into_iter().map(part).collect();
    let nothing = "<p>You have access to no store yet: ask an administrator for some.";
    let parts = if parts.is_empty() { nothing } else { &parts };
    let name = escaped(&visitor.name);
    let page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8>\
         <meta name=viewport content=\"width=device-width\"><title>Stores · oldhand</title>\
         <style>{STYLE}</style><main><h1>Which store?</h1><p>Signed in as {name}{parts}</main>"
    );
    let style = STANDARD.encode(digest(&SHA256, STYLE.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; frame-ancestors 'none'; base-uri 'none'"
    );
    ([(CONTENT_SECURITY_POLICY, policy), (CACHE_CONTROL, "no-store".to_owned())], Html(page))
        .into_response()
}

fn escaped(text: &str) -> String {
    let escape = |it: char| match it {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        '\'' => "&#39;".to_owned(),
        other => other.to_string(),
    };
    text.chars().map(escape).collect()
}

/// As a part of an address.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
