//! R92, R93: the one format, and that it follows the work.

use super::*;
use crate::conversation::Todo;
use crate::notes::{Line, What};

fn line(what: What) -> Line {
    Line { at: "2026-11-16T10:00:00Z".into(), what }
}

#[test]
fn it_has_objective_step_completed_remaining_constraints_r92() {
    let lines = [
        line(What::Objective { text: "CSV export".into() }),
        line(What::Step { text: "writer".into() }),
        line(What::Step { text: "docs".into() }),
        line(What::Close { item: 1, outcome: String::new() }),
    ];
    let bound = vec![Binding {
        id: "no-client-data".into(),
        title: "No client data".into(),
        rule: "Never log what a client typed".into(),
    }];
    let anchor = Anchor::of(&Notes::fold(&lines), &Working::default(), bound).unwrap();
    assert_eq!(
        &*anchor.render(),
        "context anchor\nobjective: CSV export\nstep: 2 of 2\ncompleted:\n- writer\nremaining:\n- docs\nconstraints:\n- Never log what a client typed (no-client-data)\n"
    );
}

#[test]
fn a_host_s_own_list_is_the_plan_where_there_is_none_r107() {
    let todo = |text: &str, done| Todo { text: text.into(), done };
    let working = Working {
        goal: "Add VAT".into(),
        todos: vec![todo("totals", true), todo("print", false), todo("docs", false)],
        ..Working::default()
    };
    let anchor = Anchor::of(&Notes::default(), &working, Vec::new()).unwrap();
    assert_eq!((anchor.step, anchor.steps), (2, 3));
    assert_eq!(anchor.remaining, ["print", "docs"]);
}

#[test]
fn without_an_objective_there_is_none() {
    assert_eq!(Anchor::of(&Notes::default(), &Working::default(), Vec::new()), None);
}
