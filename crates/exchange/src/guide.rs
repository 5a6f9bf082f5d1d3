//! Pages of instructions: what other tools manage in them is taken out, the rest is one record per section.

use oldhand_core::kind::Kind;
use oldhand_judge::guess;
use oldhand_text::strings::{normalise_body, normalise_line};
use serde_json::json;

use crate::World;
use crate::managed::without_managed;
use crate::names::Names;
use crate::page::{Page, Read, Section, outline};
use crate::record::Foreign;
use crate::text::{self, marked_lines};
use crate::topic::{self, Topic};

/// A section above this is split at its level-3 headings.
const SECTION_CHARS_MAX: usize = 8_000;
/// What stands above the first section is a record when it has this much prose.
const OVERVIEW_CHARS_MIN: usize = 40;

/// Everything that a page of instructions says.
pub fn read(page: &Page<'_>, world: &World<'_>) -> Read {
    let mut reader = Reader { page, world, read: Read::default() };
    if page.text.trim_start().starts_with("<!-- oldhand:view") {
        reader.read.skip(page.path, "a view that oldhand wrote");
        return reader.read;
    }
    let (body, managed) = without_managed(page.text);
    for (name, slug) in managed {
        reader.read.skip(format!("{}#{slug}", page.path), format!("managed by {name}"));
    }
    let outline = outline(&body);
    if outline.sections.is_empty() {
        reader.whole(&body);
        return reader.read;
    }
    let title = outline.title_or(page.path);
    reader.above(&title, &outline.above);
    for section in &outline.sections {
        reader.section(&title, section);
    }
    reader.read
}

/// A page on its way to records.
pub struct Reader<'a> {
    pub page: &'a Page<'a>,
    pub world: &'a World<'a>,
    pub read: Read,
}

impl Reader<'_> {
    fn key(&self, name: &str) -> String {
        format!("{}#{name}", self.page.path)
    }

    /// What stands above the first section.
    pub fn above(&mut self, title: &str, above: &str) {
        let key = self.key("");
        if text::prose_chars(above) >= OVERVIEW_CHARS_MIN {
            let mut record = self.page.record(&key, 1, above);
            record.set_title(&format!("{title}: overview"));
            topic::fill(&mut record, Topic::Reference, title, above, self.world.kinds);
            self.read.records.push(record);
        } else if !text::without_comments(above).trim().is_empty() {
            let said = normalise_line(above);
            self.read.skip(key, format!("too short to stand alone: {said}"));
        }
    }

    /// One section by the table of headings.
    pub fn section(&mut self, title: &str, section: &Section) {
        if let Some(why) = text::says_nothing(&section.text) {
            let key = self.key(&section.slug);
            return self.read.skip(key, why);
        }
        let part = section.part.as_deref().map(text::heading_title);
        let title = part.as_deref().unwrap_or(title);
        let subject = topic::of_heading(&section.heading).unwrap_or(Topic::Reference);
        if section.heading.eq_ignore_ascii_case("gemini added memories") {
            self.items(title, section, &Kind::Preference);
        } else if subject == Topic::Decisions {
            self.decisions(title, section);
        } else if section.text.chars().count() > SECTION_CHARS_MAX {
            self.long(title, section);
        } else {
            self.passage(title, section, subject);
        }
    }

    /// A section that is one record about this.
    pub fn passage(&mut self, title: &str, section: &Section, subject: Topic) {
        let raw = format!("{}\n{}", section.heading, section.text);
        let mut record = self.page.record(&self.key(&section.slug), section.line, &raw);
        record.set_title(&text::section_title(title, &section.heading));
        topic::fill(&mut record, subject, &section.heading, &section.text, self.world.kinds);
        self.name_page(&mut record, title);
        self.read.records.push(record);
    }

    /// The page's title, where neither the record's own title nor its key says it.
    fn name_page(&self, record: &mut Foreign, title: &str) {
        let is_said = record.draft.title().is_some_and(|own| own.starts_with(title));
        if !is_said && !self.page.path.ends_with(title) {
            record.set_rest("page", json!(title));
        }
    }

    /// A section that is too long for one record: by its level-3 headings, where it has any.
    fn long(&mut self, title: &str, section: &Section) {
        let mut pieces = vec![(None, section.line, Vec::new())];
        for (at, (line, is_plain)) in marked_lines(&section.text).enumerate() {
            match text::heading(line) {
                Some((3, words)) if is_plain => {
                    pieces.push((Some(words), section.line + at + 1, Vec::new()));
                }
                _ => pieces.last_mut().into_iter().for_each(|piece| piece.2.push(line)),
            }
        }
        let mut slugs = Names::default();
        let above = text::section_title(title, &section.heading);
        let outer = topic::of_heading(&section.heading).unwrap_or(Topic::Reference);
        for (heading, line, lines) in pieces {
            let text = normalise_body(&lines.join("\n"));
            let Some(heading) = heading else {
                if text::says_nothing(&text).is_none() {
                    self.passage(title, &Section { text, ..section.clone() }, outer);
                }
                continue;
            };
            let slug = format!("{}/{}", section.slug, slugs.slug(heading));
            if let Some(why) = text::says_nothing(&text) {
                let key = self.key(&slug);
                self.read.skip(key, why);
                continue;
            }
            let subject = topic::of_heading(heading).filter(|it| *it != Topic::Decisions);
            let piece =
                Section { heading: heading.to_owned(), slug, text, line, level: 3, part: None };
            self.passage(&above, &piece, subject.unwrap_or(outer));
        }
    }

    /// Entries of a log, or else items, below a heading about decisions.
    fn decisions(&mut self, title: &str, section: &Section) {
        let log = crate::log::read(&section.text);
        if log.entries.is_empty() {
            return self.items(title, section, &Kind::Decision);
        }
        for entry in &log.entries {
            let key = self.key(&format!("{}/{}", section.slug, entry.key));
            let mut record = self.page.record(&key, section.line + entry.line, &entry.raw);
            crate::log::fill(&mut record, entry, self.world);
            self.read.records.push(record);
        }
        let others = log.others.iter().map(|other| other.raw.as_str());
        let others = std::iter::once(log.above.as_str()).chain(others);
        let others: Vec<&str> = others.filter(|it| text::says_nothing(it).is_none()).collect();
        self.remainder(title, section, others.join("\n\n"));
    }

    /// Each item of a section as a record of its own; what is no item is a reference.
    pub fn items(&mut self, title: &str, section: &Section, kind: &Kind) {
        let (items, others) = topic::items(&section.text);
        for (at, item) in items.iter().enumerate() {
            let key = self.key(&format!("{}/{}", section.slug, at + 1));
            if let Some(why) = text::says_nothing(item) {
                self.read.skip(key, why);
                continue;
            }
            let (date, body) = match text::leading_date(item) {
                Some((date, body)) if *kind == Kind::Decision && !body.is_empty() => {
                    (Some(date), body)
                }
                _ => (None, item.as_str()),
            };
            let mut record = self.page.record(&key, section.line, item);
            record.set_title(&guess::title(body));
            record.set_dates(date, None, self.world.now);
            topic::fill_kind(&mut record, kind.clone(), body, self.world.kinds);
            match kind {
                Kind::Constraint => record.set_text("kind", "policy"),
                Kind::Preference => record.set_audience("user"),
                _ => {}
            }
            self.read.records.push(record);
        }
        if text::says_nothing(&others).is_none() {
            self.remainder(title, section, others);
        }
    }

    /// What is left of a section whose parts are records of their own.
    fn remainder(&mut self, title: &str, section: &Section, text: String) {
        if !text.is_empty() {
            self.passage(title, &Section { text, ..section.clone() }, Topic::Reference);
        }
    }

    /// A page without sections is one record.
    fn whole(&mut self, body: &str) {
        let page = self.page;
        let (heading, body) = text::titled(body);
        let lines = body.lines().map(str::trim).filter(|line| !line.is_empty());
        if !body.is_empty()
            && lines.clone().all(|line| line.starts_with('@') && !line.contains(' '))
        {
            let names: Vec<&str> = lines.collect();
            return self.read.skip(page.path, format!("only imports {}", names.join(", ")));
        }
        if let Some(why) = text::says_nothing(&body) {
            return self.read.skip(page.path, why);
        }
        let mut record = page.record(page.path, 1, page.text);
        match heading {
            Some(heading) => {
                record.set_title(&text::heading_title(heading));
                let subject = topic::of_heading(heading).filter(|it| *it != Topic::Decisions);
                let subject = subject.unwrap_or(Topic::Reference);
                topic::fill(&mut record, subject, heading, &body, self.world.kinds);
            }
            None => {
                record.set_title(&text::guessed_title(&body));
                topic::fill_guessed(&mut record, &body, self.world.kinds);
            }
        }
        self.read.records.push(record);
    }
}
