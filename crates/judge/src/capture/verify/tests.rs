//! Drafts and what was said, by the class of doubt.

use proptest::prelude::*;

use super::*;

const SAID: &str = "We use `src/pay/round.rs` for rounding. The limit is 1,000 requests, the timeout \
    300ms; retry two times. Ada said \"no floats in the API\". Run `cargo test -p core` and then\n\
    $ make deploy\nSet MAX_RETRIES via loadConfig in app.settings (v1.2.3, serde 1.0.229). \
    50 percent of https://example.com/x on 5 March 2026 uses Postgres. sha256 is fine; see b.rs.";

fn decision(text: &str) -> Draft {
    let mut draft = Draft { kind: Some(Kind::Decision), ..Draft::default() };
    draft.set_content("decision", FieldValue::Text(text.to_owned()));
    draft
}

/// The doubts of a row as `what value`; advice has a question mark. Sentences are another test.
fn wrong(text: &str, want: &[&str]) -> Option<String> {
    let shown = |doubt: &Doubt| {
        let sign = if doubt.class == Class::Advisory { "?" } else { "" };
        format!("{}{sign} {}", doubt.what, doubt.value)
    };
    let doubts = verify(&decision(text), SAID);
    let found: Vec<String> = doubts.iter().filter(|it| it.what != "sentence").map(shown).collect();
    (found != want).then(|| format!("{text:?}: {found:?}, not {want:?}"))
}

#[test]
fn each_class_of_claim_is_looked_up() {
    let rows: &[(&str, &[&str])] = &[
        // Paths: as they are, by their name, or not at all.
        ("in src/pay/round.rs", &[]),
        ("in ./src/pay/round.rs:12", &[]),
        ("in `src\\pay\\round.rs`", &[]),
        ("in `lib/other/round.rs`", &["path? lib/other/round.rs"]),
        ("in src/a/b.rs", &["path? src/a/b.rs"]),
        ("in src/pay/tax.rs.", &["path src/pay/tax.rs"]),
        ("in Cargo.toml", &["path Cargo.toml"]),
        ("and/or read/write", &[]),
        // Identifiers and versions.
        ("set max_retries", &[]),
        ("set `MAX_RETRIES`", &[]),
        ("call loadConfig() of app.settings", &[]),
        ("call load_config", &["identifier? load_config"]),
        ("call saveConfig", &["identifier saveConfig"]),
        ("set `MIN_RETRIES` to it", &["identifier MIN_RETRIES"]),
        ("`max` is used", &["identifier max"]),
        ("std::env", &["identifier std::env"]),
        ("with --force", &["identifier --force"]),
        ("sha256 but not sha512", &["identifier sha512"]),
        ("version 1.2.3 or v1.2.3", &[]),
        ("version 1.2.4", &["version 1.2.4"]),
        ("e.g. or i.e. so", &[]),
        // Numbers and their units.
        ("limit of 1000 and 1,000", &[]),
        ("limit of 2000", &["number 2000"]),
        ("300 ms, 300 milliseconds, 300ms", &[]),
        ("300 seconds", &["number 300 s"]),
        ("retry 2 times", &[]),
        ("retry 3 times", &["number 3"]),
        ("50% of it, 50 percent of it", &[]),
        ("60%", &["number 60 %"]),
        ("costs $300", &[]),
        ("port=8080", &["number 8080"]),
        ("1. retry\n2. deploy\n3. rounding", &[]),
        ("on 2026-03-05", &["date? 2026-03-05"]),
        ("on 2026-03-09", &["date 2026-03-09"]),
        // Commands.
        ("run `cargo test -p core`", &[]),
        ("cargo test must pass", &[]),
        ("run `$ make deploy`", &[]),
        ("$ make deploy", &[]),
        ("$ make destroy", &["command make destroy"]),
        ("run `cargo test -p cli`", &["command cargo test -p cli"]),
        ("git push it", &["command git push"]),
        ("git is used", &[]),
        // Quotes and addresses.
        ("she said \"no floats in the API\"", &[]),
        ("she said “No  floats in the api.”", &[]),
        ("she said \"no doubles in the API\"", &["quote no doubles in the API"]),
        ("a \"strange\" thing", &["quote? strange"]),
        ("see https://example.com/x", &[]),
        ("see https://example.com/y", &["url https://example.com/y"]),
        // Names and strong words.
        ("Ada uses Postgres", &[]),
        ("it was Grace on Oracle", &["name? Grace", "name? Oracle"]),
        ("Rounding is fine", &[]),
        ("never round", &["strong word? never"]),
        ("", &[]),
    ];
    let wrong: Vec<String> = rows.iter().filter_map(|(text, want)| wrong(text, want)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// R250, R251: what blocks and what is advice.
#[test]
fn only_blocking_doubts_stop_a_draft() {
    let rows = [
        ("the timeout is 300 ms", true),
        ("the timeout is 400 ms", false),
        ("never use Oracle", true),
        ("edit lib/x/round.rs", true),
        ("edit lib/x/gone.rs", false),
    ];
    for (text, want) in rows {
        assert_eq!(passes(&verify(&decision(text), SAID)), want, "{text:?}");
    }
}

#[test]
fn a_sentence_of_other_words_is_not_supported() {
    let text = "Rounding uses the pay module. Elephants wander through distant savannas quietly.";
    let doubts = verify(&decision(text), SAID);
    let found: Vec<String> = doubts.iter().map(ToString::to_string).collect();
    let want = "`decision`: the transcript does not support: \
        Elephants wander through distant savannas quietly.";
    assert_eq!(found, [want]);
    assert!(passes(&doubts));
}

#[test]
fn all_texts_are_looked_at_and_what_the_tool_sets_is_not() {
    let mut draft = decision("rounding");
    draft.id = Some("use-99-cents".to_owned());
    draft.set("title", Yaml::text("Limit of 77"));
    draft.set("tags", Yaml::list(&["rounding", "elephant"]));
    draft.set("related_files", Yaml::list(&["src/pay/round.rs", "src/gone.rs", "x/round.rs"]));
    draft.set("created_at", Yaml::text("2031-01-01"));
    draft.set("evidence", Yaml::list(&["session 4711"]));
    draft.set_content("status", FieldValue::Text("superseded".to_owned()));
    draft.set_content("rationale", FieldValue::List(vec!["88 users".to_owned()]));
    let other = oldhand_core::content::Alternative::new("99 shards", "needs nine_lives");
    draft.set_content("alternatives", FieldValue::Alternatives(vec![other]));
    draft.sections.push(("Notes".to_owned(), "66".to_owned()));
    let found: Vec<String> = verify(&draft, SAID)
        .iter()
        .map(|it| format!("{:?} {} {} {}", it.class, it.field, it.what, it.value))
        .collect();
    let want = [
        "Blocking title number 77",
        "Blocking rationale number 88",
        "Blocking alternatives number 99",
        "Blocking alternatives identifier nine_lives",
        "Blocking Notes number 66",
        "Blocking related_files path src/gone.rs",
        "Advisory related_files path x/round.rs",
        "Advisory tags tag elephant",
    ];
    assert_eq!(found, want);
    let doubts = verify(&decision("300 s"), SAID);
    assert_eq!(doubts[0].to_string(), "`decision`: the number `300 s` is not in the transcript");
}

const WORD: &str = "[a-zA-Z0-9_./:'\"`*$%,()-]{1,12}|cargo|test|git|[0-9]{1,4}(ms|%| s)?|[a-z]+_[a-z]+|[a-zé]{1,6}\\.rs";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// Whatever run of words of the transcript a draft repeats, it passes.
    #[test]
    fn a_piece_of_the_excerpt_always_passes(
        words in proptest::collection::vec(WORD, 1..40),
        breaks in proptest::collection::vec(0usize..8, 40),
        from in 0usize..40,
        length in 1usize..20,
    ) {
        let gap = |at: usize| if breaks[at % 40] == 0 { "\n" } else { " " };
        let join = |range: std::ops::Range<usize>| -> String {
            range.map(|at| format!("{}{}", words[at], gap(at))).collect()
        };
        let from = from % words.len();
        let to = (from + length).min(words.len());
        let doubts = verify(&decision(join(from..to).trim()), &join(0..words.len()));
        prop_assert!(passes(&doubts), "{:?}", doubts);
    }

    #[test]
    fn nothing_makes_it_panic(text in "(.|\n){0,80}", excerpt in "(.|\n){0,80}") {
        verify(&decision(&text), &excerpt);
    }
}
