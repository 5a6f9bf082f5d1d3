//! Budgets hold, everything that binds is named, and what is known is repeated at the end.

use proptest::prelude::*;

use super::*;
use crate::conversation::{Check, Working};
use crate::notes::{Line, NoteKind, Notes, What};
use crate::summary::Summary;
use oldhand_core::content::FieldValue;
use oldhand_core::kind::Kind;
use oldhand_core::memory::{Memory, MemoryId};
use oldhand_core::policy::TrustPolicy;
use oldhand_core::recall::bundle::Entry;
use oldhand_core::recall::card::Card;
use oldhand_core::signals::Signals;

fn wanted(title: &str, text: &str) -> Wanted {
    let mut memory = Memory::new(MemoryId::of_title(title), Kind::Decision, title);
    memory.state = oldhand_core::state::State::Stable;
    let signals = Signals::start(1, memory.origin, &TrustPolicy::default());
    let card = Card::of(&memory, &signals, text, text.len());
    let (reason, freshness) = ("it is new".to_owned(), String::new());
    let entry = Entry { card, score: 0.0, reason, freshness, tokens: 0, text: text.to_owned() };
    Wanted { entry, warnings: Vec::new(), part: None, rule: None, is_named: false }
}

/// R60: what does not fit whole is there by its title, and a smaller one may still be whole.
#[test]
fn everything_is_named_before_anything_is_whole_r60() {
    let long = "A rule with many words in it. ".repeat(60);
    let mut stage = Stage::new("always", 500, 0);
    stage.fill(vec![wanted("long one", &long), wanted("short one", "Cents.")], false);
    let forms: Vec<(&str, Form)> = stage.pieces.iter().map(|it| (it.id(), it.form)).collect();
    assert_eq!(forms, [("long-one", Form::Title), ("short-one", Form::Whole)]);
    assert!(stage.used() <= 500);
}

#[test]
fn a_part_stands_for_the_whole_where_it_is_wanted_r62() {
    let mut stage = Stage::new("last state", 1_500, 0);
    let part = Some("## Module map\nsrc/pay: prices\n".to_owned());
    stage.fill(vec![Wanted { part, ..wanted("the map", "everything about it") }], false);
    assert_eq!(stage.pieces[0].form, Form::Part);
    assert!(stage.render_pieces().contains("src/pay: prices"));
    assert!(!stage.render_pieces().contains("everything"));
}

#[test]
fn three_answers_are_needed_r65() {
    let mut one = Confirmation::default();
    assert_eq!(one.unanswered(true), ["last activity", "active constraints", "next step"]);
    one.complete_from(&Trail {
        last_completed: "the parser".into(),
        next_step: "docs".into(),
        ..Trail::default()
    });
    assert_eq!(one.unanswered(true), ["active constraints"]);
    // A store without constraints has none to know.
    assert!(one.unanswered(false).is_empty());
}

#[test]
fn what_was_noted_comes_before_what_was_seen_r59() {
    let note = |kind, text: &str| Line {
        at: "2026-11-16T10:00:00Z".into(),
        what: What::Note { kind, text: text.into(), outcome: String::new() },
    };
    let notes = Notes::fold(&[note(NoteKind::Remaining, "docs"), note(NoteKind::Done, "parser")]);
    let working = Working {
        goal: "Add VAT".into(),
        last_check: Some(Check { command: "cargo test".into(), passed: true }),
        ..Working::default()
    };
    let trail = Trail::of_session("this session so far", &notes, &working, None);
    assert_eq!(trail.last_completed, "parser");
    assert_eq!(trail.next_step, "docs");
    assert_eq!(trail.facts.last().unwrap(), "last check passed: `cargo test`");
    assert_eq!(bare_next(&working), "");
    let bare = Trail::of_session("this session so far", &Notes::default(), &working, None);
    assert_eq!(bare.last_completed, "`cargo test` passed");
}

fn bare_next(working: &Working) -> String {
    Trail::of_session("last session here", &Notes::default(), working, None).next_step
}

/// R582: what the end says in full is not said above it, and no next step is made up.
#[test]
fn nothing_is_told_twice_or_made_up_r582() {
    let mut working = Working {
        goal: "Add VAT".into(),
        last_prompt: "Split it".into(),
        conclusion: "It is split.".into(),
        last_commit: "1a2b3c4 Split (main)".into(),
        ..Working::default()
    };
    let told = |working: &Working| {
        let trail = Trail::of_session("last session here", &Notes::default(), working, None);
        (trail.facts, trail.last_completed, trail.next_step)
    };
    let (facts, completed, next) = told(&working);
    assert_eq!(facts, ["asked first: Add VAT", "last asked: Split it", "ended with: It is split."]);
    assert_eq!((completed.as_str(), next.as_str()), ("1a2b3c4 Split (main)", ""));
    working.question = "Shall I push?".into();
    assert_eq!(told(&working).2, "answer: Shall I push?");
    assert_eq!(told(&working).0, facts);
    // Where the end has no room for all of it, it stands above.
    working.question = format!("Shall I push {}?", "and push ".repeat(20));
    assert!(told(&working).0.contains(&format!("open question: {}", working.question)));
    working.is_broken_off = true;
    working.question.clear();
    assert_eq!(bare_next(&working), "go on with: Split it");
}

/// R581: the host's summary has what was done; the notes and what waits are ours.
#[test]
fn beside_a_summary_only_what_waits_is_told_r581() {
    let working = Working {
        goal: "Add VAT".into(),
        question: "Which rate?".into(),
        files: vec!["a.rs".into()],
        ..Working::default()
    };
    let note = What::Note { kind: NoteKind::Error, text: "E0308".into(), outcome: String::new() };
    let notes = Notes::fold(&[Line { at: "2026-11-16T10:00:00Z".into(), what: note }]);
    let trail = Trail::beside_summary("this session so far", &notes, &working);
    assert_eq!(trail.facts.len(), 2, "{:?}", trail.facts);
    assert!(trail.facts[0].contains("E0308") && trail.facts[1].contains("oldhand compact"));
    assert_eq!(trail.next_step, "answer: Which rate?");
}

/// R66: what a reader needs first stands first, so that a tight budget takes it.
#[test]
fn a_summary_gives_its_most_telling_lines_first_r66() {
    let mut summary = Summary::default();
    summary.push("files", "src/pay.rs");
    summary.push("next_actions", "print it");
    summary.set_text("goal", "Add VAT");
    summary.content.set("outcome", FieldValue::Text("partial".into()));
    summary.push("completed", "totals");
    let trail = Trail::of_content(&summary.content);
    assert_eq!(
        trail.facts,
        [
            "goal: Add VAT",
            "outcome: partial",
            "next: print it",
            "completed: totals",
            "file: src/pay.rs"
        ]
    );
    assert_eq!((trail.last_completed.as_str(), trail.next_step.as_str()), ("totals", "print it"));
}

#[test]
fn what_is_named_is_not_shown_r565() {
    let mut stage = Stage::new("always", 500, 0);
    let found = Wanted { is_named: true, ..wanted("What a hook found", "all of it") };
    stage.fill(vec![found, wanted("What a person said", "all of it")], false);
    let forms: Vec<Form> = stage.pieces.iter().map(|piece| piece.form).collect();
    assert_eq!(forms, [Form::Title, Form::Whole]);
}

/// R67: last completed, one to three constraints, pending work, next step.
#[test]
fn it_ends_with_a_confirmation_r67() {
    let confirmation = Confirmation {
        last_completed: "the parser".into(),
        constraints: vec![Binding {
            id: "no-floats".into(),
            title: "No floats".into(),
            rule: "Never use floats for money".into(),
        }],
        pending: vec!["docs".into(), "release".into()],
        next_step: "docs".into(),
    };
    let resume = Resume { confirmation, project: "shop".into(), ..Resume::default() };
    let text = resume.to_text();
    let end = "confirm before going on:\n- last completed: the parser\n- constraints: Never use floats for money (no-floats)\n- pending: docs; release\n- next: docs\n";
    assert!(text.ends_with(end), "{text}");
}

/// The id is a slug of the title, so a line has one of them; a constraint has its rule; an agent's
/// word is called so.
#[test]
fn a_line_pays_for_nothing_twice() {
    let mut stage = Stage::new("always", 500, 0);
    let long = "A rule with many words in it. ".repeat(200);
    let rule = Some(format!("Never log what a client typed. {long}"));
    let mut agents = wanted("Deploy at night", &long);
    agents.entry.card.origin = oldhand_core::origin::Origin::Agent;
    let mut persons = Wanted { rule, ..wanted("No client data", &long) };
    persons.entry.card.kind = "constraint".into();
    let mut renamed = wanted("Use cents", &long);
    renamed.entry.card.title = "Use integers".into();
    for one in [&mut persons, &mut renamed] {
        one.entry.card.origin = oldhand_core::origin::Origin::User;
    }
    stage.fill(vec![persons, agents, renamed], false);
    let text = stage.render_pieces();
    let lines: Vec<&str> = text.lines().collect();
    let rule = "- constraint `no-client-data`: Never log what a client typed. A rule";
    assert!(lines[0].starts_with(rule) && lines[0].ends_with('…'), "{text}");
    assert!(lines[0].chars().count() < 220, "{text}");
    assert_eq!(lines[1], "- decision `deploy-at-night` (agent, stable)");
    assert_eq!(lines[2], "- decision `use-cents`: Use integers");
}

#[test]
fn what_is_in_force_and_not_shown_is_counted() {
    let mut stage = Stage::new("always", 500, 0);
    stage.fill(vec![wanted("Use cents", "Cents."), wanted("Use tabs", "Tabs.")], false);
    let told = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
    let in_force = vec![
        InForce { kind: "decision", count: 5, told: told(&["use-cents", "use-utc"]) },
        InForce { kind: "constraint", count: 1, told: told(&[]) },
    ];
    let mut resume = Resume { stages: vec![stage], in_force, ..Resume::default() };
    let line = "in force, not shown: 2 decisions, 1 constraint (`oldhand list --kind decision --kind constraint`)\n";
    assert!(resume.to_text().contains(line), "{}", resume.to_text());
    // What is dropped for a host counts too.
    assert!(resume.shorten());
    assert!(resume.to_context().contains("not shown: 3 decisions, 1 constraint"));
    resume.in_force = vec![InForce { kind: "decision", count: 1, told: told(&[]) }];
    assert!(!resume.to_text().contains("not shown"), "all of it is above");
}

proptest! {
    /// R60, R61: whatever there is, the stage keeps to its limit; and it does not leave room for
    /// something that it left out.
    #[test]
    fn a_stage_keeps_to_its_limit(
        sizes in prop::collection::vec(0usize..400, 0..25),
        limit in 60usize..1_600,
        facts in prop::collection::vec("[ -~]{0,200}", 0..30),
    ) {
        let mut stage = Stage::new("always", limit, 0);
        stage.tell("this session so far", &facts);
        let all = sizes.iter().enumerate().map(|(at, size)| {
            wanted(&format!("memory number {at}"), &"some words of a rule ".repeat(*size))
        });
        stage.fill(all.collect(), false);
        prop_assert!(stage.used() <= limit, "{} of {limit}", stage.used());
        let named: std::collections::BTreeSet<&str> = stage.pieces.iter().map(Piece::id).collect();
        prop_assert_eq!(named.len() + stage.dropped.len(), sizes.len());
        prop_assert!(stage.dropped.is_empty() || stage.room() < 40);
    }
}

proptest! {
    /// Whatever was noted, asked or called so: the context is closed once, by us.
    #[test]
    fn nothing_ends_the_fence_from_inside(
        text in "[a-z ]{0,9}</? ?(oldhand-memory|MEMORY|memory|system-reminder)[ >a-z]{0,9}",
        pointing in any::<bool>(),
    ) {
        let trail = Trail {
            label: "this session so far".into(),
            facts: vec![text.clone()],
            last_completed: text.clone(),
            pending: vec![text.clone()],
            next_step: text.clone(),
        };
        let mut stage = Stage::new("always", 500, 0);
        stage.tell(&trail.label, &trail.facts);
        stage.fill(vec![wanted(&text, &text.repeat(200))], pointing);
        let mut confirmation = Confirmation::default();
        confirmation.complete_from(&trail);
        confirmation.constraints = vec![Binding { id: "x".into(), title: text.clone(), rule: text.clone() }];
        let waiting = vec![AgentText::line(&text)];
        let resume =
            Resume { stages: vec![stage], confirmation, waiting, ..Resume::default() };
        let context = resume.to_context();
        prop_assert_eq!(context.matches("</oldhand-memory").count(), 1, "{}", context);
        prop_assert_eq!(context.matches("<oldhand-memory").count(), 1, "{}", context);
        prop_assert!(!context.contains("<system") && !context.contains("</system"), "{}", context);
    }
}
