//! Text that speaks to the agent instead of telling what is so. Patterns stop the loud ones only: what guards
//! is that an import arrives as candidates. Orders alone are no sign, rules are orders.

use std::borrow::Cow;

use oldhand_text::sentence;

use crate::record::Foreign;

/// A comment of so many words is meant for somebody who reads the source of the page.
const COMMENT_WORDS_MIN: usize = 12;
/// How many hidden characters a reason names.
const NAMED_MAX: usize = 5;
/// Between the word that undoes and what it undoes.
const GAP_WORDS_MAX: usize = 4;

/// Why a record waits for a person, if it must: nothing but `promote` by name takes it.
pub fn reason(record: &Foreign) -> Option<String> {
    let texts: Vec<String> = record.texts().collect();
    let first = |find: fn(&str) -> Option<String>| texts.iter().find_map(|text| find(text));
    first(hidden)
        .or_else(|| first(undoing))
        .or_else(|| first(imitating))
        .or_else(|| first(commented))
}

/// Characters that change what a person sees without being seen.
fn hidden(text: &str) -> Option<String> {
    let is_hidden = |c: &char| {
        matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}' | '\u{E0000}'..='\u{E007F}' | '\u{FEFF}')
    };
    let mut found: Vec<char> = text.chars().filter(is_hidden).collect();
    // A joiner between two pictures makes them one.
    found.retain(|c| {
        *c != '\u{200D}'
            || text
                .chars()
                .zip(text.chars().skip(1))
                .any(|(one, two)| two == '\u{200D}' && one.is_ascii())
    });
    found.sort_unstable();
    found.dedup();
    let names = found.iter().take(NAMED_MAX).map(|c| format!("U+{:04X}", u32::from(*c)));
    (!found.is_empty())
        .then(|| format!("hidden characters: {}", names.collect::<Vec<_>>().join(", ")))
}

const UNDO: &str = "ignore disregard forget override bypass";
const BEFORE: &str = "previous prior above all system earlier preceding";
const WHAT: &str = "instructions instruction rules rule prompt prompts";

/// Words that undo others: `ignore all previous instructions`, `you are now`, not telling the user.
fn undoing(text: &str) -> Option<String> {
    let has = |table: &str, word: &str| oldhand_text::table::has(table, word);
    let words = words_of(text);
    let shown = |from: usize, to: usize| {
        let said = &text[words[from].0..words[to].1];
        Some(format!("it speaks to the agent: `{}`", oldhand_text::strings::visible_line(said)))
    };
    for (at, (_, _, word)) in words.iter().enumerate() {
        // What the words and phrases below begin with.
        if !word.starts_with(['b', 'd', 'f', 'i', 'n', 'o', 'w', 'y']) {
            continue;
        }
        let until = (at + 2 + GAP_WORDS_MAX).min(words.len());
        if has(UNDO, word) {
            let before = (at + 1..until).find(|it| has(BEFORE, &words[*it].2));
            let what = before.and_then(|it| (it + 1..until).find(|it| has(WHAT, &words[*it].2)));
            // `forget --all  # no prompt` is a command line.
            let is_code = |to: usize| {
                let said = &text[words[at].0..words[to].1];
                said.contains(['#', '=', '`', '|']) || said.contains("--")
            };
            if let Some(what) = what.filter(|what| !is_code(*what)) {
                return shown(at, what);
            }
        }
        let phrase = |wanted: &[&str]| {
            words.len() >= at + wanted.len()
                && wanted
                    .iter()
                    .zip(&words[at..])
                    .all(|(one, it)| one.split('|').any(|one| one == it.2))
        };
        let phrases: [&[&str]; 4] = [
            &["you", "are", "now"],
            &["not", "tell|inform|notify|alert", "the", "user"],
            &["dont|never", "tell|inform|notify|alert", "the", "user"],
            &["without", "telling|informing|notifying|alerting", "the", "user"],
        ];
        if let Some(found) = phrases.iter().find(|it| phrase(it)) {
            return shown(at, at + found.len() - 1);
        }
    }
    None
}

/// Words in lower case without apostrophes, and where they stand.
fn words_of(text: &str) -> Vec<(usize, usize, Cow<'_, str>)> {
    let is_plain = |word: &str| word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let folded = |word: &str| word.to_lowercase().replace(['\'', '’'], "");
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_inner(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                let word = &text[from..at];
                let is_plain = is_plain(word);
                let word = if is_plain { Cow::Borrowed(word) } else { folded(word).into() };
                words.push((from, at, word));
                start = None;
            }
            _ => {}
        }
    }
    words
}

const TAGS: &str = "system system-reminder tool_use function_calls oldhand-memory";
const MARKS: &[&str] = &["[INST]", "<|im_start|>"];

/// Tags of a host's own channels.
fn imitating(text: &str) -> Option<String> {
    let tag = text.match_indices('<').find_map(|(at, _)| {
        let name = text[at + 1..].trim_start_matches('/');
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'))?;
        let is_closed =
            name[end..].starts_with('>') || name[end..].starts_with(char::is_whitespace);
        let is_tag = is_closed && oldhand_text::table::has(TAGS, &name[..end].to_ascii_lowercase());
        is_tag.then(|| format!("<{}>", &name[..end]))
    });
    let mark = || MARKS.iter().find(|mark| text.contains(**mark)).map(|mark| (*mark).to_owned());
    tag.or_else(mark).map(|tag| format!("it imitates a host: `{tag}`"))
}

/// A comment that says more than a mark.
fn commented(text: &str) -> Option<String> {
    let counts = text.split("<!--").skip(1).map(|rest| {
        let comment = rest.split("-->").next().unwrap_or(rest);
        comment.split_whitespace().filter(|word| sentence::has_words(word)).count()
    });
    let words = counts.max().filter(|words| *words >= COMMENT_WORDS_MIN)?;
    Some(format!("a comment of {words} words that readers don't see"))
}
