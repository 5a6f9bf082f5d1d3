//! Lists, reviews and health of a large store come from the index: they say what the files say, and
//! open no more of them than they show.

use std::fs;
use std::io::Write;

use oldhand_store::disk::RealDisk;
use oldhand_testkit::fault::{Counted, Fault, FaultDisk, FaultPlan, Mode};

use crate::scratch::Scratch;

const STATES: [&str; 10] = [
    "candidate",
    "provisional",
    "stable",
    "canonical",
    "under_review",
    "decayed",
    "superseded",
    "archived",
    "rejected",
    "retired",
];
const KINDS: [(&str, &str); 5] = [
    ("reference", "reference"),
    ("lesson", "lessons"),
    ("decision", "decisions"),
    ("session_summary", "sessions"),
    ("gem", "gems"),
];
const BOUND_BELOW: usize = 1_000;

fn put(scratch: &Scratch, number: usize, state: &str) {
    let (kind, folder) = KINDS[number % KINDS.len()];
    let folder = if state == "candidate" { "candidates" } else { folder };
    let id = format!("{}-{number}", ["zinc", "amber", "mica"][number % 3]);
    let (month, day) = (1 + number % 9, 1 + number % 28);
    let mut head = format!(
        "---\nid: {id}\ntype: {kind}\ntitle: Note {number}\nstate: {state}\nscope: project\n\
         tags: [t{}]\norigin: agent\ncreated_at: 2026-{month:02}-{day:02}T10:00:00Z\n\
         related_files: [src/part{}/a.rs]\n",
        number % 7,
        number % 11
    );
    if number.is_multiple_of(4) {
        head.push_str(&format!("updated_at: 2026-{month:02}-{:02}T10:00:00.250Z\n", 1 + day / 2));
    }
    if number.is_multiple_of(6) {
        head.push_str("domain: Billing\nreview_after: 2026-05-01T00:00:00Z\n");
    }
    // What is bound to code is asked about one by one.
    if number.is_multiple_of(10) && number < BOUND_BELOW {
        head.push_str("refresh_tier: 2\n");
    }
    if number.is_multiple_of(9) && kind == "decision" {
        head.push_str("status: proposed\n");
    }
    let store = scratch.store().join(folder);
    fs::create_dir_all(&store).unwrap();
    let body = format!("---\n\n## Decision\nItem {number} lives in part{}.\n", number % 11);
    fs::write(store.join(format!("{id}.md")), format!("{head}{body}")).unwrap();
    record(scratch, &id, state);
}

/// The line of the log that carries its standing.
fn record(scratch: &Scratch, id: &str, state: &str) {
    let log = scratch.store().join("events/2026-01.jsonl");
    let line = format!(
        "{{\"id\":\"0-made-{id}\",\"at\":\"2026-01-01T00:00:00Z\",\"type\":\"created\",\
         \"memory\":\"{id}\",\"by\":\"ada\",\"to\":\"{state}\"}}\n"
    );
    let mut log = fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
    log.write_all(line.as_bytes()).unwrap();
}

/// A bit of everything, also what can't be read, and some of it used, doubted and put away.
fn mixed() -> Scratch {
    let scratch = Scratch::new();
    for number in 0..330 {
        put(&scratch, number, STATES[number % STATES.len()]);
    }
    fs::write(scratch.store().join("lessons/broken.md"), "---\nid: [\n---\n").unwrap();
    fs::write(scratch.store().join("lessons/flawed.md"), "---\ntitle: 7\nstate: odd\n---\n")
        .unwrap();
    let uses = [
        ("zinc-21", "positive", 4),
        ("amber-31", "positive", 2),
        ("amber-31", "contradiction", 1),
        ("mica-2", "positive", 1),
        ("zinc-12", "contradiction", 1),
        ("mica-41", "negative", 1),
    ];
    for (id, effect, times) in uses {
        for number in 0..times {
            let task = format!("task-{number}");
            scratch.ok(&["apply", id, "--task", &task, "--effect", effect, "--notes", "n"]);
        }
    }
    scratch.run(&["review", "mica-11", "--request", "--reason", "it may be wrong"]);
    scratch
}

fn said(scratch: &Scratch, args: &[&str], has_home: bool) -> String {
    let mut command = scratch.program(args);
    if !has_home {
        command.env_remove("HOME");
    }
    let output = command.output().unwrap();
    let (out, err) = (output.stdout, output.stderr);
    format!("{}\n{}", String::from_utf8_lossy(&out), String::from_utf8_lossy(&err))
}

#[test]
fn a_list_from_the_index_is_the_one_of_the_files() {
    let scratch = mixed();
    let asked = [
        "list",
        "list --limit 7",
        "list --kind lesson,decision --limit 9",
        "list --tag t3",
        "list --state archived --limit 5",
        "list --state candidate,stable",
        "list --status retired",
        "list --domain billing",
        "list --path src/part3",
        "list --path src/part3/a.rs --limit 4",
        "list --legacy part5",
        "list --scope Project --limit 3",
        "review",
        "review --limit 0",
        "review --limit 6",
        "review mica-11",
        "health",
    ];
    for line in asked {
        for json in [&[][..], &["--json"]] {
            let args: Vec<&str> = line.split(' ').chain(json.iter().copied()).collect();
            let files = said(&scratch, &args, false);
            assert_eq!(said(&scratch, &args, true), files, "{line}");
            assert!(files.len() > 40, "{line}: {files}");
        }
    }
    assert!(scratch.repository().parent().unwrap().join(".cache/oldhand").exists());
    let all = said(&scratch, &["review", "--limit", "0"], true);
    for cause in ["candidate ", "under_review ", "ready ", "review_due "] {
        assert!(all.contains(cause), "{cause}: {all}");
    }
}

#[test]
fn a_list_knows_what_was_written_a_moment_ago() {
    let scratch = mixed();
    let first = |args: &[&str]| scratch.json(args);
    scratch.ok(&["add", "reference", "--title", "The newest of all", "--text", "It is new."]);
    let listed = first(&["list", "--limit", "1"]);
    assert_eq!(listed["memories"][0]["id"], "the-newest-of-all");
    let total = listed["total"].as_u64().unwrap();
    scratch.ok(&["archive", "the-newest-of-all", "--reason", "over"]);
    let listed = first(&["list", "--limit", "1"]);
    assert_ne!(listed["memories"][0]["id"], "the-newest-of-all");
    assert_eq!(listed["total"], total - 1);
    // By hand, in place: what does not fit its row is looked at again.
    let id = listed["memories"][0]["id"].as_str().unwrap().to_owned();
    let path = scratch.store().join(listed["memories"][0]["path"].as_str().unwrap());
    let text = fs::read_to_string(&path).unwrap();
    let state = format!("state: {}", listed["memories"][0]["state"].as_str().unwrap());
    fs::write(&path, text.replace(&state, "state: archived")).unwrap();
    assert_ne!(first(&["list", "--limit", "1"])["memories"][0]["id"], id.as_str());
}

/// Looks at the store's disk, reads and all.
fn operations(scratch: &Scratch, args: &[&str]) -> u64 {
    let never = FaultPlan { nth: 0, fault: Fault::Eio, mode: Mode::Once, counted: Counted::Every };
    let disk = FaultDisk::new(RealDisk, never);
    scratch.run_on(&disk, args, b"");
    disk.operations()
}

#[test]
fn neither_a_page_nor_a_write_grows_with_what_waits() {
    let costs = |candidates: usize| -> Vec<u64> {
        let scratch = Scratch::new();
        for number in 0..candidates {
            put(&scratch, BOUND_BELOW + number, "candidate");
            // Of one kind: up to 200 files of a kind are read, and those grow.
            put(&scratch, 10 * BOUND_BELOW + KINDS.len() * number, "provisional");
        }
        scratch.run(&["list"]);
        let retrospective =
            "{\"task_id\": \"T9\", \"memory_candidates\": [\"Retry uploads twice\"]}";
        fs::write(scratch.repository().join("retro.json"), retrospective).unwrap();
        let asked: [&[&str]; 8] = [
            &["list", "--limit", "5"],
            &["review", "--limit", "5"],
            &["health"],
            &["resume"],
            &["stats"],
            &["add", "lesson", "--title", "Mind the gap", "--guidance", "Mind it.", "--json"],
            &["remember", "Always mind the gap between the platform and the train"],
            &["learn", "retro.json"],
        ];
        asked.iter().map(|args| operations(&scratch, args)).collect()
    };
    let (few, many) = (costs(300), costs(600));
    for (number, (few, many)) in few.iter().zip(&many).enumerate() {
        assert!(*many <= few + 20, "{number}: {many} operations instead of {few}");
    }
}
