//! The page `learning`, with values that are hard to show.

use oldhand_charts::funnel::Stage;

use super::*;
use crate::house::Named;
use crate::house::learning::LessonGroup;
use crate::house::learning::Trigger;
use crate::pages::checked::{HOSTILE, check, text};
use oldhand_charts::funnel::Funnel;

fn learning(words: &str) -> Learning {
    let step =
        Stage { name: words.to_owned(), href: "/memories".to_owned(), counts: vec![Some(4)] };
    let memory = Named { id: words.to_owned(), title: words.to_owned() };
    Learning {
        funnel: Funnel { weeks: vec![words.to_owned()], steps: vec![step] },
        hosts: vec![words.to_owned()],
        rejected: vec![(words.to_owned(), vec![memory; 7])],
        triggers: vec![Trigger {
            what: words.to_owned(),
            word: words.to_owned(),
            tasks: vec![words.to_owned(), words.to_owned()],
        }],
        lessons: vec![LessonGroup { state: "stable".to_owned(), count: 3, trust: 0.61 }],
        unused: ("watch".to_owned(), words.to_owned()),
        ..Learning::default()
    }
}

#[test]
fn it_shows_the_funnel_and_what_came_back() {
    let page = check(&view(&learning("too vague"), &LearningAsk::default()));
    let text = text(&page);
    for words in ["Rejected candidates · 7", "2 more", "0.61", "all hosts"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn it_says_what_would_be_here() {
    let page = check(&view(&Learning::default(), &LearningAsk::default()));
    assert!(text(&page).contains("Nothing has been captured yet."), "{page}");
}

#[test]
fn text_of_others_stays_text() {
    check(&view(&learning(HOSTILE), &LearningAsk { host: Some(HOSTILE.to_owned()) }));
}
