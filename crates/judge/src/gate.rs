//! The conflict gate: does a proposal clash with what was decided before? Words and numbers decide.

mod claims;
mod cover;
mod document;
mod forms;
mod judge;
mod numbers;
mod records;

#[cfg(test)]
mod tests;

pub use self::numbers::names_apart;

use self::claims::Claim;
use self::judge::Finding;
use self::records::Record;
use oldhand_text::lexicon::choices::Mention;
use oldhand_text::word::words;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Statement {
    claims: Vec<Claim>,
    rejected: Vec<Claim>,
    record: Record,
}

/// One way in which a proposal clashes with a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Clash {
    pub why: Why,
    /// The sentence of the proposal.
    pub ours: String,
    /// The sentence of the record.
    pub theirs: String,
    /// The words that clash, ours and theirs.
    pub terms: Vec<(String, String)>,
    /// 0 to 1.
    pub score: f64,
}

words! {
    Why, "cause" {
        Negation = "negation",
        Forbidden = "forbidden",
        Antonym = "antonym",
        Choice = "choice",
        Number = "number",
        Rejected = "rejected",
        Reversal = "reversal",
        /// It says so itself.
        Supersedes = "supersedes",
        /// Two documents under nearly one title.
        SameMatter = "same_matter",
    }
}

impl Clash {
    /// The reason in plain English, for the person who has to settle it (R95).
    pub fn sentence(&self) -> String {
        let (ours, theirs) = self.terms.first().cloned().unwrap_or_default();
        let all =
            || self.terms.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(", ");
        match self.why {
            Why::Negation => {
                format!("one says yes and the other no to the same thing: `{}`", all())
            }
            Why::Forbidden => format!("it proposes what was forbidden; both speak of `{}`", all()),
            Why::Antonym => format!("`{ours}` is the opposite of `{theirs}`"),
            Why::Choice => format!("`{ours}` is chosen where `{theirs}` was chosen before"),
            Why::Number => format!("`{ours}` is set where `{theirs}` was set before"),
            Why::Rejected => format!("`{ours}` was considered and rejected before"),
            Why::Reversal => format!("the proposal gives up `{ours}`, which was decided before"),
            Why::Supersedes => "the proposal says that it replaces the record".to_owned(),
            Why::SameMatter => "both settle the same matter, and in different words".to_owned(),
        }
    }
}

/// The words that such a sentence names: those between two backticks. A file of what waits keeps
/// the sentence alone.
pub fn named_terms(sentence: &str) -> impl Iterator<Item = &str> {
    let pairs = sentence.matches('`').count() / 2;
    sentence.split('`').skip(1).step_by(2).take(pairs)
}

impl Statement {
    /// The sentences that claim something, for a vector of their meaning.
    pub fn text(&self) -> String {
        self.claims.iter().map(|claim| claim.text.as_str()).collect::<Vec<_>>().join(". ")
    }

    pub fn is_empty(&self) -> bool {
        self.claims.is_empty() && self.rejected.is_empty()
    }
}

/// The clashes, strongest first; none when both can hold. `meaning` is how near the two are by
/// their sentence vectors, where that was measured.
pub fn judge(proposal: &Statement, existing: &Statement, meaning: Option<f64>) -> Vec<Clash> {
    judge_near(proposal, existing, meaning, &|_, _| None)
}

/// The same with a way to measure two sentences: long records that are far apart clash only by
/// sentences that are near.
pub fn judge_near(
    proposal: &Statement,
    existing: &Statement,
    meaning: Option<f64>,
    measure: &dyn Fn(&str, &str) -> Option<f64>,
) -> Vec<Clash> {
    let mut clashes = weigh(proposal, existing, meaning);
    clashes.retain(|clash| {
        clash.score >= judge::SCORE_MIN && !names_apart(&clash.ours, &clash.theirs)
    });
    if judge::is_far(proposal, existing, meaning) {
        clashes.retain(|clash| {
            measure(&clash.ours, &clash.theirs).is_some_and(|near| near >= judge::SENTENCE_NEAR)
        });
    }
    clashes
}

/// What the two choose for one sort of purpose, ours and theirs, where they choose differently: both
/// may hold, for two purposes.
pub fn rival_choices(proposal: &Statement, existing: &Statement) -> Option<(String, String)> {
    chosen(proposal).find_map(|(ours, mine)| {
        let is_known = chosen(existing).any(|(_, it)| it.member == mine.member);
        let rival = |(_, it): &(_, &Mention)| !is_known && it.member.is_rival(mine.member);
        let (theirs, other) = chosen(existing).find(rival)?;
        Some((ours.words(&mine.words), theirs.words(&other.words)))
    })
}

fn chosen(statement: &Statement) -> impl Iterator<Item = (&Claim, &Mention)> {
    let affirmed = statement.claims.iter().filter(|claim| !claim.is_negative);
    affirmed.flat_map(|claim| claim.picks.iter().map(move |pick| (claim, pick)))
}

/// Everything that a rule noticed, the faint too: for measuring.
pub fn weigh(proposal: &Statement, existing: &Statement, meaning: Option<f64>) -> Vec<Clash> {
    let mut clashes = Vec::new();
    let mut take = |ours: &str, theirs: &str, found: Option<Finding>| {
        clashes.extend(found.map(|found| Clash {
            why: found.why,
            ours: ours.to_owned(),
            theirs: theirs.to_owned(),
            terms: found.terms,
            score: judge::with_meaning(found.score, meaning),
        }));
    };
    for ours in &proposal.claims {
        for theirs in &existing.claims {
            take(&ours.text, &theirs.text, judge::compare(ours, theirs));
        }
        for option in &existing.rejected {
            take(&ours.text, &option.text, judge::rejected(ours, option, existing));
        }
    }
    take(&proposal.record.title, &existing.record.title, records::compare(proposal, existing));
    let sentences = |it: &Clash| (it.ours.clone(), it.theirs.clone());
    clashes.sort_by(|a, b| b.score.total_cmp(&a.score).then(sentences(a).cmp(&sentences(b))));
    clashes
}
