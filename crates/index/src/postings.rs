//! Which documents a term is in, and how often in each field, as bytes. Ordinals go up, so their
//! gaps are stored. Long lists are cut into blocks that can be skipped.

use crate::Damage;
use crate::document::{BODY, FIELDS};

/// How often a term is in each field of a document; more than 255 times is 255.
pub type Counts = [u8; FIELDS];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Posting {
    pub(crate) ordinal: u32,
    pub(crate) counts: Counts,
}

/// The shape that needs nothing but its gap: once, in the body.
pub(crate) const ONCE: Counts = [0, 1, 0, 0];

/// Postings to a block. Shorter lists have no blocks, and no bytes for them.
const BLOCK: usize = 128;

pub(crate) fn encode(postings: &[Posting], bytes: &mut Vec<u8>) {
    let mut next = 0;
    if postings.len() <= BLOCK {
        encode_run(postings, &mut next, bytes);
        return;
    }
    let mut run = Vec::new();
    for block in postings.chunks(BLOCK) {
        let start = next;
        run.clear();
        encode_run(block, &mut next, &mut run);
        push_varint(next - start, bytes);
        push_varint(run.len() as u32, bytes);
        bytes.extend_from_slice(&run);
    }
}

/// `next` is one above the last ordinal, as gaps count from there.
fn encode_run(postings: &[Posting], next: &mut u32, bytes: &mut Vec<u8>) {
    for posting in postings {
        let gap = posting.ordinal - *next;
        *next = posting.ordinal + 1;
        let is_once = posting.counts == ONCE;
        push_varint(gap << 1 | u32::from(!is_once), bytes);
        if !is_once {
            push_counts(posting.counts, bytes);
        }
    }
}

/// The low half is the set of fields. The high half is how often the term is in the body, if it is
/// once in every other field of the set; else it is 0 and one byte per field follows.
fn push_counts(counts: Counts, bytes: &mut Vec<u8>) {
    let mut fields = 0;
    let mut is_once_outside = true;
    for (field, count) in counts.into_iter().enumerate() {
        fields |= u8::from(count > 0) << field;
        is_once_outside &= field == BODY || count <= 1;
    }
    let in_body = counts[BODY].max(u8::from(counts[BODY] == 0));
    if is_once_outside && in_body < 16 {
        bytes.push(fields | in_body << 4);
    } else {
        bytes.push(fields);
        bytes.extend(counts.into_iter().filter(|count| *count > 0));
    }
}

pub(crate) fn encode_ordinals(ordinals: &[u32], bytes: &mut Vec<u8>) {
    let mut next = 0;
    for &ordinal in ordinals {
        push_varint(ordinal - next, bytes);
        next = ordinal + 1;
    }
}

pub(crate) fn each_ordinal(
    bytes: &[u8],
    count: u32,
    mut take: impl FnMut(u32) -> Option<()>,
) -> Result<(), Damage> {
    let mut at = 0;
    let mut next = 0_u32;
    for _ in 0..count {
        let ordinal = varint(bytes, &mut at).and_then(|gap| next.checked_add(gap));
        let ordinal = ordinal.filter(|it| take(*it).is_some()).ok_or(BROKEN)?;
        next = ordinal.wrapping_add(1);
    }
    Ok(())
}

/// Visits every posting of a list. `None` is an ordinal that can't be.
pub(crate) fn visit(
    bytes: &[u8],
    count: u32,
    visit: &mut impl FnMut(u32, Counts) -> Option<()>,
) -> Result<(), Damage> {
    visit_blocks(bytes, count, |_| true, visit).ok_or(BROKEN)
}

/// Visits every posting whose ordinal is wanted, and maybe others. `wanted` is sorted.
pub(crate) fn visit_near(
    bytes: &[u8],
    count: u32,
    wanted: &[u32],
    visit: &mut impl FnMut(u32, Counts) -> Option<()>,
) -> Result<(), Damage> {
    let mut wanted = wanted;
    let is_wanted = |block: std::ops::Range<u32>| {
        let passed = wanted.partition_point(|ordinal| *ordinal < block.start);
        wanted = &wanted[passed..];
        wanted.first().is_some_and(|ordinal| *ordinal < block.end)
    };
    visit_blocks(bytes, count, is_wanted, visit).ok_or(BROKEN)
}

const BROKEN: Damage = Damage::Contents("postings are broken");

fn visit_blocks(
    bytes: &[u8],
    count: u32,
    mut is_wanted: impl FnMut(std::ops::Range<u32>) -> bool,
    visit: &mut impl FnMut(u32, Counts) -> Option<()>,
) -> Option<()> {
    let mut left = count as usize;
    if left <= BLOCK {
        if is_wanted(0..u32::MAX) {
            visit_run(bytes, left, 0, visit)?;
        }
        return Some(());
    }
    let mut at = 0;
    let mut next = 0_u32;
    while left > 0 {
        let end = next.checked_add(varint(bytes, &mut at)?)?;
        let length = varint(bytes, &mut at)? as usize;
        let run = bytes.get(at..)?.get(..length)?;
        if is_wanted(next..end) {
            let reached = visit_run(run, left.min(BLOCK), next, visit)?;
            // Else ordinals of the next block could go down.
            (reached == end).then_some(())?;
        }
        at += length;
        next = end;
        left -= left.min(BLOCK);
    }
    Some(())
}

/// Gives one above the last ordinal.
fn visit_run(
    bytes: &[u8],
    count: usize,
    first: u32,
    visit: &mut impl FnMut(u32, Counts) -> Option<()>,
) -> Option<u32> {
    let mut at = 0;
    let mut next = first;
    for _ in 0..count {
        let value = varint(bytes, &mut at)?;
        let ordinal = next.checked_add(value >> 1)?;
        let counts = if value & 1 == 0 { ONCE } else { counts(bytes, &mut at)? };
        visit(ordinal, counts)?;
        // No list has the largest ordinal: it would have been refused.
        next = ordinal.wrapping_add(1);
    }
    Some(next)
}

fn counts(bytes: &[u8], at: &mut usize) -> Option<Counts> {
    let shape = *bytes.get(*at)?;
    *at += 1;
    let mut counts = [0; FIELDS];
    for (field, count) in counts.iter_mut().enumerate() {
        if shape >> field & 1 == 0 {
            continue;
        }
        *count = match shape >> 4 {
            0 => {
                let count = *bytes.get(*at)?;
                *at += 1;
                count
            }
            in_body if field == BODY => in_body,
            _ => 1,
        };
    }
    Some(counts)
}

fn push_varint(mut value: u32, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[inline(always)]
fn varint(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let first = *bytes.get(*at)?;
    *at += 1;
    if first < 0x80 { Some(u32::from(first)) } else { long_varint(bytes, at, first) }
}

fn long_varint(bytes: &[u8], at: &mut usize, first: u8) -> Option<u32> {
    let mut value = u32::from(first & 0x7f);
    for shift in [7, 14, 21, 28] {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}
