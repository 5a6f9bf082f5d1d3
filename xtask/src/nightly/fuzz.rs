//! Every reader of foreign input under libFuzzer, which follows the program's branches. The stable compiler can add
//! what it needs: the instrumentation is a pass of LLVM, and libFuzzer comes with the crate.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::Night;
use super::children::{End, run_until, tail};
use super::record::Record;
use crate::failure::Failure;
use crate::process::{capture, cargo, program};

/// Overflows and broken assertions are findings too.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions -Coverflow-checks";
/// libFuzzer goes by the clock. On a busy machine, inputs that take 40 ms of CPU have waited for more than ten seconds.
const TIMEOUT_SECONDS: u32 = 60;
/// A target that fails at once would do nothing else all night.
const FINDINGS_MAX: usize = 5;

pub(super) fn build(night: &Night) -> Result<(), Failure> {
    let version = capture(program(&night.root, "rustc", &["-vV"]))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let words = [
        "build",
        "--profile",
        "ci",
        "-p",
        "oldhand-fuzz",
        "--features",
        "libfuzzer",
        "--bins",
        // With a target, programs that run during the build are not instrumented.
        "--target",
        host,
        "--target-dir",
    ];
    let folder = night.folder.join("fuzz-target");
    let mut command = cargo(&night.root, &words);
    command.arg(&folder).env("RUSTFLAGS", FLAGS);
    capture(command)?;
    for name in targets(night)? {
        night.keep(&folder.join(host).join("ci").join(&name), &name)?;
    }
    Ok(())
}

fn targets(night: &Night) -> Result<Vec<String>, Failure> {
    let entries = std::fs::read_dir(night.root.join("fuzz/seeds"))?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

pub(super) fn run(night: &Night, record: &mut Record) -> Result<(), Failure> {
    record.unit = "inputs";
    let header =
        ["reader", "inputs", "corpus before", "after", "branches seen", "found", "minutes"];
    record.table.push(header.map(str::to_owned).to_vec());
    let names = targets(night)?;
    for (at, name) in names.iter().enumerate() {
        let left = u32::try_from(names.len() - at).unwrap_or(1);
        fuzz(night, record, name, Instant::now() + night.left() / left)?;
        record.save()?;
    }
    Ok(())
}

fn fuzz(night: &Night, record: &mut Record, name: &str, until: Instant) -> Result<(), Failure> {
    let begun = Instant::now();
    let corpus = night.root.join("fuzz/corpus").join(name);
    std::fs::create_dir_all(&corpus)?;
    let before = count(&corpus)?;
    let (mut inputs, mut branches, mut findings) = (0, 0, 0);
    let log = night.folder.join(format!("fuzz-{name}.log"));
    while findings < FINDINGS_MAX {
        let seconds = until.saturating_duration_since(Instant::now()).as_secs();
        if seconds < 2 {
            break;
        }
        let command = libfuzzer(night, name, &corpus, seconds);
        let end = run_until(command, until + Duration::from_secs(60), &log)?;
        let text = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
        inputs += numbers(&text, "stat::number_of_executed_units:").max().unwrap_or(0);
        branches = branches.max(numbers(&text, " cov:").max().unwrap_or(0));
        match end {
            End::Exited(status) if status.success() => break,
            End::Stopped => break,
            End::Exited(_) => {
                findings += 1;
                let below = format!("{}/", night.folder.display());
                record.findings.push(format!("{name}: {}", said(&text, &log)?.replace(&below, "")));
            }
        }
    }
    record.tried += inputs;
    let minutes = format!("{:.1}", begun.elapsed().as_secs_f64() / 60.0);
    let row = [inputs, before, count(&corpus)?, branches, findings as u64].map(|it| it.to_string());
    record.table.push([&[name.to_owned()][..], &row, &[minutes]].concat());
    Ok(())
}

fn libfuzzer(night: &Night, name: &str, corpus: &Path, seconds: u64) -> Command {
    let found: PathBuf = night.folder.join("found").join(format!("{name}-"));
    // libFuzzer does not make it.
    let _ = std::fs::create_dir_all(night.folder.join("found"));
    let mut command = Command::new(night.bin(name));
    command
        .arg(corpus)
        .arg(night.root.join("fuzz/seeds").join(name))
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-timeout={TIMEOUT_SECONDS}"))
        .arg(format!("-artifact_prefix={}", found.display()))
        .args(["-rss_limit_mb=2048", "-print_final_stats=1"])
        .current_dir(&night.folder);
    command
}

fn count(folder: &Path) -> Result<u64, Failure> {
    Ok(std::fs::read_dir(folder)?.count() as u64)
}

fn numbers(text: &str, behind: &str) -> impl Iterator<Item = u64> {
    text.lines()
        .filter_map(move |line| line.split_once(behind)?.1.split_whitespace().next()?.parse().ok())
}

/// The panic, and where libFuzzer put the input.
fn said(text: &str, log: &Path) -> Result<String, Failure> {
    let is_telling = |line: &&str| {
        ["panicked at", "ERROR: libFuzzer", "Test unit written"].iter().any(|it| line.contains(it))
    };
    let lines: Vec<&str> = text.lines().filter(is_telling).collect();
    if lines.is_empty() { tail(log) } else { Ok(lines.join("\n").chars().take(1_500).collect()) }
}
