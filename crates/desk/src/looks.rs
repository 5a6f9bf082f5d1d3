//! What was asked about the looks of an answer: for whom it is, colours, a pager.

/// What was asked about the looks of an answer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Looks {
    pub form: Form,
    pub colour: Choice,
    pub no_pager: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// For people where they read it.
    #[default]
    Auto,
    People,
    Agent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    #[default]
    Auto,
    Always,
    Never,
}
