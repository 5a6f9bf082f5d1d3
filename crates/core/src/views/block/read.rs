//! What somebody changed between the marks, as drafts.

use std::ops::Range;

use oldhand_text::agent_text::LINE_CHARS_MAX;
use oldhand_text::strings::normalise_line;

use super::{GROUPS, HEAD, find, line};
use crate::content::FieldValue;
use crate::draft::Draft;
use crate::kind::Kind;
use crate::kind::schema::main_field;
use crate::memory::{Memory, MemoryId};
use crate::refusal::{Code, Refusal};
use crate::views::ViewEdit;
use crate::yaml::Yaml;

/// What was read of a block, line by line.
#[derive(Debug)]
pub struct BlockEdits {
    pub edits: Vec<ViewEdit>,
    /// Lines that nobody can say the meaning of.
    pub refused: Vec<Refusal>,
}

/// The changed lines of a page's block. `made` are the lines as they would be made now: what is there and
/// not on the page was taken out.
pub fn read_edits(
    name: &str,
    page: &str,
    made: &str,
    memories: &[Memory],
) -> Result<BlockEdits, Refusal> {
    let Some(marked) = find(name, page)? else {
        let message = format!("there is no block in `{name}`");
        return Err(
            Refusal::new(Code::NotFound, message).with_hint("`oldhand export --as` writes one")
        );
    };
    let above = page[..marked.inner.start].matches('\n').count();
    let mut reader = Reader { name, memories, kind: None, found: Vec::new(), edits: Vec::new() };
    let mut refused = Vec::new();
    for (number, text) in (above + 1..).zip(page[marked.inner].lines()) {
        refused.extend(reader.line(number, text.trim_end()).err());
    }
    let Reader { found, mut edits, .. } = reader;
    let shown = made.lines().filter_map(|text| id_in(text).map(|(id, _)| id));
    let removed = shown.filter(|id| !found.contains(id));
    edits.extend(removed.map(|id| ViewEdit::Removed { id: id.to_string() }));
    Ok(BlockEdits { edits, refused })
}

struct Reader<'a> {
    name: &'a str,
    memories: &'a [Memory],
    /// Of the heading above.
    kind: Option<Kind>,
    found: Vec<MemoryId>,
    edits: Vec<ViewEdit>,
}

impl Reader<'_> {
    fn line(&mut self, number: usize, text: &str) -> Result<(), Refusal> {
        let is_more = text.ends_with(" more: `oldhand index`");
        if text.is_empty() || is_more || HEAD.lines().any(|own| own == text) {
            return Ok(());
        }
        if let Some(heading) = text.strip_prefix("### ") {
            let group = GROUPS.iter().find(|(_, known)| *known == heading);
            self.kind = group.map(|(kind, _)| kind.clone());
        }
        let Some(item) = text.strip_prefix("- ") else {
            return match (text.starts_with("### "), &self.kind) {
                (true, Some(_)) => Ok(()),
                _ => Err(self.unread(number, "belongs to no group", "move it out of the block")),
            };
        };
        let known = id_in(text).and_then(|(id, said)| {
            Some((self.memories.iter().find(|memory| memory.id == id)?, said))
        });
        match known {
            Some((memory, _)) if self.found.contains(&memory.id) => {
                Err(self.unread(number, "names a memory again", "leave one of the two lines"))
            }
            Some((memory, said)) => {
                self.found.push(memory.id.clone());
                if line::of(memory).trim_end() != text {
                    let draft = changed(memory, said).ok_or_else(|| {
                        self.unread(number, "does not say all of its memory", &edit(memory))
                    })?;
                    self.edits.push(ViewEdit::Changed { id: memory.id.to_string(), draft });
                }
                Ok(())
            }
            None => {
                let draft = self.kind.as_ref().and_then(|kind| new(kind, item));
                let draft = draft.ok_or_else(|| {
                    self.unread(number, "is no new memory", "use `oldhand add` for it")
                })?;
                self.edits.push(ViewEdit::New(draft));
                Ok(())
            }
        }
    }

    fn unread(&self, number: usize, why: &str, hint: &str) -> Refusal {
        let message = format!("could not read the block in `{}`: line {number} {why}", self.name);
        Refusal::new(Code::Unreadable, message).with_hint(hint)
    }
}

fn edit(memory: &Memory) -> String {
    format!("change it with `oldhand edit {}`", memory.id)
}

/// The id at the end of a line, and what stands before it.
fn id_in(text: &str) -> Option<(MemoryId, &str)> {
    let item = text.strip_prefix("- ")?;
    let (said, id) = match item.strip_suffix(')') {
        Some(item) => item.rsplit_once(" (")?,
        None => item.strip_suffix('`')?.rsplit_once(": `oldhand show ")?,
    };
    Some((MemoryId::parse(id).ok()?, said))
}

/// The title, and the first sentence of the memory. Nothing where the line did not say them whole.
fn changed(memory: &Memory, said: &str) -> Option<Draft> {
    let (title, sentence) = (normalise_line(&memory.title), line::first_sentence(memory));
    let was = if memory.kind == Kind::Runbook { title.clone() } else { line::said(memory) };
    if was.chars().count() > LINE_CHARS_MAX {
        return None;
    }
    let said = as_written(said, &was);
    let (new_title, new_sentence) = match said.strip_prefix(&title) {
        Some("") => (title.as_str(), None),
        Some(rest) if rest.starts_with(": ") => (title.as_str(), Some(&rest[2..])),
        _ if was != title => {
            said.split_once(": ").map(|(title, sentence)| (title, Some(sentence)))?
        }
        _ => (said.as_str(), None),
    };
    let mut draft = Draft::default();
    if new_title != title {
        draft.set("title", Yaml::text(new_title));
    }
    if let Some(new) = new_sentence.filter(|new| *new != sentence) {
        let field = main_field(memory.kind.fields()).filter(|_| memory.kind != Kind::Runbook)?;
        let mut text = memory.content.text(&field.name)?.to_owned();
        let place = place_of(&text, &sentence)?;
        text.replace_range(place, new);
        draft.set_content(&field.name, FieldValue::Text(text));
    }
    // A line without its sentence was cut, and says no longer what is meant.
    (draft != Draft::default()).then_some(draft)
}

/// A line as its memory would say it: what `line::as_data` did to words that are still there is undone.
fn as_written(said: &str, was: &str) -> String {
    let mut text = said.to_owned();
    for (shown, own) in [("&lt;", "<"), ("-- >", "-->")] {
        if was.contains(own) {
            text = text.replace(shown, own);
        }
    }
    if was.starts_with(['#', '>', '~']) {
        text = text.strip_prefix('\\').unwrap_or(&text).to_owned();
    }
    let names: Vec<String> = text.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    for name in names.iter().filter(|it| it.contains('@') && was.contains(it.as_str())) {
        let shown = format!("`{name}`");
        if !was.contains(&shown) {
            text = text.replace(&shown, name);
        }
    }
    text
}

/// Where a text says these words, over however many lines.
fn place_of(text: &str, sentence: &str) -> Option<Range<usize>> {
    let mut words = sentence.split_whitespace();
    let first = words.next()?;
    text.match_indices(first).find_map(|(start, _)| {
        let mut end = start + first.len();
        for word in words.clone() {
            let rest = text[end..].trim_start();
            let blanks = text[end..].len() - rest.len();
            if blanks == 0 || !rest.starts_with(word) {
                return None;
            }
            end += blanks + word.len();
        }
        Some(start..end)
    })
}

fn new(kind: &Kind, item: &str) -> Option<Draft> {
    let field = main_field(kind.fields()).filter(|_| *kind != Kind::Runbook)?;
    let (title, text) = item.split_once(": ").unwrap_or((item, item));
    let mut draft = Draft::titled(kind.clone(), title);
    draft.set_content(&field.name, FieldValue::text(text));
    Some(draft)
}
