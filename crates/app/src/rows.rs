//! Every memory as a row. A small store is read in full, which costs least; of a large one the
//! index gives the rows, and only the files that are shown are opened.

use oldhand_core::recall::row::Row;
use oldhand_store::port::Unreadable;
use oldhand_store::port::index::Rows;

use crate::filter::Filter;
use crate::gate::READ_ALL_MAX;
use crate::prelude::*;

impl Engine<'_> {
    /// What passes the filter, by path; without a filter everything, in any state.
    pub(crate) fn rows(&self, filter: Option<&Filter>) -> Result<Rows> {
        self.rows_after(filter, false)
    }

    /// The same, `is_checked` after a look at every file: what was read did not fit its row.
    pub(crate) fn rows_after(&self, filter: Option<&Filter>, is_checked: bool) -> Result<Rows> {
        let narrow = filter.map(Filter::listed).unwrap_or_default();
        match self.indexed_rows(&narrow, is_checked)? {
            Some(mut rows) => {
                // Which words a text has in it is not in a row.
                if let Some(filter) = filter.filter(|it| it.needs_files()) {
                    let listed = std::mem::take(&mut rows.listed);
                    for one in listed {
                        if self.open(&mut rows, &one)?.is_some_and(|it| filter.matches(&it.memory))
                        {
                            rows.listed.push(one);
                        }
                    }
                }
                Ok(rows)
            }
            None => self.read_rows(filter),
        }
    }

    /// What every memory has earned, by id.
    pub fn trusts(&self) -> Result<BTreeMap<String, f64>> {
        let rows = self.rows(None)?.listed;
        Ok(rows.iter().map(|one| (one.id().to_owned(), one.row.trust())).collect())
    }

    /// `None` where reading the files costs less, or is the only way.
    fn indexed_rows(&self, narrow: &Narrow, is_checked: bool) -> Result<Option<Rows>> {
        match self.nearby {
            Some(nearby) if self.is_large()? => nearby.rows(narrow, is_checked),
            _ => Ok(None),
        }
    }

    fn is_large(&self) -> Result<bool> {
        let mut files = 0;
        let folders = self.settings.kinds.iter().map(|spec| spec.folder.as_str());
        for folder in folders.chain([CANDIDATES_FOLDER]) {
            files += self.vault.count_files(folder, READ_ALL_MAX + 1)?;
        }
        Ok(files > READ_ALL_MAX)
    }

    /// From the files and the log. Of a store of any size no more is held than rows, but what a
    /// small one has is kept for whoever asks for it.
    fn read_rows(&self, filter: Option<&Filter>) -> Result<Rows> {
        let mut rows = Rows::default();
        // What a memory has earned is nothing that a filter asks for.
        let mut by_memory = match filter {
            None => self.upkeep().events_by_memory()?,
            Some(_) => BTreeMap::new(),
        };
        by_memory.values().flatten().for_each(|event| rows.log.take(event));
        let trust = &self.settings.trust;
        self.vault.visit(&mut |visit| match visit.file {
            Ok(stored) if filter.is_none_or(|filter| filter.matches(&stored.memory)) => {
                let events = by_memory.remove(stored.memory.id.as_str()).unwrap_or_default();
                let signals = Signals::fold(&stored.memory, &events, trust);
                let is_flawed = !stored.problems.is_empty();
                let row = Row::of(&stored.memory, &signals, stored.text.len(), is_flawed);
                rows.listed.push(Listed { path: stored.path.clone(), row });
                if visit.of <= READ_ALL_MAX {
                    rows.read.insert(stored.path.clone(), stored);
                }
            }
            Ok(_) => {}
            Err(unreadable) => rows.unreadable.push(unreadable),
        })?;
        Ok(rows)
    }

    /// The file behind a row; `None` when there is none any more.
    pub(crate) fn open(&self, rows: &mut Rows, one: &Listed) -> Result<Option<Stored>> {
        if let Some(stored) = rows.read.remove(&one.path) {
            return Ok(Some(stored));
        }
        match self.vault.find_at(&one.path) {
            Err(Failure::Refused(refusal)) => {
                if rows.unreadable.iter().all(|it| it.path != one.path) {
                    let why = refusal.message.split_once("`: ").map_or("", |(_, why)| why);
                    rows.unreadable.push(Unreadable {
                        path: one.path.clone(),
                        why: why.to_owned(),
                        hint: refusal.hint,
                        is_disk: false,
                    });
                }
                Ok(None)
            }
            other => other,
        }
    }

    /// What has a word of the index, in any state; `None` where every file has to be read for it.
    pub(crate) fn stored_with(&self, word: &str) -> Result<Option<Vec<Stored>>> {
        let narrow = Narrow { words: vec![vec![word.to_owned()]], states: Vec::new() };
        let Some(mut rows) = self.indexed_rows(&narrow, false)? else { return Ok(None) };
        self.open_all(&mut rows).map(Some)
    }

    fn open_all(&self, rows: &mut Rows) -> Result<Vec<Stored>> {
        let listed = std::mem::take(&mut rows.listed);
        let opened = listed.iter().filter_map(|one| self.open(rows, one).transpose());
        opened.collect()
    }

    /// What waits in `candidates/` of some kinds.
    pub(crate) fn waiting_of(&self, kinds: &[Kind]) -> Result<Vec<Stored>> {
        let many = self.vault.count_files(CANDIDATES_FOLDER, READ_ALL_MAX + 1)? > READ_ALL_MAX;
        if many && self.nearby.is_some() {
            let states = vec![State::Candidate];
            let filter = Filter { kinds: kinds.to_vec(), states, ..Filter::default() };
            let mut rows = self.rows(Some(&filter))?;
            return self.open_all(&mut rows);
        }
        let mut waiting = self.vault.scan_candidates()?.stored;
        waiting.retain(|stored| kinds.contains(&stored.memory.kind));
        Ok(waiting)
    }
}
