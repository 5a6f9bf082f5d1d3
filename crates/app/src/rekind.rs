//! Another kind for a memory that was filed wrongly: its file goes to the folder of that kind, its
//! name and its history stay.

use oldhand_core::codec::markdown;
use oldhand_core::draft::Draft;
use oldhand_core::event::EventType;
use oldhand_core::kind::Kind;
use oldhand_core::memory::Memory;
use oldhand_core::refusal::{Code, Refusal};
use oldhand_core::write;

use crate::update::{UpdateRequest, refuse_stale};
use crate::written::{Action, Written};
use crate::{Done, Engine, chain, refuse_large};
use oldhand_store::failure::Failure;
use oldhand_store::port::{FileWrite, Plan, RawFile, Stored};

impl<'a> Engine<'a> {
    /// As `update`, with another kind.
    pub fn change_kind(
        &self,
        request: &UpdateRequest<'_>,
        kind: &Kind,
    ) -> Result<Done<'a, Written>, Failure> {
        self.write(&mut || {
            let stored = self.get(request.name)?;
            refuse_stale(&RawFile::of(&stored), request.if_match)?;
            let mut draft = request.draft.clone();
            draft.kind = None;
            if request.grow {
                crate::update::grow_lists(&mut draft, &stored.memory);
            }
            if stored.memory.kind == *kind {
                return self.decide_update(&stored, &draft, request.summary);
            }
            self.decide_kind(&stored, kind, &draft, request.summary.unwrap_or_default())
        })
    }

    fn decide_kind(
        &self,
        stored: &Stored,
        kind: &Kind,
        draft: &Draft,
        reason: &str,
    ) -> Result<(Written, Plan), Failure> {
        let old = &stored.memory;
        self.need_person("change the kind of", old)?;
        if !stored.problems.is_empty() {
            return Err(Refusal::invalid(stored.problems.clone()).into());
        }
        let mut new = write::rekind(old, kind, draft, self.writer(old.origin))?;
        self.bind(&mut new);
        self.record_seen(&mut new);
        if self.binds(&new) {
            self.refuse_clash(&new, &format!("make `{}` a {kind}", new.id))?;
        }
        let (files, path) = self.plan_kind(stored, &new)?;
        let mut event = self.event(EventType::Updated, &new, &path);
        event.fields = vec!["type".to_owned()];
        event.reason = match reason {
            "" => format!("from {} to {kind}", old.kind),
            reason => reason.to_owned(),
        };
        let file = files.last().expect("the memory is written");
        chain(&mut event, file);
        event.before = Some(stored.hash.to_string());
        if path != stored.path {
            event.moved_from.clone_from(&stored.path);
        }
        let written = Written::new(Action::Updated, new, &path, file.hash());
        Ok((written, Plan { files, events: vec![event] }))
    }

    /// The file as it will be, in the folder of the new kind; a candidate stays where it waits.
    fn plan_kind(
        &self,
        stored: &Stored,
        new: &Memory,
    ) -> Result<(Vec<FileWrite>, String), Failure> {
        let spec = self.settings.kinds.spec(&new.kind);
        let path = format!("{}/{}.md", new.folder(&spec.folder), new.id);
        let text = markdown::render_checked(new, &self.settings.kinds).map_err(|error| {
            let message = format!("it could not be read back as it was meant: {error}");
            Refusal::new(Code::Validation, message).with_hint("nothing was written")
        })?;
        refuse_large(&text)?;
        let file = FileWrite {
            path: path.clone(),
            id: new.id.clone(),
            before: Some(stored.hash),
            after: Some(text),
            memory: Some(new.clone()),
        };
        if path == stored.path {
            return Ok((vec![file], path));
        }
        self.refuse_over_cap(&spec, &[])?;
        let leaving =
            FileWrite { path: stored.path.clone(), after: None, memory: None, ..file.clone() };
        Ok((vec![leaving, FileWrite { before: None, ..file }], path))
    }
}
