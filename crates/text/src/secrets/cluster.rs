//! Manifests of Kubernetes: what stands under `data` of a `kind: Secret` is one, whatever its name.

use std::ops::Range;

use super::value::{Class, is_reference, is_stand_in, starts_token};
use super::{Hit, Rank};

/// How far around the kind its data is looked for.
const DOCUMENT_REACH: usize = 4096;
/// Shorter values in base64 are `true`, `admin` and their like.
const ENCODED_MIN: usize = 10;
/// The same for values that are not encoded.
const PLAIN_MIN: usize = 6;

/// `kind: Secret`; `at` is where `kind` stands. The data may stand before it or behind it.
pub(super) fn manifest(text: &[u8], at: usize, from: usize) -> Option<Hit> {
    let rest = text.get(from..)?;
    let skip = rest.iter().take(8).take_while(|b| b" \t\"':".contains(b)).count();
    let value = rest.get(skip..)?;
    let is_secret = value.get(..6)?.eq_ignore_ascii_case(b"secret")
        && rest.get(..skip)?.contains(&b':')
        && value.get(6).is_none_or(|b| b.is_ascii_whitespace() || b"\"',}".contains(b));
    if !is_secret || !starts_token(text, at) {
        return None;
    }
    let document = document_around(text, at);
    let start = document.start;
    let mut inside: Option<(usize, usize)> = None;
    let mut line_at = start;
    for line in text.get(document)?.split_inclusive(|&b| b == b'\n') {
        let indent = line.iter().take_while(|b| b" \t".contains(b)).count();
        let said = line.get(indent..).unwrap_or_default().trim_ascii_end();
        let found = inside.filter(|(data, _)| indent > *data).and_then(|(_, min)| entry(said, min));
        if let Some((from, to)) = found {
            let (start, end) = (line_at + indent + from, line_at + indent + to);
            return Some(Hit { start, end, rule: "kubernetes-secret", rank: Rank::Login });
        }
        inside = match said {
            b"data:" => Some((indent, ENCODED_MIN)),
            b"stringData:" => Some((indent, PLAIN_MIN)),
            _ => inside.filter(|(data, _)| said.is_empty() || indent > *data),
        };
        line_at += line.len();
    }
    None
}

/// The value of `name: value`, or of a line below `name: |`, if it is one that somebody could use.
fn entry(line: &[u8], min: usize) -> Option<(usize, usize)> {
    let name = line.iter().position(|&b| b == b':').map_or(0, |colon| colon + 1);
    let is_edge = |b: &u8| b" \t\"'".contains(b);
    let from = name + line.get(name..)?.iter().take_while(|b| is_edge(b)).count();
    let tail = line.get(from..)?;
    let to = from + tail.len() - tail.iter().rev().take_while(|b| is_edge(b)).count();
    let value = line.get(from..to)?;
    let is_encoded = min < ENCODED_MIN || value.iter().all(|&b| Class::Base64.has(b));
    let is_told = value.len() >= min && !is_reference(value) && !is_stand_in(value);
    (is_encoded && is_told && !line.starts_with(b"#")).then_some((from, to))
}

/// The document that `at` stands in: between two lines of `---`.
fn document_around(text: &[u8], at: usize) -> Range<usize> {
    let (from, to) = (at.saturating_sub(DOCUMENT_REACH), text.len().min(at + DOCUMENT_REACH));
    let is_cut = |it: &[u8]| it == b"\n---";
    let before = text[from..at].windows(4).rposition(is_cut);
    let behind = text[at..to].windows(4).position(is_cut);
    before.map_or(from, |it| from + it + 4)..behind.map_or(to, |it| at + it)
}
