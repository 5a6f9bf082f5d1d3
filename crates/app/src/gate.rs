//! The conflict gate: what a proposal clashes with. Every active decision and constraint is
//! compared, those of the domain and its neighbours told first; the archive is asked when nothing
//! active speaks of the matter.

mod near;
mod question;
mod report;
mod stop;
mod together;

use oldhand_core::kind::schema::main_field;
use oldhand_core::precedence::rank;
use oldhand_core::recall::card::ancestors;
use oldhand_judge::gate::{Clash, Statement, judge, judge_near};
use oldhand_store::port::NearAsk;
use oldhand_text::term_set::TermSet;

use crate::context::Gate;
use crate::prelude::*;

pub(crate) use self::near::{READ_ALL_MAX, Wanted};
pub use self::question::{Pair, Question};
pub use self::report::CheckVerdict;

/// What a proposal says comes first; a sentence model reads no more anyway.
const NEAR_CHARS: usize = 400;
/// Conflicts that are named: what a person reverses is all that is named, so that nothing beyond them
/// stays in force beside its opposite.
const CONFLICTS_MAX: usize = 50;

#[derive(Debug, Clone)]
pub struct Proposal {
    pub title: String,
    pub statement: Statement,
    /// What neighbours are looked for by.
    pub text: String,
    pub domain: Option<String>,
    pub paths: Vec<String>,
    pub scope: Scope,
    /// Not compared: itself, and what it replaces.
    pub except: Vec<String>,
    /// Whoever wrote it has said how it stands to these.
    pub answered: Vec<String>,
}

impl Proposal {
    pub fn of_text(text: &str) -> Self {
        Self {
            title: oldhand_judge::guess::title(text),
            statement: Statement::of_text(text),
            text: shorten(text, NEAR_CHARS),
            domain: None,
            paths: Vec::new(),
            scope: Scope::Project,
            except: Vec::new(),
            answered: Vec::new(),
        }
    }

    pub fn of_memory(memory: &Memory) -> Self {
        let mut except = vec![memory.id.to_string()];
        except.extend(memory.supersedes.iter().cloned());
        Self {
            title: memory.title.clone(),
            statement: Statement::of_memory(memory),
            text: said(memory),
            domain: memory.domain.clone(),
            paths: memory.paths().into_iter().map(str::to_owned).collect(),
            scope: memory.scope.clone(),
            except,
            answered: [memory.beside.clone(), memory.refines.clone()].concat(),
        }
    }
}

/// What a memory says in short: its title and its main field.
pub fn said(memory: &Memory) -> String {
    let field = main_field(memory.kind.fields());
    let main = field.and_then(|field| memory.content.get(&field.name)).map(|it| it.plain());
    let main = main.unwrap_or_default();
    let says_title = main.to_lowercase().starts_with(&memory.title.to_lowercase());
    let text = if says_title { main } else { format!("{}. {main}", memory.title) };
    shorten(&text, NEAR_CHARS)
}

/// How close a memory's domain is to the proposal's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closeness {
    Domain,
    Neighbour,
    Elsewhere,
}

#[derive(Debug, Clone)]
pub struct Conflict {
    pub memory: Memory,
    pub clash: Clash,
    pub closeness: Closeness,
    /// Why nobody has to be bound by it yet.
    pub doubt: Option<String>,
}

impl Conflict {
    pub fn date(&self) -> String {
        date_of(&self.memory)
    }

    pub fn why(&self) -> String {
        with_doubt(self.clash.sentence(), self.doubt.as_deref())
    }

    pub(crate) fn against(&self) -> Against {
        let Clash { ours, theirs, .. } = &self.clash;
        against(&self.memory, self.why(), ours.clone(), theirs.clone())
    }
}

pub(crate) fn with_doubt(why: String, doubt: Option<&str>) -> String {
    doubt.map_or(why.clone(), |doubt| format!("{why}; {doubt}"))
}

/// A memory that a proposal is against, and why.
pub(crate) fn against(memory: &Memory, why: String, ours: String, theirs: String) -> Against {
    let (id, title) = (memory.id.to_string(), memory.title.clone());
    Against { id, title, date: date_of(memory), why, ours, theirs }
}

fn date_of(memory: &Memory) -> String {
    memory.created_at.or(memory.updated_at).map(format_day).unwrap_or_default()
}

#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// Strongest first within the domain, its neighbours, and the rest.
    pub conflicts: Vec<Conflict>,
    /// Those that may exclude it: whoever writes it must say how they stand to it.
    pub questions: Vec<Question>,
    /// Active ones that speak of the same matter and don't clash: worth reading before deciding
    /// (R105).
    pub related: Vec<Memory>,
    /// Decisions of the archive that spoke of the matter (R140).
    pub earlier: Vec<Memory>,
    /// Read in full and compared.
    pub compared: usize,
    /// Of these, how many are of the proposal's domain (R17).
    pub in_domain: usize,
    /// Files that could not be read: what they say is not known.
    pub unreadable: Vec<String>,
}

impl Gate<'_> {
    pub fn check(&self, proposal: &Proposal) -> Result<Judged> {
        self.compare(proposal, Measure::MeaningOfAll, true)
    }

    /// What is worth reading beside a new memory, the one that it is most alike first. For kinds that
    /// bind, the gate has looked already.
    pub(crate) fn related(
        &self,
        memory: &Memory,
        alike: Option<Memory>,
        from_gate: Vec<Memory>,
    ) -> Result<Vec<Binding>> {
        let near = match is_gated(&memory.kind) || !self.settings.kinds.spec(&memory.kind).durable {
            true => from_gate,
            false => {
                let proposal = Proposal::of_memory(memory);
                nearest(&proposal, self.near_binding(&proposal)?.iter())
            }
        };
        let mut related: Vec<Binding> = Vec::new();
        for one in alike.into_iter().chain(near) {
            let id = one.id.to_string();
            if related.iter().all(|known| known.id != id) {
                related.push(Binding { id, title: one.title, rule: String::new() });
            }
        }
        Ok(related)
    }

    /// R16: all decisions are read where one is recorded; beside anything else, the few that the index
    /// finds.
    fn near_binding(&self, proposal: &Proposal) -> Result<Rivals> {
        let Some(nearby) = self.nearby else { return Ok(Vec::new()) };
        let kinds = GATED.iter().map(|kind| format!("kind:{kind}")).collect();
        let narrow = Narrow { words: vec![kinds], states: Vec::new() };
        let ask = NearAsk {
            text: &proposal.text,
            within: &[narrow],
            top: RELATED_LOOKED_AT,
            by: Measure::Words,
        };
        let mut binding = Vec::new();
        for one in nearby.near(&ask)? {
            let stored = self.readable_at(&one.path)?.filter(|it| self.binds(&it.memory));
            binding.extend(stored.map(|stored| (stored, one.meaning)));
        }
        Ok(binding)
    }

    /// `asks` if somebody is there who can answer a question; it costs some milliseconds.
    pub(crate) fn compare(&self, proposal: &Proposal, by: Measure, asks: bool) -> Result<Judged> {
        let (mut binding, rest, unreadable) = self.rivals(proposal, by)?;
        if asks {
            binding.extend(self.sayings(proposal)?);
        }
        let mut judged = Judged { unreadable, ..Judged::default() };
        let mut doubtful = Vec::new();
        let neighbours = neighbours_of(proposal, &binding);
        for (stored, _) in &binding {
            let memory = &stored.memory;
            let closeness = closeness(proposal, memory, &neighbours);
            let is_binding = is_gated(&memory.kind);
            judged.compared += usize::from(is_binding);
            judged.in_domain += usize::from(is_binding && closeness == Closeness::Domain);
            if !meets(&proposal.scope, &memory.scope) {
                continue;
            }
            let (theirs, said) = (Statement::of_memory(memory), said(memory));
            let Some(clash) = self.clash_with(proposal, &theirs, &said) else { continue };
            let pair = proposal.beside(&theirs, &said);
            let (is_sure, chance) = self.confirm(&clash, &pair);
            let is_doubt = question::is_open(proposal, memory) && pair.is_doubt_asked(chance);
            let is_sure = is_sure && is_binding;
            // Where nobody can be asked, what is likely enough waits for a person.
            if is_sure || is_doubt && !asks && chance >= question::WAITS_MIN {
                let (memory, doubt) = (placed(stored), self.doubt(stored)?);
                judged.conflicts.push(Conflict { memory, clash, closeness, doubt });
            } else if is_doubt {
                let (seen, doubt) = (Some(clash), self.doubt(stored)?);
                doubtful.push(Question { memory: placed(stored), chance, seen, doubt });
            }
        }
        judged.conflicts.sort_by(|a, b| {
            (a.closeness, rank(&a.memory))
                .cmp(&(b.closeness, rank(&b.memory)))
                .then(b.clash.score.total_cmp(&a.clash.score))
                .then_with(|| a.memory.id.cmp(&b.memory.id))
        });
        judged.conflicts.truncate(CONFLICTS_MAX);
        let clashes = |memory: &Memory| {
            let stops = judged.conflicts.iter().map(|it| &it.memory.id);
            stops
                .chain(doubtful.iter().map(|it: &Question| &it.memory.id))
                .any(|id| *id == memory.id)
        };
        let others: Vec<&(Stored, Option<f64>)> =
            binding.iter().filter(|(it, _)| !clashes(&it.memory)).collect();
        let questions = if asks { self.questions(proposal, &others)? } else { Vec::new() };
        doubtful.extend(questions);
        // What may exclude it speaks of the same matter, whatever the words.
        let mut related: Vec<Memory> =
            doubtful.iter().map(|question| question.memory.clone()).collect();
        if asks {
            judged.questions = doubtful;
        }
        let is_new = |it: &&&(Stored, _)| related.iter().all(|known| known.id != it.0.memory.id);
        let near = nearest(proposal, others.iter().filter(is_new).copied());
        related.extend(near);
        related.truncate(RELATED_MAX);
        judged.related = related;
        if judged.conflicts.is_empty() {
            judged.earlier = nearest(proposal, rest.iter());
        }
        Ok(judged)
    }

    /// The verdict rests on the texts alone: what the index happens to know of their meaning is a
    /// cache, and must not decide. Only what could clash at its nearest is measured.
    pub(crate) fn clash(&self, proposal: &Proposal, memory: &Memory) -> Option<Clash> {
        self.clash_with(proposal, &Statement::of_memory(memory), &said(memory))
    }

    fn clash_with(&self, proposal: &Proposal, theirs: &Statement, text: &str) -> Option<Clash> {
        let ours = &proposal.statement;
        if judge(ours, theirs, Some(1.0)).is_empty() {
            return None;
        }
        // Clear however far apart the two are: nothing needs to be measured.
        let is_clear = !judge(ours, theirs, Some(0.0)).is_empty();
        let measure = |one: &str, other: &str| self.meaning(one, other);
        let clashes = match is_clear {
            true => judge(ours, theirs, None),
            false => judge_near(ours, theirs, measure(&proposal.text, text), &measure),
        };
        clashes.into_iter().next()
    }

    /// How near two texts are in meaning, measured now.
    pub(crate) fn meaning(&self, one: &str, other: &str) -> Option<f64> {
        self.nearby.and_then(|nearby| nearby.meaning(one, other))
    }

    /// Decisions and constraints: those that bind, and those of the archive. Each with its nearness
    /// in meaning, where that is known.
    fn rivals(&self, proposal: &Proposal, by: Measure) -> Result<(Rivals, Rivals, Vec<String>)> {
        let (text, domain) = (&*proposal.text, proposal.domain.as_deref());
        let found = self.relatives(&Wanted { text, kinds: GATED, domain, by })?;
        let above = self.rivals_above()?;
        let is_rival =
            |(it, _): &(Stored, _)| !proposal.except.iter().any(|id| id == it.memory.id.as_str());
        let rivals = found.stored.into_iter().chain(above).filter(is_rival);
        let (binding, mut rest): (Rivals, Rivals) =
            rivals.partition(|(stored, _)| self.binds(&stored.memory));
        rest.retain(|(it, _)| matches!(it.memory.state, State::Archived | State::Superseded));
        Ok((binding, rest, found.unreadable))
    }

    /// What people say of a matter without calling it a decision: they write "we log JSON" as a preference
    /// or a fact, and mean that it holds. It stops nothing; the writer is asked.
    fn sayings(&self, proposal: &Proposal) -> Result<Rivals> {
        let (text, domain) = (&*proposal.text, None);
        let by = Measure::MeaningOfAll;
        let found = self.relatives(&Wanted { text, kinds: SAYINGS, domain, by })?.stored;
        let is_rival = |(it, _): &(Stored, _)| {
            self.binds(&it.memory) && !proposal.except.iter().any(|id| id == it.memory.id.as_str())
        };
        Ok(found.into_iter().filter(is_rival).collect())
    }

    /// All of those above; the path of each begins with where it is.
    fn rivals_above(&self) -> Result<Rivals> {
        let mut rivals = Vec::new();
        for above in self.above {
            for kind in GATED {
                let scan = above.vault.scan_kind(&self.settings.kinds.spec(kind))?;
                rivals.extend(scan.stored.into_iter().map(|stored| {
                    let path = format!("{}{ABOVE}{}", above.label, stored.path);
                    (Stored { path, ..stored }, None)
                }));
            }
        }
        Ok(rivals)
    }

    /// What speaks against being bound by a memory of this store: it stops a write all the same, and
    /// whoever is stopped should know.
    fn doubt(&self, stored: &Stored) -> Result<Option<String>> {
        let memory = &stored.memory;
        if stored.path.contains(ABOVE) {
            return Ok(None);
        }
        if self.settings.is_unaccepted {
            return Ok(Some("nobody here has accepted this store (`oldhand trust`)".to_owned()));
        }
        if self.signals(memory)?.is_recorded {
            return Ok(None);
        }
        let Memory { id, state, origin, .. } = memory;
        Ok(Some(format!(
            "its file claims `{state}` from `{origin}`, which nobody has confirmed \
             (`oldhand review {id}`)"
        )))
    }

    /// Whether a store above has a memory of that id.
    pub(crate) fn is_above(&self, id: &str) -> Result<bool> {
        let Ok(id) = MemoryId::parse(id) else { return Ok(false) };
        for above in self.above {
            if above.vault.find(&id)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(crate) fn binds(&self, memory: &Memory) -> bool {
        // Nobody has reversed what is doubted or has decayed: uses alone, which any agent can report,
        // open no way past the gate.
        let is_doubted = matches!(memory.state, State::UnderReview | State::Decayed);
        let is_in_force = memory.state.is_served() || is_doubted;
        let is_proposed =
            memory.kind == Kind::Decision && memory.content.text("status") == Some("proposed");
        is_in_force && !is_proposed && marker(memory, self.now).is_none()
    }
}

/// Between the name of a store above and a path in it, which has none of this.
const ABOVE: &str = ": ";

/// A memory that says where it is, if that is above.
fn placed(stored: &Stored) -> Memory {
    let mut memory = stored.memory.clone();
    if let Some((label, _)) = stored.path.rsplit_once(ABOVE) {
        memory.title = format!("{} ({label})", memory.title);
    }
    memory
}

type Rivals = Vec<(Stored, Option<f64>)>;

/// Decisions and constraints that are read beside a memory of another kind.
const RELATED_LOOKED_AT: usize = 8;

/// What binds, and is therefore compared.
pub(crate) const GATED: &[Kind] = &[Kind::Decision, Kind::Constraint];

/// What is compared only to ask: see `Gate::sayings`.
const SAYINGS: &[Kind] = &[Kind::Preference, Kind::Lesson, Kind::Reference];

pub(crate) fn is_gated(kind: &Kind) -> bool {
    GATED.contains(kind)
}

/// Two components that don't touch can decide differently.
fn meets(one: &Scope, other: &Scope) -> bool {
    match (one, other) {
        (Scope::Component(a), Scope::Component(b)) => touch(a, b),
        (Scope::Task(a), Scope::Task(b))
        | (Scope::Mission(a), Scope::Mission(b))
        | (Scope::Agent(a), Scope::Agent(b)) => a == b,
        _ => true,
    }
}

/// R19: domains that share a tag's worth of ground with the proposal: those of memories about the
/// same paths, and those whose names contain each other.
fn neighbours_of(proposal: &Proposal, rivals: &Rivals) -> BTreeSet<String> {
    let domain = proposal.domain.as_deref().map(str::to_lowercase);
    let theirs = rivals.iter().filter_map(|(Stored { memory, .. }, _)| {
        let theirs = memory.domain.as_deref()?.to_lowercase();
        let is_part = |own: &String| own.contains(&theirs) || theirs.contains(own);
        let by_name = domain.as_ref().is_some_and(is_part);
        let is_near = |path: &&str| proposal.paths.iter().any(|own| touch(own, path));
        (by_name || memory.paths().iter().any(is_near)).then_some(theirs)
    });
    theirs.collect()
}

/// One path is the other, or lies in it.
fn touch(one: &str, other: &str) -> bool {
    ancestors(one).any(|above| above == other.trim_end_matches('/'))
        || ancestors(other).any(|above| above == one.trim_end_matches('/'))
}

fn closeness(proposal: &Proposal, memory: &Memory, neighbours: &BTreeSet<String>) -> Closeness {
    let own = proposal.domain.as_deref().map(str::to_lowercase);
    match memory.domain.as_deref().map(str::to_lowercase) {
        Some(theirs) if Some(&theirs) == own.as_ref() => Closeness::Domain,
        Some(theirs) if neighbours.contains(&theirs) => Closeness::Neighbour,
        _ => Closeness::Elsewhere,
    }
}

/// The nearest few that speak of the matter: by the words in common, or by meaning.
fn nearest<'m>(
    proposal: &Proposal,
    among: impl Iterator<Item = &'m (Stored, Option<f64>)>,
) -> Vec<Memory> {
    let ours = TermSet::of(&proposal.text);
    let mut found: Vec<(f64, &Memory)> = among
        .filter_map(|(stored, meaning)| {
            let memory = &stored.memory;
            let theirs = TermSet::of(&Proposal::of_memory(memory).text);
            let words = ours.likeness(&theirs) / WORDS_FLOOR;
            let score = meaning.map_or(words, |near| words.max(near / MEANING_FLOOR));
            (score >= 1.0).then_some((score, memory))
        })
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)));
    found.into_iter().take(RELATED_MAX).map(|(_, memory)| memory.clone()).collect()
}

/// From where on a memory is worth naming beside a proposal.
const WORDS_FLOOR: f64 = 0.25;
const MEANING_FLOOR: f64 = 0.4;
const RELATED_MAX: usize = 3;
