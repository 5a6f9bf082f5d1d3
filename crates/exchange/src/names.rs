//! Names that are given once within a page or a source.

use std::collections::BTreeMap;

use oldhand_text::strings::{numbered_slug, slug};

use crate::text;

/// Names that are taken within a page.
#[derive(Debug, Clone, Default)]
pub struct Names(BTreeMap<String, usize>);

impl Names {
    /// A slug that no other heading of the page has.
    pub fn slug(&mut self, heading: &str) -> String {
        self.free(&slug(&text::heading_title(heading)), numbered_slug)
    }

    /// This key, with a number if it is taken.
    pub fn key(&mut self, key: &str) -> String {
        self.free(key, |key, number| format!("{key}-{number}"))
    }

    fn free(&mut self, base: &str, numbered: impl Fn(&str, usize) -> String) -> String {
        let mut number = self.0.get(base).copied().unwrap_or(0);
        let mut name = base.to_owned();
        while self.0.contains_key(&name) {
            number += 1;
            name = numbered(base, number.max(2));
        }
        self.0.insert(base.to_owned(), number);
        self.0.entry(name.clone()).or_insert(1);
        name
    }
}
