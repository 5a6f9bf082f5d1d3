//! Postings that somebody else has kept give the answers of a segment, to the bit.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::corpus::{Page, Question, WEIGHTS, build, live, open, page, question};
use super::reference::{cosines, is_allowed};
use crate::{Found, Gathered, GatheredDocument, Weighed, length_of, search, terms_of};

fn gather(pages: &[&Page], question: &Question) -> Gathered {
    let mut gathered = Gathered {
        documents: pages.len() as u32,
        postings: vec![Vec::new(); question.terms.len()],
        ..Gathered::default()
    };
    for (place, page) in (0..).zip(pages) {
        let (terms, lengths) = terms_of(&page.fields);
        for (sum, code) in gathered.length_sums.iter_mut().zip(lengths) {
            *sum += u64::from(length_of(code));
        }
        for (term, postings) in question.terms.iter().zip(&mut gathered.postings) {
            let counts = terms.iter().find(|(key, _)| *key == term.key).map(|it| it.1);
            postings.extend(counts.map(|counts| (place, counts)));
        }
        gathered.embedded += u32::from(page.vectors.as_ref().is_some_and(|it| !it.is_empty()));
        let closest = cosines(page, question).into_iter().reduce(f32::max);
        let is_allowed = is_allowed(page, question);
        gathered.found.push(GatheredDocument { lengths, is_allowed, closest });
    }
    gathered
}

fn weigh(pages: &[&Page], question: &Question) -> Found {
    let gathered = gather(pages, question);
    let weighed = Weighed::of(&gathered, &question.terms, &WEIGHTS, question.top);
    let path = |place: u32| (place, pages[place as usize].path.clone());
    weighed.finish(&weighed.tied().into_iter().map(path).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn gathered_postings_give_the_answers_of_a_segment(
        pages in prop::collection::vec(page(), 0..24),
        question in question(),
    ) {
        let bytes = build(&pages);
        let segment = open(&bytes);
        let by_segment = search(&[live(&segment)], &question.ask()).expect("whole");
        // The last page of each path, in their order: places are ordinals.
        let last: BTreeMap<&str, &Page> = pages.iter().map(|it| (it.path.as_str(), it)).collect();
        let last: Vec<&Page> = last.into_values().collect();
        prop_assert_eq!(weigh(&last, &question), by_segment);
    }
}
