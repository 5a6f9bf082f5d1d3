//! Who is let in, and what the others learn.

use serde_json::json;

use crate::client::{Ask, modern};
use crate::fake::{ORIGIN, TOKEN, start};

fn discover() -> Ask {
    modern("server/discover", json!({}))
}

#[test]
fn only_the_token_opens() {
    let server = start();
    let wrong = [
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic correct-horse-battery",
        "correct-horse-battery",
        "Bearer correct-horse-batterx",
        "Bearer correct-horse-battery2",
        "Bearer correct-horse",
    ];
    let asks = wrong.map(|value| discover().with("Authorization", value));
    let twice = discover().also("Authorization", "Bearer x");
    for ask in asks.into_iter().chain([discover().without("Authorization"), twice]) {
        for target in ["/mcp", "/", "/other"] {
            let told = ask.clone().to(target).send(server.address).is(401);
            assert_eq!(told.header("www-authenticate"), Some("Bearer"));
            assert!(told.text().contains("Authorization: Bearer"), "{}", told.text());
        }
    }
    let other_case = format!("bearer {TOKEN}");
    discover().with("Authorization", &other_case).send(server.address).is(200);
}

#[test]
fn a_token_in_the_address_is_refused_and_not_repeated() {
    let server = start();
    for query in ["token=", "access_token=", "x="] {
        let target = format!("/mcp?{query}{TOKEN}");
        for ask in [discover(), discover().without("Authorization")] {
            let told = ask.to(&target).send(server.address).is(400);
            assert!(told.text().contains("`Authorization: Bearer <token>`"));
            assert!(!told.text().contains(TOKEN));
        }
    }
}

#[test]
fn one_path_is_served() {
    let server = start();
    discover().to("/mcp/").send(server.address).is(200);
    for target in ["/", "/mcp/x", "/mcp//", "//mcp", "/MCP", "/.well-known/x", "*"] {
        let ask = if target == "*" { Ask::new("OPTIONS") } else { discover() };
        let told = ask.to(target).send(server.address).is(404);
        assert!(told.text().contains("the endpoint is `/mcp`"));
    }
    for method in ["PUT", "PATCH", "OPTIONS", "TRACE"] {
        let told = Ask::new(method).send(server.address).is(405);
        assert_eq!(told.header("allow"), Some("POST, GET, DELETE, OPTIONS"));
    }
}

#[test]
fn hosts_are_ours_or_given() {
    let server = start();
    let port = server.address.port();
    let own = ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"];
    let with_port = own.map(|host| format!("{host}:{port}"));
    // A tunnel has a port of its own.
    let given = ["localhost:1", "memory.example", "memory.example:1", "other.example:8443"];
    for host in own.into_iter().chain(given).map(String::from).chain(with_port) {
        discover().with("Host", &host).send(server.address).is(200);
    }
    let foreign = [
        "evil.example",
        "127.0.0.2",
        "localhost.evil.example",
        "other.example",
        "other.example:1",
        "0.0.0.0",
        "localhost.",
    ];
    for host in foreign {
        let told = discover().with("Host", host).send(server.address).is(403);
        assert!(told.text().contains("`Host`"));
        // The host is looked at first.
        discover().with("Host", host).without("Authorization").send(server.address).is(403);
    }
    for host in ["", "a@localhost", "localhost:x", "localhost/", "::1"] {
        discover().with("Host", host).send(server.address).is(400);
    }
    discover().without("Host").send(server.address).is(400);
    discover().also("Host", "localhost").send(server.address).is(400);
    discover().to("http://localhost/mcp").send(server.address).is(400);
}

#[test]
fn foreign_pages_are_refused() {
    let server = start();
    let foreign = [
        "https://evil.example",
        "null",
        "http://app.example",
        "https://app.example:8443",
        "",
        "https://app.example.evil.example",
        "app.example",
        "https://app.example/",
        "ftp://127.0.0.1",
        "http://127.0.0.1.evil.example",
    ];
    for origin in foreign {
        for ask in [discover(), Ask::new("OPTIONS").also("Access-Control-Request-Method", "POST")] {
            let told = ask.with("Origin", origin).send(server.address).is(403);
            assert_eq!(told.header("access-control-allow-origin"), None);
        }
    }
    discover().with("Origin", ORIGIN).also("Origin", ORIGIN).send(server.address).is(403);
}

#[test]
fn a_page_of_this_machine_may_ask_and_not_read_across_origins() {
    let server = start();
    for origin in ["http://127.0.0.1", "http://localhost:6274", "https://[::1]:1"] {
        let told = discover().with("Origin", origin).send(server.address).is(200);
        assert_eq!(told.header("access-control-allow-origin"), None);
        discover().with("Origin", origin).without("Authorization").send(server.address).is(401);
    }
}

#[test]
fn an_allowed_page_asks_first_and_then_for_real() {
    let server = start();
    let told = Ask::new("OPTIONS")
        .without("Authorization")
        .with("Origin", ORIGIN)
        .with("Access-Control-Request-Method", "POST")
        .send(server.address)
        .is(204);
    assert_eq!(told.header("access-control-allow-origin"), Some(ORIGIN));
    assert_eq!(told.header("access-control-allow-methods"), Some("POST, GET, DELETE"));
    assert_eq!(
        told.header("access-control-allow-headers"),
        Some(
            "authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-method, \
             mcp-name, last-event-id"
        )
    );
    let asks = [(discover(), 200), (discover().without("Authorization"), 401)];
    for (ask, status) in asks {
        let told = ask.with("Origin", ORIGIN).send(server.address).is(status);
        assert_eq!(told.header("access-control-allow-origin"), Some(ORIGIN));
        assert_eq!(told.header("access-control-expose-headers"), Some("mcp-session-id"));
        assert_eq!(told.header("vary"), Some("Origin"));
    }
    discover().with("Origin", "HTTPS://app.example:443").send(server.address).is(200);
}

#[test]
fn answers_are_not_kept_by_others() {
    let server = start();
    for ask in [discover(), discover().without("Authorization"), Ask::post("x"), Ask::new("GET")] {
        let told = ask.send(server.address);
        assert_eq!(told.header("cache-control"), Some("no-store"));
        assert_eq!(told.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(told.header("access-control-allow-origin"), None);
    }
}
