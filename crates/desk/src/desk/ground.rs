//! What a desk stands on: where its stores are, and how whoever asks is known. Files of this machine are one ground
//! (`files`); a server of many people stands on a database. Commands, tools and pages know the desk alone.

use std::path::PathBuf;
use std::sync::Arc;

use oldhand_app::Above;
use oldhand_core::actor::Via;
use oldhand_store::index::Embedder;
use oldhand_store::layout::Layout;
use oldhand_store::locate::Located;
use oldhand_store::port::index::Index;
use oldhand_store::port::session::SessionStore;
use oldhand_store::port::{CodeTree, Nearby, Vault};

use super::Desk;
use crate::config::Resolved;
use crate::failure::Fail;

/// What is known of the sessions of one store.
pub type SharedSessions<'a> = Arc<dyn SessionStore + 'a>;

/// What a ground knows about one store while somebody works in it.
#[derive(Clone, Copy)]
pub struct OpenedStore<'p> {
    pub vault: &'p dyn Vault,
    pub code: &'p dyn CodeTree,
    pub nearby: Option<&'p dyn Nearby>,
    pub above: &'p [Above<'p>],
}

/// The same with the index of all stores that an answer looks into.
pub struct ReadingOf<'p> {
    pub place: OpenedStore<'p>,
    pub index: &'p dyn Index,
}

/// A store that is read beside the one that is asked.
pub struct Beside {
    pub layout: Layout,
    /// The user's own, of all projects.
    pub is_own: bool,
    /// The team's or organisation's, as people read it; empty for the own.
    pub above: String,
}

pub struct ReadingPlace<'a> {
    pub layout: Layout,
    pub beside: Vec<Beside>,
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

/// A layout names a store; only where stores are files do its paths lead anywhere. Jobs are called at most once.
pub trait Ground {
    /// Whether a layout's paths lead to files of this machine.
    fn has_files(&self) -> bool;

    /// The store that is meant, or where one would be.
    fn located(&self, desk: &Desk<'_>) -> Result<Located, Fail>;
    /// The caller's own store, of all projects, made or not.
    fn own(&self, desk: &Desk<'_>) -> Result<Layout, Fail>;
    fn is_made(&self, desk: &Desk<'_>, layout: &Layout) -> Result<bool, Fail>;
    /// Makes the caller's own store where it is missing.
    fn make_own(&self, desk: &Desk<'_>, own: &Layout) -> Result<(), Fail>;

    /// The settings for a store, or without one.
    fn resolve(&self, desk: &Desk<'_>, layout: Option<&Layout>) -> Result<Resolved, Fail>;
    /// The same, worked out again only when something has changed.
    fn settled(&self, desk: &Desk<'_>, layout: &Layout) -> Result<Arc<Resolved>, Fail>;

    /// How whoever asks is known, whatever name they give.
    fn via(&self, desk: &Desk<'_>) -> Via;
    fn by(&self, desk: &Desk<'_>, resolved: &Resolved) -> String;

    /// None where nothing is kept about sessions.
    fn sessions<'a>(&self, desk: &Desk<'a>, layout: &Layout) -> Option<SharedSessions<'a>>;
    /// Two of them are two places of work.
    fn worktree(&self, desk: &Desk<'_>) -> PathBuf;
    /// The branch that is checked out, where there is one.
    fn branch(&self, desk: &Desk<'_>, layout: &Layout) -> Option<String>;
    /// Another word whenever something may have changed in the store.
    fn stamp(&self, desk: &Desk<'_>, layout: &Layout) -> String;

    /// What was decided about a memory and is not in its repository yet, where a store is a server's copy of one.
    fn waiting_for(&self, _: &Layout, _id: &str) -> Result<Vec<String>, Fail> {
        Ok(Vec::new())
    }

    fn work(
        &self,
        desk: &Desk<'_>,
        layout: &Layout,
        resolved: &Resolved,
        job: &mut dyn FnMut(OpenedStore<'_>),
    ) -> Result<(), Fail>;
    fn read(
        &self,
        desk: &Desk<'_>,
        place: &ReadingPlace<'_>,
        meaning: Result<&dyn Embedder, &String>,
        job: &mut dyn FnMut(ReadingOf<'_>),
    ) -> Result<(), Fail>;
}
