//! What goes into a segment.

/// 0 title (with aliases and id), 1 body, 2 labels, 3 context.
pub const FIELDS: usize = 4;

/// The field that most words stand in: postings and scores are fastest for it.
pub(crate) const BODY: usize = 1;
pub(crate) const TITLE: usize = 0;

/// Numbers of states that a document may have: a search names those it wants in 16 bits.
pub const STATES: u8 = 16;

pub const DIMENSIONS: usize = 384;

/// Whose segment it is: a hash over the store, the model and every version that matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentKey(pub [u8; 32]);

#[derive(Debug, Clone)]
pub struct Document {
    /// Unique; documents are numbered in its order. Added again, it replaces the earlier one.
    pub path: String,
    /// Whatever the caller wants back for a hit.
    pub card: Vec<u8>,
    /// Below [`STATES`].
    pub state: u8,
    /// What the caller wants back of all documents at once, in as many bytes of each.
    pub row: Vec<u8>,
    pub stamp: Stamp,
    /// When it was last written, in seconds: what `newest` goes by.
    pub instant: i64,
    pub fields: [String; FIELDS],
    /// Keys of what a search can filter by, for example a hash of `kind:decision`.
    pub filters: Vec<u64>,
    /// `None` is not embedded yet; an empty list is nothing to embed.
    pub vectors: Option<Vec<Vector>>,
}

/// The identity of a file, for a cheap check that it is still the one that was read: its size, when
/// it was modified and changed, its inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stamp(pub [i64; 4]);

pub(crate) const STAMP_BYTES: usize = 32;

impl Stamp {
    pub(crate) fn to_bytes(self) -> [u8; STAMP_BYTES] {
        bytemuck::cast(self.0.map(i64::to_le_bytes))
    }

    pub(crate) fn of_bytes(bytes: [u8; STAMP_BYTES]) -> Stamp {
        let numbers: [[u8; 8]; 4] = bytemuck::cast(bytes);
        Stamp(numbers.map(i64::from_le_bytes))
    }
}

/// A unit vector in bytes: the number at `i` is `scale * bytes[i]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vector {
    pub scale: f32,
    pub bytes: [i8; DIMENSIONS],
}

/// Writes the product of the query with each row. `rows` are `dots.len()` rows, one behind the other.
pub type DotRows = fn(query: &[i8; DIMENSIONS], rows: &[i8], dots: &mut [i32]);

/// State and embedding of a document in one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark(pub(crate) u8);

impl Mark {
    const EMBEDDED: u8 = 0x10;
    const EMPTY: u8 = 0x20;

    pub(crate) fn new(state: u8, vectors: Option<usize>) -> Mark {
        assert!(state < STATES, "a state is below {STATES}: {state}");
        match vectors {
            None => Mark(state),
            Some(0) => Mark(state | Mark::EMPTY),
            Some(_) => Mark(state | Mark::EMBEDDED),
        }
    }

    pub(crate) fn state(self) -> u8 {
        self.0 & (STATES - 1)
    }

    pub(crate) fn is_embedded(self) -> bool {
        self.0 & Mark::EMBEDDED != 0
    }

    pub(crate) fn is_waiting(self) -> bool {
        self.0 & (Mark::EMBEDDED | Mark::EMPTY) == 0
    }
}
