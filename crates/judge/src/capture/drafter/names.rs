//! What a sentence is about: its telling words and the files that it names.

use oldhand_core::scope::is_relative_path;
use oldhand_text::terms::{is_common, is_everyday};

const TAGS_MAX: usize = 5;
const FILES_MAX: usize = 10;
/// Shorter words tell nothing, longer ones are no words.
const TAG_CHARS_MIN: usize = 3;
const TAG_CHARS_MAX: usize = 24;
/// A run of Han or kana of this length is a clause.
const WIDE_TAG_CHARS: usize = 4;

/// Words that say that something is to be remembered, not what.
const ANNOUNCING: &[&str] = &[
    "agreed",
    "always",
    "anymore",
    "because",
    "chose",
    "chosen",
    "decided",
    "decision",
    "else",
    "ever",
    "everywhere",
    "explicitly",
    "forget",
    "forward",
    "future",
    "going",
    "instead",
    "later",
    "let's",
    "lets",
    "mind",
    "must",
    "never",
    "note",
    "otherwise",
    "picked",
    "please",
    "prefer",
    "rather",
    "reason",
    "reference",
    "remember",
    "rule",
    "see",
    "settled",
    "should",
    "since",
    "that's",
    "thing",
    "things",
    "today",
    "very",
    "we'll",
    "we're",
    "we've",
    "don't",
    "can't",
    "i'd",
    "i'll",
    "it's",
    "isn't",
    "doesn't",
    "won't",
    "mustn't",
    "dont",
    "unless",
    "without",
];

/// Up to five telling words, in the order of the text.
pub(super) fn tags(text: &str) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for word in text
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '_' | '.' | '/')))
    {
        let word = word.trim_matches(['\'', '’', '-', '_', '.']).to_lowercase().replace('’', "'");
        if is_telling(&word) && !tags.contains(&word) {
            tags.push(word);
        }
        if tags.len() == TAGS_MAX {
            break;
        }
    }
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
        && !ANNOUNCING.contains(&word)
}

/// Endings by which a name without a folder is a file.
const ENDINGS: &[&str] = &[
    "rs", "go", "py", "ts", "tsx", "js", "jsx", "mjs", "md", "toml", "yml", "yaml", "json",
    "jsonl", "sh", "sql", "java", "kt", "rb", "c", "h", "cc", "cpp", "hpp", "cs", "css", "html",
    "lock", "tf", "proto", "swift", "php", "vue", "txt", "env", "cfg", "ini",
];

/// Files of the repository that the text names.
pub(super) fn files(text: &str) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for token in text.split(|c: char| {
        c.is_whitespace()
            || matches!(c, '`' | '"' | '“' | '”' | '(' | ')' | ',' | ';' | '<' | '>' | '[' | ']')
    }) {
        let token = token.trim_start_matches('@').trim_end_matches(['.', ':', '!', '?', '\'', '*']);
        // `src/pay.rs:12` names the file before the number.
        let path = token.split(':').next().unwrap_or_default().trim_start_matches("./");
        if is_file(token, path) && !files.iter().any(|known| known == path) {
            files.push(path.to_owned());
        }
        if files.len() == FILES_MAX {
            break;
        }
    }
    files
}

fn is_file(token: &str, path: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+');
    let name = path.rsplit('/').next().unwrap_or_default();
    let ending =
        name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
    !token.contains("://")
        && !path.starts_with('~')
        && path.chars().all(is_plain)
        && is_relative_path(path)
        && ending.is_some_and(|ending| ENDINGS.contains(&ending.to_ascii_lowercase().as_str()))
}
