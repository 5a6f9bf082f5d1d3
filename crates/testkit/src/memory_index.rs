//! The index and its neighbours without a disk: every answer comes from a scan of the vault.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use oldhand_core::kind::Kinds;
use oldhand_core::policy::TrustPolicy;
use oldhand_core::recall::card::{Card, body_text, field_texts};
use oldhand_core::recall::chain::Size;
use oldhand_core::recall::query::Word;
use oldhand_core::recall::rank::{Candidate, Features};
use oldhand_core::recall::row::{LogFacts, Row};
use oldhand_core::signals::Signals;
use oldhand_store::failure::Failure;
use oldhand_store::near::{named, near};
use oldhand_store::port::index::{Ask, Index, IndexFacts, Listed, Looked, Narrow, Rows, Semantic};
use oldhand_store::port::{Near, NearAsk, Nearby, Stored, Unreadable, Vault};
use oldhand_text::terms;

/// Finds by words alone, in one store.
pub struct MemoryIndex<'a> {
    pub vault: &'a dyn Vault,
    pub kinds: &'a Kinds,
    pub trust: &'a TrustPolicy,
}

/// A memory as the index sees it.
struct Indexed {
    candidate: Candidate,
    row: Row,
    /// The keys of the words in its title, and in all of its texts.
    titled: BTreeSet<u64>,
    said: BTreeSet<u64>,
}

impl Indexed {
    fn passes(&self, narrow: &Narrow) -> bool {
        let card = &self.candidate.card;
        let words = card.filter_words();
        let has_one = |group: &Vec<String>| group.iter().any(|word| words.contains(word));
        let is_state = narrow.states.is_empty() || narrow.states.contains(&card.state);
        is_state && narrow.words.iter().all(has_one)
    }
}

fn keys(text: &str) -> BTreeSet<u64> {
    let mut keys = BTreeSet::new();
    terms::each_term(text, &mut |term, form, _| {
        keys.insert(terms::key(term, form));
    });
    keys
}

fn has(keys: &BTreeSet<u64>, word: &Word) -> bool {
    word.terms.iter().any(|(key, _)| keys.contains(key))
}

impl MemoryIndex<'_> {
    fn all(&self) -> Result<Vec<Indexed>, Failure> {
        let scan = self.vault.scan()?;
        scan.stored.into_iter().map(|stored| self.index(&stored)).collect()
    }

    fn index(&self, stored: &Stored) -> Result<Indexed, Failure> {
        let memory = &stored.memory;
        let signals = Signals::fold(memory, &self.vault.events_of(memory.id.as_str())?, self.trust);
        let (body, bytes) = (body_text(memory, self.kinds), stored.text.len());
        let fields = field_texts(memory, &body);
        let candidate = Candidate {
            card: Card::of(memory, &signals, &body, bytes),
            store: 0,
            path: stored.path.clone(),
            features: Features::default(),
            matched: Vec::new(),
            replaces: Vec::new(),
        };
        let row = Row::of(memory, &signals, bytes, !stored.problems.is_empty());
        Ok(Indexed { candidate, row, titled: keys(&fields[0]), said: keys(&fields.join("\n")) })
    }

    fn passing(&self, narrow: &Narrow) -> Result<Vec<Candidate>, Failure> {
        let all = self.all()?.into_iter().filter(|one| one.passes(narrow));
        Ok(all.map(|one| one.candidate).collect())
    }

    fn unreadable(&self) -> Vec<Unreadable> {
        self.vault.scan().map(|scan| scan.unreadable).unwrap_or_default()
    }
}

impl Index for MemoryIndex<'_> {
    fn look(&self, ask: &Ask<'_>) -> Result<Looked, Failure> {
        let all = self.all()?;
        let rarity = |word: &Word| {
            let having = all.iter().filter(|one| has(&one.said, word)).count() as f32;
            (1.0 + (all.len() as f32 - having + 0.5) / (having + 0.5)).ln()
        };
        let words: Vec<(&Word, f32)> =
            ask.query.words.iter().map(|word| (word, rarity(word))).collect();
        let share = |is_meant: &dyn Fn(&Word) -> bool, keys: &BTreeSet<u64>| {
            let meant = || words.iter().filter(|(word, _)| is_meant(word));
            let having: f32 = meant().filter(|(word, _)| has(keys, word)).map(|it| it.1).sum();
            having / meant().map(|it| it.1).sum::<f32>().max(f32::MIN_POSITIVE)
        };
        let active = all.iter().filter(|one| one.candidate.card.state.is_active());
        let size = Size {
            memories: active.clone().count(),
            bytes: active.map(|one| u64::from(one.candidate.card.bytes)).sum(),
        };
        let mut candidates = Vec::new();
        for one in all.iter().filter(|one| one.passes(ask.narrow)) {
            let matched: Vec<&(&Word, f32)> =
                words.iter().filter(|(word, _)| has(&one.said, word)).collect();
            let in_title = |word: &Word| if has(&one.titled, word) { 2.0 } else { 1.0 };
            let mut candidate = one.candidate.clone();
            candidate.features = Features {
                lexical: matched.iter().map(|(word, rarity)| rarity * in_title(word)).sum(),
                coverage: share(&|_| true, &one.said),
                title_coverage: share(&|_| true, &one.titled),
                telling_coverage: share(&|word| !word.everyday, &one.said),
                dense: None,
            };
            candidate.matched = matched.iter().map(|(word, _)| word.text.clone()).collect();
            candidates.extend(Some(candidate).filter(|it| !it.matched.is_empty()));
        }
        candidates.sort_by(|a, b| {
            b.features.lexical.total_cmp(&a.features.lexical).then_with(|| a.path.cmp(&b.path))
        });
        candidates.truncate(ask.top);
        let why = if ask.semantic { "the index in memory knows words alone" } else { "" };
        Ok(Looked { candidates, semantic: Semantic::Off { why: why.to_owned() }, size })
    }

    fn newest(&self, narrow: &Narrow, limit: usize) -> Result<Vec<Candidate>, Failure> {
        let mut found = self.passing(narrow)?;
        found.sort_by_key(|one| (Reverse(one.card.instant()), one.card.id.clone()));
        found.truncate(limit);
        Ok(found)
    }

    fn cards(&self, narrow: &Narrow) -> Result<Vec<Candidate>, Failure> {
        let mut found = self.passing(narrow)?;
        found.sort_by(|a, b| a.card.id.cmp(&b.card.id));
        Ok(found)
    }

    fn count(&self, narrow: &Narrow) -> Result<usize, Failure> {
        Ok(self.passing(narrow)?.len())
    }

    fn rows(&self, narrow: &Narrow) -> Result<Option<Rows>, Failure> {
        let passing = self.all()?.into_iter().filter(|one| one.passes(narrow));
        let listed = passing.map(|one| Listed { path: one.candidate.path, row: one.row });
        let mut rows = Rows { listed: listed.collect(), ..Rows::default() };
        rows.unreadable = self.unreadable();
        let mut log = LogFacts::default();
        self.vault.visit_events(&mut |event| log.take(&event))?;
        rows.log = log;
        Ok(Some(rows))
    }

    fn recheck(&self) -> Result<bool, Failure> {
        Ok(false)
    }

    fn read(&self, candidate: &Candidate) -> Result<Option<Stored>, Failure> {
        self.vault.find_at(&candidate.path)
    }

    fn facts(&self) -> Result<IndexFacts, Failure> {
        let memories = self.all()?.len();
        Ok(IndexFacts { memories, model: "none".to_owned(), is_kept: true, ..Default::default() })
    }

    fn notes(&self) -> Vec<String> {
        let note = |it: Unreadable| format!("could not read `{}`: {}", it.path, it.why);
        self.unreadable().into_iter().map(note).collect()
    }

    fn mark(&self) -> String {
        let scan = self.vault.scan().unwrap_or_default();
        scan.stored.iter().map(|stored| format!("{} {};", stored.path, stored.hash)).collect()
    }
}

impl Nearby for MemoryIndex<'_> {
    fn near(&self, ask: &NearAsk<'_>) -> Result<Vec<Near>, Failure> {
        near(self, ask)
    }

    fn aliased(&self, names: &[&str]) -> Result<Option<Vec<String>>, Failure> {
        let mut paths = Vec::new();
        for name in names {
            paths.extend(named(self, name)?);
        }
        Ok(Some(paths))
    }

    fn rows(&self, narrow: &Narrow, _recheck: bool) -> Result<Option<Rows>, Failure> {
        Index::rows(self, narrow)
    }

    fn meaning(&self, _one: &str, _other: &str) -> Option<f64> {
        None
    }

    fn clash_chance(&self, _in_force: &str, _proposed: &str) -> Option<f64> {
        None
    }
}
