//! A model without a transformer, for processors without a fast kernel and as a setting: one row
//! per word piece, distilled from MiniLM, and a text is the sum of its rows. It knows words, not
//! their order.

use crate::model::{Damage, Model, Sections, VOCABULARY};
use crate::{DIMENSIONS, MODEL, STATIC, TOKEN_LIMIT, Vector};

const MAGIC: &[u8; 8] = b"OHSTATIC";
const WIDTH: usize = 256;

/// A view of the embedded rows: opening it reads two pages.
pub struct StaticModel {
    model: Model<'static>,
    rows: &'static [i8],
    scales: &'static [f32],
}

impl StaticModel {
    pub fn open() -> Result<Self, Damage> {
        let mut sections = Sections::new(&STATIC.0, MAGIC)?;
        let rows = sections.next_exact(VOCABULARY * WIDTH)?;
        let scales = sections.next_exact(VOCABULARY)?;
        sections.finish()?;
        Ok(Self { model: Model::new(&MODEL.0)?, rows, scales })
    }

    /// The rows of the text's first 256 word pieces added up; the places from 256 on are zero.
    /// A text without word pieces gives a vector of zeros, which is near to nothing.
    pub fn embed(&self, text: &str) -> Vector {
        let mut sums = [0.0; DIMENSIONS];
        for id in self.model.vocabulary.pieces(text, TOKEN_LIMIT) {
            let row = &self.rows[usize::from(id) * WIDTH..][..WIDTH];
            let scale = self.scales[usize::from(id)];
            for (sum, &byte) in sums.iter_mut().zip(row) {
                *sum += f32::from(byte) * scale;
            }
        }
        Vector::from_floats(&sums)
    }

    /// Changes when the vectors change: vectors of different tags do not compare.
    pub fn tag() -> &'static str {
        "static-1"
    }
}
