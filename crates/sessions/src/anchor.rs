//! The context anchor, in its one format (R92): objective, step, what is done, what remains, what binds.

use serde::Serialize;

use crate::conversation::Working;
use crate::notes::{Item, Notes};
use oldhand_text::agent_text::AgentText;
use oldhand_text::strings::{slug, visible_line};

#[cfg(test)]
mod tests;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
}

/// Whether the id says all that the title does.
pub fn is_named_by_id(id: &str, title: &str) -> bool {
    title.is_ascii() && slug(title) == id
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Anchor {
    pub objective: String,
    pub step: usize,
    pub steps: usize,
    /// The newest last.
    pub completed: Vec<String>,
    pub remaining: Vec<String>,
    pub constraints: Vec<Binding>,
}

/// Items of a list that the anchor shows; it is read before every step.
const SHOWN_MAX: usize = 8;
const ITEM_CHARS_MAX: usize = 600;

impl Anchor {
    /// What was noted first; where nothing was, what the session's own list of tasks says.
    /// `None` when the work has no objective yet.
    pub fn of(notes: &Notes, working: &Working, constraints: Vec<Binding>) -> Option<Self> {
        let objective =
            if notes.objective.is_empty() { &working.goal } else { &notes.objective }.clone();
        if objective.is_empty() {
            return None;
        }
        let completed = notes.completed().into_iter().filter(|it| it.number > notes.items_before);
        let mut completed: Vec<String> = completed.map(Item::line).collect();
        let mut remaining: Vec<String> = notes.remaining().map(Item::line).collect();
        let planned = || notes.items.iter().filter(|item| item.is_step);
        let mut steps = (planned().count(), planned().filter(|item| !item.is_open()).count());
        // The host's own list is the plan of a session that keeps none here.
        if steps.0 == 0 && working.is_list_current() {
            let (done, open) = (working.todo_texts(true), working.todo_texts(false));
            steps = (working.todos.len(), done.len());
            completed.extend(done.iter().map(|todo| visible_line(todo)));
            remaining.extend(open.iter().map(|todo| visible_line(todo)));
        }
        let (step, steps) = match notes.step {
            Some(said) => said,
            // Nobody has written down any steps.
            None if steps.0 == 0 => (1, 1),
            None => ((steps.1 + 1).min(steps.0), steps.0),
        };
        let objective = visible_line(&objective);
        Some(Self { objective, step, steps, completed, remaining, constraints })
    }

    pub fn where_it_is(&self) -> String {
        format!("step: {} of {}", self.step, self.steps)
    }

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
