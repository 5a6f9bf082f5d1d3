//! Times of a cold process: `cargo run --release -p oldhand-index --example measure [documents]`.
//! Builds a corpus with the word frequencies of a language, writes it to a file, and asks it from
//! freshly opened segments. CPU time of this process, the best and the middle of many runs.
#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::error::Error;
use std::fs::File;

use oldhand_index::{
    AskTerm, Builder, DIMENSIONS, Document, FieldWeights, Live, SearchQuery, Segment, SegmentKey,
    Source, Stamp, Vector, merge, search,
};
use oldhand_text::terms::{self, Form};

const KEY: SegmentKey = SegmentKey([1; 32]);
const VOCABULARY: usize = 60_000;
const BODY_WORDS: u64 = 120;
const RUNS: usize = 41;

fn main() -> Result<(), Box<dyn Error>> {
    let documents = std::env::args().nth(1).map_or(Ok(100_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("segment");
    let texts = texts(documents);
    let bytes_of_text: usize = texts.iter().map(|(title, body)| title.len() + body.len()).sum();

    let started = cpu_ms();
    let bytes = build(&texts);
    let took = cpu_ms() - started;
    let per_second = documents as f64 / took * 1000.0;
    println!("build: {took:.0} ms CPU, {per_second:.0} documents/s");
    println!("text: {} kB, segment: {} kB", bytes_of_text / 1000, bytes.len() / 1000);
    std::fs::write(&path, &bytes)?;
    drop(bytes);

    let question = vector(7);
    let common = terms_of(&words((0..8).map(|it| 20 + it * 5)));
    let rare = terms_of(&words([30_000, 40_000, 50_000]));
    let many = terms_of(&words((1..49).map(|it| it * it * 20 + 100)));
    let dead = [3, 50, 999, 5000, 90_000];
    measure("open, nothing asked", || ask(&path, &[], None, &[]))?;
    measure("8 common words", || ask(&path, &common, None, &[]))?;
    measure("8 common words, 5 dead", || ask(&path, &common, None, &dead))?;
    measure("3 rare words", || ask(&path, &rare, None, &[]))?;
    measure("48 words", || ask(&path, &many, None, &[]))?;
    measure("vectors", || ask(&path, &[], Some(&question), &[]))?;
    measure("8 common words and vectors", || ask(&path, &common, Some(&question), &[]))?;
    measure("find a path", || {
        Ok(Segment::open(source(&path)?, &KEY)?.find_path("m/0071234.md").map(|_| 1)?)
    })?;
    let segment = Segment::open(source(&path)?, &KEY)?;
    let started = cpu_ms();
    let merged = merge(&[Live { segment: &segment, dead: &[1, 2, 3] }], KEY)?;
    println!("merge: {:.0} ms CPU, {} kB", cpu_ms() - started, merged.len() / 1000);
    Ok(())
}

fn measure(
    name: &str,
    mut run: impl FnMut() -> Result<usize, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut times = Vec::new();
    let mut hits = 0;
    for _ in 0..RUNS {
        let started = cpu_ms();
        hits = run()?;
        times.push(cpu_ms() - started);
    }
    times.sort_by(f64::total_cmp);
    println!("{name}: best {:.2} ms, middle {:.2} ms, {hits} hits", times[0], times[RUNS / 2]);
    Ok(())
}

fn ask(
    path: &std::path::Path,
    terms: &[AskTerm],
    vector: Option<&Vector>,
    dead: &[u32],
) -> Result<usize, Box<dyn Error>> {
    let segment = Segment::open(source(path)?, &KEY)?;
    let weights = FieldWeights { weight: [3.0, 1.0, 2.0, 0.5], b: [0.5, 0.75, 0.3, 0.0], k1: 1.2 };
    let vector = vector.map(|vector| (vector, dot_rows as _));
    let ask = SearchQuery { terms, weights, vector, filter: &[], states: 0x00ff, top: 50 };
    let found = search(&[Live { segment: &segment, dead }], &ask)?;
    for hit in found.hits.iter().take(10) {
        segment.card(hit.ordinal)?;
    }
    Ok(found.hits.len())
}

fn dot_rows(query: &[i8; DIMENSIONS], rows: &[i8], dots: &mut [i32]) {
    let query = query.map(i16::from);
    for (row, dot) in rows.as_chunks::<DIMENSIONS>().0.iter().zip(dots) {
        let row = row.map(i16::from);
        *dot = row.iter().zip(&query).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
    }
}

fn source(path: &std::path::Path) -> std::io::Result<Source> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    Ok(Source::File(file, length))
}

/// User and system time of this process. It has one thread, so that others don't count.
fn cpu_ms() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

fn build(texts: &[(String, String)]) -> Vec<u8> {
    let mut builder = Builder::new(KEY);
    for (at, (title, body)) in texts.iter().enumerate() {
        builder.add(Document {
            path: format!("m/{at:07}.md"),
            card: title.clone().into_bytes(),
            state: (at % 4) as u8,
            row: Vec::new(),
            stamp: Stamp::default(),
            instant: 0,
            fields: [title, body, "decision index", "src/index/mod.rs"].map(str::to_owned),
            filters: vec![at as u64 % 5],
            vectors: Some(vec![vector(at as u64)]),
        });
    }
    builder.finish()
}

fn texts(documents: usize) -> Vec<(String, String)> {
    let vocabulary: Vec<String> = (0..VOCABULARY).map(word).collect();
    let mut random = Random(42);
    let mut text = |count: u64| {
        let count = count / 2 + random.next() % count;
        let words: Vec<&str> = (0..count).map(|_| vocabulary[random.rank()].as_str()).collect();
        words.join(" ")
    };
    (0..documents).map(|_| (text(6), text(BODY_WORDS))).collect()
}

fn words(ranks: impl IntoIterator<Item = usize>) -> String {
    ranks.into_iter().map(word).collect::<Vec<_>>().join(" ")
}

/// A word that can be spoken, and no two alike.
fn word(rank: usize) -> String {
    let mut text = String::new();
    let mut rest = rank + 20;
    while rest > 0 {
        text.push(char::from(b"bdfgklmnprstvz"[rest % 14]));
        text.push(char::from(b"aeiou"[rest / 14 % 5]));
        rest /= 70;
    }
    text
}

fn terms_of(text: &str) -> Vec<AskTerm> {
    let mut found = Vec::new();
    let mut group = 0;
    terms::each_term(text, &mut |term, form, _| {
        group += u16::from(form == Form::Stem);
        if form == Form::Stem {
            found.push(AskTerm { key: terms::key(term, form), weight: 1.0, group });
        }
    });
    found
}

fn vector(seed: u64) -> Vector {
    let mut random = Random(seed * 2 + 1);
    let mut bytes = [0; DIMENSIONS];
    for eight in bytes.chunks_mut(8) {
        for (byte, value) in eight.iter_mut().zip(random.next().to_le_bytes()) {
            *byte = value as i8;
        }
    }
    Vector { scale: 0.0007, bytes }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// Ranks as words have them: the n-th is about n times as rare as the first.
    fn rank(&mut self) -> usize {
        let share = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        ((VOCABULARY as f64).powf(share) - 1.0) as usize
    }
}
