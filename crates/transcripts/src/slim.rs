//! A JSON value without what nobody asked for: a record of a transcript is mostly copies of files,
//! so only listed keys are kept, and everything else is skipped without being built.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use foldhash::HashSet;
use memchr::memmem;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The keys that are kept, at any depth and for every host: what a record is, what was said,
/// and what a tool was given and gave back. Claude Code's `toolUseResult` is left out on purpose: it
/// is most of the bytes, and the blocks say it as well.
static KEYS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let record = "type payload role message messages content text data kind origin operation \
        model id isSidechain isMeta isCompactSummary isApiErrorMessage parts source \
        parentToolCallId displayContent $set record_type instructions sessionId projectHash \
        startTime uuid leafUuid messageId timestamp";
    let tool = "name input arguments args action toolName toolCallId toolCalls call_id tool_use_id \
        is_error command cmd file_path path paths notebook_path filePath absolute_path \
        target_file target_notebook todos plan description subject step status taskId patch \
        questions question header options label title body";
    let result = "output result success metadata exit_code functionResponse response error";
    [record, tool, result].into_iter().flat_map(str::split_ascii_whitespace).collect()
});

/// Longer texts lose their middle. Only pasted text is as long.
const TEXT_BYTES_MAX: usize = 256 * 1024;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Slim<'a> {
    Nothing,
    Flag(bool),
    Number(f64),
    /// Borrowed from the line where nothing in it is escaped.
    Text(Cow<'a, str>),
    List(Vec<Slim<'a>>),
    Map(Vec<(&'static str, Slim<'a>)>),
}

/// `None` when it is no JSON, also after a repair of what programs are known to break.
pub(super) fn parse(json: &[u8]) -> Option<Slim<'_>> {
    serde_json::from_slice(json).ok().or_else(|| {
        let repaired = repair(json)?;
        // Of a stream nothing is borrowed.
        let mut stream = serde_json::Deserializer::from_reader(repaired.as_slice());
        Slim::deserialize(&mut stream).ok().filter(|_| stream.end().is_ok())
    })
}

/// JSON that serde refuses, repaired where programs are known to break it: one that cuts a text may
/// cut a character, and leave half of a surrogate pair, which is no character in JSON, or half of a
/// UTF-8 sequence. `None` when nothing of that kind is wrong.
pub fn repair(json: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(json);
    let mut is_changed = matches!(text, Cow::Owned(_));
    let has_half = |half: &str| memmem::find(json, half.as_bytes()).is_some();
    if !is_changed && !has_half("\\ud") && !has_half("\\uD") {
        return None;
    }
    let bytes = text.as_bytes();
    let mut repaired = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let length = match (bytes[at], surrogate(bytes, at), surrogate(bytes, at + 6)) {
            (_, Some(true), Some(false)) => 12,
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

/// Whether half of a pair is written as `\uXXXX` here, and whether it is the first one.
fn surrogate(bytes: &[u8], at: usize) -> Option<bool> {
    let escape = bytes.get(at..at + 6)?;
    let is_escape = escape.starts_with(b"\\u") && escape[2].eq_ignore_ascii_case(&b'd');
    // A cut one is followed by anything, such as the bytes of a character.
    if !is_escape || !escape[4..].iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    match escape[3].to_ascii_lowercase() {
        b'8' | b'9' | b'a' | b'b' => Some(true),
        b'c'..=b'f' => Some(false),
        _ => None,
    }
}

impl<'a> Slim<'a> {
    pub(super) fn get(&self, key: &str) -> &Self {
        let Self::Map(fields) = self else { return &Slim::Nothing };
        fields.iter().find(|(known, _)| *known == key).map_or(&Slim::Nothing, |(_, value)| value)
    }

    /// The first of the keys that has something.
    pub(super) fn any(&self, keys: &[&str]) -> &Self {
        let mut values = keys.iter().map(|key| self.get(key));
        values.find(|value| !value.is_nothing()).unwrap_or(&Slim::Nothing)
    }

    pub(super) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn words(&self) -> &str {
        self.text().unwrap_or_default()
    }

    pub(super) fn items(&self) -> &[Slim<'a>] {
        if let Self::List(items) = self { items } else { &[] }
    }

    pub(super) fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    pub(super) fn is(&self, flag: bool) -> bool {
        *self == Self::Flag(flag)
    }

    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

impl<'de> Deserialize<'de> for Slim<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Keep)
    }
}

/// Borrowed as well.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

struct Keep;

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
        Ok(Slim::Text(cut(text, TEXT_BYTES_MAX)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Slim<'de>, E> {
        Ok(Slim::Text(Cow::Owned(cut(text, TEXT_BYTES_MAX).into_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Slim<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Slim::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Slim<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some(Key(key)) = map.next_key()? {
            match KEYS.get(key.as_ref()) {
                Some(key) => fields.push((*key, map.next_value()?)),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Slim::Map(fields))
    }
}

pub(super) fn cut(text: &str, bytes_max: usize) -> Cow<'_, str> {
    const MARK: &str = "\n…\n";
    if text.len() <= bytes_max {
        return Cow::Borrowed(text);
    }
    let half = bytes_max.saturating_sub(MARK.len()) / 2;
    let head = text.floor_char_boundary(half);
    let tail = text.ceil_char_boundary(text.len() - half);
    Cow::Owned(format!("{}{MARK}{}", &text[..head], &text[tail..]))
}
