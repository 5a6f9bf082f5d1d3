//! The page of the last run. It is made of what the parts recorded, so a part that ran alone replaces its own lines.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::{Night, PARTS};
use crate::failure::Failure;
use crate::process::{capture, program};

const INTRODUCTION: &str = "# The nightly run\n\n\
CI tries each of these for seconds; `cargo xtask nightly --minutes N` for as long as there is time. Each part gets a \
share of it and tries as much as fits. `--only kill,fuzz` runs some of them. This page is written by the run.\n\n";

/// A part's title, its name, and what it recorded; null if it never ran.
pub(super) type Row = (&'static str, &'static str, Value);

pub(super) fn write(night: &Night) -> Result<(), Failure> {
    let read = |name: &str| -> Value {
        let text = std::fs::read_to_string(night.folder.join(format!("{name}.json")));
        text.ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    };
    let rows: Vec<Row> =
        PARTS.iter().map(|part| (part.title, part.name, read(part.name))).collect();
    std::fs::write(night.root.join("docs/nightly.md"), page(&machine(&night.root)?, &rows))?;
    println!("nightly: docs/nightly.md");
    Ok(())
}

pub(super) fn page(machine: &str, rows: &[Row]) -> String {
    let sections: String =
        rows.iter().map(|(title, name, record)| section(title, name, record)).collect();
    format!("{INTRODUCTION}{machine}{}{sections}", overview(rows))
}

fn machine(root: &Path) -> Result<String, Failure> {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    let model = model.trim_start_matches([' ', '\t', ':']);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let rustc = capture(program(root, "rustc", &["--version"]))?;
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    Ok(format!(
        "On {cores} cores of {model}, Linux {}, {}. The cores did other work as well, so CPU minutes say more than \
         minutes.\n\n",
        kernel.trim(),
        rustc.trim()
    ))
}

fn overview(records: &[Row]) -> String {
    let mut out = "| part | tried | goal | found | minutes | of CPU | when | commit |\n|---|---|---|---|---|---|---|---|\n".to_owned();
    for (title, _, record) in records {
        let text = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        if !is_run(record) {
            let _ = writeln!(
                out,
                "| {title} | not run | | | | | {} | {} |",
                text("date"),
                text("commit")
            );
            continue;
        }
        let float = |name: &str| format!("{:.1}", record[name].as_f64().unwrap_or(0.0));
        let goal = record["goal"].as_u64().map(grouped).unwrap_or_default();
        let _ = writeln!(
            out,
            "| {title} | {} {} | {goal} | {} | {} | {} | {} | {} |",
            grouped(record["tried"].as_u64().unwrap_or(0)),
            text("unit"),
            record["findings"].as_array().map_or(0, Vec::len),
            float("minutes"),
            float("cpu_minutes"),
            text("date"),
            text("commit"),
        );
    }
    out
}

fn is_run(record: &Value) -> bool {
    record.is_object() && record["not_run"].is_null()
}

fn section(title: &str, name: &str, record: &Value) -> String {
    let mut out = format!("\n## {title}\n\n{}\n", about(name));
    if !is_run(record) {
        let why = record["not_run"].as_str().unwrap_or("it was not part of a run yet");
        let _ = write!(out, "\nNot run: {}\n", why.lines().next().unwrap_or_default());
        return out;
    }
    let rows = record["table"].as_array().into_iter().flatten();
    for (at, row) in rows.enumerate() {
        let cells: Vec<&str> =
            row.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if at == 0 {
            let _ = write!(out, "\n| {} |\n|{}\n", cells.join(" | "), "---|".repeat(cells.len()));
        } else {
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }
    for note in record["notes"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let _ = write!(out, "\n{note}\n");
    }
    let findings = record["findings"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for finding in findings {
        let _ = write!(out, "\n```text\n{finding}\n```\n");
    }
    out
}

/// What a part tries, and what it promises.
fn about(name: &str) -> &'static str {
    match name {
        "kill" => {
            "The real program is killed before and after every call that changes the disk. The store is then what \
            it was, or what the finished command makes of it; the latter if the answer was printed."
        }
        "crash" => {
            "The power fails at every moment of a day's writes, on a simulated disk that drops, reorders and \
            tears what was not synced. What was acknowledged is there in full."
        }
        "race" => {
            "Sixteen processes create and update memories at once. Each write is there once, or was refused."
        }
        "mutants" => {
            "A line of the write path is changed, and the tests of its crate should fail. What is listed is \
            what they missed."
        }
        "soak" => {
            "Sessions of ten hook calls each, on the store of `evals/coding`, with a clock that passes a day. \
            Rows are means since the row above."
        }
        "security" => {
            "Secrets, injections, hidden characters, strings and files that break parsers, shown to the \
            real program."
        }
        "fuzz" => {
            "Every reader of foreign input, guided by coverage. Inputs that reach something new are kept in \
            `fuzz/corpus`."
        }
        _ => "",
    }
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
