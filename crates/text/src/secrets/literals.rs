//! Finds which literals of a table stand at a place of a text, with one look-up by the first byte.

/// Literals in ascending order, each with what belongs to it.
pub(super) struct Literals<T> {
    rows: Vec<(&'static str, T)>,
    /// The first row for each first byte, which is ASCII.
    first: [usize; 129],
}

impl<T> Literals<T> {
    pub(super) fn new(mut rows: Vec<(&'static str, T)>) -> Self {
        rows.sort_by_key(|(literal, _)| *literal);
        let first = std::array::from_fn(|byte| {
            rows.partition_point(|(literal, _)| usize::from(literal.as_bytes()[0]) < byte)
        });
        Self { rows, first }
    }

    /// The literals that `rest` starts with, the longest first: it is behind those that begin it.
    pub(super) fn starting<'t>(
        &'t self,
        rest: &'t [u8],
    ) -> impl Iterator<Item = &'t (&'static str, T)> {
        // Nothing begins with 127, so it stands for all that is not ASCII.
        let row = rest.first().map_or(127, |byte| usize::from(*byte).min(127));
        let rows = &self.rows[self.first[row]..self.first[row + 1]];
        let next = rest.get(1);
        // The second byte rules out nearly every row without a call.
        rows.iter().rev().filter(move |(literal, _)| {
            let literal = literal.as_bytes();
            literal.get(1).is_none_or(|byte| Some(byte) == next) && rest.starts_with(literal)
        })
    }
}
