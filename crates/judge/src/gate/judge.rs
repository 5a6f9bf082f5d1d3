//! Do two claims clash? Each rule looks at one pair and answers with a score and the words that
//! clash; the rules are ordered from the plainest to the most daring. The numbers here were set
//! by hand while reading the `dev` pairs of `evals/gate` and alarms between real records, for
//! precision before recall; none was searched for.

use super::antonyms::Pole;
use super::choices::Group;
use super::claims::{Claim, Term};
use super::cover::{self, Cover};
use super::frames::Link;
use super::negation::Mark;
use super::numbers::{Amount, Bound, Unit};
use super::reversal::GivenUp;
use super::{Statement, Why};

/// What a rule found.
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
/// Sentence vectors nearer than this speak of one matter; the score moves with the distance.
const MEANING_NEUTRAL: f64 = 0.55;
const MEANING_WEIGHT: f64 = 0.25;

/// Among the sentences of two long records some oppose each other by chance: records that are
/// further apart than this speak of different matters.
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
    let agrees = affirming
        .terms
        .iter()
        .any(|term| term.mark == Mark::Denied && denying.said().any(|said| said.stem == term.stem));
    let is_exempt = denying.terms.iter().any(|term| {
        term.mark == Mark::Exempt && affirming.said().any(|said| said.stem == term.stem)
    });
    if agrees || is_exempt {
        return None;
    }
    // A limit is compared as a number, whatever words it is put in.
    let is_limit = |claim: &Claim| claim.amounts.iter().any(|it| it.bound != Bound::Exact);
    if (is_limit(ours) || is_limit(theirs))
        && !ours.amounts.is_empty()
        && !theirs.amounts.is_empty()
    {
        return None;
    }
    let affirms = |term: &Term| affirming.said().any(|said| said.stem == term.stem);
    if denying.terms.iter().any(|term| Some(term.at) == denying.predicate && !affirms(term)) {
        return None;
    }
    let has_listed = denying.said().any(|term| term.is_listed && affirms(term));
    let counted = denying.said().filter(|term| !(has_listed && term.is_listed) || affirms(term));
    let cover = Cover::between(counted, affirming.said(), |term| term.weight);
    let met = denying.said().filter(|term| term.weight >= 1.0 && affirms(term)).count();
    let is_thin = met < 2 && !is_banned(denying, affirming);
    let least =
        if cover.only_ours >= 1.0 && cover.only_theirs >= 1.0 { 0.79 } else { DENIED_SHARE_MIN };
    if cover.shared < 0.9 || cover.ours() < least || is_thin && cover.theirs() < 0.5 {
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
    let picks = |claim: &Claim| claim.picks.iter().any(|pick| pick.words.contains(&only.at));
    let is_thing = only.is_name || picks(denying);
    is_thing && affirming.said().any(|term| term.stem == only.stem && !term.is_light)
}

/// One sets aside (`without X`) what the other affirms.
fn set_aside(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    if ours.is_negative || theirs.is_negative || ours.is_additive || theirs.is_additive {
        return None;
    }
    let clashing = |left: &Claim, right: &Claim| -> f64 {
        let denied =
            left.terms.iter().filter(|term| term.mark == Mark::Denied && term.weight > 0.0);
        let (mut all, mut met) = (0.0, 0.0);
        for term in denied {
            all += term.weight;
            let again = left.said().any(|said| said.stem == term.stem);
            met += if !again && right.said().any(|said| said.stem == term.stem) {
                term.weight
            } else {
                0.0
            };
        }
        if all == 0.0 { 0.0 } else { met / all }
    };
    let denied = clashing(ours, theirs).max(clashing(theirs, ours));
    let rest = Cover::of(ours, theirs, cover::subject_weight);
    if denied < 0.99 || rest.shared < 0.9 || rest.ours().max(rest.theirs()) < 0.5 {
        return None;
    }
    let score = 0.5 + 0.4 * rest.ours().max(rest.theirs());
    Some(Finding { why: Why::Negation, score, terms: cover::denied_terms(ours, theirs) })
}

/// Opposite words on the same subject.
fn antonym(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    if ours.is_negative != theirs.is_negative {
        return None;
    }
    let opposites = opposites(ours, theirs);
    let (mine, other) = opposites.first().filter(|_| opposites.len() % 2 == 1)?;
    let in_pole =
        |claim: &Claim, term: &Term| claim.poles.iter().any(|pole| pole.words.contains(&term.at));
    let cover = Cover::between(
        ours.said().filter(|term| !in_pole(ours, term)),
        theirs.said().filter(|term| !in_pole(theirs, term)),
        cover::subject_weight,
    );
    let (least, most) =
        (cover.only_ours.min(cover.only_theirs), cover.only_ours.max(cover.only_theirs));
    let is_near = if mine.axis.is_weak() {
        most <= 0.5 * cover.shared || cover.shared >= 2.0 && least <= 0.25 * cover.shared
    } else {
        least <= 0.3 * cover.shared
    };
    if cover.shared < 0.9 || !is_near {
        return None;
    }
    let score = 0.55 + 0.35 * cover.both();
    Some(Finding {
        why: Why::Antonym,
        score,
        terms: vec![(ours.words(&mine.words), theirs.words(&other.words))],
    })
}

/// An odd number of opposites: what one affirms is the other's denial.
fn is_flipped(ours: &Claim, theirs: &Claim) -> bool {
    opposites(ours, theirs).len() % 2 == 1
}

/// One pair for each axis on which the claims stand at opposite ends. A claim that names both ends
/// of an axis takes no side on it.
fn opposites<'a>(ours: &'a Claim, theirs: &'a Claim) -> Vec<(&'a Pole, &'a Pole)> {
    let takes_sides =
        |claim: &Claim, pole: &Pole| !claim.poles.iter().any(|other| other.is_opposite(pole));
    let mut found: Vec<(&Pole, &Pole)> = Vec::new();
    for mine in ours.poles.iter().filter(|pole| takes_sides(ours, pole)) {
        let other =
            theirs.poles.iter().find(|other| mine.is_opposite(other) && takes_sides(theirs, other));
        let is_new = !found.iter().any(|(known, _)| known.axis == mine.axis);
        found.extend(other.filter(|_| is_new).map(|other| (mine, other)));
    }
    found
}

/// Two amounts of one quantity.
fn number(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    if ours.is_negative != theirs.is_negative
        || ours.amounts.is_empty()
        || theirs.amounts.is_empty()
    {
        return None;
    }
    let cover = Cover::of(ours, theirs, cover::subject_weight);
    let versions =
        |claim: &Claim| claim.amounts.iter().all(|it| matches!(it.unit, Unit::Version(_)));
    let is_bare = versions(ours) && versions(theirs) && cover.only_ours + cover.only_theirs <= 0.5;
    let is_same = cover.shared >= 0.4 && cover.ours() >= 0.75 && cover.theirs() >= 0.75;
    if !is_same && !is_bare {
        return None;
    }
    for mine in &ours.amounts {
        let comparable = || theirs.amounts.iter().filter(|other| other.unit == mine.unit);
        // `Node 20 and Node 22` holds where `Node 22` does.
        let meets =
            |it: &Amount| it.unit == mine.unit && comparable().any(|other| other.agrees(it));
        let Some(other) = comparable().next().filter(|_| !ours.amounts.iter().any(meets)) else {
            continue;
        };
        let score = 0.6 + 0.35 * cover.both();
        let terms = vec![(mine.text.clone(), other.text.clone())];
        return Some(Finding { why: Why::Number, score, terms });
    }
    None
}

/// Two members of a group of which one is taken.
fn choice(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    if ours.is_negative || theirs.is_negative || ours.is_additive || theirs.is_additive {
        return None;
    }
    let mut best: Option<Finding> = None;
    for mine in &ours.picks {
        let rivals = || theirs.picks.iter().filter(|other| other.group == mine.group);
        let is_shared = ours
            .picks
            .iter()
            .filter(|it| it.group == mine.group)
            .any(|it| rivals().any(|other| other.member == it.member));
        let Some(other) = rivals().next().filter(|_| !is_shared) else { continue };
        let Some(score) = choice_score(ours, theirs, mine.group) else { continue };
        let terms = vec![(ours.words(&mine.words), theirs.words(&other.words))];
        if best.as_ref().is_none_or(|best| best.score < score) {
            best = Some(Finding { why: Why::Choice, score, terms });
        }
    }
    best
}

/// How sure it is that both choose for the same purpose.
fn choice_score(ours: &Claim, theirs: &Claim, group: Group) -> Option<f64> {
    let picked = |claim: &Claim, term: &Term| {
        claim.picks.iter().any(|pick| pick.group == group && pick.words.contains(&term.at))
    };
    let roles = group.roles();
    let weigh = |term: &Term| {
        let is_role = roles.binary_search(&term.stem.as_str()).is_ok();
        if is_role { 0.0 } else { cover::subject_weight(term) }
    };
    let cover = Cover::between(
        ours.said().filter(|term| !picked(ours, term)),
        theirs.said().filter(|term| !picked(theirs, term)),
        weigh,
    );
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
    if ours.is_additive || theirs.is_additive || theirs.is_negative || mine.link != other.link {
        return None;
    }
    let object = |claim: &Claim, term: &Term| {
        claim.frame.as_ref().is_some_and(|it| it.object.contains(&term.at))
    };
    let objects = Cover::between(
        ours.said().filter(|term| object(ours, term)),
        theirs.said().filter(|term| object(theirs, term)),
        |term| term.weight,
    );
    let is_short = |weight: f64| (0.9..=3.0).contains(&weight);
    if objects.shared >= 0.9 || !is_short(objects.only_ours) || !is_short(objects.only_theirs) {
        return None;
    }
    if !ours.amounts.is_empty() || !theirs.amounts.is_empty() || are_of_other_groups(ours, theirs) {
        return None;
    }
    if mine.link == Link::Use
        && ours.said().any(|term| !object(ours, term) && cover::is_component(term))
    {
        return None;
    }
    let rest = Cover::between(
        ours.said().filter(|term| !object(ours, term)),
        theirs.said().filter(|term| !object(theirs, term)),
        cover::subject_weight,
    );
    let shared_min = if mine.link == Link::Use { 1.9 } else { 0.9 };
    if rest.shared < shared_min || rest.ours() < 0.8 || rest.theirs() < 0.8 {
        return None;
    }
    let terms = vec![(ours.words(&mine.object), theirs.words(&other.object))];
    Some(Finding { why: Why::Choice, score: 0.3 + 0.4 * rest.both(), terms })
}

/// Both objects are known, and they answer different questions.
fn are_of_other_groups(ours: &Claim, theirs: &Claim) -> bool {
    let picks = |claim: &Claim| -> Vec<Group> {
        let object = claim.frame.as_ref().map(|frame| frame.object.clone()).unwrap_or_default();
        claim
            .picks
            .iter()
            .filter(|pick| object.contains(&pick.words.start))
            .map(|pick| pick.group)
            .collect()
    };
    let (mine, other) = (picks(ours), picks(theirs));
    !mine.is_empty() && !other.is_empty() && !mine.iter().any(|group| other.contains(group))
}

/// Opposite in sense, on subjects that are near at best: alone never enough, but it orders what is
/// below the line, and near vectors can lift it above.
fn opposed(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    if (ours.is_negative != theirs.is_negative) == is_flipped(ours, theirs) {
        return None;
    }
    let cover = Cover::of(ours, theirs, cover::subject_weight);
    if cover.shared < 0.9 {
        return None;
    }
    let why = if ours.is_negative == theirs.is_negative { Why::Antonym } else { Why::Negation };
    let score = 0.2 + 0.3 * cover.ours().max(cover.theirs());
    Some(Finding { why, score, terms: cover::shared_terms(ours, theirs) })
}

/// The proposal gives up what the record establishes.
fn reversal(ours: &Claim, theirs: &Claim) -> Option<Finding> {
    let GivenUp { what: range, context, is_aside } = ours.given_up.as_ref()?;
    if theirs.is_negative || theirs.given_up.is_some() {
        return None;
    }
    let given_up: Vec<&Term> =
        ours.terms.iter().filter(|term| range.contains(&term.at) && term.weight > 0.0).collect();
    let weight: f64 = given_up.iter().map(|term| term.weight).sum();
    let holds = |term: &Term| theirs.said().any(|said| said.stem == term.stem && said.weight > 0.0);
    if weight < 0.9 || !given_up.iter().all(|term| holds(term)) {
        return None;
    }
    let is_pick =
        ours.picks_denied.iter().chain(&ours.picks).any(|pick| range.contains(&pick.words.start));
    let is_named = is_pick || weight >= 1.9 || given_up.iter().any(|term| term.is_name);
    let all: f64 = theirs.said().map(cover::subject_weight).sum();
    if (!is_named || *is_aside && !has_context(ours, *context)) && weight < 0.5 * all {
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
    let terms = vec![(ours.words(range), ours.words(range))];
    Some(Finding { why: Why::Reversal, score: 0.7 + 0.2 * (weight / all.max(weight)), terms })
}

fn has_context(claim: &Claim, from: usize) -> bool {
    claim.said().any(|term| term.at >= from && cover::subject_weight(term) > 0.4)
}

/// An option that the record turned down is proposed for the same matter.
pub(super) fn rejected(ours: &Claim, option: &Claim, record: &Statement) -> Option<Finding> {
    if ours.is_negative || ours.given_up.is_some() {
        return None;
    }
    let cover = Cover::between(option.terms.iter(), ours.said(), cover::subject_weight);
    if cover.shared < 0.9 || cover.only_ours > 0.3 * cover.shared {
        return None;
    }
    let rest = Cover::between(
        ours.said().filter(|term| !option.terms.iter().any(|it| it.stem == term.stem)),
        record.claims.iter().flat_map(Claim::said),
        cover::subject_weight,
    );
    // A list of options names the one that was taken too.
    let is_taken = record.claims.iter().any(|claim| {
        !claim.is_negative
            && Cover::between(option.terms.iter(), claim.said(), |it| it.weight).ours() > 0.99
    });
    if is_taken {
        return None;
    }
    let is_bare = rest.shared + rest.only_ours < 0.9;
    if !is_bare && rest.ours() < 0.5 {
        return None;
    }
    let nearness = if is_bare { 0.5 } else { rest.ours() };
    let terms = vec![(option.text.clone(), option.text.clone())];
    Some(Finding { why: Why::Rejected, score: 0.65 + 0.3 * nearness, terms })
}
