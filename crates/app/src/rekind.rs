//! Another kind for a memory that was filed wrongly: its file goes to the folder of that kind, its
//! name and its history stay.

use crate::context::Writing;
use crate::prelude::*;
use crate::update::{UpdateRequest, refuse_stale};
use crate::written::{Action, Written};

impl<'a> Writing<'a> {
    /// As `update`, with another kind.
    pub fn change_kind(
        &self,
        request: &UpdateRequest<'_>,
        kind: &Kind,
    ) -> WriteResult<'a, Written> {
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
    ) -> Decided<Written> {
        let old = &stored.memory;
        self.need_person("change the kind of", old)?;
        if !stored.problems.is_empty() {
            return Err(Refusal::invalid(stored.problems.clone()).into());
        }
        let mut new = write::rekind(old, kind, draft, self.writer(old.origin))?;
        self.bind(&mut new);
        self.record_seen(&mut new);
        if self.gate().binds(&new) {
            self.life().refuse_clash(&new, &format!("make `{}` a {kind}", new.id))?;
        }
        let (files, path) = self.plan_kind(stored, &new)?;
        let file = files.last().expect("the memory is written");
        let mut event = self.file_event(EventType::Updated, &new, file);
        event.fields = vec!["type".to_owned()];
        event.reason = match reason {
            "" => format!("from {} to {kind}", old.kind),
            reason => reason.to_owned(),
        };
        event.before = Some(stored.hash.to_string());
        if path != stored.path {
            event.moved_from.clone_from(&stored.path);
        }
        let written = Written::new(Action::Updated, new, &path, file.hash());
        Ok((written, Plan { files, events: vec![event] }))
    }

    /// The file as it will be, in the folder of the new kind; a candidate stays where it waits.
    fn plan_kind(&self, stored: &Stored, new: &Memory) -> Result<(Vec<FileWrite>, String)> {
        let spec = self.settings.kinds.spec(&new.kind);
        let path = format!("{}/{}.md", new.folder(&spec.folder), new.id);
        let file = file_of(&path, new.clone(), Some(stored.hash), self.rendered(new)?);
        if path == stored.path {
            return Ok((vec![file], path));
        }
        self.refuse_over_cap(&spec, &[])?;
        let leaving = FileWrite::removal(&stored.path, &new.id, stored.hash);
        Ok((vec![leaving, FileWrite { before: None, ..file }], path))
    }
}
