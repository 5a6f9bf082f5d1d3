//! Answers as people read them: values of `app` in, the text of a terminal out. What agents read is
//! worded beside each command.

mod care;
mod checks;
mod deed;
mod judge;
mod lists;
mod memory;
mod recall;
mod seldom;
mod status;
mod traces;
mod work;

pub(crate) use care::{health, stats};
pub(crate) use checks::{doctor, fresh};
pub(crate) use deed::Deed;
pub(crate) use judge::check;
pub(crate) use lists::{hosts, list, pending, review, search, settings};
pub(crate) use memory::{Answered, history, life, rank, show};
pub(crate) use recall::recall;
pub(crate) use seldom::{collected, evaluation, map, notes, standing};
pub(crate) use status::{beginning, cause_words, status};
pub(crate) use traces::{log, receipts};
pub(crate) use work::{docs, ended, lessons, resume};

use jiff::Timestamp;
use oldhand_core::state::State;
use oldhand_screen::{Screen, Tone};

/// A state in the colour of what it allows.
fn state(state: State, screen: &Screen) -> String {
    let tone = match state {
        State::Stable => Tone::Good,
        it if it.is_served() => Tone::Plain,
        State::Candidate | State::UnderReview => Tone::Warn,
        _ => Tone::Dim,
    };
    screen.paint(tone, &state.as_str().replace('_', " "))
}

fn kind(kind: &str, screen: &Screen) -> String {
    screen.paint(Tone::Plain, &kind.replace('_', " "))
}

/// How long ago, if that is known.
fn since(at: Option<Timestamp>, screen: &Screen) -> String {
    at.map(|at| screen.dim(&screen.ago(at))).unwrap_or_default()
}

/// The number by which `@1` means this line.
fn place(at: usize, screen: &Screen) -> String {
    screen.paint(Tone::Command, &format!("@{}", at + 1))
}

/// What a list leaves out.
fn shown(shown: usize, total: usize, screen: &Screen) -> String {
    let all = oldhand_text::strings::counted(total, "memory", "memories");
    screen.dim(&match shown < total {
        true => format!("{shown} of {all}, `--limit 0` shows all"),
        false => all,
    })
}

/// Why something was served, or was not: what agents read in a few words, as a person says it.
fn reason(told: &str) -> String {
    let said = |part: &str| match part.split_once(' ') {
        Some(("meaning", how)) => format!("close in meaning ({how})"),
        Some(("words", which)) => format!("has the words {which}"),
        _ => part.to_owned(),
    };
    // `level 3 (full read): 1 of 2 fit`
    let level = told.strip_prefix("level ").and_then(|it| it.split_once(" (")?.1.split_once("): "));
    if let Some((method, rest)) = level {
        return format!("{method}: {rest}");
    }
    match told.split_once(": ") {
        Some(("below the floor", how)) => format!("too far from the question ({how})"),
        Some(("weak beside the best", how)) => format!("much weaker than the best ({how})"),
        _ => told.split("; ").map(said).collect::<Vec<_>>().join("; "),
    }
}

fn none(screen: &Screen) -> String {
    format!("{}\n", screen.dim("no memories match"))
}
