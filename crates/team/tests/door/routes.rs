//! Every route of administration with every role, scope and kind, over the wire: refused or not as the table says
//! (R424).

use oldhand_team::admin::routes::NEEDS;
use oldhand_team::door::limits::LimitSettings;
use oldhand_team::door::rights::Need;
use oldhand_team::visitor::{Role, Scope};
use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::bed::Bed;
use crate::client::send;

pub(crate) const TESTS: &[Test] = &[
    ("routes::the_table_holds_over_the_wire", table),
    ("routes::nobody_gets_more_than_they_have", no_more),
];

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
