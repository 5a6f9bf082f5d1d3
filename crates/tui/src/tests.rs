//! Keys in, screens out: the whole inbox over plain values.

use std::collections::VecDeque;
use std::io;

use expect_test::expect_file;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::item::{Outcome, Part, Row, Sheet, Side, Verb};
use crate::model::{Decision, Mode, Model};
use crate::screen::{House, drive};

/// A house of three things, and what was asked of it.
#[derive(Default)]
struct Paper {
    asked: Vec<String>,
    stale: bool,
}

fn row(id: &str, group: &'static str, title: &str, mark: char) -> Row {
    let (id, title) = (id.to_owned(), title.to_owned());
    let (kind, role) = ("decision".to_owned(), "architect".to_owned());
    Row { id, group, mark, title, kind, age: "3d".to_owned(), role, trust: Some(0.7) }
}

fn verb(key: char, name: &'static str, would: Result<&str, &str>) -> Verb {
    let would = would.map(str::to_owned).map_err(str::to_owned);
    let question = (name == "supersede" && key == 's').then_some("which memory takes its place?");
    Verb { key, name, question, would, reasons: vec!["we saw it twice".to_owned()] }
}

fn conflict() -> Sheet {
    let piece = |text: &str, clashes| (text.to_owned(), clashes);
    let decided = Side {
        heading: "decided 2026-03-02 · use-postgresql".to_owned(),
        pieces: vec![
            piece("We use ", false),
            piece("PostgreSQL", true),
            piece(" for everything that must not be lost", false),
        ],
    };
    let proposed = Side {
        heading: "proposed by claude-code".to_owned(),
        pieces: vec![piece("Orders move to ", false), piece("MySQL", true)],
    };
    Sheet {
        id: "conflict-use-mysql".to_owned(),
        title: "\"Use MySQL\" clashes with use-postgresql".to_owned(),
        parts: vec![
            Part::Sides { decided, proposed },
            Part::Fact("why", "`MySQL` is chosen where `PostgreSQL` was chosen before".to_owned()),
            Part::Heading("Code".to_owned()),
            Part::Point("src/db/pool.rs: 4 commits since".to_owned()),
        ],
        verbs: vec![
            verb('f', "follow", Ok("what was decided holds")),
            Verb { question: None, ..verb('s', "supersede", Ok("the proposal holds")) },
            verb('b', "keep_both", Ok("both hold")),
        ],
    }
}

fn candidate(id: &str) -> Sheet {
    Sheet {
        id: id.to_owned(),
        title: "Retry uploads once".to_owned(),
        parts: vec![
            Part::Fact("state", "candidate, trust 0.40".to_owned()),
            Part::Text("Uploads are retried once, with a jitter of two seconds.".to_owned()),
        ],
        verbs: vec![
            verb('p', "promote", Ok("provisional now")),
            verb('y', "keep", Ok("candidate now")),
            verb('r', "reject", Ok("rejected now")),
            verb('s', "supersede", Ok("superseded now")),
            verb('i', "reinstate", Err("could not reinstate it: it is candidate")),
        ],
    }
}

impl House for Paper {
    fn rows(&mut self) -> Result<Vec<Row>, String> {
        self.asked.push("rows".to_owned());
        Ok(vec![
            row(
                "conflict-use-mysql",
                "Conflicts",
                "\"Use MySQL\" clashes with use-postgresql",
                '≠',
            ),
            row("retry-uploads-once", "Candidates", "Retry uploads once", '○'),
            row(
                "name-branches",
                "Candidates",
                "Name branches after the ticket that they close",
                '○',
            ),
        ])
    }

    fn sheet(&mut self, id: &str) -> Result<Option<Sheet>, String> {
        self.asked.push(format!("sheet {id}"));
        Ok(Some(if id.starts_with("conflict") { conflict() } else { candidate(id) }))
    }

    fn decide(&mut self, decision: &Decision) -> Vec<(String, Outcome)> {
        let Decision { ids, key, reason, more } = decision;
        let one = |id: &String| {
            self.asked.push(format!("{key} {id}: {reason} {}", more.as_deref().unwrap_or("-")));
            let outcome = match self.stale {
                true => Outcome::Stale("changed".to_owned()),
                false if id == "name-branches" => {
                    Outcome::Refused("needs a second name".to_owned())
                }
                false => Outcome::Done("provisional now".to_owned()),
            };
            (id.clone(), outcome)
        };
        ids.iter().map(one).collect()
    }

    fn undo(&mut self, is_preview: bool) -> Result<Vec<String>, String> {
        self.asked.push(format!("undo {is_preview}"));
        Ok(vec!["took back the last change of `retry-uploads-once`".to_owned()])
    }

    fn edit(&mut self, id: &str) -> Result<String, String> {
        self.asked.push(format!("edit {id}"));
        Ok("edited".to_owned())
    }
}

/// `<Enter>` and the like stand for keys that have no letter.
fn keys(typed: &str) -> VecDeque<KeyEvent> {
    let mut keys = VecDeque::new();
    let mut rest = typed;
    while let Some(letter) = rest.chars().next() {
        let named =
            [("<Enter>", KeyCode::Enter), ("<Esc>", KeyCode::Esc), ("<Down>", KeyCode::Down)];
        let found = named.iter().find(|(name, _)| rest.starts_with(name));
        let (length, code) = found
            .map_or((letter.len_utf8(), KeyCode::Char(letter)), |(name, code)| (name.len(), *code));
        keys.push_back(KeyEvent::from(code));
        rest = &rest[length..];
    }
    keys
}

/// The state and the screen after these keys, and what was asked meanwhile.
fn after(typed: &str, size: (u16, u16), paper: &mut Paper) -> (Model, String) {
    let mut model = Model::new("ada".to_owned(), paper.rows().unwrap(), true);
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    let mut keys = keys(typed);
    let mut next = || match keys.pop_front() {
        Some(key) => Ok(Some(key)),
        None => Err(io::ErrorKind::Interrupted.into()),
    };
    drive(&mut model, &mut terminal, &mut next, paper, None).unwrap();
    (model, terminal.backend().to_string())
}

#[test]
fn screens_at_two_sizes() {
    for (name, typed) in [
        ("conflict", ""),
        ("candidate", "j"),
        ("reason", "jp"),
        ("typed", "jpit holds"),
        ("decided", "jp1<Enter>"),
        ("marked", "jxx"),
        ("filter", "/name"),
        ("refused", "ji"),
        ("read", "<Enter>"),
        ("help", "?"),
        ("undo", "u"),
    ] {
        for size in [(80, 24), (120, 40)] {
            let (_, screen) = after(typed, size, &mut Paper::default());
            expect_file![format!("screens/{name}-{}.txt", size.0)].assert_eq(&screen);
        }
    }
}

#[test]
fn a_decision_needs_a_reason_and_goes_on_to_the_next() {
    let mut paper = Paper::default();
    let (model, _) = after("jp<Enter>", (80, 24), &mut paper);
    assert!(matches!(model.mode, Mode::Decide(_)));
    assert_eq!(model.message.as_deref(), Some("there is no decision without a reason"));
    let (model, _) = after("jpseen<Enter>", (80, 24), &mut paper);
    assert_eq!(
        paper.asked.iter().filter(|it| it.starts_with("p ")).collect::<Vec<_>>(),
        ["p retry-uploads-once: seen -"]
    );
    assert_eq!((model.at, model.waiting()), (2, 2));
}

#[test]
fn a_question_is_asked_after_the_reason() {
    let mut paper = Paper::default();
    after("jsit is older<Enter><Enter>name-branches<Enter>", (80, 24), &mut paper);
    assert!(
        paper.asked.contains(&"s retry-uploads-once: it is older name-branches".to_owned()),
        "{:?}",
        paper.asked
    );
}

#[test]
fn several_are_decided_each_by_itself_and_a_refusal_stays() {
    let mut paper = Paper::default();
    let (model, _) = after("jxxp1<Enter>", (80, 24), &mut paper);
    let asked: Vec<_> = paper.asked.iter().filter(|it| it.starts_with("p ")).collect();
    assert_eq!(
        asked,
        ["p retry-uploads-once: we saw it twice -", "p name-branches: we saw it twice -"]
    );
    assert_eq!(model.message.as_deref(), Some("needs a second name"));
    assert_eq!(model.marked.iter().collect::<Vec<_>>(), ["name-branches"]);
    assert!(model.is_done("retry-uploads-once") && !model.is_done("name-branches"));
}

#[test]
fn what_is_stale_is_read_again_and_keeps_the_typed_reason() {
    let mut paper = Paper { stale: true, ..Paper::default() };
    let (model, _) = after("jpit holds<Enter>", (80, 24), &mut paper);
    let Mode::Decide(form) = &model.mode else { panic!("{:?}", model.mode) };
    assert_eq!(form.reason, "it holds");
    assert_eq!(paper.asked.last().map(String::as_str), Some("sheet retry-uploads-once"));
}

#[test]
fn nothing_is_taken_back_unseen_and_nothing_decided_by_leaving() {
    let mut paper = Paper::default();
    after("u<Esc>", (80, 24), &mut paper);
    assert!(!paper.asked.contains(&"undo false".to_owned()));
    after("uu", (80, 24), &mut paper);
    assert!(paper.asked.contains(&"undo false".to_owned()));
    let mut paper = Paper::default();
    for typed in ["q", "<Esc>", "jpseen<Esc><Esc>", "jp<Esc>q", "/zzz<Enter>pyirsa", "ji"] {
        after(typed, (80, 24), &mut paper);
    }
    assert!(
        paper.asked.iter().all(|it| it == "rows" || it.starts_with("sheet ")),
        "{:?}",
        paper.asked
    );
}

/// Every size is drawn, and every key is harmless in every state.
#[test]
fn no_size_and_no_key_is_too_much() {
    for width in [1, 5, 20, 71, 72, 200] {
        for height in [1, 2, 3, 10, 60] {
            after("jpx<Esc>xu<Esc>?q/aé漢<Enter>", (width, height), &mut Paper::default());
        }
    }
}
