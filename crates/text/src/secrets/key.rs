//! Names that hint at a secret: `API_KEY`, `dbPassword`, `X-Auth-Token`.

use super::value::{Class, Kinds};
use crate::strings::name_words;
use crate::table::has;

/// Names that make a value suspect wherever they stand in a key, separators left out.
const TELLING: &str = "password passwd passphrase secret token apikey accesskey privatekey \
    credential authorization authkey secretkey signingkey encryptionkey masterkey accountkey \
    appkey applicationkey clientkey consumerkey serverkey sharedkey servicekey licensekey \
    noncekey loggedinkey contribsys";

/// Names that tell only if they are the whole key: of an issuer who has one secret for a customer.
const TELLING_ALONE: &str = "cloudflare";

/// The same for words too short to look for inside others (`author`, `compass`).
const TELLING_WORDS: &str = "auth bearer pwd pass creds pw salt";

/// Last words of keys that describe a secret but do not hold it.
const DESCRIBING: &str = "address arn at budget checksum class column count created digest email \
    endpoint env expires expiry field file format hash header host id ids label length limit \
    manager method model name names path pattern policy port prefix provider ref regex role \
    scope scopes service size store suffix table ttl type updated uri url usage user username \
    var version";

/// What a key is called that finds something and locks nothing.
const PLAIN_KEYS: &str = "cache dedupe foreign group hash host i18n idempotency index known \
    lookup map object partition primary pub query row shard sort translation";

/// What every telling name has in it. Most words have none, and cost no more than this look.
const STEMS: [&[u8]; 11] = [
    b"pass",
    b"secret",
    b"token",
    b"key",
    b"cred",
    b"auth",
    b"bearer",
    b"pw",
    b"salt",
    b"contribsys",
    b"cloudflare",
];

/// Keys that name their issuer get its rule.
const ISSUERS: &[(&str, &str)] = &[
    ("aws", "aws-secret-key"),
    ("secretaccesskey", "aws-secret-key"),
    ("azure", "azure-key"),
    ("cloudflare", "cloudflare-token"),
    ("cfapi", "cloudflare-token"),
    ("contribsys", "sidekiq-secret"),
    ("datadog", "datadog-key"),
    ("heroku", "heroku-api-key"),
    ("hubspot", "hubspot-key"),
    ("twilio", "twilio-key"),
    ("vercel", "vercel-token"),
];

/// The longest key that is looked at; of a longer one, its end.
const KEY_REACH: usize = 64;
/// The shortest value that a plain `..._key` makes a secret; shorter ones are mostly identifiers.
const PLAIN_MIN: usize = 20;

pub(super) fn is_key_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')
}

/// A key that hints at a secret, in lower case.
pub(super) struct Key {
    words: Vec<String>,
    /// The words without anything between.
    flat: String,
    /// `X_KEY`: nothing but its last word hints at a secret, so the value must say more.
    is_plain: bool,
    /// Written in capitals, as environment variables are.
    is_constant: bool,
}

impl Key {
    /// Reads the key between `start` and `end`; none if it hints at no secret.
    pub(super) fn new(text: &[u8], start: usize, end: usize) -> Option<Self> {
        let raw = text.get(start.max(end.saturating_sub(KEY_REACH))..end)?;
        // Test runners print "PASS: name".
        if raw == b"PASS" {
            return None;
        }
        // "API key", "access key": the word before tells what kind of key it is.
        let before = if raw.eq_ignore_ascii_case(b"key") { word_before(text, start)? } else { b"" };
        Self::of(before, raw)
    }

    pub(super) fn of(before: &[u8], raw: &[u8]) -> Option<Self> {
        if !may_tell(raw) {
            return None;
        }
        let words = [before, raw].map(|it| name_words(&String::from_utf8_lossy(it))).concat();
        let flat = words.concat();
        let is_constant = raw.contains(&b'_') && !raw.iter().any(u8::is_ascii_lowercase);
        let mut key = Key { words, flat, is_plain: false, is_constant };
        let is_named = key.is_named();
        let is_plain_key = before.is_empty()
            && matches!(&key.words[..], [.., of, key] if key == "key" && !has(PLAIN_KEYS, of));
        key.is_plain = !is_named && is_plain_key && key.issuer().is_none();
        ((is_named || is_plain_key) && !key.is_harmless()).then_some(key)
    }

    fn is_named(&self) -> bool {
        TELLING.split_whitespace().any(|name| self.flat.contains(name))
            || self.words.iter().any(|word| has(TELLING_WORDS, word))
            || has(TELLING_ALONE, &self.flat)
    }

    fn is_harmless(&self) -> bool {
        has(DESCRIBING, self.last_word())
            || self.flat.contains("tokeniz")
            || self.flat.starts_with("hashed")
            || self.flat.contains("publickey")
    }

    fn last_word(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }

    /// Whether a value that is random makes this key hold a secret.
    pub(super) fn takes(&self, value: &[u8], exact: bool) -> bool {
        let is_narrow = value.iter().all(|&b| Class::Uuid.has(b));
        !self.is_plain
            || exact
                && value.len() >= PLAIN_MIN
                && (self.is_constant || !is_narrow && Kinds::of(value).alnum_kinds() == 3)
    }

    pub(super) fn is_password(&self) -> bool {
        ["password", "passwd", "passphrase", "pwd"].iter().any(|name| self.flat.ends_with(name))
            || matches!(self.last_word(), "pass" | "pw")
    }

    /// Whether its value may be a scheme and then the secret: `Authorization: Token ...`.
    pub(super) fn is_header(&self) -> bool {
        self.flat.ends_with("authorization")
    }

    /// Whether it is about the secret itself, so that also a number is one.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.last_word(), "token" | "secret" | "password" | "passwd")
    }

    /// Whether the value has the form that its issuer gives it, however little it varies.
    pub(super) fn has_form(&self, value: &[u8]) -> bool {
        let is_hex = |part: &[u8]| part.len() == 8 && part.iter().all(|&b| Class::Hex.has(b));
        self.flat.contains("contribsys")
            && value.split(|&b| b == b':').filter(|it| is_hex(it)).count() == 2
    }

    pub(super) fn issuer(&self) -> Option<&'static str> {
        ISSUERS.iter().find(|(name, _)| self.flat.contains(name)).map(|&(_, rule)| rule)
    }
}

/// Whether one of the stems is in it, separators left out.
fn may_tell(raw: &[u8]) -> bool {
    if raw.len() > KEY_REACH || !raw.is_ascii() {
        return true;
    }
    let (mut flat, mut length) = ([0; KEY_REACH], 0);
    for byte in raw.iter().filter(|byte| byte.is_ascii_alphanumeric()) {
        flat[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    let flat = &flat[..length];
    STEMS.iter().any(|stem| flat.windows(stem.len()).any(|part| part == *stem))
}

/// The word that ends one space before `start`.
fn word_before(text: &[u8], start: usize) -> Option<&[u8]> {
    let end = start.checked_sub(1)?;
    if !matches!(text.get(end)?, b' ' | b'\t') {
        return None;
    }
    let before = text.get(..end)?;
    let length = before.iter().rev().take(16).take_while(|b| b.is_ascii_alphanumeric()).count();
    before.get(end - length..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_telling_name_has_a_stem() {
        for name in TELLING.split_whitespace().chain(TELLING_WORDS.split_whitespace()) {
            assert!(may_tell(name.as_bytes()), "{name}");
        }
        assert!(may_tell(b"PASS_WORD") && may_tell("\u{212A}ey".as_bytes()) && !may_tell(b"title"));
    }
}
