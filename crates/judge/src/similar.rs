//! Whether two memories say the same, by their words and, where it was measured, by their meaning.
//! A wrong match loses a memory and a missed one only keeps two, so every difference counts against
//! a match.

mod align;
mod compare;
mod profile;
mod reader;

pub use profile::Profile;

use self::align::Alignment;
use self::compare::Comparison;

/// How sure it is that two memories say the same: 1 for the same text, 0 for two kinds, and from
/// `TWIN_FLOOR` on they are twins. `meaning` is the cosine of their vectors by all-MiniLM; that of
/// another model has another scale and must not be given.
pub fn likeness(one: &Profile, other: &Profile, meaning: Option<f64>) -> f64 {
    if !one.is_comparable(other) {
        return 0.0;
    }
    if one.words == other.words && one.order == other.order {
        return 1.0;
    }
    let words = Comparison::of(one, other);
    let odds = odds(&words, meaning);
    let chance = |odds: f64| 1.0 / (1.0 + (-odds).exp());
    let is_clashing = words.shared < SHARED_MIN
        || names_another(&words)
        || align::is_turned_around(one, other)
        || align::has_other_numbers(one, other)
        || align::has_other_body(one, other);
    if is_clashing {
        return chance(odds) * CLASHING;
    }
    if odds < 0.0 {
        // Not alike by their words: their order can't make them more so.
        return chance(odds);
    }
    let order = Alignment::of(one, other);
    let chance = chance(if order.is_title_swapped { odds - TITLE_SWAP } else { odds });
    if is_edited_copy(&words, &order) { chance * CLASHING } else { chance }
}

/// What is left of the likeness of two that say different things: below any floor, still ordered.
const CLASHING: f64 = 0.5;
/// Two or three words in common are no proof that the same is said.
const SHARED_MIN: f64 = 3.0;
/// Off the odds when the titles differ in a word: `sessions in cookies`, `sessions in Redis`.
const TITLE_SWAP: f64 = 2.0;

/// The logarithm of the odds, fitted on the development pairs of `evals/twins`.
fn odds(words: &Comparison, meaning: Option<f64>) -> f64 {
    let contained = words.contained();
    let alike = match meaning {
        Some(cosine) => 10.0 * contained + 12.0 * cosine.clamp(0.0, 1.0) - 13.4,
        None => 14.8 * contained - 7.6,
    };
    alike
        - 1.1 * words.turned.sum().min(4.0)
        - 0.7 * words.title_turned.sum().min(3.0)
        - if words.title_names.part() { 1.2 } else { 0.0 }
}

/// Each names something that the other does not, or affirms what the other denies.
fn names_another(words: &Comparison) -> bool {
    words.numbers.part()
        || words.names.part()
        || words.code.part()
        || words.turned.part()
        || words.is_other_choice
        // The words of a short text are all in one that is five times as long, whatever it says.
        || words.overlap() < 0.2
}

/// Most of it was copied and a word exchanged or denied: nobody says the same again like that.
fn is_edited_copy(words: &Comparison, order: &Alignment) -> bool {
    // Behind the beginning nobody looked: there, words that only one has may stand for each other.
    let is_edited =
        order.is_swapped || words.turned.sum() > 0.0 || (order.is_cut && words.own.part());
    order.copied >= 0.6 && is_edited
}

#[cfg(test)]
mod tests;
