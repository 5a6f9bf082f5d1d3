//! How likely two statements exclude each other: what the pair model says of them, together with how near
//! they are and how many words they share.

use oldhand_text::term_set::TermSet;

/// The weights of the logarithm of the odds, fitted on the pairs of `w14` to `w17` of `evals/pairs`, which
/// the pair model did not learn from.
const BASE: f64 = -0.2;
/// Of "both can't hold" against "they speak of different things".
const CLASHES: f64 = 1.16;
/// Of "the second says what the first says" against the same.
const AGREES: f64 = -0.45;
/// Two that exclude each other speak of one matter...
const MEANING: f64 = 2.0;
/// ...and in other words: who says the same or adds to it repeats what is there.
const WORDS: f64 = -8.35;
/// More words in common say no more: one sentence with another number in it excludes, too.
const WORDS_MAX: f64 = 0.2;
const LEAST: f64 = 1e-6;

/// From 0 to 1. `standing` is what the pair model gave: agrees, beside, clashes; `meaning` the likeness of
/// the two vectors.
pub fn clash_chance(standing: [f64; 3], meaning: f64, texts: [&str; 2]) -> f64 {
    let [agrees, beside, clashes] = standing.map(|chance| chance.max(LEAST).ln());
    let [one, other] = texts.map(TermSet::of);
    let log_odds = BASE
        + CLASHES * (clashes - beside)
        + AGREES * (agrees - beside)
        + MEANING * meaning
        + WORDS * one.likeness(&other).min(WORDS_MAX);
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_repeats_what_is_there_adds_to_it() {
        let standing = [0.1, 0.5, 0.4];
        let chance = |near: f64, other: &str| {
            clash_chance(standing, near, ["Deploy on weekdays before noon", other])
        };
        let fresh = chance(0.5, "Hotfixes ship whenever they are ready");
        assert!(chance(0.5, "Deploy on weekdays before noon, from a tag") < fresh);
        assert!(chance(0.1, "Hotfixes ship whenever they are ready") < fresh);
        assert!(clash_chance([0.0, 1.0, 0.0], 0.5, ["a", "b"]) < 0.01);
        assert!(clash_chance([0.0, 0.0, 1.0], 0.5, ["a", "b"]) > 0.99);
    }
}
