//! Kernels for aarch64: NEON, which every such processor has, and its instructions for sums of four products (`sdot`)
//! and for small matrices (`smmla`). The sums are exact: a product of two bytes fits 16 bits, as does the sum of two
//! products of at most 127 * 127.
#![expect(unsafe_code, reason = "vector loads and stores through pointers, instructions by name")]

use std::arch::aarch64::*;
use std::arch::{asm, is_aarch64_feature_detected};
use std::marker::PhantomData;

use super::{GROUP, Kernel, Level, OUTPUTS};
use crate::DIMENSIONS;
use crate::model::{Linear, Model, WIDTH};

/// Rows of a tile: their sums, 4 registers each, and the operands fit into 32 registers.
const TILE: usize = 4;

/// The costs are no measurements: no such machine was at hand. They say how the three compare with AVX2.
pub(super) fn levels() -> [Option<Level>; 3] {
    [
        (is_aarch64_feature_detected!("i8mm") && is_aarch64_feature_detected!("dotprod"))
            .then_some(Level {
                name: "i8mm",
                piece_micros: 180,
                // SAFETY: the features were detected.
                forward: |model, ids| unsafe { forward_matrix(model, ids) },
                // SAFETY: `dotprod` was detected.
                dot_rows: |query, rows, out| unsafe { dot_rows_by_four(query, rows, out) },
            }),
        is_aarch64_feature_detected!("dotprod").then_some(Level {
            name: "dotprod",
            piece_micros: 240,
            // SAFETY: the feature was detected.
            forward: |model, ids| unsafe { forward_by_four(model, ids) },
            // SAFETY: the feature was detected.
            dot_rows: |query, rows, out| unsafe { dot_rows_by_four(query, rows, out) },
        }),
        Some(Level {
            name: "neon",
            piece_micros: 500,
            forward: super::forward::embed::<Neon<Plain>>,
            dot_rows,
        }),
    ]
}

/// Used by the `forward` of its means alone, which runs only where they were detected.
struct Neon<By>(PhantomData<By>);

/// What a processor multiplies with.
trait Means {
    /// One block of weights with `ROWS` rows; the sums go to `column` of rows that are `stride` apart.
    ///
    /// # Safety
    /// The processor has these means, and `check_tile` was called.
    unsafe fn multiply_tile<const ROWS: usize>(
        input: &[u8],
        weights: &[i8],
        place: (usize, usize),
        out: &mut [i32],
    );
}

impl<By: Means> Kernel for Neon<By> {
    const FLIP: u8 = 0;

    fn multiply(input: &[u8], linear: &Linear, out: &mut [i32]) {
        let rows = super::check_shapes(input, linear, out);
        for (block, weights) in linear.weights.chunks_exact(linear.inputs * OUTPUTS).enumerate() {
            for tile in super::tiles(rows, TILE) {
                let input = &input[tile.start * linear.inputs..tile.end * linear.inputs];
                let out = &mut out[tile.start * linear.outputs..tile.end * linear.outputs];
                let place = (block * OUTPUTS, linear.outputs);
                check_tile(input, weights, (tile.len(), place), out);
                // SAFETY: a `Neon` is used only where its means were detected; the tile was checked.
                unsafe {
                    match tile.len() {
                        1 => By::multiply_tile::<1>(input, weights, place, out),
                        2 => By::multiply_tile::<2>(input, weights, place, out),
                        3 => By::multiply_tile::<3>(input, weights, place, out),
                        _ => By::multiply_tile::<TILE>(input, weights, place, out),
                    }
                }
            }
        }
    }
}

/// The tiles are read and written without bounds checks.
fn check_tile(
    input: &[u8],
    weights: &[i8],
    (rows, (column, stride)): (usize, (usize, usize)),
    out: &[i32],
) {
    let inputs = weights.len() / OUTPUTS;
    assert!(inputs.is_multiple_of(4 * GROUP) && rows <= TILE);
    assert!(input.len() == rows * inputs && out.len() == rows * stride);
    assert!(column + OUTPUTS <= stride);
}

#[target_feature(enable = "dotprod")]
fn forward_by_four(model: &Model, ids: &[u16]) -> [f32; WIDTH] {
    super::forward::embed::<Neon<ByFour>>(model, ids)
}

#[target_feature(enable = "i8mm")]
fn forward_matrix(model: &Model, ids: &[u16]) -> [f32; WIDTH] {
    super::forward::embed::<Neon<Matrix>>(model, ids)
}

/// Without `sdot`: products of 16 bits, added in pairs, and these in pairs to the sums.
struct Plain;

/// With `sdot`: four products are added to each sum by one instruction.
struct ByFour;

/// With `smmla`: two rows times two outputs, eight products to each of the four sums.
struct Matrix;

impl Means for Plain {
    unsafe fn multiply_tile<const ROWS: usize>(
        input: &[u8],
        weights: &[i8],
        place: (usize, usize),
        out: &mut [i32],
    ) {
        // SAFETY: the caller has checked the tile. Every aarch64 processor has NEON.
        unsafe {
            let add = |sum, weights, inputs: int8x16_t| {
                let low = vmull_s8(vget_low_s8(weights), vget_low_s8(inputs));
                let pairs = vpaddq_s16(low, vmull_high_s8(weights, inputs));
                vpadalq_s16(sum, pairs)
            };
            each_group::<ROWS>(input, weights, place, out, add);
        }
    }
}

impl Means for ByFour {
    unsafe fn multiply_tile<const ROWS: usize>(
        input: &[u8],
        weights: &[i8],
        place: (usize, usize),
        out: &mut [i32],
    ) {
        // SAFETY: the caller has checked the tile and the processor.
        unsafe {
            each_group::<ROWS>(input, weights, place, out, |sum, weights, inputs| {
                sdot(sum, weights, inputs)
            });
        }
    }
}

/// Calls `add` with the sums of four outputs, their weights for four inputs, and these inputs four times.
///
/// # Safety
/// The tile was checked.
#[inline(always)]
unsafe fn each_group<const ROWS: usize>(
    input: &[u8],
    weights: &[i8],
    (column, stride): (usize, usize),
    out: &mut [i32],
    add: impl Fn(int32x4_t, int8x16_t, int8x16_t) -> int32x4_t,
) {
    let inputs = weights.len() / OUTPUTS;
    // SAFETY: a group has 64 bytes of the weights and 4 of each row, and 16 places from `column` on are inside of
    // each row of the result, as was checked.
    unsafe {
        let mut sums = [[vdupq_n_s32(0); 4]; ROWS];
        for group in 0..inputs / GROUP {
            let first = weights.as_ptr().add(group * GROUP * OUTPUTS);
            let weights: [_; 4] = std::array::from_fn(|four| vld1q_s8(first.add(four * 16)));
            for (row, sums) in sums.iter_mut().enumerate() {
                let place = input.as_ptr().add(row * inputs + group * GROUP).cast::<i32>();
                let inputs = vreinterpretq_s8_s32(vdupq_n_s32(place.read_unaligned()));
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = add(*sum, weights, inputs);
                }
            }
        }
        for (row, sums) in sums.into_iter().enumerate() {
            let place = out.as_mut_ptr().add(row * stride + column);
            for (four, sum) in sums.into_iter().enumerate() {
                vst1q_s32(place.add(four * 4), sum);
            }
        }
    }
}

impl Means for Matrix {
    /// Takes eight inputs at once: two groups, whose four outputs are zipped into pairs of outputs.
    unsafe fn multiply_tile<const ROWS: usize>(
        input: &[u8],
        weights: &[i8],
        (column, stride): (usize, usize),
        out: &mut [i32],
    ) {
        let inputs = weights.len() / OUTPUTS;
        // SAFETY: two groups have 128 bytes of the weights and 8 of each row, and 16 places from `column` on are
        // inside of each row of the result, as the caller has checked; a second row is read only where there is one.
        unsafe {
            let mut sums = [[vdupq_n_s32(0); 8]; TILE / 2];
            for groups in 0..inputs / (2 * GROUP) {
                let first = weights.as_ptr().add(groups * 2 * GROUP * OUTPUTS);
                let pairs: [[_; 2]; 4] = std::array::from_fn(|four| {
                    let place = first.add(four * 16);
                    let near = vreinterpretq_s32_s8(vld1q_s8(place));
                    let far = vreinterpretq_s32_s8(vld1q_s8(place.add(GROUP * OUTPUTS)));
                    [vzip1q_s32(near, far), vzip2q_s32(near, far)]
                        .map(|it| vreinterpretq_s8_s32(it))
                });
                for (two, sums) in sums.iter_mut().enumerate().take(ROWS.div_ceil(2)) {
                    let place = input.as_ptr().cast::<i8>().add(2 * two * inputs + groups * 8);
                    let has_both = 2 * two + 1 < ROWS;
                    let second = if has_both { vld1_s8(place.add(inputs)) } else { vdup_n_s8(0) };
                    let rows = vcombine_s8(vld1_s8(place), second);
                    for (sum, pair) in sums.iter_mut().zip(pairs.as_flattened()) {
                        *sum = smmla(*sum, rows, *pair);
                    }
                }
            }
            for row in 0..ROWS {
                let place = out.as_mut_ptr().add(row * stride + column);
                for (four, [a, b]) in sums[row / 2].as_chunks().0.iter().enumerate() {
                    let halves = if row % 2 == 0 {
                        [vget_low_s32(*a), vget_low_s32(*b)]
                    } else {
                        [vget_high_s32(*a), vget_high_s32(*b)]
                    };
                    vst1q_s32(place.add(four * 4), vcombine_s32(halves[0], halves[1]));
                }
            }
        }
    }
}

/// By name, because the intrinsic is not stable.
///
/// # Safety
/// The processor has `dotprod`.
#[inline(always)]
unsafe fn sdot(mut sum: int32x4_t, a: int8x16_t, b: int8x16_t) -> int32x4_t {
    // SAFETY: it reads and writes the named registers alone.
    unsafe {
        asm!(
            ".arch_extension dotprod",
            "sdot {sum:v}.4s, {a:v}.16b, {b:v}.16b",
            sum = inout(vreg) sum, a = in(vreg) a, b = in(vreg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sum
}

/// By name, because the intrinsic is not stable.
///
/// # Safety
/// The processor has `i8mm`.
#[inline(always)]
unsafe fn smmla(mut sum: int32x4_t, a: int8x16_t, b: int8x16_t) -> int32x4_t {
    // SAFETY: it reads and writes the named registers alone.
    unsafe {
        asm!(
            ".arch_extension i8mm",
            "smmla {sum:v}.4s, {a:v}.16b, {b:v}.16b",
            sum = inout(vreg) sum, a = in(vreg) a, b = in(vreg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sum
}

fn dot_rows(query: &[i8; DIMENSIONS], rows: &[[i8; DIMENSIONS]], out: &mut [i32]) {
    // Added one by one: here a byte may be -128, and two of its squares don't fit 16 bits.
    each_row(query, rows, out, |sum, a, b| {
        // SAFETY: every aarch64 processor has NEON.
        unsafe {
            let low = vpadalq_s16(sum, vmull_s8(vget_low_s8(a), vget_low_s8(b)));
            vpadalq_s16(low, vmull_high_s8(a, b))
        }
    });
}

#[target_feature(enable = "dotprod")]
fn dot_rows_by_four(query: &[i8; DIMENSIONS], rows: &[[i8; DIMENSIONS]], out: &mut [i32]) {
    // SAFETY: the caller has detected the feature.
    each_row(query, rows, out, |sum, a, b| unsafe { sdot(sum, a, b) });
}

#[inline(always)]
fn each_row(
    query: &[i8; DIMENSIONS],
    rows: &[[i8; DIMENSIONS]],
    out: &mut [i32],
    add: impl Fn(int32x4_t, int8x16_t, int8x16_t) -> int32x4_t,
) {
    // SAFETY: 384 bytes are 24 registers.
    unsafe {
        let load = |bytes: &[i8; DIMENSIONS], at: usize| vld1q_s8(bytes.as_ptr().add(at * 16));
        for (row, out) in rows.iter().zip(out) {
            let mut sums = [vdupq_n_s32(0); 2];
            for at in 0..DIMENSIONS / 16 {
                sums[at % 2] = add(sums[at % 2], load(row, at), load(query, at));
            }
            *out = vaddvq_s32(vaddq_s32(sums[0], sums[1]));
        }
    }
}
