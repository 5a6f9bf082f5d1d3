//! Every route with what it needs: one table, which the server is made of and which tests go through.

use crate::door::Way;
use crate::door::rights::Need;
use crate::rest::{self, Asked, Lined};
use crate::sync::server::{self as sync, SyncDeed};

/// What a route does with a request that was let in.
#[derive(Clone, Copy)]
pub enum Serves {
    /// Runs a command in the store that the request names.
    Command(fn(&Asked<'_>) -> Lined),
    /// The same, and a client may repeat it with its `Idempotency-Key`.
    Write(fn(&Asked<'_>) -> Lined),
    /// The six tools. What each needs is asked when it is called: see `tools::need_of`.
    Tools,
    /// Pages of the dashboard; what a deed needs is that of its method.
    Pages,
    /// Which store the dashboard is about.
    Choice,
    /// Repositories and machines: the store is that of a name, or of the id of a repository.
    Sync(SyncDeed),
}

#[derive(Clone, Copy)]
pub struct Route {
    pub method: &'static str,
    pub path: &'static str,
    pub way: Way,
    pub need: Need,
    pub serves: Serves,
}

const fn read(method: &'static str, path: &'static str, line: fn(&Asked<'_>) -> Lined) -> Route {
    Route { method, path, way: Way::Rest, need: Need::READ, serves: Serves::Command(line) }
}

const fn write(
    method: &'static str,
    path: &'static str,
    need: Need,
    line: fn(&Asked<'_>) -> Lined,
) -> Route {
    Route { method, path, way: Way::Rest, need, serves: Serves::Write(line) }
}

const fn tools(method: &'static str, path: &'static str, way: Way) -> Route {
    Route { method, path, way, need: Need::Entry, serves: Serves::Tools }
}

const fn pages(method: &'static str, path: &'static str, need: Need) -> Route {
    Route { method, path, way: Way::Browser, need, serves: Serves::Pages }
}

const fn choice(path: &'static str) -> Route {
    let (way, need) = (Way::Browser, Need::Entry);
    Route { method: "GET", path, way, need, serves: Serves::Choice }
}

const fn synced(method: &'static str, path: &'static str, need: Need, deed: SyncDeed) -> Route {
    Route { method, path, way: Way::Rest, need, serves: Serves::Sync(deed) }
}

pub const ROUTES: &[Route] = &[
    read("POST", "/v1/recall", rest::recall),
    read("POST", "/v1/check", rest::check),
    read("GET", "/v1/search", rest::search),
    read("GET", "/v1/memories", rest::list),
    read("GET", "/v1/memories/{id}", rest::show),
    read("GET", "/v1/history/{id}", rest::history),
    read("POST", "/v1/why", rest::why),
    read("GET", "/v1/review", rest::inbox),
    read("GET", "/v1/pending", rest::pending),
    read("GET", "/v1/pending/{id}", rest::pending),
    read("GET", "/v1/tasks", rest::task),
    write("POST", "/v1/memories", Need::WRITE, rest::add),
    write("PATCH", "/v1/memories/{id}", Need::WRITE, rest::change),
    write("POST", "/v1/review", Need::REVIEW, rest::review),
    write("POST", "/v1/review/request", Need::WRITE, rest::request),
    write("POST", "/v1/resolve", Need::REVIEW, rest::resolve),
    // Without a person's word it becomes a request, which waits.
    write("POST", "/v1/promote", Need::WRITE, rest::promote),
    write("POST", "/v1/apply", Need::WRITE, rest::apply),
    write("POST", "/v1/tasks", Need::WRITE, rest::tasks),
    synced("GET", "/v1/sync", Need::READ, sync::stores),
    synced("GET", "/v1/sync/{store}", Need::READ, sync::status),
    synced("POST", "/v1/sync/{store}/lacking", Need::WRITE, sync::lacking),
    synced("POST", "/v1/sync/{store}/texts", Need::WRITE, sync::texts),
    // What replaces the history needs a maintainer: see `sync::server::push`.
    synced("POST", "/v1/sync/{store}/push", Need::WRITE, sync::push),
    synced("GET", "/v1/sync/{store}/changes", Need::WRITE, sync::changes),
    synced("POST", "/v1/sync/{store}/outcomes", Need::WRITE, sync::outcomes),
    synced("GET", "/v1/sync/{store}/files", Need::READ, sync::files),
    synced("POST", "/v1/sync/{store}/read", Need::READ, sync::read),
    synced("GET", "/v1/sync/{store}/log", Need::READ, sync::log),
    tools("POST", "/mcp", Way::Mcp),
    tools("GET", "/mcp", Way::Mcp),
    tools("DELETE", "/mcp", Way::Mcp),
    tools("POST", "/mcp/store/{id}", Way::Mcp),
    tools("GET", "/mcp/store/{id}", Way::Mcp),
    tools("DELETE", "/mcp/store/{id}", Way::Mcp),
    tools("POST", "/mcp/token", Way::McpToken),
    tools("GET", "/mcp/token", Way::McpToken),
    tools("DELETE", "/mcp/token", Way::McpToken),
    tools("POST", "/mcp/token/{id}", Way::McpToken),
    tools("GET", "/mcp/token/{id}", Way::McpToken),
    tools("DELETE", "/mcp/token/{id}", Way::McpToken),
    choice("/in"),
    choice("/in/{id}"),
    pages("GET", "/", Need::READ),
    pages("POST", "/", Need::WRITE),
    pages("GET", "/{*page}", Need::READ),
    pages("POST", "/{*page}", Need::WRITE),
];
