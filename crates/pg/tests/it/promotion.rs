//! A tenant with many passages is asked by an index of its own: with the ranking of the exact comparison, behind the
//! same row security (R481), and whatever becomes of the process that makes it (R482).

use jiff::Timestamp;
use oldhand_core::event::{Event, EventType};
use oldhand_core::recall::query::Query;
use oldhand_core::state::State;
use oldhand_index::{DIMENSIONS, DotRows, Vector};
use oldhand_pg::access::{Access, Caller};
use oldhand_pg::database::Database;
use oldhand_pg::index::PgIndex;
use oldhand_pg::near::{NearPolicy, Upkeep};
use oldhand_pg::promotion::{Round, keep_indexes};
use oldhand_store::index::Embedder;
use oldhand_store::port::index::{Ask, Index, Narrow};
use oldhand_store::port::{FileWrite, Plan, Vault};
use oldhand_testkit::postgres::Programs;
use pgvector::HalfVector;
use tokio_postgres::Client;

use crate::Test;
use crate::bed::Bed;
use crate::recall::{creation, memory};

pub(crate) const TESTS: &[Test] = &[
    ("promotion::one_memory_with_many_passages_hides_no_other", many_passages),
    ("promotion::an_index_ranks_as_the_comparison_of_all_does", same_ranking),
    ("promotion::a_broken_build_is_made_again_and_a_small_tenant_loses_its_index", broken_build),
];

/// With `OLDHAND_NEAR=long` as many as really need an index, under the limit that servers have.
const MEMORIES: usize = 4_000;
const MEMORIES_LONG: usize = 60_000;
const WAITING: usize = 30;
const QUESTIONS: usize = 40;
/// Ten find themselves near each topic.
const TOPICS: usize = 400;
const NEAR: usize = 10;
const RECALL_MIN: f64 = 0.99;

fn is_long() -> bool {
    std::env::var("OLDHAND_NEAR").as_deref() == Ok("long")
}

fn policy() -> NearPolicy {
    let policy = NearPolicy::default();
    if is_long() { policy } else { NearPolicy { exact_max: 1_000, ..policy } }
}

/// Every question and every memory is about a topic, and no two say it alike.
struct Topics;

/// Numbers that look random, from -127 to 127, the same for the same seed.
fn noise(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
    std::iter::repeat_with(move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64 * 254.0 - 127.0
    })
}

fn about(topic: u64, way: u64) -> Vector {
    let mixed: Vec<f64> = noise(topic)
        .zip(noise(way + 1_000_000))
        .take(DIMENSIONS)
        .map(|(a, b)| a + 0.8 * b)
        .collect();
    let largest = mixed.iter().fold(1.0_f64, |most, it| most.max(it.abs()));
    let bytes: [i8; DIMENSIONS] = std::array::from_fn(|at| (mixed[at] / largest * 127.0) as i8);
    let length = bytes.iter().map(|it| f64::from(*it).powi(2)).sum::<f64>().sqrt();
    Vector { scale: (1.0 / length) as f32, bytes }
}

impl Embedder for Topics {
    fn tag(&self) -> &str {
        "topics"
    }

    fn embed(&self, text: &str) -> Vector {
        let number = text.rsplit(' ').next().and_then(|it| it.parse().ok()).unwrap_or(0);
        about(number, 5_000_000 + number)
    }

    fn cost(&self, _: &str) -> std::time::Duration {
        std::time::Duration::ZERO
    }

    fn dot_rows(&self) -> DotRows {
        oldhand_minilm::dot_rows
    }
}

/// One memory as the worker leaves it, and as many like it, each with a vector of its own.
fn fill(bed: &Bed, store: i32) {
    let access = Access::new(&bed.database, bed.caller(&[store]));
    let (file, event) = creation(memory("seed", "Seed", "nothing"));
    let plan = Plan::one(file, event);
    drop(bed.vault(&access, store).write(&mut || Ok(plan.clone())).expect("written").settle());
    bed.worker(Some(&Topics)).run_all().expect("the worker runs");
    let waiting = state_number(State::Candidate);
    let copy = "with made as (insert into memory (tenant, store, path, folder, id, text, hash, revision, indexed, state, \
              instant, lens, passages, card, line, terms) \
         select tenant, store, replace(path, 'seed', 'm' || n), folder, 'm' || n, text, hash, revision, indexed, \
             case when n <= $3 then $4 else state end, instant, lens, 1, replace(card, '\"seed\"', '\"m' || n || '\"'), \
             line, terms \
         from memory, generate_series(1, $2) n where store = $1 and id = 'seed' returning no, id, tenant, store, state) \
         insert into passage (tenant, store, no, nth, state, scale, v) \
         select tenant, store, no, 0, state, scale, v from made \
         join unnest($5::real[], $6::halfvec[]) with ordinality as n (scale, v, at) on id = 'm' || n.at";
    let memories = if is_long() { MEMORIES_LONG } else { MEMORIES };
    let vectors: Vec<Vector> =
        (0..memories as u64).map(|it| about(it % TOPICS as u64, it)).collect();
    let scales: Vec<f32> = vectors.iter().map(|it| it.scale).collect();
    let halves: Vec<HalfVector> =
        vectors.iter().map(|it| HalfVector::from_f32_slice(&it.bytes.map(f32::from))).collect();
    let (many, few) = (memories as i32, WAITING as i32);
    bed.as_owner(async |client| {
        client
            .execute(copy, &[&store, &many, &few, &waiting, &scales, &halves])
            .await
            .expect("copied");
        let count = "update totals set memories = memories + $2, embedded = embedded + $2, \
             passages = passages + $2 where store = $1";
        client.execute(count, &[&store, &many]).await.expect("counted");
        client.batch_execute("analyze").await.expect("analyzed");
    });
}

fn state_number(state: State) -> i16 {
    let at = State::ALL.iter().position(|it| *it == state);
    at.and_then(|it| it.try_into().ok()).expect("a state")
}

/// The nearest memories to a question, each with its cosine.
fn nearest(index: &PgIndex<'_>, question: usize, state: State) -> Vec<(String, f64)> {
    let query = Query::new(&format!("zzz {question}"), &[]);
    let narrow = Narrow { words: Vec::new(), states: vec![state] };
    let looked = index.look(&Ask { query: &query, narrow: &narrow, semantic: true, top: NEAR });
    let candidates = looked.expect("a look").candidates;
    let mut found: Vec<(String, f64)> = candidates
        .into_iter()
        .filter_map(|it| Some((it.card.id, f64::from(it.features.dense?))))
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.truncate(NEAR);
    found
}

fn with_index<T>(
    bed: &Bed,
    database: &Database,
    caller: Caller,
    run: impl FnOnce(&PgIndex<'_>) -> T,
) -> T {
    let store = caller.stores.first().copied().expect("a store");
    let access = Access::new(database, caller);
    run(&PgIndex { embedder: Some(&Topics), ..bed.index(&access, store) })
}

/// R406: the nearest memories are wanted, and one has more of the nearest passages than are asked for at first.
fn many_passages(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = bed.new_store();
    let access = Access::new(&bed.database, bed.caller(&[store]));
    for id in ["long", "short"] {
        let (file, event) = creation(memory(id, id, "about 0"));
        let plan = Plan::one(file, event);
        drop(bed.vault(&access, store).write(&mut || Ok(plan.clone())).expect("written").settle());
    }
    bed.worker(Some(&Topics)).run_all().expect("the worker runs");
    let more = "insert into passage (tenant, store, no, nth, state, scale, v) \
         select p.tenant, p.store, p.no, n, p.state, p.scale, p.v from passage p \
         join memory m on m.no = p.no and m.id = 'long', generate_series(1, 400) n";
    let farther = "update passage p set scale = p.scale * 0.9 from memory m where m.no = p.no and m.id = 'short'";
    let count = "update totals set passages = passages + 400";
    bed.as_owner(async |client| {
        for statement in [more, farther, count] {
            assert!(client.execute(statement, &[]).await.expect("changed") > 0);
        }
    });
    with_index(&bed, &bed.database, bed.caller(&[store]), |index| {
        let found = nearest(index, 0, State::Stable);
        let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["long", "short"]);
    });
}

async fn keep(owner: &mut Client) -> Upkeep {
    match keep_indexes(owner, &policy()).await.expect("kept") {
        Round::Done(upkeep) => upkeep,
        Round::Busy => panic!("nobody else is at it"),
    }
}

#[expect(clippy::print_stdout, reason = "the numbers of a run are worth reading")]
fn same_ranking(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = bed.new_store();
    fill(&bed, store);
    let promoted = bed.another().with_near(policy());
    let upkeep = promoted.indexes().expect("readable");
    assert_eq!(upkeep.make, [bed.tenant], "the server tells that one is missing");
    assert_eq!(bed.as_owner(keep).make, [bed.tenant]);
    assert_eq!(promoted.indexes().expect("readable").kept, [bed.tenant]);
    let caller = || bed.caller(&[store]);
    let (mut same, mut all) = (0, 0);
    for question in 0..QUESTIONS {
        let exact =
            with_index(&bed, &bed.database, caller(), |it| nearest(it, question, State::Stable));
        let chosen =
            with_index(&bed, &promoted, caller(), |it| nearest(it, question, State::Stable));
        assert_eq!(exact.len(), NEAR, "{question}");
        all += exact.len();
        // What both found has the same cosine, to the bit.
        same += chosen.iter().filter(|it| exact.contains(it)).count();
    }
    println!("{same} of the {all} nearest were found");
    assert!(same as f64 >= RECALL_MIN * all as f64, "{same} of {all}");
    // A filter that lets little pass: the index alone would find almost none of them.
    let rare =
        |database| with_index(&bed, database, caller(), |it| nearest(it, 3, State::Candidate));
    let (exact, chosen) = (rare(&bed.database), rare(&promoted));
    assert_eq!((exact.len(), &chosen), (NEAR, &exact));
    others_see_nothing(&bed, &promoted, store);
    drop(promoted);
    // A connection that ends tells what it has read.
    let read = "select idx_scan from pg_stat_user_indexes where indexrelname like 'passage_near_%'";
    bed.as_owner(async |client| {
        for _ in 0..1_000 {
            if client.query_one(read, &[]).await.expect("readable").get::<_, i64>(0) > 0 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        panic!("the index was never asked");
    });
}

/// Row security holds behind the index.
fn others_see_nothing(bed: &Bed, promoted: &Database, store: i32) {
    let stranger = bed.create_tenant("stranger");
    let foreign = Caller { tenant: stranger, stores: vec![store], principal: None };
    assert!(with_index(bed, promoted, foreign, |it| nearest(it, 0, State::Stable)).is_empty());
    let blind = Caller { tenant: bed.tenant, stores: vec![store + 1], principal: None };
    assert!(with_index(bed, promoted, blind, |it| nearest(it, 0, State::Stable)).is_empty());
    bed.as_server(async |client| {
        let transaction = client.transaction().await.expect("begins");
        let context = "select set_config('oldhand.tenant', $1, true), set_config('oldhand.stores', $2, true), \
             set_config('enable_sort', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true)";
        let (tenant, stores) = (stranger.to_string(), format!("{{{store}}}"));
        transaction.query_one(context, &[&tenant, &stores]).await.expect("set");
        let half = HalfVector::from_f32_slice(&about(0, 0).bytes.map(f32::from));
        let asked = "select no from passage where tenant = $1 order by v <=> $2 limit 200";
        let seen = transaction.query(asked, &[&bed.tenant, &half]).await.expect("readable");
        assert!(seen.is_empty(), "{} passages of another tenant", seen.len());
    });
}

fn broken_build(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = bed.new_store();
    fill(&bed, store);
    let database = bed.database.with_near(policy());
    let is_valid = || -> Vec<bool> {
        bed.as_owner(async |client| {
            let asked = "select indisvalid from pg_index where indexrelid::regclass::text like 'passage_near_%'";
            let rows = client.query(asked, &[]).await.expect("readable");
            rows.iter().map(|row| row.get(0)).collect()
        })
    };
    bed.as_owner(async |holder| {
        // Whoever makes an index waits for writes that began before.
        let writing = holder.transaction().await.expect("begins");
        // A test that fails lets go.
        let hold = "set local idle_in_transaction_session_timeout = '60s'; \
             lock table passage in row exclusive mode";
        writing.batch_execute(hold).await.expect("held");
        std::thread::scope(|scope| {
            let making = scope.spawn(|| bed.as_owner(async |it| keep_indexes(it, &policy()).await));
            let (bed, is_valid) = (&bed, &is_valid);
            let ended = scope.spawn(move || {
                while is_valid().is_empty() {
                    std::thread::yield_now();
                }
                let second = bed.as_owner(async |it| keep_indexes(it, &policy()).await);
                assert_eq!(second.expect("asked"), Round::Busy);
                let end = "select pg_terminate_backend(pid) from pg_stat_activity \
                     where query like 'create index concurrently%' and pid <> pg_backend_pid()";
                bed.as_owner(async |it| it.batch_execute(end).await.expect("terminated"));
            });
            ended.join().expect("ended");
            assert!(making.join().expect("no panic").is_err(), "the maker was terminated");
        });
    });
    assert_eq!(is_valid(), [false], "what broke off is there");
    assert_eq!(database.indexes().expect("readable").make, [bed.tenant]);
    let made = bed.as_owner(keep);
    assert_eq!((made.drop, made.make), (vec![bed.tenant], vec![bed.tenant]));
    assert_eq!(is_valid(), [true]);
    assert_eq!(bed.as_owner(keep), Upkeep { kept: vec![bed.tenant], ..Upkeep::default() });
    let shrunk = "update totals set passages = 500";
    bed.as_owner(async |client| client.batch_execute(shrunk).await.expect("shrunk"));
    assert_eq!(bed.as_owner(keep).drop, [bed.tenant]);
    assert!(is_valid().is_empty());
    assert_eq!(written_after(&bed, store), 1);
}

/// The table takes writes whatever became of its indexes.
fn written_after(bed: &Bed, store: i32) -> usize {
    let access = Access::new(&bed.database, bed.caller(&[store]));
    let (file, _): (FileWrite, _) = creation(memory("late", "Late", "nothing"));
    let event = Event::new(EventType::Created, "late", Timestamp::UNIX_EPOCH);
    let plan = Plan::one(file, event);
    drop(bed.vault(&access, store).write(&mut || Ok(plan.clone())).expect("written").settle());
    bed.worker(Some(&Topics)).run_all().expect("the worker runs")
}
