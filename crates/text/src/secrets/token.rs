//! Tokens that begin with a prefix of their issuer.

use std::sync::LazyLock;

use super::literals::Literals;
use super::table::{ANY, ISSUERS, Issuer};
use super::value::{REACH, is_generated, run_end, starts_token};
use super::{Hit, Rank};

static PREFIXES: LazyLock<Literals<&Issuer>> = LazyLock::new(|| {
    let prefixes = ISSUERS.iter().flat_map(|row| row.4.iter().map(move |prefix| (*prefix, row)));
    Literals::new(prefixes.collect())
});

pub(super) fn find(text: &[u8], hits: &mut Vec<Hit>) {
    let prefixes = &*PREFIXES;
    let mut at = 0;
    while at < text.len() {
        let found = token_at(prefixes, text, at);
        at = found.map_or(0, |hit| hit.end).max(at + 1);
        hits.extend(found);
    }
}

/// The token that starts at `at`, by the longest prefix that fits.
fn token_at(prefixes: &Literals<&Issuer>, text: &[u8], at: usize) -> Option<Hit> {
    let mut rows = prefixes.starting(text.get(at..)?).peekable();
    if rows.peek().is_none() || !starts_token(text, at) {
        return None;
    }
    rows.find_map(|(prefix, (rule, class, min, max, _))| {
        let from = at + prefix.len();
        let mut to = run_end(text, from, REACH, *class);
        // A full stop behind the token ends the sentence, not the token.
        to -= usize::from(to > from && text.get(to - 1) == Some(&b'.'));
        let body = text.get(from..to).unwrap_or_default();
        // A body of a fixed length must also end there: more letters make it another word.
        let ends = *max == ANY || !text.get(to).is_some_and(u8::is_ascii_alphanumeric);
        let fits = (*min..=*max).contains(&body.len()) && ends;
        (fits && is_generated(body, *class)).then(|| {
            let end = run_end(text, to, usize::MAX, *class);
            Hit { start: at, end, rule, rank: Rank::Shape }
        })
    })
}
