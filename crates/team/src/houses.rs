//! The dashboards of those who are signed in: one for each of them and each store, as long as they have the same
//! rights.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::response::{Html, IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use oldhand::Household;
use oldhand_desk::desk::GlobalFlags;
use oldhand_pg::admin::StoreAccess;
use oldhand_pg::database::Database;
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

/// Which stores there are, for who has more than one.
pub(crate) fn list(visitor: &Visitor) -> Response {
    let link = |it: &StoreAccess| {
        let (name, role) = (escaped(&it.name), escaped(&it.role));
        let href = encoded(&it.name);
        format!("<li><a href=\"/in/{href}\">{name}</a> ({}, {role})", escaped(&it.level))
    };
    let links: String = visitor.stores.iter().map(link).collect();
    let links = if links.is_empty() { "<li>none: ask an administrator".to_owned() } else { links };
    let page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>oldhand</title>\
         <h1>Stores</h1><ul>{links}</ul>"
    );
    let sealed = [
        (CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
        (CACHE_CONTROL, "no-store"),
    ];
    (sealed, Html(page)).into_response()
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
