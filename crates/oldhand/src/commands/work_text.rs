//! How the end of a piece of work looks in a terminal: what its memories did, what it teaches, and
//! which documents may need a look.

use oldhand_app::usage::TaskEnded;
use oldhand_app::written::{Action, Learned};
use oldhand_core::event::Effect;
use oldhand_core::task::Outcome as TaskOutcome;
use oldhand_sessions::completion::docs::DocToCheck;
use oldhand_text::strings::typed;

use super::prelude::*;

pub(super) fn ended(task: &str, outcome: TaskOutcome, ended: &TaskEnded) -> String {
    let served = ended.used.len();
    let count = ended.used.iter().filter(|used| used.effect != Effect::Neutral).count();
    let used = match served + ended.told.len() + ended.gone.len() + ended.refused.len() {
        0 => String::new(),
        _ if count == served => format!(", {count} used"),
        _ => format!(", {count} of {served} used"),
    };
    let mut out = format!("{outcome}: {task}{used}\n");
    let rows = ended.used.iter().map(|used| {
        let (effect, trust) =
            (format!("  {}", used.effect), format!("trust {}", used.signals.trust));
        [effect, used.memory.id.to_string(), trust, used.state_line()]
    });
    out.push_str(&table(rows));
    out.extend(ended.told.iter().map(|id| format!("  told before  {id}\n")));
    out.extend(ended.gone.iter().map(|id| format!("  not in this store  {id}\n")));
    let refused = ended.refused.iter();
    out.extend(refused.map(|(id, why)| format!("  not counted  {id}: {}\n", visible_line(why))));
    out.push_str(&lessons(&ended.learned));
    if let Some(one) = ended.used.iter().find(|used| used.effect == Effect::Neutral) {
        let is_passed = outcome == TaskOutcome::Passed;
        let effect = if is_passed { Effect::Positive } else { Effect::Negative };
        out.push_str(&format!(
            "hint: nothing shows that the neutral ones were used; `oldhand apply {} --effect {effect} \
             --task {}` says so\n",
            one.memory.id,
            typed(task)
        ));
    }
    out
}

pub(super) fn lessons(learned: &[Learned]) -> String {
    let row = |one: &Learned| {
        let word = match one.action {
            Action::Created => "candidate",
            Action::Strengthened => "strengthened",
            _ => "known",
        };
        let memory = &one.memory;
        [
            word.to_owned(),
            memory.id.to_string(),
            memory.content.text("lesson_type").unwrap_or_default().to_owned(),
            format!("{}, trust {}, reviewed by {}", memory.state, one.signals.trust, one.reviewer),
            visible_line(&memory.title),
        ]
    };
    table(learned.iter().map(row))
}

pub(super) fn docs(docs: &[DocToCheck]) -> String {
    if docs.is_empty() {
        return String::new();
    }
    let row = |doc: &DocToCheck| {
        [format!("  {}", visible_line(&doc.path)), visible_line(&doc.mentions.join(", "))]
    };
    let rows = table(docs.iter().map(row));
    format!("docs that mention what changed and were not touched:\n{rows}")
}
