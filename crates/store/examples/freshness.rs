//! How long a check of freshness takes: ten memories with thirty paths in a repository of 20,000
//! commits, cold and when nothing changed, beside one plain `git rev-parse`. Numbers, not verdicts.
//!
//! `cargo run --release -p oldhand-local --example freshness [commits]`
#![expect(clippy::print_stdout, reason = "the numbers are its output")]

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use oldhand_core::fresh::{Answers, PathQuestion, SEEN_DIGITS};
use oldhand_store::history::GitHistory;
use oldhand_store::port::CodeHistory;

const FILES: usize = 3_000;
const FILES_PER_FOLDER: usize = 20;
const RUNS: u32 = 21;
const WAIT: Duration = Duration::from_secs(60);
/// The last commit, and one every two hours before it.
const NEWEST: i64 = 1_790_000_000;
const STEP_SECONDS: i64 = 2 * 60 * 60;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let commits = std::env::args().nth(1).map_or(Ok(20_000), |count| count.parse())?;
    let folder = std::env::temp_dir().join(format!("oldhand-freshness-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let measured = measure(&folder, commits);
    std::fs::remove_dir_all(&folder)?;
    measured
}

fn measure(folder: &Path, commits: usize) -> Outcome<()> {
    let root = folder.join("repository");
    generate(&root, commits)?;
    let paths = paths();
    let history = |cache: Option<PathBuf>| GitHistory {
        root: root.clone(),
        search_path: std::env::var_os("PATH"),
        cache,
    };
    println!("{commits} commits, {FILES} files, {} paths; medians of {RUNS}, ms\n", paths.len());
    println!("{:44} {:>8} {:>8}", "", "wall", "cpu");
    report("git rev-parse HEAD", || {
        let mut command = Command::new("git");
        command.arg("-C").arg(&root).args(["rev-parse", "HEAD"]).stdout(Stdio::null());
        Ok(command.status().map(|_| ())?)
    })?;
    let ids = history(None).snapshot(&paths, WAIT).ids;
    report("record the ids of 3 paths (a write)", || {
        history(None).snapshot(&paths[..3], WAIT);
        Ok(())
    })?;
    for days in [30, 180, 1_500] {
        let none = questions(&paths, days, &[]);
        report(&format!("cold, nothing recorded, since {days} days"), || {
            ask(&history(None), &none)
        })?;
        let mut some = questions(&paths, days, &ids);
        for question in some.iter_mut().take(3) {
            question.seen = Some("0".repeat(SEEN_DIGITS));
        }
        report(&format!("cold, 3 of 30 changed, since {days} days"), || {
            ask(&history(None), &some)
        })?;
    }
    let all = questions(&paths, 1_500, &ids);
    report("cold, everything recorded and unchanged", || ask(&history(None), &all))?;
    // The times of files that were just written can't be relied on.
    std::thread::sleep(Duration::from_secs(3));
    let cached = history(Some(folder.join("cache")));
    let none = questions(&paths, 1_500, &[]);
    ask(&cached, &none)?;
    report("nothing changed since the last check", || ask(&cached, &none))?;
    // The commit is part of the measured time, so it is measured alone as well.
    let commit = || {
        let name = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
        git(&root, &[&name[..], &["commit", "-q", "--allow-empty", "-m", "x"]].concat())
    };
    report("git commit", commit)?;
    report("git commit, and the check after it", || {
        commit()?;
        ask(&cached, &none)
    })
}

fn ask(history: &GitHistory, questions: &[PathQuestion]) -> Outcome<()> {
    match history.ask(questions, WAIT) {
        Answers::Given(given) if given.incomplete.is_none() => Ok(()),
        other => Err(format!("no answer: {other:?}").into()),
    }
}

/// 24 files and 6 folders, all over the tree.
fn paths() -> Vec<String> {
    let files = (0..24).map(|number| file(number * 119 % FILES));
    let folders = (0..6).map(|number| format!("src/part{}", number * 17));
    files.chain(folders).collect()
}

fn file(number: usize) -> String {
    format!("src/part{}/file{number}.rs", number / FILES_PER_FOLDER)
}

fn questions(paths: &[String], days: i64, ids: &[Option<String>]) -> Vec<PathQuestion> {
    let since = jiff::Timestamp::from_second(NEWEST - days * 86_400).unwrap_or_default();
    let seen = |at: usize| ids.get(at).cloned().flatten().map(|id| id[..SEEN_DIGITS].to_owned());
    let ask =
        |(at, path): (usize, &String)| PathQuestion { path: path.clone(), since, seen: seen(at) };
    paths.iter().enumerate().map(ask).collect()
}

/// Wall time by the clock, CPU of this process and its children by the system's own account, whose
/// unit is coarse: it is the mean of all runs.
fn report(what: &str, mut job: impl FnMut() -> Outcome<()>) -> Outcome<()> {
    job()?;
    let mut times = Vec::new();
    let before = cpu_ticks()?;
    for _ in 0..RUNS {
        let start = Instant::now();
        job()?;
        times.push(start.elapsed());
    }
    let cpu = (cpu_ticks()? - before) as f64 * 10.0 / f64::from(RUNS);
    times.sort();
    let wall = times[times.len() / 2].as_secs_f64() * 1000.0;
    println!("{what:44} {wall:8.2} {cpu:8.1}");
    Ok(())
}

/// Hundredths of a second, children included; Linux.
fn cpu_ticks() -> Outcome<u64> {
    let text = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> =
        text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let sum: u64 = fields.iter().skip(11).take(4).filter_map(|word| word.parse::<u64>().ok()).sum();
    Ok(sum)
}

/// Every commit changes three files, chosen by a fixed sequence.
fn generate(root: &Path, commits: usize) -> Outcome<()> {
    std::fs::create_dir_all(root)?;
    git(root, &["init", "-q", "-b", "main", "--template="])?;
    let mut import = Command::new("git")
        .current_dir(root)
        .args(["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()?;
    let mut stdin = import.stdin.take().ok_or("no standard input")?;
    let mut random = 42_u64;
    for commit in 0..commits {
        let at = NEWEST - (commits - 1 - commit) as i64 * STEP_SECONDS;
        let mut text = format!(
            "commit refs/heads/main\ncommitter Ada <ada@example.org> {at} +0000\ndata 1\nx\n"
        );
        let numbers: Vec<usize> = if commit == 0 {
            (0..FILES).collect()
        } else {
            (0..3).map(|_| next(&mut random) % FILES).collect()
        };
        for number in numbers {
            let body = format!("file {number} as of commit {commit}\n").repeat(8);
            writeln!(text, "M 100644 inline {}", file(number))?;
            writeln!(text, "data {}\n{body}", body.len())?;
        }
        stdin.write_all(text.as_bytes())?;
    }
    drop(stdin);
    if !import.wait()?.success() {
        return Err("fast-import failed".into());
    }
    git(root, &["reset", "-q", "--hard"])
}

fn next(random: &mut u64) -> usize {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*random >> 33) as usize
}

fn git(root: &Path, args: &[&str]) -> Outcome<()> {
    let status = Command::new("git").current_dir(root).args(args).status()?;
    if status.success() { Ok(()) } else { Err(format!("git {} failed", args.join(" ")).into()) }
}
