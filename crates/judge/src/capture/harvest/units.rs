//! The paragraphs and list items of a text, and what makes one of them worth keeping: it names
//! something of the code, gives a reason, and can be understood alone.

use oldhand_text::sentence;
use oldhand_text::table;

use super::super::drafter::plain;
use super::outline::{Bullet, Outline};

#[derive(Debug, PartialEq)]
pub(super) struct Unit {
    pub heading: String,
    /// What stands in bold at its beginning, of a list item also what stands before a colon.
    pub name: Option<String>,
    /// With its name.
    pub text: String,
}

const WORDS_MIN: usize = 14;
const WORDS_MAX: usize = 110;
/// An opening of so few words ("Done.", "All tests pass.") says nothing.
const OPENING_WORDS_MAX: usize = 6;
/// What people say before the point; the rest stands without it.
const LEADS: &str = "so the |so a |also, |in short: |in short, |to summarize: |to summarize the decision: |\
     in summary: |in summary, |the key insight: |key insight: |notable: |note that ";

/// A reason, or a limit that the code does not tell.
const REASONS: &str = "because|root cause|caused by|due to| since |otherwise|so that|, so |\
     which means|intentionally|deliberately|by design|relies on|rely on|the issue was|\
     the problem was|the bug was|silently|doesn't|does not|didn't|won't|can't|cannot| must |never |\
     determined by|backward compat|backwards compat|even if|even though|unlike|prevents|\
     preventing|falls back|still protecting|not worth|no longer";
/// Of what was changed only a reason is worth a word, not that it was changed.
const CHANGES: &str = "add|updat|chang|remov|renam|replac|mov|fix|creat|extract|refactor|simplif|\
     now |rewr|delet|rework|convert|switch|introduc|implement|clean";
pub(super) const WHYS: &str = "because|root cause|caused by|due to|so that|otherwise| since |even if|even though|\
     intentionally|deliberately|by design|unlike|the issue was|the problem was|the bug was|which means|\
     silently| must |never |cannot|can't|to prevent|to avoid|prevents|not worth";
/// Beside a name these are enough.
const CONTRASTS: &str = "instead of|rather than|to prevent|to avoid|avoiding|only ";
/// What is still to be done, or only proposed.
const INTENTS: &str = "let me|i'll|i will |i need to|i should|let's|now i |would you|want me to|\
     should i|shall i|do you want|we need|you'd|i'd |you could|we could|could be|consider |\
     suggest|alternatively|recommend|might |maybe|probably|looking at|to verify|if you ";
/// It points at something that stands elsewhere.
const POINTING: &str = "this |these |that |those |it |it's |they |both |note:|note |before|after |\
     after:|result|bottom line|here|the comment|the staged|the test |the tests |the original |the fix |\
     the fix:|fix:|tests |the two |also |then |so |the conflict|the branch |the field |now |line |verdict|\
     you |yes";
const POINTING_WITHIN: &str = "this test|these test|these changes|this change|this caller|\
     this method|my test|this fix|the staged|this pr|the pr |on line |everything is|the code now|\
     as you |the field name|works correctly";
/// A list of what was done, ticked off.
const TICKS: &[char] = &['✅', '❌', '✓', '✔', '✗', '✘', '☑', '🎉'];
/// An agent tells what it did, not what holds.
const OWN: &str = " i | i'm | i've | my ";

pub(super) fn units(text: &str) -> Vec<Unit> {
    let outline = Outline::of(text);
    let all = outline.paragraphs().into_iter();
    all.map(|(heading, text, is_item)| {
        let bullet = Bullet::of(&text);
        let is_bold = text.starts_with("**");
        let name = bullet.name.filter(|_| is_item || is_bold);
        let text = match &name {
            Some(name) => format!("{name}: {}", bullet.text),
            None => plain(&text),
        };
        Unit { heading: heading.to_lowercase(), name, text: without_opening(&text).to_owned() }
    })
    .collect()
}

impl Unit {
    /// It says what holds and why, in words that stand alone.
    pub(super) fn explains(&self) -> bool {
        let lower = self.text.to_lowercase();
        let has_reason =
            table::holds(REASONS, &lower) || self.name.is_some() && table::holds(CONTRASTS, &lower);
        has_reason
            && says_why(&lower)
            && !lower.contains('?')
            && !lower.ends_with(':')
            && stands_alone(&self.text)
            && !table::holds(INTENTS, &lower)
            && !self.text.contains(TICKS)
            && !table::begins("i |i've |i'm |my ", &lower)
            && !table::holds(OWN, &lower)
            && (WORDS_MIN..=WORDS_MAX).contains(&self.text.split_whitespace().count())
    }
}

/// A change with its reason, or no change at all.
pub(super) fn says_why(lower: &str) -> bool {
    let lower = lower.trim_start_matches(|it: char| it.is_ascii_digit() || it == '.' || it == ' ');
    let body = lower.split_once(": ").map_or(lower, |(_, body)| body);
    // "`f` now uses …": what it did before is over.
    let is_news = lower.contains(" now ");
    let is_change = is_news || table::begins(CHANGES, lower) || table::begins(CHANGES, body);
    !is_change || table::holds(WHYS, lower) || is_news && lower.contains(", so ")
}

/// It names something of the code, and begins with nothing that was said before.
pub(super) fn stands_alone(text: &str) -> bool {
    let lower = text.to_lowercase();
    names_code(text) && !table::begins(POINTING, &lower) && !table::holds(POINTING_WITHIN, &lower)
}

/// `code` in backticks, `camelCase`, `snake_case`, or a flag.
pub(in crate::capture) fn names_code(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let bare = word.trim_matches(|it: char| !it.is_alphanumeric() && it != '-' && it != '`');
        let is_camel = || {
            bare.as_bytes()
                .windows(2)
                .any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
        };
        // A quoted message is no name.
        let is_code =
            bare.contains('`') && !word.contains("`\"") && bare.contains(char::is_alphabetic);
        is_code || bare.starts_with("--") && bare.len() > 3 || bare.contains('_') || is_camel()
    })
}

/// A name of this code, and not of the language or the system alone: `runEntireCmd`, `src/pay.rs`,
/// `max_tries`, a command with its words.
pub(super) fn names_own_code(text: &str) -> bool {
    let is_command = |span: &str| span.split_whitespace().count() > 1 && !span.contains(['=', '"']);
    let spans = || text.split('`').skip(1).step_by(2);
    spans().any(is_command) || text.split_whitespace().any(is_own_name)
}

const OWN_NAME_LETTERS: usize = 8;

fn is_own_name(word: &str) -> bool {
    let bare = word.trim_matches(|it: char| !it.is_alphanumeric());
    let letters = bare.chars().filter(|it| it.is_alphabetic()).count();
    let is_camel = || {
        let bytes = bare.as_bytes();
        bytes.windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
    };
    let is_flag = word.trim_start_matches(['`', '(']).starts_with("--");
    letters >= OWN_NAME_LETTERS && (bare.contains(['_', '/', '.']) || is_flag || is_camel())
}

/// Without "Done.", "Fixed.", "Yes —" and the like.
fn without_opening(text: &str) -> &str {
    let lead = table::phrases(LEADS)
        .find(|lead| text.get(..lead.len()).is_some_and(|start| start.eq_ignore_ascii_case(lead)));
    // The article stays.
    let text = lead.map_or(text, |lead| match lead {
        "so the " | "so a " => &text[3..],
        lead => &text[lead.len()..],
    });
    let first = sentence::first(text);
    let is_short =
        |part: &str| part.split_whitespace().count() <= OPENING_WORDS_MAX && !names_code(part);
    let rest = text[first.len()..].trim_start_matches(['.', '!', ' ']);
    if !rest.is_empty() && is_short(first) {
        return rest;
    }
    match text.split_once(" — ") {
        Some((opening, rest)) if opening.split_whitespace().count() <= 2 && is_short(opening) => {
            rest
        }
        _ => text,
    }
}
