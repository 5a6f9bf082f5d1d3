//! What two profiles have in common and where they part, counted in one pass over their words.
//! What the counts mean for likeness is not decided here.

use std::cmp::Ordering;

use super::profile::{Marks, Profile, Word};

/// What only the one says and what only the other says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Sides {
    pub(super) one: f64,
    pub(super) other: f64,
}

impl Sides {
    /// Both say something that the other does not: that is more than leaving something out.
    pub(super) fn part(self) -> bool {
        self.least() > 0.0
    }

    pub(super) fn sum(self) -> f64 {
        self.one + self.other
    }

    pub(super) fn least(self) -> f64 {
        self.one.min(self.other)
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
    pub(super) title_turned: f64,
    /// Groups of which each affirms a word that the other does not.
    pub(super) groups: u32,
}

impl Comparison {
    pub(super) fn of(one: &Profile, other: &Profile) -> Self {
        let mut comparison = Self::default();
        let mut groups = (0, 0);
        let (mut left, mut right) = (one.words.iter().peekable(), other.words.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (Some(ours), Some(theirs)) => ours.key.cmp(&theirs.key),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => break,
            };
            let ours = if order.is_le() { left.next() } else { None };
            let theirs = if order.is_ge() { right.next() } else { None };
            match (ours, theirs) {
                (Some(ours), Some(theirs)) => comparison.both(ours, theirs),
                (Some(word), None) => comparison.alone(word, |sides| &mut sides.one),
                (None, Some(word)) => comparison.alone(word, |sides| &mut sides.other),
                (None, None) => break,
            }
            groups.0 |= chosen(ours, theirs);
            groups.1 |= chosen(theirs, ours);
        }
        comparison.groups = u128::count_ones(groups.0 & groups.1);
        comparison
    }

    /// The share of the shorter one that the other says too. One word more is taken for unsaid,
    /// because few words are soon found in any text.
    pub(super) fn contained(&self) -> f64 {
        self.shared / (self.shared + self.own.least() + 1.0)
    }

    /// The share of all that is said by both.
    pub(super) fn overlap(&self) -> f64 {
        self.shared / (self.shared + self.own.one + self.own.other).max(1.0)
    }

    fn both(&mut self, ours: &Word, theirs: &Word) {
        let weight = ours.weight().max(theirs.weight());
        self.shared += weight;
        if weight == 0.0 {
            return;
        }
        let is_only = |word: &Word, mark, against| word.marks.has(mark) && !word.marks.has(against);
        let is_turned = |yes, no| is_only(ours, yes, no) && is_only(theirs, no, yes);
        let count = |is_turned| if is_turned { 1.0 } else { 0.0 };
        self.turned.one += count(is_turned(Marks::DENIED, Marks::AFFIRMED));
        self.turned.other += count(is_turned(Marks::AFFIRMED, Marks::DENIED));
        self.title_turned += count(is_turned(Marks::TITLE_DENIED, Marks::TITLE_AFFIRMED))
            + count(is_turned(Marks::TITLE_AFFIRMED, Marks::TITLE_DENIED));
        if ours.is_name() || theirs.is_name() {
            let in_title = |word: &Word| word.marks.has(Marks::TITLE_AFFIRMED);
            match (in_title(ours), in_title(theirs)) {
                (true, false) => self.title_names.one += 1.0,
                (false, true) => self.title_names.other += 1.0,
                _ => {}
            }
        }
    }

    fn alone(&mut self, word: &Word, side: fn(&mut Sides) -> &mut f64) {
        *side(&mut self.own) += word.weight();
        let is_title_name = word.marks.has(Marks::TITLE_AFFIRMED) && word.is_name();
        let counts = [
            (word.marks.has(Marks::NUMBER), &mut self.numbers),
            (word.marks.has(Marks::NAME), &mut self.names),
            (word.marks.has(Marks::CODE), &mut self.code),
            (is_title_name, &mut self.title_names),
        ];
        for (counts, sides) in counts {
            if counts {
                *side(sides) += 1.0;
            }
        }
    }
}

/// The group of a word that is affirmed here and not there, as a bit.
fn chosen(here: Option<&Word>, there: Option<&Word>) -> u128 {
    let is_affirmed = |word: &Word| word.marks.has(Marks::AFFIRMED);
    match here {
        Some(word) if word.group > 0 && is_affirmed(word) && !there.is_some_and(is_affirmed) => {
            1 << (word.group - 1)
        }
        _ => 0,
    }
}
