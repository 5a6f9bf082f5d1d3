//! The companion of an export, and what comes back with it. It holds every memory whole, so that the files
//! beside it can be written again: what differs from them is what somebody changed.

use std::collections::{BTreeMap, BTreeSet};

use oldhand_core::codec::markdown::{self, Origin};
use oldhand_core::content::FieldValue;
use oldhand_core::draft::Draft;
use oldhand_core::kind::Kinds;
use oldhand_core::memory::Memory;
use oldhand_core::signals::Signals;
use serde_json::{Value, json};

mod pieces;
mod words;

use self::pieces::{Piece, pieces};
use crate::World;
use crate::files::{Files, SourceFile};
use crate::formats;
use crate::record::{Foreign, Passed};
use crate::write::{self, Export, Outgoing, Placed, Writer};

/// In the folder of an export.
pub const NAME: &str = ".oldhand-export.jsonl";
/// Behind the name of an export that is one file.
pub const SUFFIX: &str = ".oldhand.jsonl";

/// A memory of the companion.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub path: String,
    pub hash: String,
    /// The format of the export.
    pub format: String,
    /// The whole memory, as `export` prints it.
    pub memory: Value,
}

impl Line {
    pub fn to_text(&self) -> String {
        let Self { path, hash, format, memory } = self;
        format!("{}\n", json!({"path": path, "hash": hash, "as": format, "memory": memory}))
    }

    /// The exact text of the memory's file. What the log says of these bytes decides whether its state,
    /// origin and dates are believed.
    pub fn markdown(&self) -> Option<&str> {
        self.memory["markdown"].as_str()
    }
}

pub fn read(text: &str) -> Vec<Result<Line, String>> {
    let line = |(at, line): (usize, &str)| {
        let wrong = || format!("line {} is no line of a companion", at + 1);
        let value: Value = serde_json::from_str(line).map_err(|_| wrong())?;
        let text = |key: &str| value[key].as_str().map(str::to_owned).ok_or_else(wrong);
        let (path, hash, format) = (text("path")?, text("hash")?, text("as")?);
        Ok(Line { path, hash, format, memory: value["memory"].clone() })
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(line).collect()
}

/// What comes back.
#[derive(Debug, Clone, PartialEq)]
pub enum Back {
    /// Nobody changed its record: the memory byte for byte.
    Same { id: String, text: String },
    /// The memory, and what somebody changed of what the format says.
    Changed { id: String, text: String, draft: Draft },
    /// Its record was taken out.
    Gone { id: String },
}

#[derive(Debug, Clone, Default)]
pub struct Returned {
    pub back: Vec<Back>,
    /// Records that did not go out.
    pub new: Vec<Foreign>,
    pub refused: Vec<Passed>,
}

struct Known<'a> {
    line: &'a Line,
    text: &'a str,
    memory: Memory,
    signals: Signals,
}

/// Compares an export with its companion. The paths of the files are those below the folder of the export; an
/// export that is one file has the empty path.
pub fn compare(lines: &[Line], files: &Files, world: &World<'_>) -> Returned {
    let mut returned = Returned::default();
    let mut known: BTreeMap<&str, Vec<Known<'_>>> = BTreeMap::new();
    for line in lines {
        match know(line, world) {
            Ok(one) => known.entry(&line.format).or_default().push(one),
            Err(reason) => returned.refused.push(Passed { source: line.path.clone(), reason }),
        }
    }
    for (format, known) in known {
        match write::find(format) {
            Some(writer) => compare_with(writer, &known, files, world, &mut returned),
            None => {
                let reason = format!("nobody knows the format `{format}`");
                returned.refused.push(Passed { source: format.to_owned(), reason });
            }
        }
    }
    returned
}

fn know<'a>(line: &'a Line, world: &World<'_>) -> Result<Known<'a>, String> {
    let text = line.markdown().ok_or("its memory has no `markdown`")?;
    let stem = line.memory["id"].as_str().unwrap_or_default();
    let id = oldhand_core::memory::MemoryId::parse(stem).map_err(|it| it.to_string())?;
    let at = Origin { stem: id.as_str(), folder: "" };
    let memory = markdown::parse(text, at, world.kinds).map_err(|it| it.to_string())?.memory;
    Ok(Known { line, text, memory, signals: signals(&line.memory["signals"]) })
}

fn signals(value: &Value) -> Signals {
    let count = |key: &str| value[key].as_u64().and_then(|it| u32::try_from(it).ok()).unwrap_or(0);
    Signals {
        evidence_count: count("evidence_count"),
        reuse_count: count("reuse_count"),
        successful_reuses: count("successful_reuses"),
        failed_reuses: count("failed_reuses"),
        contradiction_count: count("contradiction_count"),
        trust: value["confidence"].as_f64().unwrap_or(0.0),
        ..Signals::default()
    }
}

fn compare_with(
    writer: &Writer,
    known: &[Known<'_>],
    files: &Files,
    world: &World<'_>,
    returned: &mut Returned,
) {
    let outgoing: Vec<Outgoing<'_>> = known
        .iter()
        .map(|Known { memory, signals, .. }| Outgoing { memory, signals, events: &[] })
        .collect();
    let made = writer.write(&outgoing, world.kinds);
    let before = read_made(writer, &made, world);
    let now = read_now(writer, files, world);
    let keys = keys_of(writer, &made, &before, known);
    let texts: BTreeMap<&str, String> = made
        .files
        .keys()
        .filter_map(|path| Some((path.as_str(), files.get(path)?.text())))
        .collect();
    let became = became(&made, &texts);
    // Records that have another name now are none that came.
    let mut renamed: BTreeSet<String> = BTreeSet::new();
    for one in known {
        let id = one.memory.id.to_string();
        let was = keys.get(id.as_str()).and_then(|key| before.iter().find(|it| it.key == *key));
        let is = was.and_then(|was| now.iter().find(|it| it.key == was.key));
        let (old, piece) = became.get(id.as_str()).copied().unwrap_or(("", Piece::Gone));
        let edit = Edit { memory: &one.memory, was, is, old, piece, kinds: world.kinds };
        let text = one.text.to_owned();
        returned.back.push(match edit.outcome() {
            Outcome::Same => Back::Same { id, text },
            Outcome::Gone => Back::Gone { id },
            Outcome::Changed(draft) => {
                renamed.extend(draft.title().map(str::to_owned));
                Back::Changed { id, text, draft }
            }
            Outcome::Unclear => {
                let (path, kind, name) = (&one.line.path, &one.memory.kind, writer.name);
                let reason = format!(
                    "`{path}` was changed where {name} does not tell the parts of a {kind} apart; change it \
                     with `oldhand update {id}`"
                );
                returned.refused.push(Passed { source: id.clone(), reason });
                Back::Same { id, text }
            }
        });
    }
    let keys: BTreeSet<&str> = before.iter().map(|it| it.key.as_str()).collect();
    let is_new = |it: &Foreign| {
        let is_renamed = it.draft.title().is_some_and(|title| renamed.contains(title));
        !keys.contains(it.key.as_str()) && !is_renamed
    };
    returned.new.extend(now.into_iter().filter(is_new));
}

/// A record that somebody may have edited.
struct Edit<'a> {
    memory: &'a Memory,
    /// As the format's reader reads it, before and now.
    was: Option<&'a Foreign>,
    is: Option<&'a Foreign>,
    /// As it was written.
    old: &'a str,
    piece: Piece<'a>,
    kinds: &'a Kinds,
}

enum Outcome {
    Same,
    Gone,
    Changed(Draft),
    Unclear,
}

impl Edit<'_> {
    fn outcome(&self) -> Outcome {
        let new = match self.piece {
            Piece::Same => return Outcome::Same,
            Piece::Gone => return Outcome::Gone,
            Piece::Unclear if self.was.is_some() && self.is.is_none() => return Outcome::Gone,
            Piece::Changed(new) => Some(new),
            Piece::Unclear => None,
        };
        let by_words = || words::changed(self.memory, self.old, new?, self.kinds);
        let draft = match self.was.zip(self.is).map(|(was, is)| (&was.draft, &is.draft)) {
            None => by_words(),
            Some((was, is)) => match changed(was, is) {
                Some(draft) if is_carried(self.memory, was, &draft) => Some(draft),
                None => match by_words() {
                    // Other bytes that say the same.
                    None => return Outcome::Same,
                    found => found,
                },
                Some(_) => by_words().or_else(|| words::mapped(self.memory, was, is, self.kinds)),
            },
        };
        match draft.map(|draft| without_made_up(draft, self.memory, self.was)) {
            Some(draft) if draft == Draft::default() => Outcome::Same,
            Some(draft) => Outcome::Changed(draft),
            None => Outcome::Unclear,
        }
    }
}

/// What each record was written as, and what became of it.
fn became<'a>(
    made: &'a Export,
    texts: &'a BTreeMap<&str, String>,
) -> BTreeMap<&'a str, (&'a str, Piece<'a>)> {
    let mut by_path: BTreeMap<&str, Vec<&Placed>> = BTreeMap::new();
    made.placed.iter().for_each(|it| by_path.entry(&it.path).or_default().push(it));
    let mut became = BTreeMap::new();
    for (path, placed) in by_path {
        let (Some(text), Some(now)) = (made.files.get(path), texts.get(path)) else { continue };
        for (one, piece) in placed.iter().zip(pieces(text, &placed, now)) {
            became.insert(one.id.as_str(), (text[one.range.clone()].trim(), piece));
        }
    }
    became
}

/// Whether the format carries what was changed: it was there as the memory has it.
fn is_carried(memory: &Memory, was: &Draft, changed: &Draft) -> bool {
    let before = |name: &str| was.content.iter().find(|it| it.0 == name).map(|it| &it.1);
    let fields = changed.content.iter().all(|(name, _)| before(name) == memory.content.get(name));
    let is_own = |one: &(String, String)| {
        let own = memory.sections.iter().find(|it| it.0 == one.0).map(|it| it.1.trim());
        let there = was.sections.iter().find(|it| it.0 == one.0).map(|it| it.1.trim());
        own == there
    };
    was.kind.as_ref() == Some(&memory.kind) && fields && changed.sections.iter().all(is_own)
}

/// A title or description that the format made up is none of the memory.
fn without_made_up(mut draft: Draft, memory: &Memory, was: Option<&Foreign>) -> Draft {
    let Some(was) = was.map(|it| &it.draft) else { return draft };
    let is_own = |key: &str| match key {
        "title" => was.title() == Some(&memory.title),
        "description" => was.get(key).is_none_or(|it| Some(it.plain()) == memory.description),
        _ => true,
    };
    draft.front.retain(|(key, _)| is_own(key));
    draft
}

/// The files where the tool that they are for would have them.
fn placed(writer: &Writer, files: impl Iterator<Item = SourceFile>) -> Files {
    let at_home = |file: SourceFile| SourceFile { path: writer.home(&file.path), ..file };
    Files::new(files.map(at_home).collect())
}

fn read_all(writer: &Writer, files: &Files, world: &World<'_>) -> Vec<Foreign> {
    let found = formats::find(files, Some(writer.read_by));
    found.into_iter().flat_map(|(format, root)| format.read(&root, files, world).records).collect()
}

fn read_made(writer: &Writer, made: &Export, world: &World<'_>) -> Vec<Foreign> {
    let files = made.files.iter().map(|(path, text)| SourceFile {
        path: path.clone(),
        content: crate::files::Content::Bytes(text.clone().into_bytes()),
        dated: None,
    });
    read_all(writer, &placed(writer, files), world)
}

fn read_now(writer: &Writer, files: &Files, world: &World<'_>) -> Vec<Foreign> {
    let files = files.iter().map(|file| SourceFile { dated: None, ..file.clone() });
    read_all(writer, &placed(writer, files), world)
}

/// Which record is which memory: by its place and title, else by its turn among those of the file.
fn keys_of<'a>(
    writer: &Writer,
    made: &Export,
    records: &'a [Foreign],
    known: &[Known<'_>],
) -> BTreeMap<String, &'a str> {
    let mut keys = BTreeMap::new();
    let mut by_path: BTreeMap<&str, Vec<&Placed>> = BTreeMap::new();
    made.placed.iter().for_each(|it| by_path.entry(&it.path).or_default().push(it));
    for (path, placed) in by_path {
        let home = writer.home(path);
        let is_there = |it: &&Foreign| {
            let behind = it.place.strip_prefix(&home);
            behind.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '#']))
        };
        let mut there: Vec<&Foreign> = records.iter().filter(is_there).collect();
        let is_whole = there.len() == placed.len();
        for one in placed {
            let title = known
                .iter()
                .find(|it| it.memory.id.as_str() == one.id)
                .map(|it| it.memory.title.as_str());
            let by_title = there.iter().position(|it| it.draft.title() == title);
            let Some(at) =
                by_title.or_else(|| is_whole.then_some(0)).filter(|at| *at < there.len())
            else {
                continue;
            };
            keys.insert(one.id.clone(), there.remove(at).key.as_str());
        }
    }
    keys
}

/// What one draft says and another did not. What it no longer says is emptied.
fn changed(was: &Draft, is: &Draft) -> Option<Draft> {
    fn newer<T: Clone + PartialEq>(was: &[(String, T)], is: &[(String, T)]) -> Vec<(String, T)> {
        is.iter().filter(|one| !was.contains(one)).cloned().collect()
    }
    let mut draft = Draft {
        front: newer(&was.front, &is.front),
        content: newer(&was.content, &is.content),
        sections: newer(&was.sections, &is.sections),
        ..Draft::default()
    };
    for (name, value) in &was.content {
        if !is.content.iter().any(|(known, _)| known == name) {
            let empty =
                if value.is_list() { FieldValue::List(Vec::new()) } else { FieldValue::text("") };
            draft.content.push((name.clone(), empty));
        }
    }
    (draft != Draft::default()).then_some(draft)
}

#[cfg(test)]
mod tests;
