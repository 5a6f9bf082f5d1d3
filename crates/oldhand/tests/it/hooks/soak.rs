//! R521: a day of hooks in fast motion. Sessions come and go; memory, files and the CPU of a call stay what they were.
//! Ten calls are a session. Here it is a few minutes of such a day; `cargo xtask nightly` plays all of it.

use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::resource::{Usage, UsageWho, getrusage};
use serde_json::{Value, json};

use super::everyday::{PROMPTS, stage};
use super::stage::{Session, Stage};

const CALLS_PER_SESSION: usize = 10;
/// What is said once in so many sessions, and is worth keeping.
const TELLING_EVERY: usize = 50;
/// How often the gauges are read.
const CHECKPOINTS: usize = 10;

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

fn questions() -> Vec<String> {
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals/coding/queries.jsonl");
    let text = std::fs::read_to_string(set).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| row["text"].as_str().unwrap().to_owned()).collect()
}

/// One session as a host reports it, with a transcript that grows beside it.
fn play(session: &Session<'_>, number: usize, questions: &[String]) {
    let question = &questions[number % questions.len()];
    session.start("startup");
    session.person(question).prompt(question);
    session.before("Edit", json!({"file_path": format!("src/m{}/f.rs", number % 40)}));
    session.edits(&format!("src/m{}/f.rs", number % 40));
    session.before("Bash", json!({"command": "cargo test -p ledger"}));
    session.runs("cargo test -p ledger", Err("error: ledger shard fails with Kafka"));
    session.failed("Bash", "error: ledger shard fails with Kafka");
    session.before("Bash", json!({"command": "ls -la src"}));
    let everyday = PROMPTS[number % PROMPTS.len()];
    session.person(everyday).prompt(everyday);
    let last = match number % TELLING_EVERY {
        7 => format!("The endpoint {number} must never return more than {number} rows."),
        _ => "thanks, that is all for now".to_owned(),
    };
    session.person(&last).prompt(&last);
    session.agent_says("Done, the tests pass.");
    session.stop();
    session.end();
}

/// Files and bytes below a folder.
fn size(folder: &Path) -> (u64, u64) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().map(Result::unwrap);
    entries.fold((0, 0), |(files, bytes), entry| {
        let meta = entry.metadata().unwrap();
        let (more, size) = if meta.is_dir() { size(&entry.path()) } else { (1, meta.len()) };
        (files + more, bytes + size)
    })
}

fn cpu(usage: &Usage) -> f64 {
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1_000_000.0;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

fn resident_kib() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// A prompt in real processes, because that is what a host starts: milliseconds of CPU, and the most memory that any
/// of them has had so far.
fn processes(stage: &Stage, number: usize, question: &str) -> (f64, i64) {
    const RUNS: usize = 10;
    let before = cpu(&getrusage(UsageWho::RUSAGE_CHILDREN).unwrap());
    for run in 0..RUNS {
        let session = stage.session(&format!("process-{number}-{run}"));
        let payload = session.payload("UserPromptSubmit", json!({"prompt": question}));
        let output = stage.process("claude-code", payload.to_string().as_bytes());
        assert_eq!(output.status.code(), Some(0));
    }
    let after = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    ((cpu(&after) - before) * 1_000.0 / RUNS as f64, after.max_rss())
}

struct Gauge {
    resident_kib: u64,
    state_files: u64,
    state_bytes: u64,
}

/// Prints the gauges as one line that the nightly report reads.
fn gauge(stage: &Stage, (calls, milliseconds): (usize, f64), question: &str) -> Gauge {
    let (process, peak) = processes(stage, calls, question);
    let (state_files, state_bytes) = size(&stage.state_folder());
    let (store_files, store_bytes) = size(&stage.scratch.store());
    let (cache_files, cache_bytes) = size(&stage.home().join(".cache"));
    let resident = resident_kib();
    let line = json!({
        "calls": calls, "cpu_ms": milliseconds, "process_cpu_ms": process, "process_peak_kib": peak,
        "resident_kib": resident, "state_files": state_files, "state_bytes": state_bytes,
        "store_files": store_files, "store_bytes": store_bytes,
        "cache_files": cache_files, "cache_bytes": cache_bytes,
    });
    println!("soak: {line}");
    Gauge { resident_kib: resident, state_files, state_bytes }
}

#[test]
fn a_day_of_hooks_leaves_no_trace_but_what_was_said() {
    let sessions = number("OLDHAND_SOAK", 20);
    let limit = Duration::from_secs(number("OLDHAND_SOAK_SECONDS", 86_400) as u64);
    let (questions, mut stage, begun) = (questions(), stage(), Instant::now());
    let midnight = stage.scratch.now;
    let mut gauges = Vec::new();
    let mut done = 0;
    for part in 0..CHECKPOINTS {
        let (from, before) = (done, cpu(&getrusage(UsageWho::RUSAGE_SELF).unwrap()));
        while done < sessions * (part + 1) / CHECKPOINTS && begun.elapsed() < limit {
            let second = 86_400 * done as i64 / sessions as i64;
            stage.scratch.now = midnight + jiff::SignedDuration::from_secs(second);
            play(&stage.session(&format!("day-{done}")), done, &questions);
            done += 1;
        }
        let calls = (done - from) * CALLS_PER_SESSION;
        if calls == 0 {
            break;
        }
        let used = cpu(&getrusage(UsageWho::RUSAGE_SELF).unwrap()) - before;
        let each = used * 1_000.0 / calls as f64;
        gauges.push(gauge(&stage, (done * CALLS_PER_SESSION, each), &questions[part]));
    }
    let (first, last) = (&gauges[0], gauges.last().unwrap());
    // A call frees what it took. The allocator keeps some.
    assert!(last.resident_kib < first.resident_kib + 64 * 1024, "memory grows");
    let each = |all: u64| all as f64 / done as f64;
    assert!(each(last.state_files) < 16.0, "{} files", last.state_files);
    assert!(each(last.state_bytes) < 100.0 * 1024.0, "{} bytes", last.state_bytes);
    assert!(stage.log().iter().all(|line| line["trouble"] == false), "trouble in the hook log");
    assert_eq!(stage.scratch.json(&["doctor"])["findings"], json!([]));
    let told = done / TELLING_EVERY + usize::from(done % TELLING_EVERY > 7);
    let kept = stage.candidates().iter().filter(|id| id.starts_with("the-endpoint-")).count();
    assert_eq!(kept, told, "a rule that was said is kept once");
}
