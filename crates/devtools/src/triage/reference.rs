//! The word lists that an earlier tool triaged by, for comparison: a line with a primary word
//! counts, more with a booster within four lines, and the session fires when enough of them do.
//! Its other rules are left out where they only kept its own prompts away.

use oldhand_transcripts::Turn;

/// The messages that it looked at: the last ones.
const MESSAGES_MAX: usize = 50;
const BOOSTER_LINES: usize = 4;
const BOOSTED_MAX: usize = 2;
const PRIMARY_MAX: usize = 3;

struct Category {
    name: &'static str,
    /// Separated by commas.
    primary: &'static str,
    boosters: &'static str,
    primary_weight: f64,
    boosted_weight: f64,
    denominator: f64,
    threshold: f64,
}

const CATEGORIES: &[Category] = &[
    Category {
        name: "decision",
        primary: "decided, chose, selected, went with, picked, let's go with, we should use, \
                  opting for, switching to, adopting, settled on, going with, \
                  architecture decision, design decision",
        boosters: "because, due to, reason, rationale, over, instead of, rather than",
        primary_weight: 0.30,
        boosted_weight: 0.50,
        denominator: 1.90,
        threshold: 0.40,
    },
    Category {
        name: "runbook",
        primary: "error, exception, traceback, stack trace, stacktrace, failed, failure, crash",
        boosters: "fixed by, resolved, root cause, solution, workaround, the fix",
        primary_weight: 0.20,
        boosted_weight: 0.60,
        denominator: 1.80,
        threshold: 0.50,
    },
    Category {
        name: "constraint",
        primary: "limitation, api limit, restricted, not supported, quota, rate limit, \
                  does not support, limited to, hard limit, service limit, vendor limitation",
        boosters: "discovered, found that, turns out, permanently, enduring, platform, cannot, \
                   by design, upstream, provider, not configurable, managed plan, incompatible, \
                   deprecated",
        primary_weight: 0.30,
        boosted_weight: 0.50,
        denominator: 1.90,
        threshold: 0.45,
    },
    Category {
        name: "tech_debt",
        primary: "todo, deferred, tech debt, workaround, hack, will address later, technical debt",
        boosters: "because, for now, temporary, acknowledged, deferring, cost, risk",
        primary_weight: 0.30,
        boosted_weight: 0.50,
        denominator: 1.90,
        threshold: 0.40,
    },
    Category {
        name: "preference",
        primary: "always use, prefer, convention, from now on, standard, never use, established, \
                  default to, stick with, always remember, my style, keep using, our convention, \
                  i like to",
        boosters: "agreed, going forward, consistently, rule, practice, workflow",
        primary_weight: 0.35,
        boosted_weight: 0.50,
        denominator: 2.05,
        threshold: 0.40,
    },
];

/// The categories that fire for a session.
pub(super) fn fired(turns: &[Turn]) -> Vec<&'static str> {
    let start = turns.len().saturating_sub(MESSAGES_MAX);
    let recent: Vec<String> = turns[start..].iter().flat_map(lines_of).collect();
    let fires = |category: &&Category| category.score(&recent) >= category.threshold;
    CATEGORIES.iter().filter(fires).map(|category| category.name).collect()
}

/// The categories whose words a sentence has.
pub(super) fn categories_of(sentence: &str) -> Vec<&'static str> {
    let text = plain(&without_code(sentence));
    let has = |category: &&Category| category.has_primary(&text);
    CATEGORIES.iter().filter(has).map(|category| category.name).collect()
}

impl Category {
    fn score(&self, lines: &[String]) -> f64 {
        let (mut raw, mut boosted, mut primary) = (0.0, 0, 0);
        for (at, line) in lines.iter().enumerate() {
            if !self.has_primary(line) {
                continue;
            }
            let end = lines.len().min(at + BOOSTER_LINES + 1);
            let near = &lines[at.saturating_sub(BOOSTER_LINES)..end];
            let is_boosted = near.iter().any(|line| has_any(line, self.boosters));
            if is_boosted && boosted < BOOSTED_MAX {
                raw += self.boosted_weight;
                boosted += 1;
            } else if primary < PRIMARY_MAX {
                raw += self.primary_weight;
                primary += 1;
            }
        }
        (raw / self.denominator).min(1.0)
    }

    fn has_primary(&self, line: &str) -> bool {
        self.primary.split(", ").any(|word| {
            let found = find_word(line, word);
            // Its own exception, for its first words of decisions only.
            let is_denied = |at: usize| {
                let before = &line[..at];
                ["not ", "never ", "n't "].iter().any(|no| before.ends_with(no))
            };
            found.is_some_and(|at| self.name != "decision" || !is_denied(at))
        })
    }
}

/// The lines without code. Like that tool, a pair of backticks takes all between them, over lines.
fn lines_of(turn: &Turn) -> Vec<String> {
    without_code(&turn.text).lines().map(plain).collect()
}

fn without_code(text: &str) -> String {
    let mut rest = text.to_owned();
    for mark in ["```", "`"] {
        let mut kept = String::with_capacity(rest.len());
        let mut from = rest.as_str();
        while let Some(open) = from.find(mark) {
            let inner = &from[open + mark.len()..];
            let Some(close) = inner.find(mark) else { break };
            kept.push_str(&from[..open]);
            from = &inner[close + mark.len()..];
        }
        kept.push_str(from);
        rest = kept;
    }
    rest
}

fn plain(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn has_any(line: &str, words: &str) -> bool {
    words.split(", ").any(|word| find_word(line, word).is_some())
}

/// The first place where the words stand as whole words.
fn find_word(line: &str, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .map(|(at, _)| at)
        .find(|at| !line[..*at].ends_with(is_part) && !line[at + word.len()..].starts_with(is_part))
}
