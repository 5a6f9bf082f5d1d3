//! Taking back the last write: what it replaced is kept, and put back by another write.

use oldhand_core::codec::markdown::{self, Origin as At};
use oldhand_core::event::{Event, EventType};
use oldhand_core::hash::ContentHash;
use oldhand_core::memory::MemoryId;
use oldhand_core::refusal::{Code, Refusal};

use crate::failure::Failure;
use crate::port::{FileWrite, Plan};
use crate::{Done, Engine};

#[derive(Debug, Clone)]
pub struct Undone {
    /// What was taken back, one line a memory.
    pub steps: Vec<String>,
}

impl<'a> Engine<'a> {
    pub fn undo(&self) -> Result<Done<'a, Undone>, Failure> {
        self.write(&mut || {
            let events = self.vault.events()?;
            let last = events.iter().rev().find(|event| !event.write.is_empty());
            let Some(last) = last else {
                return Err(Refusal::new(Code::NotFound, "there is nothing to undo")
                    .with_hint("`oldhand list` shows what there is")
                    .into());
            };
            if last.event_type == EventType::Adopted {
                let message = format!("the last change, of `{}`, was made by hand", last.memory);
                return Err(Refusal::new(Code::State, message)
                    .with_hint(
                        "take it back in your editor or with git; undo knows only its own writes",
                    )
                    .into());
            }
            let mut plan = Plan::default();
            let mut steps = Vec::new();
            for event in events.iter().filter(|event| event.write == last.write) {
                if let Some((file, undone, step)) = self.take_back(event)? {
                    plan.files.push(file);
                    plan.events.push(undone);
                    steps.push(step);
                }
            }
            Ok((Undone { steps }, plan))
        })
    }

    fn take_back(&self, event: &Event) -> Result<Option<(FileWrite, Event, String)>, Failure> {
        if event.before.is_none() && event.after.is_none() {
            return Ok(None);
        }
        let gone = |hash: &str| {
            let message =
                format!("the version {} of `{}` is no longer kept here", short(hash), event.memory);
            Refusal::new(Code::NotFound, message)
                .with_hint("git may still have it: `git log -- .oldhand`")
        };
        let text = match &event.before {
            Some(hash) => Some(self.vault.kept(hash)?.ok_or_else(|| gone(hash))?),
            None => None,
        };
        let id = MemoryId::parse(&event.memory)?;
        let memory = text.as_deref().and_then(|text| {
            let folder = event.path.split('/').next().unwrap_or_default();
            let at = At { stem: id.as_str(), folder };
            markdown::parse(text, at, &self.settings.kinds).ok().map(|parsed| parsed.memory)
        });
        let mut undone = Event::new(EventType::Undone, &event.memory, self.now);
        undone.by = self.by.to_owned();
        undone.path.clone_from(&event.path);
        undone.before.clone_from(&event.after);
        undone.after.clone_from(&event.before);
        undone.from = event.to;
        undone.to = event.from;
        undone.reason = format!("took back: {}", event.event_type);
        let step = format!("{} `{}`", describe(event), event.memory);
        let file = FileWrite {
            path: event.path.clone(),
            id,
            before: event.after.as_deref().and_then(ContentHash::parse),
            after: text,
            memory,
        };
        let now = self.vault.find(&file.id)?.map(|stored| stored.hash);
        if now != file.before {
            let message =
                format!("`{}` was changed since by hand, and undo would lose that", event.memory);
            return Err(Refusal::new(Code::State, message)
                .with_hint(format!(
                    "look at it with `oldhand show {}`; `oldhand update` changes it back",
                    event.memory
                ))
                .into());
        }
        if !file.is_inside() {
            // The log comes with the repository, and anybody may have written this line.
            let message = format!("the log names a file outside of the store: `{}`", file.path);
            return Err(Refusal::new(Code::Path, message)
                .with_hint("look at the last lines of `events/` before you go on")
                .into());
        }
        Ok(Some((file, undone, step)))
    }
}

fn describe(event: &Event) -> &'static str {
    match event.event_type {
        EventType::Created => "took back the creation of",
        EventType::Moved => "took back the move of",
        EventType::Undone if event.after.is_none() => "brought back",
        EventType::Undone if event.before.is_none() => "took back again the creation of",
        EventType::Undone => "changed again what was undone of",
        EventType::Collected => "brought back the collected",
        _ => "took back the last change of",
    }
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}
