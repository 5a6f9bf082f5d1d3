//! Values beside a telling name: `API_KEY=...`, `"token": "..."`, `the password is ...`. The value
//! must be random or look like a chosen password: that keeps prose, paths and variables out.

use super::key::{Key, is_key_byte};
use super::value::{
    REACH, end_while, is_chosen_password, is_letter_salad, is_number, is_random, is_random_word,
    is_reference, is_symbol_soup,
};
use super::{Hit, Rank, login};

pub(super) fn find(text: &[u8], hits: &mut Vec<Hit>) {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if !is_key_byte(byte) {
            at += 1;
            continue;
        }
        let end = end_while(text, at, usize::MAX, is_key_byte);
        let found = assignment(text, at, end);
        at = found.map_or(end, |hit| hit.end.max(end));
        hits.extend(found);
    }
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
    /// Nothing follows it on its line.
    last: bool,
}

fn assignment(text: &[u8], start: usize, end: usize) -> Option<Hit> {
    let (tie, from) = tie_behind(text, start, end)?;
    let Some(key) = Key::new(text, start, end) else {
        return (tie == Tie::Operator).then(|| named_apart(text, start, end, from)).flatten();
    };
    let value = value_at(text, from)?;
    let value = if key.is_header() { behind_scheme(text, value)? } else { value };
    held(&key, &value, tie)
}

fn held(key: &Key, value: &Value<'_>, tie: Tie) -> Option<Hit> {
    if tie == Tie::Call && !value.quoted {
        return None;
    }
    let rule = judge(key, value, tie)?;
    let end = value.start + value.bytes.len();
    Some(Hit { start: value.start, end, rule, rank: Rank::Name })
}

/// A name and its value side by side: `<add key="TOKEN" value="..."/>`, `name: TOKEN` over
/// `value: ...`, `<string name="token">...</string>`.
fn named_apart(text: &[u8], start: usize, end: usize, from: usize) -> Option<Hit> {
    let word = text.get(start..end)?;
    if !["key", "name", "id"].iter().any(|it| word.eq_ignore_ascii_case(it.as_bytes())) {
        return None;
    }
    let name = value_at(text, from)?;
    let key = Key::of(b"", name.bytes)?;
    let gap = |b: u8| b.is_ascii_whitespace() || b"\"'`,;".contains(&b);
    let at = end_while(text, name.start + name.bytes.len(), 64, gap);
    let rest = text.get(at..)?;
    if rest.first() == Some(&b'>') {
        return held(&key, &value_at(text, at + 1)?, Tie::Operator);
    }
    let length = rest.iter().take(8).take_while(|&&b| is_key_byte(b)).count();
    if !rest.get(..length)?.eq_ignore_ascii_case(b"value") {
        return None;
    }
    let (tie, from) = tie_behind(text, at, at + length)?;
    held(&key, &value_at(text, from)?, tie)
}

/// Steps over the scheme of a header. A login in base64 has a rule of its own.
fn behind_scheme<'t>(text: &'t [u8], value: Value<'t>) -> Option<Value<'t>> {
    let is_scheme = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-';
    let length = value.bytes.iter().take_while(|b| is_scheme(b)).count();
    let start = value.start + length;
    if length > 24 || text.get(start) != Some(&b' ') {
        return Some(value);
    }
    if value.bytes.get(..length)?.eq_ignore_ascii_case(b"basic") {
        login::basic_login(text, value.start, start + 1).is_some().then_some(())?;
    }
    let behind = value_at(text, start + 1)?;
    Some(Value { quoted: value.quoted, exact: true, ..behind })
}

fn judge(key: &Key, value: &Value<'_>, tie: Tie) -> Option<&'static str> {
    // Without quotes, brackets mean code: a call, an index, a template.
    let code = |b: &u8| matches!(b, b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'$');
    let bytes = value.bytes;
    let exact = (value.exact || value.last) && tie != Tie::Loose;
    let named = || key.issuer().unwrap_or("generic-secret");
    if key.has_form(bytes) {
        return Some(named());
    }
    // Nearly every secret has a digit; most values that follow a colon in prose have none.
    if !bytes.iter().any(u8::is_ascii_digit) {
        let is_salad = exact && is_letter_salad(bytes) && key.takes(bytes, exact);
        return is_salad.then(named);
    }
    if is_reference(bytes) || (!value.quoted && bytes.iter().any(code)) || is_hash_address(bytes) {
        return None;
    }
    let is_short = || exact && (is_random_word(bytes) || key.is_whole() && is_number(bytes));
    if (is_random(bytes) || is_short()) && key.takes(bytes, exact) {
        return Some(named());
    }
    if value.quoted && is_symbol_soup(bytes) && key.takes(bytes, exact) {
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
    // `::=` and `:::=` of make; two colons without it are a path.
    let colons = end_while(text, at, 3, |b| b == b':') - at;
    let (tie, next) = match (get(at), get(at + 1)) {
        (b':', _) if get(at + colons) == b'=' => (Tie::Operator, at + colons + 1),
        (b':', b':') => return None,
        (b'?' | b'+' | b'.', b'=') | (b'=', b'>') => (Tie::Operator, at + 2),
        (b'?', b'?') | (b'|', b'|') if get(at + 2) == b'=' => (Tie::Operator, at + 3),
        (b'=', b'=') => (Tie::Operator, at + 2 + usize::from(get(at + 2) == b'=')),
        (b':', _) => (Tie::Operator, skip_type(text, at + 1)),
        (b'=', _) => (Tie::Operator, at + 1),
        // The text of an element may stand on a line of its own.
        (b'>', _) if !spaced => {
            (Tie::Operator, end_while(text, at + 1, 64, |b| b.is_ascii_whitespace()))
        }
        (b'|', _) => (Tie::Loose, at + 1),
        (b',', _) if closed => (Tie::Call, at + 1),
        (b'(', b'"' | b'\'' | b'`') if !spaced => (Tie::Call, at + 1),
        (b'"' | b'\'' | b'`', _) if spaced => (Tie::Loose, at),
        (b'i', b's') if spaced && get(at + 2) == b' ' => (Tie::Loose, at + 3),
        (b'w', b'a') if spaced && get(at + 2) == b's' && get(at + 3) == b' ' => {
            (Tie::Loose, at + 4)
        }
        _ if spaced && get(start) == b'-' && get(start + 1) == b'-' => (Tie::Loose, at),
        _ if spaced => (Tie::Call, skip_type_word(text, at)?),
        _ => return None,
    };
    Some((tie, next))
}

/// Steps over the type in `var key string = "..."`.
fn skip_type_word(text: &[u8], from: usize) -> Option<usize> {
    let is_type = |b: &u8| b.is_ascii_alphanumeric() || b"*[]._".contains(b);
    let rest = text.get(from..)?;
    let length = rest.iter().take(24).take_while(|b| is_type(b)).count();
    let blank = rest.get(length..)?.iter().take(8).take_while(|&&b| b == b' ').count();
    let assigned = rest.get(length + blank) == Some(&b'=');
    (length > 0 && assigned).then_some(from + length + blank + 1)
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
    // `4f9c...`: somebody has shortened it.
    if bytes.ends_with(b"...") {
        return None;
    }
    let quoted = quote.is_some();
    // An escaped closing quote leaves its backslash; a sentence leaves its full stop.
    let stray: &[u8] = if quoted { b"\\" } else { b".:)]}*" };
    while let Some((_, head)) = bytes.split_last().filter(|(last, _)| stray.contains(last)) {
        bytes = head;
    }
    let exact = quoted || gap.checked_sub(1).is_some_and(|i| get(i) == b'=' && gap == from);
    let last = matches!(get(from + bytes.len()), b'\n' | b'\r');
    Some(Value { bytes, start: from, quoted, exact, last })
}
