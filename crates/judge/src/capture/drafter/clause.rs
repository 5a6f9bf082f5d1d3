//! The parts of a sentence: why, instead of what, when, and what to do. All of them are slices of
//! what was said.

/// A part this short is a slip of the pen, not a clause.
const CLAUSE_BYTES_MIN: usize = 6;

pub(super) struct Clauses<'s> {
    pub(super) text: &'s str,
    /// The neighbour that says why.
    neighbour: Option<&'s str>,
}

const REASONS: &[&str] = &[
    " because ",
    " since ",
    " due to ",
    " so that ",
    " in order to ",
    " otherwise ",
    " given that ",
    " as it ",
    " to avoid ",
    " to not ",
    " weil ",
    " damit ",
    " parce que ",
    " car ",
    " porque ",
    " perché ",
    " omdat ",
    " ponieważ ",
    " bo ",
    " потому что ",
    " так как ",
    "因为",
    "由于",
    "ため",
    "때문",
];

const CONTRASTS: &[&str] = &[
    " instead of ",
    " rather than ",
    " over ",
    " as opposed to ",
    " in favour over ",
    " anstatt ",
    " statt ",
    " au lieu de ",
    " en lugar de ",
    " en vez de ",
    " em vez de ",
    " invece di ",
    " in plaats van ",
    " zamiast ",
    " вместо ",
];

const CONDITIONS: &[&str] = &[
    "whenever ",
    "when ",
    "if ",
    "wenn ",
    "falls ",
    "quand ",
    "si ",
    "cuando ",
    "если ",
    "когда ",
];

const SYMPTOMS: &[&str] = &[
    "fail",
    "error",
    "crash",
    "panic",
    "hang",
    "break",
    "broke",
    "exception",
    "timeout",
    "times out",
    "refused",
];

const STEPS: &[&str] = &[
    " fixed by ",
    "fixed by ",
    "fix is to ",
    "fix was to ",
    "the fix is ",
    "the fix was ",
    "the fix: ",
    "solution is to ",
    "solution: ",
    "workaround is to ",
    "workaround: ",
    " resolved by ",
    " solved by ",
    ", just ",
    ", then ",
    ", run ",
    ", restart ",
    ", so ",
];

const CAUSES: &[&str] = &[
    "root cause is that ",
    "root cause was that ",
    "root cause: ",
    "root cause is ",
    "root cause was ",
    "caused by ",
    "because of ",
    "issue was that ",
    "issue was ",
    "problem was that ",
    "problem was ",
    "bug was that ",
    "because ",
    "problem: ",
    "bug: ",
];

const STRICT: &[&str] = &[
    "always",
    "never",
    "must",
    "ever",
    "forbidden",
    "prohibited",
    "circumstances",
    "not allowed",
    "immer",
    "niemals",
    "nie ",
    "toujours",
    "jamais",
    "siempre",
    "nunca",
    "sempre",
    "altijd",
    "nooit",
    "zawsze",
    "nigdy",
    "всегда",
    "никогда",
    "нельзя",
    "永远",
    "禁止",
    "绝",
    "常に",
    "必ず",
    "絶対",
    "항상",
    "절대",
    "금지",
];

impl<'s> Clauses<'s> {
    pub(super) fn of(text: &'s str, neighbour: Option<&'s str>) -> Self {
        Self { text, neighbour }
    }

    /// Why, as the sentence says it, or the one beside.
    pub(super) fn reason(&self) -> Option<&'s str> {
        let own = first_of(self.text, REASONS).map(|found| self.text[found.start..].trim());
        own.filter(|clause| clause.len() >= CLAUSE_BYTES_MIN).or(self.neighbour)
    }

    /// The sentence before its reason.
    pub(super) fn statement(&self) -> &'s str {
        let end = first_of(self.text, REASONS).map_or(self.text.len(), |found| found.start);
        self.text[..end].trim_end_matches([',', ' '])
    }

    /// It allows no exception.
    pub(super) fn is_strict(&self) -> bool {
        let lowered = self.text.to_lowercase();
        STRICT.iter().any(|word| lowered.contains(word))
    }

    /// `when the build hangs`, up to its comma.
    pub(super) fn condition(&self) -> Option<&'s str> {
        let lowered = self.text.to_ascii_lowercase();
        let opens =
            |word: &&&str| lowered.starts_with(**word) || lowered.contains(&format!(" {word}"));
        let word = CONDITIONS.iter().find(opens)?;
        let start =
            if lowered.starts_with(word) { 0 } else { lowered.find(&format!(" {word}"))? + 1 };
        let clause = up_to_comma(&self.text[start..]);
        (clause.len() < self.text.len() && clause.len() >= CLAUSE_BYTES_MIN).then_some(clause)
    }

    /// The clause that tells how it shows.
    pub(super) fn symptom(&self) -> Option<&'s str> {
        let shows = |clause: &str| {
            let lowered = clause.to_ascii_lowercase();
            SYMPTOMS.iter().any(|word| lowered.contains(word))
        };
        self.condition().filter(|clause| shows(clause)).or_else(|| {
            let clause = up_to_comma(self.text);
            (clause.len() < self.text.len() && shows(clause)).then_some(clause)
        })
    }

    pub(super) fn cause(&self) -> Option<&'s str> {
        let found = first_of(self.text, CAUSES)?;
        let clause = self.text[found.end..].trim();
        (clause.len() >= CLAUSE_BYTES_MIN).then_some(clause)
    }

    /// What mends it, where the sentence has it apart from the rest.
    pub(super) fn step(&self) -> Option<&'s str> {
        if let Some(found) = first_of(self.text, STEPS) {
            let clause = self.text[found.start..].trim_start_matches([',', ' ']);
            return (clause.len() >= CLAUSE_BYTES_MIN).then_some(clause);
        }
        let condition = self.condition()?;
        let rest = self.text.get(condition.len()..)?.trim_start_matches([',', ':', ' ']);
        (self.text.starts_with(condition) && rest.len() >= CLAUSE_BYTES_MIN).then_some(rest)
    }
}

/// What was not taken: behind `instead of`, up to where something else begins.
pub(super) fn after_contrast(text: &str) -> Option<&str> {
    let found = first_of(text, CONTRASTS)?;
    let rest = &text[found.end..];
    let ends = [",", ";", ". ", " (", " - ", " — ", ":"];
    let stop = REASONS.iter().chain(&ends).filter_map(|word| rest.find(word)).min();
    let option = rest[..stop.unwrap_or(rest.len())].trim_matches(['.', '!', ' ']);
    (option.chars().any(char::is_alphanumeric) && option.chars().count() <= 80).then_some(option)
}

fn up_to_comma(text: &str) -> &str {
    let stop =
        [", ", ": ", " — ", " - ", "; ", " then "].iter().filter_map(|mark| text.find(mark)).min();
    text[..stop.unwrap_or(text.len())].trim()
}

/// The earliest of the words, whatever their case.
fn first_of(text: &str, words: &[&str]) -> Option<std::ops::Range<usize>> {
    // Only ASCII is lowered: the offsets stay those of the text.
    let lowered = text.to_ascii_lowercase();
    words
        .iter()
        .filter_map(|word| lowered.find(word).map(|at| at..at + word.len()))
        .min_by_key(|found| (found.start, std::cmp::Reverse(found.end)))
}
