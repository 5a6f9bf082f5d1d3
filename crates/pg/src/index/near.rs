//! What is near a text in the store that is written to. Inside of a write it is asked in its transaction.

use std::cell::RefCell;
use std::collections::BTreeMap;

use oldhand_store::failure::Failure;
use oldhand_store::near::{named, near};
use oldhand_store::port::index::{Index, Narrow, Rows};
use oldhand_store::port::{Measure, Near, NearAsk, Nearby};

use super::PgIndex;

/// What only a model can tell about two texts.
pub trait Likeness {
    fn meaning(&self, one: &str, other: &str) -> Option<f64>;
    fn clash_chance(&self, in_force: &str, proposed: &str) -> Option<f64>;
}

type Question = (String, Vec<Narrow>, Measure);

pub struct PgNearby<'a> {
    index: PgIndex<'a>,
    likeness: Option<&'a dyn Likeness>,
    /// The last question with its answer: the gate and the look for a twin ask the same.
    last: RefCell<Option<(Question, Vec<Near>)>>,
    /// Answers hold for the request.
    aliases: RefCell<BTreeMap<String, Vec<String>>>,
}

impl<'a> PgNearby<'a> {
    /// The index has the store in reach that is written to, and no other.
    pub fn new(index: PgIndex<'a>, likeness: Option<&'a dyn Likeness>) -> Self {
        Self { index, likeness, last: RefCell::default(), aliases: RefCell::default() }
    }
}

impl Nearby for PgNearby<'_> {
    fn near(&self, ask: &NearAsk<'_>) -> Result<Vec<Near>, Failure> {
        let question = (ask.text.to_owned(), ask.within.to_vec(), ask.by);
        let mut last = self.last.borrow_mut();
        if let Some((_, near)) = last.as_ref().filter(|(asked, _)| *asked == question) {
            return Ok(near.clone());
        }
        let found = near(&self.index, ask)?;
        *last = Some((question, found.clone()));
        Ok(found)
    }

    fn aliased(&self, names: &[&str]) -> Result<Option<Vec<String>>, Failure> {
        let mut known = self.aliases.borrow_mut();
        for name in names {
            if !known.contains_key(*name) {
                known.insert((*name).to_owned(), named(&self.index, name)?);
            }
        }
        Ok(Some(names.iter().flat_map(|name| known[*name].clone()).collect()))
    }

    fn rows(&self, narrow: &Narrow, _recheck: bool) -> Result<Option<Rows>, Failure> {
        self.index.rows(narrow)
    }

    fn meaning(&self, one: &str, other: &str) -> Option<f64> {
        self.likeness?.meaning(one, other)
    }

    fn clash_chance(&self, in_force: &str, proposed: &str) -> Option<f64> {
        self.likeness?.clash_chance(in_force, proposed)
    }
}
