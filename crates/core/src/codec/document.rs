//! The positions of frontmatter entries and sections, so that a change replaces only their bytes.

use std::ops::Range;

use crate::codec_error::{Cause, CodecError};
use crate::policy::MEMORY_BYTES_MAX;

/// One `key: value` of the frontmatter with all its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub key: String,
    pub range: Range<usize>,
}

/// One level-2 heading with the text below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub heading: String,
    /// The heading line and everything up to the next section.
    pub range: Range<usize>,
    pub text: Range<usize>,
}

#[derive(Debug, Clone)]
pub struct Document<'a> {
    pub source: &'a str,
    pub newline: &'static str,
    /// The YAML between the fences; `None` without frontmatter.
    pub frontmatter: Option<Range<usize>>,
    pub body: Range<usize>,
    pub entries: Vec<Entry>,
    pub sections: Vec<Section>,
}

impl<'a> Document<'a> {
    pub fn parse(source: &'a str) -> Result<Self, CodecError> {
        if source.len() as u64 > MEMORY_BYTES_MAX {
            let message = format!("{} bytes, at most {MEMORY_BYTES_MAX} fit", source.len());
            return Err(CodecError::new(Cause::Size, 1, message));
        }
        refuse_merge_conflict(source)?;
        let newline = if source.contains("\r\n") { "\r\n" } else { "\n" };
        let (frontmatter, body) = split_frontmatter(source)?;
        let entries = frontmatter.clone().map_or_else(Vec::new, |range| entries_in(source, range));
        let sections = sections_in(source, body.clone());
        Ok(Self { source, newline, frontmatter, body, entries, sections })
    }

    pub fn frontmatter_text(&self) -> &'a str {
        self.frontmatter.clone().map_or("", |range| &self.source[range])
    }

    /// What stands before the first section.
    pub fn preamble(&self) -> Range<usize> {
        self.body.start..self.sections.first().map_or(self.body.end, |first| first.range.start)
    }

    /// The first level-1 heading before the sections.
    pub fn title(&self) -> Option<&'a str> {
        self.source[self.preamble()].lines().find_map(|line| line.strip_prefix("# "))
    }

    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    pub fn text_of(&self, section: &Section) -> &'a str {
        &self.source[section.text.clone()]
    }
}

/// Lines with their positions; each range includes the line break.
pub fn lines(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut end = within.start;
    text[within].split_inclusive('\n').map(move |line| {
        let start = end;
        end += line.len();
        start..end
    })
}

pub fn line_number(source: &str, at: usize) -> usize {
    source[..at].matches('\n').count() + 1
}

fn refuse_merge_conflict(source: &str) -> Result<(), CodecError> {
    if !source.contains("<<<<<<< ") {
        return Ok(());
    }
    let line_of = |marker: &str| source.lines().position(|line| line.starts_with(marker));
    let Some((begin, _)) = line_of("<<<<<<< ").zip(line_of(">>>>>>> ")) else { return Ok(()) };
    let message = "a merge conflict was left in the file";
    Err(CodecError::new(Cause::MergeConflict, begin + 1, message))
}

fn split_frontmatter(source: &str) -> Result<(Option<Range<usize>>, Range<usize>), CodecError> {
    let start = if source.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let whole = start..source.len();
    let mut all = lines(source, whole.clone());
    let Some(first) = all.next().filter(|line| source[line.clone()].trim_end() == "---") else {
        return Ok((None, whole));
    };
    if let Some(last) = all.find(|line| matches!(source[line.clone()].trim_end(), "---" | "...")) {
        return Ok((Some(first.end..last.start), last.end..source.len()));
    }
    // A lone `---` is a Markdown rule, unless keys follow it.
    if source[first.end..].lines().next().and_then(key_of).is_some() {
        let message = "the frontmatter has no closing `---`";
        return Err(CodecError::new(Cause::Frontmatter, 1, message));
    }
    Ok((None, whole))
}

fn entries_in(source: &str, within: Range<usize>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in lines(source, within) {
        let text = &source[line.clone()];
        if let Some(key) = key_of(text) {
            entries.push(Entry { key, range: line });
        } else if is_continuation(text)
            && let Some(last) = entries.last_mut()
        {
            last.range.end = line.end;
        }
    }
    entries
}

/// Lines below a key belong to it when they are indented or items of a list; a blank line or a
/// comment at the margin does not, unless more of the entry follows it.
fn is_continuation(line: &str) -> bool {
    line.starts_with([' ', '\t']) && !line.trim().is_empty()
        || line.starts_with("- ")
        || line.trim_end() == "-"
}

fn key_of(line: &str) -> Option<String> {
    let first = line.chars().next()?;
    if first.is_whitespace() || matches!(first, '#' | '-' | '?' | '{' | '[' | '%') {
        return None;
    }
    let ends_key = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']);
    let (at, _) = line.match_indices(':').find(|(at, _)| ends_key(&line[at + 1..]))?;
    let key = line[..at].trim_end();
    let within = |quote: char| key.strip_prefix(quote)?.strip_suffix(quote);
    let unquoted = within('"').or_else(|| within('\''));
    Some(unquoted.unwrap_or(key).to_owned())
}

fn sections_in(source: &str, body: Range<usize>) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut outside = super::sections::Outside::default();
    for line in lines(source, body.clone()) {
        let text = &source[line.clone()];
        let is_text = outside.passes(text);
        if is_text && let Some(heading) = super::sections::heading(text) {
            if let Some(last) = sections.last_mut() {
                last.range.end = line.start;
                last.text.end = line.start;
            }
            let text = line.end..body.end;
            sections.push(Section { heading, range: line.start..body.end, text });
        }
    }
    sections
}
