//! Another kind for a memory that was filed wrongly: its file goes to the folder of that kind, its
//! name and its history stay.

use crate::context::Writing;
use crate::prelude::*;
use crate::update::UpdateRequest;
use crate::written::{Action, Written};

impl Writing<'_> {
    pub(crate) fn decide_kind(
        &self,
        stored: &Stored,
        kind: &Kind,
        request: &UpdateRequest<'_>,
        draft: &Draft,
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
        let files = self.plan_kind(stored, &new)?;
        let file = files.last().expect("the memory is written");
        let reason = request.summary.filter(|it| !it.is_empty()).map(str::to_owned);
        let mut event = Event {
            fields: vec!["type".to_owned()],
            reason: reason.unwrap_or_else(|| format!("from {} to {kind}", old.kind)),
            ..self.file_event(EventType::Updated, &new, file)
        };
        event.before = Some(stored.hash.to_string());
        if file.path != stored.path {
            event.moved_from.clone_from(&stored.path);
        }
        let written = Written::new(Action::Updated, new, file);
        Ok((written, Plan { files, events: vec![event] }))
    }

    /// The file as it will be, in the folder of the new kind; a candidate stays where it waits.
    fn plan_kind(&self, stored: &Stored, new: &Memory) -> Result<Vec<FileWrite>> {
        let spec = self.settings.kinds.spec(&new.kind);
        let path = format!("{}/{}.md", new.folder(&spec.folder), new.id);
        let file = file_of(&path, new.clone(), Some(stored.hash), self.rendered(new)?);
        if path == stored.path {
            return Ok(vec![file]);
        }
        self.refuse_over_cap(&spec, &[])?;
        let leaving = FileWrite::removal(&stored.path, &new.id, stored.hash);
        Ok(vec![leaving, FileWrite { before: None, ..file }])
    }
}
