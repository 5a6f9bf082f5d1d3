//! One page of a large store, and one write into it: CPU of the process beside `/bin/true`, with
//! nothing there and with ten thousand memories and as many candidates.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::hooks::{least, ms};
use super::measure::usage;
use super::store::Store;
use crate::failure::Failure;
use crate::process;

const TARGET_MS: f64 = 15.0;

pub(super) fn bench(program: &Path, folder: &Path, largest: usize) -> Result<(), Failure> {
    println!("pages and writes, CPU milliseconds of the process (least of several runs)");
    let truth = least(&mut || usage(&Command::new("/bin/true")).map(|used| ms(used.cpu)))?;
    println!("  {:34} {truth:7.2}", "/bin/true");
    let mut counts = vec![(0, 0), (0, 10_000), (10_000, 10_000)];
    if largest > 10_000 {
        counts.push((largest, 0));
    }
    for (memories, candidates) in counts {
        let store = filled(program, folder, memories, candidates)?;
        println!("{memories} memories, {candidates} candidates");
        // What an import or a clone costs the first list, once.
        let first = usage(&store.command(&["list"]))?;
        println!("  {:34} {:7.2}   {} MiB", "the first list", ms(first.cpu), first.peak_kib / 1024);
        // A list takes no more than 20,000 files into the index; this does.
        process::run(store.command(&["stats"]))?;
        let pages: [&[&str]; 4] =
            [&["list", "--limit", "20"], &["review", "--limit", "20"], &["health"], &["resume"]];
        for page in pages {
            let cpu = least(&mut || Ok(ms(usage(&store.command(page))?.cpu)))?;
            let is_held = if cpu <= TARGET_MS { "held" } else { "missed" };
            let peak = usage(&store.command(page))?.peak_kib / 1024;
            println!(
                "  {:34} {cpu:7.2}   {:5.1} x /bin/true   {peak} MiB   target {TARGET_MS} {is_held}",
                page.join(" "),
                cpu / truth
            );
        }
        let mut number = 0;
        for kind in ["lesson", "reference"] {
            let field = if kind == "lesson" { "--guidance" } else { "--text" };
            let cpu = least(&mut || {
                number += 1;
                let title = format!("Thing {number} is written down as a {kind}");
                let text = format!("Nobody has said thing {number} before.");
                let add = ["add", kind, "--title", &title, field, &text];
                Ok(ms(usage(&store.command(&add))?.cpu))
            })?;
            let ratio = cpu / truth;
            println!("  {:34} {cpu:7.2}   {ratio:5.1} x /bin/true", format!("add {kind}"));
        }
    }
    Ok(())
}

/// Memories that are in use, as files that somebody has pulled, and candidates as an import makes
/// them.
fn filled(
    program: &Path,
    folder: &Path,
    memories: usize,
    candidates: usize,
) -> Result<Store, Failure> {
    let store = Store::empty(program, folder, &format!("lists-{memories}-{candidates}"))?;
    let records = super::store::records(memories..memories + candidates);
    fs::write(store.folder.join("records.jsonl"), records)?;
    process::run(store.command(&["import", "records.jsonl"]))?;
    for number in 0..memories {
        let text = format!("Fact {number} tells how the part of that number behaves. ").repeat(9);
        let (month, day) = (1 + number % 9, 1 + number % 28);
        let memory = format!(
            "---\nid: fact-number-{number}\ntype: reference\ntitle: Fact number {number}\n\
             state: stable\nscope: project\norigin: user\ntags: [bulk, t{}]\n\
             created_at: 2026-0{month}-{day:02}T10:00:00Z\n---\n\n{text}\n",
            number % 50
        );
        let path = format!(".oldhand/reference/fact-number-{number}.md");
        fs::write(store.folder.join(path), memory)?;
    }
    Ok(store)
}
