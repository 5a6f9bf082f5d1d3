//! Lists as tables: what is asked for, and which ids come back.

use super::*;

fn card(id: &str, state: State, tags: &[&str], paths: &[&str]) -> Card {
    let texts = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect();
    Card {
        id: id.to_owned(),
        title: id.to_uppercase(),
        kind: "decision".to_owned(),
        state,
        tags: texts(tags),
        paths: texts(paths),
        updated_at: Some(i64::from(id.as_bytes()[0])),
        trust: f64::from(id.as_bytes()[0]) / 200.0,
        ..Card::default()
    }
}

fn cards() -> Vec<Card> {
    vec![
        card("a", State::Stable, &["pay"], &["src/pay/cents.rs", "src/pay/vat.rs"]),
        card("b", State::Stable, &["pay", "web"], &["src/web/form.rs"]),
        card("c", State::Retired, &["pay"], &[]),
        card("d", State::Candidate, &["untagged"], &["README.md"]),
    ]
}

fn browse() -> Browse<'static> {
    let (filters, sort) = (BTreeMap::new(), Column::Updated);
    Browse { filters, only: None, sort, is_descending: true, after: None, limit: 100 }
}

#[track_caller]
fn check(browse: &Browse<'_>, ids: &str, total: usize, first: usize) {
    let cards = cards();
    let page = browse.page(&cards);
    let found: Vec<&str> = page.rows.iter().map(|card| card.id.as_str()).collect();
    assert_eq!((found.join(" ").as_str(), page.total, page.first), (ids, total, first));
}

#[track_caller]
fn check_facet(browse: &Browse<'_>, facet: Facet, values: &[(&str, usize)]) {
    let cards = cards();
    let page = browse.page(&cards);
    let found = &page.facets[facet as usize];
    let found: Vec<(&str, usize)> = found.values.iter().map(|it| (it.0.as_str(), it.1)).collect();
    assert_eq!((facet, found), (page.facets[facet as usize].facet, values.to_vec()));
}

#[test]
fn the_newest_first_and_only_what_is_active() {
    check(&browse(), "d b a", 3, 0);
    let filters = BTreeMap::from([(Facet::State, ALL_STATES.to_owned())]);
    check(&Browse { filters, ..browse() }, "d c b a", 4, 0);
}

#[test]
fn a_page_begins_behind_the_last_row_of_the_one_before() {
    check(&Browse { limit: 2, ..browse() }, "d b", 3, 0);
    check(&Browse { limit: 2, after: Some("b"), ..browse() }, "a", 3, 2);
    check(&Browse { after: Some("a"), ..browse() }, "", 3, 3);
    // What is gone meanwhile: from the beginning.
    check(&Browse { after: Some("gone"), ..browse() }, "d b a", 3, 0);
}

#[test]
fn every_column_sorts_both_ways() {
    for sort in [Column::Title, Column::Trust, Column::Updated] {
        check(&Browse { sort, is_descending: false, ..browse() }, "a b d", 3, 0);
        check(&Browse { sort, ..browse() }, "d b a", 3, 0);
    }
    check(&Browse { sort: Column::State, is_descending: false, ..browse() }, "d a b", 3, 0);
}

#[test]
fn filters_and_found_ids_narrow() {
    let filters = BTreeMap::from([(Facet::Tag, "pay".to_owned())]);
    check(&Browse { filters, ..browse() }, "b a", 2, 0);
    let only = BTreeMap::from([("a".to_owned(), String::new())]);
    check(&Browse { only: Some(&only), ..browse() }, "a", 1, 0);
}

#[test]
fn a_facet_counts_what_it_would_leave() {
    let filters = BTreeMap::from([(Facet::Tag, "web".to_owned())]);
    let narrowed = Browse { filters, ..browse() };
    check_facet(&browse(), Facet::Tag, &[("pay", 2), ("web", 1)]);
    check_facet(&narrowed, Facet::Tag, &[("pay", 2), ("web", 1)]);
    check_facet(&narrowed, Facet::State, &[("stable", 1)]);
    check_facet(&browse(), Facet::State, &[("stable", 2), ("candidate", 1), ("retired", 1)]);
    check_facet(&browse(), Facet::Path, &[("README.md", 1), ("src/pay", 1), ("src/web", 1)]);
}
