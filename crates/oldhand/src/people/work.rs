//! A piece of work: where it stopped, and what it taught.

use oldhand_app::usage::{TaskEnded, Used};
use oldhand_app::written::{Action, Learned};
use oldhand_core::event::Effect;
use oldhand_core::task::Outcome;
use oldhand_screen::{Screen, Tone};
use oldhand_sessions::completion::docs::DocToCheck;
use oldhand_sessions::resume::{Mode, Piece, Resume, Stage};
use oldhand_text::strings::{counted, typed, visible_line};

use super::Deed;
use super::recall::entry;

pub(crate) fn resume(resume: &Resume, screen: &Screen) -> String {
    let when = match resume.mode {
        Mode::Onboarding => "first time on this machine",
        Mode::Resume | Mode::MidTask => "where work stopped",
    };
    let head = screen.parts(&[screen.title(&resume.project), screen.dim(when)]);
    let mut out = format!("{head}\n");
    if !resume.overview.is_empty() {
        out.push_str(&screen.page(&resume.overview));
    }
    let said = &resume.confirmation;
    let plain = |text: &str| screen.paint(Tone::Plain, text);
    let facts = screen.facts(&[
        ("last done", plain(&said.last_completed)),
        ("next", plain(&said.next_step)),
        ("pending", plain(&said.pending.join("; "))),
    ]);
    if !facts.is_empty() {
        out.push_str(&format!("\n{facts}"));
    }
    for line in &resume.waiting {
        out.push_str(&screen.item(&screen.paint(Tone::Warn, "!"), &screen.literals(line), 0));
    }
    for trail in resume.stages.iter().map(|stage| &stage.trail).filter(|it| !it.is_empty()) {
        out.push_str(&format!("\n{}", screen.page(trail)));
    }
    let pieces: Vec<&Piece> = resume.stages.iter().flat_map(|stage| &stage.pieces).collect();
    for (at, piece) in pieces.iter().enumerate() {
        out.push_str(&entry(at, &piece.wanted.entry, screen));
    }
    for found in resume.stages.iter().map(|stage| &stage.found).filter(|it| !it.is_empty()) {
        out.push_str(&format!("\n{}", screen.body(&without_tags(found), 0)));
    }
    for warning in resume.stages.iter().flat_map(Stage::warnings) {
        out.push_str(&format!("\n{}", screen.page(&warning.line())));
    }
    let left: Vec<&str> = resume.left_out().map(|one| one.id.as_str()).collect();
    if !left.is_empty() {
        let line = format!("also there: {}", left.join(", "));
        out.push_str(&format!("\n{}", screen.wrapped(&screen.dim(&line), 0)));
    }
    format!("{out}\n{}", screen.next("oldhand recall \"…\"", "finds what a task needs"))
}

/// The tags between which agents read a memory say nothing to people.
fn without_tags(text: &str) -> String {
    let is_words = |line: &&str| !line.starts_with("<memory") && !line.starts_with("</memory");
    text.lines().filter(is_words).collect::<Vec<_>>().join("\n")
}

pub(crate) fn lessons(learned: &[Learned], screen: &Screen) -> String {
    let deed = |one: &Learned| {
        let verb = match one.action {
            Action::Created => "new candidate",
            Action::Strengthened => "strengthened",
            _ => "known already",
        };
        let memory = &one.memory;
        let lesson = memory.content.text("lesson_type").unwrap_or_default().replace('_', " ");
        let facts = vec![
            ("id", memory.id.to_string()),
            ("lesson", lesson),
            ("trust", one.signals.trust.to_string()),
            ("reviewed by", one.reviewer.to_string()),
        ];
        Deed::of(verb, memory).with_facts(facts).people(screen)
    };
    learned.iter().map(deed).collect::<Vec<_>>().join("\n")
}

/// What the memories of a task did in it, and what it taught.
pub(crate) fn ended(task: &str, outcome: Outcome, ended: &TaskEnded, screen: &Screen) -> String {
    let one = |used: &Used| {
        let (label, tone) = match used.effect {
            Effect::Positive => ("helped", Tone::Good),
            Effect::Neutral => ("no sign of use", Tone::Dim),
            Effect::Negative => ("did not help", Tone::Warn),
            Effect::Contradiction => ("was contradicted", Tone::Bad),
        };
        let trust = used.signals.trust;
        vec![
            format!("  {}", screen.paint(tone, label)),
            screen.title(&used.memory.title),
            screen.trust(trust),
            screen.dim(&used.state_line()),
        ]
    };
    let mut out = Deed::about(outcome.as_str(), visible_line(task)).people(screen);
    out.push_str(&screen.table(ended.used.iter().map(one).collect(), 1));
    let refused = ended.refused.iter().map(|(id, why)| ("not counted", format!("{id}: {why}")));
    let told = ended.told.iter().map(|id| ("counted before", id.clone()));
    let gone = ended.gone.iter().map(|id| ("not in this store", id.clone()));
    let rest: Vec<(&str, String)> = told.chain(gone).chain(refused).collect();
    out.push_str(&screen.facts(&rest));
    if !ended.learned.is_empty() {
        out.push_str(&format!("\n{}", lessons(&ended.learned, screen)));
    }
    if let Some(one) = ended.used.iter().find(|used| used.effect == Effect::Neutral) {
        let effect = if outcome == Outcome::Passed { "positive" } else { "negative" };
        let (id, task) = (&one.memory.id, typed(task));
        out.push_str(&screen.next(
            &format!("oldhand apply {id} --effect {effect} --task {task}"),
            "says that one was used",
        ));
    }
    out
}

pub(crate) fn docs(docs: &[DocToCheck], screen: &Screen) -> String {
    if docs.is_empty() {
        return String::new();
    }
    let pages = counted(docs.len(), "page mentions", "pages mention");
    let head = format!("{} {pages} what changed", screen.paint(Tone::Warn, "!"));
    let rows: Vec<(&str, String)> =
        docs.iter().map(|it| (it.path.as_str(), it.mentions.join(", "))).collect();
    format!("\n{}{}", screen.wrapped(&head, 0), screen.facts(&rows))
}
