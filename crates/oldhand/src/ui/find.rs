//! What the words of an address lead to, and whether what is shown still fits its code.

use std::collections::BTreeMap;

use oldhand_app::list::Filter;
use oldhand_app::search::{Mode, SearchRequest};
use oldhand_core::fresh::Verdict;
use oldhand_core::recall::card::Card;
use oldhand_core::recall::query::Query;
use oldhand_core::state::State;
use oldhand_store::port::Stored;
use oldhand_store::port::index::{Ask, Narrow};
use oldhand_text::strings::shorten;
use oldhand_ui::house::ask::Question;
use oldhand_ui::house::memories::MemoriesAsk;

use super::ask::recall;
use super::house::Household;
use super::shelf::Cards;
use oldhand_desk::desk::Desk;
use oldhand_desk::failure::Fail;

/// Stores up to this size are searched in their files.
const READ_MAX: usize = 2_000;
/// Matches by words in larger ones.
const WORDS_TOP: usize = 500;

/// Of the line that matched.
const PLACE_CHARS_MAX: usize = 120;

/// Ids with the line that matched; `None` where no words were given.
pub(super) type Found = Option<BTreeMap<String, String>>;

/// By recall, or by looking for the words.
pub(super) fn find(ask: &MemoriesAsk, cards: &Cards, desk: &Desk<'_>) -> Result<Found, Fail> {
    let Some(text) = ask.q.as_deref().map(str::trim).filter(|it| !it.is_empty()) else {
        return Ok(None);
    };
    if ask.by.as_deref() == Some("recall") {
        let question = Question { q: text.to_owned(), ..Question::default() };
        let bundle = recall(desk, &question)?.bundle;
        let served = bundle.memories.iter().chain(&bundle.cautions);
        return Ok(Some(served.map(|it| (it.card.id.clone(), it.reason.clone())).collect()));
    }
    let words: Vec<String> = text.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let has = |card: &&Card| {
        let in_card = |word: &String| {
            card.id.contains(word.as_str())
                || card.title.to_lowercase().contains(word.as_str())
                || card.aliases.iter().any(|it| it.to_lowercase().contains(word.as_str()))
                || card.tags.iter().any(|tag| tag.contains(word.as_str()))
        };
        words.iter().all(in_card)
    };
    let mut found: BTreeMap<String, String> =
        cards.all.iter().filter(has).map(|card| (card.id.clone(), String::new())).collect();
    desk.read(|reading| {
        // Exact in the text where its files can be read in no time, otherwise by words.
        if cards.all.len() <= READ_MAX {
            let request = SearchRequest {
                mode: Mode::Content,
                what: text.to_owned(),
                filter: Filter { states: State::ALL.to_vec(), ..Filter::default() },
                limit: 0,
            };
            let matches = reading.engine.memories().search(reading.index, &request)?.matches;
            let place = |it: &str| shorten(it, PLACE_CHARS_MAX);
            found.extend(matches.into_iter().map(|it| (it.candidate.card.id, place(&it.place))));
            return Ok(());
        }
        let (query, narrow) = (Query::new(text, &[]), Narrow::default());
        let look = Ask { query: &query, narrow: &narrow, semantic: false, top: WORDS_TOP };
        for candidate in reading.index.look(&look)?.candidates {
            found.entry(candidate.card.id).or_default();
        }
        Ok(())
    })?;
    Ok(Some(found))
}

impl Household {
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
