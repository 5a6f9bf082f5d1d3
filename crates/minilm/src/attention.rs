//! Attention of each word piece to all of them, in floats: a small share of the work up to 256
//! pieces. Rows come padded to `ROWS_AT_ONCE`; every sum runs over the pieces in their order.

use crate::math::{self, LANES};
use crate::model::{HEAD_WIDTH, HEADS, WIDTH};

/// Rows that share the loads of keys and values.
pub(crate) const ROWS_AT_ONCE: usize = 4;
const STRIDE: usize = 3 * WIDTH;

/// `projected` has query, key and value of each row beside each other; `context` gets the result.
#[inline(always)]
pub(crate) fn attend(projected: &[f32], pieces: usize, context: &mut [f32]) {
    let columns = pieces.next_multiple_of(LANES);
    let mut keys = vec![0.0; HEAD_WIDTH * columns];
    let mut values = vec![0.0; HEAD_WIDTH * pieces];
    let mut scores = vec![0.0; ROWS_AT_ONCE * columns];
    for head in 0..HEADS {
        transpose_keys(&projected[WIDTH + head * HEAD_WIDTH..], pieces, &mut keys);
        gather_values(&projected[2 * WIDTH + head * HEAD_WIDTH..], &mut values);
        let blocks = projected.chunks_exact(ROWS_AT_ONCE * STRIDE);
        for (rows, out) in blocks.zip(context.chunks_exact_mut(ROWS_AT_ONCE * WIDTH)) {
            score(&rows[head * HEAD_WIDTH..], &keys, &mut scores);
            let mut factors = [0.0; ROWS_AT_ONCE];
            for (row, factor) in scores.chunks_exact_mut(columns).zip(&mut factors) {
                *factor = exponentiate(row, pieces);
            }
            mix(&scores, &values, &factors, &mut out[head * HEAD_WIDTH..]);
        }
    }
}

#[inline(always)]
fn transpose_keys(source: &[f32], pieces: usize, keys: &mut [f32]) {
    let columns = keys.len() / HEAD_WIDTH;
    for piece in 0..pieces {
        let row = &source[piece * STRIDE..][..HEAD_WIDTH];
        for (depth, &value) in row.iter().enumerate() {
            keys[depth * columns + piece] = value;
        }
    }
}

/// Side by side: rows that lie 4,608 bytes apart push each other out of the first cache.
#[inline(always)]
fn gather_values(source: &[f32], values: &mut [f32]) {
    for (row, values) in source.chunks(STRIDE).zip(values.chunks_exact_mut(HEAD_WIDTH)) {
        values.copy_from_slice(&row[..HEAD_WIDTH]);
    }
}

#[inline(always)]
fn score(queries: &[f32], keys: &[f32], scores: &mut [f32]) {
    let columns = keys.len() / HEAD_WIDTH;
    for at in (0..columns).step_by(LANES) {
        let mut sums = [[0.0; LANES]; ROWS_AT_ONCE];
        for depth in 0..HEAD_WIDTH {
            let key: &[f32; LANES] = lanes(&keys[depth * columns + at..]);
            for (row, sums) in sums.iter_mut().enumerate() {
                let query = queries[row * STRIDE + depth];
                for lane in 0..LANES {
                    sums[lane] += query * key[lane];
                }
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            scores[row * columns + at..][..LANES].copy_from_slice(sums);
        }
    }
}

/// Leaves e^(score - largest) in the row, nothing beyond the pieces; returns one over the sum.
#[inline(always)]
fn exponentiate(row: &mut [f32], pieces: usize) -> f32 {
    row[pieces..].fill(f32::MIN);
    let mut most = [f32::MIN; LANES];
    for chunk in row.chunks_exact(LANES) {
        for lane in 0..LANES {
            most[lane] = math::at_least(chunk[lane], most[lane]);
        }
    }
    let most = math::fold_lanes(most, math::at_least);
    row.iter_mut().for_each(|value| *value = math::exp(*value - most));
    row[pieces..].fill(0.0);
    1.0 / math::sum(row)
}

/// The values weighted by the scores, in two halves of a head so that the sums fit registers.
#[inline(always)]
fn mix(scores: &[f32], values: &[f32], factors: &[f32; ROWS_AT_ONCE], out: &mut [f32]) {
    let columns = scores.len() / ROWS_AT_ONCE;
    let pieces = values.len() / HEAD_WIDTH;
    let shares: [&[f32]; ROWS_AT_ONCE] =
        std::array::from_fn(|row| &scores[row * columns..][..pieces]);
    for half in [0, LANES] {
        let mut sums = [[0.0; LANES]; ROWS_AT_ONCE];
        for (piece, values) in values.chunks_exact(HEAD_WIDTH).enumerate() {
            let value: &[f32; LANES] = lanes(&values[half..]);
            for (sums, shares) in sums.iter_mut().zip(&shares) {
                let share = shares[piece];
                for lane in 0..LANES {
                    sums[lane] += share * value[lane];
                }
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            for lane in 0..LANES {
                out[row * WIDTH + half + lane] = sums[lane] * factors[row];
            }
        }
    }
}

#[inline(always)]
fn lanes(slice: &[f32]) -> &[f32; LANES] {
    slice.first_chunk().expect("rows are padded to whole lanes")
}
