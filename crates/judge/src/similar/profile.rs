//! The words of a memory with what is known of each, read once so that comparing is cheap.

use oldhand_core::kind::Kind;
use oldhand_core::memory::Memory;
use oldhand_text::lexicon::choices::Member;

/// The order is compared up to here: until then a text has shown whether it is a copy.
pub(super) const ORDER_WORDS_MAX: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    pub(super) kind: Kind,
    /// Of a lesson: lessons of two types are never the same (R194).
    pub(super) lesson_type: Option<String>,
    /// Each word once, by key.
    pub(super) words: Vec<Word>,
    /// All words in their order.
    pub(super) order: Vec<u64>,
    pub(super) title_words: usize,
    /// What follows each word of direction: `from`, `to`, `before`.
    pub(super) directions: Vec<(u64, u64)>,
}

impl Profile {
    /// The title, and the fields that carry what a memory of this kind says.
    pub fn of_memory(memory: &Memory) -> Self {
        let content = &memory.content;
        let texts: Vec<String> = match telling_fields(&memory.kind) {
            Some(names) => {
                names.iter().filter_map(|name| Some(content.get(name)?.plain())).collect()
            }
            None => content.iter().map(|(_, value)| value.plain()).collect(),
        };
        let profile = Self::of_texts(&memory.kind, &memory.title, &texts);
        match content.text("lesson_type") {
            Some(lesson_type) => profile.with_lesson_type(lesson_type),
            None => profile,
        }
    }

    /// What is no memory yet. The type of a lesson is not known then, and any will do.
    pub fn of_text(kind: &Kind, title: &str, text: &str) -> Self {
        Self::of_texts(kind, title, &[text.to_owned()])
    }

    /// The same as a lesson of this type; other kinds have none.
    #[must_use]
    pub fn with_lesson_type(mut self, lesson_type: &str) -> Self {
        self.lesson_type = (self.kind == Kind::Lesson).then(|| lesson_type.to_owned());
        self
    }

    /// Of one kind and, for lessons, of one type (R194); a text without words is like no other.
    pub(super) fn is_comparable(&self, other: &Profile) -> bool {
        let types = self.lesson_type.as_ref().zip(other.lesson_type.as_ref());
        let is_one_type = types.is_none_or(|(one, other)| one == other);
        self.kind == other.kind && is_one_type && !self.words.is_empty() && !other.words.is_empty()
    }

    /// The words whose order is compared.
    pub(super) fn opening(&self) -> &[u64] {
        &self.order[..self.order.len().min(ORDER_WORDS_MAX)]
    }

    pub(super) fn title(&self) -> &[u64] {
        &self.opening()[..self.title_words.min(ORDER_WORDS_MAX)]
    }

    /// No function word, and said here.
    pub(super) fn tells(&self, key: u64) -> bool {
        self.find(key).is_some_and(|word| word.weight() > 0.0)
    }

    /// The words among these that say something, and that the other does not have.
    pub(super) fn news(&self, keys: &[u64], other: &Profile) -> Vec<&Word> {
        let new = keys.iter().filter(|key| other.find(**key).is_none());
        new.filter_map(|key| self.find(*key)).filter(|word| word.weight() > 0.0).collect()
    }

    pub(super) fn find(&self, key: u64) -> Option<&Word> {
        self.words.binary_search_by_key(&key, |word| word.key).ok().map(|at| &self.words[at])
    }
}

/// The fields that say what a rule is, not how it came about; `None` for all of them.
fn telling_fields(kind: &Kind) -> Option<&'static [&'static str]> {
    match kind {
        Kind::Decision => Some(&["decision"]),
        Kind::Constraint => Some(&["rule"]),
        Kind::Preference => Some(&["value"]),
        Kind::Runbook => Some(&["trigger", "steps"]),
        Kind::TechDebt => Some(&["description"]),
        Kind::Lesson => Some(&["summary", "guidance"]),
        Kind::SessionSummary => Some(&["goal", "completed", "next_actions"]),
        Kind::Architecture | Kind::Reference | Kind::Custom(_) => None,
    }
}

/// A word and all that is known of it, from all its places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) key: u64,
    pub(super) marks: u16,
    /// What it names of words that exclude each other.
    pub(super) choices: &'static [Member],
}

impl Word {
    pub(super) fn is(&self, mark: u16) -> bool {
        self.marks & mark != 0
    }

    pub(super) fn weight(&self) -> f64 {
        match () {
            () if self.is(Marks::COMMON) => 0.0,
            () if self.is(Marks::CODE | Marks::NUMBER) => 1.5,
            () if self.is(Marks::EVERYDAY) => 0.5,
            () => 1.0,
        }
    }

    /// Names one of several things that could be meant.
    pub(super) fn is_name(&self) -> bool {
        self.is(Marks::NAME | Marks::CODE) || !self.choices.is_empty()
    }
}

/// What is known of a word, as bits: most words have several.
pub(super) struct Marks;

impl Marks {
    pub(super) const AFFIRMED: u16 = 1;
    pub(super) const DENIED: u16 = 1 << 1;
    pub(super) const TITLE_AFFIRMED: u16 = 1 << 2;
    pub(super) const TITLE_DENIED: u16 = 1 << 3;
    pub(super) const NUMBER: u16 = 1 << 4;
    /// Capitalised inside of a sentence, or written as names of products are.
    pub(super) const NAME: u16 = 1 << 5;
    /// Inside of backticks, a path, a flag, or written as identifiers are.
    pub(super) const CODE: u16 = 1 << 6;
    /// Says little of a subject.
    pub(super) const EVERYDAY: u16 = 1 << 7;
    /// A function word: kept for the order alone.
    pub(super) const COMMON: u16 = 1 << 8;

    pub(super) fn all(marks: &[(u16, bool)]) -> u16 {
        marks.iter().fold(0, |all, (mark, holds)| if *holds { all | mark } else { all })
    }
}
