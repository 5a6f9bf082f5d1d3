//! Recall over PostgreSQL finds what recall over files finds, with the same measures to the bit (R406), and whoever
//! writes finds it at once (R407). Workers may die, and index nothing twice and nothing old (R408).

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use jiff::Timestamp;
use oldhand_core::codec::markdown;
use oldhand_core::event::{Event, EventType};
use oldhand_core::kind::{Kind, KindSpec, Kinds};
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::recall::query::Query;
use oldhand_core::recall::rank::Candidate;
use oldhand_core::state::State;
use oldhand_index::{DotRows, Vector};
use oldhand_minilm::MiniLm;
use oldhand_pg::access::Access;
use oldhand_pg::index::PgIndex;
use oldhand_pg::worker::{Rules, Worker};
use oldhand_store::disk::RealDisk;
use oldhand_store::index::{CheckPolicy, Embedder, FillPolicy, IndexOpening, LocalIndex, Opened};
use oldhand_store::layout::Layout;
use oldhand_store::port::index::{Ask, Index, Narrow, Semantic};
use oldhand_store::port::{FileWrite, Plan, Vault};
use oldhand_store::vault::{LocalVault, Opening, init};
use oldhand_testkit::postgres::Programs;

use crate::Test;
use crate::bed::Bed;

pub(crate) const TESTS: &[Test] = &[
    ("recall::the_coding_set_gives_the_measures_of_the_local_index", coding_set),
    ("recall::a_write_is_found_by_words_and_meaning_before_the_worker", own_writes),
    ("recall::workers_share_jobs_and_a_dead_one_leaves_them", workers),
    ("recall::the_worker_reads_by_what_the_store_declares", declared),
];

/// Each text is embedded once.
pub(crate) struct Model {
    model: MiniLm,
    known: Mutex<HashMap<String, Vector>>,
}

impl Model {
    pub(crate) fn open() -> Self {
        Self { model: MiniLm::open().expect("the model is whole"), known: Mutex::default() }
    }
}

impl Embedder for Model {
    fn tag(&self) -> &str {
        MiniLm::tag()
    }

    fn embed(&self, text: &str) -> Vector {
        let mut known = self.known.lock().expect("nobody panicked");
        *known.entry(text.to_owned()).or_insert_with(|| {
            let vector = self.model.embed(text);
            Vector { scale: vector.scale, bytes: vector.bytes }
        })
    }

    fn cost(&self, text: &str) -> Duration {
        self.model.cost(text)
    }

    fn dot_rows(&self) -> DotRows {
        oldhand_minilm::dot_rows
    }
}

fn lines(name: &str) -> Vec<serde_json::Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals/coding");
    let text = std::fs::read_to_string(folder.join(name)).expect("the set is there");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

pub(crate) fn memory(id: &str, title: &str, text: &str) -> Memory {
    let id = MemoryId::parse(id).expect("an id");
    let mut memory = Memory::new(id, Kind::Reference, title);
    memory.sections = vec![("Notes".to_owned(), text.to_owned())];
    memory.state = State::Stable;
    memory
}

pub(crate) fn creation(memory: Memory) -> (FileWrite, Event) {
    let kinds = Kinds::default();
    let path = format!("{}/{}.md", kinds.spec(&memory.kind).folder, memory.id);
    let mut event = Event::new(EventType::Created, memory.id.as_str(), Timestamp::UNIX_EPOCH);
    event.path.clone_from(&path);
    event.to = Some(memory.state);
    let after = Some(markdown::render(&memory, &kinds));
    let file = FileWrite { path, id: memory.id.clone(), before: None, after, memory: Some(memory) };
    (file, event)
}

fn write(vault: &dyn Vault, plan: &Plan) {
    drop(vault.write(&mut || Ok(plan.clone())).expect("written").settle());
}

/// The coding set as one write.
fn coding() -> Plan {
    let mut plan = Plan::default();
    for line in lines("docs.jsonl") {
        let text = |key: &str| line[key].as_str().expect("a text").to_owned();
        let (file, event) = creation(memory(&text("id"), &text("title"), &text("text")));
        plan.add(file, event);
    }
    plan
}

/// What a question found, by path.
fn found(index: &dyn Index, text: &str) -> Vec<Candidate> {
    let (query, narrow) = (Query::new(text, &[]), Narrow::default());
    let looked = index.look(&Ask { query: &query, narrow: &narrow, semantic: true, top: 20 });
    let looked = looked.expect("a look");
    assert_eq!(looked.semantic, Semantic::Whole, "{text}");
    let mut candidates = looked.candidates;
    candidates.sort_by(|a, b| a.path.cmp(&b.path));
    candidates
}

fn with_meaning<'a>(
    bed: &'a Bed,
    access: &'a Access<'a>,
    store: i32,
    model: &'a Model,
) -> PgIndex<'a> {
    PgIndex { embedder: Some(model), fill_max: 200, ..bed.index(access, store) }
}

fn coding_set(programs: &Programs) {
    let (bed, model, plan) = (Bed::new(programs), Model::open(), coding());
    let folder = tempfile::tempdir().expect("a folder");
    let layout =
        Layout { root: folder.path().join(".oldhand"), repository: folder.path().to_owned() };
    init(&RealDisk, &layout, &bed.kinds, "", false).expect("a new store");
    let local = LocalVault::open(Opening {
        disk: &RealDisk,
        layout,
        kinds: &bed.kinds,
        entropy: &bed.entropy,
        now: Timestamp::UNIX_EPOCH,
        lock_wait: Duration::from_secs(5),
        index: Some(folder.path().join("cache")),
        commits_index: false,
    })
    .expect("a store that opens");
    write(&local, &plan);
    let cache = Some(folder.path().join("cache"));
    let local_index = LocalIndex::open(IndexOpening {
        vaults: vec![Opened { vault: &local, cache, is_own: false, from: None, is_doubted: false }],
        embedder: Some(&model),
        why_no_meaning: String::new(),
        fill: FillPolicy::NONE,
        build_max: usize::MAX,
        trust: &bed.trust,
        check: CheckPolicy { hours: 24, entries: 5, window: CheckPolicy::WINDOW },
        warm: None,
    })
    .expect("an index that opens");
    local_index.fill_all(true, &mut |_, _| true).expect("vectors");
    bed.with_vault(|vault| {
        write(vault, &plan);
        let compare = |every: usize| {
            let index = with_meaning(&bed, vault.access, vault.store, &model);
            for line in lines("queries.jsonl").iter().step_by(every) {
                let text = line["text"].as_str().expect("a text");
                let (one, other) = (found(&local_index, text), found(&index, text));
                assert!(!one.is_empty(), "{text}");
                assert_eq!(other.len(), one.len(), "{text}");
                for (one, other) in one.iter().zip(&other) {
                    assert_eq!((&other.path, &other.card), (&one.path, &one.card), "{text}");
                    assert_eq!(other.features, one.features, "{text}: {}", one.path);
                    assert_eq!(other.matched, one.matched, "{text}: {}", one.path);
                }
            }
        };
        // All 120 texts are read for each of these.
        compare(16);
        bed.worker(Some(&model)).run_all().expect("the worker runs");
        let rest: i64 = bed.as_owner(async |client| {
            let waiting = "select count(*) from memory where indexed < revision";
            client.query_one(waiting, &[]).await.expect("readable").get(0)
        });
        assert_eq!(rest, 0, "the worker left something");
        compare(1);
    });
}

fn own_writes(programs: &Programs) {
    let (bed, model) = (Bed::new(programs), Model::open());
    bed.with_vault(|vault| {
        let index = with_meaning(&bed, vault.access, vault.store, &model);
        let ids = |text: &str| -> Vec<String> {
            found(&index, text).into_iter().map(|one| one.card.id).collect()
        };
        let (file, event) =
            creation(memory("cents", "Amounts are cents", "Prices are stored as integers."));
        write(vault, &Plan::one(file.clone(), event));
        assert_eq!(ids("prices"), ["cents"]);
        let near = found(&index, "which type has a sum of money in the table");
        assert!(near[0].features.dense.is_some_and(|cosine| cosine > 0.2), "{near:?}");
        bed.worker(Some(&model)).run_all().expect("the worker runs");
        // What the worker knows is replaced by what was written since.
        let after = file.after.clone().expect("a text").replace("Prices are", "Fees are");
        let event = Event::new(EventType::Updated, "cents", Timestamp::UNIX_EPOCH);
        let change = FileWrite { before: file.hash(), after: Some(after), ..file.clone() };
        write(vault, &Plan::one(change.clone(), event));
        assert_eq!((ids("fees"), ids("unrelated")), (vec!["cents".to_owned()], ids("unrelated")));
        let by_words = |text: &str| {
            let (query, narrow) = (Query::new(text, &[]), Narrow::default());
            let ask = Ask { query: &query, narrow: &narrow, semantic: false, top: 9 };
            index.look(&ask).expect("a look").candidates.len()
        };
        assert_eq!((by_words("fees"), by_words("prices")), (1, 0));
        bed.worker(Some(&model)).run_all().expect("the worker runs");
        let waiting = "select count(*) from memory where indexed < revision";
        let count = bed.as_owner(async |client| client.query_one(waiting, &[]).await);
        assert_eq!(count.expect("readable").get::<_, i64>(0), 0, "a change is indexed too");
        assert_eq!((by_words("fees"), by_words("prices")), (1, 0));
        let removal = FileWrite::removal(&file.path, &file.id, change.hash().expect("a text"));
        let event = Event::new(EventType::Collected, "cents", Timestamp::UNIX_EPOCH);
        write(vault, &Plan::one(removal, event));
        assert_eq!(by_words("fees"), 0);
        let left: i64 = bed.as_owner(async |client| {
            let rows = "select (select count(*) from word) + (select count(*) from passage) \
                 + (select coalesce(sum(memories + embedded), 0) from totals) + (select count(*) from job)";
            client.query_one(rows, &[]).await.expect("readable").get(0)
        });
        assert_eq!(left, 0, "the index keeps nothing of what is gone");
    });
}

/// R487.
fn declared(programs: &Programs) {
    let bed = Bed::new(programs);
    bed.with_vault(|vault| {
        let configure =
            "update store set settings = jsonb_build_object('config', 'the rune store')";
        bed.as_owner(async |client| client.batch_execute(configure).await.expect("set"));
        let mut declared = KindSpec::custom("rune", "runes");
        declared.durable = false;
        let rules = |config: &str| {
            let mut rules = Rules::default();
            if config == "the rune store" {
                rules.kinds.declare(declared.clone());
            }
            rules
        };
        let rune =
            Memory { kind: Kind::Custom("rune".to_owned()), ..memory("fehu", "Fehu", "cattle") };
        let (mut file, event) = creation(rune);
        file.path = "runes/fehu.md".to_owned();
        write(vault, &Plan::one(file, event));
        let kinds = rules("the rune store").kinds;
        let index = PgIndex { kinds: &kinds, ..bed.index(vault.access, vault.store) };
        let all = |index: &PgIndex<'_>| index.cards(&Narrow::default()).expect("listed");
        let before = all(&index);
        let worker = Worker { rules: &rules, ..bed.worker(None) };
        assert_eq!(worker.run_all().expect("the worker runs"), 1);
        let after = all(&index);
        assert_eq!((before.len(), &after[0].card), (1, &before[0].card));
    });
}

fn workers(programs: &Programs) {
    let bed = Bed::new(programs);
    bed.with_vault(|vault| {
        write(vault, &coding());
        let take = "update job set not_before = now() + interval '1 hour', tries = 1 \
             where no in (select no from job order by no limit 5)";
        let count = |what: &'static str| -> i64 {
            bed.as_owner(async |client| client.query_one(what, &[]).await.expect("readable").get(0))
        };
        // Five were taken by a worker that died: nobody else does them before their time.
        bed.as_owner(async |client| client.batch_execute(take).await.expect("taken"));
        let done: usize = std::thread::scope(|scope| {
            let run = || bed.worker(None).run_all().expect("a worker runs");
            let workers: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
            workers.into_iter().map(|worker| worker.join().expect("no panic")).sum()
        });
        assert_eq!((done, count("select count(*) from job")), (115, 5));
        let due = "update job set not_before = now()";
        bed.as_owner(async |client| client.batch_execute(due).await.expect("due again"));
        assert_eq!(bed.worker(None).run_all().expect("a worker runs"), 5);
        assert_eq!(count("select memories::bigint from totals"), 120);
        let doubled =
            "select count(*) from (select term, no from word group by 1, 2 having count(*) > 1) it";
        assert_eq!(count(doubled), 0);
    });
}
