//! The score of one sentence: its strongest cue, what stands beside it, and what takes it back.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Hit;
use crate::capture::sentence::Sentence;
use crate::guess;
use crate::guess::cues::{Cue, Found, Heard, SPEECH};
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
/// From here on, a cue says which kind of thing is to be remembered.
const CONTENT: f64 = 0.3;
/// From here on, the rest of a sentence says so.
const CONTENT_SURE: f64 = 0.7;
const SECOND_CUE: f64 = 0.1;
/// What a booster is worth in the sentence beside.
const NEIGHBOUR_SHARE: f64 = 0.5;
/// A reason opens its sentence, but for a word or two.
const REASON_WITHIN_BYTES: usize = 12;

/// The hit that a sentence is, if it is one.
pub(super) fn judge(sentences: &[Sentence<'_>], at: usize) -> Option<Hit> {
    let sentence = sentences.get(at)?;
    if sentence.is_pasted || sentence.is_quoted || sentence.is_heading {
        return None;
    }
    let is_person = sentence.voice == Voice::Person;
    if let Some((kind, words)) = SPEECH.unspaced(sentence.text).filter(|_| is_person) {
        return Some(hit(sentence, kind, words));
    }
    let heard = hear(sentence);
    let least = if is_person { WORDS_MIN } else { AGENT_WORDS_MIN };
    if !(least..=WORDS_MAX).contains(&heard.words) {
        return None;
    }
    let Found { cue, span, .. } = heard.loudest(|cue| cue.weight > 0.0)?;
    let explicit = cue.weight >= EXPLICIT;
    // What ends in a colon only announces what follows.
    let is_whole = explicit || !sentence.text.ends_with(':');
    if !is_whole || is_taken_back(sentence, &heard, cue) {
        return None;
    }
    let kind = cue.kind.clone();
    let kind = kind.unwrap_or_else(|| content_kind(&heard, &sentence.text[span.end..]));
    let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
    let beside = beside.filter_map(|neighbour| beside_of(sentences, at, neighbour));
    let most_beside = beside.map(|it| boosts(&hear(it), cue, &(0..0))).fold(0.0, f64::max);
    let boosted = cue.weight
        + second_cue(&heard, cue)
        + boosts(&heard, cue, span)
        + most_beside * NEIGHBOUR_SHARE;
    Some(Hit {
        // In hundredths: sums of tenths miss a threshold by their last bit.
        score: (boosted * 100.0).round().min(100.0) / 100.0,
        explicit,
        reason: reason(sentences, at).map(str::to_owned),
        ..hit(sentence, kind, &sentence.text[span.clone()])
    })
}

fn hear(sentence: &Sentence<'_>) -> Heard {
    SPEECH.hear(sentence.text, 0, |cue| cue.counts_for(sentence.voice))
}

fn is_taken_back(sentence: &Sentence<'_>, heard: &Heard, cue: &Cue) -> bool {
    let is_request = cue.meaning == "request";
    let reason = heard.found.iter().find(|found| is_reason(found));
    // A reason may speak of what would be: that does not open what it is the reason of.
    let is_in_reason =
        |veto: &Found| reason.is_some_and(|reason| reason.span.start < veto.span.start);
    // A rule may well speak of what could happen; a decision may not.
    let may_open = cue.weight < EXPLICIT || cue.kind == Some(Kind::Decision);
    sentence.is_question && !is_request
        || heard.found.iter().any(|found| match found.cue.meaning {
            "denied" | "narrated" => true,
            "asked" => !is_request,
            "open" => may_open && !is_in_reason(found),
            _ => false,
        })
}

/// What is to be remembered is as what the rest of the sentence makes it.
fn content_kind(heard: &Heard, rest: &str) -> Kind {
    if let Some((kind, _)) = heard.loudest_kind(CONTENT) {
        return kind;
    }
    match guess::kind(rest, None) {
        guess if guess.chance >= CONTENT_SURE && guess.kind != Kind::Lesson => guess.kind,
        _ => Kind::Reference,
    }
}

fn second_cue(heard: &Heard, cue: &Cue) -> f64 {
    let mut same = heard.found.iter().filter(|found| found.cue.meaning == cue.meaning);
    let Some(first) = same.next() else { return 0.0 };
    if same.any(|other| other.span.start >= first.span.end) { SECOND_CUE } else { 0.0 }
}

/// The words of the cue itself don't make it more likely.
fn boosts(heard: &Heard, cue: &Cue, cued: &Range<usize>) -> f64 {
    let is_apart = |span: &Range<usize>| span.start >= cued.end || span.end <= cued.start;
    let apart = heard.found.iter().filter(|found| is_apart(&found.span));
    let boosts: BTreeSet<&str> = apart.map(|found| found.cue.meaning).collect();
    boosts.into_iter().map(|boost| worth(cue.kind.as_ref(), boost)).sum()
}

/// The sentence beside, when the same speaker said it in one go.
fn beside_of<'s, 't>(
    sentences: &'s [Sentence<'t>],
    at: usize,
    neighbour: usize,
) -> Option<&'s Sentence<'t>> {
    let sentence = sentences.get(neighbour)?;
    let is_one =
        sentence.turn == sentences[at].turn && sentence.row.abs_diff(sentences[at].row) <= 2;
    (is_one && !sentence.is_heading && !sentence.is_pasted).then_some(sentence)
}

/// The next sentence, when it begins as a reason does.
fn reason<'t>(sentences: &[Sentence<'t>], at: usize) -> Option<&'t str> {
    let next = beside_of(sentences, at, at + 1)?;
    let heard = hear(next);
    let opens = |it: &Found| is_reason(it) && it.span.start <= REASON_WITHIN_BYTES;
    (heard.found.iter().any(opens) && !next.is_question).then_some(next.text)
}

fn is_reason(found: &Found) -> bool {
    found.cue.meaning == "reason"
}

/// A hit that was said outright.
fn hit(sentence: &Sentence<'_>, kind: Kind, because: &str) -> Hit {
    Hit {
        kind,
        score: 1.0,
        explicit: true,
        turn: sentence.turn,
        line: sentence.line,
        voice: sentence.voice,
        text: sentence.text.to_owned(),
        reason: None,
        because: because.to_owned(),
    }
}

/// What another cue of the sentence adds to one of this kind.
fn worth(kind: Option<&Kind>, boost: &str) -> f64 {
    match (kind, boost) {
        (Some(Kind::Runbook), "fixed") => 0.25,
        (Some(Kind::Decision), "reason" | "contrast") => 0.2,
        (Some(Kind::Preference), "lasting") => 0.2,
        (Some(Kind::Decision), "lasting") => 0.15,
        (Some(Kind::Constraint), "given" | "lasting") => 0.15,
        (Some(Kind::TechDebt), "unfinished") => 0.15,
        (Some(_), "reason") => 0.1,
        _ => 0.0,
    }
}
