//! Coming back: what always holds, where work stopped, and what the task at hand needs, each within
//! its budget, and no more than is needed to go on.

use oldhand_core::policy::{ALWAYS_TOKENS, LAST_TOKENS, PULL_TOKENS};
use oldhand_core::recall::bundle::cost;
use oldhand_sessions::resume::{
    CONSTRAINTS_CONFIRMED, Confirmation, InForce, Mode, Resume, Stage, Trail, Wanted, overview,
};
use oldhand_text::agent_text::AgentText;

use crate::context::{Memories, Sessions};
use crate::filter::Filter;
use crate::prelude::*;
use crate::recall::{Request, Shelf, find, rule_of};

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
        let (project, waiting) = (start.project.clone(), start.waiting.clone());
        let resume = Resume { mode: start.mode, project, waiting, ..Resume::default() };
        let mut loading = Loading { memories: self.memories(), index, start, resume };
        if start.mode == Mode::Onboarding {
            loading.resume.overview = loading.overview()?;
        }
        loading.load_always()?;
        loading.load_last()?;
        let found = loading.load_task()?;
        loading.resume.in_force = loading.tally(found.as_ref())?;
        let mut resume = loading.resume;
        resume.unanswered = unanswered(&resume);
        resume.keep_to_limit();
        Ok((resume, found))
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
            // A file that can't be read has only its title.
            let stored = named.first().and_then(|it| index.read(it).ok().flatten());
            one.rule = stored.and_then(|it| rule_of(&it.memory)).unwrap_or_default();
        }
        Ok(found)
    }
}

/// A resume while it is put together.
struct Loading<'l> {
    memories: Memories<'l>,
    index: &'l dyn Index,
    start: &'l Start,
    resume: Resume,
}

impl Loading<'_> {
    /// R60: the manifest (what binds and how work is done) and the three newest decisions.
    fn load_always(&mut self) -> Result<()> {
        let start = self.start;
        let mut everywhere = Shelf::of(Kind::Preference, BINDING_MAX, "it holds everywhere");
        everywhere.filter.scope = Some(Scope::Global.to_string());
        let shelves = [
            everywhere,
            Shelf::of(Kind::Constraint, BINDING_MAX, "it is among the newest constraints"),
            Shelf::of(Kind::Decision, 3, "it is among the newest decisions"),
            Shelf::of(Kind::Preference, BINDING_MAX, "it is how work is done here"),
        ];
        // What the session was told already binds it all the same.
        let all = self.memories.wanted(self.index, &shelves, &BTreeSet::new())?;
        let bindings: Vec<Binding> = all
            .iter()
            .filter(|(_, memory)| memory.kind == Kind::Constraint)
            .filter(|(_, memory)| memory.content.flag("active") != Some(false))
            .filter(|(one, _)| one.entry.card.is_persons_word())
            .map(|(one, memory)| binding(&one.entry.card, rule_of(memory)))
            .take(CONSTRAINTS_CONFIRMED)
            .collect();
        self.resume.confirmation =
            Confirmation { constraints: bindings, ..Confirmation::default() };
        let waiting = AgentText::join(&start.waiting, "\n").tokens();
        let mut stage = Stage::new(ALWAYS, ALWAYS_TOKENS, ALWAYS_AROUND + waiting);
        let mut news = all;
        news.retain(|(one, _)| !start.served_before.contains(&one.entry.card.id));
        // In the middle of its work a session has met the newest one.
        name_found(&mut news, usize::from(start.mode != Mode::MidTask));
        stage.fill(news.into_iter().map(|(one, _)| one).collect(), start.is_pointing);
        self.resume.stages.push(stage);
        Ok(())
    }

    /// R61, R62, R65, R66.
    fn load_last(&mut self) -> Result<()> {
        let start = self.start;
        let mut stage = Stage::new(LAST, LAST_TOKENS, LAST_AROUND);
        let why = "it is where the last session ended";
        let shelf = Shelf::of(Kind::SessionSummary, SUMMARIES_ASKED, why);
        let summaries = self.memories.wanted(self.index, &[shelf], &BTreeSet::new())?;
        let trail = start.trail.as_ref().filter(|trail| !trail.is_empty());
        // A summary that was written since tells more than what this machine has seen.
        let is_older = |memory: &Memory| memory.updated_at.or(memory.created_at) <= start.trail_at;
        let newest = summaries.first();
        let tells_trail = trail.filter(|_| newest.is_none_or(|(_, memory)| is_older(memory)));
        if let Some(trail) = tells_trail {
            stage.tell(&trail.label, &trail.facts);
            self.resume.confirmation.complete_from(trail);
        }
        let is_answered = |resume: &Resume| unanswered(resume).is_empty();
        match newest {
            // What it does not know, an older session does not know either.
            Some(_) if tells_trail.is_some() => {
                self.resume.skipped.push(("last summary", "what is above answers it"));
            }
            Some((one, memory)) => {
                self.resume.confirmation.complete_from(&Trail::of_content(&memory.content));
                if !start.served_before.contains(&one.entry.card.id) {
                    let one = fitting(one.clone(), memory, &stage);
                    stage.fill(vec![one], start.is_pointing);
                }
            }
            None if tells_trail.is_some() => {
                self.resume.skipped.push(("module map", "what is above answers it"));
            }
            None => self.load_instead(&mut stage)?,
        }
        for (_, memory) in summaries.iter().skip(1) {
            if tells_trail.is_some() || is_answered(&self.resume) {
                break;
            }
            let older = Trail::of_content(&memory.content);
            self.resume.confirmation.complete_from_older(&older, memory.id.as_str());
        }
        self.resume.stages.push(stage);
        Ok(())
    }

    /// R62: without a summary the newest decisions, and of the architecture its map of modules.
    fn load_instead(&self, stage: &mut Stage) -> Result<()> {
        let shelves = [
            Shelf::of(Kind::Architecture, 1, "it maps the modules"),
            Shelf::of(Kind::Decision, 5, "it is among the newest decisions"),
        ];
        // The three newest are told already, if only by their titles.
        let before = self.start.served_before.iter().cloned();
        let told: BTreeSet<String> = self.resume.told().into_iter().chain(before).collect();
        let mut wanted = self.memories.wanted(self.index, &shelves, &told)?;
        name_found(&mut wanted, 0);
        let wanted = wanted.into_iter().map(|(mut one, memory)| {
            if memory.kind == Kind::Architecture
                && let Some(map) = memory.content.text("module_map")
            {
                one.part = Some(format!("# {}\n\n## Module map\n{map}\n", memory.title));
            }
            one
        });
        stage.fill(wanted.collect(), self.start.is_pointing);
        Ok(())
    }

    /// R63, R64: one pull for the task, by its words, its paths and what is new.
    fn load_task(&mut self) -> Result<Option<Bundle>> {
        let Some(task) = &self.start.task else {
            let why = "no task is defined; `oldhand resume --task \"…\"` looks for what it needs";
            self.resume.skipped.push((TASK, why));
            return Ok(None);
        };
        let mut request =
            Request { budget_tokens: Some(PULL_TOKENS - TASK_AROUND), ..task.clone() };
        request.served_before.extend(self.resume.served());
        let mut recalled = self.memories.recall(self.index, &request)?;
        let mut stage = Stage::new(TASK, PULL_TOKENS, 0);
        let is_told = |id: &String| request.served_before.contains(id);
        let is_known = recalled.bundle.dropped.iter().any(|one| one.fits && is_told(&one.id));
        // What an earlier stage shows was not left out.
        recalled.bundle.dropped.retain(|one| !is_told(&one.id));
        stage.found = recalled.bundle.to_text();
        stage.found_source = (!recalled.bundle.is_empty()).then(|| recalled.bundle.source());
        if recalled.bundle.is_empty() && is_known {
            stage.found = AgentText::ours("for the task there is nothing beyond what is above\n");
        }
        self.resume.stages.push(stage);
        Ok(Some(recalled.bundle))
    }

    fn overview(&self) -> Result<AgentText> {
        let index = self.index;
        let mut narrow = Narrow { states: State::served(), ..Narrow::default() };
        let all = index.count(&narrow)?;
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        for spec in self.memories.settings.kinds.iter() {
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

    /// How much of what binds is in force, and what of it is told beside the stages.
    fn tally(&self, found: Option<&Bundle>) -> Result<Vec<InForce>> {
        let Self { index, start, .. } = self;
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
}

/// Of what hooks took over and nobody has confirmed only so many are shown, the newest: the others
/// come with the prompts that they fit.
fn name_found(wanted: &mut [(Wanted, Memory)], shown_max: usize) {
    let is_found = |memory: &Memory| {
        memory.kind == Kind::Decision
            && memory.origin.is_found()
            && memory.state == State::Provisional
    };
    let found = wanted.iter_mut().filter(|(_, memory)| is_found(memory));
    found.skip(shown_max).for_each(|(one, _)| one.is_named = true);
}

fn unanswered(resume: &Resume) -> Vec<&'static str> {
    resume.confirmation.unanswered(!resume.confirmation.constraints.is_empty())
}

fn binding(card: &Card, rule: Option<String>) -> Binding {
    let rule = rule.unwrap_or_default();
    Binding { id: card.id.clone(), title: card.title.clone(), rule }
}

/// A summary that is too long is cut to its most important lines (R66).
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
