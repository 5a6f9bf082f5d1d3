//! A proposal beside what was decided.

use oldhand_app::gate::{CheckVerdict, Judged, Proposal, said};
use oldhand_core::memory::Memory;
use oldhand_screen::{Screen, Tone};

use super::since;

pub(crate) fn check(judged: &Judged, proposal: &Proposal, screen: &Screen) -> String {
    let (mark, tone) = match judged.verdict() {
        CheckVerdict::Clear => ("✓", Tone::Good),
        CheckVerdict::Conflict => ("✗", Tone::Bad),
        CheckVerdict::Judge | CheckVerdict::Unknown => ("?", Tone::Warn),
    };
    let head = judged.head(proposal);
    let (verdict, about) = head.trim_end().split_once(": ").unwrap_or((head.trim_end(), ""));
    let verdict = if verdict == "judge" { "needs your judgement" } else { verdict };
    let verdict = screen.paint(tone, &format!("{mark} {verdict}"));
    let mut out = screen.wrapped(&format!("{verdict}  {}", screen.title(about)), 0);
    for conflict in &judged.conflicts {
        let clash = &conflict.clash;
        let said = [&clash.theirs, &clash.ours, &conflict.why()];
        out.push_str(&side_by_side(&conflict.memory, said, screen));
    }
    for question in judged.questions.iter().filter(|_| judged.conflicts.is_empty()) {
        let said = [&said(&question.memory), &proposal.text, &question.why()];
        out.push_str(&side_by_side(&question.memory, said, screen));
    }
    if let Some(first) = judged.conflicts.first() {
        let command =
            format!("oldhand supersede {} --title \"…\" --because \"…\"", first.memory.id);
        out.push_str(&format!("\n{}", screen.next(&command, "reverses it, with a reason")));
        let wait =
            "a write that clashes waits in `pending/`, where a person may also let both hold";
        out.push_str(&screen.wrapped(&screen.dim(wait), 2));
    } else if judged.verdict() == CheckVerdict::Judge {
        let say = "a write says how it stands to each: `--beside <id>`, `--refines <id>`, or \
                   `oldhand supersede <id>` where it takes its place";
        out.push_str(&format!("\n{}", screen.hint(say)));
    }
    out + &beside(judged, screen)
}

fn side_by_side(memory: &Memory, said: [&String; 3], screen: &Screen) -> String {
    let [decided, proposed, why] = said.map(|text| screen.paint(Tone::Plain, text));
    let at = since(memory.updated_at.or(memory.created_at), screen);
    let facts = screen.facts(&[
        ("id", screen.dim(memory.id.as_str())),
        ("decided", decided),
        ("proposed", proposed),
        ("why", why),
    ]);
    format!("\n{}\n{facts}", screen.parts(&[screen.title(&memory.title), at]))
}

/// What is worth reading before deciding.
fn beside(judged: &Judged, screen: &Screen) -> String {
    let is_asked = |memory: &&Memory| judged.questions.iter().all(|it| it.memory.id != memory.id);
    let related: Vec<&Memory> = judged.related.iter().filter(is_asked).collect();
    let mut out = String::new();
    if !related.is_empty() || !judged.earlier.is_empty() {
        out.push_str(&format!("\n{}\n", screen.dim("worth reading")));
    }
    for memory in related {
        let line = [screen.paint(Tone::Plain, &memory.title), screen.dim(memory.id.as_str())];
        out.push_str(&screen.item("•", &screen.parts(&line), 2));
    }
    for memory in &judged.earlier {
        let why = memory.state_reason.as_deref().unwrap_or("no reason was given");
        let line = [
            screen.paint(Tone::Plain, &memory.title),
            super::state(memory.state, screen),
            since(memory.archived_at.or(memory.updated_at), screen),
            screen.dim(why),
        ];
        out.push_str(&screen.item("•", &screen.parts(&line), 2));
    }
    out
}
