//! What was put into a segment comes out of it.

use super::corpus::{KEY, Page, Question, build, live, open, zero_vector};
use crate::{Damage, Found, Live, Segment, SegmentKey, Vector, merge, search};

fn ask(pages: &[Page], question: &Question) -> Found {
    let bytes = build(pages);
    search(&[live(&open(&bytes))], &question.ask()).expect("whole")
}

fn vector(value: i8) -> Vector {
    Vector { scale: 0.01, bytes: [value; 384] }
}

#[test]
fn documents_are_numbered_by_path_and_keep_what_they_had() {
    let mut pages = vec![Page::new("b.md", "second"), Page::new("a.md", "first")];
    pages[0].state = 15;
    pages[0].row = [0xff; 3];
    pages[0].vectors = Some(vec![vector(1), vector(2)]);
    pages[1].vectors = Some(Vec::new());
    let bytes = build(&pages);
    let segment = open(&bytes);
    assert_eq!(segment.len(), 2);
    for (ordinal, page) in [(0, &pages[1]), (1, &pages[0])] {
        assert_eq!(segment.path(ordinal).expect("whole"), page.path);
        assert_eq!(segment.card(ordinal).expect("whole"), page.card);
        assert_eq!(segment.row(ordinal).expect("whole"), page.row);
        assert_eq!(segment.find_path(&page.path).expect("whole"), Some(ordinal));
        let stamps = segment.stamps(ordinal..ordinal + 1).expect("whole");
        assert_eq!(stamps, [(page.path.clone(), page.stamp())]);
    }
    assert_eq!(segment.stamps(0..9).expect("whole").len(), 2);
    assert_eq!(segment.stamps(2..2).expect("whole").len(), 0);
    assert_eq!(segment.find_path("aa").expect("whole"), None);
    assert_eq!(segment.vectors(0).expect("whole"), pages[1].vectors);
    assert_eq!(segment.vectors(1).expect("whole"), pages[0].vectors);
    assert!(segment.path(2).is_err() && segment.card(u32::MAX).is_err());
}

#[test]
fn a_path_that_is_added_again_replaces_the_first() {
    let found = ask(&[Page::new("a", "old"), Page::new("a", "new")], &Question::of("old new"));
    assert_eq!((found.documents, found.hits.len()), (1, 1));
    assert_eq!(found.hits[0].matched, [1]);
}

#[test]
fn documents_without_vectors_wait_to_be_embedded() {
    let mut pages: Vec<Page> = ["a", "b", "c"].map(|path| Page::new(path, "")).to_vec();
    pages[1].vectors = Some(Vec::new());
    let bytes = build(&pages);
    assert_eq!(open(&bytes).unembedded().expect("whole"), [0, 2]);
}

#[test]
fn an_empty_segment_answers_with_nothing() {
    let mut question = Question::of("anything at all");
    question.vector = Some(vector(1));
    question.filter = vec![vec![1]];
    let found = ask(&[], &question);
    assert_eq!((found.documents, found.embedded, found.hits), (0, 0, Vec::new()));
    assert_eq!(found.idf.len(), question.terms.len());
    let nothing: [Live<'_>; 0] = [];
    assert_eq!(search(&nothing, &question.ask()).expect("whole").hits, []);
    assert_eq!(merge(&nothing, KEY).expect("whole"), build(&[]));
}

#[test]
fn documents_without_terms_are_found_by_meaning() {
    let mut page = Page::new("a", "");
    page.fields = [const { String::new() }; 4];
    page.vectors = Some(vec![vector(5), vector(100)]);
    let mut question = Question::of("word");
    question.vector = Some(vector(100));
    let found = ask(&[page], &question);
    assert_eq!((found.hits.len(), found.embedded), (1, 1));
    assert_eq!((found.hits[0].lexical, found.hits[0].coverage), (0.0, 0.0));
    assert!(found.hits[0].dense.is_some());
}

#[test]
fn a_question_may_have_hundreds_of_terms() {
    let words: Vec<String> = (0..300).map(|at| format!("word{}q", at)).collect();
    let pages: Vec<Page> = words.iter().map(|word| Page::new(word, word)).collect();
    let found = ask(&pages, &Question { top: 400, ..Question::of(&words.join(" ")) });
    assert_eq!(found.hits.len(), 300);
    assert!(found.hits.iter().all(|hit| hit.matched.len() == 1 && hit.title_coverage > 0.0));
}

#[test]
fn a_dead_document_is_neither_found_nor_counted() {
    let mut pages = [Page::new("a", "word"), Page::new("b", "word"), Page::new("c", "other")];
    pages[1].vectors = Some(vec![zero_vector()]);
    let bytes = build(&pages);
    let segment = open(&bytes);
    let question = Question::of("word");
    let alone = build(&[pages[0].clone(), pages[2].clone()]);
    let want = search(&[live(&open(&alone))], &question.ask()).expect("whole");
    let found = search(&[Live { segment: &segment, dead: &[1, 1, 77] }], &question.ask());
    assert_eq!(found.expect("whole"), want);
}

#[test]
fn another_store_or_version_does_not_open() {
    let bytes = build(&[Page::new("a", "word")]);
    let other = Segment::open(bytes.as_slice(), &SegmentKey([8; 32]));
    assert!(matches!(other, Err(Damage::Foreign)));
    for bytes in [&b""[..], b"x", &[0; 40_000], b"oldhands"] {
        assert!(matches!(Segment::open(bytes, &KEY), Err(Damage::Foreign)));
    }
}
