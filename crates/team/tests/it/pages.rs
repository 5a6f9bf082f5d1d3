//! The dashboard of somebody who is signed in.

use oldhand_testkit::postgres::Programs;
use serde_json::json;

use crate::Test;
use crate::bed::Bed;
use crate::client::{ask, post_form};

pub(crate) const TESTS: &[Test] =
    &[("pages::a_person_who_is_signed_in_sees_and_decides", signed_in)];

fn signed_in(programs: &Programs) {
    let bed = Bed::new(programs);
    let (pay, shop) = (bed.new_store("pay", "repository"), bed.new_store("shop", "repository"));
    let roles = [(pay, "maintainer"), (shop, "reader")];
    let ada = bed.new_principal("person", "ada", &roles);
    let token = bed.token(ada, &["memory:read", "memory:write", "memory:review"]);
    let open = bed.open();
    let record = json!({
        "category": "decision", "title": "Keep money in integer cents",
        "content": { "decision": "All amounts are integers.", "rationale": "Floats lose cents." },
    });
    let bearer = format!("Bearer {token}");
    let address = format!("{}/v1/memories?store=pay", open.address);
    ask("POST", &address, &[("authorization", &bearer)], Some(&record)).must_be(200);
    let stranger = ask("GET", &format!("{}/", open.address), &[], None);
    assert_eq!((stranger.status, stranger.header("location")), (303, "/sign-in"));
    let cookie = bed.sign_in(&open, ada);
    let get = |path: &str, cookies: &str| {
        ask("GET", &format!("{}{path}", open.address), &[("cookie", cookies)], None)
    };
    assert_eq!(get("/", &cookie).header("location"), "/in", "which of the two?");
    let list = get("/in", &cookie).must_be(200).body;
    assert!(list.contains("/in/pay") && list.contains("/in/shop"), "{list}");
    let chosen = get("/in/pay", &cookie).must_be(303);
    let store = chosen.header("set-cookie").split(';').next().expect("a cookie").to_owned();
    let both = format!("{cookie}; {store}");
    let one = "/m/keep-money-in-integer-cents";
    for path in [
        "/",
        "/review",
        "/memories",
        one,
        "/sessions",
        "/learning",
        "/conflicts",
        "/code",
        "/store",
        "/ask",
        "/ask?q=cents",
    ] {
        let page = get(path, &both).must_be(200);
        assert!(page.body.contains("<html"), "{path}: {}", page.body);
    }
    let page = get(one, &both).must_be(200).body;
    assert!(page.contains("Keep money in integer cents"), "{page}");
    assert!(page.contains("ada"), "whoever is signed in is named: {page}");
    get("/in/none", &cookie).must_be(404);
    // Of a repository, what was decided here is not in the file yet (R486).
    let mirror = "update store set truth = 'git' where name = 'pay'";
    bed.as_owner(async |client| client.batch_execute(mirror).await.expect("set"));
    let decided =
        json!({ "id": "keep-money-in-integer-cents", "decision": "archive", "reason": "old" });
    let address = format!("{}/v1/review?store=pay", open.address);
    ask("POST", &address, &[("authorization", &bearer)], Some(&decided)).must_be(200);
    let page = get(one, &both).must_be(200).body;
    assert!(page.contains("Waits for the repository"), "{page}");
    let elsewhere = post_form(
        &format!("{}/memories", open.address),
        &[("cookie", &both), ("origin", "https://evil.example")],
        &[],
    );
    assert_eq!(elsewhere.status, 400, "{}", elsewhere.body);
}
