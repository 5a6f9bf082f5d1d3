//! Finds credentials in a text, so that a memory holding one is refused before it touches the disk.
//!
//! It reads the text once per detector and looks a bounded distance around each anchor, so it stays
//! linear. Nothing it returns holds any part of the secret: a finding is safe to log and to show.
//!
//! Sample values (`...example...`, `xxxx`, `<token>`, `${TOKEN}`) are let through on purpose: notes
//! about credentials are worth remembering, and those values open nothing.

mod anchor;
mod assign;
mod cluster;
mod key;
mod login;
mod plain;
mod shape;
mod table;
mod value;

#[cfg(test)]
mod tests;

use plain::Plain;

/// Where a secret was found and by which rule; never the value itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretFinding {
    /// The rule's name: stable, lower-case, with hyphens.
    pub rule: &'static str,
    /// The line the secret starts on, from 1.
    pub line: usize,
    /// The column the secret starts at, in characters, from 1.
    pub column: usize,
}

/// Returns the secrets of `text` by position, at most one for each overlapping span. The text is
/// read twice: as it is, and without what hides in it.
pub fn scan(text: &str) -> Vec<SecretFinding> {
    locate(text, &find(text))
}

/// The first secret of `new` that `old` does not hold already: an existing one does
/// not stop a memory from being moved, retired or fixed.
pub fn first_added(old: &str, new: &str) -> Option<SecretFinding> {
    let mut hits = find(new);
    hits.retain(|hit| new.get(hit.start..hit.end).is_none_or(|value| !old.contains(value)));
    locate(new, &hits).into_iter().next()
}

/// The text with `[redacted: <rule>]` for every secret; `None` if it has none.
pub fn redact(text: &str) -> Option<String> {
    let hits = find(text);
    let mut redacted = String::with_capacity(text.len());
    let mut at = 0;
    for hit in &hits {
        redacted.push_str(text.get(at..hit.start)?);
        redacted.push_str(&format!("[redacted: {}]", hit.rule));
        at = hit.end;
    }
    redacted.push_str(text.get(at..)?);
    (!hits.is_empty()).then_some(redacted)
}

fn find(text: &str) -> Vec<Hit> {
    let mut hits = hits_in(text.as_bytes());
    if let Some(plain) = Plain::of(text) {
        hits.extend(hits_in(&plain.bytes).into_iter().map(|hit| Hit {
            start: plain.origin(hit.start, text),
            end: plain.origin(hit.end, text),
            ..hit
        }));
    }
    merge(hits)
}

fn hits_in(bytes: &[u8]) -> Vec<Hit> {
    let mut hits = Vec::new();
    anchor::find(bytes, &mut hits);
    assign::find(bytes, &mut hits);
    hits
}

/// How much a rule knows about what it matched; the most specific wins an overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The value itself names its issuer.
    Shape,
    /// The syntax around the value makes it a login.
    Login,
    /// Only a name beside the value hints at a secret.
    Name,
}

/// A match as byte offsets.
#[derive(Debug, Clone, Copy)]
struct Hit {
    start: usize,
    end: usize,
    rule: &'static str,
    rank: Rank,
}

/// Keeps the most specific hit of each group of overlapping ones, by position.
fn merge(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by_key(|hit| (hit.start, hit.rank));
    let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
    let mut group_end = 0;
    for hit in hits {
        match kept.last_mut() {
            Some(best) if hit.start < group_end => {
                if hit.rank < best.rank {
                    *best = hit;
                }
            }
            _ => kept.push(hit),
        }
        group_end = group_end.max(hit.end);
    }
    kept
}

/// Turns ascending byte offsets into lines and columns in one walk.
fn locate(text: &str, hits: &[Hit]) -> Vec<SecretFinding> {
    let (mut line, mut column, mut at) = (1, 1, 0);
    let place = |hit: &Hit| {
        let between = text.get(at..hit.start).unwrap_or_default();
        line += between.matches('\n').count();
        column = match between.rsplit_once('\n') {
            Some((_, tail)) => 1 + tail.chars().count(),
            None => column + between.chars().count(),
        };
        at = hit.start;
        SecretFinding { rule: hit.rule, line, column }
    };
    hits.iter().map(place).collect()
}
