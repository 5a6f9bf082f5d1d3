//! What the readers of the lexicon make of words.

use super::choices::{members_of, picks_of, poles_of};
use super::polarity::{Polarity, Stance, Stances};
use super::same;
use super::words::words_of;

/// The words that a text denies, clause by clause.
#[track_caller]
fn check_denied(text: &str, want: &[&str]) {
    let stances = Stances::of(text);
    let is_denied = |start: usize| stances.at(start) == Stance::Denied;
    let denied: Vec<String> =
        words_of(text).into_iter().filter(|word| is_denied(word.start)).map(|it| it.text).collect();
    assert_eq!(denied, want, "{text}");
}

#[test]
fn a_denial_reaches_to_the_end_of_its_clause() {
    check_denied("Services share a schema", &[]);
    check_denied(
        "Services don't share a schema, but a cluster",
        &["services", "share", "a", "schema"],
    );
    check_denied("Use npm, not pnpm", &["pnpm"]);
    check_denied("Cookies instead of Redis, because it is slow", &["redis"]);
    check_denied("Prefer composition over inheritance", &["inheritance"]);
    check_denied("Drop the cache", &[]);
}

#[test]
fn a_sentence_is_turned_by_an_odd_number_of_denials() {
    let check = |sentence: &str, want: bool| {
        assert_eq!(Polarity::of(&words_of(sentence)).is_negative(), want, "{sentence}");
    };
    check("Never commit generated files", true);
    check("Don't disable strict mode", false);
    check("Drop the cache", true);
    check("No more than three retries", false);
    check("Cache it to avoid a second call", false);
}

#[test]
fn forms_of_a_word_have_one_stem() {
    for (one, other) in [
        ("config", "configuration"),
        ("repos", "repository"),
        ("wrote", "write"),
        ("prod", "production"),
        ("three", "3"),
    ] {
        assert_eq!(same::stem_of(one), same::stem_of(other), "{one} {other}");
    }
    assert_ne!(same::stem_of("production"), same::stem_of("product"));
    assert_ne!(same::stem_of("keep"), same::stem_of("store"));
    assert_eq!(same::plain("kept", "kept"), same::plain("store", "store"));
}

#[test]
fn the_longest_phrase_is_named() {
    let picks = |text: &str| -> Vec<_> {
        picks_of(&words_of(text)).into_iter().map(|pick| pick.words).collect()
    };
    assert_eq!(picks("Use GitHub Actions for CI").as_slice(), std::slice::from_ref(&(1..3)));
    assert_eq!(picks("Hash with SHA-256 and session cookies"), [2..4, 5..7]);
    // An English word unless it has a capital inside of the sentence.
    assert_eq!(picks("The rest is written in Go").as_slice(), std::slice::from_ref(&(5..6)));
    assert!(picks("Go on with the rest").is_empty());
}

#[test]
fn rivals_are_of_one_group() {
    let poles = |text: &str| poles_of(&words_of(text));
    let (sync, other) = (poles("handlers run synchronously"), poles("async handlers"));
    assert!(sync[0].member.is_rival(other[0].member));
    let member = |word: &str| members_of(same::plain(word, &same::stem_of(word)))[0];
    assert!(member("kafka").is_rival(member("rabbitmq")));
    assert!(!member("kafka").is_rival(member("monday")));
    assert!(members_of("wibble").is_empty());
}
