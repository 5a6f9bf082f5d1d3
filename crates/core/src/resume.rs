//! What a session begins with, in stages with a budget each: what always holds, where work stopped,
//! and what the task at hand needs. Loading ends as soon as last activity, constraints and next step
//! are known (R65). Pure: what there is to load comes in, what is told goes out.

use serde_json::{Map, Value, json};

use crate::anchor::Binding;
use crate::fresh::Warning;
use crate::recall::bundle::{Dropped, Entry, framed, unclosable};
use crate::text::{counted, shorten, visible_line};
use crate::tokens;

mod stage;
mod trail;

#[cfg(test)]
mod tests;

pub use stage::{Form, Piece, Stage, Wanted};
pub use trail::{Compacted, Trail};

/// How somebody comes to the repository (R58, R59).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// For the first time on this machine.
    Onboarding,
    #[default]
    Resume,
    /// In the middle of a task: with the notes of this session.
    MidTask,
}

impl Mode {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Onboarding => "onboarding",
            Self::Resume => "resume",
            Self::MidTask => "mid_task",
        }
    }
}

/// What must be known before work goes on (R65), and what is repeated at the end (R67).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
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
    /// What is still not known; a store without constraints has none to know.
    pub fn unanswered(&self, has_constraints: bool) -> Vec<&'static str> {
        let mut gaps = Vec::new();
        if self.last_completed.is_empty() {
            gaps.push("last activity");
        }
        if self.constraints.is_empty() && has_constraints {
            gaps.push("active constraints");
        }
        if self.next_step.is_empty() {
            gaps.push("next step");
        }
        gaps
    }

    /// The same from an older memory, which is named: it may be about something else.
    pub fn complete_from_older(&mut self, trail: &Trail, id: &str) {
        let named = |text: &str| match text {
            "" => String::new(),
            text => format!("{} (from `{id}`)", shorten(text, ANSWER_CHARS_MAX)),
        };
        if self.last_completed.is_empty() {
            self.last_completed = named(&trail.last_completed);
        }
        if self.next_step.is_empty() {
            self.next_step = named(&trail.next_step);
        }
    }

    /// What another source knows and this one does not.
    pub fn complete_from(&mut self, trail: &Trail) {
        if self.last_completed.is_empty() {
            self.last_completed = shorten(&trail.last_completed, ANSWER_CHARS_MAX);
        }
        if self.next_step.is_empty() {
            self.next_step = shorten(&trail.next_step, ANSWER_CHARS_MAX);
        }
        if self.pending.is_empty() {
            let short = trail.pending.iter().map(|item| shorten(item, ANSWER_CHARS_MAX));
            self.pending = short.take(PENDING_CONFIRMED).collect();
        }
    }

    fn render(&self) -> String {
        let or_none =
            |text: &str| if text.is_empty() { "not known".to_owned() } else { data_line(text) };
        let bound: Vec<String> = self
            .constraints
            .iter()
            .map(|one| format!("{} ({})", data_line(&one.title), one.id))
            .collect();
        let pending: Vec<String> = self.pending.iter().map(|it| data_line(it)).collect();
        let none = |list: Vec<String>| {
            if list.is_empty() { "none".to_owned() } else { list.join("; ") }
        };
        format!(
            "confirm before going on:\n- last completed: {}\n- constraints: {}\n- pending: {}\n- next: {}\n",
            or_none(&self.last_completed),
            none(bound),
            none(pending),
            or_none(&self.next_step),
        )
    }

    fn is_telling(&self) -> bool {
        !self.last_completed.is_empty() || !self.next_step.is_empty() || !self.pending.is_empty()
    }
}

/// All of it.
#[derive(Debug, Clone, Default)]
pub struct Resume {
    pub mode: Mode,
    /// The name of the repository's folder.
    pub project: String,
    /// What the store holds, in a line; told at the first entry.
    pub overview: String,
    /// What waits for a person, or should be known first.
    pub waiting: Vec<String>,
    pub stages: Vec<Stage>,
    pub confirmation: Confirmation,
    pub unanswered: Vec<&'static str>,
    /// Stages that were not needed, and why (R63, R65).
    pub skipped: Vec<(&'static str, String)>,
}

/// Left-out memories that the text names.
const LEFT_SHOWN: usize = 5;

const ONBOARDING_HINT: &str = "what binds you is above: going on means keeping to it. \
`oldhand recall \"<task>\"` before a task, `oldhand check \"<proposal>\"` before a decision, \
`oldhand remember \"…\"` for what shall last, `oldhand note done|remaining|error|question \"…\"` on the way.\n";
const HINT: &str = "`oldhand recall \"<task>\"` finds what a task needs; `oldhand check \"<proposal>\"` before a decision.\n";

impl Resume {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.stages.iter().all(Stage::is_empty)
    }

    /// Drops from the end what would make the whole longer than its stages may be.
    pub fn keep_to_limit(&mut self) {
        while tokens::count(&self.to_text()) > self.limit() && self.shorten() {}
    }

    pub fn limit(&self) -> usize {
        self.stages.iter().map(|stage| stage.limit).sum()
    }

    /// For people in a terminal, and for an agent as it is.
    pub fn to_text(&self) -> String {
        let mut out = self.head();
        out.push_str(&self.body());
        if let Some(lines) = self.skipped_lines() {
            out.push_str(&lines);
        }
        out.push_str(self.hint());
        if self.mode != Mode::Onboarding || self.confirmation.is_telling() {
            out.push('\n');
            out.push_str(&self.confirmation.render());
        }
        out
    }

    /// For the context of an agent: between tags that it can't close.
    pub fn to_context(&self) -> String {
        self.context(self.hint())
    }

    /// The same for one that has tools instead of commands.
    pub fn to_answer(&self) -> String {
        self.context("")
    }

    fn context(&self, hint: &str) -> String {
        let mut out = String::new();
        if self.mode == Mode::Onboarding && !self.overview.is_empty() {
            out.push_str(&format!("{}\n", self.overview));
        }
        out.push_str(&self.body());
        if self.confirmation.is_telling() {
            out.push_str(&self.confirmation.render());
        }
        out.push_str(hint);
        framed(&out)
    }

    fn hint(&self) -> &'static str {
        match self.mode {
            Mode::Onboarding if self.is_empty() => "",
            Mode::Onboarding => ONBOARDING_HINT,
            Mode::Resume | Mode::MidTask => HINT,
        }
    }

    fn head(&self) -> String {
        let stages: Vec<String> = self
            .stages
            .iter()
            .map(|stage| format!("{} {} of {}", stage.name, stage.used(), stage.limit))
            .collect();
        match self.mode {
            Mode::Onboarding => format!(
                "first time in {} on this machine ({} tokens)\n{}\n\n",
                visible_line(&self.project),
                stages.join(", "),
                self.overview
            ),
            Mode::Resume | Mode::MidTask => {
                format!("resume {} ({} tokens)\n\n", visible_line(&self.project), stages.join(", "))
            }
        }
    }

    fn body(&self) -> String {
        let mut out = String::new();
        for line in &self.waiting {
            out.push_str(&format!("- {}\n", unclosable(line)));
        }
        // Where work stopped comes first: it is what the reader asks for.
        for stage in &self.stages {
            out.push_str(&stage.trail);
        }
        for stage in &self.stages {
            out.push_str(&stage.render_pieces());
            out.push_str(&stage.found);
        }
        let warnings: Vec<Warning> =
            self.stages.iter().flat_map(|stage| stage.warnings.iter().cloned()).collect();
        if !warnings.is_empty() {
            out.push_str("freshness_warnings:\n");
            out.push_str(&crate::fresh::render_section(&warnings));
        }
        let left: Vec<&str> = self.left_out().map(|it| it.id.as_str()).collect();
        if !left.is_empty() {
            let shown = left[..left.len().min(LEFT_SHOWN)].join(", ");
            let more = left.len().saturating_sub(LEFT_SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            out.push_str(&format!("also there (`oldhand show <id>`): {shown}{more}\n"));
        }
        out
    }

    fn skipped_lines(&self) -> Option<String> {
        let lines: Vec<String> = self
            .skipped
            .iter()
            .map(|(stage, why)| format!("not loaded: {stage} ({why})\n"))
            .collect();
        (!lines.is_empty()).then(|| lines.concat())
    }

    /// Left out for want of room, each once, unless another stage tells it.
    pub fn left_out(&self) -> impl Iterator<Item = &Dropped> {
        let told: std::collections::BTreeSet<&str> = self.shown().map(|it| it.id()).collect();
        let mut met = std::collections::BTreeSet::new();
        let dropped = self.stages.iter().flat_map(|stage| &stage.dropped);
        dropped.filter(move |one| !told.contains(one.id.as_str()) && met.insert(one.id.as_str()))
    }

    fn shown(&self) -> impl Iterator<Item = &Piece> {
        self.stages.iter().flat_map(|stage| &stage.pieces)
    }

    /// Ids whose text is told, or the part of it that is wanted.
    pub fn served(&self) -> Vec<String> {
        let is_told = |piece: &&Piece| matches!(piece.form, Form::Whole | Form::Part);
        self.shown().filter(is_told).map(|it| it.id().to_owned()).collect()
    }

    /// Ids of which anything is told.
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

    pub fn to_json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("mode".into(), json!(self.mode.as_str()));
        object.insert("project".into(), json!(self.project));
        object.insert("overview".into(), json!(self.overview));
        object.insert("waiting".into(), json!(self.waiting));
        object.insert("stages".into(), self.stages.iter().map(Stage::to_json).collect());
        let skipped: Vec<Value> = self
            .skipped
            .iter()
            .map(|(stage, why)| json!({"stage": stage, "reason": why}))
            .collect();
        object.insert("not_loaded".into(), Value::Array(skipped));
        let left: Vec<Value> = self
            .left_out()
            .map(|it| json!({"id": it.id, "title": it.title, "reason": it.reason}))
            .collect();
        object.insert("left_out".into(), Value::Array(left));
        object.insert("unanswered".into(), json!(self.unanswered));
        let one = &self.confirmation;
        let bound: Vec<Value> =
            one.constraints.iter().map(|it| json!({"id": it.id, "title": it.title})).collect();
        object.insert(
            "confirmation".into(),
            json!({
                "last_completed": one.last_completed,
                "constraints": bound,
                "pending": one.pending,
                "next_step": one.next_step,
            }),
        );
        let used = tokens::count(&self.to_text());
        object.insert("budget".into(), json!({"limit": self.limit(), "used": used}));
        object
    }
}

/// How many there are of each kind, in a line.
pub fn overview(kinds: &[(String, usize)]) -> String {
    let all: usize = kinds.iter().map(|(_, count)| count).sum();
    if all == 0 {
        return "nothing is remembered here yet; `oldhand remember \"we decided …\"` begins it"
            .to_owned();
    }
    let each: Vec<String> =
        kinds.iter().map(|(kind, count)| format!("{} {count}", visible_line(kind))).collect();
    format!("{} ({})", counted(all, "memory", "memories"), each.join(", "))
}

/// What a memory is called where its text is not told.
fn title_line(entry: &Entry) -> String {
    let card = &entry.card;
    format!("- {} `{}`: {}\n", data_line(&card.kind), card.id, data_line(&card.title))
}

/// On one line, and unable to end the fence that it may stand in.
fn data_line(text: &str) -> String {
    unclosable(&visible_line(text))
}
