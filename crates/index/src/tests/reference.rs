//! The same answers the slow and obvious way.

use std::collections::{BTreeMap, BTreeSet};

use oldhand_text::terms::{self, Form};
use proptest::prelude::*;

use super::corpus::{Page, Question, WEIGHTS, build, live, open, page, question};
use crate::{Vector, lengths, search};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expected {
    pub(super) lexical: f64,
    pub(super) coverage: f64,
    pub(super) title_coverage: f64,
    pub(super) dense: Option<f32>,
    pub(super) matched: Vec<u16>,
}

/// Every page that has a score, by path.
pub(super) fn expect(pages: &[Page], question: &Question) -> BTreeMap<String, Expected> {
    let pages: BTreeMap<&str, &Page> = pages.iter().map(|it| (it.path.as_str(), it)).collect();
    let counted: Vec<_> = pages.values().map(|page| Counted::of(page)).collect();
    let number = counted.len() as f64;
    let average: [f64; 4] = std::array::from_fn(|field| {
        (counted.iter().map(|it| it.lengths[field]).sum::<f64>() / number.max(1.0)).max(1.0)
    });
    let idf = |key| {
        let having = counted.iter().filter(|it| it.counts.contains_key(&key)).count() as f64;
        (1.0 + (number - having + 0.5) / (having + 0.5)).ln()
    };
    let mut groups: BTreeMap<u16, f64> = BTreeMap::new();
    for term in &question.terms {
        let rarity = groups.entry(term.group).or_insert(f64::MAX);
        *rarity = rarity.min(idf(term.key));
    }
    let all: f64 = groups.values().sum();
    let mut expected = BTreeMap::new();
    for (page, counted) in pages.values().zip(&counted).filter(|it| is_allowed(it.0, question)) {
        let (mut lexical, mut matched, mut titled) = (0.0, BTreeSet::new(), BTreeSet::new());
        for term in &question.terms {
            let Some(counts) = counted.counts.get(&term.key) else { continue };
            matched.insert(term.group);
            if counts[0] > 0.0 {
                titled.insert(term.group);
            }
            let frequency: f64 = (0..4)
                .map(|field| {
                    let b = f64::from(WEIGHTS.b[field]);
                    let length = counted.lengths[field].max(1.0) / average[field];
                    counts[field] * f64::from(WEIGHTS.weight[field]) / (1.0 - b + b * length)
                })
                .sum();
            let saturated = frequency / (f64::from(WEIGHTS.k1) + frequency);
            lexical += idf(term.key) * f64::from(term.weight) * saturated;
        }
        let share =
            |of: &BTreeSet<u16>| of.iter().map(|it| groups[it]).sum::<f64>() / all.max(1e-9);
        let mut cosines = cosines(page, question);
        cosines.sort_by(|left, right| right.total_cmp(left));
        let hit = Expected {
            lexical,
            coverage: share(&matched),
            title_coverage: share(&titled),
            dense: cosines.first().copied(),
            matched: matched.into_iter().collect(),
        };
        expected.insert(page.path.clone(), hit);
    }
    expected
}

struct Counted {
    counts: BTreeMap<u64, [f64; 4]>,
    lengths: [f64; 4],
}

impl Counted {
    fn of(page: &Page) -> Counted {
        let mut counts: BTreeMap<u64, [f64; 4]> = BTreeMap::new();
        let mut lengths = [0; 4];
        for (field, text) in page.fields.iter().enumerate() {
            terms::each_term(text, &mut |term, form, _| {
                counts.entry(terms::key(term, form)).or_default()[field] += 1.0;
                lengths[field] += u32::from(form == Form::Stem);
            });
        }
        let stored = |length| f64::from(lengths::decode(lengths::encode(length)));
        Counted { counts, lengths: lengths.map(stored) }
    }
}

pub(super) fn is_allowed(page: &Page, question: &Question) -> bool {
    let has_any = |keys: &Vec<u64>| keys.iter().any(|key| page.filters.contains(key));
    question.states >> page.state & 1 == 1 && question.filter.iter().all(has_any)
}

pub(super) fn cosines(page: &Page, question: &Question) -> Vec<f32> {
    let Some(asked) = &question.vector else { return Vec::new() };
    let cosine = |vector: &Vector| {
        let pairs = vector.bytes.iter().zip(&asked.bytes);
        let dot: i32 = pairs.map(|(left, right)| i32::from(*left) * i32::from(*right)).sum();
        dot as f32 * (vector.scale * asked.scale)
    };
    page.vectors.iter().flatten().map(cosine).collect()
}

/// The best `top` scores; which of equal ones are in depends on rounding, so only scores compare.
fn best(scores: impl Iterator<Item = f64>, top: usize) -> Vec<f64> {
    let mut scores: Vec<f64> = scores.collect();
    scores.sort_by(|left, right| right.total_cmp(left));
    scores.truncate(top);
    scores
}

fn is_close(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-4
}

fn are_close(left: &[f64], right: &[f64]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_close(*left, *right))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn answers_are_those_of_the_obvious_way(
        pages in prop::collection::vec(page(), 0..24),
        question in question(),
    ) {
        let bytes = build(&pages);
        let segment = open(&bytes);
        let found = search(&[live(&segment)], &question.ask()).expect("whole");
        let expected = expect(&pages, &question);
        for hit in &found.hits {
            let want = &expected[&segment.path(hit.ordinal).expect("whole")];
            prop_assert!(is_close(f64::from(hit.lexical), want.lexical), "{hit:?} {want:?}");
            prop_assert!(is_close(f64::from(hit.coverage), want.coverage), "{hit:?} {want:?}");
            prop_assert!(is_close(f64::from(hit.title_coverage), want.title_coverage));
            prop_assert_eq!(hit.dense, want.dense);
            prop_assert_eq!(&hit.matched, &want.matched);
        }
        let lexical = |scores: Vec<f64>| best(scores.into_iter().filter(|it| *it > 0.0), question.top);
        let got = lexical(found.hits.iter().map(|it| f64::from(it.lexical)).collect());
        prop_assert!(are_close(&got, &lexical(expected.values().map(|it| it.lexical).collect())));
        let got = best(found.hits.iter().filter_map(|it| it.dense).map(f64::from), question.top);
        let want = best(expected.values().filter_map(|it| it.dense).map(f64::from), question.top);
        prop_assert!(are_close(&got, &want));
        prop_assert!(found.hits.len() <= 2 * question.top);
    }
}
