//! Host, origin, the browser's word, ticket and cookie.

use crate::client::{Ask, Inside, enter, enter_with};
use crate::fake::start;

/// R340
#[test]
fn a_browser_with_a_ticket_comes_in_once() {
    let server = start();
    let told = Ask::post(&server, "/enter", &format!("ticket={}", server.ticket)).send(&server);
    let told = told.is(303);
    let cookie = told.header("set-cookie").unwrap();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert_eq!(cookie.split(';').next().unwrap().len(), "oh=".len() + 64);
    assert_eq!(told.header("location"), Some("/"));
    Ask::post(&server, "/enter", &format!("ticket={}", server.ticket)).send(&server).is(403);
    Ask::post(&server, "/enter", "ticket=").send(&server).is(403);
    Ask::post(&server, "/enter", "ticket=00000000000000000000000000000000").send(&server).is(403);
    let another = server.opened.new_address();
    enter_with(&server, another.split_once('#').unwrap().1);
}

#[test]
fn who_has_no_cookie_sees_nothing() {
    let server = start();
    for path in ["/", "/memories", "/m/a", "/review", "/today.json", "/news", "/nothing", "/undo"] {
        let told = Ask::get(&server, path).send(&server).is(401);
        assert!(!told.body.contains("form-token\" content"), "{path}");
    }
    Ask::get(&server, "/").with("Cookie", "oh=0").send(&server).is(401);
    Ask::get(&server, "/").with("Cookie", "other=1; oh=").send(&server).is(401);
    Ask::get(&server, "/enter").send(&server).is(200);
    Ask::post(&server, "/do/undo", "token=").send(&server).is(401);
}

/// R341
#[test]
fn only_its_own_name_is_served() {
    let server = start();
    let inside = enter(&server);
    let port = server.port;
    let foreign = [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("oh-0000000000000000.localhost:{port}"),
        format!("evil.example:{port}"),
        server.host.split(':').next().unwrap().to_owned(),
        server.host.replace(&port.to_string(), "80"),
        String::new(),
    ];
    for host in foreign {
        Ask::get(&server, "/").by(&inside).with("Host", &host).send(&server).is(421);
    }
    let ask = Ask::get(&server, "/").by(&inside);
    ask.clone().without("Host").send(&server).is(421);
    ask.clone().also("Host", &server.host).send(&server).is(421);
    ask.clone().with("Host", &server.host.to_uppercase()).send(&server).is(200);
    let whole = format!("http://{}/", server.host);
    Ask::get(&server, &whole).by(&inside).send(&server).is(421);
}

#[test]
fn other_origins_get_nothing() {
    let server = start();
    let inside = enter(&server);
    let (host, port) = server.host.split_once(':').unwrap();
    let origins = [
        format!("http://{host}:{}", port.parse::<u16>().unwrap() ^ 1),
        format!("https://{host}:{port}"),
        format!("http://127.0.0.1:{port}"),
        "http://evil.example".to_owned(),
        "null".to_owned(),
        String::new(),
    ];
    for origin in origins {
        let get = Ask::get(&server, "/").by(&inside).with("Origin", &origin);
        let told = get.send(&server).is(403);
        assert!(told.header("access-control-allow-origin").is_none());
        let body = format!("token={}", inside.token);
        let post = Ask::post(&server, "/do/undo", &body).by(&inside).with("Origin", &origin);
        post.send(&server).is(403);
    }
    let body = format!("token={}", inside.token);
    let post = Ask::post(&server, "/do/undo", &body).by(&inside);
    post.clone().without("Origin").send(&server).is(403);
    assert!(server.house.deeds.lock().unwrap().is_empty());
    post.send(&server).is(303);
    assert_eq!(server.house.deeds.lock().unwrap().len(), 1);
}

#[test]
fn the_browser_says_where_a_request_comes_from() {
    let server = start();
    let inside = enter(&server);
    let get = |site: &str| Ask::get(&server, "/").by(&inside).with("Sec-Fetch-Site", site);
    get("same-origin").send(&server).is(200);
    get("none").send(&server).is(200);
    for site in ["same-site", "cross-site", "", "same-origin, none"] {
        get(site).send(&server).is(403);
    }
    get("same-origin").also("Sec-Fetch-Site", "cross-site").send(&server).is(403);
    let body = format!("token={}", inside.token);
    let post = Ask::post(&server, "/do/undo", &body).by(&inside);
    for site in ["none", "same-site", "cross-site"] {
        post.clone().with("Sec-Fetch-Site", site).send(&server).is(403);
    }
    assert!(server.house.deeds.lock().unwrap().is_empty());
}

/// R342
#[test]
fn a_form_belongs_to_its_session() {
    let server = start();
    let mine = enter(&server);
    let address = server.opened.new_address();
    let theirs = enter_with(&server, address.split_once('#').unwrap().1);
    let post = |inside: &Inside, token: &str| {
        Ask::post(&server, "/do/undo", &format!("token={token}")).by(inside).send(&server)
    };
    post(&mine, &theirs.token).is(403);
    post(&mine, "").is(403);
    post(&theirs, &theirs.token).is(303);
    post(&mine, &mine.token).is(303);
}

#[test]
fn every_answer_is_sealed() {
    let server = start();
    let inside = enter(&server);
    let answers = [
        Ask::get(&server, "/").by(&inside).send(&server),
        Ask::get(&server, "/").send(&server),
        Ask::get(&server, "/").with("Host", "evil.example").send(&server),
        Ask::get(&server, "/nothing").by(&inside).send(&server),
        Ask::get(&server, "/today.json").by(&inside).send(&server),
        Ask::post(&server, "/do/undo", "token=").by(&inside).send(&server),
    ];
    for told in answers {
        let policy = told.header("content-security-policy").unwrap();
        for part in [
            "default-src 'none'",
            "script-src 'self';",
            "style-src 'self';",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains("data:"), "{policy}");
        assert_eq!(told.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(told.header("cross-origin-opener-policy"), Some("same-origin"));
        assert_eq!(told.header("cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(told.header("cache-control"), Some("no-store"));
        assert!(told.header("access-control-allow-origin").is_none());
    }
}

#[test]
fn methods_and_sizes() {
    let server = start();
    let inside = enter(&server);
    for method in ["PUT", "DELETE", "OPTIONS", "PATCH"] {
        let ask = Ask::get(&server, "/").by(&inside).method(method);
        ask.clone().send(&server).is(403);
        ask.with("Origin", &format!("http://{}", server.host)).send(&server).is(405);
    }
    Ask::get(&server, "/do/undo").by(&inside).send(&server).is(405);
    let large = format!("token={}&reason={}", inside.token, "x".repeat(1024 * 1024));
    Ask::post(&server, "/do/undo", &large).by(&inside).send(&server).is(413);
    let fits = format!("token={}&reason={}", inside.token, "x".repeat(1024 * 1024 - 100));
    Ask::post(&server, "/do/undo", &fits).by(&inside).send(&server).is(303);
    Ask::get(&server, "/").by(&inside).with("X-Long", &"x".repeat(33 * 1024)).send(&server).is(431);
}
