//! Answers about lessons.

use super::memory::EarnedSignals;
use crate::prelude::*;
use crate::written::Learned;

answers! {
    /// Where the record of a candidate comes from.
    LessonMeta<'a>(one: &'a Learned) {
        version: &'a str = &one.memory.schema_version,
        artifact_type: &'static str = "memory_candidate",
        /// The number within its task, or its id.
        artifact_id: &'a str = {
            let alias = one.memory.aliases.iter().find(|alias| alias.starts_with("mem-"));
            alias.map_or(one.memory.id.as_str(), String::as_str)
        },
        producer_type: &'a str = one.memory.origin.as_str(),
        created_at: Option<String> = one.memory.created_at.map(format_instant),
    }

    /// R182: the record of a candidate as other tools know it.
    LearnedLesson<'a>(one: &'a Learned, task: &'a str) {
        action: &'a str = one.action.as_str(),
        meta: LessonMeta<'a> = LessonMeta::of(one),
        id: &'a str = one.memory.id.as_str(),
        aliases: &'a [String] = &one.memory.aliases,
        memory_type: Option<&'a str> = one.memory.content.text("lesson_type"),
        state: &'a str = one.memory.state.as_str(),
        title: &'a str = &one.memory.title,
        summary: Option<&'a str> = one.memory.content.text("summary"),
        guidance: Option<&'a str> = one.memory.content.text("guidance"),
        scope: String = one.memory.scope.to_string(),
        evidence_refs: &'a [String] = &one.memory.evidence,
        source_artifacts: &'a [String] = &one.memory.sources,
        signals: EarnedSignals = EarnedSignals::of(&one.signals),
        candidate_reason: Option<&'a str> = one.memory.state_reason.as_deref(),
        reviewer: &'a str = one.reviewer.as_str(),
        task: &'a str = task,
    }

    /// `learn`: the lessons of a retrospective, and the sentences that are in none.
    LearnedLessons<'a>(learned: &'a [Learned], task: &'a str, left: &'a [String]) {
        task: &'a str = task,
        learned: Vec<LearnedLesson<'a>> =
            learned.iter().map(|one| LearnedLesson::of(one, task)).collect(),
        not_taken: &'a [String] = left,
    }
}
