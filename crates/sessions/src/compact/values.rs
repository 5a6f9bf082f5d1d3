//! Numbers, versions, dates and settings that were named: what can't be guessed again.

use super::telling::{is_empty_word, is_link};
use oldhand_judge::capture::verify::claims::{bare, is_date, is_path, is_version};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    pub text: String,
    pub snippet: String,
}

const VALUE_CHARS_MAX: usize = 60;
const UNIT_CHARS_MAX: usize = 12;

/// The values of one sentence, which must be one line already.
pub(super) fn values(sentence: &str) -> Vec<Value> {
    if !sentence.bytes().any(|b| b.is_ascii_digit()) {
        return Vec::new();
    }
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let mut found: Vec<Value> = Vec::new();
    for (at, raw) in words.iter().enumerate() {
        let word = plain(raw);
        if !is_value(word, at.checked_sub(1).map(|before| words[before])) {
            continue;
        }
        let mut snippet = vec![name(&words[..at]), word.to_owned(), unit(raw, words.get(at + 1))];
        snippet.retain(|it| !it.is_empty());
        let snippet = snippet.join(" ");
        if snippet.chars().count() <= 3 * VALUE_CHARS_MAX && !found.iter().any(|it| it.text == word)
        {
            found.push(Value { text: word.to_owned(), snippet });
        }
    }
    found
}

/// `port`, `port =` or `timeout of` before a value. A mark that ends a part of the sentence ends the
/// name too.
fn name(before: &[&str]) -> String {
    let ends = |word: &str| word.ends_with([',', ';', '.', '!', '?', ')']);
    let (link, rest) = match before {
        [rest @ .., link] if is_link(link) => (*link, rest),
        _ => ("", before),
    };
    let Some(raw) = rest.last().filter(|raw| !ends(raw)) else { return String::new() };
    let name = plain(raw);
    let is_name = !is_empty_word(name) && name.chars().any(char::is_alphabetic);
    let is_marked = link.is_empty() && raw.ends_with(['=', ':']);
    let mark = if is_marked { &raw[raw.len() - 1..] } else { "" };
    if is_name { format!("{name}{mark} {link}").trim_end().to_owned() } else { String::new() }
}

fn unit(raw: &str, next: Option<&&str>) -> String {
    let is_end = raw.ends_with([',', ';', '.', '!', '?', ')', ':']) || raw.contains('=');
    let unit = next.map(|it| plain(it)).unwrap_or_default();
    let is_word = unit.chars().all(char::is_alphabetic) && !unit.ends_with("ly");
    let is_unit = is_word && unit.chars().count() <= UNIT_CHARS_MAX && !is_empty_word(unit);
    if is_end || !is_unit { String::new() } else { unit.to_owned() }
}

/// Without the marks around it; a sign before a number belongs to it.
fn plain(raw: &str) -> &str {
    bare(raw).trim_matches(['`', '"', '\''])
}

/// A number of two digits or more, one with a unit or a point, a version, a date, `key=1`, and one
/// digit behind `=` or `:`. Names with digits in them are no numbers.
fn is_value(word: &str, before: Option<&str>) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 || word.len() > VALUE_CHARS_MAX {
        return false;
    }
    if is_version(word) || is_date(word) {
        return true;
    }
    if word.contains("://") || is_path(word) {
        return false;
    }
    let setting =
        word.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    if let Some((_, value)) = setting {
        return value.starts_with(|c: char| c.is_ascii_digit());
    }
    let number = word.trim_start_matches(['-', '+', '~', '$', '€', '#']);
    let starts = number.starts_with(|c: char| c.is_ascii_digit());
    let is_named = before.is_some_and(|it| it.ends_with(['=', ':']));
    starts && (digits > 1 || is_named || word.chars().count() > digits && !number.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_with_its_name_and_unit() {
        let check = |sentence: &str, want: &[&str]| {
            let found: Vec<String> = values(sentence).into_iter().map(|it| it.snippet).collect();
            assert_eq!(found, want, "{sentence}");
        };
        check("move it to the invoice total, 19 percent, then", &["19 percent"]);
        check("the cache is on port 6380, not here", &["port 6380"]);
        check("set port = 8080 there", &["port = 8080"]);
        check("a timeout of 30 seconds", &["timeout of 30 seconds"]);
        check("\"line below\" but ENTIRE_LOCAL_DEV=1 on", &["ENTIRE_LOCAL_DEV=1"]);
        check("the repository for the 0.4.3 release", &["0.4.3 release"]);
        check("retries: 3", &["retries: 3"]);
    }
}
