//! Tokens that begin with a prefix of their issuer.

use super::table::PREFIXES;
use super::value::{REACH, is_generated, run_end, starts_token};
use super::{Hit, Rank};

/// The first row of [`PREFIXES`] for each first byte, so that a word costs one look-up and not one
/// comparison for each issuer.
const FIRST: [usize; 129] = first_rows();

pub(super) fn find(text: &[u8], hits: &mut Vec<Hit>) {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at = match token_at(text, at, byte) {
            Some(hit) => {
                hits.push(hit);
                hit.end.max(at + 1)
            }
            None => at + 1,
        };
    }
}

/// The token that starts at `at`, by the longest prefix that fits.
fn token_at(text: &[u8], at: usize, first: u8) -> Option<Hit> {
    let row = usize::from(first);
    let rows = PREFIXES.get(*FIRST.get(row)?..*FIRST.get(row + 1)?)?;
    if rows.is_empty() || !starts_token(text, at) {
        return None;
    }
    let rest = text.get(at..)?;
    // Rows ascend, so a longer prefix stands behind the shorter one that begins it.
    for row in rows.iter().rev() {
        let prefix = row.prefix.as_bytes();
        // The second byte rules out nearly every row without a call.
        if prefix.get(1) != rest.get(1) || !rest.starts_with(prefix) {
            continue;
        }
        let from = at + row.prefix.len();
        let mut to = run_end(text, from, REACH, row.class);
        // A full stop behind the token ends the sentence, not the token.
        to -= usize::from(to > from && text.get(to - 1) == Some(&b'.'));
        let body = text.get(from..to).unwrap_or_default();
        // A body of a fixed length must also end there: more letters make it another word.
        let open = row.max == usize::MAX || !text.get(to).is_some_and(u8::is_ascii_alphanumeric);
        let fits = body.len() >= row.min && body.len() <= row.max && open;
        if fits && is_generated(body, row.class) {
            let end = run_end(text, to, usize::MAX, row.class);
            return Some(Hit { start: at, end, rule: row.rule, rank: Rank::Shape });
        }
    }
    None
}

const fn first_rows() -> [usize; 129] {
    let mut first = [0; 129];
    let mut byte = 0;
    let mut row = 0;
    while byte < first.len() {
        while row < PREFIXES.len() && (PREFIXES[row].prefix.as_bytes()[0] as usize) < byte {
            row += 1;
        }
        first[byte] = row;
        byte += 1;
    }
    first
}
