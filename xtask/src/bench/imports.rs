//! An import of many decision records, against plain files with the same bytes that are synced one by one.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use super::measure::{finished, usage};
use super::store::Store;
use crate::failure::Failure;

const TOPICS: &[&str] =
    &["cache", "queue", "ledger", "search", "export", "login", "mail", "billing", "report", "sync"];

pub(super) fn bench(program: &Path, folder: &Path, count: usize) -> Result<(), Failure> {
    println!("import of {count} decision records");
    for (name, more) in [("candidates", &[][..]), ("accepted", &["--accept", "--by", "ada"][..])] {
        let store = Store::empty(program, folder, name)?;
        write_records(&store.folder.join("docs/adr"), count)?;
        let args = [&["import", "docs/adr"], more].concat();
        let ours = finished(store.command(&args))?;
        let again = finished(store.command(&args))?;
        let disk =
            synced_copies(&store.folder.join(".oldhand"), &folder.join(format!("{name}-plain")))?;
        let rate = |time: Duration| count as f64 / time.as_secs_f64();
        println!("  {name}: import, durable {:8.0} memories/s", rate(ours));
        println!("  {name}: again           {:8.0} memories/s", rate(again));
        println!(
            "  {name}: plain, synced   {:8.0} files/s      ratio {:.2}",
            rate(disk),
            rate(disk) / rate(ours)
        );
        let fresh = Store::empty(program, folder, &format!("{name}-peak"))?;
        write_records(&fresh.folder.join("docs/adr"), count)?;
        println!(
            "  {name}: peak memory     {:8} MiB",
            usage(&fresh.command(&args))?.peak_kib / 1024
        );
    }
    Ok(())
}

/// Records of the usual length, no two of which say the same.
fn write_records(folder: &Path, count: usize) -> Result<(), Failure> {
    fs::create_dir_all(folder)?;
    for number in 1..=count {
        let (one, two) = (TOPICS[number % TOPICS.len()], TOPICS[number / 10 % TOPICS.len()]);
        let day =
            format!("20{:02}-{:02}-{:02}", 10 + number % 15, 1 + number % 12, 1 + number % 28);
        let text = format!(
            "# {number}. Keep the {one} of service {number} beside the {two}\n\nDate: {day}\n\n## Status\n\nAccepted\n\n\
             ## Context\n\nService {number} needs a {one} that survives a restart, and the team that owns the {two} \
             has asked for one place to look at. Two incidents in the last quarter came from copies that differed.\n\n\
             ## Decision\n\nThe {one} of service {number} is kept beside the {two}, written by one job and read by all.\n\n\
             ## Consequences\n\n- Reads of the {one} cost one more hop.\n- The {two} of service {number} is restored with it.\n"
        );
        fs::write(folder.join(format!("{number:05}-keep-the-{one}-{number}.md")), text)?;
    }
    Ok(())
}

/// Writes every memory of a store again, each synced before the next.
fn synced_copies(store: &Path, folder: &Path) -> Result<Duration, Failure> {
    let mut texts = Vec::new();
    for below in ["candidates", "decisions"] {
        // A folder is made when something goes into it.
        for entry in fs::read_dir(store.join(below)).into_iter().flatten() {
            let path = entry?.path();
            if path.extension().is_some_and(|it| it == "md") {
                texts.push(fs::read(path)?);
            }
        }
    }
    fs::create_dir(folder)?;
    let start = Instant::now();
    for (number, text) in texts.iter().enumerate() {
        let mut file = File::create(folder.join(format!("{number}.md")))?;
        file.write_all(text)?;
        file.sync_all()?;
    }
    Ok(start.elapsed())
}
