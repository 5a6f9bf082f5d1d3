//! What somebody changed in a page, as drafts.

use std::ops::Range;

use super::{
    ARCHITECTURE_PARTS, CANDIDATE_NOTE, PARTS, View, architecture_text, changed_parts,
    decision_text, is_part_like, part_value, shown, stamp_of,
};
use crate::codec::document::{Document, Section, line_number, lines};
use crate::codec::sections::Outside;
use crate::content::FieldValue;
use crate::draft::Draft;
use crate::kind::Kind;
use crate::kind::schema::Shape;
use crate::memory::Memory;
use crate::refusal::{Code, Refusal};
use crate::yaml::Yaml;
use oldhand_text::hint::{Hint, NextStep};
use oldhand_text::strings::normalise_line;
use oldhand_text::time::parse_instant;

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
    let message = format!("could not read the edits in `{}`: {why}", view.file_name());
    Refusal::new(Code::Unreadable, message)
}

fn read_log(
    view: View,
    document: &Document<'_>,
    memories: &[Memory],
) -> Result<Vec<ViewEdit>, Refusal> {
    let mut edits = Vec::new();
    let mut found = Vec::new();
    for line in lines(document.source, document.preamble()) {
        refuse_stray(view, document, line, &[])?;
    }
    for section in &document.sections {
        let title = normalise_line(title_of(section));
        let parts = parts_of(view, document, section)?;
        let Some((id, _)) = id_in(document.text_of(section)) else {
            let mut draft = Draft::titled(Kind::Decision, &title);
            changed_parts(None, parts, &mut draft);
            edits.push(ViewEdit::New(draft));
            continue;
        };
        let Some(memory) = memories.iter().find(|memory| memory.id.as_str() == id) else {
            return Err(unreadable(view, &format!("there is no decision `{id}`"))
                .with_hint("take the `<!-- id: … -->` line out to make it a new decision"));
        };
        found.push(id);
        if !is_edited(view, document, section, memory)? {
            continue;
        }
        let mut draft = Draft::default();
        if title != oldhand_text::strings::visible_line(&memory.title) {
            draft.set("title", Yaml::text(title));
        }
        changed_parts(Some(memory), parts, &mut draft);
        if draft != Draft::default() {
            edits.push(ViewEdit::Changed { id: id.to_owned(), draft });
        }
    }
    let removed = shown(view, memories).into_iter().map(|memory| memory.id.to_string());
    let removed = removed.filter(|id| !found.contains(&id.as_str()));
    edits.extend(removed.map(|id| ViewEdit::Removed { id }));
    Ok(edits)
}

/// The heading without its day.
fn title_of(section: &Section) -> &str {
    match section.heading.split_once(": ") {
        Some((day, title)) if day == "undated" || parse_instant(day).is_some() => title,
        _ => section.heading.as_str(),
    }
}

/// Text that belongs to no part would be lost with the next rendering.
fn refuse_stray(
    view: View,
    document: &Document<'_>,
    line: Range<usize>,
    known: &[&str],
) -> Result<(), Refusal> {
    let text = document.source[line.clone()].trim();
    let is_ours =
        text.is_empty() || ["<!-- ", "# "].iter().chain(known).any(|start| text.starts_with(start));
    if is_ours { Ok(()) } else { Err(unplaced(view, document, line.start, text)) }
}

fn unplaced(view: View, document: &Document<'_>, at: usize, text: &str) -> Refusal {
    let why = format!("line {} belongs to no part: `{text}`", line_number(document.source, at));
    unreadable(view, &why).with_hint("move it below one of the entry's `###` headings")
}

/// What an entry says in each part, without the guards of its lines.
fn parts_of(
    view: View,
    document: &Document<'_>,
    section: &Section,
) -> Result<Vec<(String, FieldValue)>, Refusal> {
    let headings = PARTS.iter().map(|(heading, _, _)| *heading);
    let mut outside = Outside::default();
    let mut parts: Vec<(&str, String)> = Vec::new();
    for line in lines(document.source, section.text.clone()) {
        let text = &document.source[line.clone()];
        let is_text = outside.passes(text);
        let heading = text.strip_prefix("### ").map(str::trim).filter(|_| is_text);
        match (heading, parts.last_mut()) {
            (Some(heading), _) if headings.clone().any(|known| known == heading) => {
                parts.push((heading, String::new()));
            }
            (Some(_), _) => {
                let known: Vec<&str> = headings.collect();
                return Err(unplaced(view, document, line.start, text.trim_end())
                    .with_hint(format!("use one of: {}", known.join(", "))));
            }
            (None, Some((_, part))) => {
                let is_guarded = is_text && text.starts_with('\\') && is_part_like(text);
                part.push_str(&text[usize::from(is_guarded)..]);
            }
            (None, None) => {
                let notes = ["Archived on ", "Superseded by ", CANDIDATE_NOTE];
                refuse_stray(view, document, line, &notes)?;
            }
        }
    }
    let read = |(heading, field, shape): &(&str, &str, Shape)| {
        let (_, text) = parts.iter().find(|(known, _)| known == heading)?;
        Some(((*field).to_owned(), part_value(shape, text)))
    };
    Ok(PARTS.iter().filter_map(read).collect())
}

/// Whether somebody changed this entry. Refuses if the memory has changed as well.
fn is_edited(
    view: View,
    document: &Document<'_>,
    section: &Section,
    memory: &Memory,
) -> Result<bool, Refusal> {
    let heading = &document.source[section.range.start..section.text.start];
    let text = document.text_of(section);
    let stamp = id_in(text).map(|(_, stamp)| stamp).unwrap_or_default();
    let (_, mut bare) = split_comment(text, "<!-- id: ");
    bare.insert(0, heading);
    if stamp_of(&bare.join("\n")) == stamp {
        return Ok(false);
    }
    let (head, rest) = decision_text(memory);
    refuse_both_changed(view, stamp, &format!("{head}{rest}"), memory.id.as_str())?;
    Ok(true)
}

fn refuse_both_changed(view: View, stamp: &str, now: &str, id: &str) -> Result<(), Refusal> {
    // Without a stamp somebody rewrote the entry, and means what it says.
    if stamp.is_empty() || stamp_of(now) == stamp {
        return Ok(());
    }
    Err(unreadable(view, &format!("`{id}` was changed here and by a command as well"))
        .with_hint(edit_instead(id)))
}

fn edit_instead(id: &str) -> Hint {
    let step = NextStep::Edit(id.to_owned());
    Hint::with_steps("make the change with {}, then undo it in the page", [step])
}

fn id_in(text: &str) -> Option<(&str, &str)> {
    let inner = split_comment(text, "<!-- id: ").0?;
    Some(inner.split_once(' ').unwrap_or((inner, "")))
}

/// Our comment, which is the first line below a heading and nowhere else, and the lines without it.
fn split_comment<'a>(text: &'a str, start: &str) -> (Option<&'a str>, Vec<&'a str>) {
    let mut lines: Vec<&str> = text.lines().skip_while(|line| line.trim().is_empty()).collect();
    let first = lines.first().map(|line| line.trim_end());
    let inner = first.and_then(|line| line.strip_prefix(start)?.strip_suffix(" -->"));
    if inner.is_some() {
        lines.remove(0);
    }
    (inner, lines)
}

fn read_architecture(
    document: &Document<'_>,
    memories: &[Memory],
) -> Result<Vec<ViewEdit>, Refusal> {
    let sources = shown(View::Architecture, memories);
    let mut parts = Vec::new();
    for (heading, field) in ARCHITECTURE_PARTS {
        let Some(section) = document.sections.iter().find(|section| section.heading == *heading)
        else {
            continue;
        };
        let (stamp, bare) = split_comment(document.text_of(section), "<!-- part: ");
        let bare = bare.join("\n");
        if stamp == Some(stamp_of(&bare).as_str()) {
            continue;
        }
        if let Some(only) = sources.first() {
            let (now, stamp) = (architecture_text(&sources, field), stamp.unwrap_or_default());
            refuse_both_changed(View::Architecture, stamp, &now, only.id.as_str())?;
        }
        parts.push(((*field).to_owned(), part_value(&Shape::Text, &bare)));
    }
    let memory = match sources.as_slice() {
        _ if parts.is_empty() => return Ok(Vec::new()),
        many @ [_, _, ..] => {
            let count = many.len();
            let why = format!("it is made of {count} memories, and the edit could belong to any");
            return Err(unreadable(View::Architecture, &why).with_hint(edit_instead("<id>")));
        }
        few => few.first().copied(),
    };
    let new = || Draft::titled(Kind::Architecture, "Architecture");
    let mut draft = memory.map_or_else(new, |_| Draft::default());
    changed_parts(memory, parts, &mut draft);
    Ok(match memory {
        None => vec![ViewEdit::New(draft)],
        Some(_) if draft == Draft::default() => Vec::new(),
        Some(memory) => vec![ViewEdit::Changed { id: memory.id.to_string(), draft }],
    })
}
