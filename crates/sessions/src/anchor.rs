//! The context anchor: what the work is for, where it is, what is done, what remains, what binds
//! it. One format, written here alone (R92).

use serde_json::{Map, Value, json};

use crate::notes::Notes;
use crate::working::Working;
use oldhand_text::agent_text::AgentText;
use oldhand_text::strings::{slug, visible_line};

#[cfg(test)]
mod tests;

/// A memory that binds the work.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Binding {
    pub id: String,
    pub title: String,
    /// What it says; empty where it says no more than its title.
    pub rule: String,
}

/// Of a rule that is repeated: most are above it, or a command away.
const RULE_CHARS_MAX: usize = 100;

impl Binding {
    /// The rule and where it is from. An id is a slug of the title: both would be said twice.
    pub fn told(&self) -> AgentText {
        let name = AgentText::line(&self.id);
        let said = match self.rule.as_str() {
            "" if is_named_by_id(&self.id, &self.title) => return name,
            "" => AgentText::line(&self.title),
            rule => AgentText::line_of(rule, RULE_CHARS_MAX),
        };
        AgentText::of("{} ({})", &[said, name])
    }

    pub fn to_json(&self) -> Value {
        json!({"id": self.id, "title": self.title, "rule": self.rule})
    }
}

/// Whether the id tells all that the title does.
pub fn is_named_by_id(id: &str, title: &str) -> bool {
    title.is_ascii() && slug(title) == id
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Anchor {
    pub objective: String,
    pub step: usize,
    pub steps: usize,
    /// The newest last.
    pub completed: Vec<String>,
    /// In order.
    pub remaining: Vec<String>,
    pub constraints: Vec<Binding>,
}

/// Items of a list that the anchor shows; it is read before every step.
const SHOWN_MAX: usize = 8;
/// A note with what came of it.
const ITEM_CHARS_MAX: usize = 600;

impl Anchor {
    /// What was noted first; where nothing was, what the session's own list of tasks says.
    /// `None` when nobody has said what the work is for.
    pub fn of(notes: &Notes, working: &Working, constraints: Vec<Binding>) -> Option<Self> {
        let objective =
            if notes.objective.is_empty() { &working.goal } else { &notes.objective }.clone();
        if objective.is_empty() {
            return None;
        }
        let planned = notes.items.iter().filter(|item| item.is_step).count();
        let mut completed: Vec<String> =
            notes.completed_for_objective().iter().map(|item| item.line()).collect();
        let mut remaining: Vec<String> = notes.remaining().map(|item| item.line()).collect();
        let mut steps =
            (planned, notes.items.iter().filter(|it| it.is_step && !it.is_open()).count());
        // The host's own list is the plan of a session that keeps none here.
        if planned == 0 {
            let done = working.todos.iter().filter(|todo| todo.done);
            completed.extend(done.map(|todo| visible_line(&todo.text)));
            let open = working.todos.iter().filter(|todo| !todo.done);
            remaining.extend(open.map(|todo| visible_line(&todo.text)));
            steps = (working.todos.len(), working.todos.iter().filter(|todo| todo.done).count());
        }
        let (step, steps) = match notes.step {
            Some(said) => said,
            // Nobody has written down any steps.
            None if steps.0 == 0 => (1, 1),
            None => ((steps.1 + 1).min(steps.0), steps.0),
        };
        Some(Self {
            objective: visible_line(&objective),
            step,
            steps,
            completed,
            remaining,
            constraints,
        })
    }

    /// Where the work is, in a few words.
    pub fn where_it_is(&self) -> String {
        format!("step: {} of {}", self.step, self.steps)
    }

    /// R92: the canonical format.
    pub fn render(&self) -> AgentText {
        let item = |text: &String| AgentText::line_of(text, ITEM_CHARS_MAX);
        let mut out = AgentText::of(
            "context anchor\nobjective: {}\n{}\n",
            &[item(&self.objective), item(&self.where_it_is())],
        );
        list(&mut out, "completed", self.completed.iter().rev().map(item).collect());
        list(&mut out, "remaining", self.remaining.iter().map(item).collect());
        list(&mut out, "constraints", self.constraints.iter().map(Binding::told).collect());
        out
    }

    pub fn to_json(&self) -> Map<String, Value> {
        let constraints: Vec<Value> = self.constraints.iter().map(Binding::to_json).collect();
        let mut object = Map::new();
        object.insert("objective".into(), json!(self.objective));
        object.insert("step".into(), json!(self.step));
        object.insert("steps".into(), json!(self.steps));
        object.insert("completed".into(), json!(self.completed));
        object.insert("remaining".into(), json!(self.remaining));
        object.insert("constraints".into(), Value::Array(constraints));
        object
    }
}

fn list(out: &mut AgentText, name: &'static str, items: Vec<AgentText>) {
    if items.is_empty() {
        out.add("{}: none\n", &[AgentText::ours(name)]);
        return;
    }
    out.add("{}:\n", &[AgentText::ours(name)]);
    for item in items.iter().take(SHOWN_MAX) {
        out.add("- {}\n", std::slice::from_ref(item));
    }
    if let Some(more) = items.len().checked_sub(SHOWN_MAX).filter(|more| *more > 0) {
        out.add("- and {} more (`oldhand notes`)\n", &[AgentText::count(more)]);
    }
}
