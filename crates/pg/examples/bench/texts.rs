//! Texts, vectors and questions that are made up, the same in every run. Words are spread as in a language: the n-th
//! most frequent one is about n times as rare as the first.

use jiff::Timestamp;
use oldhand_core::codec::markdown;
use oldhand_core::event::{Event, EventType};
use oldhand_core::kind::{Kind, Kinds};
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::state::State;
use oldhand_index::{DIMENSIONS, DotRows, Vector};
use oldhand_minilm::MiniLm;
use oldhand_store::index::Embedder;
use oldhand_store::port::FileWrite;

use crate::Outcome;

const COMMON: [&str; 48] = [
    "cache", "deploy", "error", "field", "gate", "index", "job", "key", "lock", "module", "order",
    "page", "query", "row", "schema", "table", "user", "worker", "zone", "amount", "branch",
    "client", "driver", "event", "filter", "header", "invoice", "label", "message", "node",
    "object", "parser", "queue", "report", "session", "token", "upload", "value", "webhook",
    "payment", "cursor", "tenant", "gateway", "retry", "budget", "limit", "signal", "thread",
];
const WORDS: usize = 50_000;
const TEXT_WORDS: usize = 60;

/// Numbers that look random.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub(crate) fn next(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    fn unit(&mut self) -> f64 {
        self.next(1 << 30) as f64 / f64::from(1 << 30)
    }

    /// A word from this place of the list on: early ones come often.
    fn word(&mut self, from: usize) -> String {
        let (low, high) = ((from as f64).ln(), (WORDS as f64).ln());
        let rank = (low + self.unit() * (high - low)).exp() as usize - 1;
        COMMON.get(rank).map_or_else(|| coined(rank), |word| (*word).to_owned())
    }

    fn words(&mut self, count: usize, from: usize) -> String {
        (0..count).map(|_| self.word(from)).collect::<Vec<_>>().join(" ")
    }
}

/// A word of three syllables.
fn coined(rank: usize) -> String {
    let mut rest = rank * 7_919 % 343_000;
    let mut word = String::new();
    for _ in 0..3 {
        let (syllable, more) = (rest % 70, rest / 70);
        word.push(char::from(b"bdfgklmnprstvz"[syllable / 5]));
        word.push(char::from(b"aeiou"[syllable % 5]));
        rest = more;
    }
    word
}

/// Of eight words: neither the most frequent ones, which say nothing, nor only rare ones.
pub(crate) fn question(number: usize) -> String {
    Random::new(0x00c0_ffee + number as u64).words(8, 20)
}

pub(crate) fn text(number: u64) -> String {
    Random::new(number).words(TEXT_WORDS, 1)
}

/// A memory in force as a new file, with the event that says so.
pub(crate) fn creation(number: u64, kinds: &Kinds) -> Outcome<(FileWrite, Event)> {
    let mut random = Random::new(number ^ 0x00ab_cdef);
    let id = format!("{}-{number}", random.words(3, 1).replace(' ', "-"));
    let parsed = MemoryId::parse(&id).map_err(|_| format!("`{id}` is no id"))?;
    let mut memory = Memory::new(parsed, Kind::Reference, &id.replace('-', " "));
    memory.sections = vec![("Notes".to_owned(), text(number))];
    memory.state = State::Stable;
    let path = format!("{}/{id}.md", kinds.spec(&memory.kind).folder);
    let mut event = Event::new(EventType::Created, &id, Timestamp::UNIX_EPOCH);
    event.path.clone_from(&path);
    event.to = Some(memory.state);
    let after = Some(markdown::render(&memory, kinds));
    let file = FileWrite { path, id: memory.id.clone(), before: None, after, memory: Some(memory) };
    event.after = file.hash().map(|hash| hash.to_string());
    Ok((file, event))
}

/// Vectors of no meaning under the name of the model, as fast as they can be made: questions are embedded by the model
/// itself and compared with these.
pub(crate) struct Noise;

impl Embedder for Noise {
    fn cost(&self, _: &str) -> std::time::Duration {
        std::time::Duration::ZERO
    }

    fn tag(&self) -> &str {
        MiniLm::tag()
    }

    fn embed(&self, text: &str) -> Vector {
        let fold = |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte));
        let mut random = Random::new(text.bytes().fold(7, fold));
        let bytes: [i8; DIMENSIONS] = std::array::from_fn(|_| random.next(255) as u8 as i8);
        let square: i32 = bytes.iter().map(|byte| i32::from(*byte).pow(2)).sum();
        Vector { scale: 1.0 / (square as f32).sqrt(), bytes }
    }

    fn cost(&self, _: &str) -> std::time::Duration {
        std::time::Duration::ZERO
    }

    fn dot_rows(&self) -> DotRows {
        oldhand_minilm::dot_rows
    }
}
