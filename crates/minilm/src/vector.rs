//! The form in which an embedding is kept and compared.

use crate::math;

pub const DIMENSIONS: usize = 384;

/// A normalised embedding: 384 signed bytes and the factor that gives them back.
#[derive(Clone, PartialEq, Debug)]
pub struct Vector {
    pub scale: f32,
    pub bytes: [i8; DIMENSIONS],
}

impl Vector {
    /// The largest value becomes 127; the scale gives the bytes, not the floats, length one.
    pub(crate) fn from_floats(floats: &[f32; DIMENSIONS]) -> Self {
        let largest = floats.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
        if largest == 0.0 {
            return Self { scale: 0.0, bytes: [0; DIMENSIONS] };
        }
        let factor = 127.0 / largest;
        let bytes = floats.map(|value| math::round(value * factor) as i8);
        let squares: i32 = bytes.iter().map(|&byte| i32::from(byte) * i32::from(byte)).sum();
        Self { scale: 1.0 / (squares as f32).sqrt(), bytes }
    }
}
