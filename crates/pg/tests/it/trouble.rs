//! Writers that meet each other, servers that are killed, answers that are lost: what was acknowledged is there, what
//! was refused is not, and nothing is there twice (R403 R404 R405).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

use oldhand_core::event::{Event, EventType};
use oldhand_pg::access::{Access, Attempt, Caller, SharedReading};
use oldhand_pg::answers::Known;
use oldhand_pg::database::Database;
use oldhand_store::failure::{Failure, StoreError, StoreErrorKind};
use oldhand_store::port::{FileWrite, Plan, Vault};
use oldhand_testkit::contract::creation;
use oldhand_testkit::postgres::{Durability, Programs};

use crate::Test;
use crate::bed::Bed;
use crate::proxy::{Cut, Proxy};

pub(crate) const TESTS: &[Test] = &[
    ("trouble::two_servers_and_sixteen_writers_make_one_order", one_order),
    ("trouble::a_killed_server_loses_nothing_that_it_acknowledged", killed_server),
    ("trouble::a_cut_connection_never_doubles_and_never_halves_a_write", cut_connections),
    ("trouble::the_write_of_a_rival_is_not_taken_for_ones_own", rivals),
    ("trouble::a_terminated_backend_leaves_nothing_behind", terminated_backend),
    ("trouble::a_request_with_a_key_is_carried_out_once", keys_count_once),
    ("trouble::an_answer_reads_one_moment_and_its_own_writes", one_moment),
];

const WRITERS: usize = 16;

pub(crate) fn create(vault: &dyn Vault, title: &str) -> Result<(), Failure> {
    let (file, event) = creation(title);
    let plan = Plan::one(file, event);
    vault.write(&mut || Ok(plan.clone())).map(|pending| drop(pending.settle()))
}

/// Adds a line to a memory, as somebody who read it inside of the lock.
fn append(vault: &dyn Vault, file: &FileWrite, line: &str) -> Result<(), Failure> {
    let written = vault.write(&mut || {
        let stored = vault.find(&file.id)?.expect("it is there");
        let after = format!("{}{line}\n", stored.text);
        let event = Event::new(EventType::Updated, file.id.as_str(), jiff::Timestamp::UNIX_EPOCH);
        let (before, after) = (Some(stored.hash), Some(after));
        Ok(Plan::one(FileWrite { before, after, ..file.clone() }, event))
    });
    written.map(|pending| drop(pending.settle()))
}

/// The numbers of all events of a store, in their order.
pub(crate) fn seqs(bed: &Bed, store: i32) -> Vec<i64> {
    bed.as_owner(async |client| {
        let asked = "select seq from event where tenant = $1 and store = $2 order by id";
        let rows = client.query(asked, &[&bed.tenant, &store]).await.expect("readable");
        rows.iter().map(|row| row.get(0)).collect()
    })
}

fn one_order(programs: &Programs) {
    const EACH: usize = 12;
    let bed = Bed::new(programs);
    let store = bed.new_store();
    let (shared, event) = creation("Shared");
    let access = Access::new(&bed.database, bed.caller(&[store]));
    let vault = bed.vault(&access, store);
    let plan = Plan::one(shared.clone(), event);
    drop(vault.write(&mut || Ok(plan.clone())).expect("written").settle());
    let other = bed.another();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (bed, shared, other) = (&bed, &shared, &other);
            scope.spawn(move || {
                let database = if writer % 2 == 0 { &bed.database } else { other };
                let access = Access::new(database, bed.caller(&[store]));
                let vault = bed.vault(&access, store);
                for number in 0..EACH {
                    create(&vault, &format!("w{writer} n{number}")).expect("created");
                    append(&vault, shared, &format!("line {writer} {number}")).expect("appended");
                }
            });
        }
    });
    let text = vault.find(&shared.id).expect("readable").expect("there").text;
    let lines: BTreeSet<&str> = text.lines().filter(|line| line.starts_with("line ")).collect();
    assert_eq!(lines.len(), WRITERS * EACH, "a line is lost");
    assert_eq!(vault.ids().expect("readable").len(), WRITERS * EACH + 1);
    let seqs = seqs(&bed, store);
    let whole: Vec<i64> = (1..).take(2 * WRITERS * EACH + 1).collect();
    assert_eq!(seqs, whole, "ids are in the order of numbers, which have no gap");
    assert!(vault.inspect().expect("readable").findings.is_empty());
}

/// R489.
fn one_moment(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = bed.new_store();
    let reading = SharedReading::new(&bed.database);
    let access = Access::new(&bed.database, bed.caller(&[store])).sharing(reading);
    let other = Access::new(&bed.database, bed.caller(&[store]));
    let revision =
        |access: &Access<'_>| access.store_facts(store).expect("readable").expect("there").revision;
    assert_eq!(revision(&access), 0);
    create(&bed.vault(&other, store), "One").expect("written");
    assert_eq!((revision(&access), revision(&other)), (0, 1));
    create(&bed.vault(&access, store), "Two").expect("written");
    assert_eq!((revision(&access), revision(&other)), (2, 2));
    drop((access, other));
    let (open, idle) = bed.database.connections();
    assert!(open > 0 && open == idle, "{idle} of {open} connections came back");
}

/// What became of the writes of one run, by title.
#[derive(Default)]
struct Outcomes {
    acknowledged: BTreeSet<String>,
    /// With the reason.
    refused: BTreeMap<String, String>,
    /// Errors that have nothing to do with a server that is down.
    broken: Vec<String>,
}

/// Of a server that is down, or of somebody who waited too long.
fn is_passing(error: &StoreError) -> bool {
    let passing = [std::io::ErrorKind::NotConnected, std::io::ErrorKind::ResourceBusy];
    error.kind == StoreErrorKind::Locked || passing.contains(&error.source.kind())
}

#[expect(clippy::print_stdout, reason = "the numbers of a run are worth reading")]
fn killed_server(programs: &Programs) {
    let (wanted, kills) = match std::env::var("OLDHAND_KILL").as_deref() {
        Ok("long") => (5_000, 30),
        _ => (500, 4),
    };
    let mut bed = Bed::with(programs, Durability::Full);
    let store = bed.new_store();
    let outcomes = Mutex::new(Outcomes::default());
    let acknowledged = AtomicUsize::new(0);
    // Held while the server is down: who was refused waits for it.
    let down = RwLock::new(());
    let tenant = bed.tenant;
    let Bed { server, database, kinds, entropy, .. } = &mut bed;
    let (database, kinds, entropy): (&Database, _, _) = (database, &*kinds, &*entropy);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (outcomes, acknowledged, down) = (&outcomes, &acknowledged, &down);
            scope.spawn(move || {
                let caller = Caller { tenant, stores: vec![store], principal: None };
                let access = Access::new(database, caller);
                let now = jiff::Timestamp::UNIX_EPOCH;
                let vault =
                    oldhand_pg::vault::PgVault { access: &access, store, kinds, entropy, now };
                let mut number = 0;
                while acknowledged.load(Ordering::Relaxed) < wanted {
                    let title = format!("w{writer}n{number}");
                    number += 1;
                    let done = create(&vault, &title);
                    if done.is_err() {
                        drop(down.read().expect("nobody panicked"));
                    }
                    let mut outcomes = outcomes.lock().expect("nobody panicked");
                    match done {
                        Ok(()) => {
                            acknowledged.fetch_add(1, Ordering::Relaxed);
                            outcomes.acknowledged.insert(title);
                        }
                        Err(Failure::Store(error)) if is_passing(&error) => {
                            outcomes.refused.insert(title, error.to_string());
                        }
                        Err(error) => {
                            // It would fail for ever: everybody stops.
                            outcomes.broken.push(error.to_string());
                            acknowledged.store(wanted, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
        for kill in 1..=kills {
            while acknowledged.load(Ordering::Relaxed) < kill * wanted / (kills + 1) {
                std::thread::yield_now();
            }
            let _down = down.write().expect("nobody panicked");
            server.kill_all().expect("it is killed");
            server.restart().expect("it comes back");
        }
    });
    let outcomes = outcomes.into_inner().expect("nobody panicked");
    let there = outcomes.check(&bed, store);
    let (acknowledged, refused) = (outcomes.acknowledged.len(), outcomes.refused.len());
    println!("{acknowledged} acknowledged, {refused} refused, {there} there, {kills} kills");
}

impl Outcomes {
    /// Everything is as it was told; returns how many memories there are.
    fn check(&self, bed: &Bed, store: i32) -> usize {
        assert!(self.broken.is_empty(), "{:?}", self.broken);
        let access = Access::new(&bed.database, bed.caller(&[store]));
        let vault = bed.vault(&access, store);
        let ids = vault.ids().expect("readable");
        let there: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
        let lost: Vec<_> =
            self.acknowledged.iter().filter(|it| !there.contains(it.as_str())).collect();
        assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
        for (title, why) in &self.refused {
            let is_open = why.contains("it is not known");
            assert!(
                is_open || !there.contains(title.as_str()),
                "refused and there: {title}: {why}"
            );
        }
        assert_eq!(there.len(), ids.len(), "nothing is there twice");
        let seqs = seqs(bed, store);
        assert_eq!(
            seqs,
            (1..).take(ids.len()).collect::<Vec<i64>>(),
            "one event each, without a gap"
        );
        ids.len()
    }
}

fn cut_connections(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = bed.new_store();
    let (mut acknowledged, mut refused) = (0, 0);
    for cut in [Cut::Before, Cut::After] {
        for at in 0.. {
            let proxy = Proxy::start(bed.server.socket(), cut, at);
            let database = bed.through(proxy.socket());
            let access = Access::new(&database, bed.caller(&[store]));
            let vault = bed.vault(&access, store);
            let title = format!("{cut:?} {at}");
            let done = create(&vault, &title);
            let was_cut = proxy.stop();
            let id = creation(&title).0.id;
            let direct = Access::new(&bed.database, bed.caller(&[store]));
            let direct = bed.vault(&direct, store);
            let is_there = direct.find(&id).expect("readable").is_some();
            let events = direct.events_of(id.as_str()).expect("readable").len();
            assert_eq!(events, usize::from(is_there), "{title}: one event for one memory");
            assert_eq!(done.is_ok(), is_there, "{title}: {:?}", done.err());
            acknowledged += usize::from(is_there);
            refused += usize::from(!is_there);
            if !was_cut {
                break;
            }
        }
    }
    // Cut before the lock or behind the commit the write succeeds, in between it does not.
    assert!(acknowledged > 3 && refused > 6, "{acknowledged} acknowledged, {refused} refused");
    let count = seqs(&bed, store).len();
    assert_eq!(count, acknowledged);
}

/// Whoever waited for the lock writes first when the holder is cut off, and may choose the id that the holder had.
fn rivals(programs: &Programs) {
    let bed = Bed::new(programs);
    let store = bed.new_store();
    let direct = || Access::new(&bed.database, bed.caller(&[store]));
    // The ids of the log are ahead of the clock, as after a clock that went back: the next ones follow the last.
    let (file, event) = creation("First");
    let plan = Plan { files: vec![file], events: vec![event; 2_000] };
    drop(bed.vault(&direct(), store).write(&mut || Ok(plan.clone())).expect("written").settle());
    let mut refused = 0;
    for at in 0.. {
        let proxy = Proxy::start(bed.server.socket(), Cut::Before, at);
        let database = bed.through(proxy.socket());
        let access = Access::new(&database, bed.caller(&[store]));
        let vault = bed.vault(&access, store);
        let (file, event) = creation(&format!("Cut {at}"));
        let plan = Plan::one(file.clone(), event);
        let done = std::thread::scope(|scope| {
            let done = vault.write(&mut || {
                let bed = &bed;
                scope.spawn(move || {
                    let access = Access::new(&bed.database, bed.caller(&[store]));
                    create(&bed.vault(&access, store), &format!("Rival {at}")).expect("written");
                });
                bed.wait_for_a_waiter();
                Ok(plan.clone())
            });
            done.map(|pending| drop(pending.settle()))
        });
        let is_there = bed.vault(&direct(), store).find(&file.id).expect("readable").is_some();
        assert_eq!(done.is_ok(), is_there, "{at}: {:?}", done.err());
        refused += usize::from(!is_there);
        if !proxy.stop() {
            break;
        }
    }
    assert!(refused > 2, "cut off {refused} times");
}

fn terminated_backend(programs: &Programs) {
    let bed = Bed::new(programs);
    bed.with_vault(|vault| {
        let (file, event) = creation("Use cents");
        let plan = Plan::one(file.clone(), event);
        let done = vault.write(&mut || {
            let end = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'oldhand_server'";
            bed.as_owner(async |client| client.batch_execute(end).await.expect("terminated"));
            Ok(plan.clone())
        });
        assert!(done.is_err(), "the transaction is gone");
        drop(done);
        assert!(vault.find(&file.id).expect("the pool has another").is_none());
        create(vault, "Use cents").expect("the next one works");
        assert_eq!(vault.events().expect("readable").len(), 1);
    });
}

fn keys_count_once(programs: &Programs) {
    const KEY: &str = "0191d3c8-7f5e-7c3a-9c1e-3f1f5f0f6a01";
    let bed = Bed::new(programs);
    let store = bed.new_store();
    let plain = Access::new(&bed.database, bed.caller(&[]));
    let principal = plain.create_principal("agent", "ci").expect("a principal");
    let caller = Caller { principal: Some(principal), ..bed.caller(&[store]) };
    let run = |run: &str| {
        let attempt = Attempt { key: KEY.to_owned(), run: run.to_owned() };
        Access::with_attempt(&bed.database, caller.clone(), attempt)
    };
    let (first, second) = (run("first"), run("second"));
    assert_eq!(first.begin_answer(KEY, b"asked").expect("known"), Known::Open);
    // Somebody else repeats it before the first has written: whoever writes first wins.
    assert_eq!(second.begin_answer(KEY, b"asked").expect("known"), Known::Open);
    let vault = bed.vault(&first, store);
    create(&vault, "Use cents").expect("written");
    create(&vault, "Use euros").expect("a request may write twice");
    match create(&bed.vault(&second, store), "Use dollars") {
        Err(Failure::Store(error)) => assert_eq!(error.kind, StoreErrorKind::Locked),
        other => panic!("written twice: {other:?}"),
    }
    assert_eq!(vault.ids().expect("readable").len(), 2);
    let run = "first".to_owned();
    assert_eq!(second.begin_answer(KEY, b"asked").expect("known"), Known::Written { run });
    first.end_answer(KEY, 201, "{\"ok\":true}").expect("kept");
    let body = "{\"ok\":true}".to_owned();
    let answered = Known::Answered { status: 201, body };
    assert_eq!(second.begin_answer(KEY, b"asked").expect("known"), answered);
    assert_eq!(second.begin_answer(KEY, b"other").expect("known"), Known::Different);
    assert_eq!(second.forget_answers().expect("forgotten"), 0, "it is younger than a day");
}
