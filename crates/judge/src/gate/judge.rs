//! Do two claims clash? Each rule compares one pair and gives a score and the words that clash. The
//! numbers were set by hand on the `dev` pairs of `evals/gate`, for precision before recall.

use super::claims::{Claim, Term};
use super::cover::{self, Cover};
use super::forms::{GivenUp, Link};
use super::numbers::{Amount, Bound};
use super::{Statement, Why};
use oldhand_text::lexicon::choices::{Exclusion, Member, Mention};
use oldhand_text::lexicon::polarity::Mark;
use oldhand_text::table;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finding {
    pub why: Why,
    pub score: f64,
    pub terms: Vec<(String, String)>,
}

/// Below this a clash is a guess: it is not reported.
pub(super) const SCORE_MIN: f64 = 0.6;
/// The share of a denied claim that the other must affirm.
const DENIED_SHARE_MIN: f64 = 0.74;
/// Sentence vectors nearer than this speak of one subject; the score moves with the distance.
const MEANING_NEUTRAL: f64 = 0.55;
const MEANING_WEIGHT: f64 = 0.25;

/// Among the sentences of two long records some oppose each other by chance: records that are
/// further apart than this speak of different subjects.
const MEANING_FAR: f64 = 0.35;
/// Unless the two sentences themselves are this near.
pub(super) const SENTENCE_NEAR: f64 = 0.5;
const FEW_CLAIMS: usize = 4;

pub(super) fn is_far(ours: &Statement, theirs: &Statement, meaning: Option<f64>) -> bool {
    let is_long = ours.claims.len() + theirs.claims.len() > FEW_CLAIMS;
    is_long && meaning.is_some_and(|near| near < MEANING_FAR)
}

/// How the vectors move a score that the words gave.
pub(super) fn with_meaning(score: f64, meaning: Option<f64>) -> f64 {
    let moved = meaning.map_or(0.0, |near| MEANING_WEIGHT * (near - MEANING_NEUTRAL));
    (score + moved).clamp(0.0, 1.0)
}

/// The strongest finding between two claims; what is given up in so many words goes first.
pub(super) fn compare(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    let rules = [negation, set_aside, antonym, number, choice, frame, opposed];
    let strongest = || {
        let found = rules.iter().filter_map(|rule| rule(ours, theirs));
        found.reduce(|best, next| if next.score > best.score { next } else { best })
    };
    reversal(ours, theirs).or_else(strongest)
}

/// One denies what the other affirms.
fn negation(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    if ours.is_negative == theirs.is_negative || is_flipped(ours, theirs) {
        return None;
    }
    let (denying, affirming) = if ours.is_negative { (ours, theirs) } else { (theirs, ours) };
    let agrees = denying.says_what(affirming, Mark::Denied);
    let is_exempt = affirming.says_what(denying, Mark::Exempt);
    // A limit is compared as a number, whatever words it is put in.
    let is_limit = |claim: &Claim| claim.amounts.iter().any(|it| it.bound != Bound::Exact);
    let are_amounts = !ours.amounts.is_empty() && !theirs.amounts.is_empty();
    if agrees || is_exempt || are_amounts && (is_limit(ours) || is_limit(theirs)) {
        return None;
    }
    let affirms = |term: &Term| affirming.says(term);
    if denying.terms.iter().any(|term| Some(term.at) == denying.predicate && !affirms(term)) {
        return None;
    }
    let has_listed = denying.said().any(|term| term.is_listed && affirms(term));
    let counted = denying.said().filter(|term| !(has_listed && term.is_listed) || affirms(term));
    let cover = Cover::between(counted, affirming.said(), |term| term.weight);
    let met = denying.said().filter(|term| term.weight >= 1.0 && affirms(term)).count();
    let is_thin = met < 2 && !is_banned(denying, affirming);
    if cover.shared < 0.9 || cover.ours() < DENIED_SHARE_MIN || is_thin && cover.theirs() < 0.5 {
        return None;
    }
    let is_whole = cover.theirs() >= DENIED_SHARE_MIN;
    let why = if is_whole || ours.is_negative { Why::Negation } else { Why::Forbidden };
    let score = 0.6 * cover.ours() + 0.4 * cover.theirs().sqrt();
    Some(Finding { why, score, terms: cover::shared_terms(ours, theirs) })
}

/// `Never use MySQL`: a thing of its own is denied altogether, whatever it would be used for.
fn is_banned(denying: &Claim, affirming: &Claim) -> bool {
    let mut weighty = denying.said().filter(|term| term.weight >= 1.0);
    let (Some(only), None) = (weighty.next(), weighty.next()) else { return false };
    let is_thing = only.is_name || is_in(&denying.picks, only);
    is_thing && affirming.said().any(|term| term.stem == only.stem && !term.is_light)
}

fn is_in(mentions: &[Mention], term: &Term) -> bool {
    mentions.iter().any(|it| it.words.contains(&term.at))
}

/// One sets aside (`without X`) what the other affirms.
fn set_aside(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    if !are_choices(ours, theirs) {
        return None;
    }
    // What one sets aside, if the other affirms all of it.
    let set_aside = |from: &Claim, to: &Claim| -> Vec<(String, String)> {
        let denied = from.marked(Mark::Denied).filter(|term| term.weight > 0.0);
        let met = |term: &Term| (!from.says(term) && to.says(term)).then(|| term.text.clone());
        denied.map(|term| Some((met(term)?, met(term)?))).collect::<Option<_>>().unwrap_or_default()
    };
    let terms = [set_aside(ours, theirs), set_aside(theirs, ours)].concat();
    let rest = Cover::of(ours, theirs);
    if terms.is_empty() || rest.shared < 0.9 || rest.most() < 0.5 {
        return None;
    }
    Some(Finding { why: Why::Negation, score: 0.5 + 0.4 * rest.most(), terms })
}

/// Both affirm one thing, and neither adds it to what is there.
fn are_choices(ours: &Claim, theirs: &Claim) -> bool {
    [ours, theirs].iter().all(|claim| !claim.is_negative && !claim.is_additive)
}

fn antonym(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    if ours.is_negative != theirs.is_negative {
        return None;
    }
    let opposites = opposites(ours, theirs);
    let (mine, other) = opposites.first().filter(|_| opposites.len() % 2 == 1)?;
    let cover = Cover::beside(ours, theirs, |claim, term| is_in(&claim.poles, term));
    let (least, most) =
        (cover.only_ours.min(cover.only_theirs), cover.only_ours.max(cover.only_theirs));
    let is_near = if mine.member.exclusion() == Exclusion::WeakOpposite {
        most <= 0.5 * cover.shared || cover.shared >= 2.0 && least <= 0.25 * cover.shared
    } else {
        least <= 0.3 * cover.shared
    };
    (cover.shared >= 0.9 && is_near).then(|| Finding {
        why: Why::Antonym,
        score: 0.55 + 0.35 * cover.both(),
        terms: vec![(ours.words(&mine.words), theirs.words(&other.words))],
    })
}

/// An odd number of opposites: what one affirms is the other's denial.
fn is_flipped(ours: &Claim, theirs: &Claim) -> bool {
    opposites(ours, theirs).len() % 2 == 1
}

/// One pair for each axis on which the claims stand at opposite ends, and name only one of them.
fn opposites<'a>(ours: &'a Claim, theirs: &'a Claim) -> Vec<(&'a Mention, &'a Mention)> {
    let sides = |claim: &'a Claim| {
        let is_both = |pole: &Mention| claim.poles.iter().any(|it| it.member.is_rival(pole.member));
        claim.poles.iter().filter(move |pole| !is_both(pole))
    };
    let mut found: Vec<(&Mention, &Mention)> = Vec::new();
    for mine in sides(ours) {
        let other = sides(theirs).find(|other| mine.member.is_rival(other.member));
        let is_new = !found.iter().any(|(known, _)| known.member.group == mine.member.group);
        found.extend(other.filter(|_| is_new).map(|other| (mine, other)));
    }
    found
}

fn number(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    let are_amounts = !ours.amounts.is_empty() && !theirs.amounts.is_empty();
    if ours.is_negative != theirs.is_negative || !are_amounts {
        return None;
    }
    let cover = Cover::of(ours, theirs);
    if cover.shared < 0.4 || cover.ours() < 0.75 || cover.theirs() < 0.75 {
        return None;
    }
    ours.amounts.iter().find_map(|mine| {
        let comparable = || theirs.amounts.iter().filter(|other| other.unit == mine.unit);
        // `Node 20 and Node 22` holds where `Node 22` does.
        let meets =
            |it: &Amount| it.unit == mine.unit && comparable().any(|other| other.agrees(it));
        let other = comparable().next().filter(|_| !ours.amounts.iter().any(meets))?;
        let terms = vec![(mine.text.clone(), other.text.clone())];
        Some(Finding { why: Why::Number, score: 0.6 + 0.35 * cover.both(), terms })
    })
}

/// Two members of a group of which one is taken.
fn choice(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    if !are_choices(ours, theirs) {
        return None;
    }
    let found = ours.picks.iter().filter_map(|mine| {
        let is_one = |it: &&Mention| it.member.group == mine.member.group;
        let rivals = || theirs.picks.iter().filter(is_one);
        let is_shared = |it: &Mention| rivals().any(|other| other.member == it.member);
        let other = rivals().next().filter(|_| !ours.picks.iter().any(is_shared))?;
        let score = choice_score(ours, theirs, mine.member)?;
        let terms = vec![(ours.words(&mine.words), theirs.words(&other.words))];
        Some(Finding { why: Why::Choice, score, terms })
    });
    found.reduce(|best, next| if next.score > best.score { next } else { best })
}

/// How sure it is that both choose for the same purpose.
fn choice_score(ours: &Claim, theirs: &Claim, picked: Member) -> Option<f64> {
    let is_choice = |claim: &Claim, term: &Term| {
        let mut picks = claim.picks.iter().filter(|pick| pick.member.group == picked.group);
        picked.has_role(&term.stem) || picks.any(|pick| pick.words.contains(&term.at))
    };
    let cover = Cover::beside(ours, theirs, is_choice);
    if cover.only_ours + cover.only_theirs + cover.shared < 0.9 {
        return Some(0.8);
    }
    let least = cover.only_ours.min(cover.only_theirs);
    // One word in common and another beside it is often a part of the same subject.
    let is_whole = cover.shared >= 1.9 || cover.both() >= 0.55;
    let is_near = cover.shared >= 0.9 && least <= 0.34 * cover.shared && is_whole;
    is_near.then(|| 0.6 + 0.35 * cover.both())
}

/// The same sentence with another object, for things that no group knows.
fn frame(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    let (mine, other) = (ours.frame.as_ref()?, theirs.frame.as_ref()?);
    let are_amounts = !ours.amounts.is_empty() || !theirs.amounts.is_empty();
    if !are_choices(ours, theirs) || mine.link != other.link || are_amounts {
        return None;
    }
    let objects = Cover::between(
        ours.said().filter(|term| mine.object.contains(&term.at)),
        theirs.said().filter(|term| other.object.contains(&term.at)),
        |term| term.weight,
    );
    let is_short = |weight: f64| (0.9..=3.0).contains(&weight);
    if objects.shared >= 0.9 || !is_short(objects.only_ours) || !is_short(objects.only_theirs) {
        return None;
    }
    let is_object = |claim: &Claim, term: &Term| {
        claim.frame.as_ref().is_some_and(|it| it.object.contains(&term.at))
    };
    let is_component = |term: &Term| table::has(cover::COMPONENTS, &term.stem);
    let is_for_component = || ours.said().any(|term| !is_object(ours, term) && is_component(term));
    if mine.link == Link::Use && is_for_component() || are_of_other_groups(ours, theirs) {
        return None;
    }
    let rest = Cover::beside(ours, theirs, is_object);
    let shared_min = if mine.link == Link::Use { 1.9 } else { 0.9 };
    if rest.shared < shared_min || rest.ours() < 0.8 || rest.theirs() < 0.8 {
        return None;
    }
    let terms = vec![(ours.words(&mine.object), theirs.words(&other.object))];
    Some(Finding { why: Why::Choice, score: 0.3 + 0.4 * rest.both(), terms })
}

/// Both objects are known, and they answer different questions.
fn are_of_other_groups(ours: &Claim, theirs: &Claim) -> bool {
    let groups = |claim: &Claim| -> Vec<u8> {
        let object = claim.frame.as_ref().map(|frame| frame.object.clone()).unwrap_or_default();
        let picks = claim.picks.iter().filter(|pick| object.contains(&pick.words.start));
        picks.map(|pick| pick.member.group).collect()
    };
    let (mine, other) = (groups(ours), groups(theirs));
    !mine.is_empty() && !other.is_empty() && !mine.iter().any(|group| other.contains(group))
}

/// Opposite in sense, on subjects that are near at best: alone never enough, but it orders what is
/// below the line, and near vectors can lift it above.
fn opposed(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    if (ours.is_negative != theirs.is_negative) == is_flipped(ours, theirs) {
        return None;
    }
    let cover = Cover::of(ours, theirs);
    let why = if ours.is_negative == theirs.is_negative { Why::Antonym } else { Why::Negation };
    let terms = cover::shared_terms(ours, theirs);
    (cover.shared >= 0.9).then(|| Finding { why, score: 0.2 + 0.3 * cover.most(), terms })
}

/// The proposal gives up what the record establishes.
fn reversal(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    let GivenUp { what, context, is_aside } = ours.given_up.as_ref()?;
    if theirs.is_negative || theirs.given_up.is_some() {
        return None;
    }
    let is_given_up = |term: &&Term| what.contains(&term.at) && term.weight > 0.0;
    let given_up: Vec<&Term> = ours.terms.iter().filter(is_given_up).collect();
    let weight: f64 = given_up.iter().map(|term| term.weight).sum();
    let holds = |term: &Term| theirs.said().any(|said| said.stem == term.stem && said.weight > 0.0);
    if weight < 0.9 || !given_up.iter().all(|term| holds(term)) {
        return None;
    }
    let mut picks = ours.picks_denied.iter().chain(&ours.picks);
    let is_named = picks.any(|pick| what.contains(&pick.words.start))
        || weight >= 1.9
        || given_up.iter().any(|term| term.is_name);
    let all: f64 = theirs.said().map(cover::subject_weight).sum();
    let has_context =
        || ours.said().any(|term| term.at >= *context && cover::subject_weight(term) > 0.4);
    if (!is_named || *is_aside && !has_context()) && weight < 0.5 * all {
        return None;
    }
    let context = Cover::between(
        ours.said().filter(|term| term.at >= *context),
        theirs.said(),
        cover::subject_weight,
    );
    if context.shared + context.only_ours > 0.9 && context.ours() < 0.5 {
        return None;
    }
    let terms = vec![(ours.words(what), ours.words(what))];
    Some(Finding { why: Why::Reversal, score: 0.7 + 0.2 * (weight / all.max(weight)), terms })
}

/// An option that the record turned down is proposed for the same matter.
pub(super) fn rejected(ours: &Claim, option: &Claim, record: &Statement) -> Option<Finding> {
    if ours.is_negative || ours.given_up.is_some() {
        return None;
    }
    let cover = Cover::between(option.terms.iter(), ours.said(), cover::subject_weight);
    // A list of options names the one that was taken too.
    let is_taken = record.claims.iter().any(|claim| {
        !claim.is_negative
            && Cover::between(option.terms.iter(), claim.said(), |it| it.weight).ours() > 0.99
    });
    if cover.shared < 0.9 || cover.only_ours > 0.3 * cover.shared || is_taken {
        return None;
    }
    let rest = Cover::between(
        ours.said().filter(|term| !option.terms.iter().any(|it| it.stem == term.stem)),
        record.claims.iter().flat_map(Claim::said),
        cover::subject_weight,
    );
    let is_bare = rest.shared + rest.only_ours < 0.9;
    let nearness = if is_bare { 0.5 } else { rest.ours() };
    let terms = vec![(option.text.clone(), option.text.clone())];
    (nearness >= 0.5).then_some(Finding { why: Why::Rejected, score: 0.65 + 0.3 * nearness, terms })
}
