//! Parts of a page that tools write by themselves: nobody's memory.

use oldhand_core::codec::sections::Outside;

use crate::names::Names;
use crate::text;

/// How many begin marks without an end are looked for before they all count as text.
const UNCLOSED_MAX: usize = 50;

/// The page without what tools manage in it, and for each such part its owner and a name for keys. Lines
/// keep their numbers.
pub fn without_managed(text: &str) -> (String, Vec<(String, String)>) {
    let lines: Vec<&str> = text.lines().collect();
    let mut kept: Vec<&str> = Vec::with_capacity(lines.len());
    let mut managed = Vec::new();
    let mut slugs = Names::default();
    let mut outside = Outside::default();
    let mut unclosed = 0;
    let mut at = 0;
    while at < lines.len() {
        let is_outside = outside.clone().passes("x");
        let part = opened(lines[at]).filter(|_| is_outside && unclosed < UNCLOSED_MAX);
        let end = part.as_ref().and_then(|(_, end)| {
            (at..lines.len()).find(|line| lines[*line].contains(end.as_str()))
        });
        if let (Some((name, _)), Some(end)) = (&part, end) {
            let heading =
                lines[at..=end].iter().find_map(|line| text::heading(line)).map(|(_, words)| words);
            managed.push((name.clone(), slugs.slug(heading.unwrap_or(name))));
            kept.extend(std::iter::repeat_n("", end + 1 - at));
            at = end + 1;
            continue;
        }
        unclosed += usize::from(part.is_some());
        outside.passes(lines[at]);
        kept.push(lines[at]);
        at += 1;
    }
    (kept.join("\n"), managed)
}

/// Whose part begins at this line, and what its last line holds.
fn opened(line: &str) -> Option<(String, String)> {
    let line = line.trim_start();
    if line.starts_with("<!-- oldhand:begin") {
        return Some(("oldhand".to_owned(), "<!-- oldhand:end".to_owned()));
    }
    if line.starts_with("<claude-mem-context>") {
        return Some(("claude-mem".to_owned(), "</claude-mem-context>".to_owned()));
    }
    let words = line.strip_prefix("<!-- BEGIN ")?.split_whitespace();
    let is_capital = |word: &&str| {
        word.chars().any(char::is_uppercase)
            && word.chars().all(|c| !c.is_lowercase() && !matches!(c, '>' | '<'))
    };
    let name: Vec<&str> = words.take_while(is_capital).collect();
    (!name.is_empty()).then(|| (name.join(" "), format!("<!-- END {}", name.join(" "))))
}
