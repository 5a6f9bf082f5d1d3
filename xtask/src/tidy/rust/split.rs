//! Takes a source apart into what the compiler reads and what people read, so that no rule trips over a string.

/// Two views of one source. Both have the lines of the source; what a view leaves out is blank in it.
#[derive(Debug)]
pub(in crate::tidy) struct Views {
    /// Without comments and without the text of string and character literals.
    pub(in crate::tidy) code: String,
    pub(in crate::tidy) comments: String,
}

pub(in crate::tidy) fn split(source: &str) -> Views {
    let chars: Vec<char> = source.chars().collect();
    let mut views = Views { code: String::with_capacity(source.len()), comments: String::new() };
    let mut rest = chars.as_slice();
    while !rest.is_empty() {
        let (part, length) = first_part(rest);
        let (taken, after) = rest.split_at(length);
        for &c in taken {
            views.code.push(if part == Part::Code { c } else { blank(c) });
            views.comments.push(if part == Part::Comment { c } else { blank(c) });
        }
        rest = after;
    }
    views
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Comment,
    Literal,
}

/// What the source starts with, and how many characters of it; always at least one.
fn first_part(rest: &[char]) -> (Part, usize) {
    match rest {
        ['/', '/', ..] => {
            (Part::Comment, rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()))
        }
        ['/', '*', ..] => (Part::Comment, block_comment_length(rest)),
        ['"', ..] => (Part::Literal, quoted_length(rest, '"')),
        ['r', '"' | '#', ..] => {
            raw_string_length(rest).map_or((Part::Code, 1), |length| (Part::Literal, length))
        }
        ['\'', '\\', ..] => (Part::Literal, quoted_length(rest, '\'')),
        ['\'', _, '\'', ..] => (Part::Literal, 3),
        // Anything else after a quote is a lifetime.
        _ => (Part::Code, 1),
    }
}

fn block_comment_length(rest: &[char]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        match &rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] if depth == 1 => return at + 2,
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    rest.len()
}

/// A literal between two `quote`s, where a backslash escapes.
fn quoted_length(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// `r"…"` or `r#"…"#` with any number of hashes; nothing for a raw identifier.
fn raw_string_length(rest: &[char]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|&&c| c == '#').count();
    let open = 1 + hashes;
    if rest.get(open) != Some(&'"') {
        return None;
    }
    let text = &rest[open + 1..];
    let closes = |at: &usize| {
        text[*at] == '"' && text[at + 1..].iter().take_while(|&&c| c == '#').count() >= hashes
    };
    Some((0..text.len()).find(closes).map_or(rest.len(), |at| open + 1 + at + 1 + hashes))
}

fn blank(c: char) -> char {
    if c == '\n' { '\n' } else { ' ' }
}
