//! A journey over REST: what is added is found, what clashes is stopped, what was read is changed, what is repeated is
//! done once.

use oldhand_testkit::postgres::Programs;
use serde_json::{Value, json};

use crate::Test;
use crate::bed::{Bed, Open};
use crate::client::{Answer, ask};

pub(crate) const TESTS: &[Test] = &[
    ("rest::a_memory_is_added_found_changed_and_explained", journey),
    ("rest::a_clash_is_stopped_and_settled_by_a_person", clash),
    ("rest::a_repeated_request_is_done_once", once),
    ("rest::other_repositories_are_cautions", elsewhere),
    ("rest::other_repositories_have_at_most_two_of_five_places", two_of_five),
    ("rest::what_is_not_yours_is_not_there", not_yours),
];

const PERSON: &[&str] = &["memory:read", "memory:write", "memory:review"];
const AGENT: &[&str] = &["memory:read", "memory:write"];

struct Client<'o> {
    open: &'o Open,
    token: String,
}

impl Client<'_> {
    fn with(
        &self,
        method: &str,
        path: &str,
        more: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        let headers = [&[("authorization", bearer.as_str())], more].concat();
        ask(method, &format!("{}{path}", self.open.address), &headers, body)
    }

    fn get(&self, path: &str) -> Answer {
        self.with("GET", path, &[], None)
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        self.with("POST", path, &[], Some(body))
    }
}

fn cents() -> Value {
    json!({
        "category": "decision", "title": "Keep money in integer cents", "domain": "payments",
        "content": { "decision": "All amounts are integers of the smallest unit.",
                     "rationale": "Floats lose cents." },
    })
}

fn journey(programs: &Programs) {
    let bed = Bed::new(programs);
    let pay = bed.new_store("pay", "repository");
    let ada = bed.new_principal("person", "ada", &[(pay, "maintainer")]);
    let open = bed.open();
    let client = Client { open: &open, token: bed.token(ada, PERSON) };
    let added = client.post("/v1/memories", &cents()).must_be(200).json();
    assert_eq!(added["schema"], "oldhand.add/1");
    let id = added["id"].as_str().expect("an id").to_owned();
    let found = client.post("/v1/recall", &json!({ "task": "round the total to cents" }));
    let found = found.must_be(200).json();
    assert_eq!(found["memories"][0]["id"], id.as_str(), "{found}");
    let counted = open.door.metrics.text();
    for line in
        ["recalls_total 1", "recalls_silent_total 0", "recall_seconds_count{part=\"all\"} 1"]
    {
        assert!(counted.contains(&format!("oldhand_{line}")), "{line}: {counted}");
    }
    assert!(!counted.contains("oldhand_write_seconds_count 0"), "{counted}");
    assert_eq!(client.get("/v1/memories").must_be(200).json()["memories"][0]["id"], id.as_str());
    let hits = client.get("/v1/search?q=cents").must_be(200).json();
    assert!(hits.to_string().contains(&id), "{hits}");
    let read = client.get(&format!("/v1/memories/{id}")).must_be(200);
    let tag = read.header("etag").to_owned();
    assert!(tag.len() > 10, "{tag}");
    let path = format!("/v1/memories/{id}");
    let change = json!({ "tags": ["money"] });
    client.with("PATCH", &path, &[], Some(&change)).must_be(428);
    let changed = client.with("PATCH", &path, &[("if-match", &tag)], Some(&change)).must_be(200);
    assert_ne!(changed.header("etag"), tag);
    client.with("PATCH", &path, &[("if-match", &tag)], Some(&change)).must_be(412);
    let steps = client.get(&format!("/v1/history/{id}")).must_be(200).json();
    assert_eq!(steps["events"].as_array().map(Vec::len), Some(2), "{steps}");
    assert_eq!(steps["events"][0]["by"], "ada");
    client.post("/v1/why", &json!({ "id": id })).must_be(200);
    let used = json!({ "id": id, "effect": "positive", "task": "t-1" });
    client.post("/v1/apply", &used).must_be(200);
    client.post("/v1/tasks", &json!({ "task": "t-2" })).must_be(200);
    assert_eq!(client.get("/v1/tasks").must_be(200).json()["task"], "t-2");
    let wrong = client.get("/v1/memories?knd=decision").must_be(400).json();
    assert_eq!(wrong["schema"], "oldhand.error/1");
    client.get("/v1/memories/no-such-memory").must_be(404);
    let secret = json!({ "text": "the key is AKIAIOSFODNN7EXAMPLE, use it", "kind": "fact" });
    client.post("/v1/memories", &secret).must_be(422);
}

fn clash(programs: &Programs) {
    let bed = Bed::new(programs);
    let pay = bed.new_store("pay", "repository");
    let ada = bed.new_principal("person", "ada", &[(pay, "reviewer")]);
    let bot = bed.new_principal("agent", "bot", &[(pay, "writer")]);
    let open = bed.open();
    let (person, agent) = (
        Client { open: &open, token: bed.token(ada, PERSON) },
        Client { open: &open, token: bed.token(bot, AGENT) },
    );
    let rule = json!({
        "category": "decision", "title": "Use PostgreSQL for storage",
        "content": { "decision": "Use PostgreSQL for the storage of orders.",
                     "rationale": "We know it." },
        "domain": "storage",
    });
    person.post("/v1/memories", &rule).must_be(200);
    let checked = agent.post(
        "/v1/check",
        &json!({ "proposal": "Use MySQL for the storage of orders", "domain": "storage" }),
    );
    assert_eq!(checked.must_be(200).json()["verdict"], "conflict");
    let other = json!({
        "category": "decision", "title": "Use MySQL for storage",
        "content": { "decision": "Use MySQL for the storage of orders.",
                     "rationale": "It is there." },
        "domain": "storage",
    });
    let stopped = agent.post("/v1/memories", &other).must_be(409).json();
    let pending = stopped["pending"].as_str().unwrap_or_else(|| panic!("{stopped}")).to_owned();
    let settle = json!({ "pending": pending, "resolution": "follow", "reason": "one is enough" });
    let refused = agent.post("/v1/resolve", &settle).must_be(403).json();
    assert_eq!(refused["code"], "ACCESS_ERROR");
    person.post("/v1/resolve", &settle).must_be(200);
    assert_eq!(person.get("/v1/pending").must_be(200).json()["pending"], json!([]));
}

fn once(programs: &Programs) {
    let bed = Bed::new(programs);
    let pay = bed.new_store("pay", "repository");
    let bot = bed.new_principal("agent", "bot", &[(pay, "writer")]);
    let open = bed.open();
    let client = Client { open: &open, token: bed.token(bot, AGENT) };
    let key = [("idempotency-key", "01234567-89ab-4def-8123-456789abcdef")];
    let add = |body: &Value| client.with("POST", "/v1/memories", &key, Some(body));
    let first = add(&cents()).must_be(200);
    let again = add(&cents()).must_be(200);
    assert_eq!(first.body, again.body);
    assert_eq!(
        (first.header("idempotency-replayed"), again.header("idempotency-replayed")),
        ("", "true")
    );
    let id = first.json()["id"].as_str().expect("an id").to_owned();
    let steps = client.get(&format!("/v1/history/{id}")).must_be(200).json();
    assert_eq!(steps["events"].as_array().map(Vec::len), Some(1), "{steps}");
    add(&json!({ "text": "something else", "kind": "fact" })).must_be(422);
    client
        .with("POST", "/v1/memories", &[("idempotency-key", "mine")], Some(&cents()))
        .must_be(400);
}

fn elsewhere(programs: &Programs) {
    let bed = Bed::new(programs);
    let (pay, shop) = (bed.new_store("pay", "repository"), bed.new_store("shop", "repository"));
    let org = bed.new_store("acme", "org");
    let ada = bed.new_principal(
        "person",
        "ada",
        &[(pay, "maintainer"), (shop, "maintainer"), (org, "maintainer")],
    );
    let open = bed.open();
    let client = Client { open: &open, token: bed.token(ada, PERSON) };
    client.post("/v1/memories?store=shop", &cents()).must_be(200);
    let rule = json!({
        "category": "constraint", "title": "Round money half to even",
        "content": { "rule": "Round every money total half to even." }, "domain": "payments",
    });
    client.post("/v1/memories?store=acme", &rule).must_be(200);
    let asked = |reach: &str| {
        let body = json!({ "task": "round the money total to cents", "reach": reach });
        client.post("/v1/recall?store=pay", &body).must_be(200).json()
    };
    let here = asked("here");
    assert_eq!(here["memories"][0]["id"], "round-money-half-to-even", "{here}");
    assert_eq!(
        here["memories"][0]["store"], "organisation acme",
        "the organisation's says whose it is"
    );
    assert!(!here.to_string().contains("keep-money-in-integer-cents"), "{here}");
    let both = asked("elsewhere");
    assert_eq!(both["memories"], here["memories"]);
    let other = &both["elsewhere"][0];
    assert_eq!(
        (&other["id"], &other["store"]),
        (&json!("keep-money-in-integer-cents"), &json!("shop"))
    );
    client.post("/v1/recall", &json!({ "task": "which store" })).must_be(400);
}

/// R485.
fn two_of_five(programs: &Programs) {
    let bed = Bed::new(programs);
    let (pay, shop) = (bed.new_store("pay", "repository"), bed.new_store("shop", "repository"));
    let ada = bed.new_principal("person", "ada", &[(pay, "maintainer"), (shop, "maintainer")]);
    let open = bed.open();
    let client = Client { open: &open, token: bed.token(ada, PERSON) };
    for (store, count) in [("pay", 8), ("shop", 4)] {
        for number in 0..count {
            let text = format!("The {store} invoice job {number} runs on host h{number}-{store}.");
            let title = format!("Invoice job {number} of {store}");
            let body =
                json!({ "category": "reference", "title": title, "content": { "text": text } });
            client.post(&format!("/v1/memories?store={store}"), &body).must_be(200);
        }
    }
    let asked = |reach: &str, limit: Option<u32>| {
        let body = json!({ "task": "on which host does the invoice job run", "reach": reach,
                           "limit": limit, "budget": 3000 });
        let answer = client.post("/v1/recall?store=pay", &body).must_be(200).json();
        let count = |name: &str| answer[name].as_array().map_or(0, Vec::len);
        [count("memories") + count("cautions"), count("elsewhere")]
    };
    assert_eq!(asked("here", None), [5, 0]);
    assert_eq!(asked("elsewhere", None), [3, 2]);
    assert_eq!(asked("elsewhere", Some(3)), [2, 1]);
    assert_eq!(asked("elsewhere", Some(2)), [2, 0]);
    assert_eq!(asked("elsewhere", Some(8)), [6, 2]);
    let nothing = json!({ "task": "invoice", "reach": "elsewhere", "limit": 0 });
    let here = json!({ "task": "invoice", "limit": 0 });
    let status = |body| client.post("/v1/recall?store=pay", &body).status;
    assert_eq!(status(nothing), status(here));
}

fn not_yours(programs: &Programs) {
    let bed = Bed::new(programs);
    let (pay, shop) = (bed.new_store("pay", "repository"), bed.new_store("shop", "repository"));
    let ada = bed.new_principal("person", "ada", &[(pay, "maintainer")]);
    let eve = bed.new_principal("person", "eve", &[(shop, "reader")]);
    let open = bed.open();
    let (ada, eve) = (
        Client { open: &open, token: bed.token(ada, PERSON) },
        Client { open: &open, token: bed.token(eve, PERSON) },
    );
    ada.post("/v1/memories", &cents()).must_be(200);
    let theirs = eve.get("/v1/memories/keep-money-in-integer-cents?store=pay").must_be(404);
    let nobodys = eve.get("/v1/memories/keep-money-in-integer-cents?store=none").must_be(404);
    assert_eq!(theirs.body, nobodys.body);
    eve.post("/v1/memories", &cents()).must_be(403);
    let nobody = Client { open: &open, token: "oht_none".to_owned() };
    nobody.get("/v1/memories").must_be(401);
}
