//! Coming back: what always holds, where work stopped, and what the task at hand needs, each within
//! its budget, and no more than is needed to go on.

use std::collections::{BTreeMap, BTreeSet};

use oldhand_core::policy::{ALWAYS_TOKENS, LAST_TOKENS, PULL_TOKENS};
use oldhand_core::recall::bundle::{Bundle, cost};
use oldhand_core::recall::card::Card;
use oldhand_core::scope::Scope;
use oldhand_sessions::anchor::Binding;
use oldhand_sessions::resume::{
    CONSTRAINTS_CONFIRMED, Confirmation, InForce, Mode, Resume, Stage, Trail, Wanted, overview,
};
use oldhand_text::agent_text::AgentText;

use crate::context::Sessions;
use crate::filter::Filter;
use crate::recall::{Request, Shelf, find, rule_of};
use crate::{Index, Kind, Memory, Narrow, Result, State, Timestamp};

/// The stages, as people read them.
pub const ALWAYS: &str = "always";
pub const LAST: &str = "last state";
pub const TASK: &str = "task";

/// Tokens that stand around the memories: heads, hints, and the confirmation at the end.
const ALWAYS_AROUND: usize = 110;
const LAST_AROUND: usize = 300;
const TASK_AROUND: usize = 60;
/// Older summaries that are asked for an answer that the last one does not have (R66).
const SUMMARIES_ASKED: usize = 5;
/// Constraints among which those that bind everybody are looked for.
const NEWEST_ASKED: usize = 12;
/// Constraints and preferences that are named.
const BINDING_MAX: usize = 8;

/// What the caller knows: of this machine, of this session.
#[derive(Debug, Clone, Default)]
pub struct Start {
    pub mode: Mode,
    pub project: String,
    /// Where work stopped: of this session, or of the one before it here.
    pub trail: Option<Trail>,
    /// When that was.
    pub trail_at: Option<Timestamp>,
    pub waiting: Vec<AgentText>,
    pub served_before: BTreeSet<String>,
    /// Ids alone.
    pub is_pointing: bool,
    /// The task at hand; nothing is searched for without one (R63).
    pub task: Option<Request>,
    /// The user does not stand for the store: nothing in it is in force for them.
    pub is_doubted: bool,
}

impl Sessions<'_> {
    /// What recall found for the task comes beside it, for the receipt.
    pub fn resume(&self, index: &dyn Index, start: &Start) -> Result<(Resume, Option<Bundle>)> {
        let mut resume = Resume {
            mode: start.mode,
            project: start.project.clone(),
            waiting: start.waiting.clone(),
            ..Resume::default()
        };
        if start.mode == Mode::Onboarding {
            resume.overview = self.overview(index)?;
        }
        self.load_always(index, start, &mut resume)?;
        self.load_last(index, start, &mut resume)?;
        let found = self.load_task(index, start, &mut resume)?;
        resume.in_force = self.tally(index, start, found.as_ref())?;
        resume.unanswered = unanswered(&resume);
        resume.keep_to_limit();
        Ok((resume, found))
    }

    /// R60: the manifest (what binds and how work is done) and the three newest decisions.
    fn load_always(&self, index: &dyn Index, start: &Start, resume: &mut Resume) -> Result<()> {
        let mut everywhere = Shelf::of(Kind::Preference, BINDING_MAX, "it holds everywhere");
        everywhere.filter.scope = Some(Scope::Global.to_string());
        let shelves = [
            everywhere,
            Shelf::of(Kind::Constraint, BINDING_MAX, "it is among the newest constraints"),
            Shelf::of(Kind::Decision, 3, "it is among the newest decisions"),
            Shelf::of(Kind::Preference, BINDING_MAX, "it is how work is done here"),
        ];
        // What the session was told already binds it all the same.
        let all = self.memories().wanted(index, &shelves, &BTreeSet::new())?;
        let bindings: Vec<Binding> = all
            .iter()
            .filter(|(_, memory)| memory.kind == Kind::Constraint)
            .filter(|(_, memory)| memory.content.flag("active") != Some(false))
            .filter(|(one, _)| one.entry.card.is_persons_word())
            .map(|(one, memory)| binding(&one.entry.card, rule_of(memory)))
            .take(CONSTRAINTS_CONFIRMED)
            .collect();
        resume.confirmation = Confirmation { constraints: bindings, ..Confirmation::default() };
        let waiting = AgentText::join(&start.waiting, "\n").tokens();
        let mut stage = Stage::new(ALWAYS, ALWAYS_TOKENS, ALWAYS_AROUND + waiting);
        let news = all.into_iter().map(|(one, _)| one);
        let news = news.filter(|one| !start.served_before.contains(&one.entry.card.id));
        stage.fill(news.collect(), start.is_pointing);
        resume.stages.push(stage);
        Ok(())
    }

    /// R61, R62, R65, R66.
    fn load_last(&self, index: &dyn Index, start: &Start, resume: &mut Resume) -> Result<()> {
        let mut stage = Stage::new(LAST, LAST_TOKENS, LAST_AROUND);
        let why = "it is where the last session ended";
        let shelf = Shelf::of(Kind::SessionSummary, SUMMARIES_ASKED, why);
        let summaries = self.memories().wanted(index, &[shelf], &BTreeSet::new())?;
        let trail = start.trail.as_ref().filter(|trail| !trail.is_empty());
        // A summary that was written since tells more than what this machine has seen.
        let is_older = |memory: &Memory| memory.updated_at.or(memory.created_at) <= start.trail_at;
        let newest = summaries.first();
        let tells_trail = trail.filter(|_| newest.is_none_or(|(_, memory)| is_older(memory)));
        if let Some(trail) = tells_trail {
            stage.tell(&trail.label, &trail.facts);
            resume.confirmation.complete_from(trail);
        }
        let is_answered = |resume: &Resume| unanswered(resume).is_empty();
        match newest {
            Some(_) if tells_trail.is_some() && is_answered(resume) => {
                resume.skipped.push(("last summary", "what is above answers it"));
            }
            Some((one, memory)) => {
                resume.confirmation.complete_from(&Trail::of_content(&memory.content));
                if !start.served_before.contains(&one.entry.card.id) {
                    let one = fitting(one.clone(), memory, &stage);
                    stage.fill(vec![one], start.is_pointing);
                }
            }
            None if tells_trail.is_some() && is_answered(resume) => {
                resume.skipped.push(("module map", "what is above answers it"));
            }
            None => self.load_instead(index, start, resume, &mut stage)?,
        }
        for (_, memory) in summaries.iter().skip(1) {
            if is_answered(resume) {
                break;
            }
            let older = Trail::of_content(&memory.content);
            resume.confirmation.complete_from_older(&older, memory.id.as_str());
        }
        resume.stages.push(stage);
        Ok(())
    }

    /// R62: without a summary the newest decisions, and of the architecture its map of modules.
    fn load_instead(
        &self,
        index: &dyn Index,
        start: &Start,
        resume: &Resume,
        stage: &mut Stage,
    ) -> Result<()> {
        let shelves = [
            Shelf::of(Kind::Architecture, 1, "it maps the modules"),
            Shelf::of(Kind::Decision, 5, "it is among the newest decisions"),
        ];
        // The three newest are told already, if only by their titles.
        let told: BTreeSet<String> =
            resume.told().into_iter().chain(start.served_before.iter().cloned()).collect();
        let wanted = self.memories().wanted(index, &shelves, &told)?;
        let wanted = wanted.into_iter().map(|(mut one, memory)| {
            if memory.kind == Kind::Architecture
                && let Some(map) = memory.content.text("module_map")
            {
                one.part = Some(format!("# {}\n\n## Module map\n{map}\n", memory.title));
            }
            one
        });
        stage.fill(wanted.collect(), start.is_pointing);
        Ok(())
    }

    /// R63, R64: one pull for the task, by its words, its paths and what is new.
    fn load_task(
        &self,
        index: &dyn Index,
        start: &Start,
        resume: &mut Resume,
    ) -> Result<Option<Bundle>> {
        let Some(task) = &start.task else {
            let why = "no task is defined; `oldhand resume --task \"…\"` looks for what it needs";
            resume.skipped.push((TASK, why));
            return Ok(None);
        };
        let told: BTreeSet<String> =
            resume.served().into_iter().chain(task.served_before.iter().cloned()).collect();
        let budget_tokens = Some(PULL_TOKENS - TASK_AROUND);
        let request = Request { budget_tokens, served_before: told, ..task.clone() };
        let mut recalled = self.memories().recall(index, &request)?;
        let mut stage = Stage::new(TASK, PULL_TOKENS, 0);
        let is_told = |id: &String| request.served_before.contains(id);
        let is_known = recalled.bundle.dropped.iter().any(|one| one.fits && is_told(&one.id));
        // What was told a moment ago was not left out.
        recalled.bundle.dropped.retain(|one| !is_told(&one.id));
        stage.found = recalled.bundle.to_text();
        stage.found_source = (!recalled.bundle.is_empty()).then(|| recalled.bundle.source());
        if recalled.bundle.is_empty() && is_known {
            stage.found = AgentText::ours("for the task there is nothing beyond what is above\n");
        }
        resume.stages.push(stage);
        Ok(Some(recalled.bundle))
    }

    fn overview(&self, index: &dyn Index) -> Result<AgentText> {
        let mut narrow = Narrow { states: State::served(), ..Narrow::default() };
        let all = index.count(&narrow)?;
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        for spec in self.settings.kinds.iter() {
            narrow.words = vec![vec![format!("kind:{}", spec.kind)]];
            kinds.insert(spec.kind.to_string(), index.count(&narrow)?);
        }
        kinds.retain(|_, count| *count > 0);
        // A kind that nobody has declared is known by its memories alone.
        if kinds.values().sum::<usize>() < all {
            kinds.clear();
            narrow.words.clear();
            for candidate in index.cards(&narrow)? {
                *kinds.entry(candidate.card.kind).or_default() += 1;
            }
        }
        Ok(overview(&kinds.into_iter().collect::<Vec<_>>()))
    }

    /// How many candidates a person should judge; nobody has to judge what a session was about.
    pub fn candidates_waiting(&self, index: &dyn Index) -> Result<usize> {
        let narrow = Narrow { words: Vec::new(), states: vec![State::Candidate] };
        let Some(rows) = index.rows(&narrow)? else {
            let mut waiting = self.vault.scan_candidates()?.memories();
            waiting.retain(|it| it.state == State::Candidate && it.kind != Kind::SessionSummary);
            return Ok(waiting.len());
        };
        Ok(rows.listed.iter().filter(|it| !it.row.is(&Kind::SessionSummary)).count())
    }

    /// How much of what binds is in force, and what of it is told beside the stages.
    fn tally(
        &self,
        index: &dyn Index,
        start: &Start,
        found: Option<&Bundle>,
    ) -> Result<Vec<InForce>> {
        if start.is_doubted {
            return Ok(Vec::new());
        }
        let found = found.iter().flat_map(|it| it.memories.iter().chain(&it.cautions));
        let found: Vec<&Card> = found.map(|entry| &entry.card).collect();
        let mut all = Vec::new();
        for kind in [Kind::Decision, Kind::Constraint] {
            let mut narrow = Filter { kinds: vec![kind.clone()], ..Filter::default() }.narrow();
            narrow.states = State::served();
            let of_kind = found.iter().filter(|card| card.kind == kind.as_str());
            let mut told: BTreeSet<String> = of_kind.map(|card| card.id.clone()).collect();
            if !start.served_before.is_empty() {
                let newest = index.newest(&narrow, NEWEST_ASKED)?;
                let ids = newest.into_iter().map(|it| it.card.id);
                told.extend(ids.filter(|id| start.served_before.contains(id)));
            }
            let kind = if kind == Kind::Decision { "decision" } else { "constraint" };
            all.push(InForce { kind, count: index.count(&narrow)?, told });
        }
        Ok(all)
    }

    /// What binds a piece of work: what fits it first, then what is newest (R92).
    pub fn bindings(&self, index: &dyn Index, about: &str, limit: usize) -> Result<Vec<Binding>> {
        let filter = Filter { kinds: vec![Kind::Constraint], ..Filter::default() };
        let mut found: Vec<Binding> = Vec::new();
        if !about.trim().is_empty() {
            let request = Request {
                text: about.to_owned(),
                filter: filter.clone(),
                items_max: Some(limit),
                quick: true,
                ..Request::default()
            };
            let bundle = self.memories().recall(index, &request)?.bundle;
            let said = bundle.memories.into_iter().map(|entry| entry.card);
            found.extend(said.filter(Card::is_persons_word).map(|card| binding(&card, None)));
        }
        let mut narrow = filter.narrow();
        narrow.states = State::served();
        let (project, global) = (Scope::Project.to_string(), Scope::Global.to_string());
        for candidate in index.newest(&narrow, NEWEST_ASKED)? {
            // What binds one component binds work that is about it, and that was found above.
            let is_general = [&project, &global].contains(&&candidate.card.scope);
            let one = binding(&candidate.card, None);
            let is_new = found.len() < limit && !found.contains(&one);
            if is_general && is_new && candidate.card.is_persons_word() {
                found.push(one);
            }
        }
        for one in &mut found {
            let named = find::named(index, &one.id, &narrow.states)?;
            // A file that can't be read is told by its title.
            let stored = named.first().and_then(|it| index.read(it).ok().flatten());
            one.rule = stored.and_then(|it| rule_of(&it.memory)).unwrap_or_default();
        }
        Ok(found)
    }
}

fn unanswered(resume: &Resume) -> Vec<&'static str> {
    resume.confirmation.unanswered(!resume.confirmation.constraints.is_empty())
}

fn binding(card: &Card, rule: Option<String>) -> Binding {
    let rule = rule.unwrap_or_default();
    Binding { id: card.id.clone(), title: card.title.clone(), rule }
}

/// A summary that is too long is told by its most telling lines (R66).
fn fitting(mut one: Wanted, memory: &Memory, stage: &Stage) -> Wanted {
    let room = stage.room();
    let whole = cost(&one.entry.card, &one.entry.freshness, &one.entry.text);
    if whole + 2 <= room {
        return one;
    }
    let frame = cost(&one.entry.card, &one.entry.freshness, "") + 12;
    let mut part = format!("# {}\n", memory.title);
    let mut used = frame + oldhand_text::tokens::count(&part);
    for fact in Trail::of_content(&memory.content).facts {
        let line = format!("{fact}\n");
        let more = oldhand_text::tokens::count(&line) + 1;
        if used + more <= room {
            used += more;
            part.push_str(&line);
        }
    }
    one.part = Some(part);
    one
}
