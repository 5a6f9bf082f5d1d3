//! `why`: the life of one memory, told from its events.

use oldhand_core::story;

use crate::context::Trail;
use crate::prelude::*;

#[derive(Debug, Clone)]
pub struct Story {
    pub stored: Stored,
    pub sentences: Vec<String>,
    pub signals: Signals,
    pub events: Vec<Event>,
}

impl Trail<'_> {
    pub fn story(&self, name: &str) -> Result<Story> {
        let stored = self.get(name)?;
        let events = self.vault.events_of(stored.memory.id.as_str())?;
        let signals = Signals::fold(&stored.memory, &events, &self.settings.trust);
        let life = story::Life {
            memory: &stored.memory,
            events: &events,
            signals: &signals,
            trust: &self.settings.trust,
            review_due: self.life_of(&stored.memory, &signals).review_due(),
            now: self.now,
        };
        let sentences = story::tell(&life);
        Ok(Story { stored, sentences, signals, events })
    }
}
