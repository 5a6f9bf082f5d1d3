//! What two profiles have in common and where they part, counted over their words.

use super::profile::{Marks, Profile, Word};
use oldhand_text::lexicon::choices::Member;

/// What only the one says and what only the other says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Sides([f64; 2]);

impl Sides {
    /// Both say something that the other does not: that is more than leaving something out.
    pub(super) fn part(self) -> bool {
        self.least() > 0.0
    }

    pub(super) fn sum(self) -> f64 {
        self.0[0] + self.0[1]
    }

    fn least(self) -> f64 {
        self.0[0].min(self.0[1])
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Comparison {
    /// By weight: what both say, and what each says alone.
    pub(super) shared: f64,
    pub(super) own: Sides,
    pub(super) numbers: Sides,
    pub(super) names: Sides,
    pub(super) code: Sides,
    /// Names in the title of the one that are not in the other's.
    pub(super) title_names: Sides,
    /// Words that the one denies and the other affirms.
    pub(super) turned: Sides,
    /// The same between the titles alone.
    pub(super) title_turned: Sides,
    /// Each affirms one of a group that excludes the other's.
    pub(super) is_other_choice: bool,
}

impl Comparison {
    pub(super) fn of(one: &Profile, other: &Profile) -> Self {
        let mut comparison = Self::default();
        for ours in &one.words {
            match other.find(ours.key) {
                Some(theirs) => comparison.both([ours, theirs]),
                None => comparison.alone(ours, 0),
            }
        }
        for theirs in other.words.iter().filter(|word| one.find(word.key).is_none()) {
            comparison.alone(theirs, 1);
        }
        let theirs = chosen(other, one);
        comparison.is_other_choice =
            chosen(one, other).iter().any(|mine| theirs.iter().any(|it| mine.is_rival(*it)));
        comparison
    }

    /// The share of the shorter one that the other says too. One more word counts as unsaid, because
    /// a few words are soon found in any text.
    pub(super) fn contained(&self) -> f64 {
        self.shared / (self.shared + self.own.least() + 1.0)
    }

    /// The share of all that is said by both.
    pub(super) fn overlap(&self) -> f64 {
        self.shared / (self.shared + self.own.sum()).max(1.0)
    }

    fn both(&mut self, words: [&Word; 2]) {
        let weight = words[0].weight().max(words[1].weight());
        self.shared += weight;
        if weight == 0.0 {
            return;
        }
        let is_only = |word: &Word, mark, against| word.is(mark) && !word.is(against);
        for (side, here, there) in [(0, words[0], words[1]), (1, words[1], words[0])] {
            let is_turned = |no, yes| is_only(here, no, yes) && is_only(there, yes, no);
            let is_name = here.is_name() || there.is_name();
            let counts = [
                (is_turned(Marks::DENIED, Marks::AFFIRMED), &mut self.turned),
                (is_turned(Marks::TITLE_DENIED, Marks::TITLE_AFFIRMED), &mut self.title_turned),
                (
                    is_name && here.is(Marks::TITLE_AFFIRMED) && !there.is(Marks::TITLE_AFFIRMED),
                    &mut self.title_names,
                ),
            ];
            count(side, counts);
        }
    }

    fn alone(&mut self, word: &Word, side: usize) {
        self.own.0[side] += word.weight();
        let is_title_name = word.is(Marks::TITLE_AFFIRMED) && word.is_name();
        let counts = [
            (word.is(Marks::NUMBER), &mut self.numbers),
            (word.is(Marks::NAME), &mut self.names),
            (word.is(Marks::CODE), &mut self.code),
            (is_title_name, &mut self.title_names),
        ];
        count(side, counts);
    }
}

fn count<const N: usize>(side: usize, counts: [(bool, &mut Sides); N]) {
    for (_, sides) in counts.into_iter().filter(|(counts, _)| *counts) {
        sides.0[side] += 1.0;
    }
}

/// What the words choose that are affirmed here and not there.
fn chosen(here: &Profile, there: &Profile) -> Vec<Member> {
    let affirmed = here.words.iter().filter(|word| word.is(Marks::AFFIRMED));
    let is_shared = |key| there.find(key).is_some_and(|word| word.is(Marks::AFFIRMED));
    affirmed.filter(|word| !is_shared(word.key)).flat_map(|word| word.choices).copied().collect()
}
