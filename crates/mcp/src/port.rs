//! What a server of memories offers, in plain values: no protocol, no runtime.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

/// Everything that clients can ask for. Calls may block; each runs on its own thread.
pub trait Port: Send + Sync + 'static {
    fn name(&self) -> &str;
    fn version(&self) -> &str;
    /// What an agent reads before its first call.
    fn instructions(&self) -> &str;
    /// Whether the server has no store here, so that clients should be asked for their folders.
    fn wants_roots(&self) -> bool;
    /// A name for a new connection, never used before.
    fn connection(&self) -> String;

    /// Always in the same order, so that clients can cache it.
    fn tools(&self) -> Vec<ToolSpec>;
    /// An `Err` tells the agent what to do next.
    fn call(&self, call: &Call<'_>) -> Result<Answer, Mistake>;

    /// Called after the answer is sent, for work that nobody should wait for.
    fn rest(&self, caller: &Caller, may_have_written: bool);

    /// The page after a cursor that an earlier page ended with.
    fn resources(&self, caller: &Caller, cursor: Option<&str>) -> Result<Page, Mistake>;
    fn templates(&self) -> &'static [Template];
    /// The Markdown of a resource; `None` if there is nothing under that address.
    fn read(&self, caller: &Caller, uri: &str) -> Result<Option<String>, Mistake>;

    fn prompts(&self) -> &'static [PromptSpec];
    fn prompt(
        &self,
        caller: &Caller,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Option<String>, Mistake>;
    /// Completes what was typed for an argument of a template.
    fn complete(&self, caller: &Caller, argument: &str, typed: &str) -> Vec<String>;
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    pub client: String,
    /// The type of agent, if the request names it (`oldhand/agent` in `_meta`).
    pub agent: Option<String>,
    /// The folders that the client works in, if it was asked for them.
    pub roots: Vec<String>,
    /// The same for all requests of a connection; `None` in the stateless protocol.
    pub connection: Option<String>,
    /// Who was let in, where a server has more than one user.
    pub guest: Option<Guest>,
}

/// Whoever a server has let in; it puts one into the extensions of each request.
#[derive(Clone)]
pub struct Guest {
    /// Sessions belong to whoever began them: nobody else finds them.
    pub owner: String,
    /// What the server knows about them, for its port.
    pub visitor: Arc<dyn Any + Send + Sync>,
}

impl fmt::Debug for Guest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guest({})", self.owner)
    }
}

impl PartialEq for Guest {
    fn eq(&self, other: &Self) -> bool {
        self.owner == other.owner
    }
}

impl Eq for Guest {}

/// The client that waits for a long call.
pub trait Watch {
    fn is_cancelled(&self) -> bool;
    /// Whether it asked for progress.
    fn is_followed(&self) -> bool;
    fn progress(&self, done: usize, total: usize, message: &str);
}

pub struct Call<'c> {
    pub tool: &'c str,
    pub arguments: Map<String, Value>,
    pub caller: &'c Caller,
    pub watch: &'c dyn Watch,
}

#[derive(Debug, Clone)]
pub struct Answer {
    /// For models, and for clients older than 2025-06-18.
    pub text: String,
    /// As the tool's output schema says.
    pub structured: Value,
}

/// What a refused or failed call says.
pub type Mistake = Answer;

#[derive(Debug, Clone)]
pub struct ToolSpec {
    pub name: &'static str,
    pub description: &'static str,
    pub input: Map<String, Value>,
    pub output: Map<String, Value>,
    pub reads_only: bool,
    pub is_idempotent: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Page {
    pub listed: Vec<Listed>,
    pub next: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Listed {
    pub uri: String,
    pub name: String,
    pub title: String,
}

#[derive(Debug, Clone)]
pub struct Template {
    pub uri: &'static str,
    pub name: &'static str,
    pub description: &'static str,
}

#[derive(Debug, Clone)]
pub struct PromptSpec {
    pub name: &'static str,
    pub description: &'static str,
    /// Name and description of each; all of them may be left out.
    pub arguments: &'static [(&'static str, &'static str)],
}
