//! Patterns of the shell: whether one part of a path could be the store, and braces.

use super::place::UNKNOWN;

/// More alternatives than this are not looked at.
const BRACES_MAX: usize = 64;

/// Whether a part of a path with `*`, `?`, `[…]` or an unknown piece fits a name. As in the shell,
/// a leading dot must be written.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    if !pattern.contains(['*', '?', '[', UNKNOWN]) || !pattern.starts_with('.') {
        return false;
    }
    // `.$name` can be any hidden file: only more letters make it this one.
    let letters = pattern.chars().filter(|c| c.is_alphanumeric()).count();
    if pattern.contains(UNKNOWN) && letters == 0 {
        return false;
    }
    let pattern: Vec<char> = pattern.to_lowercase().chars().collect();
    let name: Vec<char> = name.chars().collect();
    matches(&pattern, &name)
}

/// One star at a time is remembered: never more than the product of both lengths.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut at, mut of) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while of < name.len() {
        let step = pattern.get(at).and_then(|c| match c {
            '*' | &UNKNOWN => None,
            '?' => Some(1),
            '[' => class(&pattern[at..], name[of]),
            c => (*c == name[of]).then_some(1),
        });
        if matches!(pattern.get(at), Some('*' | &UNKNOWN)) {
            star = Some((at, of));
            at += 1;
        } else if let Some(step) = step {
            at += step;
            of += 1;
        } else if let Some((from, taken)) = star {
            star = Some((from, taken + 1));
            (at, of) = (from + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|c| matches!(c, '*' | &UNKNOWN))
}

/// The length of `[…]` when the character is in it.
fn class(pattern: &[char], character: char) -> Option<usize> {
    let end = pattern.iter().skip(2).position(|c| *c == ']')? + 2;
    let (negated, set) = match &pattern[1..end] {
        ['!' | '^', rest @ ..] => (true, rest),
        set => (false, set),
    };
    let in_range = set.windows(3).any(|it| it[1] == '-' && (it[0]..=it[2]).contains(&character));
    (negated != (set.contains(&character) || in_range)).then_some(end + 1)
}

/// `a{b,c}` as `ab` and `ac`.
pub(super) fn braces(text: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(text) = open.pop() {
        if done.len() + open.len() >= BRACES_MAX {
            done.push(text);
            continue;
        }
        match innermost(&text) {
            None => done.push(text),
            Some((from, to)) => {
                let (before, after) = (&text[..from], &text[to + 1..]);
                let options = text[from + 1..to].split(',');
                open.extend(options.map(|it| format!("{before}{it}{after}")));
            }
        }
    }
    done
}

/// The first pair of braces that has a comma and no further brace in it.
fn innermost(text: &str) -> Option<(usize, usize)> {
    let mut from = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => from = Some(at),
            b'}' => {
                if let Some(from) = from.filter(|from| text[*from..at].contains(',')) {
                    return Some((from, at));
                }
                from = None;
            }
            _ => {}
        }
    }
    None
}
