//! Nothing lost, part five: the life of memories. Uses, stops, approvals, promotions, sweeps and
//! what takes them back meet the same troubles as plain writes: several at once, a kill, a failing
//! disk, a power cut, and files that somebody broke.

mod broken;
mod broken_log;
mod counted;
mod failing;
mod gate;
mod killed;
mod power;
mod taken_back;
mod together;
mod votes;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::scratch::Scratch;

/// A command of a memory's life on a store that is ready for it.
struct Scene {
    name: &'static str,
    store: Scratch,
    args: Vec<&'static str>,
    /// What the answer says when it was done, and the exit code that goes with it.
    told: &'static str,
    code: u8,
}

impl Scene {
    fn new(name: &'static str, store: Scratch, args: &[&'static str], told: &'static str) -> Self {
        let mut args = args.to_vec();
        args.push("--json");
        Self { name, store, args, told, code: 0 }
    }

    fn was_told(&self, stdout: &[u8]) -> bool {
        String::from_utf8_lossy(stdout).contains(self.told)
    }

    /// The store after an undisturbed run.
    fn done(&self) -> Scratch {
        let copy = self.store.copy();
        let ran = copy.run(&self.args);
        let said = String::from_utf8_lossy(&ran.stdout);
        assert_eq!(ran.code, self.code, "{}: {said}", self.name);
        assert!(self.was_told(&ran.stdout), "{}: {said}", self.name);
        copy
    }
}

const RESOLVE: &[&str] =
    &["resolve", "conflict-disable-strict-mode", "--supersede", "--by", "ada", "--reason", "slow"];

fn decide(store: &Scratch, title: &str) {
    store.ok(&["add", "decision", "--title", title, "--decision", title]);
}

/// A decision, and a proposal against it that waits.
fn stopped() -> Scratch {
    let store = Scratch::new();
    decide(&store, "Enable strict mode");
    let ran = store.run(STOPPED);
    assert_eq!(ran.code, 1, "{}", String::from_utf8_lossy(&ran.stderr));
    store
}

const STOPPED: &[&str] =
    &["add", "decision", "--title", "Disable strict mode", "--decision", "Disable strict mode"];

/// A candidate called `freeze-the-clock-in-tests`, and another one with evidence for two.
fn lessons() -> Scratch {
    let store = Scratch::new();
    learn(&store, "t1", "Freeze the clock in tests", &[]);
    learn(&store, "t2", "Open the pull request earlier", &["commit:a", "commit:b"]);
    store
}

fn learn(store: &Scratch, task: &str, text: &str, evidence: &[&str]) {
    let file = store.repository().join("retro.json");
    let json = serde_json::json!({ "task_id": task, "memory_candidates": [text] });
    std::fs::write(file, json.to_string()).unwrap();
    let mut args = vec!["learn", "retro.json"];
    evidence.iter().for_each(|one| args.extend(["--evidence", one]));
    store.ok(&args);
}

/// Tasks that failed in the same way: the second one makes a lesson of it, the third one lets the
/// lesson rise.
fn failures(tasks: &[&str]) -> Scratch {
    let store = lessons();
    store.ok(&["promote", "freeze-the-clock-in-tests", "--by", "ada"]);
    for task in tasks {
        store.ok(&["task", "end", task, "--outcome", "failed", "--failure-class", "flaky-test"]);
    }
    store
}

const TASK_END: &[&str] = &[
    "task",
    "end",
    "c",
    "--outcome",
    "failed",
    "--failure-class",
    "flaky-test",
    "--concern",
    "error-handling",
    "--most-useful",
    "freeze-the-clock-in-tests",
];

/// Memories that nobody has looked at for years, and a candidate that may rise.
fn old() -> Scratch {
    let mut store = lessons();
    store.now = "2020-01-01T00:00:00Z".parse().unwrap();
    learn(&store, "t3", "Measure before you optimise the query", &[]);
    store.ok(&["promote", "measure-before-you-optimise-the-query", "--by", "ada"]);
    // Notes that were used again and again are kept as a memory of their own.
    let title = "Session of the first day";
    store.ok(&["add", "session_summary", "--title", title, "--goal", "Find the slow query"]);
    for task in ["a", "b", "c"] {
        let id = "session-of-the-first-day";
        store.ok(&["apply", id, "--effect", "positive", "--task", task]);
    }
    store.now = crate::scratch::NOW.parse().unwrap();
    store
}

/// A decision that has everything but the approvals.
fn proven() -> Scratch {
    let store = Scratch::new();
    decide(&store, "Sort by name");
    for task in ["a", "b", "c", "d", "e", "f"] {
        store.ok(&["apply", "sort-by-name", "--effect", "positive", "--task", task]);
    }
    store
}

/// The same with one of its two approvals.
pub(crate) fn approved_once() -> Scratch {
    let store = proven();
    assert_eq!(store.run(&["promote", "sort-by-name", "--by", "bob"]).code, 1);
    store
}

/// Two decisions that turn out not to go together: both are reviewed.
fn contradicting() -> Scratch {
    let store = proven();
    decide(&store, "Show ten rows a page");
    store
}

const CONTRADICT: &[&str] = &[
    "apply",
    "sort-by-name",
    "--effect",
    "contradiction",
    "--with",
    "show-ten-rows-a-page",
    "--task",
    "g",
];

/// A retrospective with something new and something that was said before.
fn retrospective() -> Scratch {
    let store = lessons();
    let text = r#"{"task_id": "t9", "memory_candidates":
        ["Freeze the clock in tests", "Never log the access token", "Batch the inserts"]}"#;
    std::fs::write(store.repository().join("retro.json"), text).unwrap();
    store
}

/// The commands that change what a memory is worth.
fn scenes() -> Vec<Scene> {
    let mut stop = Scene::new("stop", stopped_first(), STOPPED, "waits as");
    stop.code = 1;
    vec![
        stop,
        Scene::new("resolve", stopped(), RESOLVE, "oldhand.resolve"),
        Scene::new("promote", lessons(), PROMOTE, "oldhand.promote"),
        Scene::new("a task that teaches", failures(&["a"]), TASK_END, "oldhand.task"),
        Scene::new("a task that confirms", failures(&["a", "b"]), TASK_END, "oldhand.task"),
        Scene::new("sweep", old(), &["sweep"], "oldhand.sweep"),
        Scene::new("the second vote", approved_once(), VOTE, "oldhand.promote"),
        Scene::new("contradict", contradicting(), CONTRADICT, "oldhand.appl"),
        Scene::new("learn", retrospective(), &["learn", "retro.json"], "oldhand.learn"),
    ]
}

const VOTE: &[&str] = &["promote", "sort-by-name", "--by", "ada", "--role", "architect"];
const PROMOTE: &[&str] = &["promote", "freeze-the-clock-in-tests", "--by", "ada"];

fn stopped_first() -> Scratch {
    let store = Scratch::new();
    decide(&store, "Enable strict mode");
    store
}

/// What a store says: every file but the derived ones, and the log; without times and hashes.
type State = BTreeMap<String, String>;

fn state(store: &Scratch) -> State {
    // Completes what was interrupted.
    store.ok(&["list", "--limit", "0"]);
    let mut found = State::new();
    walk(&store.store(), "", &mut found);
    let log: Vec<String> = events(store).iter().map(Value::to_string).collect();
    found.insert("events".to_owned(), timeless(&log.join("\n")));
    found
}

fn walk(folder: &Path, above: &str, found: &mut State) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = format!("{above}{}", entry.file_name().to_string_lossy());
        if ["local", "events", "index.md"].contains(&path.as_str()) {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), &format!("{path}/"), found);
        } else {
            found.insert(path, timeless(&std::fs::read_to_string(entry.path()).unwrap()));
        }
    }
}

/// What one has and the other has not.
fn difference(one: &State, other: &State) -> String {
    let mut out = String::new();
    for path in one.keys().chain(other.keys()).collect::<BTreeSet<_>>() {
        let (here, there) = (one.get(path), other.get(path));
        if here != there {
            out.push_str(&format!("{path}:\n{here:#?}\ninstead of\n{there:#?}\n"));
        }
    }
    out
}

/// Every line of the log that can be read, without what differs from run to run.
fn events(store: &Scratch) -> Vec<Value> {
    let read = |line: &String| serde_json::from_str::<Value>(line).ok();
    let mut events: Vec<Value> = lines(store).iter().filter_map(read).collect();
    events.sort_by(|one, other| one["id"].as_str().cmp(&other["id"].as_str()));
    for event in &mut events {
        let varies = ["id", "at", "write", "before", "after"];
        event.as_object_mut().unwrap().retain(|key, _| !varies.contains(&key.as_str()));
    }
    events
}

fn lines(store: &Scratch) -> Vec<String> {
    let folder = store.store().join("events");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let texts = files.iter().map(|file| std::fs::read_to_string(file).unwrap());
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[track_caller]
fn assert_no_torn_line(store: &Scratch, when: &str) {
    let is_whole = |line: &String| serde_json::from_str::<Value>(line).is_ok();
    assert!(lines(store).iter().all(is_whole), "{when}: a torn line");
}

/// Days and instants are the clock's.
fn timeless(text: &str) -> String {
    let is_day = |at: &[u8]| {
        at.len() >= 10
            && at[..10].iter().enumerate().all(|(number, byte)| match number {
                4 | 7 => *byte == b'-',
                _ => byte.is_ascii_digit(),
            })
    };
    let (bytes, mut out, mut at) = (text.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        if is_day(&bytes[at..]) {
            at += 10;
            if bytes.get(at) == Some(&b'T') {
                at += bytes[at..].iter().position(|byte| *byte == b'Z').map_or(0, |end| end + 1);
            }
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(out).unwrap()
}

/// What `oldhand pending` knows by name.
fn waiting(store: &Scratch) -> Vec<String> {
    let listing = store.json(&["pending"]);
    let all = listing["pending"].as_array().unwrap_or_else(|| panic!("{listing}"));
    all.iter().map(|one| one["pending"].as_str().unwrap().to_owned()).collect()
}

fn state_of(store: &Scratch, id: &str) -> String {
    store.json(&["show", id])["state"].as_str().unwrap_or_default().to_owned()
}
