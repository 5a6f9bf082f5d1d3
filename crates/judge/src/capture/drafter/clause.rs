//! The parts of a sentence, as slices of it: why, instead of what, when, and what to do.

use std::cmp::Reverse;
use std::ops::Range;

const CLAUSE_BYTES_MIN: usize = 6;

/// A sentence whose parts are wanted, and what is known around it.
pub(super) struct Clauses<'s> {
    pub(super) text: &'s str,
    /// The neighbour that says why.
    pub(super) neighbour: Option<&'s str>,
    /// The prompt that led to it.
    pub(super) context: Option<&'s str>,
    pub(super) topic: Option<&'s str>,
    pub(super) is_by_person: bool,
    pub(super) is_explicit: bool,
}

// Tables of phrases, in the form that `phrases` reads.
const REASONS: &str = "_because_|_since_|_due to_|_so that_|_in order to_|_otherwise_|\
     _given that_|_as it_|_to avoid_|_to not_|_weil_|_damit_|_parce que_|_car_|_porque_|\
     _perché_|_omdat_|_ponieważ_|_bo_|_потому что_|_так как_|因为|由于|ため|때문";

const CONTRASTS: &str = "_instead of_|_rather than_|_over_|_as opposed to_|_in favour over_|\
     _anstatt_|_statt_|_au lieu de_|_en lugar de_|_en vez de_|_em vez de_|_invece di_|\
     _in plaats van_|_zamiast_|_вместо_";
const CONTRAST_ENDS: &str = ",|;|._|_(|_-_|_—_|:";

const CONDITIONS: &str =
    "_whenever_|_when_|_if_|_wenn_|_falls_|_quand_|_si_|_cuando_|_если_|_когда_";
const CLAUSE_ENDS: &str = ",_|:_|_—_|_-_|;_|_then_";

const SYMPTOMS: &str = "fail|error|crash|panic|hang|break|broke|exception|timeout|times out|\
     refused";

const STEPS: &str = "fixed by_|fix is to_|fix was to_|the fix is_|the fix was_|the fix:_|\
     solution is to_|solution:_|workaround is to_|workaround:_|_resolved by_|_solved by_|\
     , just_|, then_|, run_|, restart_|, so_";

const CAUSES: &str = "root cause is that_|root cause was that_|root cause:_|root cause is_|\
     root cause was_|caused by_|because of_|issue was that_|issue was_|problem was that_|\
     problem was_|bug was that_|because_|problem:_|bug:_";

const STRICT: &str = "always|never|must|ever|forbidden|prohibited|circumstances|not allowed|\
     immer|niemals|nie_|toujours|jamais|siempre|nunca|sempre|altijd|nooit|zawsze|nigdy|всегда|\
     никогда|нельзя|永远|禁止|绝|常に|必ず|絶対|항상|절대|금지";

impl<'s> Clauses<'s> {
    /// Why, as the sentence says it, or the one beside.
    pub(super) fn reason(&self) -> Option<&'s str> {
        let own = first_of(self.text, REASONS).map(|found| self.text[found.start..].trim());
        own.and_then(clause).or(self.neighbour)
    }

    pub(super) fn statement(&self) -> &'s str {
        let end = first_of(self.text, REASONS).map_or(self.text.len(), |found| found.start);
        self.text[..end].trim_end_matches([',', ' '])
    }

    /// Said outright, and it allows no exception.
    pub(super) fn is_strict(&self) -> bool {
        let lowered = self.text.to_lowercase();
        self.is_explicit && phrases(STRICT).any(|word| lowered.contains(&word))
    }

    /// `when the build hangs`, up to its comma.
    pub(super) fn condition(&self) -> Option<&'s str> {
        // With a space before it the first word is like any other.
        let lowered = format!(" {}", self.text.to_ascii_lowercase());
        let start = phrases(CONDITIONS).find_map(|word| lowered.find(&word))?;
        let condition = up_to_comma(&self.text[start..]);
        clause(condition).filter(|condition| condition.len() < self.text.len())
    }

    /// The clause that tells how it shows.
    pub(super) fn symptom(&self) -> Option<&'s str> {
        let shows = |clause: &&str| first_of(clause, SYMPTOMS).is_some();
        let first = up_to_comma(self.text);
        let first = (first.len() < self.text.len()).then_some(first);
        self.condition().filter(shows).or_else(|| first.filter(shows))
    }

    pub(super) fn cause(&self) -> Option<&'s str> {
        clause(self.text[first_of(self.text, CAUSES)?.end..].trim())
    }

    /// What fixes it, where the sentence has it apart from the rest.
    pub(super) fn step(&self) -> Option<&'s str> {
        if let Some(found) = first_of(self.text, STEPS) {
            return clause(self.text[found.start..].trim_start_matches([',', ' ']));
        }
        let rest = self.text.strip_prefix(self.condition()?)?;
        clause(rest.trim_start_matches([',', ':', ' ']))
    }

    /// What was not taken: behind `instead of`, up to where something else begins.
    pub(super) fn contrast(&self) -> Option<&'s str> {
        let rest = &self.text[first_of(self.text, CONTRASTS)?.end..];
        let ends = phrases(REASONS).chain(phrases(CONTRAST_ENDS));
        let stop = ends.filter_map(|word| rest.find(&word)).min();
        let option = rest[..stop.unwrap_or(rest.len())].trim_matches(['.', '!', ' ']);
        let is_option = option.chars().any(char::is_alphanumeric) && option.chars().count() <= 80;
        is_option.then_some(option)
    }
}

/// A shorter part is a slip of the pen, not a clause.
fn clause(text: &str) -> Option<&str> {
    (text.len() >= CLAUSE_BYTES_MIN).then_some(text)
}

fn up_to_comma(text: &str) -> &str {
    let stop = phrases(CLAUSE_ENDS).filter_map(|mark| text.find(&mark)).min();
    text[..stop.unwrap_or(text.len())].trim()
}

/// The phrases of a table, separated by `|`; `_` is a space.
fn phrases(table: &str) -> impl Iterator<Item = String> {
    table.split('|').map(|phrase| phrase.replace('_', " "))
}

/// The earliest phrase of a table, whatever its case.
fn first_of(text: &str, table: &str) -> Option<Range<usize>> {
    // Only ASCII is lowered: the offsets stay those of the text.
    let lowered = text.to_ascii_lowercase();
    phrases(table)
        .filter_map(|phrase| lowered.find(&phrase).map(|at| at..at + phrase.len()))
        .min_by_key(|found| (found.start, Reverse(found.end)))
}
