//! From a memory to a document of an index: its words, what it can be filtered by, the passages that are embedded.

use oldhand_core::kind::Kinds;
use oldhand_core::recall::card::{Card, body_text, field_texts};
use oldhand_core::recall::passages::passages;
use oldhand_core::recall::row::Row;
use oldhand_core::signals::Signals;
use oldhand_core::state::State;
use oldhand_index::{Document, Stamp};

use crate::port::Stored;

/// A document, and what its vectors stand for.
pub struct Made {
    pub document: Document,
    pub passages: Vec<String>,
    pub passages_mark: String,
}

impl Made {
    pub fn of(stored: &Stored, kinds: &Kinds, stamp: Stamp, signals: &Signals) -> Self {
        let memory = &stored.memory;
        let body = body_text(memory, kinds);
        let text = body.split_once('\n').map_or("", |(_, rest)| rest);
        let passages = passages(&memory.title, text);
        let mut card = Card::of(memory, signals, &body, stored.text.len());
        card.passages_mark = mark_of(&passages);
        card.passages = u32::try_from(passages.len()).unwrap_or(u32::MAX);
        let row = Row::of(memory, signals, stored.text.len(), !stored.problems.is_empty());
        let document = Document {
            path: stored.path.clone(),
            row: row.to_bytes(),
            state: state_number(memory.state),
            stamp,
            instant: card.instant(),
            fields: field_texts(memory, &body),
            filters: card.filter_words().iter().map(|word| filter_key(word)).collect(),
            vectors: None,
            card: serde_json::to_vec(&card).unwrap_or_default(),
        };
        Self { document, passages, passages_mark: card.passages_mark }
    }
}

/// The number of a state inside the index.
pub fn state_number(state: State) -> u8 {
    let at = State::ALL.iter().position(|known| *known == state);
    u8::try_from(at.unwrap_or(0)).unwrap_or(0)
}

/// Filters live in a key space of their own.
pub fn filter_key(word: &str) -> u64 {
    let hash = blake3::hash(word.as_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().unwrap_or_default())
}

fn mark_of(passages: &[String]) -> String {
    let mut hasher = blake3::Hasher::new();
    for passage in passages {
        hasher.update(passage.as_bytes());
        hasher.update(&[0]);
    }
    hasher.finalize().to_hex()[..16].to_owned()
}
