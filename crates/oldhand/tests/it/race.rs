//! Nothing lost, part four: many processes at once, and an editor among them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::scratch::{Scratch, round};

const PROCESSES: usize = 16;

/// Sixteen at a time, each its share one after the other. Returns how many there were in all.
fn sixteen(job: impl Fn(usize, usize) + Sync) -> usize {
    let each = if round() > 0 { 250 } else { 100 };
    std::thread::scope(|scope| {
        for worker in 0..PROCESSES {
            let job = &job;
            scope.spawn(move || (0..each).for_each(|number| job(worker, number)));
        }
    });
    println!("{} processes", PROCESSES * each);
    PROCESSES * each
}

#[test]
fn all_creates_are_there_once() {
    let store = Scratch::new();
    let count = sixteen(|worker, number| {
        let text = format!("Fact {number} of worker {worker} is true");
        let output = store.program(&["remember", "--kind", "reference", &text]).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
    });
    let listing = store.json(&["list", "--limit", "0"]);
    let titles: BTreeSet<&str> = listing["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["title"].as_str().unwrap())
        .collect();
    assert_eq!(listing["total"], count);
    assert_eq!(titles.len(), count);
    assert_eq!(store.json(&["doctor"])["findings"], serde_json::json!([]));
    assert_eq!(store.json(&["doctor"])["events"], count);
}

#[test]
fn every_update_is_in_the_history_or_refused() {
    let store = Scratch::new();
    for number in 0..10 {
        store.ok(&["add", "reference", "--title", &format!("Shared {number}"), "--text", "x"]);
    }
    let (done, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let count = sixteen(|worker, number| {
        let id = format!("shared-{}", (worker + number) % 10);
        let text = format!("text {worker} {number}");
        let output = store.program(&["update", &id, "--text", &text]).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => done.fetch_add(1, Ordering::Relaxed),
            Some(1) if stderr.contains("OCC_CONFLICT") => refused.fetch_add(1, Ordering::Relaxed),
            other => panic!("{other:?}: {stderr}"),
        };
    });
    let mut recorded = 0;
    let mut counted = 0;
    for number in 0..10 {
        let id = format!("shared-{number}");
        let history = store.json(&["history", &id]);
        let events = history["events"].as_array().unwrap();
        let updates: Vec<&Value> =
            events.iter().filter(|event| event["type"] == "updated").collect();
        assert!(
            events.iter().all(|event| event["edited_before"] == false),
            "{id}: a gap in the chain"
        );
        recorded += updates.len();
        counted += store.json(&["show", &id])["times_updated"].as_u64().unwrap() as usize;
    }
    let (done, refused) = (done.into_inner(), refused.into_inner());
    assert_eq!(done + refused, count);
    assert_eq!((recorded, counted), (done, done));
    assert_eq!(store.json(&["doctor"])["findings"], serde_json::json!([]));
}

/// An editor saves by renaming, by rewriting in place and by truncating first, while memories are
/// updated: each text that it saved is somewhere, unless it replaced it itself.
#[test]
fn an_editor_loses_nothing() {
    let store = Scratch::new();
    store.ok(&["add", "reference", "--title", "Shared", "--text", "start"]);
    let file = store.store().join("reference/shared.md");
    let stop = AtomicBool::new(false);
    let saved: Vec<String> = std::thread::scope(|scope| {
        let editor = scope.spawn(|| edit_for_a_while(&file));
        let updates = scope.spawn(|| {
            let mut number = 0;
            while !stop.load(Ordering::Relaxed) {
                number += 1;
                let tag = format!("tag{}", number % 5);
                let output = store
                    .program(&[
                        "update",
                        "shared",
                        "--tags",
                        &tag,
                        "--note",
                        &format!("note {number}"),
                    ])
                    .output()
                    .unwrap();
                // Refused is fine: half a file, a conflict, a file that is away for a moment.
                assert!(
                    matches!(output.status.code(), Some(0 | 1)),
                    "{}",
                    String::from_utf8_lossy(&output.stderr)
                );
            }
        });
        let saved = editor.join().unwrap();
        stop.store(true, Ordering::Relaxed);
        updates.join().unwrap();
        saved
    });
    let everything = all_text(&store.store());
    let lost: Vec<&String> =
        saved.iter().filter(|marker| !everything.contains(marker.as_str())).collect();
    assert!(lost.is_empty(), "lost {} of {}: {lost:?}", lost.len(), saved.len());
}

/// What the editor saved last before it could see that its text had been taken over, and every
/// text that it did not replace itself.
fn edit_for_a_while(file: &std::path::Path) -> Vec<String> {
    let mut saved = Vec::new();
    for number in 0..150 {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let marker = format!("edit {number} by hand");
        let edited = format!("{}\n{marker}\n", text.trim_end());
        match number % 3 {
            0 => {
                let other = file.with_extension("md.new");
                std::fs::write(&other, &edited).unwrap();
                std::fs::rename(&other, file).unwrap();
            }
            1 => std::fs::write(file, &edited).unwrap(),
            _ => {
                std::fs::write(file, "").unwrap();
                std::thread::sleep(Duration::from_micros(200));
                std::fs::write(file, &edited).unwrap();
            }
        }
        saved.push(marker);
        std::thread::sleep(Duration::from_millis(3));
    }
    saved
}

fn all_text(folder: &std::path::Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            text.push_str(&all_text(&entry.path()));
        } else {
            text.push_str(&String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()));
        }
    }
    text
}
