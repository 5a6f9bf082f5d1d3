//! The content hash that optimistic concurrency compares.

use std::fmt;

use md5::{Digest, Md5};

/// BLAKE3 of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    pub fn parse(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(|hash| Self(*hash.as_bytes()))
    }

    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from(self.0).to_hex())
    }
}

/// Whether a caller has seen these bytes: by our hash, by the 12 characters of it that we show, or
/// by an MD5 of the file, for compatibility with tools that compute one.
pub fn matches_seen(seen: &str, bytes: &[u8]) -> bool {
    let seen = seen.trim().to_ascii_lowercase();
    let ours = ContentHash::of(bytes);
    match seen.len() {
        12 => ours.short() == seen,
        32 => Md5::digest(bytes).iter().map(|it| format!("{it:02x}")).collect::<String>() == seen,
        _ => ours.to_string() == seen,
    }
}
