//! Words that exclude each other: who names another one of a group says something else.

mod table;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::same;
use super::words::Word;
use crate::strings::capitalised;

/// How the members of a group exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exclusion {
    /// A project takes one of them for one purpose.
    Choice,
    /// Two ends of an axis.
    Opposite,
    /// The same, of words that often mean something else.
    WeakOpposite,
    /// Different things of one sort.
    Distinct,
}

struct Group {
    exclusion: Exclusion,
    roles: &'static str,
    members: &'static str,
}

/// One of the words or things of a group, whatever its spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    pub group: u8,
    number: u8,
}

impl Member {
    /// Another of the same group.
    pub fn is_rival(self, other: Self) -> bool {
        self.group == other.group && self.number != other.number
    }

    pub fn exclusion(self) -> Exclusion {
        self.in_group().exclusion
    }

    /// The stem says which choice it is, and not for what it is made.
    pub fn has_role(self, stem: &str) -> bool {
        self.in_group().roles.split(' ').any(|role| role == stem)
    }

    fn in_group(self) -> &'static Group {
        &GROUPS[usize::from(self.group)]
    }
}

/// A member where a sentence names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    pub member: Member,
    pub words: Range<usize>,
}

/// A longer phrase is not listed.
const PHRASE_WORDS_MAX: usize = 4;

/// The choices that a sentence names.
pub fn picks_of(words: &[Word]) -> Vec<Mention> {
    mentions(words, &INDEX.picks, |word| &word.text)
}

/// The ends of axes that a sentence names.
pub fn poles_of(words: &[Word]) -> Vec<Mention> {
    mentions(words, &INDEX.poles, |word| &word.stem)
}

/// The members that a word by itself names, by its plain stem.
pub fn members_of(plain: &str) -> &'static [Member] {
    INDEX.single.get(plain).map_or(&[], Vec::as_slice)
}

/// At each position the longest phrases that begin there: `merge commit`, not `commit`.
fn mentions(
    words: &[Word],
    phrases: &'static Phrases,
    form: impl Fn(&Word) -> &str,
) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let is_proper = words[at].is_capital && (at > 0 || words[at].is_all_capitals);
        let (mut phrase, mut longest) = (String::new(), Vec::new());
        for (end, word) in (at + 1..).zip(words[at..].iter().take(PHRASE_WORDS_MAX)) {
            phrase.push_str(form(word));
            // A plural is listed only where it is spelled in another way.
            let capital = is_proper.then(|| capitalised(&phrase));
            let spellings = [Some(phrase.as_str()), phrase.strip_suffix('s'), capital.as_deref()];
            let listed = spellings.into_iter().flatten().filter_map(|it| phrases.get(it)).flatten();
            let mention = |member: &Member| Mention { member: *member, words: at..end };
            let here: Vec<Mention> = listed.map(mention).collect();
            if !here.is_empty() {
                longest = here;
            }
            phrase.push(' ');
        }
        at = longest.first().map_or(at + 1, |it| it.words.end);
        found.extend(longest);
    }
    found
}

/// Members by a spelling.
type Phrases = BTreeMap<String, Vec<Member>>;

#[derive(Default)]
struct Index {
    /// By text; what needs a capital has one.
    picks: Phrases,
    /// By stems.
    poles: Phrases,
    /// By the plain stem of a single word.
    single: Phrases,
}

static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let choice = |&(roles, members)| Group { exclusion: Exclusion::Choice, roles, members };
    let others = [
        (Exclusion::Opposite, table::OPPOSITES),
        (Exclusion::WeakOpposite, table::WEAK_OPPOSITES),
        (Exclusion::Distinct, table::DISTINCT),
    ];
    let others = others.into_iter().flat_map(|(exclusion, rows)| {
        rows.iter().map(move |members| Group { exclusion, roles: "", members })
    });
    table::CHOICES.iter().map(choice).chain(others).collect()
});

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index::default();
    for (group, row) in (0..).zip(GROUPS.iter()) {
        for (number, spellings) in (0..).zip(row.members.split(',')) {
            for spelling in spellings.split('|').map(str::trim) {
                index.add(spelling, Member { group, number });
            }
        }
    }
    index
});

impl Index {
    fn add(&mut self, spelling: &str, member: Member) {
        let lower = spelling.to_lowercase();
        let stems: Vec<String> = lower.split(' ').map(same::stem_of).collect();
        let exclusion = member.exclusion();
        if let [stem] = stems.as_slice() {
            self.single.entry(same::plain(&lower, stem).to_owned()).or_default().push(member);
        }
        let (phrases, phrase) = match exclusion {
            Exclusion::Choice => (&mut self.picks, spelling.to_owned()),
            Exclusion::Opposite | Exclusion::WeakOpposite => (&mut self.poles, stems.join(" ")),
            Exclusion::Distinct => return,
        };
        phrases.entry(phrase).or_default().push(member);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_is_short_and_listed_once_in_a_group() {
        assert!(GROUPS.len() <= usize::from(u8::MAX));
        for group in GROUPS.iter() {
            let mut spellings: Vec<&str> = group.members.split([',', '|']).map(str::trim).collect();
            assert!(
                spellings
                    .iter()
                    .all(|it| (1..=PHRASE_WORDS_MAX).contains(&it.split_whitespace().count()))
            );
            let count = spellings.len();
            spellings.sort_unstable();
            spellings.dedup();
            assert_eq!(spellings.len(), count, "{}", group.members);
        }
    }
}
