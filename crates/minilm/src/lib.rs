//! Text embeddings without a daemon, a network or another file: all-MiniLM-L6-v2 in int8, its
//! weights inside the program and used in place. Knows nothing of memories, stores or search.

mod attention;
mod kernel;
mod math;
mod model;
mod packed;
mod pair;
mod release;
mod vector;
mod wordpiece;

#[doc(hidden)]
pub use kernel::Level;
pub use model::Damage;
pub use pair::{PairJudgement, PairModel};
pub use release::release;
pub use vector::{DIMENSIONS, Vector};

use std::time::Duration;

use model::Model;

/// Word pieces the model sees of one text, `[CLS]` and `[SEP]` included; the rest is cut off.
pub const TOKEN_LIMIT: usize = 256;

#[repr(C, align(64))]
struct Aligned<Bytes: ?Sized>(Bytes);

static MODEL: &Aligned<[u8]> = &Aligned(*include_bytes!("../../../assets/minilm/model.bin"));

/// A view of the embedded model: opening it reads one page.
pub struct MiniLm {
    model: Model<'static>,
}

impl MiniLm {
    pub fn open() -> Result<Self, Damage> {
        Ok(Self { model: Model::new(&MODEL.0)? })
    }

    /// The meaning of the text's first 256 word pieces. The same bytes on every processor.
    pub fn embed(&self, text: &str) -> Vector {
        self.embed_by(Level::best(), text)
    }

    /// For measurements and tests: every level gives the same bytes.
    #[doc(hidden)]
    pub fn embed_by(&self, level: Level, text: &str) -> Vector {
        let ids = self.model.vocabulary.pieces(text, TOKEN_LIMIT);
        Vector::from_floats(&level.forward(&self.model, &ids))
    }

    /// For tests: the floats before they are quantised, of the first `limit` pieces.
    #[doc(hidden)]
    pub fn floats_by(&self, level: Level, text: &str, limit: usize) -> [f32; DIMENSIONS] {
        level.forward(&self.model, &self.model.vocabulary.pieces(text, limit.min(TOKEN_LIMIT)))
    }

    /// For tests: the ids that the model would see.
    #[doc(hidden)]
    pub fn token_ids(&self, text: &str) -> Vec<u16> {
        self.model.vocabulary.pieces(text, TOKEN_LIMIT)
    }

    /// The time of one core that `embed` takes for this text, about.
    pub fn cost(&self, text: &str) -> Duration {
        Self::cost_of(self.model.vocabulary.pieces(text, TOKEN_LIMIT).len())
    }

    /// The same for a number of word pieces.
    pub fn cost_of(pieces: usize) -> Duration {
        Level::best().cost_of(pieces)
    }

    /// Changes when the vectors change: vectors of different tags do not compare.
    pub fn tag() -> &'static str {
        "minilm-int8-2"
    }
}

/// Dot products of the query with each row of 384 bytes, for a brute-force search.
///
/// Panics unless `rows` holds exactly 384 bytes for each place of `out`.
pub fn dot_rows(query: &[i8; DIMENSIONS], rows: &[i8], out: &mut [i32]) {
    assert_eq!(rows.len(), out.len() * DIMENSIONS, "one place for each row");
    Level::best().dot_rows(query, rows, out);
}
