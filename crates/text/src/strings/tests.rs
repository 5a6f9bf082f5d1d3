//! What titles, tags and slugs become.

use super::*;

#[track_caller]
fn check_slug(text: &str, want: &str) {
    assert_eq!(slug(text), want);
}

#[test]
fn slugs_of_any_language_are_usable() {
    check_slug("  Ünïcode -- Façade  ", "unicode-facade");
    check_slug("Don't use `rm -rf` here!", "dont-use-rm-rf-here");
    check_slug("データベース", "detabesu");
    check_slug("Использовать кэш", "ispolzovat-kesh");
    check_slug("...", "memory-2f1145ba");
    assert!(slug(&"long ".repeat(60)).len() <= ID_CHARS_MAX);
}

#[test]
fn numbered_slugs_stay_within_the_limit() {
    assert_eq!(numbered_slug("a-b", 2), "a-b-2");
    assert_eq!(numbered_slug(&"x".repeat(80), 12).len(), ID_CHARS_MAX);
}

#[test]
fn titles_lose_what_nobody_can_see() {
    assert_eq!(normalise_line(" a\tb\r\n c\u{0007} "), "a b c");
    assert_eq!(normalise_line("pay\u{202E}load\u{200B}"), "payload");
    assert_eq!(normalise_line("e\u{0301}"), "é");
    assert_eq!(normalise_line("می\u{200C}خواهم"), "می\u{200C}خواهم");
    assert_eq!(normalise_line("a\u{200D}b"), "ab");
}

#[test]
fn tags_are_lower_case_and_single_spaced() {
    assert_eq!(normalise_tag(" Solo,Tag "), "solo tag");
    assert_eq!(normalise_tag("#Rust"), "rust");
}

#[test]
fn bodies_keep_their_inside() {
    assert_eq!(normalise_body("\n \n  a\r\n\tb  \n\n"), "  a\n\tb");
    assert_eq!(normalise_body(" \n"), "");
}

#[test]
fn emoji_stay_and_selectors_that_carry_bytes_are_shown() {
    for text in
        ["\u{2764}\u{FE0F} it", "1\u{FE0F}\u{20E3} first", "\u{1F3F3}\u{FE0F}", "\u{A9}\u{FE0E}"]
    {
        assert_eq!(visible(text), text);
        assert_eq!(normalise_line(text), text);
    }
    let table = [
        ("a\u{FE0F}b", "a<U+FE0F>b", "ab"),
        ("1\u{FE0F}2\u{FE0E}", "1<U+FE0F>2<U+FE0E>", "12"),
        ("\u{FE0F}", "<U+FE0F>", ""),
        ("\u{2764}\u{FE0F}\u{FE0F}", "\u{2764}\u{FE0F}<U+FE0F>", "\u{2764}\u{FE0F}"),
        ("\u{1F600}\u{FE01}\u{FE0E}", "\u{1F600}<U+FE01><U+FE0E>", "\u{1F600}"),
        ("\u{6F22}\u{FE00}", "\u{6F22}<U+FE00>", "\u{6F22}"),
        ("\u{6F22}\u{E0100}", "\u{6F22}<U+E0100>", "\u{6F22}"),
        ("x\u{180B}\u{FFF0}\u{13430}y", "x<U+180B><U+FFF0><U+13430>y", "xy"),
    ];
    for (text, shown, kept) in table {
        assert_eq!(visible(text), shown);
        assert_eq!(visible_line(text), shown);
        assert_eq!(normalise_line(text), kept);
    }
    let smuggled: String = (0..16).filter_map(|bits| char::from_u32(0xFE00 + bits)).collect();
    assert!(!visible(&format!("hello{smuggled}")).chars().any(|it| smuggled.contains(it)));
}

#[test]
fn hidden_characters_are_shown() {
    assert_eq!(visible("a\u{202E}b\u{1B}[2J\n"), "a<U+202E>b<U+001B>[2J\n");
    assert_eq!(visible_line("a\nb"), "a b");
}

#[test]
fn a_typo_finds_its_word() {
    assert_eq!(nearest("desicion", ["decision", "lesson"]), Some("decision"));
    assert_eq!(nearest("banana", ["decision", "lesson"]), None);
}

#[test]
fn what_somebody_may_have_meant() {
    let names = ["keep-money-in-integer-cents", "money-is-a-decimal", "use-tabs"];
    for (word, want) in [
        ("use-tab", vec!["use-tabs"]),
        ("keep-money", vec!["keep-money-in-integer-cents", "money-is-a-decimal"]),
        ("integer-cents-for-money", vec!["keep-money-in-integer-cents"]),
        ("nothing-like-it", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(suggest(word, &names), want, "{word}");
    }
}
