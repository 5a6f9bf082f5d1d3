//! Manifests of Kubernetes: what stands under `data` of a `kind: Secret` is one, whatever its name.

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
    let start = document_start(text, at);
    let end = document_end(text, at);
    let mut inside: Option<(usize, usize)> = None;
    let mut line_at = start;
    for line in text.get(start..end)?.split_inclusive(|&b| b == b'\n') {
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

/// Where the document begins that `at` stands in: behind the last `---`.
fn document_start(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(DOCUMENT_REACH);
    let before = text.get(from..at).unwrap_or_default();
    let cut = before.windows(4).rposition(|it| it == b"\n---");
    from + cut.map_or(0, |it| it + 4)
}

fn document_end(text: &[u8], at: usize) -> usize {
    let to = text.len().min(at + DOCUMENT_REACH);
    let behind = text.get(at..to).unwrap_or_default();
    behind.windows(4).position(|it| it == b"\n---").map_or(to, |it| at + it)
}
