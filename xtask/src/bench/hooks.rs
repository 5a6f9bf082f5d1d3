//! Each hook from process start to exit: CPU of the process, beside `/bin/true` and an interpreter
//! that does nothing. And how long a long transcript takes, whole and from where reading ended.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::measure::{usage, usage_fed};
use super::store::Store;
use crate::failure::Failure;
use crate::process;

const RUNS: usize = 15;
pub(super) const TRANSCRIPT_BYTES: usize = 13 * 1024 * 1024;

pub(super) fn bench(program: &Path, folder: &Path, largest: usize) -> Result<(), Failure> {
    println!("hooks, CPU milliseconds of the process (least of {RUNS} runs)");
    let truth = least(&mut || usage(&Command::new("/bin/true")).map(|used| ms(used.cpu)))?;
    println!("  {:26} {truth:7.2}", "/bin/true");
    let mut python = Command::new("python3");
    python.args(["-c", "pass"]);
    if let Ok(cpu) = least(&mut || usage(&python).map(|used| ms(used.cpu))) {
        println!("  {:26} {cpu:7.2}   {:5.1} x /bin/true", "python3 -c pass", cpu / truth);
    }
    let mut count = 1_000;
    while count <= largest.min(10_000) {
        bench_events(program, folder, count, truth)?;
        count *= 10;
    }
    bench_transcript(program, folder, truth)
}

pub(super) fn ms(duration: std::time::Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

pub(super) fn least(once: &mut dyn FnMut() -> Result<f64, Failure>) -> Result<f64, Failure> {
    let mut best = f64::MAX;
    for _ in 0..RUNS {
        best = best.min(once()?);
    }
    Ok(best)
}

fn bench_events(program: &Path, folder: &Path, count: usize, truth: f64) -> Result<(), Failure> {
    let store = Store::empty(program, folder, &format!("hooks-{count}"))?;
    fs::write(store.folder.join("records.jsonl"), records(count))?;
    process::run(store.command(&["import", "records.jsonl"]))?;
    process::run(store.command(&["reindex"]))?;
    println!("at {count} memories");
    let root = store.folder.display();
    let events = [
        ("session start", "\"hook_event_name\":\"SessionStart\",\"source\":\"startup\"".to_owned()),
        ("prompt that finds", prompt("how do we validate the invoice payment in Postgres?")),
        ("everyday prompt", prompt("please run the tests and commit this")),
        (
            "long prompt",
            prompt(&"the export takes far too long when tenants have many orders, so look at how \
                the cursor moves and whether batches would help the retry of the worker. ".repeat(3)),
        ),
        ("guard, refused", tool("Write", &format!("\"file_path\":\"{root}/.oldhand/decisions/x.md\""))),
        ("guard, passed", tool("Bash", "\"command\":\"ls -la src\"")),
        ("before an edit", tool("Edit", &format!("\"file_path\":\"{root}/src/order/cache.rs\""))),
        ("before a command", tool("Bash", "\"command\":\"cargo publish -p ledger\"")),
        (
            "after a failure",
            "\"hook_event_name\":\"PostToolUseFailure\",\"tool_name\":\"Bash\",\"error\":\"error: ledger shard fails with Kafka\"".to_owned(),
        ),
    ];
    for (name, fields) in events {
        let mut number = 0;
        let cpu = least(&mut || {
            // A session of its own each time: nothing was served in it.
            number += 1;
            let payload = store.folder.join("payload.json");
            let text = format!("{{\"session_id\":\"{name}{number}\",\"cwd\":\"{root}\",{fields}}}");
            fs::write(&payload, text)?;
            Ok(ms(usage_fed(&store.command(&["hook", "claude-code"]), &payload)?.cpu))
        })?;
        println!("  {name:26} {cpu:7.2}   {:5.1} x /bin/true", cpu / truth);
    }
    Ok(())
}

pub(super) fn prompt(text: &str) -> String {
    format!("\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"{text}\"")
}

pub(super) fn tool(name: &str, input: &str) -> String {
    format!(
        "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"{name}\",\"tool_input\":{{{input}}}"
    )
}

fn bench_transcript(program: &Path, folder: &Path, truth: f64) -> Result<(), Failure> {
    let store = Store::empty(program, folder, "transcript")?;
    let path = store.folder.join("session.jsonl");
    fs::write(&path, transcript())?;
    println!("stop, a transcript of {} MiB", TRANSCRIPT_BYTES / 1024 / 1024);
    let mut number = 0;
    let stop = |session: &str| -> Result<f64, Failure> {
        let payload = store.folder.join("payload.json");
        let (root, path) = (store.folder.display(), path.display());
        let text = format!(
            "{{\"session_id\":\"{session}\",\"cwd\":\"{root}\",\"hook_event_name\":\"Stop\",\"transcript_path\":\"{path}\"}}"
        );
        fs::write(&payload, text)?;
        Ok(ms(usage_fed(&store.command(&["hook", "claude-code"]), &payload)?.cpu))
    };
    let whole = least(&mut || {
        number += 1;
        stop(&format!("whole{number}"))
    })?;
    stop("news")?;
    let news = least(&mut || {
        append(
            &path,
            "{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Done, the report is written.\"}]}}\n",
        )?;
        stop("news")
    })?;
    println!("  {:26} {whole:7.2}   {:5.1} x /bin/true", "whole", whole / truth);
    println!("  {:26} {news:7.2}   {:5.1} x /bin/true", "one new line", news / truth);
    Ok(())
}

fn append(path: &PathBuf, line: &str) -> Result<(), Failure> {
    use std::io::Write as _;
    fs::OpenOptions::new().append(true).open(path)?.write_all(line.as_bytes())?;
    Ok(())
}

/// Mostly tool output; about a hundredth is speech, as in real ones.
pub(super) fn transcript() -> String {
    let output =
        "src/order/cache.rs: warning: unused variable `cursor` in the batch loop\\n".repeat(200);
    let mut out = String::with_capacity(TRANSCRIPT_BYTES + 8192);
    let mut number = 0;
    while out.len() < TRANSCRIPT_BYTES {
        number += 1;
        let _ = writeln!(
            out,
            "{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"Please look at order {number} and tell me why the batch is slow.\"}}}}\n\
             {{\"type\":\"assistant\",\"message\":{{\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":\"I will look at the cursor of order {number} and run the tests after that.\"}},{{\"type\":\"tool_use\",\"id\":\"t{number}\",\"name\":\"Bash\",\"input\":{{\"command\":\"cargo check\"}}}}]}}}}\n\
             {{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"t{number}\",\"content\":\"{output}\"}}]}}}}"
        );
    }
    out
}

/// Memories in plain words: a prompt costs by its words, and made-up ones are cut into many.
pub(super) fn records(count: usize) -> String {
    const THINGS: [&str; 24] = [
        "invoice", "order", "payment", "cache", "index", "parser", "token", "session", "worker",
        "queue", "retry", "schema", "upload", "webhook", "ledger", "report", "export", "tenant",
        "shard", "cursor", "backup", "quota", "gateway", "journal",
    ];
    const TOOLS: [&str; 8] =
        ["Postgres", "Redis", "Kafka", "SQLite", "gRPC", "zstd", "Terraform", "Nginx"];
    const KINDS: [(&str, &str); 4] = [
        ("reference", "{text}"),
        (
            "runbook",
            "## Trigger\\n{text}\\n\\n## Steps\\n1. restart it\\n\\n## Verification\\nit works",
        ),
        ("decision", "## Decision\\n{text}\\n\\n## Rationale\\n- it is known here"),
        ("constraint", "## Rule\\n{text}\\n\\n## Impact\\n- it breaks"),
    ];
    let pick = |list: &[&'static str], number: usize| list[number % list.len()];
    (0..count)
        .map(|number| {
            let (a, b, c) = (pick(&THINGS, number), pick(&THINGS, number / 24 + 5), pick(&THINGS, number / 7));
            let tool = pick(&TOOLS, number / 3);
            let (kind, form) = KINDS[number % KINDS.len()];
            let text = format!("We validate every {a} before the {b} is written, using {tool}. The {c} of the {a} depends on it, measured on {number} of them.");
            let body = form.replace("{text}", &text);
            let id = format!("{a}-{b}-{number}");
            format!(
                "{{\"id\":\"{id}\",\"markdown\":\"---\\nid: {id}\\ntype: {kind}\\ntitle: Validate the {a} of {b} with {tool} {number}\\nstate: stable\\nscope: project\\ntags: [{a}]\\norigin: user\\nrelated_files: [src/{a}/{b}.rs]\\ncreated_at: 2026-11-01T00:00:00Z\\nupdated_at: 2026-11-01T00:00:00Z\\n---\\n\\n{body}\\n\"}}\n"
            )
        })
        .collect()
}
