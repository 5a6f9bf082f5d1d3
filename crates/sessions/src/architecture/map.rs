//! The text of a module map: which of its lines speak of one module, and how a line is changed
//! without touching any other.

use std::ops::Range;

use super::drift::Drift;
use super::tree::Tree;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub path: String,
    /// Where the path stands in its line, with its backticks.
    span: Range<usize>,
    /// What stands before it: nothing, or the mark of a list.
    marker: String,
}

#[derive(Debug, Clone)]
pub(super) struct Line {
    pub text: String,
    pub entry: Option<Entry>,
    is_code: bool,
}

impl Line {
    pub(super) fn path(&self) -> Option<&str> {
        self.entry.as_ref().map(|entry| entry.path.as_str())
    }
}

/// The lines of a map. What is no clear statement about one path is prose, and prose is never taken
/// out: a line that stays too long costs less than a lost sentence.
pub(super) fn lines(map: &str, tree: &Tree) -> Vec<Line> {
    let is_fence = |text: &str| {
        let text = text.trim_start();
        text.starts_with("```") || text.starts_with("~~~")
    };
    // A fence that nobody closed encloses nothing.
    let mut fences = map.split('\n').filter(|text| is_fence(text)).count() / 2 * 2;
    let mut is_code = false;
    let line = |text: &str| {
        let is_edge = fences > 0 && is_fence(text);
        fences -= usize::from(is_edge);
        let is_prose = is_code || is_edge;
        is_code ^= is_edge;
        let entry = if is_prose { None } else { entry(text, tree) };
        Line { text: text.to_owned(), entry, is_code: is_prose }
    };
    if map.is_empty() { Vec::new() } else { map.split('\n').map(line).collect() }
}

fn entry(text: &str, tree: &Tree) -> Option<Entry> {
    let item = text.trim_start();
    let rest = ["- ", "* ", "+ "].iter().find_map(|marker| item.strip_prefix(marker));
    let rest = rest.unwrap_or(item).trim_start();
    let start = text.len() - rest.len();
    let (path, length) = match rest.strip_prefix('`') {
        Some(inner) => ticked(inner, text, tree)?,
        None => bare(rest, tree)?,
    };
    // Two paths in one head: the line is about more than one of them.
    let head = rest[length..].split(": ").next().unwrap_or_default();
    if head.contains('`') {
        return None;
    }
    let marker = text[..start].to_owned();
    Some(Entry { path, span: start..start + length, marker })
}

fn ticked(inner: &str, text: &str, tree: &Tree) -> Option<(String, usize)> {
    let end = inner.find('`')?;
    let inside = unquoted(&inner[..end])?;
    // A word, or words, may be the name of anything: only the tree, or the form that we write, decides.
    let known = inside.strip_prefix("./").unwrap_or(&inside).trim_end_matches('/');
    if !known.is_empty() && (is_listed(tree, known) || is_ours(text)) {
        return Some((known.to_owned(), end + 2));
    }
    let path = cleaned(&inside)?;
    let is_path = path.contains('/') && !path.contains(char::is_whitespace);
    is_path.then_some((path, end + 2))
}

fn bare(rest: &str, tree: &Tree) -> Option<(String, usize)> {
    let end = rest.find(':').unwrap_or_else(|| rest.trim_end().len());
    let word = rest[..end].trim_end();
    if word.contains(|c: char| c.is_whitespace() || c == '`') {
        return None;
    }
    let path = cleaned(word)?;
    (path.contains('/') || is_listed(tree, &path)).then_some((path, word.len()))
}

/// `./src/pay/` is `src/pay`; what leads elsewhere, or is a pattern or an address, is no path.
fn cleaned(path: &str) -> Option<String> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let path = path.trim_end_matches('/');
    let is_path = !path.is_empty()
        && !path.starts_with(['/', '~', '#', '@', '|'])
        && !path.contains(['*', '<', '>', '?', '|'])
        && !path.contains("//")
        && !path.split('/').any(|part| part == ".." || part.is_empty());
    is_path.then(|| path.to_owned())
}

fn is_listed(tree: &Tree, path: &str) -> bool {
    path == "." || tree.has_file(path) || tree.below(path).next().is_some()
}

/// The end of a line as `line` writes it.
fn is_ours(text: &str) -> bool {
    let mut words = text.trim_end().rsplitn(3, ' ');
    let is_files = matches!(words.next(), Some("file" | "files"));
    let is_count = words.next().is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()));
    is_files && is_count && words.next().is_some_and(|rest| rest.ends_with([';', ':']))
}

/// The line of a module, without the mark of a list.
pub fn line(path: &str, about: Option<&str>, files: usize) -> String {
    let files = oldhand_text::strings::counted(files, "file", "files");
    match about {
        Some(about) => format!("`{}`: {about}; {files}", quoted(path)),
        None => format!("`{}`: {files}", quoted(path)),
    }
}

/// Whether a text outside of its descriptions names a path: as a whole, or something below it.
pub(super) fn names(line: &Line, path: &str) -> bool {
    let text = match &line.entry {
        // What a line says about one module maps no other.
        Some(entry) => {
            let end = entry.span.end;
            let head = line.text[end..].split(": ").next().unwrap_or_default();
            &line.text[end..end + head.len()]
        }
        None => line.text.as_str(),
    };
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].strip_suffix("./").unwrap_or(&text[..at]);
        let mut after = text[at + path.len()..].chars();
        let goes_on = match after.next() {
            // The end of a sentence is no part of a name.
            Some('.') => after.next().is_some_and(|c| c.is_alphanumeric()),
            Some('/') | None => false,
            Some(next) => is_part(next),
        };
        !before.ends_with(is_part) && !goes_on
    })
}

/// The map as the tree is: lines of new modules beside their neighbours, paths of moved ones
/// changed, lines of removed ones gone. Every other byte stays.
pub fn merge(map: &str, drift: &Drift, tree: &Tree, line_of: &dyn Fn(&str) -> String) -> String {
    if drift.is_empty() {
        return map.to_owned();
    }
    let mut lines = lines(map, tree);
    lines.retain(|line| !line.path().is_some_and(|path| drift.removed.iter().any(|it| it == path)));
    for line in &mut lines {
        if let Some(to) = line.path().and_then(|path| drift.target(path)) {
            repoint(line, to);
        }
    }
    let marker = lines.iter().find_map(|line| Some(line.entry.as_ref()?.marker.clone()));
    let marker = marker.unwrap_or_else(|| "- ".to_owned());
    for path in &drift.new {
        let text = format!("{marker}{}", line_of(path));
        let at = place_for(path, &mut lines);
        let entry = Entry { path: path.clone(), span: 0..0, marker: marker.clone() };
        lines.insert(at, Line { text, entry: Some(entry), is_code: false });
    }
    lines.into_iter().map(|line| line.text).collect::<Vec<_>>().join("\n")
}

fn repoint(line: &mut Line, to: &str) {
    let Some(entry) = &mut line.entry else { return };
    let is_ticked = line.text[entry.span.clone()].starts_with('`');
    let is_plain = quoted(to) == to && !to.contains(|c: char| c.is_whitespace() || c == ':');
    let new = if is_plain && !is_ticked { to.to_owned() } else { format!("`{}`", quoted(to)) };
    line.text.replace_range(entry.span.clone(), &new);
    entry.span.end = entry.span.start + new.len();
    entry.path = to.to_owned();
}

/// After the nearest path before it, with what is indented below that; else before all of them, or
/// at the end of a map that has none.
fn place_for(path: &str, lines: &mut Vec<Line>) -> usize {
    let known = lines.iter().enumerate().filter_map(|(at, line)| Some((line.path()?, at)));
    if let Some((_, at)) = known.filter(|(known, _)| *known <= path).max() {
        let is_below = |line: &Line| {
            line.is_code
                || line.entry.is_none()
                    && line.text.starts_with([' ', '\t'])
                    && !line.text.trim().is_empty()
        };
        return lines[at + 1..]
            .iter()
            .position(|line| !is_below(line))
            .map_or(lines.len(), |more| at + 1 + more);
    }
    if let Some(first) = lines.iter().position(|line| line.entry.is_some()) {
        return first;
    }
    if lines.last().is_some_and(|last| !last.text.trim().is_empty()) {
        lines.push(Line { text: String::new(), entry: None, is_code: false });
    }
    lines.len()
}

/// A path as it stands between backticks: as it is, or in quotes where it would break the line.
pub fn quoted(path: &str) -> String {
    let is_odd = |c: char| c.is_control() || matches!(c, '`' | '\u{2028}' | '\u{2029}');
    if !path.contains(is_odd) && !path.starts_with('"') && path.trim() == path {
        return path.to_owned();
    }
    format!("{path:?}").replace('`', "\\u{60}")
}

fn unquoted(text: &str) -> Option<String> {
    let Some(inner) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else {
        return Some(text.to_owned());
    };
    let mut out = String::new();
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        match (c, if c == '\\' { rest.next()? } else { ' ' }) {
            ('\\', 'n') => out.push('\n'),
            ('\\', 't') => out.push('\t'),
            ('\\', 'r') => out.push('\r'),
            ('\\', '0') => out.push('\0'),
            ('\\', 'u') => {
                let code: String = rest.by_ref().take_while(|c| *c != '}').collect();
                let code = u32::from_str_radix(code.strip_prefix('{')?, 16).ok()?;
                out.push(char::from_u32(code)?);
            }
            ('\\', other) => out.push(other),
            _ => out.push(c),
        }
    }
    Some(out)
}
