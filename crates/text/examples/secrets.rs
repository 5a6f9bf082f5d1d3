//! Measures the scan for secrets on labelled texts:
//! `cargo run --release -p oldhand-core --example secrets -- [--show] <file.jsonl…>`.
//! A line is `{"label": "true", "rule": "name of the sample", "text": "…"}`. Texts labelled `true`
//! hold a secret; any other label is a text that should pass. `--show` prints what was judged wrong.

#![expect(clippy::print_stdout, reason = "a tool that prints what it measured")]

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};

use oldhand_text::secrets;
use serde::Deserialize;

#[derive(Deserialize)]
struct Sample {
    label: String,
    #[serde(default)]
    rule: String,
    text: String,
}

fn main() -> std::io::Result<()> {
    let (flags, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|it| it == "--show");
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut bytes = 0;
    let begun = std::time::Instant::now();
    for path in paths {
        for line in std::fs::read_to_string(path)?.lines() {
            let sample: Sample = serde_json::from_str(line)
                .map_err(|error| Error::new(ErrorKind::InvalidData, error))?;
            let found = secrets::scan(&sample.text);
            bytes += sample.text.len();
            let (all, refused) = counts.entry(sample.label.clone()).or_default();
            *all += 1;
            *refused += usize::from(!found.is_empty());
            if !flags.is_empty() && found.is_empty() == (sample.label == "true") {
                show(&sample, &found);
            }
        }
    }
    for (label, (all, refused)) in counts {
        println!(
            "{label}: {refused} of {all} refused ({:.2} %)",
            100.0 * refused as f64 / all as f64
        );
    }
    println!("{bytes} bytes in {:?}", begun.elapsed());
    Ok(())
}

fn show(sample: &Sample, found: &[secrets::SecretFinding]) {
    let line = |at: usize| sample.text.lines().nth(at - 1).unwrap_or_default();
    println!("{} [{}]", sample.rule, sample.label);
    if found.is_empty() {
        println!("    {:?}", sample.text);
    }
    for it in found {
        println!("    {} {}:{} {:?}", it.rule, it.line, it.column, line(it.line));
    }
}
