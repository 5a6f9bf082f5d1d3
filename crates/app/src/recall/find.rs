//! Finding candidates, one level of the chain at a time.

use oldhand_core::recall::card::path_filter;
use oldhand_core::recall::chain::{self, Level, Step};
use oldhand_core::recall::query::Query;
use oldhand_core::recall::rank::{self, Candidate, Parts, Scored};
use oldhand_store::port::index::{Ask, Looked, Semantic};

use super::reason::{reason, why_left};
use super::{Request, card_cost};
use crate::context::Memories;
use crate::prelude::*;

pub(super) struct Found {
    pub level: Level,
    pub steps: Vec<Step>,
    /// With the reason of each, best first.
    pub chosen: Vec<Chosen>,
    pub ranked: Vec<Scored>,
    pub semantic: Semantic,
    /// What is loaded has to be in these states; in the past, in any.
    pub narrow: Narrow,
    pub dropped: Vec<Dropped>,
    pub warnings: Vec<String>,
}

/// What is looked for, and where.
pub(super) struct Hunt<'h> {
    pub index: &'h dyn Index,
    pub request: &'h Request,
    pub query: Query,
    pub narrow: Narrow,
}

impl Hunt<'_> {
    /// What a full read found, or the end of the chain, with what there is to say about it.
    fn found(&self, semantic: Semantic, ranked: Vec<Scored>, chosen: Vec<Chosen>) -> Found {
        let mut warnings = Vec::new();
        if let Semantic::Partial { embedded, of } = semantic
            && !self.request.full_read
        {
            warnings.push(format!(
                "{embedded} of {of} memories are searched by meaning so far: \
                 `oldhand reindex` completes it"
            ));
        }
        let mut narrow = self.narrow.clone();
        if let Some(as_of) = self.request.as_of {
            let day = format_day(as_of);
            let note = format!("as of {day}: states are those of that day, texts are today's");
            warnings.push(note);
            narrow.states.clear();
        }
        let (level, steps, dropped) = (Level::FullRead, Vec::new(), Vec::new());
        Found { level, steps, chosen, ranked, semantic, narrow, dropped, warnings }
    }
}

/// A candidate, and the reason why it is in the answer.
pub(super) type Chosen = (Scored, String);

struct Haul {
    chosen: Vec<Chosen>,
    ranked: Vec<Scored>,
    step: Step,
}

/// Candidates of each list, for those who can't wait: the best few are all that is served.
const QUICK_CANDIDATES: usize = 24;

/// Near misses that an answer names.
const LEFT_SHOWN: usize = 10;

impl Memories<'_> {
    pub(super) fn hunt<'h>(index: &'h dyn Index, request: &'h Request) -> Result<Hunt<'h>> {
        let mut narrow = request.filter.narrow();
        if narrow.states.is_empty() {
            narrow.states = State::served();
        } else if request.filter.states.is_empty() {
            // The archive joins for an old module, what is not settled does not (R127).
            narrow.states.retain(|state| state.is_served() || !state.is_active());
        }
        narrow.words.extend(story_filter(index, &request.text)?);
        Ok(Hunt { index, request, query: request.query(), narrow })
    }

    pub(super) fn find(&self, hunt: &Hunt<'_>) -> Result<Found> {
        let Hunt { index, request, query, .. } = hunt;
        let mut looked = self.ask_index(hunt)?;
        if request.full_read {
            return self.full_read(hunt, looked.semantic);
        }
        let mut level = chain::start(looked.size, has_meaning(&looked), &self.settings.recall);
        let mut steps: Vec<Step> = Vec::new();
        let mut retried = false;
        let mut first: Option<Vec<Scored>> = None;
        loop {
            let Haul { chosen, ranked, mut step } = self.at_level(hunt, level, &looked)?;
            if let (Semantic::Off { why }, true) = (&looked.semantic, steps.is_empty())
                && !why.is_empty()
            {
                step.note = join(&step.note, why);
            }
            let is_last = level.next().is_none() || request.quick;
            if chosen.is_empty() && !retried && !request.quick {
                // Exactly one retry, and only when a look at every file found something (R81).
                retried = true;
                let renewed = index.recheck()?;
                let what = if renewed { "index renewed, one retry" } else { "index is current" };
                step.note = join(&step.note, what);
                steps.push(step);
                if renewed {
                    looked = self.ask_index(hunt)?;
                    continue;
                }
            } else {
                steps.push(step);
            }
            if !chosen.is_empty() || is_last {
                // Where nothing fits, what came nearest is what the highest level weighed.
                let ranked = match first {
                    Some(first) if chosen.is_empty() => first,
                    _ => ranked,
                };
                let ranking = self.ranking(query, has_meaning(&looked), request.quick);
                let dropped = left_out(&ranked, &chosen, rank::floor(ranking));
                let found = hunt.found(looked.semantic, ranked, chosen);
                return Ok(Found { level, steps, dropped, ..found });
            }
            first.get_or_insert(ranked);
            level = level.next().unwrap_or(level);
        }
    }

    fn ask_index(&self, hunt: &Hunt<'_>) -> Result<Looked> {
        let Hunt { index, request, query, narrow } = hunt;
        // A superseded memory that fits leads to its successor; what it was in the past is told
        // by the log.
        let mut wide = narrow.clone();
        if request.as_of.is_some() {
            wide.states.clear();
        } else if !wide.states.contains(&State::Superseded) {
            wide.states.push(State::Superseded);
        }
        // What a person said stays known while an agent doubts it.
        let has_contested = request.as_of.is_none() && request.filter.states.is_empty();
        if has_contested && !wide.states.contains(&State::UnderReview) {
            wide.states.push(State::UnderReview);
        }
        let ask = Ask {
            query,
            narrow: &wide,
            // A request that names nothing is answered by words or not at all, when nobody can wait.
            semantic: !request.keywords_only && (!request.quick || query.is_specific()),
            top: if request.quick { QUICK_CANDIDATES } else { self.settings.recall.candidates },
        };
        let mut looked = index.look(&ask)?;
        let mut candidates = std::mem::take(&mut looked.candidates);
        if has_contested {
            candidates.retain(|it| it.card.state != State::UnderReview || it.card.contested);
        }
        looked.candidates = match request.as_of {
            Some(as_of) => self.in_force(candidates, as_of, narrow)?,
            None => successors(*index, candidates, narrow)?,
        };
        if query.text.is_empty() {
            for path in &query.paths {
                let mut about = narrow.clone();
                about.words.push(path_filter(path));
                add_missing(&mut looked.candidates, index.cards(&about)?);
            }
        }
        Ok(looked)
    }

    fn at_level(&self, hunt: &Hunt<'_>, level: Level, looked: &Looked) -> Result<Haul> {
        let Hunt { index, query, narrow, .. } = hunt;
        let policy = &self.settings.recall;
        let mut candidates = looked.candidates.clone();
        let mut note = String::new();
        match level {
            Level::Semantic => {}
            Level::Keyword => {
                candidates.retain(|it| it.features.lexical > 0.0 || is_asked_for(&it.card, query));
                let newest = index.newest(narrow, policy.newest)?;
                note = format!("{} newest read too", newest.len());
                add_missing(&mut candidates, newest);
            }
            Level::Titles => candidates.retain(|it| it.features.title_coverage > 0.0),
            Level::FullRead if looked.size.is_small(policy) => {}
            Level::FullRead => {
                let newest = index.newest(narrow, policy.full_read_max)?;
                note = format!("only the {} newest", newest.len());
                candidates.retain(|it| newest.iter().any(|new| new.card.id == it.card.id));
                add_missing(&mut candidates, newest);
            }
        }
        let semantic = has_meaning(looked) && level != Level::Keyword;
        let mut ranking = self.ranking(query, semantic, hunt.request.quick);
        ranking.doubted = has_meaning(looked) && !semantic;
        ranking.background = rank::background(&looked.candidates, &policy.weights);
        let mut ranked = rank::rank(candidates, ranking);
        for scored in &mut ranked {
            if level == Level::Titles {
                let coverage = f64::from(scored.candidate.features.title_coverage);
                // Of everyday words, all must be in the title, and more than one.
                let is_whole = coverage >= 0.99 && scored.candidate.matched.len() > 1;
                scored.is_relevant =
                    coverage >= policy.title_floor && (is_whole || query.is_specific());
            }
            scored.is_relevant |= is_asked_for(&scored.candidate.card, query);
        }
        let relevant = ranked.iter().filter(|scored| scored.is_relevant);
        let chosen: Vec<_> = relevant.map(|scored| (scored.clone(), reason(scored))).collect();
        let step = Step { level, seen: ranked.len(), found: chosen.len(), note };
        Ok(Haul { chosen, ranked, step })
    }

    /// Everything, newest first; over budget only the newest few, and that is said (R137, R159).
    fn full_read(&self, hunt: &Hunt<'_>, semantic: Semantic) -> Result<Found> {
        let Hunt { index, request, narrow, .. } = hunt;
        let policy = &self.settings.recall;
        let all = match request.as_of {
            Some(as_of) => {
                let any = Narrow { words: narrow.words.clone(), states: Vec::new() };
                self.in_force(index.newest(&any, usize::MAX)?, as_of, narrow)?
            }
            None => index.newest(narrow, usize::MAX)?,
        };
        let seen = all.len();
        let tokens: usize = all.iter().map(|candidate| card_cost(&candidate.card, request)).sum();
        let is_cut = !request.pointers_only
            && tokens > self.room(request).tokens
            && seen > policy.full_read_max;
        let kept = if is_cut { policy.full_read_max } else { seen };
        let ranked: Vec<Scored> = all.into_iter().take(kept).map(unscored).collect();
        let chosen = ranked.iter().map(|scored| (scored.clone(), "full read".to_owned())).collect();
        let note = is_cut.then(|| format!("cut to the {kept} newest of {seen}"));
        let mut found = hunt.found(semantic, ranked, chosen);
        found.warnings.extend(note.as_ref().map(|note| format!("full read {note}")));
        let (count, note) = (found.ranked.len(), note.unwrap_or_default());
        found.steps = vec![Step { level: Level::FullRead, seen, found: count, note }];
        Ok(found)
    }
}

fn has_meaning(looked: &Looked) -> bool {
    !matches!(looked.semantic, Semantic::Off { .. })
}

/// What was superseded lends its words and its meaning to what replaced it.
fn successors(
    index: &dyn Index,
    candidates: Vec<Candidate>,
    narrow: &Narrow,
) -> Result<Vec<Candidate>> {
    let (old, mut current): (Vec<Candidate>, Vec<Candidate>) =
        candidates.into_iter().partition(|candidate| {
            candidate.card.state == State::Superseded && !narrow.states.contains(&State::Superseded)
        });
    for one in old {
        let Some(successor) = one.card.superseded_by.as_deref() else { continue };
        let known = current.iter().position(|other| other.card.id == successor);
        if known.is_none() {
            let Some(successor) = named(index, successor, &narrow.states)?.pop() else { continue };
            current.push(successor);
        }
        let at = known.unwrap_or(current.len() - 1);
        let own = &mut current[at];
        own.replaces.push(one.card.id.clone());
        if one.features.dense > own.features.dense {
            own.features.dense = one.features.dense;
        }
        if one.features.lexical > own.features.lexical {
            own.features = rank::Features { dense: own.features.dense, ..one.features };
            own.matched = one.matched;
        }
    }
    Ok(current)
}

/// Without a task the paths are the question: what is about them answers it (R64, R132).
fn is_asked_for(card: &Card, query: &Query) -> bool {
    if !query.text.is_empty() {
        return false;
    }
    let own = card.filter_words();
    query.paths.iter().flat_map(|path| path_filter(path)).any(|word| own.contains(&word))
}

fn add_missing(candidates: &mut Vec<Candidate>, more: Vec<Candidate>) {
    for candidate in more {
        if candidates.iter().all(|known| known.card.id != candidate.card.id) {
            candidates.push(candidate);
        }
    }
}

/// A memory that is there for another reason than its score.
pub(super) fn unscored(candidate: Candidate) -> Scored {
    Scored {
        candidate,
        relevance: 0.0,
        confidence: 0.0,
        score: 0.0,
        parts: Parts::default(),
        is_relevant: true,
    }
}

pub(crate) fn named(index: &dyn Index, name: &str, states: &[State]) -> Result<Vec<Candidate>> {
    let words = vec![vec![format!("id:{}", name.to_lowercase())]];
    index.cards(&Narrow { words, states: states.to_vec() })
}

/// `story:…` and `epic:…` in the task narrow it to what carries that tag, when anything does (R9).
fn story_filter(index: &dyn Index, text: &str) -> Result<Vec<Vec<String>>> {
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        if !word.starts_with("story:") && !word.starts_with("epic:") {
            continue;
        }
        let group = vec![format!("tag:{word}")];
        let narrow = Narrow { words: vec![group.clone()], states: State::served() };
        if !index.cards(&narrow)?.is_empty() {
            words.push(group);
        }
    }
    Ok(words)
}

/// What was near, and why it is not in the answer.
fn left_out(ranked: &[Scored], chosen: &[Chosen], floor: f64) -> Vec<Dropped> {
    let best = chosen.first().map(|(scored, _)| scored.relevance);
    ranked
        .iter()
        .filter(|scored| !scored.is_relevant && scored.relevance > 0.0)
        .take(LEFT_SHOWN)
        .map(|scored| Dropped::of(&scored.candidate.card, why_left(scored, best, floor), false))
        .collect()
}

fn join(first: &str, second: &str) -> String {
    if first.is_empty() { second.to_owned() } else { format!("{first}; {second}") }
}
