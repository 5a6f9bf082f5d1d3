//! The integer work: exact sums of products of bytes, by what the processor offers. Every kernel
//! gives the same numbers, so which one ran cannot be seen in a vector.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "code for processor features that were detected")
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod forward;
mod portable;
#[cfg(target_arch = "x86_64")]
mod vnni;

use crate::DIMENSIONS;
use crate::model::{Linear, Model, WIDTH};

/// A block of the packed weights has this many outputs.
const OUTPUTS: usize = 16;
/// Inputs that lie beside each other for one output.
const GROUP: usize = 4;

pub(crate) trait Kernel: Copy {
    /// What the kernel wants its input bytes, -127..=127, to be xored with.
    const FLIP: u8;

    /// Sums of input times weight, one row of `linear.outputs` for each row of `linear.inputs`.
    fn multiply(self, input: &[u8], linear: &Linear, out: &mut [i32]);
}

/// A way to compute that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    #[cfg(target_arch = "x86_64")]
    Vnni(vnni::Vnni),
}

impl Level {
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(vnni) = vnni::Vnni::detect() {
                return Self(Kind::Vnni(vnni));
            }
            if let Some(avx2) = avx2::Avx2::detect() {
                return Self(Kind::Avx2(avx2));
            }
        }
        Self(Kind::Portable)
    }

    /// All that this processor has, the slowest first.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Self(Kind::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            levels.extend(avx2::Avx2::detect().map(|level| Self(Kind::Avx2(level))));
            levels.extend(vnni::Vnni::detect().map(|level| Self(Kind::Vnni(level))));
        }
        levels
    }

    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Vnni(_) => "vnni",
        }
    }

    pub(crate) fn is_fast(self) -> bool {
        self.0 != Kind::Portable
    }

    pub(crate) fn forward(self, model: &Model, ids: &[u16]) -> [f32; WIDTH] {
        match self.0 {
            Kind::Portable => forward::embed(portable::Portable, model, ids),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the value exists only where the features were detected.
            Kind::Avx2(level) => unsafe { avx2::forward(level, model, ids) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the value exists only where the features were detected.
            Kind::Vnni(level) => unsafe { vnni::forward(level, model, ids) },
        }
    }

    /// The caller has checked that `rows` holds one row for each place of `out`.
    #[doc(hidden)]
    pub fn dot_rows(self, query: &[i8; DIMENSIONS], rows: &[i8], out: &mut [i32]) {
        let (rows, _) = rows.as_chunks();
        match self.0 {
            Kind::Portable => portable::dot_rows(query, rows, out),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the value exists only where the features were detected.
            Kind::Avx2(_) => unsafe { avx2::dot_rows(query, rows, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the value exists only where the features were detected.
            Kind::Vnni(_) => unsafe { vnni::dot_rows(query, rows, out) },
        }
    }
}

/// The kernels read without bounds checks: what they rely on is checked here, once per matrix.
#[cfg(target_arch = "x86_64")]
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
#[cfg(target_arch = "x86_64")]
fn tiles(rows: usize, most: usize) -> impl Iterator<Item = std::ops::Range<usize>> + Clone {
    let count = rows.div_ceil(most);
    (0..count).map(move |tile| rows * tile / count..rows * (tile + 1) / count)
}
