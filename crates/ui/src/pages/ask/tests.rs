//! The page `ask`, with values that are hard to show.

use super::*;
use crate::house::Named;
use crate::house::ask::Why;
use crate::pages::checked::{HOSTILE, check, scene, text};

fn asked(words: &str) -> Asked {
    let memory = || Named { id: words.to_owned(), title: words.to_owned() };
    let weighed =
        |is_relevant| Weighed { memory: memory(), is_relevant, score: 0.5, ..Weighed::default() };
    let told = ServedAnswer {
        text: format!("<memory>\n{words}\n</memory>"),
        tokens: 120,
        budget: 800,
        served: 1,
        steps: vec![words.to_owned()],
        weighed: vec![weighed(true), weighed(false)],
        left_out: vec![(memory(), words.to_owned())],
        why: Some(Why { memory: memory(), is_served: false, why: words.to_owned(), rank: Some(3) }),
        ..ServedAnswer::default()
    };
    let kept = (2, ".oldhand/questions.jsonl".to_owned());
    Asked { told: Some(told), kept, memories: 9, meaning: Some((3, 9)) }
}

fn question(words: &str) -> Question {
    Question {
        q: words.to_owned(),
        path: words.to_owned(),
        why: words.to_owned(),
        ..Question::default()
    }
}

/// R361
#[test]
fn it_shows_the_answer_the_floor_and_what_was_left_out() {
    let page = check(&view(&asked("use cents"), &question("use cents"), &scene()));
    let text = text(&page);
    for words in [
        "3 of 9 memories were searched by meaning",
        "1 memory · 120 of 800 tokens",
        "The floor",
        "Left out · 1",
        "place 3",
        "2 questions are kept",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // Exactly what an agent reads.
    assert!(page.contains("&lt;memory&gt;\nuse cents\n&lt;/memory&gt;"), "{page}");
}

#[test]
fn it_says_what_would_be_here() {
    let none = Asked::default();
    let page = check(&view(&none, &Question::default(), &scene()));
    assert!(text(&page).contains("No memory could be served yet."), "{page}");
}

#[test]
fn text_of_others_stays_text() {
    check(&view(&asked(HOSTILE), &question(HOSTILE), &scene()));
}
