//! The table of reviewers, and which approvals are a joint one.

use proptest::prelude::*;

use super::*;
use crate::content::FieldValue;
use crate::memory::MemoryId;

fn memory(kind: &str, lesson_type: &str) -> Memory {
    let mut memory = Memory::new(MemoryId::of_title("m"), Kind::named(kind), "m");
    memory.content.set("lesson_type", FieldValue::Text(lesson_type.to_owned()));
    memory
}

#[track_caller]
fn check_role(kind: &str, lesson_type: &str, want: Role) {
    assert_eq!(Reviewers::default().of(&memory(kind, lesson_type)), want);
}

#[test]
fn r197_twelve_rows_one_for_each_type() {
    let lessons = &ROLES[..LESSON_TYPES.len()];
    let mut rows: Vec<&str> = lessons.iter().map(|(of, _)| *of).collect();
    let mut types: Vec<&str> = LESSON_TYPES.to_vec();
    rows.sort_unstable();
    types.sort_unstable();
    assert_eq!(rows, types);
    for (lesson_type, role) in lessons {
        check_role("lesson", lesson_type, *role);
    }
}

#[test]
fn r197_every_other_kind_has_a_row() {
    check_role("decision", "", Role::Architect);
    check_role("constraint", "", Role::Architect);
    check_role("runbook", "", Role::Maintainer);
    check_role("rituals", "", Role::Maintainer);
    check_role("lesson", "", Role::Maintainer);
    check_role("lesson", "of-another-tool", Role::Maintainer);
    for kind in Kind::BUILT_IN.iter().filter(|kind| **kind != Kind::Lesson) {
        assert!(ROLES.iter().any(|(of, _)| of == &kind.as_str()), "{kind}");
    }
}

#[test]
fn the_configuration_changes_a_row() {
    let mut reviewers = Reviewers::default();
    *reviewers.role_mut("ux_pattern").unwrap() = Role::Product;
    *reviewers.role_mut("other").unwrap() = Role::Process;
    assert_eq!(reviewers.of(&memory("lesson", "ux_pattern")), Role::Product);
    assert_eq!(reviewers.of(&memory("rituals", "")), Role::Process);
    assert_eq!(reviewers.of(&memory("lesson", "of-another-tool")), Role::Process);
    assert_eq!(reviewers.role_mut("ux_patern"), None);
    assert_eq!(reviewers.iter().count(), 21);
}

#[test]
fn an_approval_has_a_name() {
    for name in ["", "  ", "\n", "\u{200B}"] {
        assert_eq!(Approval::new(name, None).unwrap_err().field, "by", "{name:?}");
    }
    assert_eq!(Approval::new(" Ada ", None).unwrap().by, "Ada");
}

const NONE: Option<Role> = None;
const ORCHESTRATOR: Option<Role> = Some(Role::Orchestrator);
const SECURITY: Option<Role> = Some(Role::Security);
const DESIGN: Option<Role> = Some(Role::Design);

fn approvals(given: &[(&str, Option<Role>)]) -> Vec<Approval> {
    given.iter().map(|(by, role)| Approval::new(by, *role).unwrap()).collect()
}

/// `want` is what is missing for a lesson that security reviews; empty when nothing is.
#[track_caller]
fn check(given: &[(&str, Option<Role>)], want: &str) {
    let missing = joint(&approvals(given), Role::Security).err();
    assert_eq!(missing.map(|missing| missing.to_string()).unwrap_or_default(), want);
}

#[test]
fn r202_two_names_for_two_roles() {
    check(&[("ada", ORCHESTRATOR), ("bob", SECURITY)], "");
    check(&[("ada", ORCHESTRATOR), ("bob", NONE)], "");
    check(&[("ada", NONE), ("bob", SECURITY)], "");
    check(&[("ada", NONE), ("bob", NONE)], "");
    check(&[("ada", DESIGN), ("ada", NONE), ("bob", SECURITY)], "");
}

#[test]
fn r202_what_is_missing_is_said() {
    let both = "an approval for the `orchestrator` and one by another name for the `security`";
    let second = "an approval for the `orchestrator` or the `security` by somebody besides `ada`";
    check(&[], both);
    check(&[("ada", DESIGN), ("bob", DESIGN)], both);
    check(&[("ada", ORCHESTRATOR)], "an approval for the `security`");
    check(&[("ada", ORCHESTRATOR), ("bob", ORCHESTRATOR)], "an approval for the `security`");
    check(&[("ada", SECURITY), ("bob", SECURITY)], "an approval for the `orchestrator`");
    check(&[("ada", NONE)], second);
    check(&[("ada", ORCHESTRATOR), (" ADA ", SECURITY)], second);
    check(&[("ada", ORCHESTRATOR), ("a\u{200B}da", SECURITY)], second);
    check(&[("ada", NONE), ("bob", DESIGN)], second);
}

#[test]
fn r202_what_the_orchestrator_reviews_needs_a_maintainer_too() {
    let two = approvals(&[("ada", ORCHESTRATOR), ("bob", ORCHESTRATOR)]);
    assert_eq!(joint(&two, Role::Orchestrator), Err("an approval for the `maintainer`".to_owned()));
    let two = approvals(&[("ada", ORCHESTRATOR), ("bob", Some(Role::Maintainer))]);
    assert_eq!(joint(&two, Role::Orchestrator), Ok(()));
}

fn any_approvals() -> impl Strategy<Value = Vec<Approval>> {
    let role = proptest::option::of(proptest::sample::select(Role::ALL));
    let one = ("[abAB]{1,2}", role).prop_map(|(by, role)| Approval::new(&by, role).unwrap());
    proptest::collection::vec(one, 0..6)
}

proptest! {
    /// R202: the order of the approvals says nothing.
    #[test]
    fn joint_is_symmetric(
        (given, shuffled) in any_approvals().prop_flat_map(|a| (Just(a.clone()), Just(a).prop_shuffle())),
        needed in proptest::sample::select(Role::ALL),
    ) {
        prop_assert_eq!(joint(&given, needed), joint(&shuffled, needed));
    }

    /// R202: no number of approvals by one name is a joint one.
    #[test]
    fn nobody_approves_alone(
        roles in proptest::collection::vec(proptest::option::of(proptest::sample::select(Role::ALL)), 0..6),
        needed in proptest::sample::select(Role::ALL),
    ) {
        let given: Vec<Approval> =
            roles.into_iter().map(|role| Approval::new("Ada", role).unwrap()).collect();
        prop_assert!(joint(&given, needed).is_err());
    }
}
