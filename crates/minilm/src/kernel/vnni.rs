//! Kernels for AVX-512 VNNI, which multiplies unsigned with signed bytes and adds four products
//! to a 32-bit sum without saturation. Inputs come with 128 added, so the sums start at what that
//! adds too much.
#![expect(unsafe_code, reason = "vector loads and stores through pointers")]

use std::arch::x86_64::*;

use super::{GROUP, Kernel, Level, OUTPUTS};
use crate::DIMENSIONS;
use crate::model::{Linear, Model, WIDTH};

/// Rows and blocks of a tile: 24 sums and the operands fit into 32 registers.
const TILE: usize = 8;
const BLOCKS: usize = 3;

pub(super) fn level() -> Option<Level> {
    let is_there = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vnni");
    is_there.then_some(Level {
        name: "vnni",
        piece_micros: 110,
        // SAFETY: the features were detected.
        forward: |model, ids| unsafe { forward(model, ids) },
        // SAFETY: the features were detected.
        dot_rows: |query, rows, out| unsafe { dot_rows(query, rows, out) },
    })
}

/// Used by `forward` alone, which runs only where the features were detected.
struct Vnni;

impl Kernel for Vnni {
    const FLIP: u8 = 0x80;

    #[inline(always)]
    fn multiply(input: &[u8], linear: &Linear, out: &mut [i32]) {
        // SAFETY: the caller runs only where the features were detected.
        unsafe { multiply(input, linear, out) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]
fn forward(model: &Model, ids: &[u16]) -> [f32; WIDTH] {
    super::forward::embed::<Vnni>(model, ids)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]
fn multiply(input: &[u8], linear: &Linear, out: &mut [i32]) {
    let rows = super::check_shapes(input, linear, out);
    assert_eq!(linear.outputs % (BLOCKS * OUTPUTS), 0);
    let panels = linear.weights.chunks_exact(linear.inputs * OUTPUTS * BLOCKS);
    for (panel, (weights, sums)) in panels.zip(linear.sums.as_chunks().0).enumerate() {
        for tile in super::tiles(rows, TILE) {
            let input = &input[tile.start * linear.inputs..tile.end * linear.inputs];
            let out = &mut out[tile.start * linear.outputs..tile.end * linear.outputs];
            let place = (panel * BLOCKS * OUTPUTS, linear.outputs);
            match tile.len() {
                1 => multiply_tile::<1>(input, (weights, sums), place, out),
                2 => multiply_tile::<2>(input, (weights, sums), place, out),
                3 => multiply_tile::<3>(input, (weights, sums), place, out),
                4 => multiply_tile::<4>(input, (weights, sums), place, out),
                5 => multiply_tile::<5>(input, (weights, sums), place, out),
                6 => multiply_tile::<6>(input, (weights, sums), place, out),
                7 => multiply_tile::<7>(input, (weights, sums), place, out),
                _ => multiply_tile::<TILE>(input, (weights, sums), place, out),
            }
        }
    }
}

/// Three blocks of weights with `ROWS` rows; the sums go to `column` of rows `stride` apart.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]
fn multiply_tile<const ROWS: usize>(
    input: &[u8],
    (weights, weight_sums): (&[i8], &[i32; BLOCKS * OUTPUTS]),
    (column, stride): (usize, usize),
    out: &mut [i32],
) {
    let inputs = weights.len() / (OUTPUTS * BLOCKS);
    assert!(input.len() == ROWS * inputs && out.len() == ROWS * stride);
    assert!(column + OUTPUTS * BLOCKS <= stride);
    let starts = std::array::from_fn::<__m512i, BLOCKS, _>(|block| {
        // SAFETY: the array has 16 sums for each block.
        let sums = unsafe { _mm512_loadu_si512(weight_sums.as_ptr().add(block * OUTPUTS).cast()) };
        _mm512_sub_epi32(_mm512_setzero_si512(), _mm512_slli_epi32::<7>(sums))
    });
    let mut sums = [starts; ROWS];
    for group in 0..inputs / GROUP {
        // SAFETY: a group has 64 bytes of each block and 4 of each row, all inside the lengths
        // that the assertion above ties together.
        let (weights, inputs) = unsafe {
            let first = weights.as_ptr().add(group * GROUP * OUTPUTS);
            let load =
                |block: usize| _mm512_loadu_si512(first.add(block * inputs * OUTPUTS).cast());
            let weights = std::array::from_fn::<__m512i, BLOCKS, _>(load);
            let first = input.as_ptr().add(group * GROUP);
            let read = |row: usize| first.add(row * inputs).cast::<i32>().read_unaligned();
            (weights, std::array::from_fn::<i32, ROWS, _>(read))
        };
        for row in 0..ROWS {
            let input = _mm512_set1_epi32(inputs[row]);
            for block in 0..BLOCKS {
                sums[row][block] = _mm512_dpbusd_epi32(sums[row][block], input, weights[block]);
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        for (block, sums) in sums.iter().enumerate() {
            let place = row * stride + column + block * OUTPUTS;
            // SAFETY: 48 places from `column` on are inside the row, as asserted.
            unsafe { _mm512_storeu_si512(out.as_mut_ptr().add(place).cast(), *sums) };
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]
fn dot_rows(query: &[i8; DIMENSIONS], rows: &[[i8; DIMENSIONS]], out: &mut [i32]) {
    let flip = _mm512_set1_epi8(i8::MIN);
    let load = |row: &[i8; DIMENSIONS]| {
        // SAFETY: 384 bytes are six registers.
        std::array::from_fn::<__m512i, 6, _>(|at| unsafe {
            _mm512_loadu_si512(row.as_ptr().add(at * 64).cast())
        })
    };
    let parts = load(query);
    let too_much = 128 * query.iter().map(|&byte| i32::from(byte)).sum::<i32>();
    for (row, out) in rows.iter().zip(out) {
        let mut sums = [_mm512_setzero_si512(); 2];
        for (at, (part, bytes)) in parts.iter().zip(load(row)).enumerate() {
            let shifted = _mm512_xor_si512(bytes, flip);
            sums[at % 2] = _mm512_dpbusd_epi32(sums[at % 2], shifted, *part);
        }
        *out = _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1])) - too_much;
    }
}
