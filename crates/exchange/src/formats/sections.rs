//! Pages whose sections all are of one kind, and manifests whose constraints are items.

use oldhand_core::kind::Kind;

use crate::World;
use crate::guide::Reader;
use crate::page::{Page, Read, Section, outline};
use crate::text;
use crate::topic::{self, Topic};

/// Every section about the same, whatever its heading says.
pub(super) fn alike(page: &Page<'_>, subject: Topic, world: &World<'_>) -> Read {
    each(page, world, |reader, title, section| reader.passage(title, section, subject))
}

/// Items below a heading about constraints are constraints, every other section is a reference.
pub(super) fn manifest(page: &Page<'_>, world: &World<'_>) -> Read {
    each(page, world, |reader, title, section| match topic::of_heading(&section.heading) {
        Some(Topic::Constraint) => reader.items(title, section, &Kind::Constraint),
        _ => reader.passage(title, section, Topic::Reference),
    })
}

fn each(
    page: &Page<'_>,
    world: &World<'_>,
    take: impl Fn(&mut Reader<'_>, &str, &Section),
) -> Read {
    let mut outline = outline(page.text);
    let name = page.path.rsplit('/').next().unwrap_or(page.path);
    let title = outline.title_or(name.trim_end_matches(".md"));
    let mut reader = Reader { page, world, read: Read::default() };
    if outline.sections.is_empty() {
        let text = std::mem::take(&mut outline.above);
        let (heading, slug) = (title.clone(), oldhand_text::strings::slug(&title));
        outline.sections.push(Section { heading, slug, text, line: 1, ..Section::default() });
    }
    reader.above(&title, &outline.above);
    for section in &outline.sections {
        match text::says_nothing(&section.text) {
            Some(why) => reader.read.skip(format!("{}#{}", page.path, section.slug), why),
            None => take(&mut reader, &title, section),
        }
    }
    reader.read
}
