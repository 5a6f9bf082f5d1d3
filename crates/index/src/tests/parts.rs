//! The small parts: lengths, postings, the dictionary.

use proptest::prelude::*;

use super::corpus::{Page, build, open};
use crate::header::Section;
use crate::postings::{self, Counts, ONCE, Posting};
use crate::{dictionary, lengths};

#[test]
fn lengths_are_stored_to_an_eighth() {
    for length in (0..5000).chain([1 << 20, u32::MAX / 3, u32::MAX]) {
        let stored = lengths::decode(lengths::encode(length));
        assert!(stored <= length && length - stored <= length / 8, "{length} {stored}");
        assert_eq!(lengths::encode(stored), lengths::encode(length));
    }
    assert!((0..=u8::MAX).map(lengths::decode).is_sorted());
}

/// Takes every posting.
fn collect(all: &mut Vec<Posting>) -> impl FnMut(u32, Counts) -> Option<()> {
    move |ordinal, counts| {
        all.push(Posting { ordinal, counts });
        Some(())
    }
}

fn any_postings() -> impl Strategy<Value = Vec<Posting>> {
    let counts = prop_oneof![
        3 => Just(ONCE),
        1 => any::<Counts>(),
        1 => prop::array::uniform4(0..3_u8),
        1 => (1..40_u8).prop_map(|body| [1, body, 0, 1]),
    ];
    let counts = counts.prop_filter("in a field", |counts| *counts != [0; 4]);
    let gap = prop_oneof![4 => 1..4_u32, 1 => 1..300_u32, 1 => 1..2_000_000_u32];
    prop::collection::vec((gap, counts), 1..400).prop_map(|gaps| {
        let mut next = 0;
        gaps.into_iter()
            .map(|(gap, counts)| {
                next += gap;
                Posting { ordinal: next - 1, counts }
            })
            .collect()
    })
}

proptest! {
    #[test]
    fn postings_come_back(postings in any_postings(), wanted in prop::collection::vec(any::<prop::sample::Index>(), 0..5)) {
        let mut bytes = Vec::new();
        postings::encode(&postings, &mut bytes);
        let count = postings.len() as u32;
        let mut all = Vec::new();
        postings::visit(&bytes, count, &mut collect(&mut all)).expect("our own");
        prop_assert_eq!(&all, &postings);

        let mut wanted: Vec<u32> = wanted.iter().map(|it| it.get(&postings).ordinal).collect();
        wanted.sort_unstable();
        let mut near = Vec::new();
        postings::visit_near(&bytes, count, &wanted, &mut collect(&mut near)).expect("our own");
        for ordinal in wanted {
            prop_assert!(near.iter().any(|it| it.ordinal == ordinal));
        }
        prop_assert!(near.iter().all(|it| postings.contains(it)));
    }

    #[test]
    fn broken_postings_are_an_error_or_something_else(bytes in prop::collection::vec(any::<u8>(), 0..600), count in 0..1000_u32) {
        let mut all = Vec::new();
        let _ = postings::visit(&bytes, count, &mut collect(&mut all));
        prop_assert!(all.len() <= bytes.len());
        let _ = postings::each_ordinal(&bytes, count, |_| Some(()));
    }
}

#[test]
fn a_block_that_ends_elsewhere_is_broken() {
    let postings: Vec<Posting> =
        (0..300).map(|ordinal| Posting { ordinal, counts: ONCE }).collect();
    let mut bytes = Vec::new();
    postings::encode(&postings, &mut bytes);
    // The first varint is where the first block ends: 128.
    assert_eq!(bytes[..2], [0x80, 1]);
    bytes[0] = 0x81;
    assert!(postings::visit(&bytes, 300, &mut collect(&mut Vec::new())).is_err());
}

#[test]
fn keys_are_found_however_they_are_spread() {
    let spreads: [fn(u64) -> u64; 3] =
        [|at| at * 0x0005_1234_5678_9abc, |at| at, |at| if at < 2900 { at } else { u64::MAX - at }];
    for spread in spreads {
        let mut page = Page::new("a", "");
        page.filters = (1..3000).map(spread).collect();
        let bytes = build(&[page.clone()]);
        let segment = open(&bytes);
        let mut scratch = Vec::new();
        let mut find = |key| dictionary::find(&segment, Section::Filters, key, &mut scratch);
        for &key in &page.filters {
            assert_eq!(find(key).expect("whole").map(|entry| entry.key), Some(key));
            for other in [key.wrapping_add(1), key - 1] {
                let is_there = page.filters.contains(&other);
                assert_eq!(find(other).expect("whole").is_some(), is_there);
            }
        }
        assert!(find(0).expect("whole").is_none() && find(u64::MAX).expect("whole").is_none());
    }
}
