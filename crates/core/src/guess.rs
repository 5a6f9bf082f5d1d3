//! The quick way to write something down: which kind a sentence is, and what to call it. A guess
//! that says so; people refine it.

use crate::kind::Kind;
use crate::text::{normalise_line, shorten};

/// How long a title made from a text becomes.
const TITLE_CHARS: usize = 80;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    pub kind: Kind,
    /// The words that decided it; empty when nothing did.
    pub because: &'static str,
}

/// The first cue that a text has, from the most telling kind to the least.
pub fn kind(text: &str) -> Guess {
    let padded = format!(
        " {} ",
        normalise_line(text).to_lowercase().replace(['.', ',', ';', '!', ':'], " ")
    );
    let found = CUES.iter().find_map(|(kind, cues)| {
        cues.iter().find(|cue| padded.contains(&format!(" {cue} "))).map(|cue| (kind, *cue))
    });
    match found {
        Some((kind, because)) => Guess { kind: kind.clone(), because },
        None => Guess { kind: Kind::Reference, because: "" },
    }
}

/// The first sentence, without the words that only announce it.
pub fn title(text: &str) -> String {
    title_within(text, TITLE_CHARS)
}

/// The same where a longer title is wanted.
pub(crate) fn title_within(text: &str, chars_max: usize) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line = normalise_line(line.trim_start_matches(['#', '-', '*', '>', ' ']));
    let sentence = first_sentence(&line);
    let bare = without_reason(without_announcement(sentence));
    let mut characters = bare.trim_end_matches(['.', ':', ' ']).chars();
    let capitalised = match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    };
    at_word(&capitalised, chars_max)
}

/// Words that only announce what follows.
const ANNOUNCEMENTS: &[&str] = &[
    "please remember that ",
    "please remember to ",
    "please remember ",
    "remember that ",
    "remember to ",
    "remember: ",
    "remember ",
    "note that ",
    "note: ",
    "we decided to ",
    "we decided that ",
    "we have decided to ",
    "i decided to ",
    "decided to ",
    "from now on, ",
    "from now on ",
    "lesson learned: ",
    "lessons learned: ",
    "lesson: ",
    "takeaway: ",
    "next time, ",
    "next time ",
];

fn without_announcement(mut sentence: &str) -> &str {
    let announced = |sentence: &str, words: &str| {
        sentence.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words))
    };
    while let Some(words) = ANNOUNCEMENTS.iter().find(|words| announced(sentence, words)) {
        sentence = &sentence[words.len()..];
    }
    sentence
}

/// The reason is in the text; a title says what, not why.
fn without_reason(sentence: &str) -> &str {
    let cut = [", because ", " because ", ", since ", ", so that "]
        .iter()
        .filter_map(|word| sentence.find(word))
        .min()
        .filter(|at| *at >= 10);
    cut.map_or(sentence, |at| &sentence[..at])
}

fn first_sentence(line: &str) -> &str {
    let end = sentence_end(line).unwrap_or(line.len());
    line[..end].trim_end_matches(['.', '!', '?', '。', '！', '？'])
}

/// Short forms that end in a period and no sentence.
const SHORT_FORMS: &[&str] = &["e.g.", "i.e.", "etc.", "vs.", "approx.", "cf."];

/// Where the first sentence ends: behind a mark before a space, but not behind a short form.
pub(crate) fn sentence_end(line: &str) -> Option<usize> {
    line.match_indices(['.', '!', '?', '。', '！', '？']).find_map(|(at, mark)| {
        let end = at + mark.len();
        let is_end = !mark.is_ascii() || line[end..].is_empty() || line[end..].starts_with(' ');
        (is_end && !ends_in_short_form(&line[..end])).then_some(end)
    })
}

fn ends_in_short_form(text: &str) -> bool {
    let word = text.rsplit([' ', '(']).next().unwrap_or_default();
    SHORT_FORMS.iter().any(|short| word.eq_ignore_ascii_case(short))
}

/// Cuts a long title behind a word.
pub(crate) fn at_word(title: &str, chars_max: usize) -> String {
    if title.chars().count() <= chars_max {
        return title.to_owned();
    }
    let cut = shorten(title, chars_max);
    match cut.rfind(' ') {
        Some(space) if space > chars_max / 2 => format!("{}…", &cut[..space]),
        _ => cut,
    }
}

const CUES: &[(Kind, &[&str])] = &[
    (
        Kind::Decision,
        &[
            "we decided",
            "decided to",
            "decided that",
            "decision",
            "we chose",
            "chose",
            "we choose",
            "we will use",
            "we use",
            "we are going with",
            "going with",
            "went with",
            "settled on",
            "instead of",
            "rather than",
            // R99: architecture, a new technology, a schema or contract that changes, a tradeoff.
            "the architecture is",
            "architectural",
            "we adopt",
            "we adopted",
            "adopting",
            "we introduce",
            "we introduced",
            "introducing",
            "we switch to",
            "we switched to",
            "switching to",
            "new dependency",
            "new technology",
            "schema change",
            "contract change",
            "breaking change",
            "tradeoff",
            "trade-off",
            "in exchange for",
            "at the cost of",
            "wir haben entschieden",
            "entschieden",
            "nous avons décidé",
            "hemos decidido",
        ],
    ),
    (
        Kind::TechDebt,
        &[
            "todo",
            "tech debt",
            "technical debt",
            "workaround for now",
            "for now",
            "hack",
            "clean up later",
            "fix later",
            "deferred",
            "temporary",
        ],
    ),
    (
        Kind::Runbook,
        &[
            "if it fails",
            "when it fails",
            "fails with",
            "fix it by",
            "to fix",
            "fixed by",
            "the fix is",
            "steps",
            "how to",
            "restart",
            "to deploy",
            "to release",
            "run the following",
        ],
    ),
    (
        Kind::Preference,
        &[
            "i prefer",
            "we prefer",
            "prefer",
            "i like",
            "always use",
            "from now on",
            "convention",
            "style",
            "ich bevorzuge",
            "je préfère",
            "prefiero",
        ],
    ),
    (
        Kind::Constraint,
        &[
            "must",
            "must not",
            "never",
            "do not",
            "don't",
            "cannot",
            "can't",
            "not allowed",
            "forbidden",
            "limit",
            "limited to",
            "at most",
            "at least",
            "required",
            "only",
            "rate limit",
            "quota",
            "niemals",
            "darf nicht",
            "jamais",
            "nunca",
        ],
    ),
    (
        Kind::Lesson,
        &["learned", "lesson", "turns out", "turned out", "it turned out", "next time", "mistake"],
    ),
];
