//! The server and PostgreSQL are killed while sixteen write over HTTP: what was acknowledged is there, once, and whoever
//! repeats a request with its key gets it done once (R405).

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use oldhand_pg::access::Access;
use oldhand_store::port::Vault;
use oldhand_team::door::key;
use oldhand_team::visitor::Role;
use oldhand_testkit::postgres::{Durability, Programs};
use serde_json::json;
use ureq::Agent;

use crate::Test;
use crate::process::Process;
use crate::world::World;

pub(crate) const TESTS: &[Test] =
    &[("kill::what_was_acknowledged_over_http_is_there_once", killed)];

const NAMES: [&str; 16] = [
    "w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9", "w10", "w11", "w12", "w13", "w14",
    "w15",
];

/// What came of all requests.
#[derive(Default)]
struct Told {
    acknowledged: Mutex<BTreeSet<String>>,
    count: AtomicUsize,
    repeated: AtomicUsize,
    replayed: AtomicUsize,
}

/// Asks until it is answered; the same key each time.
fn write(told: &Told, agent: &Agent, (address, token): (&str, &str), title: &str) {
    let key = key::uuid().expect("made");
    // Its words are of no other.
    let text = key::random().expect("made");
    let body = json!({ "category": "reference", "title": title, "content": { "text": text } });
    loop {
        let request = agent.post(format!("{address}/v1/memories?store=pay"));
        let request = request.header("authorization", format!("Bearer {token}"));
        let request = request.header("idempotency-key", &key).content_type("application/json");
        let Ok(mut answer) = request.send(body.to_string()) else {
            told.repeated.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        let status = answer.status().as_u16();
        if status == 200 {
            let is_replay = answer.headers().contains_key("idempotency-replayed");
            told.replayed.fetch_add(usize::from(is_replay), Ordering::Relaxed);
            // Whoever got the head of an answer has been told.
            drop(answer.body_mut().read_to_string());
            break;
        }
        let said = answer.body_mut().read_to_string().unwrap_or_default();
        if !matches!(status, 429 | 503) {
            // Nobody waits for more of them.
            told.count.store(usize::MAX / 2, Ordering::Relaxed);
            panic!("{title}: {status} {said}");
        }
        told.repeated.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(50));
    }
    told.acknowledged.lock().expect("nobody panicked").insert(title.to_owned());
    told.count.fetch_add(1, Ordering::Relaxed);
}

#[expect(clippy::print_stdout, reason = "the numbers of a run are worth reading")]
fn killed(programs: &Programs) {
    let (wanted, kills) = match std::env::var("OLDHAND_KILL").as_deref() {
        Ok("long") => (1_500, 30),
        _ => (300, 6),
    };
    let mut world = World::with(programs, Durability::Full);
    for name in NAMES {
        let person = world.person("agent", name, Role::Writer);
        world.people.push(person);
    }
    let store = world.store("pay", "repository", "server");
    let roomy = "update store set settings = jsonb_set(settings, '{config}', to_jsonb($1::text)) \
         where tenant = $2 and store = $3";
    let config = "[limits]\nmax_memories_per_kind = 100000\n";
    let tenant = world.bed.tenant;
    world.bed.as_owner(async |client| {
        client.execute(roomy, &[&config, &tenant, &store]).await.expect("set")
    });
    let mut server = Process::start(&world);
    let address = server.address.clone();
    let tokens: Vec<String> = NAMES.iter().map(|it| world.token(it).to_owned()).collect();
    let told = Told::default();
    std::thread::scope(|scope| {
        for (token, name) in tokens.iter().zip(NAMES) {
            let (told, address) = (&told, &address);
            scope.spawn(move || {
                let config = Agent::config_builder().http_status_as_error(false).proxy(None);
                let agent: Agent =
                    config.timeout_global(Some(Duration::from_secs(30))).build().into();
                let mut number = 0;
                while told.count.load(Ordering::Relaxed) < wanted {
                    write(told, &agent, (address, token), &format!("{name}n{number}"));
                    number += 1;
                }
            });
        }
        for kill in 1..=kills {
            while told.count.load(Ordering::Relaxed) < kill * wanted / (kills + 1) {
                std::thread::sleep(Duration::from_millis(2));
            }
            if kill % 2 == 0 {
                world.bed.server.kill_all().expect("it is killed");
                world.bed.server.restart().expect("it comes back");
            } else {
                server.kill_and_restart();
            }
        }
    });
    let acknowledged = told.acknowledged.into_inner().expect("nobody panicked");
    let access = Access::new(&world.bed.database, world.bed.caller(&[store]));
    let vault = world.bed.vault(&access, store);
    let there: BTreeSet<String> =
        vault.ids().expect("readable").iter().map(|it| it.as_str().to_owned()).collect();
    assert_eq!(there, acknowledged, "each that was acknowledged, and nothing else");
    assert_eq!(vault.ids().expect("readable").len(), there.len(), "nothing is there twice");
    let created = |id: &String| vault.events_of(id).expect("readable").len();
    assert!(there.iter().all(|id| created(id) == 1), "one event each");
    let (repeated, replayed) = (told.repeated.into_inner(), told.replayed.into_inner());
    println!(
        "{} acknowledged, {kills} kills, {repeated} requests repeated, {replayed} answered from the first",
        acknowledged.len()
    );
}
