//! The tests of `crates/oldhand/tests/it` that CI runs small: kills, power cuts, races and the soak, round after round.
//! A round has a number, and the tests make other stores and other crashes of it.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::Night;
use super::children::{End, run_until, tail};
use super::record::Record;
use crate::failure::Failure;
use crate::process::{capture, cargo};

const KILL_POINTS: u64 = 10_000;
const CRASH_STATES: u64 = 1_000_000;
const HOOK_CALLS: u64 = 100_000;
/// After so many the part has shown what there is to see.
const FINDINGS_MAX: usize = 5;

/// The test binary, optimised.
pub(super) fn build(night: &Night) -> Result<(), Failure> {
    let words = [
        "test",
        "-p",
        "oldhand",
        "--test",
        "it",
        "--profile",
        "ci",
        "--no-run",
        "--message-format=json",
    ];
    let output = capture(cargo(&night.root, &words))?;
    let messages = output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs = messages
        .filter(|it| it["target"]["name"] == "it")
        .filter_map(|it| it["executable"].as_str().map(str::to_owned));
    let path = programs.next().ok_or_else(|| Failure::new("cargo names no test binary"))?;
    night.keep(Path::new(&path), "it")
}

pub(super) fn kill(night: &Night, record: &mut Record) -> Result<(), Failure> {
    (record.unit, record.goal) = ("kills", Some(KILL_POINTS));
    record.notes.push(
        "Each round has other stores: more memories, a view or none, imports of other sizes."
            .to_owned(),
    );
    rounds(night, record, &Sweep { filter: &["kill"], counted: "points", rounds_max: u64::MAX })
}

pub(super) fn crash(night: &Night, record: &mut Record) -> Result<(), Failure> {
    (record.unit, record.goal) = ("states", Some(CRASH_STATES));
    rounds(
        night,
        record,
        &Sweep { filter: &["crash::", "power::"], counted: "crash states", rounds_max: u64::MAX },
    )
}

/// Sixteen processes at once; a round is 4,000 of each kind.
pub(super) fn race(night: &Night, record: &mut Record) -> Result<(), Failure> {
    record.unit = "processes";
    rounds(night, record, &Sweep { filter: &["race::"], counted: "processes", rounds_max: 1 })
}

struct Sweep {
    filter: &'static [&'static str],
    /// The word behind the number that a test prints.
    counted: &'static str,
    rounds_max: u64,
}

fn rounds(night: &Night, record: &mut Record, sweep: &Sweep) -> Result<(), Failure> {
    let mut round = 0;
    while !record.is_done() && !night.left().is_zero() && round < sweep.rounds_max {
        round += 1;
        let log =
            night.folder.join(format!("{}-{round}.log", sweep.filter[0].trim_end_matches(':')));
        let mut command = test(night, sweep.filter);
        command.env("OLDHAND_ROUND", round.to_string());
        let end = run_until(command, night.until, &log)?;
        record.tried += counted(&log, sweep.counted)?;
        // What failed before the time was over failed too.
        let is_failed = match end {
            End::Exited(status) => !status.success(),
            End::Stopped => tests_failed(&log)?,
        };
        if is_failed {
            record.findings.push(format!("round {round}: {}", failed(&log)?));
        }
        record.save()?;
        if record.findings.len() >= FINDINGS_MAX {
            break;
        }
    }
    record.notes.push(format!("Rounds: {round}."));
    Ok(())
}

/// One thread: the parts beside it need the other core.
fn test(night: &Night, filter: &[&str]) -> Command {
    let mut command = Command::new(night.bin("it"));
    command
        .args(filter)
        .args(["--nocapture", "--test-threads=1"])
        .current_dir(night.root.join("crates/oldhand"));
    command
}

/// The sum of all numbers before the word.
fn counted(log: &Path, word: &str) -> Result<u64, Failure> {
    let text = String::from_utf8_lossy(&std::fs::read(log)?).into_owned();
    // A test's name and a dot may stand before it on the same line.
    let before = text.lines().filter_map(|line| line.split_once(&format!(" {word}")));
    Ok(before.filter_map(|(before, _)| before.rsplit(' ').next()?.parse::<u64>().ok()).sum())
}

fn tests_failed(log: &Path) -> Result<bool, Failure> {
    Ok(String::from_utf8_lossy(&std::fs::read(log)?).contains("panicked at"))
}

/// The names of the tests that failed, and what they said.
fn failed(log: &Path) -> Result<String, Failure> {
    let text = String::from_utf8_lossy(&std::fs::read(log)?).into_owned();
    let said: Vec<&str> =
        text.lines().skip_while(|line| !line.contains("panicked at")).take(4).collect();
    if said.is_empty() { tail(log) } else { Ok(said.join("\n").chars().take(1_500).collect()) }
}

pub(super) fn soak(night: &Night, record: &mut Record) -> Result<(), Failure> {
    (record.unit, record.goal) = ("hook calls", Some(HOOK_CALLS));
    let log = night.folder.join("soak.log");
    let mut command = test(night, &["soak::"]);
    command.env("OLDHAND_SOAK", (HOOK_CALLS / 10).to_string());
    // It stops by itself, and checks what it left.
    command.env("OLDHAND_SOAK_SECONDS", (night.left().as_secs() * 9 / 10).to_string());
    let end = run_until(command, night.until, &log)?;
    let text = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
    let lines = text.lines().filter_map(|line| line.split_once("soak: "));
    let gauges: Vec<Value> =
        lines.filter_map(|(_, json)| serde_json::from_str(json).ok()).collect();
    record.tried = gauges.last().and_then(|it| it["calls"].as_u64()).unwrap_or(0);
    record.table = table(&gauges);
    match end {
        End::Exited(status) if !status.success() => record.findings.push(failed(&log)?),
        End::Exited(_) => {}
        End::Stopped => {
            record.notes.push("Stopped before its end: what it left was not checked.".to_owned())
        }
    }
    Ok(())
}

fn table(gauges: &[Value]) -> Vec<Vec<String>> {
    let header = [
        "calls",
        "CPU per call, ms",
        "CPU of a prompt's process, ms",
        "largest process, MiB",
        "memory of the test, MiB",
        "state: files",
        "MiB",
        "store: files",
        "MiB",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for gauge in gauges {
        let number = |name: &str| gauge[name].as_f64().unwrap_or(0.0);
        let mib = |name: &str, unit: f64| format!("{:.1}", number(name) / unit);
        rows.push(vec![
            number("calls").to_string(),
            format!("{:.2}", number("cpu_ms")),
            format!("{:.2}", number("process_cpu_ms")),
            mib("process_peak_kib", 1024.0),
            mib("resident_kib", 1024.0),
            number("state_files").to_string(),
            mib("state_bytes", 1_048_576.0),
            number("store_files").to_string(),
            mib("store_bytes", 1_048_576.0),
        ]);
    }
    rows
}
