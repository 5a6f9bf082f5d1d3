//! The versions of a memory that are still at hand, and putting one back where its content is gone.

use oldhand_store::port::id_of_path;

use crate::context::Trail;
use crate::doctor::loss::cut_in;
use crate::prelude::*;
use crate::written::{Action, Written};

/// Versions of the log that are looked for, the newest first.
const LOOKED_FOR_MAX: usize = 50;

pub(crate) struct Version {
    pub hash: ContentHash,
    pub place: String,
    stored: Stored,
}

/// One change of a memory's file, with both texts as far as they are still kept.
#[derive(Debug, Clone)]
pub struct FileChange {
    pub event: Event,
    pub before: Option<String>,
    pub after: Option<String>,
}

impl<'a> Trail<'a> {
    /// What changed the file, the newest first.
    pub fn changes(&self, stored: &Stored, limit: usize) -> Result<Vec<FileChange>> {
        let now = stored.hash.to_string();
        let text = |hash: &Option<String>| match hash {
            Some(hash) if *hash == now => Ok(Some(stored.text.clone())),
            Some(hash) => self.vault.kept(hash),
            None => Ok(None),
        };
        let events = self.vault.events_of(stored.memory.id.as_str())?;
        let changing = events.into_iter().rev().filter(|event| event.before != event.after);
        changing
            .take(limit)
            .map(|event| {
                let (before, after) = (text(&event.before)?, text(&event.after)?);
                Ok(FileChange { event, before, after })
            })
            .collect()
    }

    /// The versions of a file that are whole, the newest first: what was replaced on this machine,
    /// and what was committed.
    pub(crate) fn versions(&self, id: &MemoryId, path: &str) -> Result<Vec<Version>> {
        let committed = self.code.committed(path).into_iter();
        let committed: Vec<(ContentHash, String)> =
            committed.map(|text| (ContentHash::of(text.as_bytes()), text)).collect();
        let mut hashes = logged(&self.vault.events_of(id.as_str())?);
        hashes.truncate(LOOKED_FOR_MAX);
        for (hash, _) in &committed {
            if !hashes.contains(hash) {
                hashes.push(*hash);
            }
        }
        let mut versions = Vec::new();
        for hash in hashes {
            let in_git = committed.iter().find(|(known, _)| *known == hash);
            let (text, place) = match self.vault.kept(&hash.to_string())? {
                Some(text) => (text, format!("`local/kept/{hash}.md`")),
                None => match in_git {
                    Some((_, text)) => (text.clone(), "git".to_owned()),
                    None => continue,
                },
            };
            if let Some(stored) = self.whole(path, text) {
                versions.push(Version { hash, place, stored });
            }
        }
        Ok(versions)
    }

    fn whole(&self, path: &str, text: String) -> Option<Stored> {
        let stored = Stored::parse(path, text.into_bytes(), &self.settings.kinds).ok()?;
        let is_whole =
            stored.problems.is_empty() && self.care().missing_in(&stored, true).is_none();
        is_whole.then_some(stored)
    }

    /// Puts a version back where a file is gone or has lost what it said. What still says something
    /// is changed by `update` and `undo`, which keep its history in order.
    pub fn restore_version(&self, name: &str, version: &str) -> WriteResult<'a, Written> {
        write::refuse_path(name)?;
        let id = MemoryId::parse(name)?;
        self.write(&mut || {
            let events = self.vault.events_of(id.as_str())?;
            let raw = self.vault.find_raw(&id)?;
            let last = events.iter().rev().map(|event| &event.path).find(|path| !path.is_empty());
            let path = match (&raw, last) {
                (Some(raw), _) => raw.path.clone(),
                (None, Some(path))
                    if id_of_path(path).as_ref() == Some(&id) && self.is_home(path) =>
                {
                    path.clone()
                }
                _ => return Err(self.not_found(name)?.into()),
            };
            let version = self.version(&id, &path, version)?;
            if raw.is_some() {
                self.refuse_whole(&id, &path, &version)?;
            }
            let short = version.hash.short();
            let (written, file) = self.put_back(version, raw.map(|raw| raw.hash), &events)?;
            let mut event = self.file_event(EventType::Updated, &written.memory, &file);
            event.reason = format!("restored version {short}");
            Ok((written, Plan::one(file, event)))
        })
    }

    fn refuse_whole(&self, id: &MemoryId, path: &str, version: &Version) -> Result<()> {
        // A file that can't be read is what a version is restored for.
        let Some(stored) = self.readable_at(path)? else { return Ok(()) };
        // So is one that lost its end: nothing of it is replaced.
        let is_cut = cut_in(&version.stored.text, &stored.text).is_some();
        if is_cut || self.care().missing_in(&stored, true).is_some() {
            return Ok(());
        }
        let message = format!("`{id}` says something, and a version would replace it");
        let steps = [NextStep::Edit(id.to_string()), NextStep::Undo];
        let hint =
            Hint::with_steps("change it with {}, or take the last write back with {}", steps);
        refuse(Code::State, message, hint)
    }

    fn version(&self, id: &MemoryId, path: &str, wanted: &str) -> Result<Version> {
        let versions = self.versions(id, path)?;
        let shown: Vec<String> =
            versions.iter().map(|version| format!("`{}`", version.hash.short())).collect();
        let wanted = wanted.trim().to_ascii_lowercase();
        let mut found: Vec<Version> = versions
            .into_iter()
            .filter(|version| !wanted.is_empty() && version.hash.to_string().starts_with(&wanted))
            .collect();
        if found.len() == 1 {
            return Ok(found.remove(0));
        }
        let hint = match shown.as_slice() {
            [] => format!("`git log -- .oldhand/{path}` may have one"),
            shown => format!("name one of {}", shown.join(", ")),
        };
        let (code, message) = if found.is_empty() {
            (Code::NotFound, format!("there is no version `{wanted}` of `{id}` here"))
        } else {
            (Code::Ambiguous, format!("`{wanted}` begins several versions of `{id}`"))
        };
        refuse(code, message, hint)
    }

    /// The version as a write. Its words come back, and not the state that it was in: what has been
    /// decided about the memory since still holds.
    fn put_back(
        &self,
        version: Version,
        before: Option<ContentHash>,
        events: &[Event],
    ) -> Result<(Written, FileWrite)> {
        let stored = version.stored;
        self.need_person("restore a version of", &stored.memory)?;
        write::refuse_secret("text", &stored.text)?;
        refuse_large(&stored.text)?;
        let mut memory = stored.memory.clone();
        let ours = |event: &&Event| event.event_type != EventType::Adopted;
        let state = events.iter().rev().filter(ours).find_map(|event| event.to);
        memory.state = state.unwrap_or(memory.state);
        self.refuse_contradiction(&memory)?;
        let mut file = if memory.state == stored.memory.state {
            file_of(&stored.path, memory.clone(), before, stored.text.clone())
        } else {
            self.rewritten(&stored, memory.clone())?
        };
        file.before = before;
        Ok((Written::new(Action::Updated, memory, &file), file))
    }

    /// While it was gone nothing could be compared with it.
    fn refuse_contradiction(&self, memory: &Memory) -> Result<()> {
        if !memory.is_active() {
            return Ok(());
        }
        let Some(other) = self.gate().first_conflict(memory)? else { return Ok(()) };
        let other = &other.memory.id;
        let message = format!("`{}` would contradict `{other}`, which came after it", memory.id);
        let step = NextStep::Retire(other.to_string());
        let hint = Hint::with_steps("{} first, if the restored one is to hold", [step]);
        refuse(Code::State, message, hint)
    }
}

/// The hashes that a memory had, the newest first, each once.
fn logged(events: &[Event]) -> Vec<ContentHash> {
    let mut hashes = Vec::new();
    for event in events.iter().rev() {
        for hash in [&event.after, &event.before].into_iter().flatten() {
            if let Some(hash) = ContentHash::parse(hash).filter(|hash| !hashes.contains(hash)) {
                hashes.push(hash);
            }
        }
    }
    hashes
}
