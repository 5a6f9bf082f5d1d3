//! Kernels for AVX2. `maddubs` saturates at 16 bits, so its first operand is the weight's
//! magnitude and its second the input with the weight's sign: two products of at most 127 * 127
//! fit, and the sums are exact.
#![expect(unsafe_code, reason = "vector loads and stores through pointers")]

use std::arch::x86_64::*;

use super::{GROUP, Kernel, Level, OUTPUTS};
use crate::DIMENSIONS;
use crate::model::{Linear, Model, WIDTH};

/// Rows of a tile: their sums, 2 registers each, and the operands fit into 16 registers.
const TILE: usize = 4;

pub(super) fn level() -> Option<Level> {
    is_x86_feature_detected!("avx2").then_some(Level {
        name: "avx2",
        piece_micros: 270,
        // SAFETY: AVX2 was detected.
        forward: |model, ids| unsafe { forward(model, ids) },
        // SAFETY: AVX2 was detected.
        dot_rows: |query, rows, out| unsafe { dot_rows(query, rows, out) },
    })
}

/// Used by `forward` alone, which runs only where AVX2 was detected.
struct Avx2;

impl Kernel for Avx2 {
    const FLIP: u8 = 0;

    #[inline(always)]
    fn multiply(input: &[u8], linear: &Linear, out: &mut [i32]) {
        // SAFETY: the caller runs only where AVX2 was detected.
        unsafe { multiply(input, linear, out) }
    }
}

#[target_feature(enable = "avx2")]
fn forward(model: &Model, ids: &[u16]) -> [f32; WIDTH] {
    super::forward::embed::<Avx2>(model, ids)
}

#[target_feature(enable = "avx2")]
fn multiply(input: &[u8], linear: &Linear, out: &mut [i32]) {
    let rows = super::check_shapes(input, linear, out);
    for (block, weights) in linear.weights.chunks_exact(linear.inputs * OUTPUTS).enumerate() {
        for tile in super::tiles(rows, TILE) {
            let input = &input[tile.start * linear.inputs..tile.end * linear.inputs];
            let out = &mut out[tile.start * linear.outputs..tile.end * linear.outputs];
            let place = (block * OUTPUTS, linear.outputs);
            match tile.len() {
                1 => multiply_tile::<1>(input, weights, place, out),
                2 => multiply_tile::<2>(input, weights, place, out),
                3 => multiply_tile::<3>(input, weights, place, out),
                _ => multiply_tile::<TILE>(input, weights, place, out),
            }
        }
    }
}

/// One block of weights with `ROWS` rows; the sums go to `column` of rows that are `stride` apart.
#[target_feature(enable = "avx2")]
fn multiply_tile<const ROWS: usize>(
    input: &[u8],
    weights: &[i8],
    (column, stride): (usize, usize),
    out: &mut [i32],
) {
    let inputs = weights.len() / OUTPUTS;
    assert!(input.len() == ROWS * inputs && out.len() == ROWS * stride);
    assert!(column + OUTPUTS <= stride);
    let ones = _mm256_set1_epi16(1);
    let mut sums = [[_mm256_setzero_si256(); 2]; ROWS];
    for group in 0..inputs / GROUP {
        // SAFETY: a group has 64 bytes of the weights and 4 of each row, all inside the lengths
        // that the assertion above ties together.
        let (weights, inputs) = unsafe {
            let place = weights.as_ptr().add(group * GROUP * OUTPUTS).cast::<__m256i>();
            let weights = [_mm256_loadu_si256(place), _mm256_loadu_si256(place.add(1))];
            let first = input.as_ptr().add(group * GROUP);
            let read = |row: usize| first.add(row * inputs).cast::<i32>().read_unaligned();
            (weights, std::array::from_fn::<i32, ROWS, _>(read))
        };
        let magnitudes = weights.map(|weights| _mm256_abs_epi8(weights));
        for row in 0..ROWS {
            let input = _mm256_set1_epi32(inputs[row]);
            for half in 0..2 {
                let signed = _mm256_sign_epi8(input, weights[half]);
                let pairs = _mm256_maddubs_epi16(magnitudes[half], signed);
                let fours = _mm256_madd_epi16(pairs, ones);
                sums[row][half] = _mm256_add_epi32(sums[row][half], fours);
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        // SAFETY: 16 places from `column` on are inside the row, as asserted.
        unsafe {
            let place = out.as_mut_ptr().add(row * stride + column).cast::<__m256i>();
            _mm256_storeu_si256(place, sums[0]);
            _mm256_storeu_si256(place.add(1), sums[1]);
        }
    }
}

#[target_feature(enable = "avx2")]
fn dot_rows(query: &[i8; DIMENSIONS], rows: &[[i8; DIMENSIONS]], out: &mut [i32]) {
    for (row, out) in rows.iter().zip(out) {
        // Widened to 16 bits: here a byte may be -128, which the trick above cannot take.
        let mut sums = [_mm256_setzero_si256(); 2];
        for at in (0..DIMENSIONS).step_by(32) {
            for (half, sum) in sums.iter_mut().enumerate() {
                // SAFETY: 384 is a multiple of 32: both rows have 16 bytes at this place.
                let (a, b) = unsafe {
                    let place = at + half * 16;
                    (
                        _mm_loadu_si128(row.as_ptr().add(place).cast()),
                        _mm_loadu_si128(query.as_ptr().add(place).cast()),
                    )
                };
                let products = _mm256_madd_epi16(_mm256_cvtepi8_epi16(a), _mm256_cvtepi8_epi16(b));
                *sum = _mm256_add_epi32(*sum, products);
            }
        }
        *out = add_up(_mm256_add_epi32(sums[0], sums[1]));
    }
}

#[target_feature(enable = "avx2")]
fn add_up(sums: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
}
