//! Headers that decide who may ask.

use http::header::{COOKIE, HeaderMap, HeaderName, HeaderValue};

/// The value of a header that must not come twice: a proxy might use the other one.
pub fn only(headers: &HeaderMap, name: HeaderName) -> Option<&HeaderValue> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    values.next().is_none().then_some(first)
}

/// Compares in constant time.
pub fn is_same(said: &[u8], secret: &[u8]) -> bool {
    let differing = said.iter().zip(secret).fold(0, |bits, (said, byte)| bits | (said ^ byte));
    said.len() == secret.len() && std::hint::black_box(differing) == 0
}

/// The first cookie of that name.
pub fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let values = headers.get_all(COOKIE).iter().filter_map(|it| it.to_str().ok());
    let mut pairs = values.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.find(|(one, _)| *one == name).map(|(_, value)| value)
}
