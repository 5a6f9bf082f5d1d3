//! Hints in the words of the command line, and of another surface.

use super::{Hint, NextStep};

#[track_caller]
fn check(hint: &Hint, command_line: &str, other: &str) {
    let word = |step: &NextStep| match step {
        NextStep::List => "the list".to_owned(),
        step => step.command(),
    };
    assert_eq!((hint.to_string(), hint.worded(word)), (command_line.into(), other.into()));
}

#[test]
fn each_surface_words_the_steps_itself() {
    check(&Hint::default(), "", "");
    check(&"say it again".into(), "say it again", "say it again");
    // Braces are only places for steps as long as there are steps.
    check(&"did you mean `{}`?".into(), "did you mean `{}`?", "did you mean `{}`?");
    let steps = [NextStep::List, NextStep::Restore("use-cents".to_owned())];
    check(
        &Hint::with_steps("{} shows all, {} brings it back", steps),
        "`oldhand list` shows all, `oldhand restore use-cents` brings it back",
        "the list shows all, `oldhand restore use-cents` brings it back",
    );
}
