//! Which words of a text tell something. It knows words, not what they are about.

use std::collections::BTreeSet;

use oldhand_judge::capture::verify::claims::{bare, is_path, is_version};
use oldhand_text::table;

/// Words that are in any sentence of a conversation about work.
const EMPTY: &str = "about after again ahead all also and any are been before being both but can \
    could did does doing done each fine for from get give going good great had has have her here \
    his how into its just know let lets like look looks make may more most much need not now off \
    okay one only other our out over perfect please right see shall should some sure take tell \
    than thank thanks that the them then there these they thing things this those too try very \
    want was way well were what when where which who why will with would yes yet you your i'll \
    i'm i've it's let's here's that's you're what's don't";

/// Words of reports that say only that there is one.
const REPORT: &str = "complete completed change changes changed everything summary picture ready \
    work works working fix fixed made following found finished task result results update updated \
    clear full understand committed";

/// In lower case, each as often as it stands there.
pub(super) fn telling(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_inner = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    text.split(move |c: char| !is_inner(c)).filter_map(|word| {
        let word = word.trim_matches('\'').to_lowercase();
        let is_long = word.chars().count() > 2 || !word.is_ascii();
        (is_long && !table::has(EMPTY, &word)).then_some(word)
    })
}

/// How many distinct words say what something is about. Scripts without blanks count by letters.
pub(super) fn weight(text: &str) -> usize {
    const LETTERS_PER_WORD: usize = 2;
    let words: BTreeSet<String> = telling(text).take(64).collect();
    let of = |word: &String| match word.is_ascii() {
        true => 1,
        false => (word.chars().filter(|c| *c > '\u{2e80}').count() / LETTERS_PER_WORD).max(1),
    };
    words.iter().map(of).sum()
}

/// The same without the words of any report.
pub(super) fn news(text: &str) -> usize {
    let words: BTreeSet<String> = telling(text).take(64).collect();
    words.iter().filter(|word| !table::has(REPORT, word)).count()
}

pub(super) fn exact(text: &str) -> usize {
    let of_word = |word: &&str| {
        let plain = bare(word);
        word.contains('`')
            || plain.contains("://")
            || is_path(plain)
            || is_version(plain)
            || plain.bytes().any(|b| b.is_ascii_digit())
    };
    text.split_whitespace().filter(of_word).count()
}

pub(super) fn shared(one: &str, other: &str) -> usize {
    let known: BTreeSet<String> = telling(one).collect();
    telling(other).collect::<BTreeSet<_>>().intersection(&known).count()
}

/// It links a name with its value, or stands before a noun.
pub(super) fn is_link(word: &str) -> bool {
    table::has("is of to at in on by be as for from = : was than", &word.to_lowercase())
}

pub(super) fn is_empty_word(word: &str) -> bool {
    let lower = word.to_lowercase();
    lower.len() < 2 || is_link(&lower) || lower == "an" || table::has(EMPTY, &lower)
}
