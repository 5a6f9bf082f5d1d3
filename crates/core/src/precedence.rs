//! Which of two memories holds until a person has decided (R232).

use crate::kind::Kind;
use crate::memory::Memory;
use crate::scope::Scope;
use oldhand_text::word::words;

words! {
    Rank, "rank" {
        Rule = "rule",
        Project = "project memory",
        Agent = "agent memory",
        Risk = "risk memory",
    }
}

/// The first of `Rank::ALL` wins.
pub fn rank(memory: &Memory) -> Rank {
    let lesson_type = memory.content.text("lesson_type");
    match (&memory.kind, lesson_type, &memory.scope) {
        (Kind::Constraint, ..) | (Kind::Lesson, Some("project_rule"), _) => Rank::Rule,
        (Kind::Lesson, Some("risk_pattern"), _) => Rank::Risk,
        (Kind::Lesson, Some("agent_rule"), _) | (_, _, Scope::Agent(_)) => Rank::Agent,
        _ => Rank::Project,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::FieldValue;
    use crate::memory::MemoryId;

    #[track_caller]
    fn check(kind: Kind, lesson_type: Option<&str>, scope: Scope, want: Rank) {
        let mut memory = Memory::new(MemoryId::of_title("m"), kind, "m");
        memory.scope = scope;
        if let Some(lesson_type) = lesson_type {
            memory.content.set("lesson_type", FieldValue::Text(lesson_type.to_owned()));
        }
        assert_eq!(rank(&memory), want);
    }

    /// R232
    #[test]
    fn rules_then_project_then_agent_then_risk() {
        check(Kind::Constraint, None, Scope::Agent("reviewer".into()), Rank::Rule);
        check(Kind::Lesson, Some("project_rule"), Scope::Project, Rank::Rule);
        check(Kind::Decision, None, Scope::Project, Rank::Project);
        check(Kind::Decision, None, Scope::Agent("reviewer".into()), Rank::Agent);
        check(Kind::Lesson, Some("agent_rule"), Scope::Project, Rank::Agent);
        check(Kind::Lesson, Some("risk_pattern"), Scope::Project, Rank::Risk);
        assert!(Rank::ALL.is_sorted());
    }
}
