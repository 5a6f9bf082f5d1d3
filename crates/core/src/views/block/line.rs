//! One memory in one line of a block. Its text is data: nothing in it opens a comment, a tag, a heading or a
//! fence, and nothing is read as the import of a file.

use oldhand_text::agent_text::{AgentText, LINE_CHARS_MAX};
use oldhand_text::sentence;
use oldhand_text::strings::normalise_line;

use crate::kind::Kind;
use crate::kind::schema::main_field;
use crate::memory::Memory;

pub(super) fn of(memory: &Memory) -> String {
    match memory.kind {
        Kind::Runbook => {
            format!("- {}: `oldhand show {}`\n", as_data(&normalise_line(&memory.title)), memory.id)
        }
        _ => format!("- {} ({})\n", as_data(&said(memory)), memory.id),
    }
}

/// Title and first sentence; the title alone where the sentence only repeats it.
pub(super) fn said(memory: &Memory) -> String {
    let title = normalise_line(&memory.title);
    let sentence = first_sentence(memory);
    let repeats = sentence::folded(&title).starts_with(&sentence::folded(&sentence));
    if sentence.is_empty() || repeats { title } else { format!("{title}: {sentence}") }
}

/// Of the field that the kind is about, in its first paragraph.
pub(super) fn first_sentence(memory: &Memory) -> String {
    let field = main_field(memory.kind.fields());
    let text = field.and_then(|field| memory.content.text(&field.name)).unwrap_or_default();
    let is_prose = |line: &&str| {
        let line = line.trim_start();
        !line.is_empty()
            && !line.starts_with("```")
            && !line.starts_with("~~~")
            && !line.starts_with('#')
    };
    let mut lines = text.lines().skip_while(|line| !is_prose(line)).take_while(is_prose);
    let mut paragraph = lines
        .next()
        .map(|it| sentence::without_item_mark(it.trim()))
        .unwrap_or_default()
        .to_owned();
    for line in lines.map(str::trim).take_while(|line| sentence::item(line).is_none()) {
        paragraph = format!("{paragraph} {line}");
    }
    normalise_line(sentence::first(&paragraph))
}

/// Foreign words in a line of Markdown that an agent reads as instructions.
pub(super) fn as_data(text: &str) -> String {
    let mut text = AgentText::line_of(text, LINE_CHARS_MAX).into_string();
    // A backslash would make a tick that no longer opens or closes code.
    while text.contains("\\`") {
        text = text.replace("\\`", "`");
    }
    let text = text.replace("-->", "-- >");
    let (mut out, mut rest) = (String::new(), text.as_str());
    while let Some(at) = rest.find('`') {
        push(&mut out, &plain(&rest[..at]));
        let ticks = rest[at..].len() - rest[at..].trim_start_matches('`').len();
        let behind = &rest[at + ticks..];
        match end_of_code(behind, ticks) {
            Some(end) => {
                push(&mut out, &rest[at..at + ticks + end]);
                rest = &behind[end..];
            }
            // It closes nothing: left alone, it would take the next one with it.
            None => {
                out.push('\'');
                rest = behind;
            }
        }
    }
    push(&mut out, &plain(rest));
    if out.starts_with(['#', '>', '~']) { format!("\\{out}") } else { out }
}

/// Two codes side by side would be one.
fn push(out: &mut String, more: &str) {
    if out.ends_with('`') && more.starts_with('`') {
        out.push(' ');
    }
    out.push_str(more);
}

/// Behind the ticks that close code of so many.
fn end_of_code(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(next) = text[at..].find('`') {
        let start = at + next;
        at = start + text[start..].len() - text[start..].trim_start_matches('`').len();
        if at - start == ticks {
            return Some(at);
        }
    }
    None
}

/// Text outside of code: `@word` becomes code, and no `<` opens a tag.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for token in text.split_inclusive(char::is_whitespace) {
        let word = token.trim_end();
        let (lead, core, tail) = bare(word);
        let names = |it: &str| it.find('@').is_some_and(|at| at + 1 < it.len());
        if names(core) {
            push(&mut out, &format!("{}`{core}`{}", no_tag(lead), no_tag(tail)));
        } else if names(word) {
            push(&mut out, &format!("`{word}`"));
        } else {
            push(&mut out, &no_tag(word));
        }
        out.push_str(&token[word.len()..]);
    }
    out
}

/// What stands around a word, and the word.
fn bare(word: &str) -> (&str, &str, &str) {
    const AROUND: [char; 16] =
        ['(', ')', '[', ']', '{', '}', '"', '\'', '*', '_', ',', ';', ':', '.', '!', '?'];
    let start = word.len() - word.trim_start_matches(AROUND).len();
    let core = word[start..].trim_end_matches(AROUND);
    (&word[..start], core, &word[start + core.len()..])
}

fn no_tag(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        let next = text[at + character.len_utf8()..].chars().next();
        match character {
            '<' if next.is_none_or(|it| it.is_ascii_alphabetic() || "/!?".contains(it)) => {
                out.push_str("&lt;")
            }
            other => out.push(other),
        }
    }
    out
}
