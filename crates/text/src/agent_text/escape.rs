//! When a `<` is written as `&lt;`: whenever what follows could be read as a tag, of ours, of a host
//! or of a chat template (`</memory>`, `<system-reminder>`, `<|im_start|>`), also behind blanks or
//! hidden characters and with brackets that only look like `<`. Three things stay as they are, so
//! that code can be read: operators (`<=`, `<-`, `<<`), a comparison with blanks on both sides
//! (`a < b`), and a type behind a name (`Vec<String>`). Everything else is escaped, known or not.
//! Rendering what was rendered changes nothing.

use crate::strings::{hides_between, may_hide, shown_hidden};
use crate::table::has;

/// Names that no exception lets pass, however they are written.
const TAGS: &str = "memory memories system user human assistant developer tool function invoke \
    instructions important thinking";

/// Types that begin with a small letter.
const SMALL_TYPES: &str = "u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char \
    str dyn impl int long short float double byte void string number any unknown never object \
    const unsigned auto";

/// What may stand right behind a `<` that is no tag.
fn is_plain_after(character: char) -> bool {
    character.is_ascii_digit() || "=-<>'\"&*($[{,.);".contains(character)
}

/// Brackets that are shown like `<`, or almost.
const LOOKALIKES: &str = "\u{02C2}\u{1438}\u{2039}\u{2329}\u{276C}\u{276E}\u{2770}\u{27E8}\u{29FC}\
    \u{3008}\u{FE64}\u{FF1C}";

fn is_bracket(character: char) -> bool {
    character == '<' || !character.is_ascii() && LOOKALIKES.contains(character)
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

pub(super) fn body(text: &str) -> String {
    if !text.chars().any(|it| is_bracket(it) || may_hide(it)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 16);
    rendered(text).for_each(|(character, instead)| push(&mut out, character, instead));
    out
}

/// On one line, of at most so many characters as it is shown.
pub(super) fn line(text: &str, chars_max: usize) -> String {
    let mut out = String::new();
    // Where the ellipsis would stand.
    let (mut used, mut cut) = (0, 0);
    for (character, instead) in rendered(text.trim_end()) {
        let instead = match character {
            '\n' | '\t' | '\r' => Some(" ".to_owned()),
            _ => instead,
        };
        used += instead.as_ref().map_or(1, String::len);
        if used > chars_max {
            out.truncate(cut);
            return ended(out);
        }
        push(&mut out, character, instead);
        if used < chars_max {
            cut = out.len();
        }
    }
    out
}

/// What was cut may have been what made a `<` harmless.
fn ended(mut out: String) -> String {
    if let Some(at) = out.rfind('<')
        && out[at + 1..].chars().all(|it| is_word(it) || it.is_whitespace())
    {
        out.truncate(at);
    }
    out.truncate(out.trim_end().len());
    out.push('…');
    out
}

const ESCAPED: &str = "&lt;";

/// Each character with what is written for it, where that is something else.
fn rendered(text: &str) -> impl Iterator<Item = (char, Option<String>)> {
    let mut before = None;
    text.char_indices().map(move |(at, character)| {
        let rest = &text[at + character.len_utf8()..];
        let is_tag = is_bracket(character) && could_be_tag(character, before, rest);
        let is_hidden = !matches!(character, '\n' | '\t')
            && hides_between(before, character, rest.chars().next());
        before = Some(character);
        let hidden = is_hidden.then(|| shown_hidden(character));
        (character, if is_tag { Some(ESCAPED.to_owned()) } else { hidden })
    })
}

fn push(out: &mut String, character: char, instead: Option<String>) {
    match instead {
        Some(text) => out.push_str(&text),
        None => out.push(character),
    }
}

fn could_be_tag(bracket: char, before: Option<char>, rest: &str) -> bool {
    // At the end, what we write behind it might complete it.
    let Some(next) = rest.chars().next() else { return true };
    if is_plain_after(next) {
        return false;
    }
    // Code has no other brackets.
    if bracket != '<' {
        return true;
    }
    let name = rest.trim_start();
    let word = &name[..name.find(|it: char| !is_word(it)).unwrap_or(name.len())];
    let behind = &name[word.len()..];
    if is_shown_hidden(rest) {
        return false;
    }
    if has(TAGS, &word.to_ascii_lowercase()) {
        return true;
    }
    if next.is_whitespace() {
        return !is_comparison(before, name, behind);
    }
    !is_type_behind_name(before, word, behind)
}

/// `U+202E>`: a hidden character that was made visible before.
fn is_shown_hidden(rest: &str) -> bool {
    rest.strip_prefix("U+").and_then(|rest| rest.split_once('>')).is_some_and(|(code, _)| {
        (4..=6).contains(&code.len()) && code.bytes().all(|it| it.is_ascii_hexdigit())
    })
}

/// `a < b`, and not `< b >` or `< b c="d"`.
fn is_comparison(before: Option<char>, name: &str, behind: &str) -> bool {
    let Some(first) = name.chars().next() else { return false };
    if before.is_some_and(|it| !it.is_whitespace() && it != '<') {
        return false;
    }
    if !is_word(first) {
        return is_plain_after(first);
    }
    let behind = behind.trim_start();
    let is_name = |it: char| is_word(it) || it == '-';
    let attribute = behind.find(|it| !is_name(it)).unwrap_or(behind.len());
    let has_value = attribute > 0 && behind[attribute..].trim_start().starts_with('=');
    !behind.starts_with(['>', '-', ':', '/']) && !has_value
}

/// `Vec<String>`, `HashMap<u64, Vec<T>>`, `vector<std::string>`.
fn is_type_behind_name(before: Option<char>, word: &str, behind: &str) -> bool {
    let begins_large = word.starts_with(|it: char| it.is_ascii_uppercase());
    let is_type = begins_large && !word.contains('_') || has(SMALL_TYPES, word);
    let is_path = !word.is_empty() && behind.starts_with("::");
    let is_qualifier = matches!(word, "dyn" | "impl" | "const" | "unsigned");
    let ends = behind.starts_with(['>', '<', ',', '[', '(', '?', '*'])
        || behind.starts_with(": ")
        // As it is after a rendering.
        || behind.starts_with(ESCAPED)
        || is_qualifier && behind.starts_with(' ');
    before.is_some_and(is_word) && (is_path || is_type && ends)
}
