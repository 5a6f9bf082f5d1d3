//! What no rule can settle: two statements about one matter that may exclude each other. Whoever
//! writes the second is asked, because they know.

use oldhand_text::hint::{Hint, NextStep};
use oldhand_text::problem::Problem;

use super::{Proposal, against, meets, said, with_doubt};
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
    /// Why nobody has to be bound by it yet.
    pub doubt: Option<String>,
}

/// Two statements, the one in force first, and what decides between a stop, a question and neither.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    pub statements: [&'a Statement; 2],
    pub texts: [&'a str; 2],
}

/// So many of the nearest are judged: each costs some milliseconds.
const JUDGED_MAX: usize = 3;
/// What is farther off than this share of the nearest is about another matter: the model was taught pairs
/// about one matter, and finds clashes in others.
const NEAREST_SHARE: f64 = 0.8;
/// Farther apart, two statements speak of different things.
const NEAR_MIN: f64 = 0.2;
/// The same where both choose among things of one sort, which says already what they speak of.
const RIVAL_NEAR_MIN: f64 = 0.15;
/// The same of whole records: they say many things, and two of one project always seem alike.
const LONG_NEAR_MIN: f64 = 0.6;
const LONG_CHARS: usize = 250;
const WORDS_MIN: usize = 4;
/// From this chance on it is asked: see `docs/conflicts.md` for what that finds and costs.
const ASK_MIN: f64 = 0.25;
const LONG_ASK_MIN: f64 = 0.5;
/// The same where both choose among things of one sort, such as databases.
const RIVAL_MIN: f64 = 0.05;
/// From here on, what a rule saw waits for a person where nobody can be asked.
pub(super) const WAITS_MIN: f64 = 0.1;

impl Pair<'_> {
    /// Whether what a rule saw stops a write by itself; otherwise the writer is asked. Words deny, forbid
    /// and count in many ways that exclude nothing, so there the pair model must agree, where there is one;
    /// an opposite, a choice or a word of giving up says enough. Among the sentences of a whole record some
    /// oppose each other anyhow: it is only stopped by what it says of itself.
    pub fn is_sure(&self, clash: &Clash, chance: Option<f64>) -> bool {
        let Some(chance) = chance.filter(|_| clash.why != Why::Supersedes) else { return true };
        let is_doubtful = matches!(clash.why, Why::Negation | Why::Forbidden | Why::Number);
        !self.is_long() && (!is_doubtful || chance >= self.confirmed_from())
    }

    /// The chance from which on the pair model confirms a rule. Two short sentences that deny each other are
    /// about one thing; the more is said, the more often they are not. Fitted on pairs that neither the rules
    /// nor the model knew (see `docs/conflicts.md`): .07 for ten words in all, .36 for thirty, .68 for sixty.
    fn confirmed_from(&self) -> f64 {
        const BASE: f64 = -6.9;
        const PER_LENGTH: f64 = 1.875;
        let words: usize = self.texts.iter().map(|text| text.split_whitespace().count()).sum();
        let log_odds = BASE + PER_LENGTH * (words.max(1) as f64).ln();
        1.0 / (1.0 + (-log_odds).exp())
    }

    /// Whether the chance that they exclude each other is worth a question.
    pub fn is_asked(&self, near: f64, chance: f64) -> bool {
        let least = if self.is_long() { LONG_ASK_MIN } else { ASK_MIN };
        let is_likely = chance >= least || chance >= RIVAL_MIN && self.is_rival();
        near >= self.near_min() && is_likely
    }

    /// The same where a rule saw something and is not sure.
    pub fn is_doubt_asked(&self, chance: f64) -> bool {
        chance >= LONG_ASK_MIN || !self.is_long()
    }

    fn near_min(&self) -> f64 {
        match self {
            _ if self.is_long() => LONG_NEAR_MIN,
            _ if self.is_rival() => RIVAL_NEAR_MIN,
            _ => NEAR_MIN,
        }
    }

    fn is_rival(&self) -> bool {
        let [in_force, proposed] = self.statements;
        !self.is_long() && rival_choices(proposed, in_force).is_some()
    }

    fn is_long(&self) -> bool {
        self.texts.iter().any(|text| text.len() >= LONG_CHARS)
    }
}

impl Gate<'_> {
    /// Whether what a rule saw is a stop, and how likely the two exclude each other.
    pub(super) fn confirm(&self, clash: &Clash, pair: &Pair<'_>) -> (bool, f64) {
        let [in_force, proposed] = pair.texts;
        let nearby = self.nearby.filter(|_| !pair.is_sure(clash, Some(0.0)));
        let chance = nearby.and_then(|nearby| nearby.clash_chance(in_force, proposed));
        (pair.is_sure(clash, chance), chance.unwrap_or(1.0))
    }

    /// The likeliest first.
    pub(super) fn questions(
        &self,
        proposal: &Proposal,
        others: &[&(Stored, Option<f64>)],
    ) -> Result<Vec<Question>> {
        let Some(nearby) = self.nearby else { return Ok(Vec::new()) };
        // A word or two say too little for a judgement.
        if proposal.text.split_whitespace().count() < WORDS_MIN {
            return Ok(Vec::new());
        }
        let mut near: Vec<Nearest<'_>> =
            others.iter().filter_map(|it| nearest(proposal, it)).collect();
        near.sort_by(|a, b| {
            let by_id = || a.stored.memory.id.cmp(&b.stored.memory.id);
            b.near.total_cmp(&a.near).then_with(by_id)
        });
        near.truncate(JUDGED_MAX);
        let nearest = near.first().map_or(0.0, |it| it.near);
        near.retain(|it| it.near >= NEAREST_SHARE * nearest);
        // An answer does not bring up the next nearest.
        near.retain(|it| is_open(proposal, &it.stored.memory));
        near.retain(|it| !names_apart(&it.said, &proposal.text));
        let mut asked = Vec::new();
        for Nearest { near, stored, said, statement } in near {
            let Some(chance) = nearby.clash_chance(&said, &proposal.text) else { continue };
            if proposal.beside(&statement, &said).is_asked(near, chance) {
                let (memory, doubt) = (stored.memory.clone(), self.doubt(stored)?);
                asked.push(Question { memory, chance, seen: None, doubt });
            }
        }
        asked.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        Ok(asked)
    }
}

/// A memory that is near enough to be judged.
struct Nearest<'m> {
    near: f64,
    stored: &'m Stored,
    said: String,
    statement: Statement,
}

fn nearest<'m>(
    proposal: &Proposal,
    (stored, near): &'m (Stored, Option<f64>),
) -> Option<Nearest<'m>> {
    let (near, memory) = (near.filter(|near| *near >= RIVAL_NEAR_MIN)?, &stored.memory);
    let (said, statement) = (said(memory), Statement::of_memory(memory));
    let is_near = near >= proposal.beside(&statement, &said).near_min();
    is_near.then_some(Nearest { near, stored, said, statement })
}

impl Proposal {
    pub(super) fn beside<'a>(&'a self, in_force: &'a Statement, said: &'a str) -> Pair<'a> {
        Pair { statements: [in_force, &self.statement], texts: [said, &self.text] }
    }
}

/// Nobody has said yet how the two stand to each other, and their scopes meet.
pub(super) fn is_open(proposal: &Proposal, memory: &Memory) -> bool {
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
            let why = with_doubt(why, self.doubt.as_deref());
            return against(&self.memory, why, proposal.text.clone(), said(&self.memory));
        };
        let why = with_doubt(clash.sentence(), self.doubt.as_deref());
        against(&self.memory, why, clash.ours.clone(), clash.theirs.clone())
    }

    /// Why it is asked, in plain words.
    pub fn why(&self) -> String {
        let chance = 100.0 * self.chance;
        let why = match &self.seen {
            Some(clash) => format!("{}; perhaps not the same thing", clash.sentence()),
            None => format!("both speak of one matter; {chance:.0} % likely to exclude each other"),
        };
        with_doubt(why, self.doubt.as_deref())
    }
}

/// Nothing is written until the writer has said how the proposal stands to each.
pub(super) fn ask(proposal: &Proposal, questions: &[Question]) -> Refusal {
    let mut message = format!(
        "\"{}\" may exclude what is in force. Nothing was written: say how it stands to it",
        visible_line(&proposal.title)
    );
    let mut problems = Vec::new();
    for Question { memory, doubt, .. } in questions {
        let (title, id, decided) = (visible_line(&memory.title), &memory.id, said(memory));
        message.push_str(&format!(
            "\n\n- {title} ({id})\n  decided: {}\n  proposed: {}",
            visible_line(&decided),
            visible_line(&proposal.text)
        ));
        if let Some(doubt) = doubt {
            message.push_str(&format!("\n  standing: {doubt}"));
        }
        problems.push(Problem::new("beside", "how it stands to this memory", id.as_str()));
    }
    let ids: Vec<String> = questions.iter().map(|it| it.memory.id.to_string()).collect();
    let first = ids.first().cloned().unwrap_or_default();
    let steps =
        [NextStep::StandBeside(ids), NextStep::Refine(first.clone()), NextStep::Supersede(first)];
    let text = "repeat it with {} if both hold, or {} if it adds detail; to replace it, use {}";
    let mut refusal = Refusal::new(Code::Judge, message).with_hint(Hint::with_steps(text, steps));
    refusal.problems = problems;
    refusal
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "The service keeps its data in one place and tells nobody about it. ";

    fn verdict(why: Why, score: f64, chance: Option<f64>, in_force: &str) -> (bool, bool) {
        let (ours, theirs) = ("Use MySQL for orders", in_force.to_owned());
        let clash = Clash { why, ours: ours.into(), theirs, terms: Vec::new(), score };
        let statements = [&Statement::of_text(in_force), &Statement::of_text(ours)];
        let pair = Pair { statements, texts: [in_force, ours] };
        (pair.is_sure(&clash, chance), pair.is_doubt_asked(chance.unwrap_or(1.0)))
    }

    #[test]
    fn a_rule_that_only_counts_words_needs_a_chance_and_a_record_is_asked_about() {
        let short = "Use PostgreSQL for orders";
        let table = [
            (Why::Negation, 0.7, Some(0.4), short, (true, true)),
            (Why::Negation, 0.7, Some(0.02), short, (false, true)),
            (Why::Choice, 0.7, Some(0.02), short, (true, true)),
            (Why::Reversal, 0.97, Some(0.9), &LONG.repeat(5), (false, true)),
            (Why::Reversal, 0.97, Some(0.4), &LONG.repeat(5), (false, false)),
            (Why::Supersedes, 0.9, Some(0.0), &LONG.repeat(5), (true, false)),
            // Without the model the rules are all there is.
            (Why::Negation, 0.7, None, short, (true, true)),
        ];
        for (why, score, chance, in_force, wanted) in table {
            assert_eq!(verdict(why, score, chance, in_force), wanted, "{why:?} {score} {chance:?}");
        }
    }
}
