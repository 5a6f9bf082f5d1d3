//! Products of byte vectors. The caller may bring a kernel made for its processor.

use crate::DIMENSIONS;

/// Writes the product of the query with each row. `rows` are `dots.len()` rows, one behind the other.
pub type DotRows = fn(query: &[i8; DIMENSIONS], rows: &[i8], dots: &mut [i32]);

/// Numbers that are multiplied at a time. Twice as many, or half, and the compiler does worse.
const LANES: usize = 32;

/// Rows are widened by this shift, which takes an instruction less than widening with the sign. The
/// largest sum still fits: 384 * 128 * 128 * 256 is below 2^31.
const SHIFT: u32 = 8;

/// Runs everywhere, and is shaped so that the compiler uses the vector unit.
pub fn dot_rows(query: &[i8; DIMENSIONS], rows: &[i8], dots: &mut [i32]) {
    let wide = query.map(i16::from);
    for (row, dot) in rows.as_chunks::<DIMENSIONS>().0.iter().zip(dots) {
        *dot = dot_row(&wide, row);
    }
}

#[inline(always)]
fn dot_row(query: &[i16; DIMENSIONS], row: &[i8; DIMENSIONS]) -> i32 {
    let mut sum = 0;
    for (left, right) in query.as_chunks::<LANES>().0.iter().zip(row.as_chunks::<LANES>().0) {
        let right = right.map(|number| i16::from(number) << SHIFT);
        let products =
            left.iter().zip(&right).map(|(left, right)| i32::from(*left) * i32::from(*right));
        sum += products.sum::<i32>();
    }
    sum >> SHIFT
}
