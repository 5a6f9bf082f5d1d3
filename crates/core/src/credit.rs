//! Signs that a memory was used in a piece of work. Serving it is not one.

use crate::memory::Memory;
use crate::recall::card::ancestors;
use oldhand_text::table::has_word;

#[derive(Debug, Clone, Copy, Default)]
pub struct Signs<'a> {
    /// Files that were changed, or folders where the work was.
    pub paths: &'a [String],
    /// What was said about it: who names a memory has used it.
    pub words: &'a [String],
    pub commands: &'a [String],
}

impl Signs<'_> {
    /// Named by its id, its path touched, or its command run.
    pub fn show_use_of(&self, memory: &Memory) -> bool {
        self.names(memory) || self.touches(memory) || self.runs(memory)
    }

    /// It is about places, and the work was in others: it has no part in what failed there (R212).
    pub fn are_elsewhere(&self, memory: &Memory) -> bool {
        !self.paths.is_empty() && !memory.paths().is_empty() && !self.touches(memory)
    }

    fn names(&self, memory: &Memory) -> bool {
        let is_said = |name: &str| self.words.iter().any(|text| has_word(text, name));
        is_said(memory.id.as_str()) || memory.aliases.iter().any(|alias| is_said(alias))
    }

    fn touches(&self, memory: &Memory) -> bool {
        let holds = |a: &str, b: &str| ancestors(a).any(|above| above == b.trim_end_matches('/'));
        let meets = |own: &str| self.paths.iter().any(|path| holds(own, path) || holds(path, own));
        memory.paths().into_iter().any(meets)
    }

    fn runs(&self, memory: &Memory) -> bool {
        let texts: Vec<String> = memory.content.iter().map(|(_, value)| value.plain()).collect();
        let spans: Vec<&str> =
            texts.iter().flat_map(|text| text.split('`').skip(1).step_by(2)).collect();
        self.commands.iter().any(|run| {
            let is_said = is_telling(run) && texts.iter().any(|text| has_word(text, run));
            is_said || spans.iter().any(|span| is_telling(span) && has_word(run, span.trim()))
        })
    }
}

/// One word is a name that many commands share, as `cargo`.
fn is_telling(command: &str) -> bool {
    command.split_whitespace().nth(1).is_some()
}

#[cfg(test)]
mod tests;
