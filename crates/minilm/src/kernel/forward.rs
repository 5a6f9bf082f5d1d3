//! The transformer: ids in, a pooled vector out. Integer products come from the kernel and are
//! exact; all that is float happens here and in `math`, in the same order on every processor.

use super::Kernel;
use crate::attention::{self, ROWS_AT_ONCE};
use crate::math;
use crate::model::{INNER, Layer, Linear, Model, Norm, WIDTH};

/// Rows taken through the feed-forward part together: its products then stay in the cache.
const BLOCK: usize = 64;

/// Must be called from a function with the kernel's target features: all of it is inlined there.
#[inline(always)]
pub(crate) fn embed<K: Kernel>(model: &Model, ids: &[u16]) -> [f32; WIDTH] {
    let mut rows = look_up(model, ids);
    let padded = ids.len().next_multiple_of(ROWS_AT_ONCE);
    let mut projected = vec![0.0; padded * 3 * WIDTH];
    let mut context = vec![0.0; padded * WIDTH];
    let mut work = Work::new(ids.len().min(BLOCK));
    for layer in &model.layers {
        let projections = projected.chunks_mut(BLOCK * 3 * WIDTH);
        for (block, out) in rows.chunks(BLOCK * WIDTH).zip(projections) {
            work.multiply::<K>(block, &layer.attention);
            for (number, row) in
                out.chunks_exact_mut(3 * WIDTH).take(block.len() / WIDTH).enumerate()
            {
                work.dequantise(number, &layer.attention, row);
            }
        }
        attention::attend(&projected, ids.len(), &mut context);
        for (block, seen) in rows.chunks_mut(BLOCK * WIDTH).zip(context.chunks(BLOCK * WIDTH)) {
            finish_layer::<K>(layer, (block, seen), &mut work);
        }
    }
    pool(&rows)
}

#[inline(always)]
fn finish_layer<K: Kernel>(layer: &Layer, (rows, seen): (&mut [f32], &[f32]), work: &mut Work) {
    work.multiply::<K>(&seen[..rows.len()], &layer.attention_output);
    work.add_and_norm(&layer.attention_output, layer.attention_norm, rows);
    work.multiply::<K>(rows, &layer.inner);
    let mut inner = std::mem::take(&mut work.inner);
    let count = rows.len() / WIDTH;
    for (number, row) in inner.chunks_exact_mut(INNER).take(count).enumerate() {
        work.dequantise(number, &layer.inner, row);
        row.iter_mut().for_each(|value| *value = math::gelu(*value));
    }
    work.multiply::<K>(&inner[..count * INNER], &layer.output);
    work.inner = inner;
    work.add_and_norm(&layer.output, layer.output_norm, rows);
}

#[inline(always)]
fn look_up(model: &Model, ids: &[u16]) -> Vec<f32> {
    let mut rows = vec![0.0; ids.len() * WIDTH];
    let positions = model.positions.chunks_exact(WIDTH);
    for ((row, &id), position) in rows.chunks_exact_mut(WIDTH).zip(ids).zip(positions) {
        let scale = model.word_scales[usize::from(id)];
        let word = &model.word_rows[usize::from(id) * WIDTH..][..WIDTH];
        for ((value, &word), position) in row.iter_mut().zip(word).zip(position) {
            *value = f32::from(word) * scale + position;
        }
        math::layer_norm(row, model.norm.weight, model.norm.bias);
    }
    rows
}

/// The mean of the rows. Its length is left to who quantises it.
#[inline(always)]
fn pool(rows: &[f32]) -> [f32; WIDTH] {
    let mut sums = [0.0; WIDTH];
    for row in rows.chunks_exact(WIDTH) {
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
    }
    sums
}

/// How a row of bytes gives its floats back: (byte - zero) * scale.
#[derive(Clone, Copy, Default)]
struct Grid {
    scale: f32,
    zero: i32,
}

/// The buffers of one block of rows.
struct Work {
    bytes: Vec<u8>,
    grids: Vec<Grid>,
    products: Vec<i32>,
    inner: Vec<f32>,
    row: [f32; WIDTH],
}

impl Work {
    fn new(rows: usize) -> Self {
        Self {
            bytes: vec![0; rows * INNER],
            grids: vec![Grid::default(); rows],
            products: vec![0; rows * INNER],
            inner: vec![0.0; rows * INNER],
            row: [0.0; WIDTH],
        }
    }

    /// Quantises the rows and leaves their products with the matrix in `products`.
    #[inline(always)]
    fn multiply<K: Kernel>(&mut self, rows: &[f32], linear: &Linear) {
        let count = rows.len() / linear.inputs;
        let bytes = &mut self.bytes[..rows.len()];
        let places = bytes.chunks_exact_mut(linear.inputs).zip(&mut self.grids);
        for (row, (bytes, grid)) in rows.chunks_exact(linear.inputs).zip(places) {
            *grid = quantise(row, K::FLIP, bytes);
        }
        K::multiply(bytes, linear, &mut self.products[..count * linear.outputs]);
    }

    #[inline(always)]
    fn dequantise(&self, number: usize, linear: &Linear, out: &mut [f32]) {
        let Grid { scale, zero } = self.grids[number];
        let products = &self.products[number * linear.outputs..][..linear.outputs];
        let columns = linear.sums.iter().zip(linear.scales).zip(linear.bias);
        for ((value, product), ((sum, factor), bias)) in out.iter_mut().zip(products).zip(columns) {
            *value = product.wrapping_sub(zero.wrapping_mul(*sum)) as f32 * (scale * factor) + bias;
        }
    }

    #[inline(always)]
    fn add_and_norm(&mut self, linear: &Linear, norm: Norm, rows: &mut [f32]) {
        let mut added = self.row;
        for (number, row) in rows.chunks_exact_mut(WIDTH).enumerate() {
            self.dequantise(number, linear, &mut added);
            for (value, added) in row.iter_mut().zip(&added) {
                *value += added;
            }
            math::layer_norm(row, norm.weight, norm.bias);
        }
    }
}

/// Spreads the row's range, which is made to hold zero, over -127..=127.
#[inline(always)]
fn quantise(row: &[f32], flip: u8, bytes: &mut [u8]) -> Grid {
    let (low, high) = math::range_with_zero(row);
    let width = high - low;
    let (scale, factor) = if width > 0.0 { (width / 254.0, 254.0 / width) } else { (1.0, 1.0) };
    // Only a damaged model makes these wrap; it gives a wrong vector then, not a panic.
    let zero = (-127_i32).wrapping_sub(math::round(low * factor));
    for (byte, value) in bytes.iter_mut().zip(row) {
        let level = math::round(value * factor).wrapping_add(zero);
        *byte = level.clamp(-127, 127) as u8 ^ flip;
    }
    Grid { scale, zero }
}
