//! Where sentences end, and what marks a line.

use super::*;

#[track_caller]
fn check(line: &str, want: &[&str]) {
    assert_eq!(sentences(line).collect::<Vec<_>>(), want, "of {line:?}");
}

#[test]
fn ends_of_sentences() {
    check("One. Two! Three? four", &["One.", "Two!", "Three?", "four"]);
    check("Use v1.2.3 of https://a.b/c.d now.", &["Use v1.2.3 of https://a.b/c.d now."]);
    check("Use `a. b` and go on. Next.", &["Use `a. b` and go on.", "Next."]);
    check("1. Keep it small, e.g. one file. Done.", &["1. Keep it small, e.g. one file.", "Done."]);
    check("Tabs, spaces, etc. are fine. So be it", &["Tabs, spaces, etc. are fine.", "So be it"]);
    check("Tabs, spaces, etc. They are fine", &["Tabs, spaces, etc.", "They are fine"]);
    check("我们决定了。记住这个！对吗？", &["我们决定了。", "记住这个！", "对吗？"]);
    check(" ... !", &[]);
    assert_eq!((first("Use tabs! Always."), first("---")), ("Use tabs", "---"));
}

#[test]
fn questions() {
    assert!(["Is it?", "(really?)", "决定了吗", "そうですか。"].iter().all(|it| is_question(it)));
    assert!(!is_question("It is."));
}

#[test]
fn headings_and_items() {
    let headings = [
        ("## Rules ##", Some((2, "Rules"))),
        ("# C#", Some((1, "C#"))),
        ("**The fix:**", Some((BOLD_LEVEL, "The fix"))),
        ("**Never do it.**", None),
        ("#5 is open", None),
    ];
    for (line, want) in headings {
        assert_eq!(heading(line), want, "{line}");
    }
    let items = [
        ("- [x] one", Some("one")),
        ("• one", Some("one")),
        ("12) one", Some("one")),
        ("2024. A year", None),
        ("one", None),
    ];
    for (line, want) in items {
        assert_eq!(item(line), want, "{line}");
    }
}

#[test]
fn folded_words() {
    assert_eq!(folded("Don’t use the N+1-query"), " dont use the n 1 query ");
    assert_eq!(folded(""), " ");
}
