//! The one reader of prose: where a sentence ends, what a heading or a list item says.

/// The level of a heading that is only a line in bold: below all others.
pub const BOLD_LEVEL: usize = 7;

/// The sentences of one line, trimmed, with the marks that end them. Code spans are not split, and
/// what has no letter or digit is no sentence.
pub fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let (sentence, after) = rest.split_at(first_end(rest));
            rest = after;
            if has_words(sentence) {
                return Some(sentence.trim());
            }
        }
        None
    })
}

pub fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// The first sentence of a line without the mark that ends it.
pub fn first(line: &str) -> &str {
    sentences(line).next().unwrap_or(line).trim_end_matches(['.', '!', '?', '。', '！', '？'])
}

/// Ends as a question does; what only begins like one is a matter of words.
pub fn is_question(sentence: &str) -> bool {
    let bare = sentence
        .trim_end_matches(['"', '”', '’', '\'', ')', ']', '*', '_', '!', '」', '』', '）', ' ']);
    let wide = bare.trim_end_matches('。');
    bare.ends_with(['?', '？']) || wide.ends_with(['吗', '呢']) || wide.ends_with("ですか")
}

/// The level and the text of a heading: `## text`, or a line that is bold from end to end.
pub fn heading(bare: &str) -> Option<(usize, &str)> {
    let text = bare.trim_start_matches('#');
    let level = bare.len() - text.len();
    if (1..=6).contains(&level) && text.starts_with([' ', '\t']) {
        // A closing run of `#` counts only behind a space: `C#` is a name.
        let open = text.trim().trim_end_matches('#');
        let is_closed = open.ends_with([' ', '\t']) || open.is_empty();
        return Some((level, if is_closed { open.trim() } else { text.trim() }));
    }
    let inner = bare.strip_prefix("**")?.trim_end_matches(':').strip_suffix("**")?;
    let is_heading = !inner.contains("**") && !inner.trim_end().ends_with(['.', '!']);
    is_heading.then(|| (BOLD_LEVEL, inner.trim_end_matches(':')))
}

/// The text of a list item without its mark and its box; `None` for any other line.
pub fn item(bare: &str) -> Option<&str> {
    let text = without_item_mark(bare);
    (text.len() < bare.len()).then_some(text)
}

/// The text of a line, without what marks it as a list item.
pub fn without_item_mark(bare: &str) -> &str {
    let mut text = bare;
    for mark in ["- ", "* ", "+ ", "• ", "– ", "— ", "→ ", "✅ ", "⚠️ ", "[ ] ", "[x] ", "[X] "]
    {
        text = text.strip_prefix(mark).unwrap_or(text).trim_start();
    }
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = (1..=3).contains(&(text.len() - rest.len()));
    let numbered = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "));
    numbered.filter(|_| is_number).map_or(text, str::trim_start)
}

/// Lower-case words between single spaces, with one at either end; apostrophes are dropped.
pub fn folded(text: &str) -> String {
    let mut folded = String::from(" ");
    for character in text.chars().flat_map(char::to_lowercase) {
        if character.is_alphanumeric() {
            folded.push(character);
        } else if !matches!(character, '\'' | '’') && !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    if !folded.ends_with(' ') {
        folded.push(' ');
    }
    folded
}

/// The byte behind the first sentence.
fn first_end(text: &str) -> usize {
    let mut code_end = 0;
    for (at, character) in text.char_indices() {
        if at < code_end {
            continue;
        } else if character == '`' {
            // A single backtick opens nothing.
            code_end = text[at + 1..].find('`').map_or(0, |close| at + close + 2);
        } else if let Some(end) = end_behind(text, at, character) {
            return end;
        }
    }
    text.len()
}

/// The end of the sentence that this character closes, with the quotes and brackets behind it.
fn end_behind(text: &str, at: usize, character: char) -> Option<usize> {
    let is_wide = matches!(character, '。' | '！' | '？' | '｡');
    if !is_wide && !matches!(character, '.' | '!' | '?' | '…') {
        return None;
    }
    let behind = &text[at + character.len_utf8()..];
    if !is_wide && behind.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let rest = behind.trim_start_matches([
        '.', '!', '?', '。', '！', '？', '"', '”', '’', '\'', ')', ']', '*', '_', '」', '』', '）',
    ]);
    // Versions, file names and addresses go on without a space.
    let is_end = rest.is_empty() || rest.starts_with(char::is_whitespace);
    let is_short_form = character == '.' && is_short_form(&text[..=at], rest);
    (is_wide || is_end && !is_short_form).then(|| text.len() - rest.len())
}

/// Short forms that end in a period and no sentence.
const SHORT_FORMS: &[&str] = &[
    "e.g.", "eg.", "i.e.", "ie.", "vs.", "approx.", "cf.", "no.", "fig.", "incl.", "dr.", "mr.",
    "ms.", "st.", "z.b.", "bzw.", "ca.", "evtl.", "ggf.", "usw.", "vgl.", "p.ej.", "np.", "tj.",
    "т.е.", "т.д.", "т.к.",
];

fn is_short_form(text: &str, rest: &str) -> bool {
    let word = text.rsplit([' ', '(', '\t']).next().unwrap_or_default();
    let stem = word.trim_end_matches('.');
    // `z. B.`, `J. Doe`, and the number of a list.
    let is_letter =
        stem.chars().count() == 1 && stem.chars().all(char::is_alphabetic) && stem != "I";
    let is_number =
        !stem.is_empty() && text.trim() == word && stem.bytes().all(|b| b.is_ascii_digit());
    // `etc.` ends a sentence as often as not: the next letter tells.
    let goes_on = || rest.trim_start().starts_with(|c: char| c.is_lowercase() || c == ',');
    is_letter
        || is_number
        || SHORT_FORMS.iter().any(|short| word.eq_ignore_ascii_case(short))
        || word.eq_ignore_ascii_case("etc.") && goes_on()
}

#[cfg(test)]
mod tests;
