//! Whose memories take the places of an answer when other repositories are asked too.

/// Places of other repositories in one answer.
const ELSEWHERE_MAX: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Places {
    #[default]
    All,
    /// Other repositories: two of five, and never more.
    Elsewhere,
    /// What so many memories of other repositories leave.
    Beside(usize),
}

impl Places {
    /// How many of an answer's places are meant.
    pub fn of(self, places: usize) -> usize {
        match self {
            Self::All => places,
            Self::Elsewhere => (places.saturating_mul(2) / 5).min(ELSEWHERE_MAX),
            Self::Beside(taken) => places.saturating_sub(taken),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    /// R485.
    #[test]
    fn other_repositories_have_at_most_two_of_five() {
        let elsewhere = |places| Places::Elsewhere.of(places);
        assert_eq!([1, 2, 3, 5, 20, usize::MAX].map(elsewhere), [0, 0, 1, 2, 2, 2]);
        assert_eq!(
            (Places::All.of(5), Places::Beside(2).of(5), Places::Beside(2).of(1)),
            (5, 3, 0)
        );
    }
}
