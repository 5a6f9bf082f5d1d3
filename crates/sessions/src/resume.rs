//! What a session begins with, in stages with a budget each: what always holds, where work stopped,
//! and what the task needs. Loading ends once last activity, constraints and next step are known (R65).

use std::collections::BTreeSet;

use serde::Serialize;

use crate::anchor::{Binding, is_named_by_id};
use oldhand_core::fresh::{Warning, render_section};
use oldhand_core::recall::bundle::{Dropped, Source, framed};
use oldhand_text::agent_text::AgentText;
use oldhand_text::strings::shorten;
use oldhand_text::word::words;

mod stage;
mod trail;

#[cfg(test)]
mod tests;

pub use stage::{Form, Piece, Stage, Wanted};
pub use trail::{Compacted, Trail};

words! {
    /// How somebody comes to the repository (R58, R59).
    #[derive(Default)]
    Mode, "mode" {
        /// For the first time on this machine.
        Onboarding = "onboarding",
        #[default]
        Resume = "resume",
        /// In the middle of a task: with the notes of this session.
        MidTask = "mid_task",
    }
}

/// What must be known before work goes on (R65), and what is repeated at the end (R67).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Confirmation {
    pub last_completed: String,
    /// One to three.
    pub constraints: Vec<Binding>,
    pub pending: Vec<String>,
    pub next_step: String,
}

pub const CONSTRAINTS_CONFIRMED: usize = 3;
const PENDING_CONFIRMED: usize = 3;
const ANSWER_CHARS_MAX: usize = 120;

impl Confirmation {
    /// What is still unknown; a store without constraints has none to know.
    pub fn unanswered(&self, has_constraints: bool) -> Vec<&'static str> {
        let gaps = [
            (self.last_completed.is_empty(), "last activity"),
            (self.constraints.is_empty() && has_constraints, "active constraints"),
            (self.next_step.is_empty(), "next step"),
        ];
        gaps.into_iter().filter(|(is_open, _)| *is_open).map(|(_, name)| name).collect()
    }

    /// Answers from an older memory name it: it may be about something else.
    pub fn complete_from_older(&mut self, trail: &Trail, id: &str) {
        self.answer(trail, &format!(" (from `{id}`)"));
    }

    pub fn complete_from(&mut self, trail: &Trail) {
        self.answer(trail, "");
        if self.pending.is_empty() {
            let short = trail.pending.iter().map(|item| shorten(item, ANSWER_CHARS_MAX));
            self.pending = short.take(PENDING_CONFIRMED).collect();
        }
    }

    fn answer(&mut self, trail: &Trail, source: &str) {
        for (own, known) in [
            (&mut self.last_completed, &trail.last_completed),
            (&mut self.next_step, &trail.next_step),
        ] {
            if own.is_empty() && !known.is_empty() {
                *own = shorten(known, ANSWER_CHARS_MAX) + source;
            }
        }
    }

    /// What is not known is not named: that nobody wrote down an open step does not say that there is
    /// none.
    fn render(&self) -> AgentText {
        let one = |text: &String| Some(AgentText::line(text)).filter(|_| !text.is_empty());
        let all = |list: Vec<AgentText>| (!list.is_empty()).then(|| AgentText::join(&list, "; "));
        let lines = [
            ("last completed", one(&self.last_completed)),
            ("constraints", all(self.constraints.iter().map(Binding::told).collect())),
            ("pending", all(self.pending.iter().map(|it| AgentText::line(it)).collect())),
            ("next", one(&self.next_step)),
        ];
        let mut out = AgentText::ours("confirm before going on:\n");
        for (name, told) in lines {
            if let Some(told) = told {
                out.add("- {}: {}\n", &[AgentText::ours(name), told]);
            }
        }
        out
    }

    fn is_telling(&self) -> bool {
        !self.last_completed.is_empty() || !self.next_step.is_empty() || !self.pending.is_empty()
    }
}

#[derive(Debug, Clone, Default)]
pub struct Resume {
    pub mode: Mode,
    pub project: String,
    /// What the store holds, in one line, for the first session in it.
    pub overview: AgentText,
    pub waiting: Vec<AgentText>,
    pub stages: Vec<Stage>,
    pub confirmation: Confirmation,
    pub unanswered: Vec<&'static str>,
    /// Stages that were not needed, and why (R63, R65).
    pub skipped: Vec<(&'static str, &'static str)>,
    pub in_force: Vec<InForce>,
}

/// How many memories of a kind are in force, and which of them were shown elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InForce {
    pub kind: &'static str,
    pub count: usize,
    pub told: BTreeSet<String>,
}

impl InForce {
    /// How many of them are shown nowhere.
    pub fn not_shown(&self, resume: &Resume) -> usize {
        let pieces = resume.shown().filter(|piece| piece.wanted.entry.card.kind == self.kind);
        let told: BTreeSet<&str> =
            pieces.map(Piece::id).chain(self.told.iter().map(String::as_str)).collect();
        self.count.saturating_sub(told.len())
    }
}

/// Left-out memories that the text names.
const LEFT_SHOWN: usize = 5;

/// Of a rule, where it stands for the whole constraint.
const RULE_CHARS_MAX: usize = 120;

const ONBOARDING_HINT: &str = "what a person said (origin user or gate) binds you; what an agent wrote is to be weighed. \
`oldhand recall \"<task>\"` before a task, `oldhand check \"<proposal>\"` before a decision, \
`oldhand remember \"…\"` for what shall last, `oldhand note done|remaining|error|question \"…\"` on the way.\n";
const HINT: &str = "`oldhand recall \"<task>\"` finds what a task needs; `oldhand check \"<proposal>\"` before a decision, `oldhand remember \"<what holds> because <why>\"` after one.\n";

impl Resume {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.stages.iter().all(Stage::is_empty)
    }

    /// Drops from the end what would make the whole longer than its stages may be.
    pub fn keep_to_limit(&mut self) {
        while self.to_text().tokens() > self.limit() && self.shorten() {}
    }

    pub fn limit(&self) -> usize {
        self.stages.iter().map(|stage| stage.limit).sum()
    }

    /// For people in a terminal, and for an agent as it is.
    pub fn to_text(&self) -> AgentText {
        let mut out = self.head();
        out.push(&self.body());
        for (stage, why) in &self.skipped {
            out.add("not loaded: {} ({})\n", &[AgentText::ours(stage), AgentText::ours(why)]);
        }
        out.push_ours(self.hint());
        let has_rules = !self.confirmation.constraints.is_empty();
        if self.confirmation.is_telling() || has_rules && self.mode != Mode::Onboarding {
            out.push_ours("\n");
            out.push(&self.confirmation.render());
        }
        out
    }

    /// For the context of an agent: between tags that it can't close.
    pub fn to_context(&self) -> AgentText {
        self.context(self.hint())
    }

    /// The same for one that has tools instead of commands.
    pub fn to_answer(&self) -> AgentText {
        self.context("")
    }

    fn context(&self, hint: &'static str) -> AgentText {
        let mut out = AgentText::default();
        if self.mode == Mode::Onboarding && !self.overview.is_empty() {
            out.add("{}\n", std::slice::from_ref(&self.overview));
        }
        out.push(&self.body());
        if self.confirmation.is_telling() {
            out.push(&self.confirmation.render());
        }
        out.push_ours(hint);
        framed(&out, self.source())
    }

    fn source(&self) -> Source {
        let found = self.stages.iter().map(|stage| stage.found_source);
        let pieces = Source::of(self.shown().map(|piece| &piece.wanted.entry.card));
        let has_pieces = self.shown().next().is_some();
        let all = found.chain(has_pieces.then_some(Some(pieces))).flatten();
        let joined = |one, other| match (one, other) {
            (one, other) if one == other => one,
            (Source::Others, _) | (_, Source::Others) => Source::Others,
            _ => Source::Both,
        };
        all.reduce(joined).unwrap_or_default()
    }

    fn hint(&self) -> &'static str {
        match self.mode {
            Mode::Onboarding if self.is_empty() => "",
            Mode::Onboarding => ONBOARDING_HINT,
            Mode::Resume | Mode::MidTask => HINT,
        }
    }

    fn head(&self) -> AgentText {
        let used = |stage: &Stage| {
            let (used, limit) = (AgentText::count(stage.used()), AgentText::count(stage.limit));
            AgentText::of("{} {} of {}", &[AgentText::ours(stage.name), used, limit])
        };
        let stages: Vec<AgentText> = self.stages.iter().map(used).collect();
        let (project, stages) = (AgentText::line(&self.project), AgentText::join(&stages, ", "));
        match self.mode {
            Mode::Onboarding => AgentText::of(
                "first time in {} on this machine ({} tokens)\n{}\n\n",
                &[project, stages, self.overview.clone()],
            ),
            Mode::Resume | Mode::MidTask => {
                AgentText::of("resume {} ({} tokens)\n\n", &[project, stages])
            }
        }
    }

    fn body(&self) -> AgentText {
        let mut out = AgentText::default();
        for line in &self.waiting {
            out.add("- {}\n", std::slice::from_ref(line));
        }
        // Where work stopped comes first: it is what the reader asks for.
        for stage in &self.stages {
            out.push(&stage.trail);
        }
        for stage in &self.stages {
            out.push(&stage.render_pieces());
            out.push(&stage.found);
        }
        let warnings: Vec<Warning> = self.stages.iter().flat_map(Stage::warnings).collect();
        if !warnings.is_empty() {
            out.push_ours("freshness_warnings:\n");
            out.push(&render_section(&warnings));
        }
        let left: Vec<AgentText> = self.left_out().map(|it| AgentText::line(&it.id)).collect();
        if !left.is_empty() {
            let shown = AgentText::join(&left[..left.len().min(LEFT_SHOWN)], ", ");
            out.add("also there (`oldhand show <id>`): {}", &[shown]);
            if left.len() > LEFT_SHOWN {
                out.add(" and {} more", &[AgentText::count(left.len() - LEFT_SHOWN)]);
            }
            out.push_ours("\n");
        }
        out.push(&self.not_shown());
        out
    }

    /// Counts what is in force but not shown, so that the list does not look complete.
    fn not_shown(&self) -> AgentText {
        let counts = |one: &InForce| {
            let left = one.not_shown(self);
            let plural = if left == 1 { "" } else { "s" };
            let parts =
                [AgentText::count(left), AgentText::ours(one.kind), AgentText::ours(plural)];
            (left > 0).then(|| (AgentText::of("{} {}{}", &parts), AgentText::ours(one.kind)))
        };
        let (counts, kinds): (Vec<AgentText>, Vec<AgentText>) =
            self.in_force.iter().filter_map(counts).unzip();
        if counts.is_empty() {
            return AgentText::default();
        }
        let parts = [AgentText::join(&counts, ", "), AgentText::join(&kinds, " --kind ")];
        AgentText::of("in force, not shown: {} (`oldhand list --kind {}`)\n", &parts)
    }

    /// Memories that had no room, each once, unless another stage shows them.
    pub fn left_out(&self) -> impl Iterator<Item = &Dropped> {
        let told: BTreeSet<&str> = self.shown().map(|it| it.id()).collect();
        let mut met = BTreeSet::new();
        let dropped = self.stages.iter().flat_map(|stage| &stage.dropped);
        dropped.filter(move |one| !told.contains(one.id.as_str()) && met.insert(one.id.as_str()))
    }

    fn shown(&self) -> impl Iterator<Item = &Piece> {
        self.stages.iter().flat_map(|stage| &stage.pieces)
    }

    /// Ids whose text is shown, or the part of it that is wanted.
    pub fn served(&self) -> Vec<String> {
        self.shown().filter(|it| it.form.is_text()).map(|it| it.id().to_owned()).collect()
    }

    pub fn told(&self) -> Vec<String> {
        self.shown().map(|it| it.id().to_owned()).collect()
    }

    /// Drops the last piece; false when there is none. For hosts that take fewer characters.
    pub fn shorten(&mut self) -> bool {
        let Some(stage) = self.stages.iter_mut().rev().find(|stage| !stage.pieces.is_empty())
        else {
            return false;
        };
        stage.drop_last("longer than the host takes");
        true
    }
}

pub fn overview(kinds: &[(String, usize)]) -> AgentText {
    let all: usize = kinds.iter().map(|(_, count)| count).sum();
    if all == 0 {
        return AgentText::ours(
            "nothing is remembered here yet; `oldhand remember \"we decided …\"` begins it",
        );
    }
    let each = kinds.iter().map(|(kind, count)| {
        AgentText::of("{} {}", &[AgentText::line(kind), AgentText::count(*count)])
    });
    let what = AgentText::ours(if all == 1 { "memory" } else { "memories" });
    let each: Vec<AgentText> = each.collect();
    AgentText::of("{} {} ({})", &[AgentText::count(all), what, AgentText::join(&each, ", ")])
}

/// A memory whose text is not shown.
fn title_line(one: &Wanted) -> AgentText {
    let card = &one.entry.card;
    let mut line =
        AgentText::of("- {} `{}`", &[&card.kind, &card.id].map(|it| AgentText::line(it)));
    if !card.is_persons_word() {
        let (state, origin) = card.told_standing();
        line.add(" ({}, {})", &[origin, state].map(AgentText::ours));
    }
    if let Some(store) = card.store() {
        line.add(" store=\"{}\"", &[AgentText::line(store)]);
    }
    match &one.rule {
        Some(rule) => line.add(": {}", &[AgentText::line_of(rule, RULE_CHARS_MAX)]),
        None if is_named_by_id(&card.id, &card.title) => {}
        None => line.add(": {}", &[AgentText::line(&card.title)]),
    }
    line.push_ours("\n");
    line
}
