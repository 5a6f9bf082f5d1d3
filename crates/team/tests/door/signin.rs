//! Browsers: the whole way over a provider, what of it may not be changed, and what a signed-in page may do (R423).

use oldhand_team::door::tickets::Guest;
use oldhand_testkit::postgres::Programs;
use serde_json::json;
use url::Url;

use crate::Test;
use crate::bed::{Bed, Open};
use crate::client::{Answer, get, post_form as post};
use crate::logs;
use crate::provider::idp::Idp;

pub(crate) const TESTS: &[Test] = &[
    ("signin::a_person_signs_in_and_out", in_and_out),
    ("signin::groups_give_roles", groups),
    ("signin::only_the_browser_that_began_ends_it", bound),
    ("signin::another_page_can_do_nothing", other_pages),
    ("signin::a_ticket_counts_once", ticket),
];

const COOKIE: &str = "__Host-oldhand";
const FLOW: &str = "__Host-oldhand-sign-in";

/// Begins, and follows the provider until it sends the browser back: the address, and the cookie of the sign-in.
fn begin(open: &Open) -> (String, String) {
    let begun = get(&format!("{}/sign-in", open.address), &[]);
    assert_eq!(begun.status, 303);
    let (flow, line) = begun.cookie(FLOW).expect("a cookie");
    for word in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(line.contains(word), "{line}");
    }
    let said = get(begun.header("location"), &[]);
    (said.header("location").to_owned(), flow)
}

fn finish(back: &str, flow: &str) -> Answer {
    get(back, &[("cookie", &format!("{FLOW}={flow}")), ("sec-fetch-site", "cross-site")])
}

fn sign_in(open: &Open) -> String {
    let (back, flow) = begin(open);
    let done = finish(&back, &flow);
    assert_eq!(done.status, 200, "{}", done.body);
    done.cookie(COOKIE).expect("signed in").0
}

fn page(open: &Open, cookie: &str) -> Answer {
    get(&format!("{}/page", open.address), &[("cookie", &format!("a=b; {COOKIE}={cookie}"))])
}

fn in_and_out(programs: &Programs) {
    let bed = Bed::new(programs);
    let idp = Idp::start(&bed.runtime);
    let open = bed.open(Some(idp.provider()));
    let (back, flow) = begin(&open);
    let done = finish(&back, &flow);
    let (cookie, line) = done.cookie(COOKIE).expect("signed in");
    for word in ["Secure", "HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"] {
        assert!(line.contains(word), "{line}");
    }
    assert!(!line.contains("Domain"), "for this host alone");
    let seen = page(&open, &cookie);
    assert_eq!(seen.status, 200, "{}", seen.body);
    assert!(seen.body.contains("name: \"ada\"") && seen.body.contains("entrance: Browser"));
    assert_eq!(page(&open, "").status, 401);
    assert_eq!(page(&open, &cookie.replace(&cookie[..1], "z")).status, 401);
    // Another server knows it too, and the database knows only its hash.
    let second = bed.open(Some(idp.provider()));
    assert_eq!(page(&second, &cookie).status, 200);
    let hash = blake3::Hash::from_hex(&cookie).expect("digits").to_hex().to_string();
    assert_eq!(bed.sql(&format!("select from visit where visit = decode('{hash}', 'hex')")), 0);

    let headers = std::collections::HashMap::from([("cookie", format!("{COOKIE}={cookie}"))]);
    let mut map = http::HeaderMap::new();
    map.insert("cookie", headers["cookie"].parse().expect("a header"));
    let form_token = open.door.form_token(&map).expect("signed in");
    let leave = |token: &str| {
        let headers = [("cookie", headers["cookie"].as_str()), ("origin", open.address.as_str())];
        post(&format!("{}/sign-out", open.address), &headers, &[("form_token", token)])
    };
    assert_eq!(leave("wrong").status, 400);
    assert_eq!(page(&open, &cookie).status, 200);
    assert_eq!(leave(&form_token).status, 200);
    assert_eq!([page(&open, &cookie).status, page(&second, &cookie).status], [401, 401]);

    let cookie = sign_in(&open);
    bed.sql("update visit set until = now() - interval '1 second'");
    assert_eq!(page(&open, &cookie).status, 401, "after twelve hours");
    let text = logs::text();
    for secret in [cookie.as_str(), &flow, "s3cret-of-client", &form_token] {
        assert!(!text.contains(secret), "a secret was logged");
    }
}

fn groups(programs: &Programs) {
    let bed = Bed::new(programs);
    let idp = Idp::start(&bed.runtime);
    let open = bed.open(Some(idp.provider()));
    let access = bed.access(&[]);
    let group = |name| access.create_principal("group", name).expect("made");
    let (eng, leads, admins) = (group("eng"), group("leads"), group("admins"));
    access.grant(bed.stores[0], eng, "writer").expect("granted");
    access.grant(bed.stores[0], leads, "maintainer").expect("granted");
    access.grant(bed.stores[1], leads, "reader").expect("granted");
    access.set_admin(admins, true).expect("set");
    let check = |groups: &[&str], want: &[&str]| {
        *idp.inner.person.lock().expect("whole") =
            json!({ "sub": "u-1", "preferred_username": "ada", "groups": groups });
        let seen = page(&open, &sign_in(&open)).body;
        for want in want {
            assert!(seen.contains(want), "{want} in {seen}");
        }
    };
    check(&[], &["stores: []", "scopes: [Read, Write, Review]"]);
    check(&["eng", "other"], &["name: \"payments\"", "role: \"writer\""]);
    check(&["eng", "leads"], &["role: \"maintainer\"", "name: \"search\"", "role: \"reader\""]);
    check(&["admins"], &["stores: []", "Admin]"]);
    access.disable(admins).expect("disabled");
    check(&["admins"], &["scopes: [Read, Write, Review]"]);
}

fn bound(programs: &Programs) {
    let bed = Bed::new(programs);
    let idp = Idp::start(&bed.runtime);
    let open = bed.open(Some(idp.provider()));
    let (back, flow) = begin(&open);
    let (other_back, other_flow) = begin(&open);
    let refused = |back: &str, flow: &str| {
        let done = finish(back, flow);
        assert!(done.status == 400 || done.status == 503, "{} {}", done.status, done.body);
        assert!(done.cookie(COOKIE).is_none());
    };
    refused(&back, &other_flow);
    refused(&back, "");
    let state = |address: &str| {
        let url = Url::parse(address).expect("an address");
        url.query_pairs().find(|(name, _)| name == "state").expect("a state").1.into_owned()
    };
    // The code of one sign-in with the state of another: the provider compares the verifier.
    let mixed = back.replace(&state(&back), &state(&other_back));
    refused(&mixed, &other_flow);
    refused(
        &format!("{}/sign-in/done?error=access_denied&state={}", open.address, state(&back)),
        &flow,
    );
    *idp.inner.person.lock().expect("whole") = json!({ "sub": "u-1", "nonce": "of-another" });
    let (back, flow) = begin(&open);
    refused(&back, &flow);
    *idp.inner.person.lock().expect("whole") = json!({ "sub": "u-1", "aud": "another-client" });
    let (back, flow) = begin(&open);
    refused(&back, &flow);
    *idp.inner.person.lock().expect("whole") = json!({ "sub": "u-1" });
    let (back, flow) = begin(&open);
    assert_eq!(finish(&back, &flow).status, 200);
    refused(&back, &flow);
}

fn other_pages(programs: &Programs) {
    let bed = Bed::new(programs);
    let idp = Idp::start(&bed.runtime);
    let open = bed.open(Some(idp.provider()));
    let cookie = format!("{COOKIE}={}", sign_in(&open));
    let own = open.address.as_str();
    let ask = |headers: &[(&str, &str)]| {
        let all: Vec<_> =
            [("cookie", cookie.as_str())].into_iter().chain(headers.iter().copied()).collect();
        post(&format!("{own}/page"), &all, &[]).status
    };
    assert_eq!(ask(&[("origin", own)]), 200);
    assert_eq!(ask(&[("origin", own), ("sec-fetch-site", "same-origin")]), 200);
    assert_eq!(ask(&[]), 400, "a form says where it is from");
    assert_eq!(ask(&[("origin", "https://evil.test")]), 400);
    assert_eq!(ask(&[("origin", "null")]), 400);
    assert_eq!(ask(&[("origin", own), ("sec-fetch-site", "cross-site")]), 400);
    assert_eq!(ask(&[("origin", own), ("host", "evil.test")]), 400);
}

fn ticket(programs: &Programs) {
    let bed = Bed::new(programs);
    let open = bed.open(None);
    let ada = bed.access(&[]).create_principal("person", "ada").expect("made");
    let ticket =
        open.door.tickets.issue(Guest { tenant: bed.tenant, principal: ada }).expect("made");
    let address = format!("{}/enter", open.address);
    let shown = get(&format!("{address}?ticket={ticket}"), &[]);
    assert!(shown.status == 200 && shown.body.contains("<form"), "looking does not use it up");
    assert_eq!(get(&format!("{address}?ticket=%22%3E"), &[]).status, 404);
    let enter = || post(&address, &[], &[("ticket", &ticket)]);
    let cookie = enter().cookie(COOKIE).expect("let in").0;
    assert!(page(&open, &cookie).body.contains("name: \"ada\""));
    assert_eq!(enter().status, 401, "once");
}
