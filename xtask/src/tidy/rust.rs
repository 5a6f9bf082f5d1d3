//! Just enough Rust to check house rules: comments apart from code, tokens with their lines, functions, test regions.
//! It trusts that the file compiles, and knows no grammar beyond brackets.

mod split;

use std::ops::RangeInclusive;

pub(super) use split::split;

/// An identifier, a number, or one character of punctuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) line: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    pub(super) lines: RangeInclusive<usize>,
}

/// The tokens of the code view of a file, see [`split()`].
pub(super) fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let end =
                if is_word(first) { rest.find(|c| !is_word(c)) } else { Some(first.len_utf8()) };
            let (text, after) = rest.split_at(end.unwrap_or(rest.len()));
            tokens.push(Token { text, line: index + 1 });
            rest = after.trim_start();
        }
    }
    tokens
}

/// Every function with a body, nested ones too.
pub(super) fn functions<'a>(tokens: &[Token<'a>]) -> Vec<Function<'a>> {
    let mut functions = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        let [keyword, name] = pair else { continue };
        // `fn(` is a pointer type.
        if keyword.text != "fn" || !name.text.starts_with(is_word) {
            continue;
        }
        if let Some(Item { end, has_body: true }) = item(tokens, at) {
            functions.push(Function { name: name.text, lines: keyword.line..=end });
        }
    }
    functions
}

/// The lines of items under `#[cfg(test)]`, also of `mod tests;`.
pub(super) fn test_regions(tokens: &[Token<'_>]) -> Vec<RangeInclusive<usize>> {
    const ATTRIBUTE: &[&str] = &["#", "[", "cfg", "(", "test", ")", "]"];
    let starts = (0..tokens.len()).filter(|&at| matches(&tokens[at..], ATTRIBUTE));
    starts
        .filter_map(|at| Some(tokens[at].line..=item(tokens, at + ATTRIBUTE.len())?.end))
        .collect()
}

/// The first word of each path at the start of the tokens: `a` of `a::b`, and `a` and `b` of `{a, b::{c, d}}`.
pub(super) fn group_heads<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    if tokens.first().is_some_and(|token| token.text != "{") {
        return vec![tokens[0]];
    }
    let mut heads = Vec::new();
    let mut depth = 0_usize;
    for pair in tokens.windows(2) {
        match pair[0].text {
            "{" => depth += 1,
            "}" if depth <= 1 => break,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 1 && matches!(pair[0].text, "{" | ",") {
            heads.push(pair[1]);
        }
    }
    heads
}

/// Whether the tokens declare `mod name;`.
pub(super) fn declares_module(tokens: &[Token<'_>], name: &str) -> bool {
    (0..tokens.len()).any(|at| matches(&tokens[at..], &["mod", name, ";"]))
}

pub(super) fn matches(tokens: &[Token<'_>], wanted: &[&str]) -> bool {
    tokens.len() >= wanted.len()
        && tokens.iter().zip(wanted).all(|(token, wanted)| token.text == *wanted)
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

struct Item {
    /// The line where its braces close, or that of its `;`.
    end: usize,
    has_body: bool,
}

/// The item that starts at `from`.
fn item(tokens: &[Token<'_>], from: usize) -> Option<Item> {
    let mut depth_signature = 0_usize;
    let mut depth_body = 0_usize;
    for token in tokens.get(from..)? {
        match token.text {
            "{" => depth_body += 1,
            "}" if depth_body <= 1 => return Some(Item { end: token.line, has_body: true }),
            "}" => depth_body -= 1,
            "(" | "[" if depth_body == 0 => depth_signature += 1,
            ")" | "]" if depth_body == 0 => depth_signature = depth_signature.saturating_sub(1),
            // `[u8; 4]` in a signature has a semicolon too.
            ";" if depth_body == 0 && depth_signature == 0 => {
                return Some(Item { end: token.line, has_body: false });
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests;
