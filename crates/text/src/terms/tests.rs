//! Terms of every shape of text, and what holds for any text.

use proptest::prelude::*;

use super::{Form, TERM_BYTES_MAX, Terms, each_term, is_common, key};

/// Terms as they are written in the tables: `run` a stem, `=running` exact, `"a-b"` whole.
fn shown(text: &str) -> String {
    let shown = terms_of(text).into_iter().map(|term| match term.form {
        Form::Stem => term.text,
        Form::Exact => format!("={}", term.text),
        Form::Whole => format!("\"{}\"", term.text),
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[derive(Debug)]
struct Term {
    form: Form,
    text: String,
    start: usize,
}

fn terms_of(text: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    each_term(text, &mut |term, form, start| {
        terms.push(Term { form, text: term.to_owned(), start });
    });
    terms
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    let differing: Vec<_> = cases.iter().filter(|(text, want)| shown(text) != *want).collect();
    for (text, want) in &differing {
        println!("{text}\n  found {}\n  want  {want}", shown(text));
    }
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn words_are_lower_cased_and_stemmed() {
    check(&[
        ("", ""),
        (" \t\n-- ...", ""),
        ("Runs", "run =runs"),
        ("the connections failed", "the connect =connections fail =failed"),
        ("SCREAMING", "scream =screaming"),
        ("go", "go"),
        ("a,b;c", "a b c"),
        ("(hello)", "hello"),
        ("42", "42"),
        ("end.", "end"),
    ]);
}

#[test]
fn contractions_are_one_word_and_elisions_two() {
    check(&[
        ("don't", "dont"),
        ("can’t", "cant"),
        ("dog's", "dog"),
        ("the dogs' bowl", "the dog =dogs bowl"),
        ("we're", "we re"),
        ("l'eau", "l eau"),
        ("'quoted'", "quot =quoted"),
    ]);
}

#[test]
fn names_are_kept_whole_and_split() {
    check(&[
        ("camelCase", "\"camelcase\" camelcas =camelcase camel case"),
        ("PascalCase", "\"pascalcase\" pascalcas =pascalcase pascal case"),
        ("GitHub", "\"github\" github git hub"),
        ("HTTPServer2", "\"httpserver2\" http \"server2\" server 2"),
        ("parseURLs", "\"parseurls\" parseurl =parseurls pars =parse url =urls"),
        ("URLs", "url =urls"),
        ("snake_case", "\"snake_case\" snake case"),
        ("kebab-case", "\"kebab-case\" kebab case"),
        ("__init__.py", "\"init__.py\" init py"),
        ("MAX_RETRIES", "\"max_retries\" max retri =retries"),
        ("sha256", "\"sha256\" sha 256"),
        ("i18n", "i18n"),
        ("Base64Encoder", "\"base64encoder\" \"base64\" base 64 encod =encoder"),
        ("3D 2FA", "3d 2fa"),
        ("C++ and C#", "\"c++\" c and \"c#\" c"),
        ("f(x)=#1", "f x 1"),
    ]);
}

#[test]
fn paths_and_dotted_names_are_kept_whole_and_split() {
    check(&[
        ("src/index/mod.rs", "\"src/index/mod.rs\" src index \"mod.rs\" mod rs"),
        ("./my_file.rs:42", "\"my_file.rs\" \"my_file\" my file rs 42"),
        (
            ".github/workflows/ci.yml",
            "\"github/workflows/ci.yml\" github workflow =workflows \"ci.yml\" ci yml",
        ),
        ("a/.b/@c/d", "\"a/.b/@c/d\" a b c d"),
        ("C:\\tmp\\x.txt", "c \"tmp\\x.txt\" tmp \"x.txt\" x txt"),
        ("foo.bar.baz", "\"foo.bar.baz\" foo bar baz"),
        ("crate::module::Type", "\"crate::module::type\" crate modul =module type"),
        ("key:value", "key valu =value"),
        ("main..topic", "main topic"),
        ("one--two", "one two"),
    ]);
}

#[test]
fn versions_codes_and_flags_are_found_as_they_are_written() {
    check(&[
        ("v1.2.3", "\"v1.2.3\" \"1.2.3\" v1 2 3"),
        ("1.89", "\"1.89\" 1 89"),
        ("serde@1.0.2", "\"serde@1.0.2\" serd =serde \"1.0.2\" 1 0 2"),
        ("E0502", "e0502"),
        ("ERR_MODULE_NOT_FOUND", "\"err_module_not_found\" err modul =module not found"),
        ("--no-verify", "\"no-verify\" no verifi =verify"),
        ("-m", "m"),
        ("$CARGO_HOME", "\"cargo_home\" cargo home"),
        ("RUST_LOG=debug", "\"rust_log\" rust log debug"),
        ("9f86d081884c7d65", "9f86d081884c7d65"),
        ("2026-06-01", "\"2026-06-01\" 2026 06 01"),
    ]);
}

#[test]
fn addresses_give_their_host_and_parts() {
    check(&[
        ("joe@example.com", "\"joe@example.com\" joe \"example.com\" exampl =example com"),
        (
            "https://docs.rs/serde/1.0?q=a#b",
            "https \"docs.rs/serde/1.0\" \"docs.rs\" doc =docs rs serd =serde \"1.0\" 1 0 q a b",
        ),
        ("http://localhost:8080/x", "http localhost \"8080/x\" 8080 x"),
    ]);
}

#[test]
fn every_language_has_terms() {
    check(&[
        ("Café RÉSUMÉ", "cafe resum =resume"),
        ("Cafe\u{301}", "cafe"),
        ("Straße", "strass =strasse"),
        ("Łódź Ærø İstanbul", "lodz aero istanbul"),
        ("ΣΊΣΥΦΟΣ σίσυφος", "σισυφοσ σισυφοσ"),
        ("Привет ёлка", "привет елка"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("हिन्दी", "हिन्दी"),
        ("日本語", "日本 本語"),
        ("猫", "猫"),
        ("データ", "デー ータ"),
        ("ﾃﾞｰﾀ", "デー ータ"),
        ("한국어 말", "\"한국어\" 한국 국어 말"),
        ("ภาษา", "ภา าษ ษา"),
        ("Rustで書く", "rust で書 書く"),
        ("ＡＢＣ　１２", "abc 12"),
        ("m²", "m2"),
        ("naïve-Straße", "\"naive-strasse\" naiv =naive strass =strasse"),
    ]);
}

#[test]
fn a_long_term_is_cut_at_a_character() {
    let long = "é".repeat(10_000) + &"x".repeat(1_000_000);
    let terms = terms_of(&long);
    assert_eq!(terms.len(), 1);
    assert_eq!(terms[0].text, "e".repeat(TERM_BYTES_MAX));
    let cjk = terms_of(&"語".repeat(1000));
    assert!(cjk.iter().all(|term| term.text == "語語"));
}

#[test]
fn a_term_begins_where_its_text_is() {
    let text = "see src/fooBar.rs";
    for term in terms_of(text).iter().filter(|term| term.form != Form::Exact) {
        let here = text[term.start..].to_lowercase();
        assert!(here.starts_with(&*term.text), "{term:?}");
    }
}

#[test]
fn keys_are_those_of_stored_indexes() {
    assert_eq!(key("run", Form::Stem), 14659006440398361853);
    assert_eq!(key("run", Form::Exact), 18444917965079168977);
    assert_eq!(key("run", Form::Whole), 14753509719251074621);
}

#[test]
fn function_words_are_common_and_names_are_not() {
    for word in ["please", "pleas", "can", "you", "the", "dont", "i"] {
        assert!(is_common(word), "{word}");
    }
    for word in ["index", "rust", "actual", "quit", ""] {
        assert!(!is_common(word), "{word}");
    }
}

fn spans(terms: &mut Terms, text: &str) -> Vec<(String, Form, std::ops::Range<usize>)> {
    let mut spans = Vec::new();
    terms.each_span(text, &mut |term, form, span| spans.push((term.to_owned(), form, span)));
    spans
}

fn hostile_text() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        "\\PC{0,12}",
        "[a-zA-Z0-9_./:@'\\\\#+ -]{0,24}",
        "[\u{300}\u{345}\u{200d}\u{903}\u{e33}あ語한a'’Aé1ß\u{ad}\u{1100}\u{3099}-]{0,12}",
        any::<String>(),
    ];
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn every_letter_is_in_a_term(text in hostile_text()) {
        let found = spans(&mut Terms::default(), &text);
        let mut covered = vec![false; text.len()];
        for (term, _, span) in &found {
            prop_assert!(!term.is_empty() && term.len() <= TERM_BYTES_MAX, "{term:?}");
            prop_assert!(text.get(span.clone()).is_some());
            covered[span.clone()].fill(true);
        }
        for (offset, character) in text.char_indices() {
            prop_assert!(covered[offset] || !character.is_alphanumeric(), "{offset} {character:?}");
        }
    }

    #[test]
    fn what_was_read_before_changes_nothing(text in hostile_text(), other in hostile_text()) {
        let mut terms = Terms::default();
        spans(&mut terms, &other);
        let again = spans(&mut terms, &text);
        prop_assert_eq!(&again, &spans(&mut Terms::default(), &text));
        let mut starts = Vec::new();
        each_term(&text, &mut |_, _, start| starts.push(start));
        prop_assert_eq!(starts, again.into_iter().map(|it| it.2.start).collect::<Vec<_>>());
    }

    #[test]
    fn the_number_of_terms_is_linear(text in hostile_text()) {
        prop_assert!(spans(&mut Terms::default(), &text).len() <= 6 * text.len());
    }

    #[test]
    fn case_and_composition_do_not_matter_to_plain_words(text in "[a-zéüñçöA-Z ]{0,40}") {
        use unicode_normalization::UnicodeNormalization;
        let plain = text.to_lowercase();
        let stems = |text: &str| spans(&mut Terms::default(), text)
            .into_iter().map(|it| (it.0, it.1)).collect::<Vec<_>>();
        prop_assert_eq!(stems(&plain), stems(&plain.nfd().collect::<String>()));
        prop_assert_eq!(stems(&plain), stems(&plain.to_uppercase()));
    }
}
