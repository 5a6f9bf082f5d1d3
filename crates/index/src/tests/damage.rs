//! Any change of the bytes is found, or does not matter to the answer.

use super::corpus::{KEY, Page, Question, build};
use crate::{Damage, Found, Live, Segment, Stamp, Vector, merge, newest, search};

/// Everything that can be asked of a segment.
#[derive(Debug, PartialEq)]
struct Answers {
    found: Found,
    stamps: Vec<(String, Stamp)>,
    cards: Vec<Vec<u8>>,
    place: Option<u32>,
    newest: Vec<(usize, u32)>,
    unembedded: Vec<u32>,
    vectors: Vec<Option<Vec<Vector>>>,
    merged: Vec<u8>,
}

fn answers(bytes: &[u8], question: &Question) -> Result<Answers, Damage> {
    let segment = Segment::open(bytes, &KEY)?;
    let live = [Live { segment: &segment, dead: &[1] }];
    Ok(Answers {
        found: search(&live, &question.ask())?,
        stamps: segment.stamps(0..segment.len())?,
        cards: (0..segment.len()).map(|ordinal| segment.card(ordinal)).collect::<Result<_, _>>()?,
        place: segment.find_path("b")?,
        newest: newest(&live, &[], u16::MAX, 2)?,
        unembedded: segment.unembedded()?,
        vectors: (0..segment.len()).map(|it| segment.vectors(it)).collect::<Result<_, _>>()?,
        merged: merge(&live, KEY)?,
    })
}

fn small() -> (Vec<Page>, Question) {
    let mut pages: Vec<Page> = ["a", "b", "c"].map(|path| Page::new(path, "some words")).to_vec();
    pages[0].filters = vec![1];
    pages[2].filters = vec![1, 2];
    pages[2].vectors = Some(vec![Vector { scale: 0.1, bytes: [3; 384] }]);
    let mut question = Question::of("words a");
    question.filter = vec![vec![1]];
    question.vector = Some(Vector { scale: 0.1, bytes: [2; 384] });
    question.states = 0x00ff;
    (pages, question)
}

/// As above, over several pages.
fn larger() -> (Vec<Page>, Question) {
    let (mut pages, question) = small();
    let more = (0..400).map(|at| {
        let mut page = Page::new(&format!("m{at}"), "more words and others");
        page.card = vec![at as u8; 200];
        page.vectors = Some(vec![Vector { scale: 0.1, bytes: [at as i8; 384] }]);
        page
    });
    pages.extend(more);
    (pages, question)
}

#[track_caller]
fn check(changed: &[u8], question: &Question, want: &Answers) {
    if let Ok(found) = answers(changed, question) {
        assert_eq!(found, *want);
    }
}

#[test]
fn a_flipped_bit_is_found() {
    let (pages, question) = small();
    let mut bytes = build(&pages);
    // Without vectors a segment has no padding, and each of its bits counts.
    let want = answers(&bytes, &question).expect("whole");
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            assert!(answers(&bytes, &question).is_err(), "byte {at} bit {bit}");
            bytes[at] ^= 1 << bit;
        }
    }
    check(&bytes, &question, &want);
}

#[test]
fn a_flipped_bit_on_any_page_is_found_or_does_not_matter() {
    let (pages, question) = larger();
    let mut bytes = build(&pages);
    let want = answers(&bytes, &question).expect("whole");
    for at in (0..bytes.len()).step_by(509) {
        bytes[at] ^= 1 << (at % 8);
        check(&bytes, &question, &want);
        bytes[at] ^= 1 << (at % 8);
    }
}

#[test]
fn a_cut_or_grown_segment_does_not_open() {
    let (pages, _) = small();
    let bytes = build(&pages);
    for length in 0..bytes.len() {
        assert!(Segment::open(&bytes[..length], &KEY).is_err(), "{length}");
    }
    let grown = [&bytes[..], &[0]].concat();
    assert!(matches!(Segment::open(grown.as_slice(), &KEY), Err(Damage::Length { .. })));
}

#[test]
fn pages_of_elsewhere_are_found() {
    let (pages, question) = larger();
    let bytes = build(&pages);
    let want = answers(&bytes, &question).expect("whole");
    let mut other_pages = pages.clone();
    other_pages[5].fields[1] = "more words and other".to_owned();
    let other = build(&other_pages);
    assert_eq!(other.len(), bytes.len());
    let size = crate::pages::PAGE;
    for page in 0..bytes.len() / size {
        let here = page * size..(page + 1) * size;
        let mut swapped = bytes.clone();
        swapped[here.clone()].copy_from_slice(&other[here.clone()]);
        assert!(answers(&swapped, &question).is_err(), "page {page}");
        let next = (page + 1) % (bytes.len() / size);
        swapped[here].copy_from_slice(&bytes[next * size..(next + 1) * size]);
        check(&swapped, &question, &want);
    }
}

#[test]
fn a_source_that_fails_is_damage() {
    let file = std::fs::File::open("/dev/null").expect("there is one");
    let cut_short = crate::Source::File(file, 100_000);
    assert!(matches!(Segment::open(cut_short, &KEY), Err(Damage::Unreadable(_))));
}
