//! What a sentence is about: its telling words and the files that it names.

use crate::capture::verify::claims::has_file_ending;
use crate::retro::distinct;
use oldhand_core::scope::is_relative_path;
use oldhand_text::table;
use oldhand_text::terms::{is_common, is_everyday};

const TAGS_MAX: usize = 5;
const FILES_MAX: usize = 10;
/// Shorter words tell nothing, longer ones are no words.
const TAG_CHARS_MIN: usize = 3;
const TAG_CHARS_MAX: usize = 24;
/// A run of Han or kana of this length is a clause.
const WIDE_TAG_CHARS: usize = 4;

/// Words that say that something is to be remembered, not what.
const ANNOUNCING: &str = "agreed always anymore because chose chosen decided decision else \
     ever everywhere explicitly forget forward future going instead later let's lets mind must \
     never note otherwise picked please prefer rather reason reference remember rule see \
     settled should since that's thing things today very we'll we're we've don't can't i'd i'll \
     it's isn't doesn't won't mustn't dont unless without";

/// Up to five telling words, in the order of the text.
pub(super) fn tags(text: &str) -> Vec<String> {
    let is_inside =
        |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '_' | '.' | '/');
    let words = text.split(|c: char| !is_inside(c));
    let words = words.map(|word| word.trim_matches(['\'', '’', '-', '_', '.']));
    let words = words.map(|word| word.to_lowercase().replace('’', "'"));
    let mut tags = distinct(words.filter(|word| is_telling(word)));
    tags.truncate(TAGS_MAX);
    tags
}

fn is_telling(word: &str) -> bool {
    let count = word.chars().count();
    let is_wide = word.chars().any(|c| c >= '\u{2E80}');
    let most = if is_wide { WIDE_TAG_CHARS } else { TAG_CHARS_MAX };
    (TAG_CHARS_MIN..=most).contains(&count)
        && word.chars().any(char::is_alphabetic)
        && !word.contains('/')
        && !is_common(word)
        && !is_everyday(word)
        && !table::has(ANNOUNCING, word)
}

pub(super) fn files(text: &str) -> Vec<String> {
    let is_between = |c: char| c.is_whitespace() || "`\"“”(),;<>[]".contains(c);
    let tokens = text.split(is_between).map(|token| token.trim_start_matches('@'));
    let tokens = tokens.map(|token| token.trim_end_matches(['.', ':', '!', '?', '\'', '*']));
    let tokens = tokens.filter(|token| !token.contains("://"));
    // `src/pay.rs:12` names the file before the number.
    let paths = tokens.map(|token| token.split(':').next().unwrap_or_default());
    let paths = paths.map(|path| path.trim_start_matches("./"));
    let mut files = distinct(paths.filter(|path| is_file(path)).map(str::to_owned));
    files.truncate(FILES_MAX);
    files
}

fn is_file(path: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+');
    let name = path.rsplit('/').next().unwrap_or_default();
    // `.env` is a name, not an ending.
    name.rfind('.').is_some_and(|at| at > 0)
        && path.chars().all(is_plain)
        && is_relative_path(path)
        && has_file_ending(path)
}
