//! Several at once: no use is lost while others sweep, promote and take back, and of two clashing
//! decisions one holds and the other waits.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::{assert_no_torn_line, decide, events, learn, waiting};
use crate::scratch::Scratch;

const USES: usize = 4_000;
/// So many of them are programs of their own, which take ten times as long as the same command in
/// this process. The rest are `oldhand::run`, each with an `Env` of its own.
const PROGRAMS: usize = 250;
const USES_BETWEEN: usize = 16;

const USED: [&str; 5] = [
    "freeze-the-clock-in-tests",
    "open-the-pull-request-earlier",
    "never-log-the-access-token",
    "batch-the-inserts",
    "sort-by-name",
];

fn used() -> Scratch {
    let store = Scratch::new();
    learn(&store, "t1", "Freeze the clock in tests", &[]);
    // Enough evidence to rise by itself: a sweep moves its file, an undo moves it back.
    learn(&store, "t2", "Open the pull request earlier", &["commit:a", "commit:b"]);
    learn(&store, "t3", "Never log the access token", &[]);
    learn(&store, "t4", "Batch the inserts", &[]);
    decide(&store, "Sort by name");
    store
}

/// One use after the other, each with a number of its own.
fn apply_all(store: &Scratch, next: &AtomicUsize) {
    loop {
        let number = next.fetch_add(1, Ordering::SeqCst);
        if number >= USES {
            return;
        }
        let task = format!("task-{number}");
        let args = ["apply", USED[number % 5], "--effect", "positive", "--task", &task];
        let (is_done, said) = if number.is_multiple_of(USES / PROGRAMS) {
            let output = store.program(&args).output().unwrap();
            (output.status.success(), output.stderr)
        } else {
            let ran = store.run(&args);
            (ran.code == 0, ran.stderr)
        };
        assert!(is_done, "use {number}: {}", String::from_utf8_lossy(&said));
    }
}

/// Done or refused: both are answers, anything else is trouble.
fn meddle(store: &Scratch, args: &[&str], programs: bool) {
    let (code, said) = if programs {
        let output = store.program(args).output().unwrap();
        (output.status.code(), output.stderr)
    } else {
        let ran = store.run(args);
        (Some(i32::from(ran.code)), ran.stderr)
    };
    assert!(matches!(code, Some(0 | 1)), "{args:?}: {}", String::from_utf8_lossy(&said));
}

#[test]
fn no_use_is_lost() {
    let store = used();
    let (next, ended) = (&AtomicUsize::new(0), &AtomicBool::new(false));
    let store = &store;
    let meddled = std::thread::scope(|scope| {
        let loops = [(); 2].map(|()| scope.spawn(move || apply_all(store, next)));
        // One for each so many uses: they share the machine, and are not what is counted.
        let wait_for = |uses: usize| {
            while next.load(Ordering::SeqCst) < uses && !ended.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let sweeps = scope.spawn(move || {
            let mut count = 0;
            while !ended.load(Ordering::SeqCst) {
                wait_for(count * USES_BETWEEN);
                meddle(store, &["sweep"], count % 4 == 0);
                count += 1;
            }
            count
        });
        let people = scope.spawn(move || {
            let mut count = 0;
            while !ended.load(Ordering::SeqCst) {
                wait_for(count * USES_BETWEEN);
                let id = USED[count % 5];
                let args: &[&str] = match count % 4 {
                    0 => &["promote", id, "--by", "ada"],
                    1 => &["review", id, "--decision", "keep", "--reason", "good", "--by", "bob"],
                    2 => &["undo"],
                    _ => &["promote", id, "--by", "eve", "--role", "orchestrator"],
                };
                meddle(store, args, count % 4 == 0);
                count += 1;
            }
            count
        });
        let uses = loops.map(|one| one.join());
        ended.store(true, Ordering::SeqCst);
        uses.into_iter().for_each(Result::unwrap);
        sweeps.join().unwrap() + people.join().unwrap()
    });
    println!("{meddled} other commands meanwhile");
    assert!(meddled > 100, "only {meddled} other commands");
    let folded: u64 = USED
        .iter()
        .map(|id| store.json(&["show", id])["signals"]["reuse_count"].as_u64().unwrap())
        .sum();
    assert_eq!(folded, USES as u64);
    let is_use = |event: &&serde_json::Value| event["type"] == "applied";
    assert_eq!(events(store).iter().filter(is_use).count(), USES);
    assert_no_torn_line(store, "in the end");
    let diagnosis = store.json(&["doctor"]);
    assert_eq!(diagnosis["findings"], serde_json::json!([]), "{diagnosis}");
    assert!(!diagnosis["notes"].to_string().contains("torn"), "{diagnosis}");
}

#[test]
fn of_two_clashing_decisions_one_waits() {
    for round in 0..50 {
        let store = Scratch::new();
        let barrier = Barrier::new(2);
        let add = &|verb: &str| {
            let title = format!("{verb} strict mode");
            barrier.wait();
            let args = ["add", "decision", "--title", &title, "--decision", &title];
            store.program(&args).output().unwrap()
        };
        let outputs = std::thread::scope(|scope| {
            let both = ["Enable", "Disable"].map(|verb| scope.spawn(move || add(verb)));
            both.map(|one| one.join().unwrap())
        });
        let mut codes = outputs.each_ref().map(|output| output.status.code().unwrap());
        codes.sort_unstable();
        let said = outputs.map(|output| String::from_utf8_lossy(&output.stderr).into_owned());
        assert_eq!(codes, [0, 1], "round {round}: {said:?}");
        let listing = store.json(&["list", "--kind", "decision"]);
        assert_eq!(listing["total"], 1, "round {round}: {listing}");
        assert_eq!(waiting(&store).len(), 1, "round {round}");
        store.assert_healthy(&format!("round {round}"));
    }
}
