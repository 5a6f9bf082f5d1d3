//! The secret of the servers, which is not in the database: whoever steals the tables can't make a token of them.
//! Tokens, cookies and what belongs to them are known by their hash under this key alone.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use ring::rand::{SecureRandom as _, SystemRandom};

/// What a token of ours begins with; the scan for secrets knows it.
pub const TOKEN_PREFIX: &str = "oht_";
/// A token is this and 64 hexadecimal digits: 256 random bits.
const TOKEN_LENGTH: usize = TOKEN_PREFIX.len() + 64;
const MODE: u32 = 0o600;
/// More is no key file.
const FILE_BYTES_MAX: u64 = 1024;

pub struct ServerKey([u8; 32]);

/// What a hash is for: the same secret has another one for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Token,
    Cookie,
    Form,
    State,
    Nonce,
    Verifier,
}

impl Use {
    fn label(self) -> &'static [u8] {
        match self {
            Self::Token => b"token",
            Self::Cookie => b"cookie",
            Self::Form => b"form",
            Self::State => b"state",
            Self::Nonce => b"nonce",
            Self::Verifier => b"verifier",
        }
    }
}

impl std::fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ServerKey")
    }
}

/// 256 random bits as hexadecimal digits.
pub fn random() -> io::Result<String> {
    let mut bytes = [0; 32];
    let filled = SystemRandom::new().fill(&mut bytes);
    filled.map_err(|_| io::Error::other("the system has no random numbers"))?;
    Ok(blake3::Hash::from_bytes(bytes).to_hex().to_string())
}

/// A UUID of 122 random bits, as version 4 has it.
pub fn uuid() -> io::Result<String> {
    let digits = random()?;
    let (a, b, c, d, e) =
        (&digits[..8], &digits[8..12], &digits[13..16], &digits[17..20], &digits[20..32]);
    Ok(format!("{a}-{b}-4{c}-8{d}-{e}"))
}

pub fn new_token() -> io::Result<String> {
    Ok(format!("{TOKEN_PREFIX}{}", random()?))
}

/// Whether this may be a token of ours at all.
pub fn is_token(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == TOKEN_LENGTH
        && text.starts_with(TOKEN_PREFIX)
        && text.bytes().skip(TOKEN_PREFIX.len()).all(is_digit)
}

impl ServerKey {
    /// Makes a new one, in a file that only its owner can read. One that is there stays as it is.
    pub fn create(path: &Path) -> io::Result<Self> {
        let digits = random()?;
        let mut file = OpenOptions::new().write(true).create_new(true).mode(MODE).open(path)?;
        file.write_all(digits.as_bytes())?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        Self::parse(&digits).ok_or_else(|| io::Error::other("it could not be made"))
    }

    /// Reads one; a file that others can read is refused.
    pub fn load(path: &Path) -> Result<Self, String> {
        let name = path.display();
        let file = File::open(path).map_err(|error| {
            format!("could not open the key file `{name}`: {error}; make one with `oldhand-team admin key create {name}`")
        })?;
        let mode = file.metadata().map_err(|error| error.to_string())?.permissions().mode() & 0o777;
        // systemd gives the file to its service by an access list, which looks like a right of the group.
        let credentials = std::env::var_os("CREDENTIALS_DIRECTORY");
        let is_credential = credentials.is_some_and(|folder| path.starts_with(folder));
        if mode & (if is_credential { 0o007 } else { 0o077 }) != 0 {
            return Err(format!("others can read the key file `{name}`: run `chmod 600 {name}`"));
        }
        let mut text = String::new();
        let read = file.take(FILE_BYTES_MAX).read_to_string(&mut text);
        read.map_err(|error| format!("could not read the key file `{name}`: {error}"))?;
        Self::parse(text.trim())
            .ok_or_else(|| format!("the key file `{name}` does not hold 64 hexadecimal digits"))
    }

    /// From 64 hexadecimal digits.
    pub fn parse(digits: &str) -> Option<Self> {
        Some(Self(*blake3::Hash::from_hex(digits).ok()?.as_bytes()))
    }

    pub fn hash(&self, of: Use, secret: &str) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(of.label()).update(&[0]).update(secret.as_bytes());
        *hasher.finalize().as_bytes()
    }

    /// The same as hexadecimal digits: what follows from a secret, and says nothing about it.
    pub fn digits(&self, of: Use, secret: &str) -> String {
        blake3::Hash::from_bytes(self.hash(of, secret)).to_hex().to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::{ServerKey, Use, is_token, new_token, uuid};

    #[test]
    fn a_key_file_is_for_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key");
        let made = ServerKey::create(&path).expect("made");
        let mode = std::fs::metadata(&path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600);
        assert!(ServerKey::create(&path).is_err(), "it is never replaced");
        let read = ServerKey::load(&path).expect("read");
        assert_eq!(made.hash(Use::Token, "a"), read.hash(Use::Token, "a"));
        assert_ne!(made.hash(Use::Token, "a"), made.hash(Use::Cookie, "a"));
        assert_eq!(format!("{made:?}"), "ServerKey");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("set");
        let refused = ServerKey::load(&path).expect_err("others can read it");
        assert!(refused.contains("chmod 600"), "{refused}");
    }

    #[test]
    fn tokens_have_256_random_bits() {
        let (one, two) = (new_token().expect("made"), new_token().expect("made"));
        assert!(is_token(&one) && is_token(&two) && one != two);
        for wrong in ["", "oht_", &one[1..], &one.to_uppercase(), &format!("{one}0")] {
            assert!(!is_token(wrong), "{wrong}");
        }
        let uuid = uuid().expect("made");
        assert_eq!((uuid.len(), uuid.as_bytes()[14]), (36, b'4'));
    }
}
