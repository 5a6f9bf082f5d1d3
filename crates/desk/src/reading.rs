//! Opening what recall looks into: the project's store, the user's own beside it, and the index of
//! both.

use std::path::PathBuf;

use oldhand_app::Engine;
use oldhand_app::recall::{Recalled, Request};
use oldhand_app::sessions::{Receipt, Sessions};
use oldhand_core::recall::bundle::Bundle;
use oldhand_store::failure::StoreError;
use oldhand_store::index::{CheckPolicy, Embedder, IndexOpening, LocalIndex, Opened};
use oldhand_store::layout::Layout;
use oldhand_store::session::FileSessions;

use crate::config::Resolved;
use crate::desk::Desk;
use crate::failure::Fail;
use crate::meaning;

/// Memories without vectors that one command embeds on its way.
const FILL_MAX: usize = 32;
/// The same in a hook.
const QUICK_FILL_MAX: usize = 8;

pub struct Reading<'a> {
    pub engine: &'a Engine<'a>,
    pub index: &'a LocalIndex<'a>,
    pub sessions: Option<FileSessions<'a>>,
    pub is_trusted: bool,
}

pub struct ReadingPlace<'a> {
    pub layout: Layout,
    pub beside: Option<Layout>,
    pub cache: Option<PathBuf>,
    pub resolved: &'a Resolved,
    pub pace: Pace,
}

/// How much one answer may compare and embed on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Once,
    /// One of many answers of this process.
    Often,
    /// The same, where the process embeds between its answers.
    Aside,
    /// A hook.
    Quick,
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

    /// In that store, and in the user's own beside it.
    pub fn read_in<T>(
        &self,
        layout: Layout,
        resolved: &Resolved,
        pace: Pace,
        job: impl FnOnce(&Reading<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        let meaning = meaning::open(resolved.model());
        let (beside, cache) = (self.own_beside(&layout), self.cache_folder(&layout));
        let place = ReadingPlace { layout, beside, cache, resolved, pace };
        self.read_at(place, meaning.as_ref().map(|it| it as &dyn Embedder), job)
    }

    /// The user's own store, where there is one beside that.
    pub fn own_beside(&self, layout: &Layout) -> Option<Layout> {
        self.made_user_layout().filter(|own| own.root != layout.root)
    }

    pub fn read_at<T>(
        &self,
        place: ReadingPlace<'_>,
        meaning: Result<&dyn Embedder, &String>,
        job: impl FnOnce(&Reading<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        let ReadingPlace { layout, beside, cache, resolved, pace } = place;
        let window = match pace {
            Pace::Once => resolved.program.check.window,
            Pace::Often | Pace::Aside => CheckPolicy::OFTEN_WINDOW,
            Pace::Quick => CheckPolicy::SMALL_WINDOW,
        };
        let open = |layout: &Layout| self.vault(layout.clone(), resolved);
        let beside_vault = beside.as_ref().map(open).transpose()?;
        let sessions = self.sessions_of(self.state_folder(&layout));
        let is_own = self.user_layout().is_ok_and(|own| own.root == layout.root);
        let vault = open(&layout)?;
        let is_doubted = !resolved.trust.is_trusted();
        let mut vaults = vec![Opened { vault: &vault, cache, is_own, is_doubted }];
        if let Some((vault, layout)) = beside_vault.as_ref().zip(beside) {
            let cache = self.cache_folder(&layout);
            vaults.push(Opened { vault, cache, is_own: true, is_doubted: false });
        }
        let index = LocalIndex::open(IndexOpening {
            vaults,
            embedder: meaning.ok(),
            why_no_meaning: meaning.err().cloned().unwrap_or_default(),
            fill_max: match pace {
                Pace::Once | Pace::Often => FILL_MAX,
                Pace::Aside => 0,
                Pace::Quick => QUICK_FILL_MAX,
            },
            build_max: usize::MAX,
            trust: &resolved.settings.trust,
            check: CheckPolicy { window, ..resolved.program.check },
            warm: self.lasting.map(|it| &it.warm),
        })?;
        let code = self.repository(&layout);
        let (by, via) = (self.by(resolved), self.via());
        let engine = Engine {
            vault: &vault,
            code: &code,
            nearby: None,
            settings: &resolved.settings,
            by: &by,
            via: &via,
            is_person: self.is_person()?,
            is_preview: false,
            batch: None,
            seen: None,
            now: self.now,
        };
        job(&Reading { engine: &engine, index: &index, sessions, is_trusted: !is_doubted })
    }
}
