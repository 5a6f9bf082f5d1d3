//! Nothing lost, part two: the power fails at any moment of a day's writes, on a disk that drops,
//! reorders and tears whatever was not synced. What was acknowledged is there, whole; what was not
//! is there whole or not at all.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use oldhand_app::moves::Successor;
use oldhand_app::settings::Settings;
use oldhand_app::transfer::{Incoming, Record};
use oldhand_app::update::UpdateRequest;
use oldhand_app::{Done, Engine};
use oldhand_core::content::FieldValue;
use oldhand_core::draft::Draft;
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::origin::Origin;
use oldhand_core::signals::Signals;
use oldhand_store::disk::Disk;
use oldhand_store::failure::Failure;
use oldhand_store::layout::Layout;
use oldhand_store::nowhere::NoCode;
use oldhand_store::vault::{LocalVault, Opening, init};
use oldhand_testkit::simdisk::SimDisk;
use oldhand_text::time::days_after;

use crate::program::SeededEntropy;
use crate::scratch::round;

/// Path to what the memory says, with how often it was used; what waits is there as well.
type Seen = BTreeMap<String, String>;

fn layout() -> Layout {
    Layout { root: PathBuf::from("/r/.oldhand"), repository: PathBuf::from("/r") }
}

/// Opens the store, completing what was interrupted, and works on it.
fn with<T>(disk: &SimDisk, seed: u64, now: Timestamp, job: impl FnOnce(&Engine<'_>) -> T) -> T {
    let settings = Settings::default();
    let entropy = SeededEntropy::new(seed);
    let vault = LocalVault::open(Opening {
        disk,
        layout: layout(),
        kinds: &settings.kinds,
        entropy: &entropy,
        now,
        index: None,
        commits_index: false,
        lock_wait: Duration::from_secs(1),
    })
    .unwrap();
    job(&Engine {
        vault: &vault,
        code: &NoCode,
        nearby: None,
        settings: &settings,
        by: "ada",
        via: &oldhand_core::actor::Via::Shell,
        is_person: true,
        above: &[],
        is_preview: false,
        seen: None,
        batch: None,
        now,
    })
}

fn seen(disk: &SimDisk, now: Timestamp) -> Seen {
    with(disk, 999, now, |engine| {
        let scan = engine.vault.scan().unwrap();
        assert!(scan.unreadable.is_empty(), "torn: {:?}", scan.unreadable);
        let mut seen: Seen = engine
            .vault
            .pending()
            .unwrap()
            .into_iter()
            .map(|waiting| waiting.map(|waiting| (waiting.path, waiting.text)).unwrap())
            .collect();
        let events = engine.vault.events().unwrap();
        for stored in scan.stored {
            let signals = Signals::fold(&stored.memory, &events, &engine.settings.trust);
            let uses = signals.reuse_count;
            seen.insert(stored.path, format!("{uses} uses\n{}", stored.text));
        }
        seen
    })
}

pub(crate) fn settle<T>(done: Result<Done<'_, T>, Failure>) {
    if let Some(pending) = done.unwrap().pending {
        pending.settle();
    }
}

fn note(number: usize) -> Draft {
    let mut draft = Draft::titled(Kind::Decision, &format!("Decision {number}"));
    draft.set_content("decision", FieldValue::Text("So be it. ".repeat(40 + round())));
    draft
}

fn incoming(number: usize) -> Incoming {
    Incoming { source: "notes.jsonl".to_owned(), record: Record::Draft(Box::new(note(number))) }
}

pub(crate) type Write = fn(&Engine<'_>);

const DAY: &[Write] = &[
    |engine| settle(engine.writing().create(&note(1), Origin::User)),
    |engine| settle(engine.writing().create(&note(2), Origin::User)),
    |engine| {
        let mut draft = Draft::default();
        draft.set_content("context", FieldValue::Text("Because of the weather. ".repeat(30)));
        let request = UpdateRequest {
            name: "decision-1",
            draft: &draft,
            grow: true,
            summary: None,
            kind: None,
            if_match: None,
        };
        settle(engine.writing().update(&request));
    },
    |engine| settle(engine.life().retire("decision-2", "no longer")),
    |engine| settle(engine.life().restore("decision-2")),
    |engine| {
        settle(engine.life().supersede(
            "decision-1",
            &Successor::New(&note(3)),
            "better",
            Origin::User,
        ))
    },
    |engine| settle(engine.trail().undo()),
    |engine| settle(engine.exchange().import(&(10..17).map(incoming).collect::<Vec<_>>())),
    |engine| settle(engine.life().retire("decision-10", "no longer")),
    |engine| settle(engine.life().retire("decision-11", "no longer")),
    |engine| settle(engine.upkeep().purge("decision-11")),
    |engine| settle(engine.trail().undo()),
    |engine| settle(engine.upkeep().gc()),
];

/// How often one moment is crashed, and so how many states there are in all. Each round of a night has seeds of its own.
const SEEDS: u64 = 640;

/// What was known to be there after how many operations.
struct Acknowledged {
    operations: usize,
    seen: Seen,
}

fn play(day: &[Write]) -> (SimDisk, Vec<Acknowledged>, Timestamp) {
    let mut now: Timestamp = "2026-11-15T12:00:00Z".parse().unwrap();
    let disk = SimDisk::new();
    disk.make_dir(&PathBuf::from("/r")).unwrap();
    disk.sync_dir(&PathBuf::from("/")).unwrap();
    init(&disk, &layout(), &Kinds::default(), "format = 1\n", false).unwrap();
    let mut acknowledged =
        vec![Acknowledged { operations: disk.operations(), seen: seen(&disk, now) }];
    for (number, write) in day.iter().enumerate() {
        if number + 1 == day.len() {
            now = days_after(now, 40);
        }
        with(&disk, number as u64 + 1, now, write);
        acknowledged.push(Acknowledged { operations: disk.operations(), seen: seen(&disk, now) });
    }
    (disk, acknowledged, now)
}

#[test]
fn every_crash_keeps_what_was_acknowledged() {
    let states = every_crash(DAY, SEEDS);
    assert!(states >= 100_000, "only {states} crash states");
}

/// Plays the day, its last write forty days later, and cuts the power at every moment of it, so
/// many times each. How many states there were.
pub(crate) fn every_crash(day: &[Write], seeds: u64) -> u64 {
    let (disk, acknowledged, now) = play(day);
    let (first, last) = (acknowledged[0].operations, disk.operations());
    let mut states = 0u64;
    let counts = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    std::thread::scope(|scope| {
        let (disk, acknowledged) = (&disk, &acknowledged);
        let workers: Vec<_> = (0..counts)
            .map(|worker| {
                scope.spawn(move || {
                    (first..=last)
                        .filter(|moment| moment % counts == worker)
                        .map(|moment| check_moment(disk, moment, acknowledged, (now, seeds)))
                        .sum::<u64>()
                })
            })
            .collect();
        for worker in workers {
            states += worker.join().unwrap();
        }
    });
    println!("{states} crash states at {} moments", last - first + 1);
    states
}

fn check_moment(
    disk: &SimDisk,
    moment: usize,
    acknowledged: &[Acknowledged],
    (now, seeds): (Timestamp, u64),
) -> u64 {
    // The write that was on its way, and what had been acknowledged before it.
    let next = acknowledged.iter().position(|ack| ack.operations > moment);
    let before = &acknowledged[next.map_or(acknowledged.len() - 1, |next| next - 1)].seen;
    let after = next.map(|next| &acknowledged[next].seen);
    let check = |crashed: &SimDisk, what: &str| {
        let found = seen(crashed, now);
        assert!(
            found == *before || after == Some(&found),
            "moment {moment}, {what}: neither the old nor the new state: {:?}",
            found
                .iter()
                .map(|(k, v)| format!(
                    "{k} old={:?} new={:?}",
                    before.get(k) == Some(v),
                    after.and_then(|a| a.get(k)) == Some(v)
                ))
                .collect::<Vec<_>>()
        );
    };
    check(&disk.after_crash_dropping_all(moment), "all dropped");
    check(&disk.after_crash_keeping_all(moment), "all kept");
    for seed in (0..seeds).map(|seed| seed + round() as u64 * SEEDS) {
        let crashed = disk.after_crash(moment, seed);
        check(&crashed, &format!("seed {seed}"));
        if seed % 16 == 0 {
            // The next write works, and the log is one that can be read.
            with(&crashed, 500 + seed, now, |engine| {
                settle(engine.writing().create(&note(99), Origin::User))
            });
            assert!(seen(&crashed, now).contains_key("decisions/decision-99.md"));
        }
    }
    seeds + 2
}
