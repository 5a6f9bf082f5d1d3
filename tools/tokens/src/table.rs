//! The error table: estimate over true count, per class of text and per length.

use std::collections::BTreeMap;
use std::time::Instant;

use oldhand_text::tokens;

use crate::corpus::Passage;

/// The classes that are like memories: their sum is the promise of the product.
const MEMORIES: [&str; 4] = ["imports", "decisions", "own-docs", "agent-notes"];
const LENGTHS: [(usize, usize); 4] = [(200, 400), (400, 800), (800, 1600), (1600, 4001)];

#[derive(Default)]
struct Ratios {
    o200k: Vec<f64>,
    cl100k: Vec<f64>,
}

pub(crate) fn true_counts(text: &str) -> (usize, usize) {
    (bpe_openai::o200k_base().count(text), bpe_openai::cl100k_base().count(text))
}

pub(crate) fn print(passages: &[Passage]) {
    let mut rows: BTreeMap<String, Ratios> = BTreeMap::new();
    for passage in passages {
        let (o200k, cl100k) = true_counts(&passage.text);
        let estimate = tokens::count(&passage.text) as f64;
        let mut names = vec![passage.class.clone()];
        if MEMORIES.contains(&passage.class.as_str()) {
            names.push(" memories".to_owned());
            names.extend(length(&passage.text));
        }
        for name in names {
            let row = rows.entry(name).or_default();
            row.o200k.push(estimate / o200k as f64);
            row.cl100k.push(estimate / cl100k as f64);
        }
    }
    println!("| class | texts | o200k: mean | under | 1 % | 99 % | cl100k: mean | under |");
    println!("|---|---|---|---|---|---|---|---|");
    for (name, mut row) in rows {
        row.o200k.sort_by(f64::total_cmp);
        let (mean, under) = summary(&row.o200k);
        let (cl_mean, cl_under) = summary(&row.cl100k);
        println!(
            "| {} | {} | {mean:.3} | {under:.1} % | {:.3} | {:.3} | {cl_mean:.3} | {cl_under:.1} % |",
            name.trim_start(),
            row.o200k.len(),
            quantile(&row.o200k, 0.01),
            quantile(&row.o200k, 0.99),
        );
    }
    println!("\n{:.0} MB/s", throughput(passages));
}

fn length(text: &str) -> Option<String> {
    let characters = text.chars().count();
    let (from, to) = LENGTHS.into_iter().find(|(from, to)| (*from..*to).contains(&characters))?;
    Some(format!(" memories of {from:4} to {} characters", to - 1))
}

/// The mean, and the share below 1 in percent.
fn summary(ratios: &[f64]) -> (f64, f64) {
    let count = ratios.len() as f64;
    let under = ratios.iter().filter(|ratio| **ratio < 1.0).count() as f64;
    (ratios.iter().sum::<f64>() / count, 100.0 * under / count)
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// The best of many passes over a few megabytes: other processes share the machine.
fn throughput(passages: &[Passage]) -> f64 {
    let sample = &passages[..passages.len().min(2000)];
    let bytes: usize = sample.iter().map(|passage| passage.text.len()).sum();
    let pass = || {
        let start = Instant::now();
        let sum: usize = sample.iter().map(|passage| tokens::count(&passage.text)).sum();
        std::hint::black_box(sum);
        start.elapsed().as_secs_f64()
    };
    let best = (0..50).map(|_| pass()).fold(f64::INFINITY, f64::min);
    bytes as f64 / best / 1e6
}
