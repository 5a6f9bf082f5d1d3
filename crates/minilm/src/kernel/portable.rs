//! Plain loops for processors without a kernel of their own, and the meaning of the others.

use super::{GROUP, Kernel, Level, OUTPUTS};
use crate::DIMENSIONS;
use crate::model::Linear;

pub(super) const LEVEL: Level = Level {
    name: "portable",
    piece_micros: 1_430,
    forward: super::forward::embed::<Portable>,
    dot_rows,
};

struct Portable;

impl Kernel for Portable {
    const FLIP: u8 = 0;

    /// Unpacks a block for all rows: a sum over two lists of 16-bit numbers is what compilers
    /// turn into vector code for any processor.
    fn multiply(input: &[u8], linear: &Linear, out: &mut [i32]) {
        let input: Vec<i16> = input.iter().map(|&byte| i16::from(byte as i8)).collect();
        let mut unpacked = vec![0_i16; linear.inputs * OUTPUTS];
        let blocks = linear.weights.chunks_exact(linear.inputs * OUTPUTS);
        for (number, block) in blocks.enumerate() {
            unpack(block, linear.inputs, &mut unpacked);
            let rows = input.chunks_exact(linear.inputs);
            for (row, out) in rows.zip(out.chunks_exact_mut(linear.outputs)) {
                let weights = unpacked.chunks_exact(linear.inputs);
                for (out, weights) in out[number * OUTPUTS..].iter_mut().zip(weights) {
                    *out = dot_wide(row, weights);
                }
            }
        }
    }
}

fn unpack(block: &[i8], inputs: usize, unpacked: &mut [i16]) {
    for (group, weights) in block.chunks_exact(GROUP * OUTPUTS).enumerate() {
        for (output, weights) in weights.chunks_exact(GROUP).enumerate() {
            let place = &mut unpacked[output * inputs + group * GROUP..][..GROUP];
            for (place, &weight) in place.iter_mut().zip(weights) {
                *place = i16::from(weight);
            }
        }
    }
}

/// Cannot overflow: a check at each addition, as in a build for tests, would cost the vector code.
fn dot_wide(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).fold(0, |sum: i32, (&a, &b)| sum.wrapping_add(i32::from(a) * i32::from(b)))
}

fn dot_rows(query: &[i8; DIMENSIONS], rows: &[[i8; DIMENSIONS]], out: &mut [i32]) {
    let query = query.map(i16::from);
    for (row, out) in rows.iter().zip(out) {
        *out = dot_wide(&row.map(i16::from), &query);
    }
}
