//! Logs of decisions: pages where each entry is one. Where entries begin is found here, what their labelled
//! fields become is in `fill`.

mod fill;
mod label;

use jiff::Timestamp;
use oldhand_text::sentence;
use oldhand_text::strings::{normalise_body, normalise_line, slug};
use oldhand_text::time::format_day;

pub use self::fill::{alternatives, fill};
pub(crate) use self::fill::{list, set_status};
use self::label::Form;
pub use self::label::{Label, known};
use crate::World;
use crate::names::Names;
use crate::page::{Page, Read};
use crate::text::{self, marked_lines};

/// A log by its parts, in the order of the page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Log {
    /// What stands above the first part.
    pub above: String,
    pub entries: Vec<Entry>,
    /// Sections that are no entries.
    pub others: Vec<Other>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entry {
    /// Its id, `<day>:<slug>` if its heading has a date, else the slug of its title. Unique in the log.
    pub key: String,
    pub title: String,
    /// `DEC-12`, or that of a comment `@id`.
    pub id: Option<String>,
    /// Of its heading, else that of the last dated line above.
    pub date: Option<Timestamp>,
    /// The text before the first label.
    pub free: String,
    /// Labels as written, with their texts.
    pub fields: Vec<(String, String)>,
    pub raw: String,
    /// From 1.
    pub line: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Other {
    pub slug: String,
    pub raw: String,
    pub why: &'static str,
}

impl Entry {
    /// The text of the first field of this meaning.
    pub fn field(&self, label: Label) -> Option<&str> {
        self.fields
            .iter()
            .find(|(name, _)| known(name) == Some(label))
            .map(|(_, text)| text.as_str())
    }
}

/// Where a part of a log begins, and what its heading says.
#[derive(Debug, Default)]
struct Part<'t> {
    level: usize,
    heading: &'t str,
    head: Option<Head<'t>>,
    lines: Vec<(&'t str, bool)>,
    line: usize,
    above: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Head<'t> {
    title: &'t str,
    date: Option<Timestamp>,
    id: Option<&'t str>,
    /// `## Decision` without a title, whose fields are headings of its own level.
    is_template: bool,
    /// Its bullets are labels without emphasis.
    is_line: bool,
}

pub fn read(text: &str) -> Log {
    let parts = parts_of(text);
    let mut log = Log::default();
    let (mut keys, mut slugs) = (Names::default(), Names::default());
    for (at, part) in parts.iter().enumerate() {
        let raw = part.lines.iter().map(|(line, _)| *line).collect::<Vec<_>>().join("\n");
        if at == 0 {
            log.above = normalise_body(&raw);
            continue;
        }
        match part.entry() {
            Some(mut entry) => {
                entry.raw = format!("{}\n{}", part.heading, raw.trim_end());
                entry.key = keys.key(&entry.key);
                log.entries.push(entry);
            }
            None => {
                let why = text::says_nothing(&raw);
                let why = why.unwrap_or("no entry: neither a date nor a labelled field");
                log.others.push(Other { slug: slugs.slug(part.heading), raw, why });
            }
        }
    }
    log
}

/// A page that is a log, as records of decisions.
pub fn read_page(page: &Page<'_>, world: &World<'_>) -> Read {
    let mut read = Read::default();
    let log = self::read(page.text);
    let (title, above) = text::titled(&log.above);
    let title = title.map(text::heading_title).filter(|it| !is_name_of(page.path, it));
    if text::says_nothing(&above).is_none() {
        let said = normalise_line(&above);
        read.skip(format!("{}#", page.path), format!("about the log: {said}"));
    }
    for entry in &log.entries {
        let mut record =
            page.record(&format!("{}#{}", page.path, entry.key), entry.line, &entry.raw);
        fill(&mut record, entry, world);
        record.set_rest("page", title.clone().into());
        read.records.push(record);
    }
    for other in &log.others {
        read.skip(format!("{}#{}", page.path, other.slug), other.why);
    }
    read
}

/// A title that is only the name of the file: `Decision Log` of `decisionLog.md`.
pub(crate) fn is_name_of(path: &str, title: &str) -> bool {
    let bare = |text: &str| text.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
    bare(name) == bare(title)
}

fn parts_of(text: &str) -> Vec<Part<'_>> {
    let lines: Vec<(&str, bool)> = marked_lines(text).collect();
    let has_rationale = lines.iter().any(|(line, is_plain)| {
        *is_plain
            && text::heading(line)
                .is_some_and(|it| it.0 == 2 && known(it.1) == Some(Label::Rationale))
    });
    let mut parts = vec![Part::default()];
    let mut dated = None;
    for (at, &(line, is_plain)) in lines.iter().enumerate() {
        let heading = if is_plain { text::heading(line) } else { None };
        let current = &parts[parts.len() - 1];
        let begun = match heading {
            Some((level, words)) => {
                let head = head_of(level, words, has_rationale);
                let starts = head.is_some() || begins_part(current, level, words, &lines[at + 1..]);
                starts.then_some((level, words, head))
            }
            None if is_plain => line_head(line).map(|head| (0, line, Some(head))),
            None => None,
        };
        match begun {
            Some((level, heading, head)) => {
                let above = dated;
                dated = head.and_then(|it| it.date).or(dated);
                parts.push(Part { level, heading, head, lines: Vec::new(), line: at + 1, above });
            }
            None => {
                dated = if is_plain {
                    text::leading_date(line).map(|it| it.0).or(dated)
                } else {
                    dated
                };
                parts.last_mut().into_iter().for_each(|part| part.lines.push((line, is_plain)));
            }
        }
    }
    parts
}

/// Whether a heading that names no entry by itself begins another part of the log.
fn begins_part(current: &Part<'_>, level: usize, words: &str, below: &[(&str, bool)]) -> bool {
    let is_field = known(words).is_some() || label::is_detail(words);
    let is_template = current.head.is_some_and(|head| head.is_template);
    match level {
        1 => current.level > 0 || current.head.is_some(),
        2 if is_template && is_field => false,
        2 => true,
        // A group of entries that only their fields show.
        3 if !is_field && current.head.is_none() => {
            let own =
                below.iter().take_while(|(line, plain)| !*plain || text::heading(line).is_none());
            let mut own = own.filter(|(_, is_plain)| *is_plain);
            own.any(|(line, _)| label::of(line, false).is_some_and(|it| known(it.name).is_some()))
        }
        level => !is_field && current.head.is_some() && level <= current.level,
    }
}

/// What makes a heading an entry: a date, an id, or the word itself.
fn head_of(level: usize, words: &str, has_rationale: bool) -> Option<Head<'_>> {
    let bare = words.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '[' | '('));
    if (2..=4).contains(&level)
        && let Some((date, title)) = text::leading_date(bare)
    {
        return Some(Head { title, date: Some(date), ..Head::default() });
    }
    if let Some((id, title)) = leading_id(bare).filter(|_| level <= 4) {
        return Some(Head { title, id: Some(id), ..Head::default() });
    }
    let lower = bare.to_ascii_lowercase();
    if let Some(rest) = lower.strip_prefix("decision") {
        let numbered = rest
            .trim_start_matches([' ', '#'])
            .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let title =
            numbered.strip_prefix([':', '-', '–', '—']).map(|it| &bare[bare.len() - it.len()..]);
        if let Some(title) = title.map(str::trim).filter(|it| !it.is_empty() && level <= 4) {
            return Some(Head { title, ..Head::default() });
        }
    }
    let is_template = level == 2 && lower == "decision" && has_rationale;
    is_template.then(|| Head { is_template, ..Head::default() })
}

/// `DEC-14 — Round once`: an id with a digit, and a title.
fn leading_id(words: &str) -> Option<(&str, &str)> {
    let words = words.strip_prefix('[').unwrap_or(words);
    let is_id = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let id = words[..words.find(|c| !is_id(c)).unwrap_or(words.len())].trim_end_matches(['-', '.']);
    let (prefix, number) = id.split_once('-')?;
    let is_prefix = ["DEC", "ADR", "D"].iter().any(|it| it.eq_ignore_ascii_case(prefix));
    let title =
        words[id.len()..].trim_start_matches([' ', ']', ':', '-', '–', '—', '|', '.']).trim();
    let fits =
        is_prefix && number.contains(|c: char| c.is_ascii_digit()) && sentence::has_words(title);
    fits.then_some((id, title))
}

/// `[2026-05-04 08:00:00] - English is the language`.
fn line_head(line: &str) -> Option<Head<'_>> {
    let bare = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line);
    let (date, title) = text::leading_date(bare.strip_prefix("**").unwrap_or(bare))
        .filter(|_| bare.trim_start_matches('*').starts_with('['))?;
    let title = title.trim_matches(['*', ' ']);
    sentence::has_words(title).then(|| Head {
        title,
        date: Some(date),
        is_line: true,
        ..Head::default()
    })
}

impl<'t> Part<'t> {
    fn entry(&self) -> Option<Entry> {
        let head = self.head.unwrap_or_default();
        let (free, fields, commented) = self.fields(head.is_line);
        let has_known = fields.iter().any(|(name, _)| known(name).is_some());
        if self.head.is_none() && !has_known && commented.is_none() {
            return None;
        }
        let mut entry = Entry { line: self.line, free, fields, ..Entry::default() };
        if head.is_template {
            entry.fields.insert(0, ("Decision".to_owned(), std::mem::take(&mut entry.free)));
        }
        let said = entry.field(Label::Decision).unwrap_or(&entry.free);
        let nothing = text::says_nothing(&entry.free).is_some()
            && entry.fields.iter().all(|(_, text)| text::says_nothing(text).is_some());
        let title = match (self.head, head.is_template || head.title.is_empty()) {
            (None, _) => text::heading_title(self.heading),
            (Some(_), true) if nothing => return None,
            (Some(_), true) => oldhand_judge::guess::title(said),
            (Some(head), false) => text::heading_title(head.title),
        };
        let id = head.id.map(str::to_owned).or(commented);
        entry.key = match (&id, head.date) {
            (Some(id), _) => id.clone(),
            (None, Some(date)) => format!("{}:{}", format_day(date), slug(&title)),
            (None, None) => slug(&title),
        };
        entry.date = head.date.or(self.above);
        (entry.title, entry.id) = (title, id);
        Some(entry)
    }

    /// The text before the first label, the labelled texts, and the id of a comment.
    fn fields(&self, is_line: bool) -> (String, Vec<(String, String)>, Option<String>) {
        let mut id = None;
        let mut open: Option<(Form, usize)> = None;
        let mut fields: Vec<(String, Vec<&str>)> = vec![(String::new(), Vec::new())];
        for &(line, is_plain) in &self.lines {
            if let Some(found) = comment_id(line) {
                id = id.or(Some(found.to_owned()));
                continue;
            }
            let found = if is_plain { label::of(line, is_line) } else { None };
            match found.filter(|found| found.begins(open.map(|it| it.0))) {
                Some(found) => {
                    open = Some((found.form, found.width));
                    fields.push((found.name.to_owned(), vec![found.text]));
                }
                None => {
                    let width = open.map_or(0, |it| it.1);
                    let line = crate::topic::dedented(line, width);
                    fields.last_mut().into_iter().for_each(|(_, lines)| lines.push(line));
                }
            }
        }
        let mut texts = fields.into_iter().map(|(name, lines)| (name, without_rules(&lines)));
        let free = texts.next().map(|(_, text)| text).unwrap_or_default();
        (free, texts.collect(), id)
    }
}

/// `<!-- @id: official-sdk -->`
fn comment_id(line: &str) -> Option<&str> {
    let inner = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    let id = inner.trim().strip_prefix("@id:")?.trim();
    (!id.is_empty() && !id.contains(char::is_whitespace)).then_some(id)
}

/// The lines as text; a rule or a lone mark at the end only parts entries.
fn without_rules(lines: &[&str]) -> String {
    let is_rule = |line: &&&str| {
        !sentence::has_words(line) && line.trim().chars().all(|c| matches!(c, '-' | '*' | '_'))
    };
    let kept = lines.len() - lines.iter().rev().take_while(is_rule).count();
    normalise_body(&lines[..kept].join("\n"))
}
