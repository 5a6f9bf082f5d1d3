//! The integer work: exact sums of products of bytes, by what the processor offers. Every kernel
//! gives the same numbers, so a vector does not show which one ran.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod forward;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(target_arch = "x86_64")]
mod vnni;

use std::sync::LazyLock;
use std::time::Duration;

use crate::DIMENSIONS;
use crate::model::{Linear, Model, WIDTH};

/// A block of the packed weights has this many outputs.
const OUTPUTS: usize = 16;
/// Inputs that lie beside each other for one output.
const GROUP: usize = 4;

pub(crate) trait Kernel {
    /// What the kernel wants its input bytes, -127..=127, to be xored with.
    const FLIP: u8;

    /// Sums of input times weight, one row of `linear.outputs` for each row of `linear.inputs`.
    fn multiply(input: &[u8], linear: &Linear, out: &mut [i32]);
}

/// A way to compute that this processor has. A kernel hands one out only where it can run.
#[derive(Clone, Copy)]
pub struct Level {
    pub name: &'static str,
    /// Time of one core per word piece, in microseconds, measured with texts of 128 pieces.
    piece_micros: u32,
    forward: fn(&Model, &[u16]) -> [f32; WIDTH],
    dot_rows: fn(&[i8; DIMENSIONS], &[[i8; DIMENSIONS]], &mut [i32]),
}

impl Level {
    pub(crate) fn best() -> Self {
        static BEST: LazyLock<Level> = LazyLock::new(|| Level::available()[0]);
        *BEST
    }

    /// All that this processor has, the fastest first.
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let fast = [vnni::level(), avx2::level()];
        #[cfg(target_arch = "aarch64")]
        let fast = neon::levels();
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let fast: [Option<Self>; 0] = [];
        fast.into_iter().flatten().chain([portable::LEVEL]).collect()
    }

    pub(crate) fn cost_of(self, pieces: usize) -> Duration {
        let pieces = u32::try_from(pieces).unwrap_or(u32::MAX);
        Duration::from_micros(self.piece_micros.into()).saturating_mul(pieces)
    }

    pub(crate) fn forward(self, model: &Model, ids: &[u16]) -> [f32; WIDTH] {
        (self.forward)(model, ids)
    }

    /// The caller has checked that `rows` holds one row for each place of `out`.
    #[doc(hidden)]
    pub fn dot_rows(self, query: &[i8; DIMENSIONS], rows: &[i8], out: &mut [i32]) {
        (self.dot_rows)(query, rows.as_chunks().0, out);
    }
}

/// The kernels read without bounds checks: what they rely on is checked here, once per matrix.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn check_shapes(input: &[u8], linear: &Linear, out: &[i32]) -> usize {
    let rows = input.len() / linear.inputs;
    assert_eq!(linear.inputs % GROUP, 0);
    assert_eq!(input.len(), rows * linear.inputs);
    assert_eq!(linear.weights.len(), linear.inputs * linear.outputs);
    assert_eq!(linear.sums.len(), linear.outputs);
    assert_eq!(out.len(), rows * linear.outputs);
    rows
}

/// Splits the rows into as few tiles of at most `most` as will do, all of nearly the same height.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn tiles(rows: usize, most: usize) -> impl Iterator<Item = std::ops::Range<usize>> + Clone {
    let count = rows.div_ceil(most);
    (0..count).map(move |tile| rows * tile / count..rows * (tile + 1) / count)
}
