//! Whoever asks over HTTP while the disk is full, or no connection is left, is told so and when to try again; questions
//! are answered, and the same request goes through when there is room (R483 R484).

use oldhand_team::door::key;
use oldhand_testkit::postgres::Programs;
use oldhand_testkit::small_disk::SmallDisk;
use serde_json::{Value, json};

use crate::Test;
use crate::bed::Bed;
use crate::client::{Answer, ask};
use crate::world::{WRITER, World};

pub(crate) const ON_A_SMALL_DISK: &[Test] =
    &[("full::a_full_disk_is_a_503_and_the_same_request_goes_through_later", full_disk)];

pub(crate) const TESTS: &[Test] =
    &[("full::without_a_connection_the_door_says_when_to_try_again", no_connection)];

const DISK_MB: u32 = 220;
/// Some are still written to pages that are there already.
const TRIES: usize = 400;

fn post(world: &World, path: &str, key: &str, body: &Value) -> Answer {
    let bearer = format!("Bearer {}", world.token(WRITER));
    let headers = [("authorization", bearer.as_str()), ("idempotency-key", key)];
    ask("POST", &format!("{}{path}", world.address), &headers, Some(body))
}

fn memory(title: &str) -> Value {
    json!({ "category": "reference", "title": title, "content": { "text": format!("about {title}") } })
}

#[track_caller]
fn is_for_later(answer: &Answer, hint: &str) {
    assert_eq!(answer.status, 503, "{}", answer.body);
    assert_eq!(answer.header("retry-after"), "5");
    let said = answer.json();
    assert_eq!(said["code"], "STORE_ERROR", "{said}");
    assert!(said["hint"].as_str().is_some_and(|it| it.contains(hint)), "{said}");
}

fn full_disk(programs: &Programs) {
    const ADD: &str = "/v1/memories?store=pay";
    let disk = SmallDisk::new(DISK_MB).expect("a disk");
    let world = World::on(Bed::on_small_disk(programs, &disk));
    world.store("pay", "repository", "server");
    let uuid = || key::uuid().expect("made");
    post(&world, ADD, &uuid(), &memory("Staging host")).must_be(200);
    disk.fill();
    let refused = (0..TRIES).find_map(|number| {
        let (key, body) = (uuid(), memory(&format!("Host {number}")));
        let answer = post(&world, ADD, &key, &body);
        (answer.status != 200).then_some((key, body, answer))
    });
    let (key, body, answer) = refused.expect("the disk was never full");
    is_for_later(&answer, "");
    // Reading needs no room, and what is noted beside it is left out.
    let question = json!({ "task": "what is the staging host" });
    let found = post(&world, "/v1/recall?store=pay", &uuid(), &question).must_be(200).json();
    assert!(found.to_string().contains("staging-host"), "{found}");
    disk.make_room();
    let first = post(&world, ADD, &key, &body).must_be(200);
    let id = first.json()["id"].as_str().expect("an id").to_owned();
    let again = post(&world, ADD, &key, &body).must_be(200);
    assert_eq!((again.header("idempotency-replayed"), &again.body), ("true", &first.body));
    let bearer = format!("Bearer {}", world.token(WRITER));
    let history = format!("{}/v1/history/{id}?store=pay", world.address);
    let history = ask("GET", &history, &[("authorization", &bearer)], None).must_be(200).json();
    assert_eq!(history["events"].as_array().map(Vec::len), Some(1), "{history}");
}

fn no_connection(programs: &Programs) {
    let mut world = World::new(programs);
    world.store("pay", "repository", "server");
    let held = world.bed.take_all_connections();
    let server = world.serve(&world.bed.another());
    world.address.clone_from(&server.address);
    let uuid = key::uuid().expect("made");
    let question = json!({ "task": "what is the staging host" });
    let answer = post(&world, "/v1/recall?store=pay", &uuid, &question);
    is_for_later(&answer, "try again");
    drop(held);
    post(&world, "/v1/recall?store=pay", &uuid, &question).must_be(200);
}
