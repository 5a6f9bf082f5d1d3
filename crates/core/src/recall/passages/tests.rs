//! Passages carry the title, stay short, and lose no words of a memory of ordinary length.

use proptest::prelude::*;

use super::*;

#[test]
fn a_short_memory_is_one_passage_with_its_title() {
    assert_eq!(passages("Use cents", "No floats.\n\nEver."), ["Use cents\nNo floats.\nEver."]);
}

#[test]
fn a_memory_without_a_body_is_its_title() {
    assert_eq!(passages("Use cents", ""), ["Use cents"]);
    assert!(passages("", "").is_empty());
}

#[test]
fn a_long_line_is_cut_at_its_sentences() {
    let sentence = "Money is kept in integer cents because floats lose them. ";
    let all = passages("Use cents", &sentence.repeat(40));
    assert!(all.len() > 2);
    for passage in &all {
        assert!(passage.starts_with("Use cents\nMoney"), "{passage}");
        assert!(passage.ends_with('.'), "{passage}");
    }
}

#[test]
fn a_very_long_memory_has_a_bounded_number() {
    assert_eq!(passages("t", &"word ".repeat(20_000)).len(), PASSAGES_MAX);
}

/// The numbers in the documents are those of the code.
#[test]
fn documents_say_how_many_and_how_long() {
    let page = include_str!("../../../../../docs/recall.md");
    let shortcomings = include_str!("../../../../../SHORTCOMINGS.md");
    assert!(
        page.contains(&format!("of about {PASSAGE_CHARS} characters, at most {PASSAGES_MAX}, "))
    );
    for text in [page, shortcomings] {
        assert!(text.contains(&format!("sees the first {PASSAGES_MAX} passages")));
    }
}

proptest! {
    #[test]
    fn every_word_of_an_ordinary_text_is_in_a_passage(words in prop::collection::vec("[a-zé]{1,12}", 0..400)) {
        let all = passages("t", &words.join(" "));
        let joined = all.join(" ");
        for word in &words {
            prop_assert!(joined.contains(word.as_str()));
        }
        for passage in &all {
            prop_assert!(passage.chars().count() <= PASSAGE_CHARS + 2);
        }
    }
}
