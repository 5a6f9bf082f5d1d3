//! The pair model as its difference to the sentence model, from which it was trained: most weights differ by a few
//! steps, so four bits do for what takes eight alone, and every byte comes back. `build.rs` packs, this file unpacks:
//! the length of the file, of what is no weight, and the number of patches; then these, and half a byte per weight.

use std::ops::Range;

/// Inputs and outputs of the matrices of a layer, in the order of the file.
const SHAPES: [(usize, usize); 4] = [(384, 1152), (384, 384), (384, 1536), (1536, 384)];
const LAYERS: usize = 6;
/// Sections of a layer: the matrices, the sums of their rows, their floats.
const SECTIONS: usize = SHAPES.len() + 2;
/// Sections of `model.bin` before its layers; `pair.bin` has none.
const MODEL_FIRST: usize = 10;
const TABLE: usize = 24;
const OUTPUTS: usize = 16;
/// Weights that lie beside each other: four inputs of sixteen outputs.
pub(crate) const RUN: usize = 64;
/// Added to a difference, so that half a byte holds it.
pub(crate) const MIDDLE: i16 = 8;

/// A matrix: where its bytes are in the file, and the scales of its rows.
struct Matrix {
    weights: Range<usize>,
    scales: Range<usize>,
    inputs: usize,
}

fn matrices(file: &[u8], first: usize) -> Vec<Matrix> {
    let number = |at: usize| {
        let bytes = file[at..at + 8].try_into().expect("eight bytes were taken");
        u64::from_le_bytes(bytes) as usize
    };
    let section = |index: usize| {
        let at = TABLE + 16 * index;
        number(at)..number(at) + number(at + 8)
    };
    let mut found = Vec::new();
    for layer in 0..LAYERS {
        let base = first + layer * SECTIONS;
        let mut floats = section(base + SHAPES.len() + 1).start;
        for (index, (inputs, outputs)) in SHAPES.into_iter().enumerate() {
            let scales = floats..floats + 4 * outputs;
            found.push(Matrix { weights: section(base + index), scales, inputs });
            // The bias follows the scales.
            floats += 8 * outputs;
        }
    }
    found
}

/// How many steps of one row are a step of the other, in parts of 65,536; whole numbers are the same everywhere.
fn ratios(of: &[u8], to: &[u8]) -> Vec<i32> {
    let float = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().expect("chunks of four"));
    let pairs = of.chunks_exact(4).zip(to.chunks_exact(4));
    pairs.map(|(of, to)| (float(of) / float(to) * 65_536.0) as i32).collect()
}

pub(crate) fn guess(weight: u8, ratio: i32) -> i16 {
    ((i32::from(weight as i8) * ratio + 0x8000) >> 16) as i16
}

/// What both files say of a matrix.
pub(crate) struct Both {
    weights: Range<usize>,
    inputs: usize,
    /// Where the pair's weights begin.
    place: usize,
    ratios: Vec<i32>,
}

pub(crate) fn both(model: &[u8], pair: &[u8]) -> Vec<Both> {
    let (ours, theirs) = (matrices(model, MODEL_FIRST), matrices(pair, 0));
    let merged = ours.into_iter().zip(theirs).map(|(ours, theirs)| Both {
        ratios: ratios(&model[ours.scales], &pair[theirs.scales]),
        weights: ours.weights,
        inputs: ours.inputs,
        place: theirs.weights.start,
    });
    merged.collect()
}

/// Calls for each run of weights: its place in the pair's file, the run of the model, and a ratio per weight.
pub(crate) fn each_run(
    model: &[u8],
    both: &[Both],
    mut call: impl FnMut(usize, &[u8], &[i32; RUN]),
) {
    for Both { weights, inputs, place, ratios } in both {
        let blocks = model[weights.clone()].chunks_exact(inputs * OUTPUTS);
        let mut place = *place;
        for (block, ratios) in blocks.zip(ratios.chunks_exact(OUTPUTS)) {
            let lanes = std::array::from_fn(|lane| ratios[lane / 4]);
            for run in block.chunks_exact(RUN) {
                call(place, run, &lanes);
                place += RUN;
            }
        }
    }
}

/// Where the file has something else than weights, in its order.
pub(crate) fn others(file: &[u8]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut from = 0;
    for matrix in matrices(file, 0) {
        ranges.push(from..matrix.weights.start);
        from = matrix.weights.end;
    }
    ranges.push(from..file.len());
    ranges
}

/// The bytes of `pair.bin`, from 64 on at a place that is a multiple of 64.
///
/// Panics if `packed` was not made from this model.
pub(crate) fn unpack<'a>(model: &[u8], packed: &[u8], buffer: &'a mut Vec<u8>) -> &'a [u8] {
    let number = |at: usize| {
        let bytes = packed[at * 4..][..4].try_into().expect("four bytes were taken");
        u32::from_le_bytes(bytes) as usize
    };
    let (length, rest, count) = (number(0), number(1), number(2));
    let (mut rest, after) = packed[12..].split_at(rest);
    let (patches, nibbles) = after.split_at(count * 5);
    buffer.resize(length + RUN, 0);
    let start = buffer.as_ptr().align_offset(RUN);
    let file = &mut buffer[start..start + length];
    // The table at the start says where the first matrix is, and the table is before it.
    let table = rest.len().min(length);
    file[..table].copy_from_slice(&rest[..table]);
    for range in others(file) {
        let (bytes, more) = rest.split_at(range.len());
        file[range].copy_from_slice(bytes);
        rest = more;
    }
    let both = both(model, file);
    let mut nibbles = nibbles.chunks_exact(RUN / 2);
    each_run(model, &both, |place, run, lanes| {
        let nibbles = nibbles.next().expect("half a byte for each weight");
        let (low, high) = file[place..place + RUN].split_at_mut(RUN / 2);
        for lane in 0..RUN / 2 {
            let step = i16::from(nibbles[lane] & 15) - MIDDLE;
            low[lane] = (guess(run[lane], lanes[lane]) + step) as u8;
            let step = i16::from(nibbles[lane] >> 4) - MIDDLE;
            let other = lane + RUN / 2;
            high[lane] = (guess(run[other], lanes[other]) + step) as u8;
        }
    });
    for patch in patches.chunks_exact(5) {
        let place = u32::from_le_bytes(patch[..4].try_into().expect("four bytes were taken"));
        file[place as usize] = patch[4];
    }
    file
}
