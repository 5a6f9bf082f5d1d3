//! Answering: the words and the meaning of a query against every segment at hand.

use std::cmp::Reverse;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::failure::{Failure, StoreError};
use crate::port::index::{Ask, Index, IndexFacts, Listed, Looked, Narrow, Rows, Semantic};
use crate::port::{Stored, Unreadable, Vault};
use oldhand_core::recall::chain::Size;
use oldhand_core::recall::query::Query;
use oldhand_core::recall::rank::{Candidate, Features};
use oldhand_core::recall::row::Row;
use oldhand_core::state::State;
use oldhand_index::{AskTerm, Damage, Found, Live, SearchQuery, Vector, count, each_row, search};
use oldhand_text::hint::Hint;

use crate::question::{COUNTED_BELOW, Measures, WEIGHTS, filters, terms};
use crate::vault::FILES_PER_PART;

use super::head::Head;
use super::heal::{RECHECK_SECONDS, card_at};
use super::{LocalIndex, Shelf};

impl Index for LocalIndex<'_> {
    fn look(&self, ask: &Ask<'_>) -> Result<Looked, Failure> {
        let embedder =
            self.opening.embedder.filter(|_| ask.semantic && !ask.query.semantic_text().is_empty());
        let vector = embedder.map(|embedder| embedder.embed(&ask.query.semantic_text()));
        let (mut found, mut candidates) = self.search_or_renew(ask, vector.as_ref())?;
        let with_waiting = ask.narrow.states.contains(&State::Candidate);
        if vector.is_some() && self.fill_missing(&found, with_waiting) {
            (found, candidates) = self.search_or_renew(ask, vector.as_ref())?;
        }
        let semantic = match (&vector, found.embedded as usize, found.documents as usize) {
            (None, ..) if ask.semantic => {
                Semantic::Off { why: self.opening.why_no_meaning.clone() }
            }
            (None, ..) => Semantic::Off { why: String::new() },
            (Some(_), embedded, of) if embedded < of => {
                let missing = missing_count(&self.shelves.borrow(), with_waiting);
                match missing {
                    0 => Semantic::Whole,
                    missing => Semantic::Partial { embedded: of.saturating_sub(missing), of },
                }
            }
            _ => Semantic::Whole,
        };
        let size = self.answer(size)?;
        Ok(Looked { candidates, semantic, size })
    }

    fn newest(&self, narrow: &Narrow, limit: usize) -> Result<Vec<Candidate>, Failure> {
        let mut newest = self.answer(|shelves| newest(shelves, narrow, limit))?;
        newest.sort_by(|a, b| {
            (Reverse(a.card.instant()), &a.card.id).cmp(&(Reverse(b.card.instant()), &b.card.id))
        });
        Ok(newest)
    }

    fn cards(&self, narrow: &Narrow) -> Result<Vec<Candidate>, Failure> {
        let mut all = self.newest(narrow, usize::MAX)?;
        all.sort_by(|a, b| a.card.id.cmp(&b.card.id));
        Ok(all)
    }

    fn count(&self, narrow: &Narrow) -> Result<usize, Failure> {
        let (groups, states) = filters(narrow);
        self.answer(|shelves| count(&lives(shelves), &groups, states))
    }

    fn rows(&self, narrow: &Narrow) -> Result<Option<Rows>, Failure> {
        let listed = self.answer(|shelves| rows(shelves, narrow))?;
        let shelves = self.shelves.borrow();
        let Some(shelf) = shelves.first().filter(|shelf| !shelf.is_behind) else { return Ok(None) };
        let unreadable = shelf.head.unread.iter().map(|(path, unread)| Unreadable {
            path: path.clone(),
            why: unread.why.clone(),
            hint: Hint::default(),
            is_disk: false,
        });
        Ok(Some(Rows {
            listed,
            log: shelf.head.log,
            unreadable: unreadable.collect(),
            ..Rows::default()
        }))
    }

    fn recheck(&self) -> Result<bool, Failure> {
        self.each_shelf(|shelf, notes| shelf.recheck(notes))
    }

    fn read(&self, candidate: &Candidate) -> Result<Option<Stored>, Failure> {
        let shelves = self.shelves.borrow();
        let Some(shelf) = shelves.get(candidate.store) else { return Ok(None) };
        let stored = shelf.vault.find_at(&candidate.path)?;
        if let Some(stored) = &stored {
            // Of two files with one id nobody knows which is meant: neither is served.
            shelf.vault.only_path(&stored.memory.id)?;
        }
        Ok(stored)
    }

    /// By the files alone: a search parses nothing that it does not show.
    fn each_text(
        &self,
        candidates: Vec<Candidate>,
        see: &mut dyn FnMut(Candidate, &str),
    ) -> Result<(), Failure> {
        let shelves = self.shelves.borrow();
        // As with `read`, a file is left out if another one has its id.
        let shared = shelves.iter().map(|shelf| shelf.vault.shared_ids());
        let shared = shared.collect::<Result<Vec<_>, _>>()?;
        let mut candidates = candidates.into_iter().peekable();
        while let Some(store) = candidates.peek().map(|it| it.store) {
            let part: Vec<Candidate> =
                std::iter::from_fn(|| candidates.next_if(|it| it.store == store))
                    .take(FILES_PER_PART)
                    .collect();
            let Some(shelf) = shelves.get(store) else { continue };
            let paths: Vec<String> = part.iter().map(|it| it.path.clone()).collect();
            for (candidate, text) in part.into_iter().zip(shelf.vault.read_texts(&paths)) {
                if let Some(text) = text.filter(|_| !shared[store].contains(&candidate.card.id)) {
                    see(candidate, &text);
                }
            }
        }
        Ok(())
    }

    fn facts(&self) -> Result<IndexFacts, Failure> {
        let shelves = self.shelves.borrow();
        let mut facts = IndexFacts { is_kept: true, ..IndexFacts::default() };
        for shelf in shelves.iter() {
            let live = shelf.head.live();
            facts.memories += live;
            facts.embedded += live - shelf.unembedded(false).map_or(live, |missing| missing.len());
            facts.segments += shelf.segments.len();
            facts.bytes += shelf.head.segments.iter().map(|entry| entry.bytes).sum::<u64>();
            self.opening.model().clone_into(&mut facts.model);
            facts.is_kept &= shelf.is_kept;
        }
        Ok(facts)
    }

    fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }

    fn mark(&self) -> String {
        let mut hasher = DefaultHasher::new();
        for shelf in self.shelves.borrow().iter() {
            let Head { edition, unread, .. } = &shelf.head;
            (edition, unread.len(), shelf.opened.is_doubted).hash(&mut hasher);
        }
        hasher.finish().to_string()
    }

    fn fill_all(
        &self,
        with_waiting: bool,
        progress: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<usize, Failure> {
        self.embed_all(with_waiting, progress)
    }

    fn unembedded(&self) -> usize {
        let shelves = self.shelves.borrow();
        shelves.iter().map(|shelf| shelf.unembedded(false).map_or(0, |paths| paths.len())).sum()
    }

    fn warm_up(&self) {
        for shelf in self.shelves.borrow().iter() {
            if let (Some(warm), Some(folder)) = (self.opening.warm, &shelf.folder) {
                for entry in &shelf.head.segments {
                    warm.take_in(&folder.join(&entry.file), &shelf.key());
                }
            }
        }
    }

    fn renew(&self) -> Result<(), Failure> {
        self.notes.borrow_mut().clear();
        self.rebuild()
    }
}

impl LocalIndex<'_> {
    /// Runs over all segments; damaged ones are rebuilt from the files, once.
    fn answer<T>(&self, run: impl Fn(&[Shelf<'_>]) -> Result<T, Damage>) -> Result<T, Failure> {
        if let Ok(answer) = run(&self.shelves.borrow()) {
            return Ok(answer);
        }
        self.rebuild()?;
        // What was just made from the files and is still in memory can't be damaged.
        run(&self.shelves.borrow()).map_err(|damage| {
            let folder = std::path::Path::new("index");
            StoreError::corrupt("search", folder, damage.to_string()).into()
        })
    }

    fn search_or_renew(
        &self,
        ask: &Ask<'_>,
        vector: Option<&Vector>,
    ) -> Result<(Found, Vec<Candidate>), Failure> {
        let query = ask.query;
        let (groups, states) = filters(ask.narrow);
        let terms = terms(ask.query);
        let ask = SearchQuery {
            terms: &terms,
            weights: WEIGHTS,
            vector: vector.zip(self.opening.embedder.map(|it| it.dot_rows())),
            filter: &groups,
            states,
            top: ask.top,
        };
        self.answer(|shelves| {
            let found = search(&lives(shelves), &ask)?;
            let candidates = candidates(shelves, &found, query, &terms)?;
            Ok((found, candidates))
        })
    }

    /// Embeds the best by words that have no vectors yet, a few at a time.
    fn fill_missing(&self, found: &Found, with_waiting: bool) -> bool {
        let Some(embedder) = self.opening.embedder else { return false };
        let mut rest = self.opening.fill;
        if found.embedded >= found.documents || rest.memories == 0 {
            return false;
        }
        let wanted = missing(&self.shelves.borrow(), found, (rest.memories, with_waiting));
        let Ok(wanted) = wanted else { return false };
        let mut filled = 0;
        for (shelf, paths) in self.shelves.borrow_mut().iter_mut().zip(&wanted) {
            filled += shelf.fill(paths, embedder, &mut rest).unwrap_or(0);
        }
        filled > 0
    }
}

impl Shelf<'_> {
    /// A look at every file, unless there was one a moment ago.
    fn recheck(&mut self, notes: &mut Vec<String>) -> Result<bool, Failure> {
        let is_recent = self.vault.now.as_second() - self.head.checked_at < RECHECK_SECONDS
            && self.head.live() > RECHECK_ALWAYS;
        if is_recent { Ok(false) } else { self.bring_up_to_date(true, notes) }
    }
}

/// Up to this many files every one is looked at when nothing was found.
const RECHECK_ALWAYS: usize = 1_024;

fn lives<'s>(shelves: &'s [Shelf<'_>]) -> Vec<Live<'s>> {
    let parts = shelves.iter().flat_map(Shelf::parts);
    parts.map(|(segment, entry)| Live { segment, dead: &entry.dead }).collect()
}

/// Which shelf and which of its segments a number among all segments means.
fn place(shelves: &[Shelf<'_>], segment: usize) -> Option<(usize, usize)> {
    let of_shelf = |(store, shelf): (usize, &Shelf<'_>)| {
        (0..shelf.segments.len()).map(move |segment| (store, segment))
    };
    shelves.iter().enumerate().flat_map(of_shelf).nth(segment)
}

const NO_CARD: Damage = Damage::Contents("no card");

fn plain(shelves: &[Shelf<'_>], segment: usize, at: u32) -> Result<Candidate, Damage> {
    let (store, segment) = place(shelves, segment).ok_or(NO_CARD)?;
    let shelf = &shelves[store];
    let segment = &shelf.segments[segment];
    let mut card = card_at(segment, at)?.ok_or(NO_CARD)?;
    card.is_own = shelf.opened.is_own;
    card.from.clone_from(&shelf.opened.from);
    if shelf.opened.is_doubted {
        card.doubt(shelf.opening.trust);
    }
    let path = segment.path(at)?;
    Ok(Candidate {
        card,
        store,
        path,
        features: Features::default(),
        matched: Vec::new(),
        replaces: Vec::new(),
    })
}

fn candidates(
    shelves: &[Shelf<'_>],
    found: &Found,
    query: &Query,
    terms: &[AskTerm],
) -> Result<Vec<Candidate>, Damage> {
    let measures = Measures::of(query, terms, &found.idf);
    let mut candidates = Vec::new();
    for hit in &found.hits {
        let mut candidate = plain(shelves, hit.segment, hit.ordinal)?;
        measures.put(hit, &mut candidate);
        candidates.push(candidate);
    }
    Ok(candidates)
}

/// How much there is; only a small store is counted byte by byte.
fn size(shelves: &[Shelf<'_>]) -> Result<Size, Damage> {
    let memories: usize = shelves.iter().map(|shelf| shelf.head.live()).sum();
    if memories >= COUNTED_BELOW {
        return Ok(Size { memories, bytes: u64::MAX });
    }
    let active = State::ALL.iter().copied().filter(|state| state.is_active()).collect();
    let narrow = Narrow { words: Vec::new(), states: active };
    let all = newest(shelves, &narrow, usize::MAX)?;
    let bytes = all.iter().map(|candidate| u64::from(candidate.card.bytes)).sum();
    Ok(Size { memories: all.len(), bytes })
}

/// Of the first store, by path.
fn rows(shelves: &[Shelf<'_>], narrow: &Narrow) -> Result<Vec<Listed>, Damage> {
    let (groups, states) = filters(narrow);
    let mut listed = Vec::new();
    each_row(&lives(&shelves[..shelves.len().min(1)]), &groups, states, |path, bytes| {
        let row = Row::of_bytes(bytes).ok_or(Damage::Contents("no row"))?;
        listed.push(Listed { path: path.to_owned(), row });
        Ok(())
    })?;
    listed.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(listed)
}

/// Cards of the newest that pass.
fn newest(shelves: &[Shelf<'_>], narrow: &Narrow, limit: usize) -> Result<Vec<Candidate>, Damage> {
    let (groups, states) = filters(narrow);
    let found = oldhand_index::newest(&lives(shelves), &groups, states, limit)?;
    found.into_iter().map(|(segment, at)| plain(shelves, segment, at)).collect()
}

/// Files without vectors, by shelf: all of them when they are few, else the best by words and then
/// any, so that a question in other words finds more each time.
fn missing_count(shelves: &[Shelf<'_>], with_waiting: bool) -> usize {
    shelves.iter().map(|shelf| shelf.unembedded(with_waiting).map_or(0, |it| it.len())).sum()
}

fn missing(
    shelves: &[Shelf<'_>],
    found: &Found,
    (limit, with_waiting): (usize, bool),
) -> Result<Vec<Vec<String>>, Damage> {
    let all = shelves.iter().map(|shelf| shelf.unembedded(with_waiting));
    let all = all.collect::<Result<Vec<_>, _>>()?;
    if all.iter().map(Vec::len).sum::<usize>() <= limit {
        return Ok(all);
    }
    let mut hits: Vec<_> = found.hits.iter().filter(|hit| hit.dense.is_none()).collect();
    hits.sort_by(|a, b| b.lexical.total_cmp(&a.lexical).then(a.ordinal.cmp(&b.ordinal)));
    let mut wanted: Vec<Vec<String>> = vec![Vec::new(); shelves.len()];
    for hit in hits.into_iter().take(limit) {
        if let Some((store, segment)) = place(shelves, hit.segment) {
            wanted[store].push(shelves[store].segments[segment].path(hit.ordinal)?);
        }
    }
    let mut room = limit - wanted.iter().map(Vec::len).sum::<usize>();
    for (chosen, waiting) in wanted.iter_mut().zip(all) {
        let more: Vec<String> =
            waiting.into_iter().filter(|path| !chosen.contains(path)).take(room).collect();
        room -= more.len();
        chosen.extend(more);
    }
    Ok(wanted)
}
