//! Every route of administration with every role, scope and kind, over the wire: refused or not as the table says
//! (R424).

use oldhand_team::admin::routes::NEEDS;
use oldhand_team::door::limits::LimitSettings;
use oldhand_team::door::rights::Need;
use oldhand_team::door::tickets::Guest;
use oldhand_team::door::{COOKIE_NAME, Way};
use oldhand_team::routes::ROUTES;
use oldhand_team::tools::need_of;
use oldhand_team::visitor::{Role, Scope};
use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::bed::Bed;
use crate::client::{post_form as post, send};

pub(crate) const TESTS: &[Test] = &[
    ("routes::the_table_holds_over_the_wire", table),
    ("routes::the_server_keeps_the_table_too", server),
    ("routes::the_pages_keep_it_too", pages),
    ("routes::nobody_gets_more_than_they_have", no_more),
];

const JSON: (&str, &str) = ("content-type", "application/json");

fn table(programs: &Programs) {
    let bed = Bed::new(programs);
    let limits = LimitSettings { tenant_per_minute: 100_000, ..LimitSettings::default() };
    let open = bed.open_with(None, limits);
    let access = bed.access(&[]);
    let mut seen = std::collections::BTreeSet::new();
    for role in Role::ALL {
        for kind in ["person", "agent"] {
            for is_admin in [false, true] {
                let name = format!("{kind} {} {is_admin}", role.name());
                let who = access.create_principal(kind, &name).expect("made");
                access.grant(bed.stores[0], who, role.name()).expect("granted");
                access.set_admin(who, is_admin).expect("set");
                let all = Scope::ALL.map(Scope::name);
                for scopes in [&all[..1], &all[1..2], &all[2..3], &all[3..], &all[..3], &all[..]] {
                    let (token, _) = bed.token(who, scopes, None);
                    let has = |scope: Scope| {
                        scopes.contains(&scope.name()) && (scope != Scope::Admin || is_admin)
                    };
                    let is_person = kind == "person" && has(Scope::Review);
                    for (method, path, need) in NEEDS {
                        for store in ["payments", "search"] {
                            let is_here = !path.contains("{store}") || store == "payments";
                            let want = match need {
                                Need::Entry => 0,
                                need if need.scope().is_some_and(|it| !has(it)) => 403,
                                _ if !is_here => 404,
                                need if path.contains("{store}")
                                    && need.role().is_some_and(|it| role < it) =>
                                {
                                    403
                                }
                                Need::Person(..) if !is_person => 403,
                                _ => 0,
                            };
                            let path = path.replace("{store}", store);
                            let path =
                                path.replace("{principal}", "nobody").replace("{id}", "none");
                            let headers = [("authorization", &*format!("Bearer {token}"))];
                            let answer =
                                send(method, &format!("{}{path}", open.address), &headers, "");
                            // Let in, it may still be asked for nothing that there is.
                            let got = match answer.status {
                                403 => 403,
                                404 if want == 404 => 404,
                                _ => 0,
                            };
                            let what = format!("{method} {path} {name} {scopes:?}");
                            assert_eq!(got, want, "{what}: {} {}", answer.status, answer.body);
                            assert!(answer.status < 500, "{what}: {}", answer.body);
                            seen.insert((*method, path, got));
                        }
                    }
                }
            }
        }
    }
    assert!(seen.iter().filter(|it| it.2 == 403).count() >= 8, "{seen:?}");
}

/// The routes about memories: each with every role, kind and set of scopes, in a store of theirs and in one that is not.
fn server(programs: &Programs) {
    let bed = Bed::new(programs);
    let limits = LimitSettings { tenant_per_minute: 100_000, ..LimitSettings::default() };
    let open = bed.open_server(limits);
    let access = bed.access(&[]);
    let all = Scope::ALL.map(Scope::name);
    let (mut asked, mut refused) = (0, 0);
    for role in Role::ALL {
        for kind in ["person", "agent", "ci"] {
            let name = format!("{kind} {}", role.name());
            let who = access.create_principal(kind, &name).expect("made");
            access.grant(bed.stores[0], who, role.name()).expect("granted");
            for scopes in [&all[..1], &all[1..2], &all[2..3], &all[..3]] {
                let (token, _) = bed.token(who, scopes, None);
                let headers = [("authorization", &*format!("Bearer {token}"))];
                let is_person = kind == "person" && scopes.contains(&Scope::Review.name());
                let may = |need: Need| {
                    need.scope().is_none_or(|it| scopes.contains(&it.name()))
                        && need.role().is_none_or(|it| role >= it)
                        && (is_person || !matches!(need, Need::Person(..)))
                };
                for route in ROUTES.iter().filter(|it| it.way == Way::Rest) {
                    let ask = |store: &str| {
                        let path = route.path.replace("{id}", "none").replace("{store}", store);
                        let address = format!("{}{path}?store={store}", open.address);
                        send(route.method, &address, &headers, "{}")
                    };
                    let (own, other) = (ask("payments"), ask("search"));
                    let what =
                        format!("{} {} {name} {scopes:?}: {}", route.method, route.path, own.body);
                    assert_eq!(own.status == 403, !may(route.need), "{what}");
                    assert!(own.status < 500 && own.status != 401, "{what}");
                    // What names no store lists those that are theirs.
                    let is_list = route.path == "/v1/sync" && may(route.need);
                    let want: &[u16] = if is_list { &[200] } else { &[403, 404] };
                    assert!(want.contains(&other.status), "{what}: {}", other.status);
                    assert!(!other.body.contains("search"), "{}", other.body);
                    asked += 1;
                    refused += usize::from(!may(route.need));
                }
                for path in ["/mcp/token/payments", "/mcp/store/payments"] {
                    let address = format!("{}{path}", open.address);
                    tools_as(&address, &headers, &may, &name);
                }
            }
        }
    }
    assert!(refused > asked / 4 && refused < asked, "{refused} of {asked}");
}

/// Each tool, as somebody who may or may not.
fn tools_as(address: &str, headers: &[(&str, &str)], may: &dyn Fn(Need) -> bool, who: &str) {
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",
        "capabilities":{},"clientInfo":{"name":"probe","version":"1"}}}"#;
    let more = [("accept", "application/json, text/event-stream"), JSON];
    let greeted = send("POST", address, &[headers, &more].concat(), hello);
    assert_eq!(greeted.status, 200, "{}", greeted.body);
    let session = greeted.header("mcp-session-id").to_owned();
    let session = [("mcp-session-id", session.as_str()), ("mcp-protocol-version", "2025-06-18")];
    let headers = [headers, &more, &session].concat();
    send("POST", address, &headers, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    for tool in ["recall", "check", "resume", "remember", "review", "feedback"] {
        for store in ["payments", "search"] {
            let asked = format!(
                r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"{tool}",
                "arguments":{{"store":"{store}"}}}}}}"#
            );
            let answer = send("POST", address, &headers, &asked);
            let what = format!("{tool} {store} {who}: {}", answer.body);
            assert_eq!(answer.status, 200, "{what}");
            let is_refused = answer.body.contains("ACCESS_ERROR");
            match store {
                "payments" => assert_eq!(is_refused, !may(need_of(tool)), "{what}"),
                _ => assert!(is_refused || answer.body.contains("NOT_FOUND"), "{what}"),
            }
        }
    }
}

/// The dashboard: somebody who is signed in has every scope, and the role of the store.
fn pages(programs: &Programs) {
    let bed = Bed::new(programs);
    let open = bed.open_server(LimitSettings::default());
    let access = bed.access(&[]);
    for role in Role::ALL {
        let who = access.create_principal("person", role.name()).expect("made");
        access.grant(bed.stores[0], who, role.name()).expect("granted");
        let ticket = open.door.tickets.issue(Guest { tenant: bed.tenant, principal: who });
        let form = [("ticket", &*ticket.expect("made"))];
        let entered = post(&format!("{}/enter", open.address), &[("origin", &open.address)], &form);
        let (cookie, _) = entered.cookie(COOKIE_NAME).expect("a cookie");
        let cookie = format!("{COOKIE_NAME}={cookie}");
        let headers = [("cookie", &*cookie), ("origin", &*open.address)];
        for route in ROUTES.iter().filter(|it| it.way == Way::Browser) {
            for (page, store) in [("memories", "payments"), ("do/retire", "search")] {
                let path = route.path.replace("{*page}", page).replace("{id}", store);
                let answer = send(route.method, &format!("{}{path}", open.address), &headers, "");
                let is_refused = matches!(answer.status, 403 | 404);
                let said = (answer.status, &answer.body);
                let what = format!("{} {path} {}: {said:?}", route.method, role.name());
                let may = route.need.role().is_none_or(|it| role >= it);
                match route.path {
                    "/in/{id}" => assert_eq!(is_refused, store == "search", "{what}"),
                    _ if !may => assert!(is_refused, "{what}"),
                    _ => assert!(answer.status < 500 && answer.status != 401, "{what}"),
                }
                assert!(!answer.body.contains("/in/search"), "{what}: {}", answer.body);
            }
        }
    }
}

fn no_more(programs: &Programs) {
    let bed = Bed::new(programs);
    let open = bed.open(None);
    let access = bed.access(&[]);
    let person = |name, is_admin| {
        let who = access.create_principal("person", name).expect("made");
        access.grant(bed.stores[0], who, "reader").expect("granted");
        access.set_admin(who, is_admin).expect("set");
        who
    };
    let (ada, root) = (person("ada", false), person("root", true));
    let (own, _) = bed.token(ada, &["memory:read", "memory:review"], None);
    let (all, other_id) = bed.token(root, &["memory:read", "memory:review", "memory:admin"], None);
    let ask = |token: &str, method: &str, path: &str, body: &str| {
        let headers = [("authorization", &*format!("Bearer {token}"))];
        let answer = send(method, &format!("{}{path}", open.address), &headers, body);
        (answer.status, answer.body)
    };
    let create = |token: &str, body: &str| ask(token, "POST", "/v1/tokens", body).0;
    assert_eq!(create(&own, r#"{"scopes":["memory:read"]}"#), 200);
    assert_eq!(create(&own, r#"{"scopes":["memory:write"]}"#), 403, "a scope that the token lacks");
    assert_eq!(create(&own, r#"{"scopes":["memory:read"],"stores":["search"]}"#), 404);
    assert_eq!(create(&own, r#"{"scopes":["memory:read"],"principal":"root"}"#), 403);
    assert_eq!(create(&own, r#"{"scopes":["memory:read"],"day":1}"#), 400, "an unknown field");
    assert_eq!(create(&all, r#"{"scopes":["memory:read"],"principal":"ada"}"#), 200);
    assert_eq!(
        ask(&own, "DELETE", &format!("/v1/tokens/{other_id}"), "").0,
        404,
        "of somebody else"
    );
    let stores = ask(&own, "GET", "/v1/stores", "").1;
    assert!(stores.contains("payments") && !stores.contains("search"), "{stores}");
    // A token for one store makes none for more, and gets no secret of a stronger one.
    access.grant(bed.stores[1], ada, "reader").expect("granted");
    let one_store = Some(&bed.stores[..1]);
    let (narrow, narrow_id) = bed.token(ada, &["memory:read", "memory:review"], one_store);
    let (_, wide_id) = bed.token(ada, &["memory:read", "memory:write"], None);
    let made = ask(&narrow, "POST", "/v1/tokens", r#"{"scopes":["memory:read"]}"#).1;
    assert!(made.contains("payments") && !made.contains("search"), "{made}");
    let rotate = |id: &str| ask(&narrow, "POST", &format!("/v1/tokens/{id}/rotate"), "").0;
    assert_eq!([rotate(&wide_id), rotate(&narrow_id)], [404, 200]);
    let listed = ask(&own, "GET", "/v1/tokens", "").1;
    assert!(!listed.contains(&other_id) && !listed.contains("oht_"), "{listed}");
    assert!(ask(&all, "GET", "/v1/tokens?all=true", "").1.contains(&other_id));
    assert_eq!(ask(&own, "GET", "/v1/tokens?all=true", "").0, 403);
    assert!(ask(&all, "GET", "/v1/audit?verify=true", "").1.contains("\"is_whole\":true"));
    let huge = format!("{{\"scopes\":[\"{}\"]}}", "a".repeat(100_000));
    assert_eq!(create(&own, &huge), 400);
}
