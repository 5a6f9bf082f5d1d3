//! A JSON value without what nobody asked for: a record of a transcript is mostly copies of files,
//! so only the keys of a list are kept, and all else is passed over without being built.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The keys that are kept, at any depth.
pub(super) type Keys = &'static [&'static str];

/// Longer texts lose their middle. Nobody says as much; whoever pastes it has said the rest.
const TEXT_BYTES_MAX: usize = 256 * 1024;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Slim<'a> {
    Nothing,
    Flag(bool),
    Number(f64),
    Text(Cow<'a, str>),
    List(Vec<Slim<'a>>),
    Map(Vec<(&'static str, Slim<'a>)>),
}

static NOTHING: Slim<'static> = Slim::Nothing;

/// `None` when it is no JSON, also after a repair of what programs are known to break.
pub(super) fn parse(json: &[u8], keys: Keys) -> Option<Slim<'_>> {
    if let Some(value) = parse_as_is(json, keys) {
        return Some(value);
    }
    let repaired = repair(json)?;
    parse_as_is(&repaired, keys).map(Slim::into_owned)
}

fn parse_as_is(json: &[u8], keys: Keys) -> Option<Slim<'_>> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let value = Keep(keys).deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    Some(value)
}

/// A program that cuts a text may cut a character: half of a surrogate pair, which is no character
/// in JSON, or half of a UTF-8 sequence. `None` when nothing of that kind is wrong.
pub(super) fn repair(json: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(json);
    let mut is_changed = matches!(text, Cow::Owned(_));
    let bytes = text.as_bytes();
    let mut repaired = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let length = match (bytes[at], surrogate(bytes, at), surrogate(bytes, at + 6)) {
            (_, Some(Half::Leading), Some(Half::Trailing)) => 12,
            (_, Some(_), _) => {
                repaired.extend_from_slice(b"\\ufffd");
                is_changed = true;
                at += 6;
                continue;
            }
            (b'\\', None, _) => 2,
            _ => 1,
        };
        let end = (at + length).min(bytes.len());
        repaired.extend_from_slice(&bytes[at..end]);
        at = end;
    }
    is_changed.then_some(repaired)
}

enum Half {
    Leading,
    Trailing,
}

/// Which half of a pair is written as `\uXXXX` here.
fn surrogate(bytes: &[u8], at: usize) -> Option<Half> {
    let escape = bytes.get(at..at + 6)?;
    if escape[0] != b'\\' || escape[1] != b'u' || !escape[2].eq_ignore_ascii_case(&b'd') {
        return None;
    }
    match escape[3].to_ascii_lowercase() {
        b'8' | b'9' | b'a' | b'b' => Some(Half::Leading),
        b'c'..=b'f' => Some(Half::Trailing),
        _ => None,
    }
}

impl<'a> Slim<'a> {
    pub(super) fn get(&self, key: &str) -> &Slim<'a> {
        match self {
            Self::Map(fields) => {
                fields.iter().find(|(known, _)| *known == key).map_or(&NOTHING, |(_, value)| value)
            }
            _ => &NOTHING,
        }
    }

    /// The first of the keys that has something.
    pub(super) fn any(&self, keys: &[&str]) -> &Slim<'a> {
        keys.iter().map(|key| self.get(key)).find(|value| !value.is_nothing()).unwrap_or(&NOTHING)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text, or nothing.
    pub(super) fn words(&self) -> &str {
        self.text().unwrap_or_default()
    }

    pub(super) fn list(&self) -> Option<&[Slim<'a>]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> &[Slim<'a>] {
        self.list().unwrap_or_default()
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn is_true(&self) -> bool {
        matches!(self, Self::Flag(true))
    }

    pub(super) fn is_false(&self) -> bool {
        matches!(self, Self::Flag(false))
    }

    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    fn into_owned<'b>(self) -> Slim<'b> {
        match self {
            Self::Nothing => Slim::Nothing,
            Self::Flag(flag) => Slim::Flag(flag),
            Self::Number(number) => Slim::Number(number),
            Self::Text(text) => Slim::Text(Cow::Owned(text.into_owned())),
            Self::List(items) => Slim::List(items.into_iter().map(Slim::into_owned).collect()),
            Self::Map(fields) => Slim::Map(
                fields.into_iter().map(|(key, value)| (key, value.into_owned())).collect(),
            ),
        }
    }
}

struct Keep(Keys);

impl<'de> DeserializeSeed<'de> for Keep {
    type Value = Slim<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Slim<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Keep {
    type Value = Slim<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Slim<'de>, E> {
        Ok(Slim::Nothing)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Slim<'de>, E> {
        Ok(Slim::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Slim<'de>, E> {
        Ok(Slim::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Slim<'de>, E> {
        Ok(Slim::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Slim<'de>, E> {
        Ok(Slim::Number(number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Slim<'de>, E> {
        Ok(Slim::Text(super::tools::cut(text, TEXT_BYTES_MAX)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Slim<'de>, E> {
        Ok(Slim::Text(Cow::Owned(super::tools::cut(text, TEXT_BYTES_MAX).into_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Slim<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(Keep(self.0))? {
            items.push(item);
        }
        Ok(Slim::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Slim<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some(key) = map.next_key_seed(Key(self.0))? {
            match key {
                Some(key) => fields.push((key, map.next_value_seed(Keep(self.0))?)),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Slim::Map(fields))
    }
}

/// Reads a key as the one of the list, so that no key is ever copied.
struct Key(Keys);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Option<&'static str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().find(|known| **known == key).copied())
    }
}
