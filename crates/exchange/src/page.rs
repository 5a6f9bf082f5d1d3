//! Pages of instructions: what other tools manage in them is taken out, the rest is one record a section.

use std::collections::BTreeSet;

use jiff::Timestamp;
use oldhand_core::codec::sections::Outside;
use oldhand_core::kind::Kind;
use oldhand_core::scope::Scope;
use oldhand_judge::guess;
use oldhand_text::strings::{normalise_body, numbered_slug, slug};
use serde_json::json;

use crate::World;
use crate::record::{Foreign, Passed};
use crate::text::{self, marked_lines};
use crate::topic::{self, Topic};

/// A section above this is split at its level-3 headings.
const SECTION_CHARS_MAX: usize = 8_000;
/// What stands above the first section is a record when it has this much prose.
const OVERVIEW_CHARS_MIN: usize = 40;
/// How many begin marks without an end are looked for before they all count as text.
const UNCLOSED_MAX: usize = 50;

/// One page as it lies in its source.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// The page's name in keys and messages.
    pub path: &'a str,
    pub text: &'a str,
    pub scope: Scope,
    /// When the file was made.
    pub dated: Option<Timestamp>,
}

/// Records, and what was left out of them.
#[derive(Debug, Default)]
pub struct Read {
    pub records: Vec<Foreign>,
    pub skipped: Vec<Passed>,
}

impl Read {
    pub fn skip(&mut self, source: impl Into<String>, reason: impl Into<String>) {
        self.skipped.push(Passed { source: source.into(), reason: reason.into() });
    }

    pub fn extend(&mut self, more: Self) {
        self.records.extend(more.records);
        self.skipped.extend(more.skipped);
    }
}

/// One heading and the text below it, up to the next heading of its level.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Section {
    pub heading: String,
    /// Its name in keys, unique within the page.
    pub slug: String,
    pub text: String,
    /// The line of its heading, from 1.
    pub line: usize,
    /// The later level-1 heading that it is below of, if there is one.
    pub part: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// The level-1 heading above everything else.
    pub title: Option<String>,
    pub above: String,
    pub sections: Vec<Section>,
}

/// The page by its level-2 headings; by those of level 1 when there are several and no level 2.
pub fn outline(text: &str) -> Outline {
    let levels = |wanted: usize| {
        let fits = |(line, is_plain): &(&str, bool)| {
            *is_plain && text::heading(line).is_some_and(|(level, _)| level == wanted)
        };
        marked_lines(text).filter(fits).count()
    };
    let is_flat = levels(2) == 0 && levels(1) > 1;
    let mut outline = Outline::default();
    let mut slugs = BTreeSet::new();
    let mut part: Option<String> = None;
    let mut above: Vec<&str> = Vec::new();
    let mut begun: Option<(Section, Vec<&str>)> = None;
    let mut finish = |begun: Option<(Section, Vec<&str>)>, sections: &mut Vec<Section>| {
        if let Some((section, lines)) = begun {
            let text = normalise_body(&lines.join("\n"));
            sections.push(Section { slug: unique(&mut slugs, &section.heading), text, ..section });
        }
    };
    for (at, (line, is_plain)) in marked_lines(text).enumerate() {
        let heading = if is_plain { text::heading(line) } else { None };
        match heading {
            Some((1, words)) if !is_flat && outline.title.is_none() && begun.is_none() => {
                outline.title = Some(words.to_owned());
            }
            Some((level @ 1..=2, words)) => {
                finish(begun.take(), &mut outline.sections);
                let part_of = part.clone().filter(|_| level == 2);
                if level == 1 && !is_flat {
                    part = Some(words.to_owned());
                }
                let section = Section {
                    heading: words.to_owned(),
                    line: at + 1,
                    part: part_of,
                    ..Section::default()
                };
                begun = Some((section, Vec::new()));
            }
            _ => match &mut begun {
                Some((_, lines)) => lines.push(line),
                None => above.push(line),
            },
        }
    }
    finish(begun, &mut outline.sections);
    // A later level-1 heading right above a section is only that section's part.
    outline.sections.retain(|section| {
        !section.text.is_empty() || is_flat || part_names(text, &section.heading) == 0
    });
    outline.above = normalise_body(&above.join("\n"));
    outline
}

/// How many level-1 headings have this text.
fn part_names(text: &str, heading: &str) -> usize {
    marked_lines(text)
        .filter(|(line, is_plain)| *is_plain && text::heading(line) == Some((1, heading)))
        .count()
}

/// A slug that no other section of the page has.
pub fn unique(slugs: &mut BTreeSet<String>, heading: &str) -> String {
    let base = slug(&text::heading_title(heading));
    let mut names =
        std::iter::once(base.clone()).chain((2..).map(|number| numbered_slug(&base, number)));
    let free = names.find(|name| !slugs.contains(name)).unwrap_or(base);
    slugs.insert(free.clone());
    free
}

/// Everything that a page of instructions says.
pub fn read(page: &Page<'_>, world: &World<'_>) -> Read {
    let mut read = Read::default();
    if page.text.trim_start().starts_with("<!-- oldhand:view") {
        read.skip(page.path, "a view that oldhand wrote");
        return read;
    }
    let (body, managed) = without_managed(page.text);
    for (name, slug) in managed {
        read.skip(format!("{}#{slug}", page.path), format!("managed by {name}"));
    }
    let outline = outline(&body);
    if outline.sections.is_empty() {
        read_whole(page, &body, world, &mut read);
        return read;
    }
    let title = outline.title.as_deref().map(text::heading_title);
    let title = title.unwrap_or_else(|| page.path.to_owned());
    read_above(page, &title, &outline.above, world, &mut read);
    for section in &outline.sections {
        read_section(page, &title, section, world, &mut read);
    }
    read
}

fn read_above(page: &Page<'_>, title: &str, above: &str, world: &World<'_>, read: &mut Read) {
    let key = format!("{}#", page.path);
    if text::prose_chars(above) >= OVERVIEW_CHARS_MIN {
        let mut record = page.record(&key, 1, above);
        record.set_title(&format!("{title}: overview"));
        topic::fill(&mut record, Topic::Reference, title, above, world.kinds);
        read.records.push(record);
    } else if !text::without_comments(above).trim().is_empty() {
        let said = oldhand_text::strings::normalise_line(above);
        read.skip(key, format!("too short to stand alone: {said}"));
    }
}

fn read_section(
    page: &Page<'_>,
    title: &str,
    section: &Section,
    world: &World<'_>,
    read: &mut Read,
) {
    let key = format!("{}#{}", page.path, section.slug);
    if let Some(why) = text::says_nothing(&section.text) {
        return read.skip(key, why);
    }
    let page_title = section.part.as_deref().map_or_else(|| title.to_owned(), text::heading_title);
    let subject = topic::of_heading(&section.heading).unwrap_or(Topic::Reference);
    if section.heading.eq_ignore_ascii_case("gemini added memories") {
        return read_items(page, section, Kind::Preference, world, read);
    }
    if subject == Topic::Decisions {
        return read_decisions(page, &page_title, section, world, read);
    }
    if section.text.chars().count() > SECTION_CHARS_MAX {
        return read_long(page, &page_title, section, world, read);
    }
    let mut record =
        page.record(&key, section.line, &format!("{}\n{}", section.heading, section.text));
    record.set_title(&text::section_title(&page_title, &section.heading));
    topic::fill(&mut record, subject, &section.heading, &section.text, world.kinds);
    name_page(&mut record, page, &page_title);
    read.records.push(record);
}

/// The page's title, where neither the record's own title nor its key says it.
fn name_page(record: &mut Foreign, page: &Page<'_>, title: &str) {
    let is_said = record.draft.title().is_some_and(|own| own.starts_with(title));
    if !is_said && !page.path.ends_with(title) {
        record.set_rest("page", json!(title));
    }
}

/// A section that is too long for one record: by its level-3 headings, where it has any.
fn read_long(page: &Page<'_>, title: &str, section: &Section, world: &World<'_>, read: &mut Read) {
    let mut pieces: Vec<(Option<&str>, usize, Vec<&str>)> = vec![(None, section.line, Vec::new())];
    for (at, (line, is_plain)) in marked_lines(&section.text).enumerate() {
        match text::heading(line) {
            Some((3, words)) if is_plain => {
                pieces.push((Some(words), section.line + at + 1, Vec::new()))
            }
            _ => pieces.last_mut().into_iter().for_each(|piece| piece.2.push(line)),
        }
    }
    let mut slugs = BTreeSet::new();
    let above = text::section_title(title, &section.heading);
    for (heading, line, lines) in pieces {
        let body = normalise_body(&lines.join("\n"));
        let key = match heading {
            Some(heading) => {
                format!("{}#{}/{}", page.path, section.slug, unique(&mut slugs, heading))
            }
            None => format!("{}#{}", page.path, section.slug),
        };
        if let Some(why) = text::says_nothing(&body) {
            if heading.is_some() {
                read.skip(key, why);
            }
            continue;
        }
        let own = heading.unwrap_or(&section.heading);
        let subject = topic::of_heading(own).or_else(|| topic::of_heading(&section.heading));
        let subject = subject.filter(|it| *it != Topic::Decisions).unwrap_or(Topic::Reference);
        let mut record = page.record(&key, line, &format!("{own}\n{body}"));
        record.set_title(
            &heading.map_or_else(|| above.clone(), |it| text::section_title(&above, it)),
        );
        topic::fill(&mut record, subject, own, &body, world.kinds);
        name_page(&mut record, page, title);
        if heading.is_some() && !record.draft.title().is_some_and(|it| it.starts_with(&above)) {
            record.set_rest("section", json!(section.heading));
        }
        read.records.push(record);
    }
}

/// Entries of a log, or else items, below a heading about decisions.
fn read_decisions(
    page: &Page<'_>,
    title: &str,
    section: &Section,
    world: &World<'_>,
    read: &mut Read,
) {
    let log = crate::log::read(&section.text);
    if log.entries.is_empty() {
        return read_items_of(page, title, section, Kind::Decision, world, read);
    }
    let place = format!("{}#{}", page.path, section.slug);
    for entry in &log.entries {
        let mut record =
            page.record(&format!("{place}/{}", entry.key), section.line + entry.line, &entry.raw);
        crate::log::fill(&mut record, entry, world);
        read.records.push(record);
    }
    let others: Vec<&str> = std::iter::once(log.above.as_str())
        .chain(log.others.iter().map(|other| other.raw.as_str()))
        .filter(|it| text::says_nothing(it).is_none())
        .collect();
    if !others.is_empty() {
        rest_of_section(page, title, section, &others.join("\n\n"), world, read);
    }
}

fn read_items(page: &Page<'_>, section: &Section, kind: Kind, world: &World<'_>, read: &mut Read) {
    read_items_of(page, page.path, section, kind, world, read);
}

/// Each item of a section as a record of its own; what is no item is a reference.
#[expect(clippy::too_many_arguments, reason = "a page, a section and where its records go")]
pub fn read_items_of(
    page: &Page<'_>,
    title: &str,
    section: &Section,
    kind: Kind,
    world: &World<'_>,
    read: &mut Read,
) {
    let (items, others) = topic::items(&section.text);
    for (at, item) in items.iter().enumerate() {
        let key = format!("{}#{}/{}", page.path, section.slug, at + 1);
        if let Some(why) = text::says_nothing(item) {
            read.skip(key, why);
            continue;
        }
        let (date, body) = match text::leading_date(item) {
            Some((date, body)) if kind == Kind::Decision && !body.is_empty() => (Some(date), body),
            _ => (None, item.as_str()),
        };
        let mut record = page.record(&key, section.line, item);
        record.set_title(&guess::title(body));
        record.set_dates(date, None, world.now);
        topic::fill_kind(&mut record, kind.clone(), body, world.kinds);
        match kind {
            Kind::Constraint => record.set_text("kind", "policy"),
            Kind::Preference => record.set_audience("user"),
            _ => {}
        }
        read.records.push(record);
    }
    if !others.is_empty() && text::says_nothing(&others).is_none() {
        rest_of_section(page, title, section, &others, world, read);
    }
}

fn rest_of_section(
    page: &Page<'_>,
    title: &str,
    section: &Section,
    body: &str,
    world: &World<'_>,
    read: &mut Read,
) {
    let mut record = page.record(&format!("{}#{}", page.path, section.slug), section.line, body);
    record.set_title(&text::section_title(title, &section.heading));
    topic::fill(&mut record, Topic::Reference, &section.heading, body, world.kinds);
    read.records.push(record);
}

/// A page without sections is one record.
fn read_whole(page: &Page<'_>, body: &str, world: &World<'_>, read: &mut Read) {
    let (heading, body) = text::titled(body);
    let lines = body.lines().map(str::trim).filter(|line| !line.is_empty());
    if !body.is_empty() && lines.clone().all(|line| line.starts_with('@') && !line.contains(' ')) {
        let names: Vec<&str> = lines.collect();
        return read.skip(page.path, format!("only imports {}", names.join(", ")));
    }
    if let Some(why) = text::says_nothing(&body) {
        return read.skip(page.path, why);
    }
    let mut record = page.record(page.path, 1, page.text);
    match heading {
        Some(heading) => {
            record.set_title(&text::heading_title(heading));
            let subject = topic::of_heading(heading).filter(|it| *it != Topic::Decisions);
            topic::fill(
                &mut record,
                subject.unwrap_or(Topic::Reference),
                heading,
                &body,
                world.kinds,
            );
        }
        None => {
            record.set_title(&text::guessed_title(&body));
            topic::fill_guessed(&mut record, &body, world.kinds);
        }
    }
    read.records.push(record);
}

impl Page<'_> {
    /// A record of this page.
    pub fn record(&self, key: &str, line: usize, raw: &str) -> Foreign {
        let mut record = Foreign::new(key, format!("{}:{line}", self.path), Kind::Reference, raw);
        record.set_scope(&self.scope);
        record.created_at = self.dated;
        record
    }
}

/// The page without what tools manage in it, and for each such part its owner and a name for keys. Lines
/// keep their numbers.
pub fn without_managed(text: &str) -> (String, Vec<(String, String)>) {
    let lines: Vec<&str> = text.lines().collect();
    let mut kept: Vec<&str> = Vec::with_capacity(lines.len());
    let mut managed = Vec::new();
    let mut slugs = BTreeSet::new();
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
            managed.push((name.clone(), unique(&mut slugs, heading.unwrap_or(name))));
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
