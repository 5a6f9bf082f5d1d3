//! Passwords that the syntax around them gives away: URLs, headers, `curl -u`, `.netrc`.

use super::value::{
    Class, REACH, end_while, holds, is_chosen_password, is_random, is_random_word, is_reference,
    is_stand_in, is_stock_word, run_end, starts_token,
};
use super::{Hit, Rank};
use crate::command_line::first_word;

/// How far behind `curl` its login is looked for: commands have long addresses and headers.
const COMMAND_REACH: usize = 1024;

fn hit(rule: &'static str, start: usize, end: usize) -> Hit {
    Hit { start, end, rule, rank: Rank::Login }
}

/// `scheme://user:password@host`; `at` is where `://` stands.
pub(super) fn url_password(text: &[u8], at: usize, from: usize) -> Option<Hit> {
    if !at.checked_sub(1).and_then(|i| text.get(i)).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let ends = |b: u8| b.is_ascii_whitespace() || b"/\"'`<>|\\".contains(&b);
    let length = text.get(from..)?.iter().take(REACH).take_while(|&&b| !ends(b)).count();
    let authority = text.get(from..from + length)?;
    // Passwords may hold `@` where nobody encoded them: the last one divides. A user may be a mail
    // address, so the colon that divides is the first one.
    let host_at = authority.iter().rposition(|&b| b == b'@')?;
    let colon = authority.get(..host_at)?.iter().position(|&b| b == b':')?;
    let (user, password) = (authority.get(..colon)?, authority.get(colon + 1..host_at)?);
    let host = authority.get(host_at + 1..)?;
    if is_harmless(user, password) || (is_local(host) && is_simple(password)) {
        return None;
    }
    Some(hit("url-password", from + colon + 1, from + host_at))
}

/// Whether a login is one that texts use as a sample.
fn is_harmless(user: &[u8], password: &[u8]) -> bool {
    password.len() < 3
        || password.eq_ignore_ascii_case(user)
        || is_reference(password)
        || is_stand_in(password)
        || is_stock_word(password)
}

/// Whether `host` is this machine, a container beside it, or a name from a sample.
fn is_local(host: &[u8]) -> bool {
    let end = host.iter().position(|b| b":?#,".contains(b)).unwrap_or(host.len());
    let name = host.get(..end).unwrap_or_default();
    !name.contains(&b'.')
        || name.starts_with(b"127.")
        || name == b"0.0.0.0"
        || holds(name, "example")
        || holds(name, "host.")
}

/// Whether a password is a plain word, as development set-ups have; those lock nothing.
fn is_simple(password: &[u8]) -> bool {
    password.len() < 12 && !password.iter().any(u8::is_ascii_digit)
        || password.iter().all(|&b| b.is_ascii_lowercase() || b == b'_' || b == b'-')
}

/// `curl -u user:password`, on the same line. Continued lines have been joined before.
pub(super) fn curl_user(text: &[u8], at: usize, _: usize) -> Option<Hit> {
    if !starts_token(text, at) {
        return None;
    }
    let line = text.get(at..)?.iter().take(COMMAND_REACH).take_while(|&&b| b != b'\n').count();
    let command = text.get(at..at + line)?;
    let flag =
        |name: &[u8]| command.windows(name.len()).position(|w| w == name).map(|i| i + name.len());
    let mut from = flag(b" -u").or_else(|| flag(b" --user"))?;
    from += command.get(from..)?.iter().take(8).take_while(|b| b" =\t".contains(b)).count();
    // In Markdown and JSON a backtick or a backslash ends the command.
    let (login, length) = first_word(command.get(from..)?.split(|b| b"`\\".contains(b)).next()?);
    let (user, password) = login.split_once(':')?;
    // Some write the braces of a template around their own values.
    let bare = |it: &str| it.trim_matches(['{', '}', '"']).as_bytes().to_vec();
    if is_random_word(&bare(password)) {
        return Some(hit("curl-password", at + from, at + from + length));
    }
    let (user, password) = (user.as_bytes(), password.as_bytes());
    // A token may stand where the user's name goes, with nothing behind the colon.
    let is_login = if password.is_empty() {
        is_chosen_password(user, true) || is_random(user)
    } else {
        !is_harmless(user, password)
    };
    is_login.then(|| hit("curl-password", at + from, at + from + length))
}

/// `machine HOST login USER password VALUE`, on one line or several.
pub(super) fn netrc_password(text: &[u8], at: usize, from: usize) -> Option<Hit> {
    if !starts_token(text, at) {
        return None;
    }
    let mut end = from;
    let window = text.get(from..text.len().min(at + REACH))?;
    let words = window.split(u8::is_ascii_whitespace).map(|word| {
        end += word.len() + 1;
        (end - 1 - word.len(), word)
    });
    let words: Vec<(usize, &[u8])> = words.filter(|(_, word)| !word.is_empty()).collect();
    let ((_, host), pairs) = words.split_first()?;
    // "machine learning login ..." is prose: a host has a dot, or is this machine.
    if !host.contains(&b'.') && *host != b"localhost" {
        return None;
    }
    let mut user: &[u8] = b"";
    for pair in pairs.chunks_exact(2).take(3) {
        let (at, value) = pair[1];
        match pair[0].1 {
            b"login" | b"account" => user = value,
            b"password" if is_harmless(user, value) => return None,
            b"password" => return Some(hit("netrc-password", at, at + value.len())),
            _ => return None,
        }
    }
    None
}

/// `Bearer TOKEN`, in a header or quoted alone.
pub(super) fn bearer_token(text: &[u8], at: usize, from: usize) -> Option<Hit> {
    let end = end_while(text, from, REACH, |b| Class::Base64.has(b) || b".~".contains(&b));
    (starts_token(text, at) && is_random(text.get(from..end)?))
        .then(|| hit("bearer-token", from, end))
}

/// `Basic BASE64`. The word must decode to `user:password`, so prose never fits.
pub(super) fn basic_login(text: &[u8], at: usize, from: usize) -> Option<Hit> {
    let end = run_end(text, from, REACH, Class::Base64);
    let encoded = text.get(from..end)?;
    if encoded.len() < 8 || !starts_token(text, at) {
        return None;
    }
    let login = decode_base64(encoded)?;
    let colon = login.iter().position(|&b| b == b':')?;
    let (user, password) = (login.get(..colon)?, login.get(colon + 1..)?);
    let printable = login.iter().all(|b| b.is_ascii_graphic() || *b == b' ');
    (printable && !is_harmless(user, password)).then(|| hit("basic-login", from, end))
}

pub(super) fn decode_base64(encoded: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let (mut bits, mut count) = (0_u32, 0_u32);
    for &b in encoded.iter().take_while(|&&b| b != b'=') {
        let digit = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(digit)) & 0xFFFF;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xFF) as u8);
        }
    }
    Some(bytes)
}
