//! Coming back, notes and compaction: CPU of the process beside `/bin/true`, and whether every answer
//! keeps to its budget, on stores that grow and on real conversations where a folder of them is named.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::hooks::{TRANSCRIPT_BYTES, least, ms, records, transcript};
use super::measure::{acknowledged, baseline_write, median, usage};
use super::store::Store;
use crate::failure::Failure;
use crate::process;

const NOTES: usize = 21;

pub(super) fn bench(program: &Path, folder: &Path, real: Option<&Path>) -> Result<(), Failure> {
    println!("sessions, CPU milliseconds of the process (least of 15 runs)");
    let truth = least(&mut || usage(&Command::new("/bin/true")).map(|used| ms(used.cpu)))?;
    println!("  {:30} {truth:7.2}", "/bin/true");
    for count in [10, 100, 1_000, 10_000] {
        bench_store(program, folder, count, truth)?;
    }
    bench_long(program, folder, truth)?;
    match real {
        Some(real) => bench_real(program, folder, real),
        None => Ok(()),
    }
}

fn bench_store(program: &Path, folder: &Path, count: usize, truth: f64) -> Result<(), Failure> {
    let store = Store::empty(program, folder, &format!("sessions-{count}"))?;
    fs::write(store.folder.join("records.jsonl"), records(count))?;
    process::run(store.command(&["import", "records.jsonl"]))?;
    process::run(store.command(&["reindex"]))?;
    println!("at {count} memories");
    let task = ["resume", "--task", "validate the invoice before the ledger is written"];
    let commands: [(&str, &[&str]); 4] = [
        ("resume", &["resume"]),
        ("resume for a task", &task),
        ("anchor", &["anchor", "--objective", "Validate every invoice", "--plan", "look"]),
        ("note", &["note", "done", "wrote the parser"]),
    ];
    for (name, words) in commands {
        let cpu = least(&mut || Ok(ms(usage(&store.command(words))?.cpu)))?;
        println!("  {name:30} {cpu:7.2}   {:5.1} x /bin/true", cpu / truth);
    }
    for words in [&["resume", "--json"] as &[&str], &["resume", "--json", "--task", task[2]]] {
        let answer = answer(&store, words)?;
        let (used, limit) = (number(&answer, "\"used\":"), number(&answer, "\"limit\":"));
        println!("  {:30} {used} of {limit} tokens{}", words.join(" "), over(used, limit));
    }
    let (mut ours, mut disk) = (Vec::new(), Vec::new());
    let line = vec![b'x'; 120];
    for at in 0..NOTES {
        disk.push(baseline_write(&store.folder, at, &line)?);
        ours.push(acknowledged(store.command(&["note", "done", &format!("step {at}")]))?);
    }
    let (ours, disk) = (ms(median(ours)), ms(median(disk)));
    println!(
        "  {:30} {ours:7.2}   {:5.1} x create, fsync, rename, fsync",
        "note, acknowledged",
        ours / disk
    );
    Ok(())
}

fn bench_long(program: &Path, folder: &Path, truth: f64) -> Result<(), Failure> {
    let store = Store::empty(program, folder, "long")?;
    fs::write(store.folder.join("session.jsonl"), transcript())?;
    println!("a conversation of {} MiB", TRANSCRIPT_BYTES / 1024 / 1024);
    for words in [&["compact", "session.jsonl"] as &[&str], &["window", "session.jsonl"]] {
        let cpu = least(&mut || Ok(ms(usage(&store.command(words))?.cpu)))?;
        println!("  {:30} {cpu:7.2}   {:5.1} x /bin/true", words[0], cpu / truth);
    }
    Ok(())
}

/// Every real conversation through the program: how many answers are over their budget.
fn bench_real(program: &Path, folder: &Path, real: &Path) -> Result<(), Failure> {
    let store = Store::empty(program, folder, "real")?;
    let (mut count, mut faults) = (0, 0);
    let mut all = String::new();
    for path in transcripts(real)? {
        let text = if path.extension().is_some_and(|it| it == "gz") {
            let output = Command::new("gzip").arg("-dc").arg(&path).output()?;
            output.stdout
        } else {
            fs::read(&path)?
        };
        fs::write(store.folder.join("one.jsonl"), &text)?;
        count += 1;
        for words in
            [&["compact", "one.jsonl", "--json"] as &[&str], &["window", "one.jsonl", "--json"]]
        {
            let answer = answer(&store, words)?;
            let (used, limit) = match words[0] {
                "compact" => (number(&answer, "\"after_tokens\":"), number(&answer, "\"budget\":")),
                _ => (first_number(&answer, "\"tokens\":"), 8_500),
            };
            if used > limit || used == 0 {
                faults += 1;
                println!("  {} of {}: {used} of {limit}", words[0], path.display());
            }
        }
        if all.len() < TRANSCRIPT_BYTES {
            all.push_str(&String::from_utf8_lossy(&text));
        }
    }
    println!("real conversations: {count}, answers over their budget or empty: {faults}");
    fs::write(store.folder.join("all.jsonl"), &all)?;
    let cpu = least(&mut || Ok(ms(usage(&store.command(&["compact", "all.jsonl"]))?.cpu)))?;
    println!("  {:30} {cpu:7.2}   ({} bytes of them put together)", "compact", all.len());
    Ok(())
}

fn transcripts(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".jsonl.gz")
                || name.ends_with(".jsonl") && !name.contains("manifest")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn answer(store: &Store, words: &[&str]) -> Result<String, Failure> {
    let mut command = store.command(words);
    command.stdout(std::process::Stdio::piped());
    let output = command.output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The last number behind these words: the whole comes after its parts.
fn number(answer: &str, words: &str) -> usize {
    answer.rfind(words).map_or(0, |at| first_number(&answer[at..], words))
}

fn first_number(answer: &str, words: &str) -> usize {
    let Some(at) = answer.find(words) else { return 0 };
    let digits = answer[at + words.len()..].chars().take_while(char::is_ascii_digit);
    digits.collect::<String>().parse().unwrap_or(0)
}

fn over(used: usize, limit: usize) -> &'static str {
    if used > limit { "   OVER" } else { "" }
}
