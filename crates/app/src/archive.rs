//! Does anything still rest on a memory? Asked before it is archived, and of what is archived
//! (R119, R124, R154).

use oldhand_core::lifecycle::Standing;

use crate::context::Lifecycle;
use crate::prelude::*;

/// How many places an answer names.
const PLACES_MAX: usize = 5;
/// Shorter names are everywhere.
const NAME_CHARS_MIN: usize = 4;

impl Lifecycle<'_> {
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
        if let Standing::Referenced(more) = self.references(memory) {
            places.extend(more);
        }
        named(places)
    }

    /// Code and documents that name it, or what its constraints are about.
    pub(crate) fn references(&self, memory: &Memory) -> Standing {
        let mut words = vec![memory.id.to_string()];
        let is_telling = |word: &&String| word.chars().count() >= NAME_CHARS_MIN;
        words.extend(memory.aliases.iter().filter(is_telling).cloned());
        words.extend(constrained_names(memory).iter().filter(is_telling).cloned());
        named(self.code.mentions(&words))
    }
}

fn named(mut places: Vec<String>) -> Standing {
    places.sort();
    places.dedup();
    places.truncate(PLACES_MAX);
    if places.is_empty() { Standing::Unreferenced } else { Standing::Referenced(places) }
}

/// What constraints name as code: the words between backticks.
fn constrained_names(memory: &Memory) -> Vec<String> {
    let mut texts: Vec<&str> =
        memory.content.list("constraints").iter().map(String::as_str).collect();
    if memory.kind == Kind::Constraint {
        texts.extend(memory.content.text("rule"));
    }
    texts
        .iter()
        .flat_map(|text| text.split('`').skip(1).step_by(2))
        .filter(|name| !name.contains(['\n', '`']) && !name.trim().is_empty())
        .map(|name| name.trim().to_owned())
        .collect()
}
