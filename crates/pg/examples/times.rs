//! How long writes and questions take over PostgreSQL, beside the raw statements: `times [MEMORIES]`. Texts and vectors
//! are made up; the smallest of many times is printed, as that is what other load disturbs least.
#![expect(clippy::print_stdout, reason = "a developer's tool talks to the terminal")]

use std::cell::RefCell;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use oldhand_core::codec::markdown;
use oldhand_core::event::{Event, EventType};
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::policy::TrustPolicy;
use oldhand_core::recall::query::Query;
use oldhand_core::state::State;
use oldhand_index::{DIMENSIONS, DotRows, Vector};
use oldhand_pg::access::{Access, Caller};
use oldhand_pg::admin::{self, NewStore};
use oldhand_pg::database::{Database, Settings};
use oldhand_pg::index::{InReach, PgIndex};
use oldhand_pg::vault::PgVault;
use oldhand_pg::worker::{Rules, Worker};
use oldhand_store::index::Embedder;
use oldhand_store::port::index::{Ask, Index, Narrow};
use oldhand_store::port::{FileWrite, Plan, Vault};
use oldhand_store::ulid::SystemEntropy;
use oldhand_testkit::postgres::{Durability, Programs};
use pgvector::HalfVector;
use tokio_postgres::{Client, Config, NoTls};

const WORDS: &[&str] = &[
    "amount", "branch", "cache", "deploy", "error", "field", "gate", "hash", "index", "job", "key",
    "lock", "module", "name", "order", "page", "query", "row", "schema", "table", "user", "vector",
    "worker", "yaml", "zone",
];

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    fn text(&mut self, words: usize) -> String {
        let word = |random: &mut Self| match random.next(4) {
            0 => format!("thing{}", random.next(5_000)),
            _ => WORDS[random.next(WORDS.len())].to_owned(),
        };
        (0..words).map(|_| word(self)).collect::<Vec<_>>().join(" ")
    }
}

/// Vectors of no meaning, as fast as they can be made.
struct Noise;

impl Embedder for Noise {
    fn tag(&self) -> &str {
        "noise"
    }

    fn embed(&self, text: &str) -> Vector {
        let seed = text
            .bytes()
            .fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        let mut random = Random(seed);
        let bytes: [i8; DIMENSIONS] = std::array::from_fn(|_| random.next(255) as u8 as i8);
        Vector { scale: 1.0 / (73.0 * (DIMENSIONS as f32).sqrt()), bytes }
    }

    fn cost(&self, _text: &str) -> Duration {
        Duration::ZERO
    }

    fn dot_rows(&self) -> DotRows {
        oldhand_minilm::dot_rows
    }
}

fn creation(id: &str, text: &str) -> (FileWrite, Event) {
    let kinds = Kinds::default();
    let mut memory = Memory::new(MemoryId::parse(id).expect("an id"), Kind::Reference, id);
    memory.sections = vec![("Notes".to_owned(), text.to_owned())];
    memory.state = State::Stable;
    let path = format!("{}/{id}.md", kinds.spec(&memory.kind).folder);
    let event = Event::new(EventType::Created, id, Timestamp::UNIX_EPOCH);
    let after = Some(markdown::render(&memory, &kinds));
    (FileWrite { path, id: memory.id.clone(), before: None, after, memory: Some(memory) }, event)
}

fn smallest(times: usize, mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..times).map(time).min().unwrap_or(Duration::ZERO).as_secs_f64() * 1e3
}

fn main() {
    let count = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(2_000);
    let programs = Programs::find().expect("`cargo xtask pg` was run");
    let server = programs.start(Durability::Full).expect("PostgreSQL starts");
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(2).enable_all().build().expect("a runtime");
    let config = |role: &str| {
        let mut config = Config::new();
        config.host_path(server.socket()).user(role).dbname("postgres");
        config
    };
    let (mut owner, connection) =
        runtime.block_on(config("postgres").connect(NoTls)).expect("a connection");
    runtime.spawn(connection);
    runtime.block_on(oldhand_pg::migrate::run(&mut owner)).expect("a schema");
    let tenant = runtime.block_on(admin::create_tenant(&mut owner, "acme")).expect("a tenant");
    let settings = Settings::new(config("oldhand_server"));
    let database = Database::new(settings, runtime.handle().clone()).expect("a pool");
    let caller = |stores: Vec<i32>| Caller { tenant, stores, principal: None };
    let new = NewStore { name: "team", level: "team", truth: "server" };
    let store = Access::new(&database, caller(Vec::new())).create_store(&new).expect("a store");
    let access = Access::new(&database, caller(vec![store]));
    let (kinds, trust, now) = (Kinds::default(), TrustPolicy::default(), Timestamp::UNIX_EPOCH);
    let vault = PgVault { access: &access, store, kinds: &kinds, entropy: &SystemEntropy, now };
    writes(&runtime, &owner, &vault);
    let worker =
        Worker { database: &database, rules: &|_| Rules::default(), embedder: Some(&Noise) };
    fill(&vault, &worker, count);
    runtime.block_on(owner.batch_execute("vacuum analyze")).expect("vacuumed");
    let index = PgIndex {
        access: &access,
        reach: vec![InReach::plain(store)],
        kinds: &kinds,
        trust: &trust,
        embedder: Some(&Noise),
        why_no_meaning: String::new(),
        fill_max: 0,
        embedded: RefCell::default(),
    };
    questions(&index);
    vectors(&runtime, &owner);
}

/// One write of one memory, beside one row that is inserted and committed.
fn writes(runtime: &tokio::runtime::Runtime, owner: &Client, vault: &PgVault<'_>) {
    let mut random = Random(1);
    let mut number = 0;
    let write = smallest(100, || {
        number += 1;
        let plan = {
            let (file, event) = creation(&format!("one-{number}"), &random.text(60));
            Plan::one(file, event)
        };
        drop(vault.write(&mut || Ok(plan.clone())).expect("written").settle());
    });
    runtime.block_on(owner.batch_execute("create table raw (n int, body text)")).expect("a table");
    let body = random.text(60);
    let raw = smallest(100, || {
        let inserted = async { owner.execute("insert into raw values (1, $1)", &[&body]).await };
        runtime.block_on(inserted).expect("inserted");
    });
    println!("write of one memory: {write:.2} ms; one inserted row: {raw:.2} ms");
}

fn fill(vault: &PgVault<'_>, worker: &Worker<'_>, count: usize) {
    let mut random = Random(2);
    let start = Instant::now();
    let ids: Vec<usize> = (0..count).collect();
    for part in ids.chunks(500) {
        let mut plan = Plan::default();
        for number in part {
            let (file, event) = creation(&format!("memory-{number}"), &random.text(60));
            plan.add(file, event);
        }
        drop(vault.write(&mut || Ok(plan.clone())).expect("written").settle());
    }
    let written = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let done = worker.run_all().expect("the worker runs");
    let indexed = start.elapsed().as_secs_f64();
    println!("{count} memories: written in {written:.1} s, {done} indexed in {indexed:.1} s");
}

fn questions(index: &PgIndex<'_>) {
    let narrow = Narrow { words: Vec::new(), states: vec![State::Stable] };
    let texts =
        ["thing12 lock of the worker", "where is the cache key of a page", "schema thing77"];
    for semantic in [false, true] {
        let mut at = 0;
        let look = smallest(30, || {
            at += 1;
            let query = Query::new(texts[at % texts.len()], &[]);
            let ask = Ask { query: &query, narrow: &narrow, semantic, top: 60 };
            assert!(!index.look(&ask).expect("a look").candidates.is_empty());
        });
        println!("look, {}: {look:.1} ms", if semantic { "words and meaning" } else { "words" });
    }
}

/// The nearest by SQL, beside all vectors read and compared here.
fn vectors(runtime: &tokio::runtime::Runtime, owner: &Client) {
    let asked = Noise.embed("a question");
    let half = HalfVector::from_f32_slice(&asked.bytes.map(f32::from));
    let nearest = "select no from passage where state = any ($2) group by no \
         order by min((v <#> $1) * scale) limit 124";
    let states: Vec<i16> = (0..16).collect();
    let statement = runtime.block_on(owner.prepare(nearest)).expect("prepared");
    let sql = smallest(30, || {
        let rows = runtime.block_on(owner.query(&statement, &[&half, &states])).expect("found");
        assert!(!rows.is_empty());
    });
    let all =
        runtime.block_on(owner.prepare("select no, scale, v from passage")).expect("prepared");
    let mut passages = 0;
    let here = smallest(10, || {
        let rows = runtime.block_on(owner.query(&all, &[])).expect("read");
        passages = rows.len();
        let best = rows.iter().map(|row| {
            let v: HalfVector = row.get(2);
            let bytes: Vec<i8> = v.as_slice().iter().map(|it| it.to_f32() as i8).collect();
            let mut dots = [0];
            oldhand_minilm::dot_rows(&asked.bytes, &bytes, &mut dots);
            dots[0]
        });
        assert!(best.max().is_some());
    });
    println!(
        "{passages} passages: nearest by SQL {sql:.1} ms, read and compared here {here:.1} ms"
    );
}
