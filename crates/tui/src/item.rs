//! What the screen shows, as plain values: whoever asks for it fills them, and everything in them can
//! be shown as it is.

/// One line of the queue.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// What it is known by: of a memory, or of what waits.
    pub id: String,
    /// The heading that it stands under.
    pub group: &'static str,
    /// The shape of its state.
    pub mark: char,
    pub title: String,
    pub kind: String,
    /// Since when it waits, in a few letters.
    pub age: String,
    pub role: String,
    /// From 0 to 1; none for what has earned none.
    pub trust: Option<f64>,
}

/// Everything about one of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sheet {
    pub id: String,
    pub title: String,
    pub parts: Vec<Part>,
    pub verbs: Vec<Verb>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Heading(String),
    /// A name and a value.
    Fact(&'static str, String),
    Text(String),
    /// One of several.
    Point(String),
    /// What was decided and what is proposed.
    Sides {
        decided: Side,
        proposed: Side,
    },
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Side {
    pub heading: String,
    /// Pieces of a sentence; the words that clash are marked.
    pub pieces: Vec<(String, bool)>,
}

/// A decision that can be made, or can't be made now.
#[derive(Debug, Clone, PartialEq)]
pub struct Verb {
    pub key: char,
    pub name: &'static str,
    /// What has to be said beside the reason.
    pub question: Option<&'static str>,
    /// What would come of it, or why it is refused.
    pub would: Result<String, String>,
    /// Reasons that were given before, for one digit each.
    pub reasons: Vec<String>,
}

/// What came of one decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Done(String),
    Refused(String),
    /// It is not what it was when it was shown.
    Stale(String),
}
