//! The host's summary of a long conversation: of it only what explains, the rest is a diary.

use oldhand_core::kind::Kind;
use oldhand_text::table;

use super::Harvested;
use super::outline::{Bullet, Outline};
use super::units::{names_code, names_own_code};
use crate::guess;

const ERRORS: &str = "errors and fixes|problem solving|problems solved|root cause";
const CONCEPTS: &str = "key technical concepts|key concepts|key learnings";
const DECISIONS: &str = "decision";
/// A person set something right: the diary tells that it happened, seldom what holds.
const CORRECTING: &str = "user feedback|user pointed|user correct|user rejected|user stopped|\
     user asked|user wanted|user preferred|user clarified|user requested|user insisted|user said";
/// Words of somebody who explains.
const EXPLAINING: &str = "because|root cause|caused by|the cause|so that|instead of|rather than|\
     must not|must be|never|the reason|otherwise|due to|only works|doesn't work|does not|\
     deliberately|discovered|turned out|real issue|real cause|needs a|stripped";
/// Of something that is so: what it does not do, or only does.
const STATING: &str = " not |never|only |silently| must |fails|instead|without|relative to|causing|\
     doesn't|isn't|requires|because|so that|fragile|prone to|unconditionally|mismatch|rejects|skips|\
     still needed|no more |overrides| cycle";
/// Names of what is over once it compiles, and of where the work stands.
const PASSING: &str = "diagnosed|first |major|test `|flaky|unused|dead code|import|lint|compil|solved|completed|in progress|current|test fail|failing test|\
     failed test|undefined|build error|build fail|syntax|merge conflict|type error|typo";
const WORDS_MIN: usize = 10;
const CONCEPT_WORDS_MIN: usize = 8;

pub(super) fn summary(text: &str, line: usize) -> Vec<Harvested> {
    // Models think aloud before the summary itself.
    let text = text.split_once("\nSummary:").map_or(text, |(_, summary)| summary);
    let outline = Outline::of(text);
    let bullets = outline.bullets().into_iter();
    bullets.filter_map(|(heading, bullet)| one(&heading.to_lowercase(), &bullet, line)).collect()
}

fn one(heading: &str, bullet: &Bullet, line: usize) -> Option<Harvested> {
    let is_in = |headings: &'static str| table::holds(headings, heading);
    let name = bullet.name.as_deref();
    let whole = name.map_or(bullet.text.clone(), |name| format!("{name}: {}", bullet.text));
    let lower = whole.to_lowercase();
    let words = whole.split_whitespace().count();
    if is_in(CONCEPTS) {
        let states = words >= CONCEPT_WORDS_MIN && table::holds(STATING, &lower);
        return (states && names_code(&whole)).then(|| Harvested {
            fields: vec![("text", whole.clone())],
            ..Harvested::of(line, Kind::Reference, &guess::title(&whole))
        });
    }
    let name = name.filter(|_| bullet.text.split_whitespace().count() >= WORDS_MIN)?;
    let explains = table::holds(EXPLAINING, &bullet.text.to_lowercase());
    let corrects = table::holds(CORRECTING, &lower);
    // A name that says nothing alone: what it is about stands behind it.
    let is_empty = name.split_whitespace().count() < 3 || name.to_lowercase().starts_with("user ");
    let title = if is_empty { guess::title(&bullet.text) } else { name.to_owned() };
    let (kind, fields) = match () {
        () if is_in(DECISIONS) => (Kind::Decision, vec![("decision", whole)]),
        () if is_in(ERRORS)
            && explains
            && !corrects
            && (names_code(&bullet.text) || names_own_code(&bullet.text))
            && !table::holds(PASSING, &name.to_lowercase()) =>
        {
            (Kind::Runbook, vec![("symptoms", name.to_owned()), ("steps", bullet.text.clone())])
        }
        () => return None,
    };
    Some(Harvested { fields, ..Harvested::of(line, kind, &title) })
}
