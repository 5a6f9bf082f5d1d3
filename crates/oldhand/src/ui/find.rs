//! What the words of an address lead to, and whether what is shown still fits its code.

use std::collections::BTreeMap;
use std::sync::Arc;

use oldhand_app::search::Words;
use oldhand_core::fresh::Verdict;
use oldhand_core::recall::card::Card;
use oldhand_core::recall::query::Query;
use oldhand_store::port::Stored;
use oldhand_store::port::index::{Ask, Narrow};
use oldhand_text::strings::shorten;
use oldhand_ui::house::ask::Question;
use oldhand_ui::house::memories::MemoriesAsk;

use super::house::Household;
use super::shelf::Cards;
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::Fail;
use oldhand_desk::rest::trim;

/// Texts of stores up to this size are kept, so that a search reads no file.
const TEXTS_MAX: usize = 10_000;
/// Matches by words of the index in larger ones.
const WORDS_TOP: usize = 500;

/// Of the line that matched.
const PLACE_CHARS_MAX: usize = 120;

/// What the words of an address lead to.
pub(super) struct Found {
    /// By id, with the reason of recall.
    pub(super) ids: BTreeMap<String, String>,
    texts: Option<(Words, Arc<Texts>)>,
    /// How it was looked for, where that is not exact.
    pub(super) note: Option<String>,
}

/// What the files say, by id.
type Texts = BTreeMap<String, String>;

impl Found {
    /// Why that memory is one of them, or the line that matched.
    pub(super) fn place(&self, id: &str) -> Option<String> {
        let place = match &self.texts {
            Some((words, texts)) => shorten(words.place(texts.get(id)?), PLACE_CHARS_MAX),
            None => self.ids.get(id)?.clone(),
        };
        Some(place).filter(|it| !it.is_empty())
    }
}

/// In what the index knows of it: the id is not in the text of a file.
fn is_named(card: &Card, words: &str) -> bool {
    words.to_lowercase().split_whitespace().all(|word| {
        card.id.contains(word)
            || card.title.to_lowercase().contains(word)
            || card.aliases.iter().any(|it| it.to_lowercase().contains(word))
            || card.tags.iter().any(|tag| tag.contains(word))
    })
}

impl Household {
    /// By recall, or by looking for the words; `None` where no words were given.
    pub(super) fn find(
        &self,
        ask: &MemoriesAsk,
        cards: &Cards,
        desk: &Desk<'_>,
    ) -> Result<Option<Found>, Fail> {
        let Some(text) = ask.q.as_deref().map(str::trim).filter(|it| !it.is_empty()) else {
            return Ok(None);
        };
        if ask.by.as_deref() == Some("recall") {
            let question = Question { q: text.to_owned(), ..Question::default() };
            let bundle = self.recall(desk, &question)?.bundle;
            let served = bundle.memories.iter().chain(&bundle.cautions);
            let ids = served.map(|it| (it.card.id.clone(), it.reason.clone())).collect();
            return Ok(Some(Found { ids, texts: None, note: None }));
        }
        let named = cards.all.iter().filter(|card| is_named(card, text));
        let named = named.map(|card| (card.id.clone(), String::new()));
        if cards.all.len() > TEXTS_MAX {
            let mut ids: BTreeMap<_, _> = named.collect();
            ids.extend(by_words(text, desk)?);
            let note = "In a store of this size whole words are looked for, and the best 500 \
                        matches listed. `oldhand search` looks into every text.";
            return Ok(Some(Found { ids, texts: None, note: Some(note.to_owned()) }));
        }
        // As `oldhand search`: those that have all of the words, or else most of them.
        let (words, texts) = (Words::of(text), self.texts(desk, cards)?);
        let counts = texts.iter().map(|(id, text)| (id.clone(), words.count(text)));
        let mut counts: BTreeMap<String, usize> = counts.collect();
        counts.extend(named.map(|(id, _)| (id, words.len())));
        let most = counts.values().copied().max().unwrap_or(0).max(1);
        counts.retain(|_, count| *count == most);
        let ids = counts.into_keys().map(|id| (id, String::new())).collect();
        Ok(Some(Found { ids, texts: Some((words, texts)), note: None }))
    }

    /// Read again only when a memory has changed.
    fn texts(&self, desk: &Desk<'_>, cards: &Cards) -> Result<Arc<Texts>, Fail> {
        self.worked_out("texts", desk, cards.mark(), || {
            let mut texts = Texts::new();
            desk.read(|reading| {
                let all = reading.index.cards(&Narrow::default())?;
                Ok(reading.index.each_text(all, &mut |candidate, text| {
                    // As with cards: those of another store are not listed.
                    if cards
                        .get(&candidate.card.id)
                        .is_some_and(|it| it.is_own == candidate.card.is_own)
                    {
                        texts.insert(candidate.card.id, text.to_owned());
                    }
                })?)
            })?;
            trim();
            Ok(texts)
        })
    }

    /// Whether the rows that name code still fit it. Git is asked for each of them once a minute.
    pub(super) fn verdicts(
        &self,
        rows: &[&Card],
        desk: &Desk<'_>,
    ) -> Result<BTreeMap<String, String>, Fail> {
        let minute = desk.now.as_second() / 60;
        let mut known = self.known_verdicts(minute);
        let is_new = |it: &&&Card| !it.paths.is_empty() && !known.contains_key(&it.id);
        let new: Vec<&str> = rows.iter().filter(is_new).map(|it| it.id.as_str()).collect();
        if new.is_empty() {
            return Ok(known);
        }
        let checked = desk.work(|engine| {
            // A file that can't be read has no verdict.
            let stored: Vec<Stored> = new.iter().filter_map(|id| engine.get(id).ok()).collect();
            Ok(engine.memories().fresh(&stored.iter().collect::<Vec<_>>()).memories)
        })?;
        let told = checked.into_iter().filter(|it| it.verdict != Verdict::Unbound);
        known.extend(told.map(|it| (it.id, it.verdict.as_str().to_owned())));
        self.keep_verdicts(minute, &known);
        Ok(known)
    }
}

fn by_words(text: &str, desk: &Desk<'_>) -> Result<Vec<(String, String)>, Fail> {
    desk.read(|reading| {
        let (query, narrow) = (Query::new(text, &[]), Narrow::default());
        let look = Ask { query: &query, narrow: &narrow, semantic: false, top: WORDS_TOP };
        let candidates = reading.index.look(&look)?.candidates;
        Ok(candidates.into_iter().map(|it| (it.card.id, String::new())).collect())
    })
}
