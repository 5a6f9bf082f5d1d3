//! Secrets told by a shape rather than by a leading prefix: key blocks, JSON web tokens, webhooks.

use super::login::decode_base64;
use super::value::{
    Class, REACH, distinct, end_while, is_generated, run_end, run_start, starts_token,
};
use super::{Hit, Rank};

/// Signature of the sample token that nearly every text about JSON web tokens quotes.
const SAMPLE_JWT_SIGNATURE: &[u8] = b"SflKxwRJSMeKKF2QT4";

fn hit(rule: &'static str, start: usize, end: usize) -> Hit {
    Hit { start, end, rule, rank: Rank::Shape }
}

fn slice(text: &[u8], from: usize, to: usize) -> &[u8] {
    text.get(from..to).unwrap_or_default()
}

/// A private key between dashes. The header alone is only talk about keys: material must follow.
pub(super) fn pem_block(text: &[u8], start: usize, label: usize) -> Option<Hit> {
    let is_label = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b' ';
    let rest = text.get(label..)?;
    let length = rest.iter().take(64).take_while(|b| is_label(b)).count();
    let name = rest.get(..length)?;
    if !name.windows(11).any(|window| window == b"PRIVATE KEY") {
        return None;
    }
    let dashes = rest.iter().skip(length).take(5).take_while(|&&b| b == b'-').count();
    let body = skip_armor_headers(text, label + length + dashes);
    let end = run_end(text, body, REACH, Class::Base64);
    let is_key = dashes >= 4 && end - body >= 16 && distinct(slice(text, body, end)) >= 8;
    is_key.then(|| hit("private-key", start, key_end(text, end)))
}

/// Skips line ends, quotes of code and `Name: value` lines between a key's header and its base64.
fn skip_armor_headers(text: &[u8], mut at: usize) -> usize {
    for _ in 0..5 {
        at = skip_filler(text, at);
        let word = run_end(text, at, 32, Class::Url);
        if text.get(word) != Some(&b':') {
            break;
        }
        at = end_while(text, word, REACH, |b| b != b'\n' && b != b'\\');
    }
    at
}

fn skip_filler(text: &[u8], mut at: usize) -> usize {
    let limit = at + 64;
    while at < limit {
        at += match (text.get(at), text.get(at + 1)) {
            (Some(b'\\'), Some(b'n' | b'r')) => 2,
            (Some(b), _) if b.is_ascii_whitespace() || b"\"'`+,\\|>#*;".contains(b) => 1,
            _ => break,
        };
    }
    at
}

/// The end of a key's material: every base64 line from `at` on.
fn key_end(text: &[u8], mut at: usize) -> usize {
    loop {
        let line = skip_filler(text, at);
        let end = run_end(text, line, usize::MAX, Class::Base64);
        // Prose behind an unfinished block is short words; lines of a key are long but the last.
        if end < line + 16 {
            return at.max(end);
        }
        at = end;
    }
}

pub(super) fn putty_key(text: &[u8], start: usize, from: usize) -> Option<Hit> {
    let body = skip_filler(text, run_end(text, from, 4, Class::Hex));
    let end = run_end(text, body, REACH, Class::Base64);
    (end - body >= 16).then(|| hit("private-key", start, key_end(text, end)))
}

/// Header, claims, signature. A token without a signature grants nothing and passes.
pub(super) fn json_web_token(text: &[u8], start: usize, from: usize) -> Option<Hit> {
    let header = run_end(text, from, 2 * REACH, Class::Url);
    if header < from + 8 || text.get(header) != Some(&b'.') || !starts_token(text, start) {
        return None;
    }
    let claims = run_end(text, header + 1, 32 * REACH, Class::Url);
    let signature = run_end(text, claims + 1, 8 * REACH, Class::Url);
    let body = slice(text, claims + 1, signature);
    let is_token = text.get(claims) == Some(&b'.')
        && claims - header > 12
        && slice(text, header + 1, claims).starts_with(b"ey")
        && body.len() >= 16
        && is_generated(body, Class::Url)
        && !body.starts_with(SAMPLE_JWT_SIGNATURE);
    is_token.then(|| hit("json-web-token", start, signature))
}

/// The same once more in base64, as header fields and cluster manifests carry it.
pub(super) fn encoded_web_token(text: &[u8], start: usize, _: usize) -> Option<Hit> {
    let end = run_end(text, start, 32 * REACH, Class::Base64);
    if end < start + 80 || !starts_token(text, start) {
        return None;
    }
    let token = decode_base64(slice(text, start, end))?;
    json_web_token(&token, 0, 3).map(|_| hit("json-web-token", start, end))
}

/// An app's number, a bar, and 27 characters; `at` is where the bar stands.
pub(super) fn facebook_app_token(text: &[u8], at: usize, from: usize) -> Option<Hit> {
    let before = text.get(..at)?.iter().rev().take(18);
    let digits = before.take_while(|b| b.is_ascii_digit()).count();
    let end = run_end(text, from, 29, Class::Url);
    let fits = (15..=17).contains(&digits) && (26..=28).contains(&(end - from));
    (fits && is_generated(slice(text, from, end), Class::Url))
        .then(|| hit("facebook-token", at - digits, end))
}

pub(super) fn terraform_token(text: &[u8], at: usize, from: usize) -> Option<Hit> {
    let start = run_start(text, at, 14, Class::Alnum);
    let end = run_end(text, from, REACH, Class::Base64);
    let fits = at - start == 14 && end - from >= 50;
    (fits && is_generated(slice(text, from, end), Class::Url))
        .then(|| hit("terraform-token", start, end))
}

pub(super) fn slack_webhook(text: &[u8], start: usize, from: usize) -> Option<Hit> {
    let rest = text.get(from..)?;
    let kinds: [&[u8]; 3] = [b"services/", b"workflows/", b"triggers/"];
    let kind = kinds.iter().find(|kind| rest.starts_with(kind))?;
    let path = from + kind.len();
    let end = run_end(text, path, REACH, Class::Base64);
    let key = run_start(text, end, end - path, Class::Alnum);
    let fits = end - path >= 40 && end - key >= 16;
    (fits && is_generated(slice(text, key, end), Class::Alnum))
        .then(|| hit("slack-webhook", start, end))
}

pub(super) fn discord_webhook(text: &[u8], start: usize, from: usize) -> Option<Hit> {
    let id = text.get(from..)?.iter().take(24).take_while(|b| b.is_ascii_digit()).count();
    let key = from + id + 1;
    let end = run_end(text, key, REACH, Class::Url);
    let fits = id >= 16 && text.get(key - 1) == Some(&b'/') && end >= key + 50;
    (fits && is_generated(slice(text, key, end), Class::Url))
        .then(|| hit("discord-webhook", start, end))
}

pub(super) fn teams_webhook(text: &[u8], start: usize, from: usize) -> Option<Hit> {
    let end = end_while(text, from, REACH, |b| Class::Base64.has(b) || b == b'@');
    let path = slice(text, from, end);
    (path.len() >= 80 && path.contains(&b'@') && is_generated(path, Class::Url))
        .then(|| hit("teams-webhook", start, end))
}

pub(super) fn azure_key(text: &[u8], _: usize, from: usize) -> Option<Hit> {
    let end = run_end(text, from, REACH, Class::Base64);
    let key = slice(text, from, end);
    (key.len() >= 40 && is_generated(key, Class::Base64)).then(|| hit("azure-key", from, end))
}

/// The signature of a shared access URL: a 256-bit MAC in base64, mostly percent-encoded.
pub(super) fn azure_signature(text: &[u8], _: usize, from: usize) -> Option<Hit> {
    let end = end_while(text, from, REACH, |b| Class::Base64.has(b) || b == b'%');
    let mac = slice(text, from, end);
    let padded = mac.ends_with(b"%3D") || mac.ends_with(b"%3d") || mac.ends_with(b"=");
    (padded && mac.len() >= 43 && is_generated(mac, Class::Base64))
        .then(|| hit("azure-signature", from, end))
}

/// Three characters, a digit, `Q~`, and 31 to 34 more.
pub(super) fn azure_client_secret(text: &[u8], at: usize, from: usize) -> Option<Hit> {
    let is_body = |b: &u8| Class::Dotted.has(*b) || *b == b'~';
    let start = at.checked_sub(4)?;
    let head = text.get(start..at)?;
    let tail = text.get(from..)?.iter().take(40).take_while(|b| is_body(b)).count();
    let whole = slice(text, start, from + tail);
    let fits = head.iter().all(is_body) && head[3].is_ascii_digit() && (30..=36).contains(&tail);
    (fits && starts_token(text, start) && is_generated(whole, Class::Url))
        .then(|| hit("azure-client-secret", start, from + tail))
}

/// A bot's number, a colon, and 35 characters that begin with `A`.
pub(super) fn telegram_token(text: &[u8], at: usize, _: usize) -> Option<Hit> {
    let before = text.get(..at)?.iter().rev().take(12);
    let digits = before.take_while(|b| b.is_ascii_digit()).count();
    let end = run_end(text, at + 1, 40, Class::Url);
    let fits = (7..=11).contains(&digits) && (34..=36).contains(&(end - at - 1));
    (fits && is_generated(slice(text, at + 1, end), Class::Url))
        .then(|| hit("telegram-token", at - digits, end))
}

/// 32 hexadecimal digits before the name of a data centre.
pub(super) fn mailchimp_key(text: &[u8], at: usize, from: usize) -> Option<Hit> {
    let start = run_start(text, at, 33, Class::Hex);
    let zone = text.get(from..)?.iter().take(3).take_while(|b| b.is_ascii_digit()).count();
    let fits = at - start == 32 && (1..=2).contains(&zone) && starts_token(text, start);
    (fits && is_generated(slice(text, start, at), Class::Hex))
        .then(|| hit("mailchimp-key", start, from + zone))
}

/// A bot's number in base64, a time stamp, a MAC. Digits in base64 put `M`, `N` or `O` at the head of
/// each group of four, which no dotted name does by chance.
pub(super) fn discord_token(text: &[u8], start: usize, _: usize) -> Option<Hit> {
    let id = run_end(text, start, 32, Class::Url);
    if !(23..=28).contains(&(id - start)) || text.get(id) != Some(&b'.') {
        return None;
    }
    let numeric = slice(text, start, id).chunks(4).all(|group| matches!(group[0], b'M'..=b'O'));
    let stamp = run_end(text, id + 1, 8, Class::Url);
    let end = run_end(text, stamp + 1, 48, Class::Url);
    let mac = slice(text, stamp + 1, end);
    let fits = (7..=8).contains(&(stamp - id)) && text.get(stamp) == Some(&b'.') && mac.len() >= 27;
    (numeric && fits && starts_token(text, start) && is_generated(mac, Class::Url))
        .then(|| hit("discord-token", start, end))
}
