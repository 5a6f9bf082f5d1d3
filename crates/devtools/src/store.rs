//! The scratch store of one scope: documents as memory files, written in bulk. Nobody else knows
//! of the folder, so nothing is locked, logged or synced one by one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::{Timestamp, ToSpan};
use oldhand_core::codec::markdown;
use oldhand_core::content::FieldValue;
use oldhand_core::kind::schema::{self, Shape};
use oldhand_core::kind::{KindSpec, Kinds};
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::origin::Origin;
use oldhand_core::policy::{MEMORY_BYTES_MAX, TITLE_CHARS_MAX};
use oldhand_core::state::State;
use oldhand_store::disk::RealDisk;
use oldhand_store::failure::StoreError;
use oldhand_store::layout::{Layout, STORE_FOLDER};
use oldhand_text::strings::{normalise_body, normalise_line, shorten, slug};
use tempfile::TempDir;

use crate::baselines::Entry;
use crate::failure::Fail;
use crate::set::Document;

const STORE_CONFIG: &str = "format = 1\n";
/// A title made from a text: about as many words as people write.
const TITLE_WORDS: usize = 12;

/// Gone when dropped.
pub(crate) struct Scratch {
    _folder: TempDir,
    root: PathBuf,
    /// Memory ids to document ids.
    pub names: BTreeMap<String, String>,
}

impl Scratch {
    /// The store itself.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}

pub(crate) fn make(documents: &[&Document]) -> Result<Scratch, Fail> {
    let folder = tempfile::Builder::new().prefix("oldhand-eval-").tempdir()?;
    let root = folder.path().join(STORE_FOLDER);
    let layout = Layout { root: root.clone(), repository: folder.path().to_owned() };
    let kinds = Kinds::default();
    oldhand_store::vault::init(&RealDisk, &layout, &kinds, STORE_CONFIG, false)?;
    for spec in kinds.iter().filter(|spec| documents.iter().any(|it| it.kind == spec.kind)) {
        let folder = layout.file(&spec.folder);
        std::fs::create_dir_all(&folder)
            .map_err(|error| StoreError::io("make the folder", &folder, error))?;
    }
    let mut names = BTreeMap::new();
    let instants = instants(documents);
    for (number, (document, at)) in documents.iter().zip(instants).enumerate() {
        let spec = kinds.spec(&document.kind);
        let memory = memory(document, number + 1, at, &spec);
        let text = markdown::render(&memory, &kinds);
        refuse_large(document, &text)?;
        let path = layout.file(&spec.folder).join(format!("{}.md", memory.id));
        std::fs::write(&path, text).map_err(|error| StoreError::io("write", &path, error))?;
        names.insert(memory.id.as_str().to_owned(), document.id.clone());
    }
    Ok(Scratch { _folder: folder, root, names })
}

/// The same documents as the baselines read them: the title counts when the set gives one.
pub(crate) fn entries(documents: &[&Document]) -> Vec<Entry> {
    let text = |document: &Document| match &document.title {
        Some(title) => format!("{title}\n{}", document.text),
        None => document.text.clone(),
    };
    let each = documents.iter().zip(instants(documents));
    each.map(|(document, at)| Entry { id: document.id.clone(), text: text(document), at }).collect()
}

/// When each was written. Those of one date follow each other by a minute, in their order; one
/// without a date goes with the one before it.
fn instants(documents: &[&Document]) -> Vec<Timestamp> {
    let mut date: Timestamp =
        "2024-01-01T00:00:00Z".parse().expect("a constant that is an instant");
    let mut of_date: BTreeMap<Timestamp, i64> = BTreeMap::new();
    documents
        .iter()
        .map(|document| {
            date = document.at.unwrap_or(date);
            let before = of_date.entry(date).or_default();
            *before += 1;
            date.checked_add((*before - 1).minutes()).unwrap_or(date)
        })
        .collect()
}

fn memory(document: &Document, number: usize, at: Timestamp, spec: &KindSpec) -> Memory {
    let title = title(document);
    // The number alone makes it unique: titles repeat.
    let id = MemoryId::of_title(&title).numbered(number);
    let mut memory = Memory::new(id, document.kind.clone(), &title);
    memory.state = State::Stable;
    memory.origin = Origin::User;
    memory.created_at = Some(at);
    memory.updated_at = Some(at);
    if let Some(session) = &document.session {
        memory.evidence = vec![format!("session:{}-{}", slug(&document.scope), slug(session))];
    }
    for field in spec.fields.iter() {
        if let Some(default) = field.default {
            memory.content.set(&field.name, FieldValue::Text(default.to_owned()));
        }
    }
    if let Some(field) = schema::main_field(&spec.fields) {
        memory.content.set(&field.name, body(&document.text, &field.shape));
    }
    memory
}

fn body(text: &str, shape: &Shape) -> FieldValue {
    match shape {
        Shape::List | Shape::Steps => FieldValue::List(
            text.lines().map(normalise_line).filter(|line| !line.is_empty()).collect(),
        ),
        _ => FieldValue::Text(normalise_body(text)),
    }
}

/// Its own, the first words of its text, or, when there are none, its id.
fn title(document: &Document) -> String {
    let own = document.title.as_deref().map(normalise_line).filter(|title| !title.is_empty());
    let first_words = || {
        let words = document.text.split_whitespace();
        let words = words.skip_while(|word| !word.contains(char::is_alphanumeric));
        normalise_line(&words.take(TITLE_WORDS).collect::<Vec<_>>().join(" "))
    };
    let title = own.unwrap_or_else(first_words);
    let title = if title.is_empty() { normalise_line(&document.id) } else { title };
    shorten(&title, TITLE_CHARS_MAX)
}

/// A file of this size would not be read.
fn refuse_large(document: &Document, text: &str) -> Result<(), Fail> {
    if text.len() as u64 <= MEMORY_BYTES_MAX {
        return Ok(());
    }
    let message = format!(
        "the document is {} bytes as a memory, at most {MEMORY_BYTES_MAX} fit: `{}`",
        text.len(),
        document.id
    );
    Err(Fail::new(message, "split it into several documents"))
}

#[cfg(test)]
mod tests;
