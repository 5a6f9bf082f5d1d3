//! Memories that a text may have to do with, found without reading everything.

use oldhand_store::failure::StoreError;
use oldhand_store::port::{NearAsk, Scan};

use crate::context::Gate;
use crate::prelude::*;

/// Up to this many files of a kind all are read: nothing is faster, and nothing is left out.
pub(crate) const READ_ALL_MAX: usize = 200;
/// Above it, those that are near by words or meaning are read.
const NEAR_MAX: usize = 60;
/// The same of what waits, where only a twin is looked for.
const WAITING_MAX: usize = 24;

/// Whose relatives are looked for.
pub(crate) struct Wanted<'w> {
    pub text: &'w str,
    pub kinds: &'w [Kind],
    pub domain: Option<&'w str>,
    pub by: Measure,
}

#[derive(Default)]
pub(crate) struct Relatives {
    pub stored: Vec<(Stored, Option<f64>)>,
    pub unreadable: Vec<String>,
}

impl Gate<'_> {
    /// Memories of these kinds, in any state, that a text may have to do with: all of them in a
    /// small store, those of the domain and those near it in a large one.
    pub(crate) fn relatives(&self, wanted: &Wanted<'_>) -> Result<Relatives> {
        let is_small = self.is_small(wanted.kinds)?;
        let kinds = wanted.kinds.iter().map(|kind| format!("kind:{kind}")).collect();
        let mut within = vec![Narrow { words: vec![kinds], states: Vec::new() }];
        if let Some(domain) = wanted.domain.filter(|_| !is_small) {
            // R17: the rows of the domain on their own, so that no other crowds them out.
            let mut narrow = within[0].clone();
            narrow.words.push(vec![format!("domain:{}", domain.to_lowercase())]);
            within.push(narrow);
        }
        let mut meanings: BTreeMap<String, Option<f64>> = BTreeMap::new();
        if let Some(nearby) =
            self.nearby.filter(|_| wanted.by == Measure::MeaningOfAll || !is_small)
        {
            let ask = NearAsk { text: wanted.text, within: &within, top: NEAR_MAX, by: wanted.by };
            for one in nearby.near(&ask)? {
                let known = meanings.entry(one.path).or_insert(one.meaning);
                *known = known.or(one.meaning);
            }
        }
        let mut relatives = Relatives::default();
        if is_small || self.nearby.is_none() {
            for kind in wanted.kinds {
                let scan = self.vault.scan_kind(&self.settings.kinds.spec(kind))?;
                refuse_failing_disk(&scan)?;
                relatives.unreadable.extend(scan.unreadable.into_iter().map(|it| it.path));
                let known = scan.stored.into_iter().map(|stored| {
                    let meaning = meanings.remove(&stored.path).flatten();
                    (stored, meaning)
                });
                relatives.stored.extend(known);
            }
        }
        // R18: read in full before anything is said about them.
        for (path, meaning) in meanings {
            match self.vault.find_at(&path) {
                Ok(Some(stored)) => relatives.stored.push((stored, meaning)),
                Ok(None) => {}
                Err(Failure::Refused(_)) => relatives.unreadable.push(path),
                Err(error) => return Err(error),
            }
        }
        relatives.stored.sort_by(|a, b| a.0.path.cmp(&b.0.path));
        Ok(relatives)
    }

    /// What waits of a kind and a text may have to do with: all of it while that is little, what is
    /// near it by words when it is much.
    pub(crate) fn waiting_relatives(&self, text: &str, kind: &Kind) -> Result<Vec<Stored>> {
        let nearby = match self.nearby {
            Some(nearby)
                if self.vault.count_files(CANDIDATES_FOLDER, READ_ALL_MAX + 1)? > READ_ALL_MAX =>
            {
                nearby
            }
            _ => return self.waiting_of(std::slice::from_ref(kind)),
        };
        let narrow =
            Narrow { words: vec![vec![format!("kind:{kind}")]], states: vec![State::Candidate] };
        let ask = NearAsk { text, within: &[narrow], top: WAITING_MAX, by: Measure::Words };
        let near = nearby.near(&ask)?.into_iter();
        near.filter_map(|one| self.readable_at(&one.path).transpose()).collect()
    }

    fn is_small(&self, kinds: &[Kind]) -> Result<bool> {
        let mut files = 0;
        for kind in kinds {
            files +=
                self.vault.count_files(&self.settings.kinds.spec(kind).folder, READ_ALL_MAX + 1)?;
        }
        Ok(files <= READ_ALL_MAX)
    }
}

/// A rival that the disk did not give is no rival that agrees: nothing is judged, or written.
fn refuse_failing_disk(scan: &Scan) -> Result<()> {
    match scan.unreadable.iter().find(|it| it.is_disk) {
        None => Ok(()),
        Some(file) => {
            let source = std::io::Error::other(file.why.clone());
            Err(StoreError::io("read", std::path::Path::new(&file.path), source).into())
        }
    }
}
