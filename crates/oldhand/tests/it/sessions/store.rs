//! The session store itself: the contract that both implementations pass, what a power cut may leave
//! of it on a simulated disk, and disks that fail at their n-th operation.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use oldhand_app::sessions::{NotesError, Sessions};
use oldhand_sessions::notes::{NoteKind, What};
use oldhand_store::disk::{Disk, RealDisk};
use oldhand_store::failure::StoreError;
use oldhand_store::memory::MemorySessions;
use oldhand_store::port::session::{Log, SessionStore, StoreRecord, TaskRecord};
use oldhand_store::port::session_state::{Said, SessionState};
use oldhand_store::session::FileSessions;
use oldhand_testkit::fault::{Counted, Fault, FaultDisk, FaultPlan, Mode};
use oldhand_testkit::session_contract::check_all;
use oldhand_testkit::simdisk::SimDisk;

#[test]
fn in_memory_it_keeps_its_contract() {
    check_all(&|check| check(&MemorySessions::default()));
}

#[test]
fn in_files_it_keeps_its_contract() {
    check_all(&|check| {
        let home = tempfile::tempdir().unwrap();
        check(&FileSessions::new(&RealDisk, home.path().join("state/oldhand/key")));
    });
}

#[test]
fn on_a_simulated_disk_it_keeps_its_contract() {
    check_all(&|check| {
        let disk = SimDisk::new();
        check(&FileSessions::new(&disk, PathBuf::from("/state/oldhand/key")));
    });
}

fn now() -> Timestamp {
    "2026-11-15T12:00:00Z".parse().unwrap()
}

fn note(text: &str) -> What {
    let text = text.to_owned();
    What::Note { kind: NoteKind::Remaining, text, outcome: String::new() }
}

fn add(store: &dyn SessionStore, news: Vec<What>) -> Result<(), StoreError> {
    store.update_notes("s", now(), |_| Ok(news)).map_err(|error| match error {
        NotesError::Other(error) => error,
        NotesError::Full => StoreError::at_work("full".as_ref()),
    })
}

fn task(name: &str) -> TaskRecord {
    let (at, head) = ("2026-11-15T12:00:00Z".to_owned(), Some("c".repeat(40)));
    TaskRecord { task: name.to_owned(), head, at, is_under_way: true }
}

fn ids(from: usize) -> Vec<String> {
    (from..from + 40).map(|number| format!("a-memory-with-a-long-name-{number}")).collect()
}

type Step = fn(&dyn SessionStore) -> Result<(), StoreError>;

/// What a day of a session writes.
const DAY: &[Step] = &[
    |store| add(store, vec![note("the first")]),
    |store| store.update("s", |state| state.see(now())),
    |store| store.update_record(|record| record.start_task(Some("s"), task("T-1"))),
    |store| add(store, vec![note("the second"), note("the third")]),
    |store| store.give("s", &ids(0)),
    |store| store.update_record(|record| record.serve("T-1", &ids(0), now())),
    |store| store.append(Log::Receipts, "{\"at\":\"1\",\"served\":[]}"),
    |store| store.append(Log::Hooks, "{\"at\":\"1\",\"note\":\"one\"}"),
    |store| store.keep_prompt("s", &Said::of("please add refunds", true).unwrap()),
    |store| store.update("s", |state| state.served.ask("path:src/pay.rs")),
    |store| store.replace_summary("s", &"## Goal\nrefunds\n".repeat(20)),
    |store| store.update_record(|record| record.swept_at = "2026-11-15T12:00:00Z".to_owned()),
    |store| add(store, vec![What::reviewed_all()]),
    |store| add(store, vec![note("the fourth")]),
    |store| store.replace_summary("s", "## Goal\nanother\n"),
    |store| store.append(Log::Hooks, "{\"at\":\"2\",\"note\":\"two\"}"),
    |store| store.update_record(|record| record.end_task("T-1")),
    |store| store.update("s", |state| state.settlement.is_over = true),
];

/// What is durable once it is acknowledged.
#[derive(Debug, Clone, PartialEq)]
struct Durable {
    notes: Vec<String>,
    summary: Option<String>,
    record: StoreRecord,
}

fn durable(store: &dyn SessionStore) -> Durable {
    let notes = store.notes("s").unwrap();
    Durable {
        notes: notes.items.into_iter().map(|item| item.text).collect(),
        summary: store.summary("s"),
        record: store.record().unwrap(),
    }
}

/// The lines of one append reach the disk one by one: those of a write that was not acknowledged may
/// be there in part.
fn is_between(found: &Durable, before: &Durable, after: &Durable) -> bool {
    let is_part = before.notes.len() <= found.notes.len() && after.notes.starts_with(&found.notes);
    let rest = |it: &Durable| Durable { notes: Vec::new(), ..it.clone() };
    found == before
        || found == after
        || is_part && (rest(found) == rest(before) || rest(found) == rest(after))
}

struct Moment {
    operations: usize,
    durable: Durable,
    state: Option<SessionState>,
}

fn folder() -> PathBuf {
    PathBuf::from("/state/oldhand/key")
}

fn moment(disk: &SimDisk, store: &dyn SessionStore) -> Moment {
    Moment { operations: disk.operations(), durable: durable(store), state: store.load("s".into()) }
}

const SEEDS: u64 = 400;

#[test]
fn a_power_cut_takes_nothing_that_was_acknowledged() {
    let disk = SimDisk::new();
    let store = FileSessions::new(&disk, folder());
    let mut moments = vec![moment(&disk, &store)];
    for step in DAY {
        step(&store).unwrap();
        moments.push(moment(&disk, &store));
    }
    let mut states = 0_u64;
    for operation in 0..=disk.operations() {
        let next = moments.iter().position(|moment| moment.operations > operation);
        let before = next.map_or(moments.len() - 1, |next| next - 1);
        let known = &moments[..=next.unwrap_or(before)];
        let crashed = (0..SEEDS).map(|seed| disk.after_crash(operation, seed));
        let all = crashed
            .chain([disk.after_crash_dropping_all(operation)])
            .chain([disk.after_crash_keeping_all(operation)]);
        for (number, crashed) in all.enumerate() {
            let when = format!("operation {operation}, state {number}");
            check_crashed(&crashed, &moments[before], known, &when);
            states += 1;
        }
    }
    println!("{states} states");
    assert!(states >= 20_000, "only {states} states");
}

fn check_crashed(disk: &SimDisk, before: &Moment, known: &[Moment], when: &str) {
    let store = FileSessions::new(disk, folder());
    let (found, after) = (durable(&store), &known[known.len() - 1].durable);
    assert!(is_between(&found, &before.durable, after), "{when}: {found:#?}");
    // The state is not synced: one that was there, or none.
    let state = store.load("s".into());
    let is_known = state.is_none() || known.iter().any(|moment| moment.state == state);
    assert!(is_known, "{when}: {state:?}");
    let lines: BTreeSet<String> = store
        .hook_lines()
        .into_iter()
        .chain(store.receipts(None, usize::MAX))
        .map(|line| line["at"].as_str().unwrap().to_owned())
        .collect();
    assert!(lines.iter().all(|at| at == "1" || at == "2"), "{when}: {lines:?}");
    // A state that is damaged is put aside once; then everything can be written again.
    let tried = store.update("s", |state| state.see(now()));
    let is_aside = |path: &Path| path.to_string_lossy().contains(".damaged-");
    let aside = disk.files().keys().filter(|path| is_aside(path)).count();
    assert_eq!(aside, usize::from(tried.is_err()), "{when}");
    store.update("s", |state| state.see(now())).unwrap();
    add(&store, vec![note("the last")]).unwrap();
    let notes = store.notes("s").unwrap();
    assert_eq!(notes.items.last().unwrap().text, "the last", "{when}");
}

/// The n-th operation of each step fails: it is an error and nothing has changed, or it is done.
#[test]
fn a_disk_that_fails_loses_nothing() {
    let mut failures = 0;
    for (number, step) in DAY.iter().enumerate() {
        for fault in [Fault::Eio, Fault::Enospc, Fault::ShortWrite] {
            for nth in 1.. {
                let home =
                    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
                let folder = home.path().join("key");
                let plan = FaultPlan { nth, fault, mode: Mode::Once, counted: Counted::Every };
                let disk = FaultDisk::new(RealDisk, plan);
                let (whole, failing) = (
                    FileSessions::new(&RealDisk as &dyn Disk, folder.clone()),
                    FileSessions::new(&disk as &dyn Disk, folder.clone()),
                );
                DAY[..number].iter().for_each(|step| step(&whole).unwrap());
                let (before, state) = (durable(&whole), whole.load("s".into()));
                let done = step(&failing);
                if !disk.fired() {
                    done.unwrap();
                    break;
                }
                let when = format!("step {number}, {fault:?} at operation {nth}");
                let found = (durable(&whole), whole.load("s".into()));
                if done.is_err() {
                    step(&whole).unwrap_or_else(|error| panic!("{when}: again: {error}"));
                    // What was replaced before the failure is there as a whole.
                    let again = (durable(&whole), whole.load("s".into()));
                    assert!(found == (before, state) || found == again, "{when}: {found:#?}");
                    failures += 1;
                }
                DAY[number + 1..].iter().for_each(|step| step(&whole).unwrap());
                let last = whole.notes("s").unwrap();
                assert_eq!(last.items.last().unwrap().text, "the fourth", "{when}");
            }
        }
    }
    println!("{failures} failures");
    assert!(failures >= 200, "only {failures} failures");
}
