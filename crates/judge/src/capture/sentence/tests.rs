//! Where sentences end, and what is none.

use super::{Sentence, sentences};
use oldhand_transcripts::{Turn, Voice};

fn turn(voice: Voice, text: &str) -> Turn {
    Turn { line: 3, voice, text: text.to_owned(), ..Turn::default() }
}

#[track_caller]
fn check(text: &str, want: &[&str]) {
    let turns = [turn(Voice::Person, text)];
    let found: Vec<&str> =
        sentences(&turns).into_iter().filter(|it| !it.is_pasted).map(|it| it.text).collect();
    assert_eq!(found, want, "of {text:?}");
}

#[test]
fn ends_of_sentences() {
    check("One. Two! Three? four", &["One.", "Two!", "Three?", "four"]);
    check(
        "Use v1.2.3 of foo.rs from https://a.b/c.d now.",
        &["Use v1.2.3 of foo.rs from https://a.b/c.d now."],
    );
    check("Keep it small, e.g. one file. Done.", &["Keep it small, e.g. one file.", "Done."]);
    check("Das gilt z. B. hier. Gut so.", &["Das gilt z. B. hier.", "Gut so."]);
    check("He said \"stop it.\" Then he left.", &["He said \"stop it.\"", "Then he left."]);
    check("我们决定了。记住这个！对吗？", &["我们决定了。", "记住这个！", "对吗？"]);
    check("Wait... what is that", &["Wait...", "what is that"]);
    check("...", &[]);
}

#[test]
fn lines_and_lists() {
    check(
        "- first\n* second\n3. third\n4) fourth\n- [ ] fifth",
        &["first", "second", "third", "fourth", "fifth"],
    );
    check("one line\n\nanother line", &["one line", "another line"]);
}

#[test]
fn code_quotes_and_tables_are_not_speech() {
    check("```\nlet x = 1;\n``` that is it\nAlways use pnpm.", &["Always use pnpm."]);
    check("before\n```rust\nlet x = never;\n```\nafter", &["before", "after"]);
    check("before\n~~~\nnever\n~~~\nafter", &["before", "after"]);
    check("```one liner```\nafter", &["after"]);
    check("> never do that\nI agree with it", &["I agree with it"]);
    check("| always | never |\n|---|---|\nafter the table", &["after the table"]);
    check("Use `a. b` and go on. Next.", &["Use `a. b` and go on.", "Next."]);
    // A stray backtick ends with its line at the latest, and does not even keep a sentence.
    check(
        "a stray ` here. Never mind\nnext ` line",
        &["a stray ` here.", "Never mind", "next ` line"],
    );
}

#[test]
fn pasted_texts_are_not_speech() {
    check("Implement the following plan:\n\nAlways use tabs.", &[]);
    check("2026-01-02 10:00:00 never reached", &[]);
    check("why is that\n\tat foo (bar.js:1)", &["why is that"]);
    let log = "look at this\n".to_owned()
        + &"=== RUN TestFoo\n    foo_test.go:1: never\n".repeat(5)
        + "thanks a lot";
    check(&log, &["look at this", "thanks a lot"]);
    let document = format!("please read this\n# Rules\n{}", "Always use tabs in it.\n".repeat(200));
    let turns = [turn(Voice::Person, &document)];
    let spoken = sentences(&turns).into_iter().filter(|it| !it.is_pasted).count();
    assert!(spoken < 20, "{spoken}");
}

#[test]
fn marks_of_a_sentence() {
    let one = |text: &str| -> (bool, bool, bool) {
        let turns = [turn(Voice::Agent, text)];
        let found = sentences(&turns);
        let Sentence { is_question, is_quoted, is_heading, .. } = found[0];
        (is_question, is_quoted, is_heading)
    };
    assert_eq!(one("Is it so?"), (true, false, false));
    assert_eq!(one("决定了吗？"), (true, false, false));
    assert_eq!(one("\"Always use tabs.\""), (false, true, false));
    assert_eq!(one("## Always use tabs"), (false, false, true));
    assert_eq!(one("**The Fix:**"), (false, false, true));
    assert_eq!(one("Always use tabs."), (false, false, false));
}

#[test]
fn subagents_say_nothing_to_the_person() {
    let mut aside = turn(Voice::Agent, "We decided to use tabs.");
    aside.is_sidechain = true;
    assert!(sentences(&[aside]).is_empty());
}
