//! A piece of work: where it stopped, and what it taught.

use oldhand_app::written::{Action, Learned};
use oldhand_screen::{Screen, Tone};
use oldhand_sessions::resume::{Mode, Piece, Resume, Stage};

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
