//! Does anything still rest on a memory? Asked before it is archived (R119, R124).

use oldhand_core::lifecycle::{Standing, marker};
use oldhand_core::memory::Memory;

use crate::Engine;

/// How many places an answer names.
const PLACES_MAX: usize = 5;

impl Engine<'_> {
    pub(crate) fn standing(&self, memory: &Memory) -> Standing {
        if let Some(marker) = marker(memory, self.now) {
            return Standing::Marked(marker);
        }
        let mut places: Vec<String> = memory
            .paths()
            .into_iter()
            .filter(|path| self.code.exists(path))
            .map(str::to_owned)
            .collect();
        let mut words = vec![memory.id.to_string()];
        words.extend(memory.aliases.iter().filter(|alias| alias.len() >= 4).cloned());
        places.extend(self.code.mentions(&words));
        places.sort();
        places.dedup();
        places.truncate(PLACES_MAX);
        if places.is_empty() { Standing::Unreferenced } else { Standing::Referenced(places) }
    }
}
