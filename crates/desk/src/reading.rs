//! Opening what recall looks into: the project's store, the user's own beside it, and the index of
//! both.

use std::path::PathBuf;

use oldhand_app::Engine;
use oldhand_app::recall::{Recalled, Request};
use oldhand_app::sessions::{Receipt, Sessions};
use oldhand_core::recall::bundle::Bundle;
use oldhand_store::index::{CheckPolicy, Embedder, IndexOpening, LocalIndex, Opened};
use oldhand_store::layout::Layout;

use oldhand_store::session::FileSessions;

use crate::config::Resolved;
use crate::desk::Desk;
use crate::failure::Fail;
use crate::meaning;

/// Memories without vectors that one command embeds on its way.
const FILL_MAX: usize = 32;
/// The same where somebody waits who can't.
const QUICK_FILL_MAX: usize = 8;

pub struct Reading<'a> {
    pub engine: &'a Engine<'a>,
    pub index: &'a LocalIndex<'a>,
    pub sessions: Option<FileSessions<'a>>,
    /// Whether the user stands for the store.
    pub is_trusted: bool,
}

pub struct ReadingPlace<'a> {
    pub layout: Layout,
    pub beside: Option<Layout>,
    pub cache: Option<PathBuf>,
    pub resolved: &'a Resolved,
    pub pace: Pace,
}

/// How much is compared and made good on the way of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Once,
    /// One of many answers of this process.
    Often,
    /// Somebody waits who can't.
    Quick,
}

impl Reading<'_> {
    pub fn recall(&self, request: &Request) -> Result<Recalled, Fail> {
        Ok(self.engine.memories().recall_by_intent(self.index, request)?)
    }

    /// Best effort: the answer is worth as much without it.
    pub fn leave_receipt(
        &self,
        (session, task): (Option<&str>, Option<&str>),
        (query, paths): (&str, &[String]),
        bundle: &Bundle,
    ) {
        let (at, by) = (self.engine.now, self.engine.by);
        if let Some(sessions) = &self.sessions {
            let receipt = Receipt { at, session, task, by, query, paths, bundle };
            let _ = sessions.leave_receipt(&receipt);
        }
    }
}

impl Desk<'_> {
    pub fn read<T>(&self, job: impl FnOnce(&Reading<'_>) -> Result<T, Fail>) -> Result<T, Fail> {
        let pace = if self.lasting.is_some() { Pace::Often } else { Pace::Once };
        let layout = self.layout()?;
        if self.flags.global {
            self.make_user_store(&layout)?;
        }
        let own = self.own_beside(&layout);
        let resolved = self.settled(&layout)?;
        let meaning = meaning::open(resolved.model());
        let cache = self.cache_folder(&layout);
        let place = ReadingPlace { layout, beside: own, cache, resolved: &resolved, pace };
        self.read_at(place, meaning.as_ref().map(|it| it as &dyn Embedder), job)
    }

    /// The user's own store, where there is one beside that.
    pub fn own_beside(&self, layout: &Layout) -> Option<Layout> {
        self.made_user_layout().filter(|own| own.root != layout.root)
    }

    /// In that store, and in another one beside it.
    pub fn read_at<T>(
        &self,
        place: ReadingPlace<'_>,
        meaning: Result<&dyn Embedder, &String>,
        job: impl FnOnce(&Reading<'_>) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        let ReadingPlace { layout, beside, cache, resolved, pace } = place;
        let mut check = resolved.program.check;
        match pace {
            Pace::Once => {}
            Pace::Often => check.window = CheckPolicy::OFTEN_WINDOW,
            Pace::Quick => check.window = CheckPolicy::SMALL_WINDOW,
        }
        let (embedder, why_no_meaning) = match meaning {
            Ok(meaning) => (Some(meaning), String::new()),
            Err(why) => (None, why.clone()),
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
            embedder,
            why_no_meaning,
            fill_max: if pace == Pace::Quick { QUICK_FILL_MAX } else { FILL_MAX },
            build_max: usize::MAX,
            trust: &resolved.settings.trust,
            check,
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
            now: self.now,
        };
        let is_trusted = !is_doubted;
        job(&Reading { engine: &engine, index: &index, sessions, is_trusted })
    }
}
