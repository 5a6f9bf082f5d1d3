//! How fast, how large, and does it grow: ratios taken in one run, beside references on the same
//! machine and the same disk. Medians, because machines are noisy; numbers, not verdicts.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::failure::{Failure, refuse_arguments};
use crate::process::{self, cargo};

mod beside;
mod hooks;
mod imports;
mod lists;
mod mcp;
pub(crate) mod measure;
mod recall;
mod sessions;
mod store;
mod ui;

pub(crate) use measure::print_usage;
use measure::{acknowledged, baseline_write, finished, median, usage};
use store::Store;

const RUNS: usize = 41;

/// What a developer may say behind the name of the benchmark.
struct Options {
    largest: usize,
    /// A folder with real conversations.
    transcripts: Option<PathBuf>,
    /// How long many clients ask at once.
    seconds: u64,
    /// A program that is there already, instead of a build of this tree.
    program: Option<PathBuf>,
    /// Another one, to be run in turn with it.
    beside: Option<PathBuf>,
}

fn options(mut arguments: &[String]) -> Result<Options, Failure> {
    let (transcripts, program, beside) = (None, None, None);
    let mut options = Options { largest: 10_000, transcripts, seconds: 10, program, beside };
    while let [flag, rest @ ..] = arguments {
        arguments = match (flag.as_str(), rest) {
            ("--large", rest) => {
                options.largest = 100_000;
                rest
            }
            ("--transcripts", [folder, rest @ ..]) => {
                options.transcripts = Some(PathBuf::from(folder));
                rest
            }
            ("--seconds", [number, rest @ ..]) => {
                let wrong = || Failure::new(format!("`--seconds {number}`: expected a number"));
                options.seconds = number.parse().map_err(|_| wrong())?;
                rest
            }
            ("--beside", [file, rest @ ..]) => {
                options.beside = Some(std::path::absolute(file)?);
                rest
            }
            ("--program", [file, rest @ ..]) => {
                options.program = Some(std::path::absolute(file)?);
                rest
            }
            _ => {
                refuse_arguments(arguments)?;
                rest
            }
        };
    }
    Ok(options)
}

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    if let [first, rest @ ..] = arguments
        && first == "team"
    {
        return team(root, rest);
    }
    let (part, arguments) = match arguments {
        [first, rest @ ..] if !first.starts_with('-') => (first.as_str(), rest),
        all => ("", all),
    };
    let options = options(arguments)?;
    let program = match &options.program {
        Some(program) => program.clone(),
        None => {
            process::run(cargo(root, &["build", "--release"]))?;
            root.join("target/release/oldhand")
        }
    };
    // On the disk of the repository: a folder in memory would say nothing about syncing.
    fs::create_dir_all(root.join("target"))?;
    let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(root.join("target"))?;
    match part {
        "beside" => {
            let other = options
                .beside
                .ok_or_else(|| Failure::new("`--beside FILE` names the other program"))?;
            return beside::bench(&program, &other, folder.path());
        }
        "recall" => return recall::bench(&program, folder.path(), options.largest),
        "hooks" => return hooks::bench(&program, folder.path(), options.largest),
        "imports" => return imports::bench(&program, folder.path(), options.largest),
        "lists" => return lists::bench(&program, folder.path(), options.largest),
        "sessions" => {
            return sessions::bench(&program, folder.path(), options.transcripts.as_deref());
        }
        "ui" => return ui::bench(&program, folder.path(), options.largest),
        "mcp" => return mcp::bench(&program, folder.path(), options.seconds),
        "" => {}
        other => return Err(Failure::new(format!("no benchmark is called `{other}`"))),
    }
    println!("medians of {RUNS} runs, milliseconds; ratios are what to look at\n");
    bench_writes(&program, folder.path())?;
    bench_reads(&program, folder.path())?;
    bench_bulk(&program, folder.path())?;
    bench_growth(&program, folder.path(), options.largest)
}

/// An example of the store measures it: it needs a client of PostgreSQL.
fn team(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let build = ["build", "--profile", "ci", "-p", "oldhand", "-p", "oldhand-team", "--bins"];
    process::run(cargo(root, &build))?;
    let run = ["run", "--profile", "ci", "-p", "oldhand-pg", "--example", "bench", "--"];
    let mut command = cargo(root, &run);
    command.args(arguments);
    process::run(command)
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// `remember` from process start to the acknowledgement, against the disk's own create, fsync,
/// rename, fsync of the same bytes.
fn bench_writes(program: &Path, folder: &Path) -> Result<(), Failure> {
    let store = Store::new(program, folder, "writes", 1_000)?;
    let bytes = store.sample_bytes()?;
    let (mut ours, mut disk, mut truth) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..RUNS {
        disk.push(baseline_write(&store.folder, number, &bytes)?);
        let text = format!("Bench fact {number} is written down");
        ours.push(acknowledged(store.command(&["remember", "--kind", "reference", &text]))?);
        truth.push(finished(std::process::Command::new("/bin/true"))?);
    }
    let (ours, disk, truth) = (ms(median(ours)), ms(median(disk)), ms(median(truth)));
    println!("write one memory ({} bytes, store of 1,000)", bytes.len());
    println!("  remember, start to acknowledged     {ours:8.2}");
    println!("  create, fsync, rename, fsync        {disk:8.2}   ratio {:.2}", ours / disk);
    println!("  /bin/true                           {truth:8.2}   ratio {:.2}", ours / truth);
    println!(
        "  target 2 x disk + 3 ms              {:8.2}   {}\n",
        2.0 * disk + 3.0,
        if ours <= 2.0 * disk + 3.0 { "held" } else { "missed" }
    );
    Ok(())
}

/// `show` and `list` against `/bin/true` and `grep -r` over the same files.
fn bench_reads(program: &Path, folder: &Path) -> Result<(), Failure> {
    for count in [1_000, 10_000] {
        let store = Store::new(program, folder, &format!("reads-{count}"), count)?;
        let (mut show, mut list, mut grep, mut truth) = (vec![], vec![], vec![], vec![]);
        for _ in 0..RUNS {
            show.push(finished(store.command(&["show", "fact-number-7"]))?);
            list.push(finished(store.command(&["list"]))?);
            let mut command = std::process::Command::new("grep");
            command.args(["-r", "zzzz", ".oldhand"]).current_dir(&store.folder);
            grep.push(finished(command)?);
            truth.push(finished(std::process::Command::new("/bin/true"))?);
        }
        let [show, list, grep, truth] = [show, list, grep, truth].map(|times| ms(median(times)));
        println!("read a store of {count}");
        println!("  show      {show:8.2}   {:5.1} x /bin/true", show / truth);
        println!(
            "  list      {list:8.2}   {:5.1} x /bin/true   {:.2} x grep -r",
            list / truth,
            list / grep
        );
        println!("  grep -r   {grep:8.2}");
        println!("  /bin/true {truth:8.2}");
        let peak = |args: &[&str]| usage(&store.command(args)).map(|used| used.peak_kib / 1024);
        println!(
            "  peak memory: show {} MiB, list {} MiB\n",
            peak(&["show", "fact-number-7"])?,
            peak(&["list"])?
        );
    }
    Ok(())
}

/// Bulk import in memories per second, against plain file writes that sync nothing.
fn bench_bulk(program: &Path, folder: &Path) -> Result<(), Failure> {
    let count = 10_000;
    let store = Store::empty(program, folder, "bulk")?;
    let records = store::records(0..count);
    fs::write(store.folder.join("records.jsonl"), &records)?;
    let ours = finished(store.command(&["import", "records.jsonl"]))?;
    let plain = plain_writes(&folder.join("plain"), &store.sample_bytes()?, count)?;
    let rate = |time: Duration| count as f64 / time.as_secs_f64();
    println!("bulk import of {count}");
    println!("  import, durable        {:8.0} memories/s", rate(ours));
    println!(
        "  plain unsynced writes  {:8.0} files/s      ratio {:.2}\n",
        rate(plain),
        rate(plain) / rate(ours)
    );
    Ok(())
}

fn plain_writes(folder: &Path, bytes: &[u8], count: usize) -> Result<Duration, Failure> {
    fs::create_dir(folder)?;
    let start = std::time::Instant::now();
    for number in 0..count {
        fs::write(folder.join(format!("{number}.md")), bytes)?;
    }
    Ok(start.elapsed())
}

/// The same write on stores of growing size.
fn bench_growth(program: &Path, folder: &Path, largest: usize) -> Result<(), Failure> {
    println!("one write as the store grows (CPU of the whole process, and start to acknowledged)");
    let mut count = 100;
    while count <= largest {
        let store = Store::new(program, folder, &format!("growth-{count}"), count)?;
        let (mut create, mut update, mut cpu) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..RUNS {
            let text = format!("Growth fact {number} is written down");
            create.push(acknowledged(store.command(&["remember", "--kind", "reference", &text]))?);
            let tag = format!("tag{number}");
            update.push(acknowledged(store.command(&[
                "update",
                "fact-number-7",
                "--description",
                &tag,
            ]))?);
            let text = format!("Another growth fact {number} is written");
            cpu.push(usage(&store.command(&["remember", "--kind", "reference", &text]))?.cpu);
        }
        let [create, update, cpu] = [create, update, cpu].map(|times| ms(median(times)));
        println!(
            "  {count:7} memories   remember {create:7.2}   update {update:7.2}   remember CPU {cpu:6.2}"
        );
        count *= 10;
    }
    Ok(())
}

fn path_text(path: &Path) -> String {
    PathBuf::from(path).display().to_string()
}
