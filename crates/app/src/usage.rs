//! Uses: what came of advice, recorded when a task ends anyway. Trust, failures and contradictions
//! move a memory at once.

use oldhand_core::credit::Signs;
use oldhand_core::event::{Effect, Followup, Surface};
use oldhand_core::lifecycle::{self, ReviewCause};
use oldhand_core::precedence::rank;
use oldhand_core::task::{Outcome, TaskSignals};
use oldhand_text::strings::ID_CHARS_MAX;

use crate::context::Upkeep;
use crate::moves::refuse_bad_reason;
use crate::prelude::*;
use crate::written::Learned;

#[derive(Debug, Clone)]
pub struct Use<'r> {
    pub effect: Effect,
    pub task: &'r str,
    /// What kind of agent or person used it (R214).
    pub role: &'r str,
    pub surface: Option<Surface>,
    pub followup: Option<Followup>,
    pub notes: &'r str,
}

#[derive(Debug, Clone)]
pub struct Used {
    pub memory: Memory,
    pub effect: Effect,
    pub signals: Signals,
    /// The state that it was in, when the use moved it.
    pub moved_from: Option<State>,
}

impl Used {
    /// Where the memory stands, and where it came from if the use moved it.
    pub fn state_line(&self) -> String {
        match self.moved_from {
            Some(from) => {
                let why = self.memory.state_reason.as_deref().unwrap_or_default();
                format!("{from} -> {}: {why}", self.memory.state)
            }
            None => self.memory.state.to_string(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct TaskEnd<'r> {
    pub task: &'r str,
    pub outcome: Outcome,
    pub served: &'r [String],
    /// What shows that a memory had a part in the outcome (R212).
    pub signs: Signs<'r>,
    /// Memories that somebody says had one.
    pub used: &'r [String],
    pub surface: Option<Surface>,
    pub signals: TaskSignals,
    pub notes: &'r str,
    /// A session's notes, or any memory, that helped most (R147).
    pub most_useful: &'r [String],
}

#[derive(Debug, Clone, Default)]
pub struct TaskEnded {
    pub used: Vec<Used>,
    /// Served, and gone since.
    pub gone: Vec<String>,
    /// Served, and there, but a rule or its file stands against counting the use: by id, with why.
    pub refused: Vec<(String, String)>,
    /// Its uses in this task were told one by one.
    pub told: Vec<String>,
    pub learned: Vec<Learned>,
}

impl<'a> Upkeep<'a> {
    /// R214 to R219: one use, or with another memory a contradiction between the two.
    pub fn use_memory(
        &self,
        name: &str,
        with: Option<&str>,
        one: &Use<'_>,
    ) -> WriteResult<'a, Vec<Used>> {
        let names: Vec<&str> = [name].into_iter().chain(with).collect();
        self.write_about(&names, &mut || {
            refuse_bad_use(one)?;
            let mut plan = Plan::default();
            let stored = self.get(name)?;
            let used = match with {
                Some(other) => {
                    self.plan_contradiction([&stored, &self.get(other)?], one, &mut plan)?
                }
                None => vec![self.plan_use(&stored, one, &mut plan)?],
            };
            Ok((used, plan))
        })
    }

    /// The two contradict each other: the one that ranks lower is reviewed, or both (R232).
    fn plan_contradiction(
        &self,
        [first, second]: [&Stored; 2],
        one: &Use<'_>,
        plan: &mut Plan,
    ) -> Result<Vec<Used>> {
        if first.memory.id == second.memory.id {
            let message = format!("`{}` can't contradict itself", first.memory.id);
            return refuse(Code::Validation, message, "name the other memory with `--with <id>`");
        }
        let mut used = Vec::new();
        for (stored, against) in [(first, second), (second, first)] {
            if rank(&stored.memory) < rank(&against.memory) {
                continue;
            }
            let mut done = self.plan_use(stored, one, plan)?;
            if done.moved_from.is_none() && settled(&stored.memory) && settled(&against.memory) {
                let cause = ReviewCause::Conflict(against.memory.id.to_string());
                let step = self.life().step(stored, &Request::Review(cause), &done.signals)?;
                done.moved_from = Some(stored.memory.state);
                done.memory = step.add_to(plan);
            }
            used.push(done);
        }
        Ok(used)
    }

    /// R211: everything that was served in a task learns how it ended.
    pub fn end_task(&self, end: &TaskEnd<'_>) -> WriteResult<'a, TaskEnded> {
        self.know_names(end)?;
        self.write(&mut || {
            refuse_bad_end(end)?;
            let events = self.vault.events()?;
            if has_ended(&events, end.task) {
                return Err(ended_already(end.task).into());
            }
            self.decide_end(end, &events)
        })
    }

    /// Names that are no id of a file are looked for as aliases here, all at once, and not one by one
    /// in the lock.
    pub(crate) fn know_names(&self, end: &TaskEnd<'_>) -> Result<()> {
        let Some(nearby) = self.nearby else { return Ok(()) };
        let mut unknown = Vec::new();
        for name in end.served.iter().chain(end.most_useful).map(|name| name.trim()) {
            let id = MemoryId::parse(name).ok();
            // What can't be read is for the one who needs it.
            if let Ok(None) = id.map_or(Ok(None), |id| self.vault.find_raw(&id)) {
                unknown.push(name);
            }
        }
        if !unknown.is_empty() {
            nearby.aliased(&unknown)?;
        }
        Ok(())
    }

    /// The end of a task that has not ended before.
    pub(crate) fn decide_end(&self, end: &TaskEnd<'_>, events: &[Event]) -> Decided<TaskEnded> {
        let told: BTreeSet<&str> = events
            .iter()
            .filter(|event| event.task == end.task && event.event_type == EventType::Applied)
            .map(|event| event.memory.as_str())
            .collect();
        let mut ended = TaskEnded::default();
        let mut plan = Plan::default();
        let mut wanted: BTreeSet<String> = end.served.iter().cloned().collect();
        for name in end.most_useful.iter().chain(end.used) {
            // Typed by somebody: a slip is said now, since a task ends only once.
            wanted.insert(self.get(name)?.memory.id.to_string());
        }
        let mut met = BTreeSet::new();
        for id in &wanted {
            match self.look_up(id) {
                // An alias and the id itself are one use.
                Ok(Some(stored)) if !met.insert(stored.memory.id.clone()) => {}
                Ok(Some(stored)) if told.contains(stored.memory.id.as_str()) => {
                    ended.told.push(stored.memory.id.to_string());
                }
                Ok(Some(stored)) => {
                    let one = use_of(&stored.memory, end);
                    ended.used.push(self.plan_use(&stored, &one, &mut plan)?);
                }
                Ok(None) => ended.gone.push(id.clone()),
                Err(Failure::Refused(refusal)) => {
                    ended.refused.push((id.clone(), refusal.to_string()));
                }
                Err(error) => return Err(error),
            }
        }
        let event = Event {
            task: end.task.to_owned(),
            outcome: Some(end.outcome),
            signals: end.signals.clone(),
            reason: end.notes.to_owned(),
            ..Event::new(EventType::Task, "", self.now)
        };
        ended.learned = self.learning().plan_patterns(events, &event, &mut plan)?;
        plan.events.push(event);
        Ok((ended, plan))
    }

    /// The line of the log, and the move that follows from it (R204, R225).
    pub(crate) fn plan_use(&self, stored: &Stored, one: &Use<'_>, plan: &mut Plan) -> Result<Used> {
        let memory = &stored.memory;
        let weakens = one.effect == Effect::Contradiction;
        let event = Event {
            effect: Some(one.effect),
            task: one.task.to_owned(),
            role: one.role.to_owned(),
            surface: one.surface,
            followup: one.followup.or(weakens.then_some(Followup::Weaken)),
            reason: one.notes.to_owned(),
            // Not in the log yet: any name will do for the folding.
            id: "this".to_owned(),
            ..self.event(EventType::Applied, memory, &stored.path)
        };
        let mut events = self.vault.events_of(memory.id.as_str())?;
        events.push(event.clone());
        let signals = Signals::fold(memory, &events, &self.settings.trust);
        let wants_review = event.followup == Some(Followup::Review);
        plan.events.push(event);
        let cause = match wants_review {
            true => ReviewCause::Requested("asked for after a use".to_owned()),
            false => ReviewCause::Signals,
        };
        let life = self.life_of(memory, &signals);
        let is_contradicted =
            signals.open_contradictions >= self.settings.life.decay_contradictions;
        let is_stated = matches!(memory.origin, Origin::User | Origin::Gate);
        let end = match is_contradicted && is_stated && !self.is_person {
            // What a person said decays by no agent's word: a person is asked.
            true => Request::Review(ReviewCause::Requested(format!(
                "{} contradictions",
                signals.open_contradictions
            ))),
            false => Request::Sweep,
        };
        let moving = [Request::Review(cause), end]
            .into_iter()
            .filter(|_| wants_review || one.effect != Effect::Positive)
            .filter(|_| stored.problems.is_empty())
            // A date that has passed is the sweep's business; here only what the use did counts.
            .filter(|it| *it != Request::Sweep || is_contradicted)
            .find(|request| lifecycle::transition(life, request).is_ok());
        let effect = one.effect;
        let Some(request) = moving else {
            return Ok(Used { memory: memory.clone(), effect, signals, moved_from: None });
        };
        let moved = self.life().step(stored, &request, &signals)?.add_to(plan);
        Ok(Used { memory: moved, effect, signals, moved_from: Some(memory.state) })
    }
}

fn settled(memory: &Memory) -> bool {
    matches!(memory.state, State::Stable | State::Canonical)
}

/// R212: positive when the task passed, negative when it failed, neutral when nothing shows that the
/// memory had a part in it.
fn use_of<'r>(memory: &Memory, end: &TaskEnd<'r>) -> Use<'r> {
    let is_among = |names: &[String]| {
        names.iter().any(|name| memory.id.as_str() == name || memory.aliases.contains(name))
    };
    let is_best = is_among(end.most_useful);
    let is_told = is_best || is_among(end.used);
    let effect = match end.outcome {
        _ if !is_told && !end.signs.show_use_of(memory) => Effect::Neutral,
        Outcome::Passed => Effect::Positive,
        Outcome::Failed if !is_told && end.signs.are_elsewhere(memory) => Effect::Neutral,
        Outcome::Failed => Effect::Negative,
    };
    Use {
        effect,
        task: end.task,
        role: "",
        surface: end.surface,
        followup: is_best.then_some(Followup::Promote),
        notes: end.notes,
    }
}

pub(crate) fn has_ended(events: &[Event], task: &str) -> bool {
    events.iter().any(|event| event.event_type == EventType::Task && event.task == task)
}

pub(crate) fn ended_already(task: &str) -> Refusal {
    Refusal::new(Code::State, format!("the task `{task}` has ended already")).with_hint(
        Hint::with_steps("use another id, or record single uses with {}", [NextStep::Apply]),
    )
}

fn refuse_bad_use(one: &Use<'_>) -> Result<()> {
    refuse_bad_task(one.task)?;
    refuse_bad_reason(one.notes)?;
    Ok(write::refuse_secret("role", one.role)?)
}

/// What can be refused without a look at the store.
pub(crate) fn refuse_bad_end(end: &TaskEnd<'_>) -> Result<()> {
    refuse_bad_task(end.task)?;
    refuse_bad_reason(end.notes)?;
    refuse_bad_signals(&end.signals)
}

/// The name of a task, which has to be said.
pub fn task_name(task: Option<&str>) -> Result<String, Problem> {
    match task.map(str::trim).filter(|task| !task.is_empty()) {
        Some(task) => Ok(task.to_owned()),
        None => Err(Problem::new("task", "the name of a task", "nothing")
            .with_fix("name it, or start one with `oldhand task start <id>`")),
    }
}

pub fn refuse_bad_task(task: &str) -> Result<()> {
    let chars = task.trim().chars().count();
    if chars == 0 || chars > ID_CHARS_MAX || task.contains(['\n', '\r']) {
        let expected = "1 to 80 characters in one line";
        return Err(Problem::new("task", expected, task)
            .with_fix("name the task with `--task <id>`")
            .into());
    }
    Ok(write::refuse_secret("task", task)?)
}

pub fn refuse_bad_signals(signals: &TaskSignals) -> Result<()> {
    if let Some(found) = signals.self_check.filter(|it| !(1..=5).contains(it)) {
        let expected = "a number from 1 (unsure) to 5 (sure)";
        return Err(Problem::new("self_check", expected, &found.to_string()).into());
    }
    for word in signals.words() {
        if word.trim().is_empty() || word.chars().count() > ID_CHARS_MAX {
            let expected = "a word of 1 to 80 characters, such as `flaky-test`";
            return Err(Problem::new("signal", expected, word).into());
        }
        write::refuse_secret("signal", word)?;
    }
    Ok(())
}
