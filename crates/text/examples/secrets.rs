//! Measures the scan for secrets on labelled texts:
//! `cargo run --release -p oldhand-text --example secrets -- [--show] [--families] [--half=a|b] <file.jsonl…>`.
//! A line is `{"label": "true", "rule": "name of the sample", "text": "…"}`. Texts labelled `true`
//! hold a secret; any other label is a text that should pass. `--show` prints what was judged wrong, `--families`
//! one line per rule. A half is every other text by its hash, so that rules can be written on one and measured on the
//! other.

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
        std::env::args().skip(1).partition(|it| it.starts_with("--"));
    let is_on = |flag: &str| flags.iter().any(|it| it == flag);
    let is_in = |text: &str| {
        let half =
            ["--half=a", "--half=b"][(blake3::hash(text.as_bytes()).as_bytes()[0] & 1) as usize];
        is_on(half) || !flags.iter().any(|it| it.starts_with("--half"))
    };
    let mut counts: BTreeMap<(String, String), (usize, usize)> = BTreeMap::new();
    let mut bytes = 0;
    let begun = std::time::Instant::now();
    for path in paths {
        for line in std::fs::read_to_string(path)?.lines() {
            let sample: Sample = serde_json::from_str(line)
                .map_err(|error| Error::new(ErrorKind::InvalidData, error))?;
            if !is_in(&sample.text) {
                continue;
            }
            let found = secrets::scan(&sample.text);
            bytes += sample.text.len();
            let families = [String::new(), sample.rule.clone()];
            for family in families.into_iter().take(1 + usize::from(is_on("--families"))) {
                let (all, refused) = counts.entry((sample.label.clone(), family)).or_default();
                *all += 1;
                *refused += usize::from(!found.is_empty());
            }
            if is_on("--show") && found.is_empty() == (sample.label == "true") {
                show(&sample, &found);
            }
        }
    }
    for ((label, family), (all, refused)) in counts {
        let share = 100.0 * refused as f64 / all as f64;
        println!("{label} {family}: {refused} of {all} refused ({share:.2} %)");
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
