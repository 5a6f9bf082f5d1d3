//! Where a memory stands in its life, and the record status that follows from it.

use oldhand_text::word::words;

words! {
    #[derive(Default)]
    State, "state" {
        #[default]
        Candidate = "candidate",
        Provisional = "provisional",
        Stable = "stable",
        Canonical = "canonical",
        UnderReview = "under_review",
        Decayed = "decayed",
        Superseded = "superseded",
        Archived = "archived",
        Rejected = "rejected",
        Retired = "retired",
    }
}

words! {
    /// Derived from the state, never set (R269).
    RecordStatus, "record_status" {
        Active = "active",
        Retired = "retired",
        Archived = "archived",
    }
}

impl State {
    pub fn record_status(self) -> RecordStatus {
        match self {
            Self::Retired | Self::Rejected => RecordStatus::Retired,
            Self::Archived | Self::Superseded => RecordStatus::Archived,
            _ => RecordStatus::Active,
        }
    }

    pub fn is_active(self) -> bool {
        self.record_status() == RecordStatus::Active
    }

    /// What recall may serve without being asked for the state by name.
    pub fn is_served(self) -> bool {
        matches!(self, Self::Provisional | Self::Stable | Self::Canonical)
    }

    pub fn served() -> Vec<Self> {
        Self::ALL.iter().copied().filter(|state| state.is_served()).collect()
    }
}
