//! Text rules used everywhere: titles, tags, slugs, and making the invisible visible.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// An id is a file name and a word that people type.
pub const ID_CHARS_MAX: usize = 80;
pub const TAG_CHARS_MAX: usize = 60;

/// A slug for a title of any language: lower-case ASCII, digits and single hyphens, never empty.
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    for character in any_ascii::any_ascii(text).chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character.to_ascii_lowercase());
        // `don't` becomes `dont`, not `don-t`.
        } else if !slug.is_empty() && !slug.ends_with('-') && character != '\'' {
            slug.push('-');
        }
    }
    slug.truncate(ID_CHARS_MAX);
    let trimmed = slug.trim_matches('-');
    if trimmed.is_empty() {
        return format!("memory-{}", &blake3::hash(text.as_bytes()).to_hex()[..8]);
    }
    trimmed.to_owned()
}

/// The same slug with a number, still within the limit.
pub fn numbered_slug(slug: &str, number: usize) -> String {
    let suffix = format!("-{number}");
    let room = ID_CHARS_MAX - suffix.len();
    let stem: String = slug.chars().take(room).collect();
    format!("{}{suffix}", stem.trim_end_matches('-'))
}

/// A name as a heading: `tech-debt` is `Tech debt`.
pub fn sentence_case(name: &str) -> String {
    capitalised(&name.replace(['-', '_'], " "))
}

pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.collect::<String>() + letters.as_str()
}

/// The words of a name from code, in lower case: `writeFile`, `write_file` and `Write-File` alike.
pub fn name_words(name: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(name.len() + 8);
    for character in name.chars() {
        let is_small = |before: char| before.is_lowercase() || before.is_ascii_digit();
        if character.is_uppercase() && spaced.ends_with(is_small) {
            spaced.push(' ');
        }
        spaced.push(character);
    }
    let words = spaced.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// One line: composed characters, single spaces, nothing invisible.
pub fn normalise_line(text: &str) -> String {
    // Most text is plain, and takes the short way to the same result.
    if text.bytes().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) {
        return text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    }
    let mut line = String::with_capacity(text.len());
    for (before, character, next) in with_neighbours(text.nfc()) {
        if character.is_control() || character.is_whitespace() {
            if !line.is_empty() && !line.ends_with(' ') {
                line.push(' ');
            }
        } else if !hides_between(before, character, next) || joins(before, character, next) {
            line.push(character);
        }
    }
    line.trim_end().to_owned()
}

/// Lower-case, one line, no commas (they separate tags where people type them).
pub fn normalise_tag(text: &str) -> String {
    let spaced = text.replace([',', '[', ']', '#'], " ");
    let line = normalise_line(&spaced).to_lowercase();
    line.chars().take(TAG_CHARS_MAX).collect::<String>().trim_end().to_owned()
}

/// Body text as it is stored: only line endings and outer blank space are made uniform.
pub fn normalise_body(text: &str) -> String {
    let unix = match text.contains('\r') {
        true => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
        false => Cow::Borrowed(text),
    };
    let body = unix.trim_end();
    // Leading blank lines go, the indentation of the first line stays: it may be code.
    let blank = body.len() - body.trim_start().len();
    let start = body[..blank].rfind('\n').map_or(0, |at| at + 1);
    body[start..].to_owned()
}

/// Hidden characters shown as `<U+202E>`; line breaks, tabs and the selectors of emoji pass.
pub fn visible(text: &str) -> String {
    visible_as(text, shown_hidden)
}

/// The same in a text with a syntax of its own: `show` says how a hidden character is written there.
pub fn visible_as(text: &str, show: impl Fn(char) -> String) -> String {
    if !text.chars().any(may_hide) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for (before, character, next) in with_neighbours(text.chars()) {
        let passes = matches!(character, '\n' | '\t');
        if !passes && hides_between(before, character, next) {
            shown.push_str(&show(character));
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Like `visible`, and on one line: for lists, tables and messages.
pub fn visible_line(text: &str) -> String {
    visible(&text.replace(['\n', '\t', '\r'], " "))
}

/// Whether a character behind and before these is there and not seen.
pub(crate) fn hides_between(before: Option<char>, character: char, next: Option<char>) -> bool {
    if is_presentation(character) {
        return !presents(before, next);
    }
    character.is_control() || is_invisible(character)
}

/// Each character with the ones before and behind it.
fn with_neighbours(
    characters: impl Iterator<Item = char>,
) -> impl Iterator<Item = (Option<char>, char, Option<char>)> {
    let mut characters = characters.peekable();
    let mut before = None;
    std::iter::from_fn(move || {
        let character = characters.next()?;
        Some((before.replace(character), character, characters.peek().copied()))
    })
}

pub(crate) fn may_hide(character: char) -> bool {
    character.is_control() || is_invisible(character) || is_presentation(character)
}

pub(crate) fn shown_hidden(character: char) -> String {
    format!("<U+{:04X}>", u32::from(character))
}

/// Characters that change what a person sees without being seen: all that Unicode calls ignorable by
/// default but presentation selectors, and format controls that show nothing themselves.
pub fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0D}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{13430}'..='\u{1343F}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// The two selectors that say whether a symbol is shown as text or as an emoji. Where they stand
/// decides whether they hide: rows of them can carry any bytes.
fn is_presentation(character: char) -> bool {
    matches!(character, '\u{FE0E}' | '\u{FE0F}')
}

/// Whether a selector stands right behind a symbol that has both forms, or inside of a keycap.
fn presents(before: Option<char>, next: Option<char>) -> bool {
    match before {
        Some('0'..='9' | '#' | '*') => next == Some('\u{20E3}'),
        Some(base) => matches!(base,
            '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
            | '\u{2190}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}'
            | '\u{1F000}'..='\u{1FAFF}'),
        None => false,
    }
}

/// Joiners carry meaning inside Indic and Persian words and emoji: between non-ASCII characters.
fn joins(before: Option<char>, character: char, next: Option<char>) -> bool {
    let is_letter = |c: char| !c.is_ascii() && !c.is_whitespace() && !is_invisible(c);
    matches!(character, '\u{200C}' | '\u{200D}')
        && before.is_some_and(is_letter)
        && next.is_some_and(is_letter)
}

/// The first `limit` characters, with an ellipsis when something was cut.
pub fn shorten(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let cut: String = text.chars().take(limit.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}

/// The closest of `known` to a mistyped word, when it is close enough to be a guess worth making.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    // One letter in a short word, two in a longer one, a third of a long one.
    let limit = if length <= 3 { 1 } else { (length / 3).max(2) };
    known
        .into_iter()
        .map(|candidate| (strsim::levenshtein(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many names a suggestion has.
const SUGGESTED_MAX: usize = 3;

/// The names that somebody may have meant: the nearest one, or those that hold or share its words.
pub fn suggest<'a>(word: &str, names: &[&'a str]) -> Vec<&'a str> {
    if let Some(near) = nearest(word, names.iter().copied()) {
        return vec![near];
    }
    let asked: Vec<&str> = word.split('-').filter(|part| part.len() > 3).collect();
    let mut found: Vec<(usize, &str)> = names
        .iter()
        .filter_map(|name| {
            let shared = asked.iter().filter(|part| name.split('-').any(|it| it == **part)).count();
            let is_part = word.len() > 2 && name.contains(word);
            let is_enough = is_part || shared > 0 && 2 * shared >= asked.len();
            is_enough.then_some((if is_part { usize::MAX } else { shared }, *name))
        })
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    found.into_iter().take(SUGGESTED_MAX).map(|(_, name)| name).collect()
}

/// The beginning and the end of a long text.
pub fn middle_cut(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(bytes_max / 2);
    let tail = text.ceil_char_boundary(text.len() - bytes_max / 2);
    format!("{}\n{}", &text[..head], &text[tail..])
}

/// `1 memory`, `2 memories`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// A name as somebody types it in a shell: one that is not plain stands in quotes.
pub fn typed(word: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_' | '.' | '/' | ':');
    let line = visible_line(word);
    if !line.is_empty() && !line.starts_with('-') && line.chars().all(is_plain) {
        return line;
    }
    format!("'{}'", line.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests;
