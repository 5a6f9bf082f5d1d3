//! Names that hint at a secret: `API_KEY`, `dbPassword`, `X-Auth-Token`.

use super::value::{Class, Kinds};
use crate::table::has;

/// Names that make a value suspect wherever they stand in a key, separators left out.
const TELLING: &str = "password passwd passphrase secret token apikey accesskey privatekey \
    credential authorization authkey secretkey signingkey encryptionkey masterkey accountkey \
    appkey applicationkey clientkey consumerkey serverkey sharedkey servicekey licensekey \
    noncekey loggedinkey";

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

/// Keys that name their issuer get its rule.
const ISSUERS: &[(&str, &str)] = &[
    ("aws", "aws-secret-key"),
    ("secretaccesskey", "aws-secret-key"),
    ("azure", "azure-key"),
    ("cloudflare", "cloudflare-token"),
    ("cfapi", "cloudflare-token"),
    ("datadog", "datadog-key"),
    ("heroku", "heroku-api-key"),
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
    /// The words, joined by `_`.
    words: String,
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
        let mut words = String::with_capacity(raw.len() + 8);
        if !before.is_empty() {
            push_words(&mut words, before);
            words.push('_');
        }
        push_words(&mut words, raw);
        let flat: String = words.chars().filter(|&c| c != '_').collect();
        let is_constant = raw.contains(&b'_') && !raw.iter().any(u8::is_ascii_lowercase);
        let mut key = Key { words, flat, is_plain: false, is_constant };
        let is_named = key.is_named();
        key.is_plain = !is_named && before.is_empty() && key.is_plain_key();
        ((is_named || key.is_plain) && !key.is_harmless()).then_some(key)
    }

    fn is_named(&self) -> bool {
        TELLING.split_whitespace().any(|name| self.flat.contains(name))
            || self.words.split('_').any(|word| has(TELLING_WORDS, word))
    }

    fn is_plain_key(&self) -> bool {
        let mut words = self.words.rsplit('_').filter(|word| !word.is_empty());
        words.next() == Some("key") && words.next().is_some_and(|it| !has(PLAIN_KEYS, it))
    }

    fn is_harmless(&self) -> bool {
        has(DESCRIBING, self.last_word())
            || self.flat.contains("tokeniz")
            || self.words.starts_with("hashed")
            || self.flat.contains("publickey")
    }

    fn last_word(&self) -> &str {
        self.words.rsplit('_').find(|word| !word.is_empty()).unwrap_or_default()
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
            || self.words.rsplit('_').next().is_some_and(|word| word == "pass" || word == "pw")
    }

    /// Whether its value may be a scheme and then the secret: `Authorization: Token ...`.
    pub(super) fn is_header(&self) -> bool {
        self.flat.ends_with("authorization")
    }

    /// Whether it is about the secret itself, so that also a number is one.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.last_word(), "token" | "secret" | "password" | "passwd")
    }

    pub(super) fn issuer(&self) -> Option<&'static str> {
        ISSUERS.iter().find(|(name, _)| self.flat.contains(name)).map(|&(_, rule)| rule)
    }
}

/// Appends `raw` in lower case, with `_` for each separator and before each capital of camel case.
fn push_words(words: &mut String, raw: &[u8]) {
    let mut small = false;
    for &b in raw {
        if b.is_ascii_uppercase() && small {
            words.push('_');
        }
        small = b.is_ascii_lowercase() || b.is_ascii_digit();
        words.push(if b.is_ascii_alphanumeric() {
            char::from(b.to_ascii_lowercase())
        } else {
            '_'
        });
    }
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
