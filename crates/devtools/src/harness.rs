//! The recall that people get, on scratch stores.

use std::collections::BTreeSet;

use jiff::Timestamp;
use oldhand_desk::config::Resolved;
use oldhand_desk::desk::{Desk, GlobalFlags};
use oldhand_desk::env::Env;
use oldhand_desk::evaluate::Recaller;
use oldhand_desk::files::Files;
use oldhand_store::index::Embedder;

pub(crate) struct Harness<'a> {
    desk: Desk<'a>,
    resolved: Resolved,
}

impl<'a> Harness<'a> {
    /// The user's settings, with `KEY=VALUE` overrides.
    pub(crate) fn new(
        env: &'a Env<'a>,
        now: Timestamp,
        overrides: Vec<String>,
    ) -> Result<Self, String> {
        let flags = GlobalFlags { overrides, ..GlobalFlags::default() };
        let desk = Desk { env, flags, now, host: None, lasting: None, ground: &Files };
        let resolved = desk.resolve(None).map_err(|fail| fail.message())?;
        Ok(Self { desk, resolved })
    }

    /// The setting `recall.model`.
    pub(crate) fn model(&self) -> &str {
        self.resolved.model()
    }

    /// `is_quick` asks as a hook does, which can't wait.
    pub(crate) fn recaller<'h>(
        &'h self,
        meaning: Result<&'h dyn Embedder, &'h String>,
        is_quick: bool,
    ) -> Recaller<'h> {
        let (desk, resolved) = (&self.desk, &self.resolved);
        Recaller { desk, resolved, meaning, is_quick, is_scratch: true, ready: BTreeSet::new() }
    }
}
