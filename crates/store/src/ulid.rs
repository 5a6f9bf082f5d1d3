//! Ids that sort by time and never meet: milliseconds and randomness, as Crockford's base 32.

use jiff::Timestamp;

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Of the 26; the others are random.
pub(crate) const TIME_DIGITS: usize = 10;

/// Where the random half comes from; tests give their own.
pub trait Entropy: Sync {
    fn next(&self) -> u128;
}

/// The operating system's, also for secrets such as the token of the MCP server.
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn next(&self) -> u128 {
        use std::hash::{BuildHasher, RandomState};
        let mut bytes = [0u8; 16];
        let filled = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty());
        if filled.is_ok_and(|filled| filled == bytes.len()) {
            return u128::from_le_bytes(bytes);
        }
        // Without the system call the hasher's own seed is still different in every process.
        let part = || u128::from(RandomState::new().hash_one(std::process::id()));
        (part() << 64) | part()
    }
}

pub fn ulid(at: Timestamp, random: u128) -> String {
    let millis = u128::try_from(at.as_millisecond()).unwrap_or(0) & ((1 << 48) - 1);
    let value = (millis << 80) | (random & ((1 << 80) - 1));
    (0..26).rev().map(|digit| char::from(DIGITS[((value >> (digit * 5)) & 31) as usize])).collect()
}

pub(crate) fn is_ulid(id: &str) -> bool {
    id.len() == 26 && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// The id that comes right after another; `None` after the last one, or what is no id.
pub fn successor(id: &str) -> Option<String> {
    let mut digits: Vec<usize> = Vec::new();
    for byte in id.bytes() {
        digits.push(DIGITS.iter().position(|digit| *digit == byte)?);
    }
    let last = DIGITS.len() - 1;
    let at = digits.iter().rposition(|digit| *digit < last)?;
    digits[at] += 1;
    digits[at + 1..].fill(0);
    Some(digits.into_iter().map(|digit| char::from(DIGITS[digit])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time() {
        let at = |second| Timestamp::from_second(second).unwrap();
        assert_eq!(ulid(at(0), 0), "0".repeat(26));
        assert!(ulid(at(1_000_000), u128::MAX) < ulid(at(1_000_001), 0));
        assert_eq!(successor("01zz").as_deref(), Some("0200"));
        assert_eq!(successor(&ulid(at(7), 41)), Some(ulid(at(7), 42)));
        assert_eq!([successor("zz"), successor("e-1")], [None, None]);
        assert_ne!(ulid(at(7), SystemEntropy.next()), ulid(at(7), SystemEntropy.next()));
    }
}
