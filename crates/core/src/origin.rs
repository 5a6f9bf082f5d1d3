//! Who says so, and where that lets a new memory begin.

use crate::state::State;
use oldhand_text::word::words;

words! {
    #[derive(Default)]
    Origin, "origin" {
        User = "user",
        Gate = "gate",
        Capture = "capture",
        Agent = "agent",
        Retrospective = "retrospective",
        Trigger = "trigger",
        Import = "import",
        #[default]
        External = "external",
    }
}

impl Origin {
    /// A machine found it here: whoever works here may say whether it holds.
    pub fn is_found(self) -> bool {
        matches!(self, Self::Capture | Self::Retrospective | Self::Trigger)
    }

    /// The state of a new memory (R200).
    pub fn entry_state(self) -> State {
        match self {
            Self::User | Self::Gate => State::Stable,
            Self::Capture | Self::Agent => State::Provisional,
            Self::Retrospective | Self::Trigger | Self::Import | Self::External => State::Candidate,
        }
    }
}

words! {
    /// Whom a persistent memory serves (R112).
    Audience, "audience" {
        Feedback = "feedback",
        Project = "project",
        Reference = "reference",
        User = "user",
    }
}
