//! What somebody changed in a page, as drafts.

use super::{
    ARCHITECTURE_PARTS, CANDIDATE_NOTE, PARTS, View, architectures, changed_parts, part_value,
    text_value,
};
use crate::codec::document::{Document, Section, line_number, lines};
use crate::codec::yaml::Yaml;
use crate::draft::Draft;
use crate::kind::Kind;
use crate::memory::Memory;
use crate::refusal::{Code, Refusal};
use crate::text::normalise_line;

#[derive(Debug, Clone, PartialEq)]
pub enum ViewEdit {
    Changed {
        id: String,
        draft: Draft,
    },
    New(Draft),
    /// An entry was taken out of the page; the memory stays, and the page gets it back.
    Removed {
        id: String,
    },
}

/// The differences between a page and the memories it shows.
pub fn read_edits(view: View, text: &str, memories: &[Memory]) -> Result<Vec<ViewEdit>, Refusal> {
    let text = text.replace("\r\n", "\n");
    let document = Document::parse(&text)
        .map_err(|error| unreadable(view, &error.to_string()).with_hint(error.hint()))?;
    match view {
        View::Architecture => read_architecture(&document, memories),
        View::Decisions | View::Archive => read_log(view, &document, memories),
    }
}

fn unreadable(view: View, why: &str) -> Refusal {
    Refusal::new(
        Code::Unreadable,
        format!("could not read the edits in `{}`: {why}", view.file_name()),
    )
}

fn read_log(
    view: View,
    document: &Document<'_>,
    memories: &[Memory],
) -> Result<Vec<ViewEdit>, Refusal> {
    let mut edits = Vec::new();
    let mut shown = Vec::new();
    refuse_stray(view, document, document.preamble(), &[])?;
    for section in &document.sections {
        let text = &document.source[section.text.clone()];
        refuse_unknown_parts(view, document, section)?;
        let title = match section.heading.split_once(": ") {
            Some((_, title)) => title,
            None => section.heading.as_str(),
        };
        let parts = parts_of(text);
        let Some(id) = id_in(text) else {
            let mut draft = Draft::titled(Kind::Decision, &normalise_line(title));
            changed_parts(None, parts, &mut draft);
            edits.push(ViewEdit::New(draft));
            continue;
        };
        let Some(memory) = memories.iter().find(|memory| memory.id.as_str() == id) else {
            return Err(unreadable(view, &format!("there is no decision `{id}`"))
                .with_hint("take the `<!-- id: … -->` line out to make it a new decision"));
        };
        shown.push(id.to_owned());
        let mut draft = Draft::default();
        if normalise_line(title) != crate::text::visible_line(&memory.title) {
            draft.set("title", Yaml::text(normalise_line(title)));
        }
        changed_parts(Some(memory), parts, &mut draft);
        if draft != Draft::default() {
            edits.push(ViewEdit::Changed { id: id.to_owned(), draft });
        }
    }
    let rendered = super::render(view, memories);
    let removed =
        rendered.lines().filter_map(id_in).filter(|id| !shown.iter().any(|known| known == id));
    edits.extend(removed.map(|id| ViewEdit::Removed { id: id.to_owned() }));
    Ok(edits)
}

/// Text that belongs to no part would be lost with the next rendering: it is named instead.
fn refuse_stray(
    view: View,
    document: &Document<'_>,
    range: std::ops::Range<usize>,
    known: &[&str],
) -> Result<(), Refusal> {
    for line in lines(document.source, range) {
        let text = document.source[line.clone()].trim();
        let is_ours = text.is_empty()
            || text.starts_with("<!-- ")
            || text.starts_with("# ")
            || known.iter().any(|start| text.starts_with(start));
        if !is_ours {
            return Err(unplaced(view, document, line.start, text));
        }
    }
    Ok(())
}

fn unplaced(view: View, document: &Document<'_>, at: usize, text: &str) -> Refusal {
    let why = format!("line {} belongs to no part: `{text}`", line_number(document.source, at));
    unreadable(view, &why).with_hint("move it below one of the entry's `###` headings")
}

fn refuse_unknown_parts(
    view: View,
    document: &Document<'_>,
    section: &Section,
) -> Result<(), Refusal> {
    let text = &document.source[section.text.clone()];
    let first = text.find("### ").unwrap_or(text.len());
    let start = section.text.start;
    let known = ["Archived on ", "Superseded by ", CANDIDATE_NOTE];
    refuse_stray(view, document, start..start + first, &known)?;
    let headings: Vec<&str> = PARTS.iter().map(|(heading, _, _)| *heading).collect();
    for line in lines(document.source, section.text.clone()) {
        let text = document.source[line.clone()].trim_end();
        let heading = text.strip_prefix("### ");
        if heading.is_some_and(|heading| !headings.contains(&heading.trim())) {
            return Err(unplaced(view, document, line.start, text)
                .with_hint(format!("use one of: {}", headings.join(", "))));
        }
    }
    Ok(())
}

fn id_in(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix("<!-- id: ")?.strip_suffix(" -->"))
}

fn parts_of(text: &str) -> Vec<(String, crate::content::FieldValue)> {
    PARTS
        .iter()
        .filter_map(|(heading, field, shape)| {
            let part = part_text(text, heading)?;
            Some(((*field).to_owned(), part_value(shape, &part)))
        })
        .collect()
}

/// The lines below one of our level-3 headings, up to the next of ours.
fn part_text(text: &str, heading: &str) -> Option<String> {
    let is_ours = |line: &str| {
        line.strip_prefix("### ")
            .is_some_and(|h| PARTS.iter().any(|(known, _, _)| *known == h.trim()))
    };
    let mut lines = text.lines().skip_while(|line| line.trim_end() != format!("### {heading}"));
    lines.next()?;
    let part: Vec<&str> = lines.take_while(|line| !is_ours(line)).collect();
    Some(part.join("\n"))
}

fn read_architecture(
    document: &Document<'_>,
    memories: &[Memory],
) -> Result<Vec<ViewEdit>, Refusal> {
    let sources = architectures(memories);
    let parts = ARCHITECTURE_PARTS.iter().filter_map(|(heading, field)| {
        let section = document.sections.iter().find(|section| section.heading == *heading)?;
        Some(((*field).to_owned(), text_value(&document.source[section.text.clone()])))
    });
    match sources.as_slice() {
        [] => {
            let mut draft = Draft::titled(Kind::Architecture, "Architecture");
            changed_parts(None, parts.collect(), &mut draft);
            Ok(vec![ViewEdit::New(draft)])
        }
        [only] => {
            let mut draft = Draft::default();
            changed_parts(Some(only), parts.collect(), &mut draft);
            if draft == Draft::default() {
                return Ok(Vec::new());
            }
            Ok(vec![ViewEdit::Changed { id: only.id.to_string(), draft }])
        }
        many => Err(unreadable(
            View::Architecture,
            &format!("it is made of {} memories, and the edit could belong to any", many.len()),
        )
        .with_hint("make the change with `oldhand edit <id>`, then undo it in the page")),
    }
}
