//! What the dashboard asks for, in plain values. A page has a trait of its own, in its file below
//! this; a house is everything together. Calls may block, each on a thread of its own.

use serde_json::Value;

use deeds::Verbs;

pub mod ask;
pub mod code;
pub mod conflicts;
pub mod deeds;
pub mod inbox;
pub mod learning;
pub mod memories;
pub mod memory;
pub mod sessions;
pub mod store;
pub mod today;

pub trait House:
    Verbs
    + ask::AskPage
    + code::CodePage
    + conflicts::ConflictsPage
    + inbox::InboxPage
    + learning::LearningPage
    + memories::MemoriesPage
    + memory::MemoryPage
    + sessions::SessionsPage
    + store::StorePage
    + today::TodayPage
    + Send
    + Sync
    + 'static
{
    /// What stands around every page.
    fn frame(&self) -> Result<Frame, Trouble>;
    /// Another text whenever the store may have changed.
    fn state_of_store(&self) -> String;
}

/// What the head of every page says.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    pub store: String,
    pub branch: Option<String>,
    /// Who decides here, as given when the program was started.
    pub by: String,
    /// How many items are in the inbox.
    pub waiting: usize,
    /// Remarks that concern every page, such as a store that nobody has accepted.
    pub notes: Vec<String>,
}

/// A time, for machines and for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moment {
    pub iso: String,
    /// `3 days ago`
    pub ago: String,
}

/// A memory by its name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    pub id: String,
    pub title: String,
}

/// Why there is no answer: a refusal of the rules, or a failure outside.
#[derive(Debug, Clone, Default)]
pub struct Trouble {
    /// As in `docs/formats/json.md`, such as `OCC_CONFLICT`.
    pub code: String,
    pub message: String,
    pub hint: String,
    /// The field, and what is wrong with it.
    pub problems: Vec<(String, String)>,
    /// The same as `oldhand.error/1`.
    pub json: Box<Value>,
}

pub type Answer<T> = Result<T, Trouble>;
