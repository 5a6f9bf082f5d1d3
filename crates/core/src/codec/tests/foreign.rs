//! Files that other people's tools wrote are read without complaint.

use super::*;

#[track_caller]
fn read(source: &str, stem: &str, folder: &str) -> Memory {
    let parsed = parse(source, Origin { stem, folder }, &Kinds::default()).unwrap();
    assert_eq!(parsed.problems, vec![]);
    parsed.memory
}

#[test]
fn a_madr_record() {
    let memory = read(
        "---\nstatus: \"superseded by [ADR-0005](0005-x.md)\"\ndate: 2023-01-02\ndecision-makers: [a, b]\n---\n\
         # Use Markdown\n\n## Context and Problem Statement\n\nWhich format?\n\n\
         ## Considered Options\n\n* MADR 4\n* Plain text\n\n## Decision Outcome\n\nChosen: MADR, because\nit is readable.\n\n\
         ### Consequences\n\n* Good, because it is short\n\n## More Information\n\nSee the wiki.\n",
        "0001-use-markdown",
        "decisions",
    );
    assert_eq!(memory.title, "Use Markdown");
    assert_eq!(memory.kind, Kind::Decision);
    assert_eq!(memory.content.text("status"), Some("superseded"));
    assert_eq!(memory.content.text("context"), Some("Which format?"));
    let options = vec![Alternative::new("MADR 4", ""), Alternative::new("Plain text", "")];
    assert_eq!(memory.content.get("alternatives"), Some(&FieldValue::Alternatives(options)));
    assert!(memory.content.text("decision").unwrap().starts_with("Chosen: MADR"));
    assert_eq!(memory.sections.last().unwrap().0, "More Information");
    assert_eq!(memory.extra[0].0, "date");
}

#[test]
fn a_record_without_frontmatter() {
    let memory = read(
        "# 7. Record decisions\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nWe forget.\n\n## Decision\n\nWrite.\n",
        "0007-record-decisions",
        "decisions",
    );
    assert_eq!(memory.title, "7. Record decisions");
    assert_eq!(memory.content.text("status"), Some("accepted"));
    assert_eq!(memory.content.text("decision"), Some("Write."));
    assert_eq!(memory.state, State::Candidate);
}

#[test]
fn an_okf_document() {
    let memory = read(
        "---\ntype: BigQuery Table\ntitle: Orders\ndescription: One row an order\ntags: [sales]\nresource: https://example.com/x\n---\n# Schema\n\n| a | b |\n",
        "orders",
        "reference",
    );
    assert_eq!(memory.kind, Kind::Custom("BigQuery Table".to_owned()));
    assert_eq!(memory.description.as_deref(), Some("One row an order"));
    assert!(memory.content.text("text").unwrap().starts_with("# Schema"));
}

/// R112: persistent memory files have name, description, type and scope.
#[test]
fn a_persistent_memory_file() {
    let memory = read(
        "---\nname: Short commits\ndescription: How we commit\ntype: feedback\nscope: global\n---\nOne idea each.\n",
        "short-commits",
        "",
    );
    assert_eq!(memory.title, "Short commits");
    assert_eq!(memory.kind, Kind::Preference);
    assert_eq!(memory.audience, Some(crate::origin::Audience::Feedback));
    assert_eq!(memory.scope, Scope::Global);
}

/// R279: a record without a status counts as active.
#[test]
fn a_session_without_status_is_active() {
    assert!(read("---\ntitle: S\n---\n## Goal\nx\n", "s", "sessions").is_active());
}
