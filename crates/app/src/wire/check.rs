//! The answer of `check`.

use super::memory::NamedMemory;
use super::pending::WAYS_ON;
use super::rounded;
use crate::gate::{Conflict, Judged, Proposal, Question};
use crate::prelude::*;

answers! {
    Check<'a>(proposal: &'a Proposal, judged: &'a Judged) {
        verdict: &'a str = judged.verdict().as_str(),
        proposal: &'a str = &proposal.title,
        domain: Option<&'a str> = proposal.domain.as_deref(),
        conflicts: Vec<FoundConflict<'a>> = judged.conflicts.iter().map(FoundConflict::of).collect(),
        questions: Vec<OpenQuestion<'a>> = judged.questions.iter().map(OpenQuestion::of).collect(),
        related: Vec<NamedMemory<'a>> = judged.related.iter().map(NamedMemory::from).collect(),
        earlier: Vec<EarlierDecision<'a>> = judged.earlier.iter().map(EarlierDecision::of).collect(),
        compared: usize = judged.compared,
        in_domain: usize = judged.in_domain,
        unreadable: &'a [String] = &judged.unreadable,
    }

    FoundConflict<'a>(conflict: &'a Conflict) {
        id: &'a str = conflict.memory.id.as_str(),
        title: &'a str = &conflict.memory.title,
        r#type: &'a str = conflict.memory.kind.as_str(),
        date: String = conflict.date(),
        domain: Option<&'a str> = conflict.memory.domain.as_deref(),
        cause: &'a str = conflict.clash.why.as_str(),
        why: String = conflict.why(),
        decided: &'a str = &conflict.clash.theirs,
        proposed: &'a str = &conflict.clash.ours,
        terms: Vec<ClashingTerms<'a>> =
            conflict.clash.terms.iter().map(|(ours, theirs)| ClashingTerms::of(ours, theirs)).collect(),
        score: f64 = rounded(conflict.clash.score),
        options: [&'static str; 3] = WAYS_ON,
    }

    /// A decision in force that the proposal may exclude.
    OpenQuestion<'a>(question: &'a Question) {
        id: &'a str = question.memory.id.as_str(),
        title: &'a str = &question.memory.title,
        chance: f64 = rounded(question.chance),
    }

    ClashingTerms<'a>(proposed: &'a str, decided: &'a str) {
        proposed: &'a str = proposed,
        decided: &'a str = decided,
    }

    /// A decision of the archive that spoke of the matter.
    EarlierDecision<'a>(memory: &'a Memory) {
        id: &'a str = memory.id.as_str(),
        title: &'a str = &memory.title,
        state: &'a str = memory.state.as_str(),
        reason: Option<&'a str> = memory.state_reason.as_deref(),
    }
}
