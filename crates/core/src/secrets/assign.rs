//! Values beside a telling name: `API_KEY=...`, `"token": "..."`, `the password is ...`.
//!
//! The name alone proves nothing, so the value must be random or look like a chosen password. That
//! keeps prose, identifiers, paths, calls and variables out.

use super::value::{REACH, is_chosen_password, is_random, is_reference, is_symbol_soup};
use super::{Hit, Rank};

/// Names that make a value suspect wherever they stand in a key, separators left out.
const TELLING: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "credential",
    "authkey",
    "secretkey",
    "signingkey",
    "encryptionkey",
    "masterkey",
    "accountkey",
    "appkey",
    "sharedkey",
    "servicekey",
    "licensekey",
    "noncekey",
    "loggedinkey",
];

/// The same for words too short to look for inside others (`author`, `compass`).
const TELLING_WORDS: &[&str] = &["auth", "pwd", "pass", "creds", "pw", "salt"];

/// Last words of keys that describe a secret but do not hold it.
const DESCRIBING: &[&str] = &[
    "address", "arn", "at", "budget", "checksum", "class", "column", "count", "created", "digest",
    "email", "endpoint", "env", "expires", "expiry", "field", "file", "format", "hash", "header",
    "host", "id", "ids", "label", "length", "limit", "manager", "method", "model", "name", "names",
    "path", "pattern", "policy", "port", "prefix", "provider", "ref", "regex", "role", "scope",
    "scopes", "service", "size", "store", "suffix", "table", "ttl", "type", "updated", "uri",
    "url", "usage", "user", "username", "var", "version",
];

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

pub(super) fn find(text: &[u8], hits: &mut Vec<Hit>) {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if !is_key_byte(byte) {
            at += 1;
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let end = at + rest.iter().take_while(|&&b| is_key_byte(b)).count();
        let found = assignment(text, at, end);
        at = found.map_or(end, |hit| hit.end.max(end));
        hits.extend(found);
    }
}

fn is_key_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')
}

/// How a value is tied to its key, which says how much to trust the pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    /// `=`, `:` and their kin.
    Operator,
    /// A comma, a parenthesis: only a quoted value counts.
    Call,
    /// `is`, a table's bar, the space behind a flag: only a random value counts.
    Loose,
}

struct Value<'a> {
    bytes: &'a [u8],
    start: usize,
    quoted: bool,
    /// Quoted or right behind its `=`: surely one value, not the first word of a sentence.
    exact: bool,
}

fn assignment(text: &[u8], start: usize, end: usize) -> Option<Hit> {
    let (tie, from) = tie_behind(text, start, end)?;
    let key = Key::new(text, start, end)?;
    let value = value_at(text, from)?;
    if tie == Tie::Call && !value.quoted {
        return None;
    }
    let rule = judge(&key, &value, tie)?;
    let end = value.start + value.bytes.len();
    Some(Hit { start: value.start, end, rule, rank: Rank::Name })
}

fn judge(key: &Key, value: &Value<'_>, tie: Tie) -> Option<&'static str> {
    // Without quotes, brackets mean code: a call, an index, a template.
    let code = |b: &u8| matches!(b, b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'$');
    let bytes = value.bytes;
    // Every kind of secret below has a digit; most values that follow a colon in prose have none.
    if !bytes.iter().any(u8::is_ascii_digit) {
        return None;
    }
    if is_reference(bytes) || (!value.quoted && bytes.iter().any(code)) || is_hash_address(bytes) {
        return None;
    }
    if is_random(bytes) {
        return Some(key.issuer().unwrap_or("generic-secret"));
    }
    if value.quoted && is_symbol_soup(bytes) {
        return Some("generic-secret");
    }
    let chosen = tie != Tie::Loose && key.is_password() && is_chosen_password(bytes, value.exact);
    chosen.then_some("password")
}

/// Whether `value` is a public address of a block chain, or holds a URL, which has its own rule.
fn is_hash_address(value: &[u8]) -> bool {
    (value.len() == 42 && value.starts_with(b"0x")) || value.windows(3).any(|w| w == b"://")
}

/// What ties the word that ends at `end` to a value, and where that value starts.
fn tie_behind(text: &[u8], start: usize, end: usize) -> Option<(Tie, usize)> {
    let get = |i: usize| text.get(i).copied().unwrap_or(b'\n');
    let mut at = end;
    // Closing quotes, Markdown emphasis and brackets may stand between a key and its operator.
    while at < end + 4 && matches!(get(at), b'"' | b'\'' | b'`' | b'*' | b']' | b')' | b'\\') {
        at += 1;
    }
    let closed = at > end;
    let gap = at;
    while at < gap + 32 && matches!(get(at), b' ' | b'\t') {
        at += 1;
    }
    let spaced = at > gap;
    let (tie, next) = match (get(at), get(at + 1)) {
        (b':', b':') => return None,
        (b':' | b'?' | b'+', b'=') | (b'=', b'>') => (Tie::Operator, at + 2),
        (b'=', b'=') => (Tie::Operator, at + 2 + usize::from(get(at + 2) == b'=')),
        (b':', _) => (Tie::Operator, skip_type(text, at + 1)),
        (b'=', _) => (Tie::Operator, at + 1),
        (b'>', _) if !spaced => (Tie::Operator, at + 1),
        (b'|', _) => (Tie::Loose, at + 1),
        (b',', _) if closed => (Tie::Call, at + 1),
        (b'(', b'"' | b'\'' | b'`') if !spaced => (Tie::Call, at + 1),
        (b'i', b's') if spaced && get(at + 2) == b' ' => (Tie::Loose, at + 3),
        (b'w', b'a') if spaced && get(at + 2) == b's' && get(at + 3) == b' ' => {
            (Tie::Loose, at + 4)
        }
        _ if spaced && get(start) == b'-' && get(start + 1) == b'-' => (Tie::Loose, at),
        _ => return None,
    };
    Some((tie, next))
}

/// Steps over a type between a colon and `= "..."`, as in `key: &'static str = "..."`.
fn skip_type(text: &[u8], from: usize) -> usize {
    let is_type = |b: u8| b.is_ascii_alphabetic() || b"&' <>_:[]".contains(&b);
    let rest = text.get(from..).unwrap_or_default();
    let length = rest.iter().take(32).take_while(|&&b| is_type(b)).count();
    let named = rest.iter().take(length).any(u8::is_ascii_alphabetic);
    let assigned = rest.get(length) == Some(&b'=') && rest.get(length + 1) != Some(&b'=');
    if named && assigned { from + length + 1 } else { from }
}

fn value_at(text: &[u8], mut from: usize) -> Option<Value<'_>> {
    let get = |i: usize| text.get(i).copied().unwrap_or(b'\n');
    let gap = from;
    while from < gap + 32 && matches!(get(from), b' ' | b'\t' | b'*' | b'\\') {
        from += 1;
    }
    // `b"..."`, `r'...'` and their like.
    if get(from).is_ascii_alphabetic() && matches!(get(from + 1), b'"' | b'\'') {
        from += 1;
    }
    let quote = Some(get(from)).filter(|q| matches!(q, b'"' | b'\'' | b'`'));
    while quote.is_some_and(|q| get(from) == q) {
        from += 1;
    }
    let rest = text.get(from..)?;
    let ends = |b: u8| match quote {
        Some(q) => b == q || b == b'\n',
        None => {
            b.is_ascii_whitespace()
                || matches!(b, b'"' | b'\'' | b'`' | b',' | b';' | b'|' | b'&' | b'<' | b'\\')
        }
    };
    let mut bytes = rest.get(..rest.iter().take(REACH).take_while(|&&b| !ends(b)).count())?;
    while let Some((last, head)) = bytes.split_last() {
        // An escaped closing quote leaves its backslash; a sentence leaves its full stop.
        let stray = match quote {
            Some(_) => *last == b'\\',
            None => b".:)]}*".contains(last),
        };
        if !stray {
            break;
        }
        bytes = head;
    }
    let quoted = quote.is_some();
    let exact = quoted || gap.checked_sub(1).is_some_and(|i| get(i) == b'=' && gap == from);
    Some(Value { bytes, start: from, quoted, exact })
}

/// A key that hints at a secret, in lower case.
struct Key {
    /// The words, joined by `_`.
    words: String,
    /// The words without anything between.
    flat: String,
}

impl Key {
    /// Reads the key between `start` and `end`; none if it hints at no secret.
    fn new(text: &[u8], start: usize, end: usize) -> Option<Self> {
        let raw = text.get(start.max(end.saturating_sub(KEY_REACH))..end)?;
        let mut words = String::with_capacity(raw.len() + 8);
        // "API key", "access key": the word before tells what kind of key it is.
        if raw.eq_ignore_ascii_case(b"key") {
            push_words(&mut words, word_before(text, start)?);
            words.push('_');
        }
        // Test runners print "PASS: name".
        if raw == b"PASS" {
            return None;
        }
        push_words(&mut words, raw);
        let flat: String = words.chars().filter(|&c| c != '_').collect();
        let key = Key { words, flat };
        key.is_telling().then_some(key)
    }

    fn is_telling(&self) -> bool {
        let last = self.words.rsplit('_').find(|word| !word.is_empty()).unwrap_or_default();
        let hints = TELLING.iter().any(|name| self.flat.contains(name))
            || self.words.split('_').any(|word| TELLING_WORDS.contains(&word));
        hints
            && !DESCRIBING.contains(&last)
            && !self.flat.contains("tokeniz")
            && !self.words.starts_with("hashed")
            && !self.flat.contains("publickey")
    }

    fn is_password(&self) -> bool {
        ["password", "passwd", "passphrase", "pwd"].iter().any(|name| self.flat.ends_with(name))
            || self.words.rsplit('_').next().is_some_and(|word| word == "pass" || word == "pw")
    }

    fn issuer(&self) -> Option<&'static str> {
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
