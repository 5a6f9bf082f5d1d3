//! What no rule can settle: two statements about one matter that may exclude each other. Whoever
//! writes the second is asked, because they know.

use oldhand_text::hint::{Hint, NextStep};
use oldhand_text::problem::Problem;

use super::{Proposal, against, meets, said};
use crate::context::Gate;
use crate::prelude::*;
use oldhand_judge::gate::{Clash, Statement, Why, names_apart, rival_choices};

/// A decision in force that a proposal may exclude.
#[derive(Debug, Clone)]
pub struct Question {
    pub memory: Memory,
    /// From 0 to 1.
    pub chance: f64,
    /// What a rule saw, where the pair model does not confirm it.
    pub seen: Option<Clash>,
}

/// Whether what a rule saw between two texts, the one in force first, stops a write by itself; otherwise
/// the writer is asked. Words deny, forbid and count in many ways that exclude nothing, so there the pair
/// model must agree, where there is one; an opposite, a choice or a word of giving up says enough.
pub fn is_sure(clash: &Clash, chance: Option<f64>, texts: [&str; 2]) -> bool {
    let is_doubtful = matches!(clash.why, Why::Negation | Why::Forbidden | Why::Number);
    !is_doubtful || chance.is_none_or(|chance| chance >= confirmed_from(texts))
}

/// The chance from which on the pair model confirms a rule. Two short sentences that deny each other are
/// about one thing; the more is said, the more often they are not. Fitted on pairs that neither the rules
/// nor the model knew (see `docs/conflicts.md`): .07 for ten words in all, .36 for thirty, .68 for sixty.
fn confirmed_from(texts: [&str; 2]) -> f64 {
    const BASE: f64 = -6.9;
    const PER_LENGTH: f64 = 1.875;
    let words: usize = texts.iter().map(|text| text.split_whitespace().count()).sum();
    let log_odds = BASE + PER_LENGTH * (words.max(1) as f64).ln();
    1.0 / (1.0 + (-log_odds).exp())
}

/// So many of the nearest are judged: each costs some milliseconds.
const JUDGED_MAX: usize = 3;
/// Farther apart, two statements speak of different things.
pub const NEAR_MIN: f64 = 0.2;
/// The same where both choose among things of one sort, which says already what they speak of.
const RIVAL_NEAR_MIN: f64 = 0.15;
const WORDS_MIN: usize = 4;
/// From this chance on it is asked: see `docs/conflicts.md` for what that finds and costs.
const ASK_MIN: f64 = 0.3;
/// The same where both choose among things of one sort, such as databases.
const RIVAL_MIN: f64 = 0.05;
/// A whole record says many things, and the pair model learnt from short texts: two long ones of one
/// project seem to clash often, so they must be nearer and likelier.
const LONG_CHARS: usize = 250;
const LONG_NEAR_MIN: f64 = 0.6;
const LONG_ASK_MIN: f64 = 0.5;

/// Whether the chance that two statements exclude each other is worth a question.
pub fn is_asked(chance: f64, ours: &Statement, theirs: &Statement) -> bool {
    chance >= ASK_MIN || chance >= RIVAL_MIN && rival_choices(ours, theirs).is_some()
}

impl Gate<'_> {
    /// What a rule saw between two texts, the one in force first: a stop, or only a question.
    pub(super) fn confirm(&self, clash: &Clash, in_force: &str, proposed: &str) -> (bool, f64) {
        let texts = [in_force, proposed];
        let nearby = self.nearby.filter(|_| !is_sure(clash, Some(0.0), texts));
        let chance = nearby.and_then(|nearby| nearby.clash_chance(in_force, proposed));
        (is_sure(clash, chance, texts), chance.unwrap_or(1.0))
    }

    /// The likeliest first.
    pub(super) fn questions(
        &self,
        proposal: &Proposal,
        others: &[&(Stored, Option<f64>)],
    ) -> Vec<Question> {
        let Some(nearby) = self.nearby else { return Vec::new() };
        // A word or two say too little for a judgement.
        if proposal.text.split_whitespace().count() < WORDS_MIN {
            return Vec::new();
        }
        let is_rival = |memory: &Memory| {
            rival_choices(&proposal.statement, &Statement::of_memory(memory)).is_some()
        };
        let is_long = |memory: &Memory| are_long(proposal, memory);
        let near = |(stored, meaning): &(Stored, Option<f64>)| {
            let least = match &stored.memory {
                memory if is_long(memory) => LONG_NEAR_MIN,
                memory if is_rival(memory) => RIVAL_NEAR_MIN,
                _ => NEAR_MIN,
            };
            meaning.filter(|near| *near >= least)
        };
        let mut near: Vec<(f64, &Memory)> =
            others.iter().filter_map(|it| Some((near(it)?, &it.0.memory))).collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)));
        near.truncate(JUDGED_MAX);
        // An answer does not bring up the next nearest.
        near.retain(|(_, memory)| is_open(proposal, memory));
        near.retain(|(_, memory)| !names_apart(&said(memory), &proposal.text));
        let judged = near.into_iter().filter_map(|(_, memory)| {
            let chance = nearby.clash_chance(&said(memory), &proposal.text)?;
            let is_asked = is_asked(chance, &proposal.statement, &Statement::of_memory(memory))
                && (chance >= LONG_ASK_MIN || !is_long(memory));
            is_asked.then(|| Question { memory: memory.clone(), chance, seen: None })
        });
        let mut asked: Vec<Question> = judged.collect();
        asked.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        asked
    }
}

fn are_long(proposal: &Proposal, memory: &Memory) -> bool {
    [&said(memory), &proposal.text].iter().any(|text| text.len() >= LONG_CHARS)
}

/// What a rule saw and the model does not confirm. Among the sentences of whole records some oppose each
/// other by chance.
pub(super) fn is_worth_asking(proposal: &Proposal, memory: &Memory, chance: f64) -> bool {
    is_open(proposal, memory) && (chance >= LONG_ASK_MIN || !are_long(proposal, memory))
}

/// Nobody has said yet how the two stand to each other, and their scopes meet.
fn is_open(proposal: &Proposal, memory: &Memory) -> bool {
    let own = proposal.except.first();
    let is_there = |own: &String| memory.beside.contains(own) || memory.refines.contains(own);
    meets(&proposal.scope, &memory.scope)
        && !proposal.answered.contains(&memory.id.to_string())
        && !own.is_some_and(is_there)
}

impl Question {
    pub(super) fn against(&self, proposal: &Proposal) -> Against {
        let Some(clash) = &self.seen else {
            let why = "both speak of one matter, and may exclude each other".to_owned();
            return against(&self.memory, why, proposal.text.clone(), said(&self.memory));
        };
        against(&self.memory, clash.sentence(), clash.ours.clone(), clash.theirs.clone())
    }

    /// Why it is asked, in plain words.
    pub fn why(&self) -> String {
        let chance = 100.0 * self.chance;
        match &self.seen {
            Some(clash) => format!("{}; perhaps not the same thing", clash.sentence()),
            None => format!("both speak of one matter; {chance:.0} % likely to exclude each other"),
        }
    }
}

/// Nothing is written until the writer has said how the proposal stands to each.
pub(super) fn ask(proposal: &Proposal, questions: &[Question]) -> Refusal {
    let mut message = format!(
        "\"{}\" may exclude what is in force. Nothing was written: say how it stands to it",
        visible_line(&proposal.title)
    );
    let mut problems = Vec::new();
    for Question { memory, .. } in questions {
        let (title, id, decided) = (visible_line(&memory.title), &memory.id, said(memory));
        message.push_str(&format!(
            "\n\n- {title} ({id})\n  decided: {}\n  proposed: {}",
            visible_line(&decided),
            visible_line(&proposal.text)
        ));
        problems.push(Problem::new("beside", "how it stands to this memory", id.as_str()));
    }
    let first = questions.first().map_or_else(String::new, |it| it.memory.id.to_string());
    let steps = [
        NextStep::StandBeside(first.clone()),
        NextStep::Refine(first.clone()),
        NextStep::Supersede(first),
    ];
    let text = "repeat it with {} if both hold, or {} if it adds detail; to replace it, use {}";
    let mut refusal = Refusal::new(Code::Judge, message).with_hint(Hint::with_steps(text, steps));
    refusal.problems = problems;
    refusal
}
