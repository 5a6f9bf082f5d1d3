//! What somebody changed between the marks, as drafts.

use super::{GROUPS, HEAD, find, line};
use crate::content::FieldValue;
use crate::draft::Draft;
use crate::kind::Kind;
use crate::kind::schema::main_field;
use crate::memory::{Memory, MemoryId};
use crate::refusal::{Code, Refusal};
use crate::views::ViewEdit;
use crate::yaml::Yaml;

/// The changed lines of a page's block. `made` are the lines as they would be made now: what is there and
/// not on the page was taken out.
pub fn read_edits(
    name: &str,
    page: &str,
    made: &str,
    memories: &[Memory],
) -> Result<Vec<ViewEdit>, Refusal> {
    let Some(marked) = find(name, page)? else {
        let message = format!("there is no block in `{name}`");
        return Err(
            Refusal::new(Code::NotFound, message).with_hint("`oldhand export --as` writes one")
        );
    };
    let above = page[..marked.inner.start].matches('\n').count();
    let mut reader = Reader { name, memories, kind: None, found: Vec::new(), edits: Vec::new() };
    for (number, text) in (above + 1..).zip(page[marked.inner].lines()) {
        reader.line(number, text.trim_end())?;
    }
    let Reader { found, mut edits, .. } = reader;
    let shown = made.lines().filter_map(|text| id_in(text).map(|(id, _)| id));
    let removed = shown.filter(|id| !found.contains(id));
    edits.extend(removed.map(|id| ViewEdit::Removed { id: id.to_string() }));
    Ok(edits)
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
    let (title, sentence) = (&memory.title, line::first_sentence(memory));
    let was = if memory.kind == Kind::Runbook { title.clone() } else { line::said(memory) };
    if line::as_data(&was) != was {
        return None;
    }
    let has_sentence = was != *title;
    let (new_title, new_sentence) = match said.strip_prefix(title.as_str()) {
        Some("") => (title.as_str(), None),
        Some(rest) if rest.starts_with(": ") => (title.as_str(), Some(&rest[2..])),
        _ if has_sentence => {
            said.split_once(": ").map(|(title, sentence)| (title, Some(sentence)))?
        }
        _ => (said, None),
    };
    let mut draft = Draft::default();
    if new_title != title {
        draft.set("title", Yaml::text(new_title));
    }
    if let Some(new) = new_sentence.filter(|new| *new != sentence) {
        let field = main_field(memory.kind.fields()).filter(|_| memory.kind != Kind::Runbook)?;
        let text = memory.content.text(&field.name)?;
        let replaced = text.contains(&sentence).then(|| text.replacen(&sentence, new, 1))?;
        draft.set_content(&field.name, FieldValue::Text(replaced));
    }
    // A line without its sentence was cut, and says no longer what is meant.
    (draft != Draft::default()).then_some(draft)
}

fn new(kind: &Kind, item: &str) -> Option<Draft> {
    let field = main_field(kind.fields()).filter(|_| *kind != Kind::Runbook)?;
    let (title, text) = item.split_once(": ").unwrap_or((item, item));
    let mut draft = Draft::titled(kind.clone(), title);
    draft.set_content(&field.name, FieldValue::text(text));
    Some(draft)
}
