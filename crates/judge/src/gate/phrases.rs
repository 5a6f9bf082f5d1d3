//! Phrases of a table in a sentence: at each place the longest ones that begin there.

use std::ops::Range;

/// `rows_at` gives the rows whose phrase begins at a word, each with the number of its words; `make`
/// what is found there.
pub(super) fn longest<R, T>(
    words: usize,
    rows_at: impl Fn(usize) -> Vec<(R, usize)>,
    make: impl Fn(R, Range<usize>) -> T,
) -> Vec<T> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words {
        let rows = rows_at(at);
        // A longer phrase takes its words from a shorter one: `merge commit`, not `commit`.
        let longest = rows.iter().map(|(_, length)| *length).max().unwrap_or(0);
        let whole = rows.into_iter().filter(|(_, length)| *length == longest && longest > 0);
        found.extend(whole.map(|(row, length)| make(row, at..at + length)));
        at += longest.max(1);
    }
    found
}
