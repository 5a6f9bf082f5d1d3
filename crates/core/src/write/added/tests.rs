//! Said already, or new.

use super::*;
use crate::kind::Kind;
use crate::memory::MemoryId;

fn memory(title: &str, decision: &str) -> Memory {
    let mut memory = Memory::new(MemoryId::of_title(title), Kind::Decision, title);
    memory.content.set("decision", FieldValue::Text(decision.to_owned()));
    memory
}

fn draft(title: &str, decision: &str) -> Draft {
    let mut draft = Draft::titled(Kind::Decision, title);
    draft.set_content("decision", FieldValue::Text(decision.to_owned()));
    draft
}

/// The names of what is new.
#[track_caller]
fn check(draft: &Draft, there: &Memory, want: &[&str]) -> Draft {
    let found = added(draft, there);
    let front = found.front.iter().map(|(key, _)| key.as_str());
    let names: Vec<&str> =
        front.chain(found.content.iter().map(|(name, _)| name.as_str())).collect();
    assert_eq!(names, want);
    found
}

#[test]
fn the_same_words_are_nothing_new() {
    let there = memory("Keep cents", "Money is kept in cents. It is rounded at the end (v1.2).");
    check(&draft("Keep cents", "Money is kept in cents."), &there, &[]);
    check(&draft("keep  cents.", "it is rounded at the end (v1.2)"), &there, &[]);
    check(&draft("Money is kept in cents", "Money is kept in cents"), &there, &[]);
}

#[test]
fn a_part_of_a_sentence_may_say_the_opposite() {
    let there = memory("No PCRE2 by default", "Do not use PCRE2 as the default engine");
    check(
        &draft("PCRE2 by default", "use PCRE2 as the default engine"),
        &there,
        &["title", "decision"],
    );
    check(&draft("No PCRE2 by default", "use PCRE2 as the default engine"), &there, &["decision"]);
}

#[test]
fn lists_and_open_fields_only_fill() {
    let mut there = memory("Keep cents", "Money is kept in cents");
    there.tags = vec!["money".to_owned()];
    there.content.set("consequences", FieldValue::List(vec!["No floats".to_owned()]));
    let mut more = draft("Keep cents", "Money is kept in cents");
    more.set("tags", Yaml::list(&["money", "api"]));
    more.set("domain", Yaml::text("billing"));
    more.set_content("rationale", FieldValue::Text("Floats lose cents".to_owned()));
    let items = vec!["no floats.".to_owned(), "An API of integers".to_owned()];
    more.set_content("consequences", FieldValue::List(items));
    let found = check(&more, &there, &["tags", "domain", "rationale", "consequences"]);
    assert_eq!(found.get("tags"), Some(&Yaml::list(&["api"])));
    assert!(only_fills(&found, &there));
    there.domain = Some("money".to_owned());
    assert!(!only_fills(&added(&more, &there), &there), "the domain would be another one");
    more.set("domain", Yaml::text("money"));
    more.set("title", Yaml::text("Cents"));
    assert!(!only_fills(&added(&more, &there), &there), "the title would be another one");
    assert!(wording(&added(&more, &there)).starts_with("Cents; rationale: Floats lose cents; "));
}
