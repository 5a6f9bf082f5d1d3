//! The model against the original in floats: ids and vectors of `golden.json`, which
//! `assets/minilm/convert.py golden` made with the original weights and another tokenizer.

use oldhand_minilm::{DIMENSIONS, Level, MiniLm, Vector, dot_rows};
use serde_json::Value;

/// What int8 may cost; measured over these texts: 0.9982 in the mean, 0.9937 at worst.
const MEAN_COSINE: f64 = 0.995;
const LEAST_COSINE: f64 = 0.985;

struct Golden {
    text: String,
    ids: Vec<u16>,
    vector: Vec<f64>,
}

fn golden() -> Vec<Golden> {
    let all: Vec<Value> = serde_json::from_str(include_str!("golden.json")).expect("valid JSON");
    let numbers = |value: &Value| -> Vec<i64> {
        value.as_array().into_iter().flatten().filter_map(Value::as_i64).collect()
    };
    let parse = |value: &Value| Golden {
        text: value["text"]
            .as_str()
            .expect("a text")
            .repeat(value["times"].as_u64().expect("a number") as usize),
        ids: numbers(&value["ids"]).into_iter().map(|id| id as u16).collect(),
        vector: numbers(&value["vector"]).into_iter().map(|part| part as f64).collect(),
    };
    all.iter().map(parse).collect()
}

fn cosine(bytes: &[i8; DIMENSIONS], floats: &[f64]) -> f64 {
    let product: f64 = bytes.iter().zip(floats).map(|(&a, b)| f64::from(a) * b).sum();
    let bytes: f64 = bytes.iter().map(|&a| f64::from(a).powi(2)).sum();
    let floats: f64 = floats.iter().map(|b| b.powi(2)).sum();
    product / (bytes * floats).sqrt()
}

fn square(vector: &Vector) -> f64 {
    vector.bytes.iter().map(|&byte| f64::from(byte).powi(2)).sum()
}

fn nearness(one: &Vector, other: &Vector) -> f64 {
    cosine(&one.bytes, &other.bytes.map(f64::from))
}

#[test]
fn token_ids_are_those_of_the_original() {
    let model = MiniLm::open().unwrap();
    for golden in golden() {
        assert_eq!(model.token_ids(&golden.text), golden.ids, "{:?}", golden.text);
    }
}

#[test]
fn a_mark_in_the_text_is_text() {
    let model = MiniLm::open().unwrap();
    assert_eq!(model.token_ids("[SEP]"), [101, 1031, 19802, 1033, 102]);
}

#[test]
fn vectors_are_close_to_the_float_reference() {
    let model = MiniLm::open().unwrap();
    let golden = golden();
    let mut cosines = Vec::new();
    for golden in &golden {
        let cosine = cosine(&model.embed(&golden.text).bytes, &golden.vector);
        assert!(cosine >= LEAST_COSINE, "{cosine} for {:?}", golden.text);
        cosines.push(cosine);
    }
    let mean = cosines.iter().sum::<f64>() / cosines.len() as f64;
    let least = cosines.iter().copied().fold(1.0, f64::min);
    println!("cosine to the float reference: mean {mean:.5}, least {least:.5}");
    assert!(mean >= MEAN_COSINE, "{mean}");
}

#[test]
fn every_kernel_gives_the_same_bytes() {
    let model = MiniLm::open().unwrap();
    println!("{:?}", Level::available().iter().map(|level| level.name).collect::<Vec<_>>());
    for golden in golden() {
        let mut vectors =
            Level::available().into_iter().map(|level| model.embed_by(level, &golden.text));
        let first = vectors.next().unwrap();
        assert!(vectors.all(|vector| vector == first), "{:?}", golden.text);
    }
}

/// R513: FNV-1a of the vectors of all golden texts. Every kernel of every processor gives this number; if the weights change,
/// so does it.
const VECTORS: u64 = 0x5eee_12f7_13d9_04aa;

#[test]
fn vectors_are_the_same_on_every_processor() {
    let model = MiniLm::open().unwrap();
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for golden in golden() {
        let vector = model.embed(&golden.text);
        let bytes = vector.bytes.map(i8::cast_unsigned);
        for byte in bytes.into_iter().chain(vector.scale.to_bits().to_le_bytes()) {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(state, VECTORS, "{state:#x}");
}

#[test]
fn every_kernel_gives_the_same_floats_at_many_lengths() {
    let model = MiniLm::open().unwrap();
    let text = "the quick brown fox jumps over a lazy dog while it rains ".repeat(25);
    // The heights of tiles, blocks and lanes, and beside them; all lengths would take minutes.
    for length in [2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 33, 63, 64, 65, 71] {
        let floats = |level: Level| model.floats_by(level, &text, length).map(f32::to_bits);
        let want = floats(Level::available()[0]);
        assert!(Level::available().into_iter().all(|level| floats(level) == want), "{length}");
    }
}

#[test]
fn a_vector_has_the_length_one() {
    let model = MiniLm::open().unwrap();
    for text in ["", "hello", "The worker takes a job from the queue"] {
        let vector = model.embed(text);
        assert!((f64::from(vector.scale).powi(2) * square(&vector) - 1.0).abs() < 1e-6, "{text}");
    }
}

/// Pairs that mean the same in other words; the pairs beside them are unrelated.
const PARAPHRASES: [(&str, &str); 8] = [
    (
        "how do we avoid charging a customer twice?",
        "prevent duplicate payments by a unique request key",
    ),
    ("The cat sits outside.", "A kitten is sitting in the garden."),
    ("store money as whole cents", "never use floating point for currency amounts"),
    ("the database ran out of connections", "connection pool exhausted in postgres"),
    ("tests fail at random in continuous integration", "flaky unit tests on the build server"),
    ("how to undo the last commit", "revert a git change"),
    ("the page loads slowly", "the website has poor performance and high latency"),
    ("rotate the signing keys every month", "secrets and certificates must be renewed regularly"),
];

/// How many of the first halves have their own second half as the nearest of all.
fn found(embed: impl Fn(&str) -> Vector) -> usize {
    let answers = PARAPHRASES.map(|(_, answer)| embed(answer));
    let nearest = |question: &str| {
        let question = embed(question);
        let near = |answer: &usize| nearness(&question, &answers[*answer]);
        (0..answers.len()).max_by(|a, b| near(a).total_cmp(&near(b)))
    };
    (0..answers.len()).filter(|&number| nearest(PARAPHRASES[number].0) == Some(number)).count()
}

#[test]
fn paraphrases_are_nearer_than_other_texts() {
    let model = MiniLm::open().unwrap();
    assert_eq!(found(|text| model.embed(text)), PARAPHRASES.len());
}

#[test]
fn dot_rows_is_the_sum_of_products() {
    // A small generator with all bytes, -128 included.
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8 as i8
    };
    let query: [i8; DIMENSIONS] = std::array::from_fn(|_| next());
    let mut rows: Vec<i8> = (0..67 * DIMENSIONS).map(|_| next()).collect();
    rows[..DIMENSIONS].fill(i8::MIN);
    let naive = |row: &[i8]| -> i32 {
        row.iter().zip(&query).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
    };
    let want: Vec<i32> = rows.chunks_exact(DIMENSIONS).map(naive).collect();
    let mut out = vec![0; want.len()];
    dot_rows(&query, &rows, &mut out);
    assert_eq!(out, want);
    for level in Level::available() {
        level.dot_rows(&query, &rows, &mut out);
        assert_eq!(out, want, "{}", level.name);
    }
    dot_rows(&[i8::MIN; DIMENSIONS], &[i8::MIN; DIMENSIONS], &mut out[..1]);
    assert_eq!(out[0], 128 * 128 * 384);
}
