//! Opening what recall looks into: the project's store, those beside it, and the index of all.

use oldhand_app::Engine;
use oldhand_app::recall::{Recalled, Request};
use oldhand_app::sessions::{Receipt, Sessions};
use oldhand_core::recall::bundle::Bundle;
use oldhand_store::failure::StoreError;
use oldhand_store::index::Embedder;
use oldhand_store::layout::Layout;
use oldhand_store::port::index::Index;

use crate::config::Resolved;
use crate::desk::Desk;
use crate::desk::ground::{Beside, Pace, ReadingOf, ReadingPlace, SharedSessions};
use crate::failure::Fail;
use crate::meaning;

pub struct Reading<'a> {
    pub engine: &'a Engine<'a>,
    pub index: &'a dyn Index,
    pub sessions: Option<SharedSessions<'a>>,
    pub is_trusted: bool,
}

impl Reading<'_> {
    pub fn recall(&self, request: &Request) -> Result<Recalled, Fail> {
        Ok(self.engine.memories().recall_by_intent(self.index, request)?)
    }

    /// Best effort for most callers: an answer is worth as much without its receipt.
    pub fn leave_receipt(
        &self,
        (session, task): (Option<&str>, Option<&str>),
        (query, paths): (&str, &[String]),
        bundle: &Bundle,
    ) -> Result<(), StoreError> {
        let Some(sessions) = &self.sessions else { return Ok(()) };
        let (at, by) = (self.engine.now, self.engine.by);
        sessions.leave_receipt(&Receipt { at, session, task, by, query, paths, bundle })
    }
}

impl Desk<'_> {
    pub fn read<T>(&self, job: impl FnOnce(&Reading<'_>) -> Result<T, Fail>) -> Result<T, Fail> {
        let pace = match self.lasting {
            None => Pace::Once,
            Some(lasting) if lasting.embeds_aside => Pace::Aside,
            Some(_) => Pace::Often,
        };
        let layout = self.ready_layout()?;
        let resolved = self.settled(&layout)?;
        self.read_in(layout, &resolved, pace, job)
    }

    /// In that store, and in those beside it.
    pub fn read_in<T>(
        &self,
        layout: Layout,
        resolved: &Resolved,
        pace: Pace,
        job: impl FnOnce(&Reading<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        let meaning = meaning::open(resolved.model());
        let (beside, cache) = (self.beside(&layout), self.cache_folder(&layout));
        let place = ReadingPlace { layout, beside, cache, resolved, pace };
        self.read_at(place, meaning.as_ref().map(|it| it as &dyn Embedder), job)
    }

    /// The user's own store, where there is one, and the copies of stores above that count there.
    pub fn beside(&self, layout: &Layout) -> Vec<Beside> {
        let own = self.made_user_layout().filter(|own| own.root != layout.root);
        let own = own.map(|layout| Beside { layout, is_own: true, above: String::new() });
        let mirrors = self.mirrors_beside(layout).into_iter().map(|mirror| {
            let above = mirror.label();
            Beside { layout: mirror.layout, is_own: false, above }
        });
        own.into_iter().chain(mirrors).collect()
    }

    pub fn read_at<T>(
        &self,
        place: ReadingPlace<'_>,
        meaning: Result<&dyn Embedder, &String>,
        job: impl FnOnce(&Reading<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        let resolved = place.resolved;
        let sessions = self.ground.sessions(self, &place.layout);
        let is_trusted = resolved.trust.is_trusted();
        let (by, via, is_person) = (self.by(resolved), self.via(), self.is_person()?);
        let (mut job, mut done) = (Some(job), None);
        self.ground.read(self, &place, meaning, &mut |ReadingOf { place, index }| {
            let engine = self.engine(place, resolved, (&by, &via, is_person));
            let sessions = sessions.clone();
            let reading = Reading { engine: &engine, index, sessions, is_trusted };
            done = job.take().map(|job| job(&reading));
        })?;
        done.expect("a ground calls its job before it returns")
    }
}
