//! A rewrite touches only what changed.

use super::*;

#[track_caller]
fn check(source: &str, change: fn(&mut Memory), want: Expect) {
    let kinds = Kinds::default();
    let origin = Origin { stem: "use-cents", folder: "decisions" };
    let old = parse(source, origin, &kinds).unwrap().memory;
    let mut new = old.clone();
    change(&mut new);
    let text = rewrite(source, &old, &new, &kinds).unwrap();
    let mut diff = String::new();
    for line in source.lines().filter(|line| !text.lines().any(|kept| kept == *line)) {
        diff.push_str(&format!("-{line}\n"));
    }
    for line in text.lines().filter(|line| !source.lines().any(|kept| kept == *line)) {
        diff.push_str(&format!("+{line}\n"));
    }
    want.assert_eq(&diff);
}

const DECISION: &str = "---
# people keep notes here
id: use-cents
type:   decision
title: 'Use cents'
status: accepted
custom: {a: 1,   b: [x]}
state: stable
scope: project
tags:
- money
- api
origin: user
---

<!-- reviewed by ada -->
## Context
Floats  lose   money.

## Homemade
 * kept

## Rationale
* exact
";

#[test]
fn one_key() {
    check(
        DECISION,
        |m| m.state = State::Canonical,
        expect![[r#"
        -state: stable
        +state: canonical
    "#]],
    );
}

#[test]
fn a_list_of_the_frontmatter() {
    check(
        DECISION,
        |m| m.tags.push("new".to_owned()),
        expect![[r#"
        -tags:
        -- money
        -- api
        +tags: [money, api, new]
    "#]],
    );
}

#[test]
fn a_new_key() {
    check(
        DECISION,
        |m| m.domain = Some("billing".to_owned()),
        expect![[r#"
        +domain: billing
    "#]],
    );
}

#[test]
fn a_longer_list() {
    check(
        DECISION,
        |m| m.content.set("rationale", FieldValue::List(vec!["exact".into(), "fast".into()])),
        expect![[r#"
            +- fast
        "#]],
    );
}

#[test]
fn a_new_section() {
    check(
        DECISION,
        |m| m.content.set("decision", FieldValue::Text("Integers.".into())),
        expect![[r#"
            +## Decision
            +Integers.
        "#]],
    );
}

#[test]
fn a_section_that_goes() {
    check(
        DECISION,
        |m| m.content.set("context", FieldValue::Text(String::new())),
        expect![[r#"
        -## Context
        -Floats  lose   money.
    "#]],
    );
}
