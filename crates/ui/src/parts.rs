//! Small pieces that many pages show: the mark of a state, a bar of trust, a time, a link to a
//! memory.

use maud::{Markup, html};
pub use oldhand_charts::number;

use crate::house::{Moment, Named};

/// A state as a shape and a word, never as a colour alone.
pub fn state(name: &str) -> Markup {
    let word = name.replace('_', " ");
    html! { span.state { (mark(name)) span { (word) } } }
}

/// The shape alone, for rows that say the word elsewhere.
pub fn mark(name: &str) -> Markup {
    html! {
        svg class={"mark s-" (name)} viewBox="0 0 14 14" width="14" height="14"
            aria-hidden="true" {
            @match name {
                "candidate" => circle.line cx="7" cy="7" r="4.5" {},
                "provisional" => {
                    circle.line cx="7" cy="7" r="4.5" {}
                    path.fill d="M7 2.5a4.5 4.5 0 0 0 0 9z" {}
                },
                "stable" => circle.fill cx="7" cy="7" r="5" {},
                "canonical" => {
                    circle.fill cx="7" cy="7" r="3.2" {}
                    circle.line cx="7" cy="7" r="5.6" {}
                },
                "under_review" => path.line d="M7 2.2 12 11.2H2z" {},
                "decayed" => circle.line.dashed cx="7" cy="7" r="4.7" {},
                "superseded" => path.line d="M2 7h9M7.5 3.5 11 7l-3.5 3.5" {},
                "rejected" => path.line d="M3.5 3.5l7 7M10.5 3.5l-7 7" {},
                "retired" => path.line d="M2.5 7h9" {},
                "archived" => path.line d="M2.5 5.5h9v6h-9zM2 2.5h10v3H2z" {},
                "conflict" => path.line d="M2 4.5h7L6.5 2M12 9.5H5L7.5 12" {},
                _ => path.line d="M7 3v5M7 10.4v.6" {},
            }
        }
    }
}

/// Trust from 0 to 1, with the number for whoever can't see the bar.
pub fn trust(value: f64) -> Markup {
    let level = if value < 0.3 {
        "low"
    } else if value < 0.5 {
        "mid"
    } else {
        "high"
    };
    let width = (value.clamp(0.0, 1.0) * 40.0).round();
    html! {
        span.trust title={"trust " (format!("{value:.2}"))} {
            svg class={"bar t-" (level)} viewBox="0 0 40 6" width="40" height="6" aria-hidden="true" {
                rect.track width="40" height="6" rx="3" {}
                rect.full width=(width) height="6" rx="3" {}
            }
            span.number { (format!("{value:.2}")) }
        }
    }
}

pub fn moment(at: &Moment) -> Markup {
    html! { time datetime=(at.iso) title=(at.iso) { (at.ago) } }
}

pub fn moment_or_dash(at: Option<&Moment>) -> Markup {
    html! { @if let Some(at) = at { (moment(at)) } @else { span.muted { "–" } } }
}

pub fn memory_path(id: &str) -> String {
    format!("/m/{}", encoded(id))
}

pub fn code_path(path: &str) -> String {
    if path.is_empty() { "/code".to_owned() } else { format!("/code?path={}", encoded(path)) }
}

pub fn memory_link(memory: &Named) -> Markup {
    let words = if memory.title.is_empty() { &memory.id } else { &memory.title };
    html! { a href=(memory_path(&memory.id)) { (words) } }
}

/// With commas between them.
pub fn memory_links<'m>(memories: impl IntoIterator<Item = &'m Named>) -> Markup {
    html! {
        @for (at, one) in memories.into_iter().enumerate() { @if at > 0 { ", " } (memory_link(one)) }
    }
}

/// A sentence of the engine: what stands between backticks is code.
pub fn prose(text: &str) -> Markup {
    let marks = text.matches('`').count();
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 && marks > at { code { (part) } } @else { (part) }
        }
    }
}

/// A command that can be typed.
pub fn command(text: &str) -> Markup {
    html! { code.command { (text) } }
}

/// What would be here, and what fills it.
pub fn empty(what: &str, how: Markup) -> Markup {
    html! { div.empty { p.lede { (what) } p.muted { (how) } } }
}

/// What came of the last deed, with the way back.
pub fn outcome(said: Option<&str>) -> Markup {
    outcome_at(said, &undo_path("/", ""))
}

/// Back to that page once it is undone. `write` is the only one to undo; empty for the last.
pub fn undo_path(back: &str, write: &str) -> String {
    let of = if write.is_empty() { String::new() } else { format!("&of={}", encoded(write)) };
    format!("/undo?back={}{of}", encoded(back))
}

pub fn outcome_at(said: Option<&str>, undo: &str) -> Markup {
    html! {
        @if let Some(said) = said.filter(|it| !it.is_empty()) {
            div.said role="status" {
                span { (said) }
                a href=(undo) data-key="u" { "Undo " kbd { "u" } }
            }
        }
    }
}

/// Files that are named, of any number that can't be read.
const UNREAD_SHOWN: usize = 10;

pub fn unread(files: &[String]) -> Markup {
    html! {
        @for file in files.iter().take(UNREAD_SHOWN) { p.note { "can't be read: " (file) } }
        @if files.len() > UNREAD_SHOWN {
            p.note { (number((files.len() - UNREAD_SHOWN) as u64)) " more files can't be read; "
                (command("oldhand doctor")) " names them." }
        }
    }
}

/// For a part of an address.
pub fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// A path of ours to go to; anything else leads to the first page.
pub(crate) fn inside(path: &str) -> &str {
    let is_ours = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && path.bytes().all(|byte| byte.is_ascii_graphic());
    if is_ours { path } else { "/" }
}

/// `1 memory`, `1,204 memories`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(count as u64), if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::{encoded, number};

    #[test]
    fn numbers_and_addresses() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1_204), "1,204");
        assert_eq!(number(100_000), "100,000");
        assert_eq!(encoded("a/b c\"ä"), "a%2Fb%20c%22%C3%A4");
    }
}
