//! A cold `recall` from process start to exit: CPU of the process, beside `/bin/true`, a plain
//! search over the same files and SQLite's full-text index over the same texts.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::measure::{Usage, usage};
use super::store::Store;
use crate::failure::Failure;
use crate::process;

const RUNS: usize = 21;
/// Words of the made-up language; a few are everywhere, most are rare.
const VOCABULARY: u64 = 20_000;
const WORDS_PER_MEMORY: u64 = 90;

pub(super) fn bench(program: &Path, folder: &Path, largest: usize) -> Result<(), Failure> {
    println!("cold recall, CPU milliseconds of the process (least of {RUNS} runs)");
    let mut count = 1_000;
    while count <= largest {
        bench_one(program, folder, count)?;
        count *= 10;
    }
    Ok(())
}

/// Meaning of more texts than these takes many minutes to compute.
const EMBEDDED_MAX: usize = 10_000;

fn bench_one(program: &Path, folder: &Path, count: usize) -> Result<(), Failure> {
    let store = Store::empty(program, folder, &format!("recall-{count}"))?;
    fs::write(store.folder.join("records.jsonl"), records(count))?;
    process::run(store.command(&["import", "records.jsonl"]))?;
    let rebuilt = usage(&with(&store, &["reindex"], "keywords"))?;
    println!("store of {count}: keyword index from the files {:.0} ms", ms(&rebuilt));
    let database = full_text(&store, count)?;
    let queries = [
        ("three rare words", words(&[15_001, 17_003, 19_007])),
        ("a sentence of common words", words(&[210, 340, 555, 620, 777, 830, 910, 1_050])),
        ("a prompt of 500 words", words(&(0..500).map(|at| 100 + at * 37).collect::<Vec<u64>>())),
    ];
    let embeds = count <= EMBEDDED_MAX;
    if embeds {
        let embedded = usage(&with(&store, &["reindex"], "minilm"))?;
        println!("  by meaning: {:.0} ms for all", ms(&embedded));
    }
    for (name, query) in &queries {
        println!("  {name}");
        if embeds {
            let hybrid = least(&with(&store, &["recall", query], "minilm"))?;
            println!("    recall, words and meaning   {}", tell(&hybrid));
        }
        // Another model is another index: it is kept apart for the measurement.
        let keywords = with(&store, &["recall", query], "keywords");
        process::run(keywords_index(&store))?;
        println!("    recall, words alone         {}", tell(&least(&keywords)?));
        let mut sqlite = Command::new("sqlite3");
        let any: Vec<&str> = query.split(' ').collect();
        sqlite.arg(&database).arg(format!(
            "select id from m where m match '{}' order by bm25(m) limit 10",
            any.join(" OR ")
        ));
        println!("    SQLite FTS5                 {}", tell(&least(&sqlite)?));
        println!("    {}", plain_search(&store, &any)?);
    }
    println!("    /bin/true                   {}\n", tell(&least(&Command::new("/bin/true"))?));
    Ok(())
}

fn with(store: &Store, args: &[&str], model: &str) -> Command {
    let mut command = store.command(args);
    command.env("OLDHAND_RECALL_MODEL", model);
    command.env("XDG_CACHE_HOME", store.folder.join(format!("cache-{model}")));
    command
}

fn keywords_index(store: &Store) -> Command {
    with(store, &["stats"], "keywords")
}

fn ms(used: &Usage) -> f64 {
    used.cpu.as_secs_f64() * 1000.0
}

fn tell(used: &Usage) -> String {
    format!("{:7.2}   peak {} MiB", ms(used), used.peak_kib / 1024)
}

fn least(command: &Command) -> Result<Usage, Failure> {
    let mut best: Option<Usage> = None;
    for _ in 0..RUNS {
        let used = usage(command)?;
        if best.as_ref().is_none_or(|best| used.cpu < best.cpu) {
            best = Some(used);
        }
    }
    best.ok_or_else(|| Failure::new("nothing was run"))
}

/// `rg` where it is installed, else `grep`: the same files, the same words.
fn plain_search(store: &Store, any: &[&str]) -> Result<String, Failure> {
    let has_rg = Command::new("rg").arg("--version").stdout(Stdio::null()).status().is_ok();
    let name = if has_rg { "rg -c" } else { "grep -rc" };
    let mut command = Command::new(if has_rg { "rg" } else { "grep" });
    command.args(if has_rg { &["-c"] as &[&str] } else { &["-r", "-c", "-F"] });
    for word in any.iter().take(20) {
        command.arg("-e").arg(word);
    }
    command.arg(".oldhand").current_dir(&store.folder).stdout(Stdio::null());
    Ok(format!("{name:<28}{}", tell(&least(&command)?)))
}

fn full_text(store: &Store, count: usize) -> Result<std::path::PathBuf, Failure> {
    let mut script = String::from("create virtual table m using fts5(id, text);\nbegin;\n");
    for number in 0..count {
        writeln!(script, "insert into m values ('n{number}', '{}');", text(number as u64))
            .map_err(|error| Failure::new(error.to_string()))?;
    }
    script.push_str("commit;\n");
    let (path, input) = (store.folder.join("texts.db"), store.folder.join("texts.sql"));
    fs::write(&input, script)?;
    let mut command = Command::new("sqlite3");
    command.arg(&path).arg(format!(".read {}", input.display()));
    process::run(command)?;
    Ok(path)
}

/// A word of the made-up language: two to four syllables.
fn word(number: u64) -> String {
    const SYLLABLES: [&str; 20] = [
        "ba", "ke", "lo", "mi", "nu", "ra", "se", "to", "vi", "zu", "dar", "fen", "gol", "hin",
        "jur", "pal", "quo", "rix", "sto", "tren",
    ];
    let mut rest = number;
    let mut word = String::new();
    for _ in 0..4 {
        word.push_str(SYLLABLES[(rest % 20) as usize]);
        rest /= 20;
        if rest == 0 {
            break;
        }
    }
    word + "k"
}

fn words(numbers: &[u64]) -> String {
    numbers.iter().map(|number| word(*number)).collect::<Vec<_>>().join(" ")
}

/// The text of a memory: the square of an even draw makes small numbers frequent.
fn text(number: u64) -> String {
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D;
    let mut all = Vec::new();
    for _ in 0..WORDS_PER_MEMORY {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let draw = (state >> 33) as f64 / f64::from(u32::MAX >> 1);
        all.push(word((draw * draw * draw * VOCABULARY as f64) as u64));
    }
    all.join(" ")
}

fn records(count: usize) -> String {
    (0..count)
        .map(|number| {
            let name = word(number as u64 % VOCABULARY);
            let head = format!(
                "---\\nid: {name}-{number}\\ntype: reference\\ntitle: {name} {number}\\nstate: stable\\n\
                 scope: project\\ntags: [bulk]\\norigin: user\\ncreated_at: 2026-11-01T00:00:00Z\\n\
                 updated_at: 2026-11-01T00:00:00Z\\n---\\n\\n"
            );
            format!(
                "{{\"id\":\"{name}-{number}\",\"markdown\":\"{head}{}\\n\"}}\n",
                text(number as u64)
            )
        })
        .collect()
}
