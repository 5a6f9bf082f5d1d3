//! A disk that is full, and connections that are used up: whoever writes is refused in clear words, whoever reads goes
//! on, nothing that was acknowledged is lost or there twice, and when there is room again nobody has to do anything
//! (R483 R484).

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use oldhand_pg::access::Access;
use oldhand_store::failure::{Failure, StoreError};
use oldhand_store::port::Vault;
use oldhand_testkit::contract::creation;
use oldhand_testkit::postgres::Programs;
use oldhand_testkit::small_disk::SmallDisk;

use crate::Test;
use crate::bed::Bed;
use crate::trouble::{create, seqs};

pub(crate) const ON_A_SMALL_DISK: &[Test] = &[
    ("room::a_full_disk_refuses_writes_and_answers_questions", full_disk),
    ("room::a_log_without_room_loses_nothing", full_log),
];

pub(crate) const TESTS: &[Test] =
    &[("room::callers_wait_for_connections_and_are_refused_in_time", no_connection)];

const DISK_MB: u32 = 220;
const WRITERS: usize = 8;
/// Each of them tries so often: pages and segments that are there already still take a part.
const TRIES: usize = 150;
/// Of those who only have to wait.
const WAITS: usize = 25;

fn io_of(failure: Failure) -> StoreError {
    match failure {
        Failure::Store(error) => error,
        other => panic!("no trouble of the database: {other}"),
    }
}

/// Many at once, each until it has tried often enough; what was acknowledged, and what was said of the rest.
fn write_all(
    bed: &Bed,
    store: i32,
    (round, tries): (&str, usize),
) -> (BTreeSet<String>, Vec<(String, StoreError)>) {
    let all = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                scope.spawn(move || {
                    let access = Access::new(&bed.database, bed.caller(&[store]));
                    let vault = bed.vault(&access, store);
                    let title = |number| format!("{round} w{writer} n{number}");
                    (0..tries)
                        .map(|number| (title(number), create(&vault, &title(number))))
                        .collect()
                })
            })
            .collect();
        let joined = writers.into_iter().map(|it| it.join().expect("no panic"));
        joined.collect::<Vec<Vec<(String, Result<(), Failure>)>>>()
    });
    let (mut done, mut refused) = (BTreeSet::new(), Vec::new());
    for (title, result) in all.into_iter().flatten() {
        match result {
            Ok(()) => drop(done.insert(creation(&title).0.id.to_string())),
            Err(failure) => refused.push((creation(&title).0.id.to_string(), io_of(failure))),
        }
    }
    (done, refused)
}

/// Everything that was acknowledged is there once, with its event, and what was refused is not.
fn check(bed: &Bed, store: i32, done: &BTreeSet<String>, refused: &[(String, StoreError)]) {
    let access = Access::new(&bed.database, bed.caller(&[store]));
    let ids = bed.vault(&access, store).ids().expect("readable");
    let there: BTreeSet<String> = ids.iter().cloned().collect();
    assert_eq!(there.len(), ids.len(), "nothing is there twice");
    let lost: Vec<&String> = done.difference(&there).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    for (id, error) in refused {
        let is_open = error.to_string().contains("it is not known");
        assert!(is_open || !there.contains(id), "refused and there: {id}: {error}");
    }
    let whole: Vec<i64> = (1..).take(ids.len()).collect();
    assert_eq!(seqs(bed, store), whole, "one event each, without a gap");
}

#[expect(clippy::print_stdout, reason = "the numbers of a run are worth reading")]
fn full_disk(programs: &Programs) {
    let disk = SmallDisk::new(DISK_MB).expect("a disk");
    let bed = Bed::on_small_disk(programs, &disk);
    let store = bed.new_store();
    let access = Access::new(&bed.database, bed.caller(&[store]));
    let vault = bed.vault(&access, store);
    create(&vault, "Before").expect("there is room");
    disk.fill();
    let (done, refused) = write_all(&bed, store, ("full", TRIES));
    assert!(!refused.is_empty(), "the disk was never full");
    let full = |error: &StoreError| error.source.kind() == io::ErrorKind::StorageFull;
    let told = refused.iter().filter(|(_, error)| full(error)).count();
    assert!(told > 0, "{:?}", refused[0].1);
    let (_, error) = refused.iter().find(|(_, error)| full(error)).expect("one of them");
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert!(error.hint().to_string().contains("free some space"), "{}", error.hint());
    // Reading needs no room.
    assert!(vault.find(&creation("Before").0.id).expect("readable").is_some());
    assert_eq!(vault.ids().expect("readable").len(), done.len() + 1);
    disk.make_room();
    create(&vault, "After").expect("there is room again, and nobody did anything");
    let more = ["Before", "After"].map(|it| creation(it).0.id.to_string());
    let all: BTreeSet<String> = done.iter().cloned().chain(more).collect();
    check(&bed, store, &all, &refused);
    println!("{} acknowledged, {} refused, {told} of them for the disk", all.len(), refused.len());
}

/// Without room for its log PostgreSQL stops, whoever asks: it comes back by itself, or is started, when there is some.
#[expect(clippy::print_stdout, reason = "the numbers of a run are worth reading")]
fn full_log(programs: &Programs) {
    let disk = SmallDisk::new(DISK_MB).expect("a disk");
    let mut bed = Bed::on_small_disk(programs, &disk);
    let store = bed.new_store();
    let access = Access::new(&bed.database, bed.caller(&[store]));
    create(&bed.vault(&access, store), "Before").expect("there is room");
    drop(access);
    disk.fill();
    // The segments that are there already are used up.
    bed.as_owner(async |client| {
        for _ in 0..8 {
            let next = "select pg_switch_wal(); create temp table if not exists it (a int); \
                 select txid_current()";
            if client.batch_execute(next).await.is_err() {
                return;
            }
        }
    });
    let (mut done, refused) = write_all(&bed, store, ("log", TRIES));
    assert!(!refused.is_empty(), "there was always room for the log");
    disk.make_room();
    if !bed.server.is_running() {
        bed.server.restart().expect("it starts when there is room");
    }
    let until = Instant::now() + Duration::from_secs(60);
    let access = Access::new(&bed.database, bed.caller(&[store]));
    while let Err(error) = create(&bed.vault(&access, store), "After") {
        assert!(Instant::now() < until, "it never came back: {error}");
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(access);
    done.extend(["Before", "After"].map(|it| creation(it).0.id.to_string()));
    check(&bed, store, &done, &refused);
    println!("{} acknowledged, {} refused", done.len(), refused.len());
}

/// Connections that others hold, one of which lets go or none of which does.
fn no_connection(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = bed.new_store();
    bed.as_owner(async |client| {
        client.batch_execute("alter role oldhand_server connection limit 2").await.expect("set");
    });
    // A pool that may have more than the database gives, and far more callers: all of them come through.
    let (done, refused) = write_all(&bed, store, ("wait", WAITS));
    assert!(refused.is_empty(), "{:?}", refused[0]);
    check(&bed, store, &done, &refused);
    // Somebody takes all that the database has, and does not let go.
    bed.as_owner(async |client| {
        client.batch_execute("alter role oldhand_server connection limit -1").await.expect("set");
    });
    let held = bed.take_all_connections();
    let apart = bed.another();
    let access = Access::new(&apart, bed.caller(&[store]));
    let vault = bed.vault(&access, store);
    let error = io_of(create(&vault, "Never").expect_err("there is no connection"));
    assert_eq!(error.source.kind(), io::ErrorKind::ResourceBusy, "{error}");
    assert!(error.hint().to_string().contains("try again in a moment"), "{}", error.hint());
    // Those that are open go on.
    let open = Access::new(&bed.database, bed.caller(&[store]));
    assert_eq!(bed.vault(&open, store).ids().expect("readable").len(), done.len());
    drop(held);
    create(&vault, "Again").expect("there is one again");
}
