//! The model file as typed views into its bytes: nothing is parsed, copied or verified beyond the
//! header and the lengths. `assets/minilm/convert.py` is the writer and says what the sections are.

use bytemuck::AnyBitPattern;

use crate::wordpiece::Vocabulary;

pub(crate) const WIDTH: usize = crate::DIMENSIONS;
pub(crate) const INNER: usize = 1536;
pub(crate) const LAYERS: usize = 6;
pub(crate) const HEADS: usize = 12;
pub(crate) const HEAD_WIDTH: usize = WIDTH / HEADS;
pub(crate) const VOCABULARY: usize = 30_522;

const MAGIC: &[u8; 8] = b"OHMINILM";
const PAIR_MAGIC: &[u8; 8] = b"OHPAIRLM";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 24;
const ENTRY_BYTES: usize = 16;

#[cfg(target_endian = "big")]
compile_error!("the model file is little-endian and read in place");

/// Why the bytes are no model of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    #[error("the model does not start with its mark")]
    Foreign,
    #[error("the model has another format version: `{0}`")]
    Version(u32),
    #[error("the model is cut off")]
    Truncated,
    #[error("the model has a damaged section: `{0}`")]
    Section(usize),
}

pub(crate) struct Model<'a> {
    pub(crate) vocabulary: Vocabulary<'a>,
    pub(crate) word_rows: &'a [i8],
    pub(crate) word_scales: &'a [f32],
    /// The position's and the only used token type's embedding, added.
    pub(crate) positions: &'a [f32],
    pub(crate) norm: Norm<'a>,
    pub(crate) layers: [Layer<'a>; LAYERS],
}

pub(crate) struct Layer<'a> {
    /// Query, key and value beside each other; the query comes divided by the root of its width.
    pub(crate) attention: Linear<'a>,
    pub(crate) attention_output: Linear<'a>,
    pub(crate) attention_norm: Norm<'a>,
    pub(crate) inner: Linear<'a>,
    pub(crate) output: Linear<'a>,
    pub(crate) output_norm: Norm<'a>,
}

/// A matrix of int8 in blocks of 16 outputs; in a block, 16 x 4 bytes for each 4 inputs.
#[derive(Clone, Copy)]
pub(crate) struct Linear<'a> {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    pub(crate) weights: &'a [i8],
    /// The sum of each output's weights, which takes the zero points of the inputs out.
    pub(crate) sums: &'a [i32],
    pub(crate) scales: &'a [f32],
    pub(crate) bias: &'a [f32],
}

#[derive(Clone, Copy)]
pub(crate) struct Norm<'a> {
    pub(crate) weight: &'a [f32],
    pub(crate) bias: &'a [f32],
}

impl<'a> Model<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, Damage> {
        let mut sections = Sections::new(bytes, MAGIC)?;
        let vocabulary = Vocabulary {
            slots: sections.next_exact(crate::wordpiece::SLOTS)?,
            ends: sections.next_exact(VOCABULARY + 1)?,
            bytes: sections.next()?,
            marks: sections.next()?,
            punctuation: sections.next()?,
            controls: sections.next()?,
        };
        let word_rows = sections.next_exact(VOCABULARY * WIDTH)?;
        let word_scales = sections.next_exact(VOCABULARY)?;
        let positions = sections.next_exact(crate::TOKEN_LIMIT * WIDTH)?;
        let norm = take_norm(&mut sections.next_exact(2 * WIDTH)?);
        let layers = read_layers(&mut sections)?;
        sections.finish()?;
        Ok(Self { vocabulary, word_rows, word_scales, positions, norm, layers })
    }

    /// The layers of another file over the words of this one, and the floats behind them.
    pub(crate) fn with_layers(self, bytes: &'a [u8]) -> Result<(Self, &'a [f32]), Damage> {
        let mut sections = Sections::new(bytes, PAIR_MAGIC)?;
        let layers = read_layers(&mut sections)?;
        let head = sections.next()?;
        sections.finish()?;
        Ok((Self { layers, ..self }, head))
    }
}

fn read_layers<'a>(sections: &mut Sections<'a>) -> Result<[Layer<'a>; LAYERS], Damage> {
    let layers = (0..LAYERS).map(|_| Layer::new(sections)).collect::<Result<Vec<_>, _>>()?;
    layers.try_into().map_err(|_| Damage::Truncated)
}

impl<'a> Layer<'a> {
    fn new(sections: &mut Sections<'a>) -> Result<Self, Damage> {
        const SHAPES: [(usize, usize); 4] =
            [(WIDTH, 3 * WIDTH), (WIDTH, WIDTH), (WIDTH, INNER), (INNER, WIDTH)];
        const OUTPUTS: usize = 3 * WIDTH + WIDTH + INNER + WIDTH;
        let mut weights: [&[i8]; 4] = [&[]; 4];
        for (place, (inputs, outputs)) in weights.iter_mut().zip(SHAPES) {
            *place = sections.next_exact(inputs * outputs)?;
        }
        let mut sums = sections.next_exact(OUTPUTS)?;
        let mut floats = sections.next_exact(2 * OUTPUTS + 4 * WIDTH)?;
        let mut linear = |number: usize| {
            let (inputs, outputs) = SHAPES[number];
            Linear {
                inputs,
                outputs,
                weights: weights[number],
                sums: take(&mut sums, outputs),
                scales: take(&mut floats, outputs),
                bias: take(&mut floats, outputs),
            }
        };
        let (attention, attention_output, inner, output) =
            (linear(0), linear(1), linear(2), linear(3));
        let (attention_norm, output_norm) = (take_norm(&mut floats), take_norm(&mut floats));
        Ok(Self { attention, attention_output, attention_norm, inner, output, output_norm })
    }
}

fn take_norm<'a>(floats: &mut &'a [f32]) -> Norm<'a> {
    Norm { weight: take(floats, WIDTH), bias: take(floats, WIDTH) }
}

/// The callers take what they have asked the section to hold.
fn take<'a, T>(rest: &mut &'a [T], count: usize) -> &'a [T] {
    let (head, tail) = rest.split_at(count);
    *rest = tail;
    head
}

/// The file's sections, one after the other.
pub(crate) struct Sections<'a> {
    bytes: &'a [u8],
    /// Where each starts, and how long it is.
    table: &'a [[u64; 2]],
    next: usize,
}

impl<'a> Sections<'a> {
    pub(crate) fn new(bytes: &'a [u8], magic: &[u8; 8]) -> Result<Self, Damage> {
        let (head, rest) = bytes.split_at_checked(HEADER_BYTES).ok_or(Damage::Truncated)?;
        if !head.starts_with(magic) {
            return Err(Damage::Foreign);
        }
        let [version, count]: [u32; 2] = bytemuck::pod_read_unaligned(&head[8..16]);
        if version != VERSION {
            return Err(Damage::Version(version));
        }
        let length: u64 = bytemuck::pod_read_unaligned(&head[16..]);
        let table = rest.get(..ENTRY_BYTES.saturating_mul(count as usize)).and_then(view);
        let table = table.filter(|_| length == bytes.len() as u64).ok_or(Damage::Truncated)?;
        Ok(Self { bytes, table, next: 0 })
    }

    /// A file with more sections than are known is not the file that was meant.
    pub(crate) fn finish(self) -> Result<(), Damage> {
        if self.next == self.table.len() { Ok(()) } else { Err(Damage::Section(self.next)) }
    }

    pub(crate) fn next_exact<T: AnyBitPattern>(&mut self, count: usize) -> Result<&'a [T], Damage> {
        let number = self.next;
        let section = self.next()?;
        if section.len() == count { Ok(section) } else { Err(Damage::Section(number)) }
    }

    pub(crate) fn next<T: AnyBitPattern>(&mut self) -> Result<&'a [T], Damage> {
        let number = self.next;
        let [start, length] = *self.table.get(number).ok_or(Damage::Section(number))?;
        self.next += 1;
        let range = start as usize..start.saturating_add(length) as usize;
        self.bytes.get(range).and_then(view).ok_or(Damage::Section(number))
    }
}

/// Fails where the bytes are not aligned, or are no whole number of `T`.
fn view<T: AnyBitPattern>(bytes: &[u8]) -> Option<&[T]> {
    bytemuck::try_cast_slice(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The embedded bytes, of which the test may damage a copy, aligned as the original.
    fn with_copy<R>(change: impl FnOnce(&mut [u8]) -> R) -> R {
        let bytes = &crate::MODEL.0;
        let mut copy = vec![0_u8; bytes.len() + 64];
        let start = copy.as_ptr().align_offset(64);
        copy[start..][..bytes.len()].copy_from_slice(bytes);
        change(&mut copy[start..][..bytes.len()])
    }

    #[track_caller]
    fn check(bytes: &[u8], want: Damage) {
        assert_eq!(Model::new(bytes).err(), Some(want));
    }

    #[test]
    fn a_cut_file_is_refused() {
        with_copy(|bytes| {
            for length in [0, 1, 23, 24, 100, 1000, bytes.len() / 2, bytes.len() - 1] {
                check(&bytes[..length], Damage::Truncated);
            }
        });
    }

    #[test]
    fn another_file_is_refused() {
        check(&[0; 4096], Damage::Foreign);
    }

    #[test]
    fn another_version_is_refused() {
        with_copy(|bytes| {
            bytes[8] = 9;
            check(bytes, Damage::Version(9));
        });
    }

    #[test]
    fn a_damaged_header_is_refused_or_harmless() {
        with_copy(|bytes| {
            for at in 12..24 {
                bytes[at] ^= 0xff;
                assert!(Model::new(bytes).is_err(), "byte {at}");
                bytes[at] ^= 0xff;
            }
            for at in HEADER_BYTES..HEADER_BYTES + 46 * ENTRY_BYTES {
                for bit in 0..8 {
                    bytes[at] ^= 1 << bit;
                    // A moved section of the right length cannot be told from a right one.
                    if let Ok(model) = Model::new(bytes) {
                        model.vocabulary.pieces("some unaffable words", 32);
                    }
                    bytes[at] ^= 1 << bit;
                }
            }
        });
    }

    #[test]
    fn damaged_weights_give_a_wrong_vector() {
        with_copy(|bytes| {
            let end = bytes.len();
            for byte in [0x00, 0x7f, 0x80, 0xff] {
                bytes[700_000..end].fill(byte);
                let model = Model::new(bytes).unwrap();
                for level in crate::Level::available() {
                    crate::Vector::from_floats(&level.forward(&model, &[101, 7592, 102]));
                }
            }
        });
    }

    #[test]
    fn a_damaged_vocabulary_finds_other_pieces() {
        with_copy(|bytes| {
            bytes[4096..600_000].fill(0xff);
            let model = Model::new(bytes).unwrap();
            assert!(model.vocabulary.pieces("some unaffable words", 32).len() <= 32);
        });
    }
}
