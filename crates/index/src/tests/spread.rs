//! How documents are spread over segments changes no answer, and merging makes the bytes of a
//! segment that was built from what is alive.

use proptest::prelude::*;

use super::corpus::{KEY, Page, Question, build, open, page, question};
use crate::{Found, Hit, Live, Segment, count, each_row, merge, newest, search};

/// Pages in the order in which they were written, cut into segments: a later page replaces an
/// earlier one of the same path.
fn spread(writes: &[Page], cuts: &[usize]) -> Vec<Vec<u8>> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (writes.len() + 1)).collect();
    cuts.extend([0, writes.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|cut| build(&writes[cut[0]..cut[1]])).collect()
}

/// What newer segments replace in each.
fn dead(segments: &[Segment]) -> Vec<Vec<u32>> {
    let is_replaced = |number: usize, path: &str| {
        let mut newer = segments[number + 1..].iter();
        newer.any(|segment| segment.find_path(path).expect("whole").is_some())
    };
    let of_segment = |(number, segment): (usize, &Segment)| {
        let paths = (0..segment.len()).map(|it| (it, segment.path(it).expect("whole")));
        paths.filter(|it| is_replaced(number, &it.1)).map(|it| it.0).collect()
    };
    segments.iter().enumerate().map(of_segment).collect()
}

fn lives<'a>(segments: &'a [Segment], dead: &'a [Vec<u32>]) -> Vec<Live<'a>> {
    segments.iter().zip(dead).map(|(segment, dead)| Live { segment, dead }).collect()
}

/// Hits by path: everything but where they were found.
fn by_path(found: &Found, lives: &[Live<'_>]) -> Vec<(String, Hit)> {
    let named = found.hits.iter().map(|hit| {
        let path = lives[hit.segment].segment.path(hit.ordinal).expect("whole");
        (path, Hit { segment: 0, ordinal: 0, ..hit.clone() })
    });
    let mut named: Vec<_> = named.collect();
    named.sort_by(|left, right| left.0.cmp(&right.0));
    named
}

/// Sorted, as only the choice is promised among those of one instant.
fn newest_paths(lives: &[Live<'_>], question: &Question) -> Vec<String> {
    let found = newest(lives, &question.filter, question.states, question.top).expect("whole");
    let path = |(segment, ordinal): (usize, u32)| lives[segment].segment.path(ordinal);
    let mut paths: Vec<String> = found.into_iter().map(|it| path(it).expect("whole")).collect();
    paths.sort();
    paths
}

fn rows(lives: &[Live<'_>], question: &Question) -> Vec<(String, Vec<u8>)> {
    let mut rows = Vec::new();
    each_row(lives, &question.filter, question.states, |path, row| {
        rows.push((path.to_owned(), row.to_owned()));
        Ok(())
    })
    .expect("whole");
    rows.sort();
    rows
}

#[track_caller]
fn check(writes: &[Page], cuts: &[usize], question: &Question) {
    let whole = build(writes);
    let pieces = spread(writes, cuts);
    let opened: Vec<_> = pieces.iter().map(|bytes| open(bytes)).collect();
    let dead = dead(&opened);
    let merged = merge(&lives(&opened, &dead), KEY).expect("whole");
    assert!(merged == whole, "merged {} bytes, built {}", merged.len(), whole.len());

    let one = [open(&whole)];
    let alone = [Live { segment: &one[0], dead: &[] }];
    let want = search(&alone, &question.ask()).expect("whole");
    let found = search(&lives(&opened, &dead), &question.ask()).expect("whole");
    assert_eq!(
        newest_paths(&lives(&opened, &dead), question),
        newest_paths(&alone, question),
        "{question:?}"
    );
    let of_all = rows(&alone, question);
    let counted = count(&lives(&opened, &dead), &question.filter, question.states);
    assert_eq!(counted.expect("whole"), of_all.len());
    assert_eq!(rows(&lives(&opened, &dead), question), of_all, "{question:?}");
    let row_of = |path: &str| writes.iter().rfind(|page| page.path == path).map(|page| page.row);
    assert!(of_all.iter().all(|(path, row)| row_of(path).is_some_and(|it| it == row[..])));
    // Debug shows floats so that two look the same only if they are the same bits.
    assert_eq!(
        format!("{:?}", by_path(&found, &lives(&opened, &dead))),
        format!("{:?}", by_path(&want, &alone))
    );
    assert_eq!(
        (found.documents, found.embedded, format!("{:?}", found.idf)),
        (want.documents, want.embedded, format!("{:?}", want.idf))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn spreading_and_merging_change_nothing(
        writes in prop::collection::vec(page(), 0..30),
        cuts in prop::collection::vec(any::<usize>(), 0..5),
        question in question(),
    ) {
        check(&writes, &cuts, &question);
    }
}

proptest! {
    #[test]
    fn vectors_come_back(
        pages in prop::collection::vec(page(), 0..200),
        repeats in 1..60_usize,
    ) {
        let mut pages = pages;
        // Some documents with more vectors than a page holds.
        for page in pages.iter_mut().step_by(7) {
            if let Some(vectors) = &mut page.vectors {
                *vectors = vectors.repeat(repeats);
            }
        }
        let bytes = build(&pages);
        let segment = open(&bytes);
        for page in pages.iter().rev() {
            let ordinal = segment.find_path(&page.path).expect("whole").expect("added");
            let last = pages.iter().rfind(|it| it.path == page.path).expect("itself");
            prop_assert_eq!(&segment.vectors(ordinal).expect("whole"), &last.vectors);
        }
    }
}

#[test]
fn long_lists_are_the_same_in_blocks() {
    let body = |at: usize| if at.is_multiple_of(3) { "alpha beta" } else { "alpha alpha gamma" };
    let writes: Vec<Page> =
        (0..1500).map(|at| Page::new(&format!("p{:04}", at % 1100), body(at))).collect();
    for cuts in [&[][..], &[700], &[1, 2, 1499], &[300, 900]] {
        check(&writes, cuts, &Question::of("alpha gamma p0007 p0300"));
    }
}
