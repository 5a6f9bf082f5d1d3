//! The score of one sentence: its strongest cue, what stands beside it, and what takes it back.

use std::ops::Range;

use super::cues::{BOOK, Boost, Cue, Sign, Veto, Who};
use super::languages;
use super::words::{Found, Word};
use crate::capture::sentence::Sentence;
use crate::guess;
use oldhand_core::kind::Kind;
use oldhand_transcripts::Voice;

/// Fewer words say nothing that lasts.
const WORDS_MIN: usize = 3;
/// Agents report in full sentences; their short ones are narration.
const AGENT_WORDS_MIN: usize = 8;
/// A longer run without an end is no sentence that somebody wrote.
const WORDS_MAX: usize = 90;
/// From here on, somebody said so.
const EXPLICIT: f64 = 1.0;
/// From here on a cue says which kind it is.
const CUED: f64 = 0.4;
/// Another cue of the same sign in the sentence.
const SECOND_CUE: f64 = 0.1;
/// What a booster is worth in the sentence beside.
const NEIGHBOUR_SHARE: f64 = 0.5;
/// A reason opens its sentence, but for a word or two.
const REASON_WITHIN_BYTES: usize = 12;

pub(super) struct Verdict<'t> {
    pub(super) kind: Kind,
    pub(super) score: f64,
    pub(super) is_explicit: bool,
    pub(super) reason: Option<&'t str>,
    pub(super) because: &'t str,
}

pub(super) struct Judge<'s, 't> {
    sentences: &'s [Sentence<'t>],
    // Reused from sentence to sentence: most have no cue, and nothing is allocated for them.
    words: Vec<Word>,
    found: Vec<Found>,
}

impl<'s, 't> Judge<'s, 't> {
    pub(super) fn new(sentences: &'s [Sentence<'t>]) -> Self {
        Self { sentences, words: Vec::new(), found: Vec::new() }
    }

    pub(super) fn judge(&mut self, at: usize) -> Option<Verdict<'t>> {
        let sentence = self.sentences.get(at)?;
        if sentence.is_pasted || sentence.is_quoted || sentence.is_heading {
            return None;
        }
        if let Some(verdict) = languages::unspaced(sentence) {
            return Some(verdict);
        }
        self.read(sentence);
        if !(WORDS_MIN..=WORDS_MAX).contains(&self.words.len()) {
            return None;
        }
        let (sign, weight, span) = self.strongest()?;
        // What ends in a colon only announces what follows.
        let is_whole = weight >= EXPLICIT || !sentence.text.ends_with(':');
        if !is_whole || sentence.voice == Voice::Agent && self.words.len() < AGENT_WORDS_MIN {
            return None;
        }
        if self.is_taken_back(sentence, sign, weight) {
            return None;
        }
        let kind = match sign {
            Sign::Memory | Sign::Request => self.content_kind(&sentence.text[span.end..]),
            sign => kind_of(sign)?,
        };
        let boosted = weight + self.second_cue(sign) + self.boosts(sign, &span);
        let score = hundredths(boosted + self.neighbour_boosts(at, sign)).min(1.0);
        Some(Verdict {
            kind,
            score,
            is_explicit: weight >= EXPLICIT,
            reason: self.reason(at),
            because: &sentence.text[span],
        })
    }

    /// The kind of the loudest cue, whatever takes it back.
    pub(super) fn cued(&mut self, at: usize) -> Option<(Kind, String)> {
        let sentence = self.sentences.get(at)?;
        if let Some(verdict) = languages::unspaced(sentence) {
            return Some((verdict.kind, verdict.because.to_owned()));
        }
        self.read(sentence);
        let mut best: Option<(f64, Kind, Range<usize>)> = None;
        for found in &self.found {
            let Cue { sign, weight, .. } = *cue(found);
            let is_more = best.as_ref().is_none_or(|(most, ..)| weight > *most);
            if let Some(kind) = kind_of(sign).filter(|_| weight >= CUED && is_more) {
                best = Some((weight, kind, found.span.clone()));
            }
        }
        best.map(|(_, kind, span)| (kind, sentence.text[span].to_owned()))
    }

    fn read(&mut self, sentence: &Sentence<'_>) {
        BOOK.phrases.read(sentence.text, &mut self.words);
        // Most phrases are for people, and most sentences are an agent's.
        let is_wanted = |cue: usize| counts_for(BOOK.cues[cue].who, sentence.voice);
        BOOK.phrases.find(&self.words, is_wanted, &mut self.found);
    }

    /// The cue that weighs most; of equals the one that comes first.
    fn strongest(&self) -> Option<(Sign, f64, Range<usize>)> {
        let mut best: Option<(Sign, f64, Range<usize>)> = None;
        for found in &self.found {
            let Cue { sign, weight, .. } = *cue(found);
            if matches!(sign, Sign::Booster(_) | Sign::Veto(_)) {
                continue;
            }
            if best.as_ref().is_none_or(|(_, most, _)| weight > *most) {
                best = Some((sign, weight, found.span.clone()));
            }
        }
        best
    }

    fn is_taken_back(&self, sentence: &Sentence<'_>, sign: Sign, weight: f64) -> bool {
        let is_asked = sentence.is_question && sign != Sign::Request;
        let mut spans = self.found.iter();
        let reason = spans.find(|found| cue(found).sign == Sign::Booster(Boost::Reason));
        // A reason may speak of what would be: that does not open what it is the reason of.
        let is_in_reason =
            |veto: &Found| reason.is_some_and(|reason| reason.span.start < veto.span.start);
        is_asked
            || self.found.iter().any(|found| match cue(found).sign {
                Sign::Veto(Veto::Denied | Veto::Narrated) => true,
                Sign::Veto(Veto::Asked) => sign != Sign::Request,
                // A rule may well speak of what could happen; a decision may not.
                Sign::Veto(Veto::Open) => {
                    let is_open = weight < EXPLICIT || sign == Sign::Decision;
                    is_open && !is_in_reason(found)
                }
                _ => false,
            })
    }

    /// What is to be remembered is as what the rest of the sentence makes it.
    fn content_kind(&self, rest: &str) -> Kind {
        let others =
            self.found.iter().map(cue).filter_map(|cue| Some((kind_of(cue.sign)?, cue.weight)));
        let best = others.fold(None, |best: Option<(Kind, f64)>, other| match best {
            Some(best) if best.1 >= other.1 => Some(best),
            _ => Some(other),
        });
        if let Some((kind, _)) = best.filter(|(_, weight)| *weight >= 0.3) {
            return kind;
        }
        match guess::kind(rest).kind {
            Kind::Lesson => Kind::Reference,
            kind => kind,
        }
    }

    fn second_cue(&self, sign: Sign) -> f64 {
        let mut of_sign = self.found.iter().filter(|found| cue(found).sign == sign);
        let Some(first) = of_sign.next() else { return 0.0 };
        let is_apart = |other: &Found| other.span.start >= first.span.end;
        if of_sign.any(is_apart) { SECOND_CUE } else { 0.0 }
    }

    /// The words of the cue itself don't make it more likely.
    fn boosts(&self, sign: Sign, cued: &Range<usize>) -> f64 {
        let is_apart = |found: &Found| found.span.start >= cued.end || found.span.end <= cued.start;
        let has = |boost: Boost| {
            let mut found = self.found.iter();
            found.any(|found| cue(found).sign == Sign::Booster(boost) && is_apart(found))
        };
        ALL_BOOSTS.iter().filter(|boost| has(**boost)).map(|boost| worth(sign, *boost)).sum()
    }

    fn neighbour_boosts(&mut self, at: usize, sign: Sign) -> f64 {
        let neighbours = [at.checked_sub(1), Some(at + 1)];
        let mut most: f64 = 0.0;
        for neighbour in neighbours.into_iter().flatten() {
            if let Some(sentence) = self.beside(at, neighbour) {
                self.read(sentence);
                most = most.max(self.boosts(sign, &(0..0)));
            }
        }
        most * NEIGHBOUR_SHARE
    }

    /// The sentence beside, when the same speaker said it in one go.
    fn beside(&self, at: usize, neighbour: usize) -> Option<&'s Sentence<'t>> {
        let sentence = self.sentences.get(neighbour)?;
        let is_one = sentence.turn == self.sentences[at].turn
            && sentence.row.abs_diff(self.sentences[at].row) <= 2;
        (is_one && !sentence.is_heading && !sentence.is_pasted).then_some(sentence)
    }

    /// The next sentence, when it begins as a reason does.
    fn reason(&mut self, at: usize) -> Option<&'t str> {
        let next = self.beside(at, at + 1)?;
        self.read(next);
        let opens = self.found.iter().any(|found| {
            cue(found).sign == Sign::Booster(Boost::Reason)
                && found.span.start <= REASON_WITHIN_BYTES
        });
        (opens && !next.is_question).then_some(next.text)
    }
}

/// Sums of tenths miss a threshold by their last bit.
fn hundredths(score: f64) -> f64 {
    (score * 100.0).round() / 100.0
}

fn cue(found: &Found) -> &'static Cue {
    &BOOK.cues[found.cue]
}

fn counts_for(who: Who, voice: Voice) -> bool {
    match who {
        Who::Anyone => true,
        Who::Person => voice == Voice::Person,
        Who::Agent => voice == Voice::Agent,
    }
}

fn kind_of(sign: Sign) -> Option<Kind> {
    Some(match sign {
        Sign::Decision => Kind::Decision,
        Sign::Constraint => Kind::Constraint,
        Sign::Preference => Kind::Preference,
        Sign::Runbook => Kind::Runbook,
        Sign::TechDebt => Kind::TechDebt,
        Sign::Memory | Sign::Request | Sign::Booster(_) | Sign::Veto(_) => return None,
    })
}

const ALL_BOOSTS: [Boost; 6] = [
    Boost::Reason,
    Boost::Contrast,
    Boost::Lasting,
    Boost::Mended,
    Boost::Given,
    Boost::Unfinished,
];

/// What a booster adds to a cue in the same sentence.
fn worth(sign: Sign, boost: Boost) -> f64 {
    match (sign, boost) {
        (Sign::Decision, Boost::Reason | Boost::Contrast) => 0.2,
        (Sign::Runbook, Boost::Mended) => 0.25,
        (Sign::Preference, Boost::Lasting) => 0.2,
        (Sign::Constraint, Boost::Given) | (Sign::TechDebt, Boost::Unfinished) => 0.15,
        (Sign::Constraint | Sign::Decision, Boost::Lasting) => 0.15,
        (Sign::Preference | Sign::Constraint | Sign::TechDebt | Sign::Runbook, Boost::Reason) => {
            0.1
        }
        _ => 0.0,
    }
}
