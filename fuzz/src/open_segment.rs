//! Any bytes as a segment of the index, and a good segment with bytes changed. Nothing may panic or
//! take memory that the bytes don't account for. Changed bytes are damage or change no answer; where
//! the checksums were made right again, any answer will do.

use std::sync::LazyLock;

use oldhand_index::{
    AskTerm, Builder, Damage, Document, FieldWeights, Found, Live, SearchQuery, Segment,
    SegmentKey, Stamp, Vector, merge, newest, search,
};
use oldhand_text::terms::{Form, key};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const KEY: SegmentKey = SegmentKey([3; 32]);
/// As in the format; `good` checks that it is.
const PAGE: usize = 4 * 1024;

/// None, a few on one page, and enough of one word for a list in blocks.
static GOOD: LazyLock<[Good; 5]> = LazyLock::new(|| [0, 1, 4, 20, 150].map(good));

struct Good {
    bytes: Vec<u8>,
    answers: Answers,
}

#[derive(Debug, PartialEq)]
struct Answers {
    found: [Found; 2],
    stamps: Vec<(String, Stamp)>,
    cards: Vec<Vec<u8>>,
    vectors: Vec<Option<Vec<Vector>>>,
    newest: Vec<(usize, u32)>,
    place: Option<u32>,
    waiting: Vec<u32>,
    merged: Vec<u8>,
}

pub fn open_segment(bytes: &[u8]) {
    let _ = answers(bytes);
    let [which, changes @ ..] = bytes else { return };
    let good = &GOOD[usize::from(*which) % GOOD.len()];
    let mut changed = good.bytes.clone();
    // Three bytes say where, the fourth by what.
    for change in changes.as_chunks::<4>().0 {
        let at = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize;
        let length = changed.len();
        changed[at % length] ^= change[3];
    }
    if let Ok(found) = answers(&changed) {
        assert_eq!(found, good.answers);
    }
    seal(&mut changed);
    let _ = answers(&changed);
}

fn answers(bytes: &[u8]) -> Result<Answers, Damage> {
    let segment = Segment::open(bytes, &KEY)?;
    let live = [Live { segment: &segment, dead: &[1, 5] }, Live { segment: &segment, dead: &[] }];
    let terms = ["word", "common", "m3", "pair"].map(|word| AskTerm {
        key: key(word, Form::Stem),
        weight: 1.0,
        group: 0,
    });
    let ask = SearchQuery {
        terms: &terms,
        weights: FieldWeights { weight: [2.0, 1.0, 1.0, 1.0], b: [0.7; 4], k1: 1.2 },
        vector: Some((&Vector { scale: 0.01, bytes: [9; 384] }, dot_rows)),
        filter: &[vec![1, 2]],
        states: 0x0f,
        top: 5,
    };
    // All are asked before any error counts: each must hold on its own.
    let found = search(&live, &ask);
    let found_by_vector = search(&live, &SearchQuery { terms: &[], filter: &[], ..ask });
    let stamps = segment.stamps(0..segment.len());
    let cards: Vec<_> = (0..segment.len().min(50)).map(|it| segment.card(it)).collect();
    let vectors: Vec<_> = (0..segment.len().min(50)).map(|it| segment.vectors(it)).collect();
    let (place, waiting) = (segment.find_path("m3"), segment.unembedded());
    let newest = newest(&live, &[vec![1]], 0x07, 4);
    let merged = merge(&live[..1], KEY);
    Ok(Answers {
        found: [found?, found_by_vector?],
        stamps: stamps?,
        cards: cards.into_iter().collect::<Result<_, _>>()?,
        vectors: vectors.into_iter().collect::<Result<_, _>>()?,
        newest: newest?,
        place: place?,
        waiting: waiting?,
        merged: merged?,
    })
}

fn dot_rows(query: &[i8; 384], rows: &[i8], dots: &mut [i32]) {
    for (row, dot) in rows.chunks(384).zip(dots) {
        *dot = row.iter().zip(query).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
    }
}

fn good(documents: u32) -> Good {
    let mut builder = Builder::new(KEY);
    for at in 0..documents {
        let vectors = vec![Vector { scale: 0.01, bytes: [at as i8; 384] }; at as usize % 3];
        builder.add(Document {
            path: format!("m{at}"),
            card: vec![at as u8; at as usize],
            state: (at % 5) as u8,
            row: vec![at as u8; 5],
            stamp: Stamp::default(),
            instant: i64::from(at / 3),
            fields: [&format!("m{at}"), "a common word word", "label", "src/pair.rs"]
                .map(str::to_owned),
            filters: vec![u64::from(at % 3)],
            vectors: (at % 4 != 1).then_some(vectors),
        });
    }
    let bytes = builder.finish();
    let mut sealed = bytes.clone();
    seal(&mut sealed);
    assert!(sealed == bytes, "the seal is not the one of the format");
    let answers = answers(&bytes).expect("our own segment");
    Good { bytes, answers }
}

/// Makes the checksums right, as somebody could who knows the format.
fn seal(bytes: &mut [u8]) {
    let identity = {
        // Key, hash of the contents and length of the stream, and the number of documents.
        let mut identified = [0; 56];
        identified[..52].copy_from_slice(&bytes[16..68]);
        xxh3_64(&identified)
    };
    for (number, page) in bytes.chunks_mut(PAGE).enumerate() {
        let (payload, sum) = page.split_at_mut(page.len() - 8);
        let seed = identity ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sum.copy_from_slice(&xxh3_64_with_seed(payload, seed).to_le_bytes());
    }
}
