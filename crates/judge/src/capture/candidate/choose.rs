//! Which memory a draft is about. The draft's words are compared with titles and tags: whole
//! texts are compared where twins are looked for.

use std::collections::BTreeSet;

use oldhand_core::kind::Kind;
use oldhand_core::memory::Memory;
use oldhand_text::strings::normalise_tag;
use oldhand_text::terms::{self, Form};

/// Somebody chose a tag to find the memory by: one is enough.
const TAG: f64 = 3.0;
/// Two words of a title are as good as a tag.
const TITLE_WORD: f64 = 2.0;
/// A word that all work is full of says little: `test`, `build`, `fix`.
const EVERYDAY_WORD: f64 = 0.75;
/// An identifier, path or version that both have as it was written.
const WHOLE: f64 = 2.5;
/// From here on a memory is the candidate.
const FLOOR: f64 = 3.0;

/// Words of the filler list that are subjects in technical talk.
const SHORT_SUBJECTS: &[&str] = &["go", "c", "r"];

/// The memory of the same kind that the text is about. Ties go to the lower id.
pub fn choose<'a>(new_info: &str, kind: &Kind, known: &'a [Memory]) -> Option<&'a str> {
    let said = Words::of(new_info);
    let memories = known.iter().filter(|it| it.kind == *kind && it.is_active());
    let scored = memories.map(|memory| (score(&said, memory), memory.id.as_str()));
    let near = scored.filter(|(score, _)| *score >= FLOOR);
    near.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(one.1))).map(|it| it.1)
}

#[derive(Default)]
struct Words {
    stems: BTreeSet<String>,
    wholes: BTreeSet<String>,
    /// The words one after the other, for tags of several.
    line: String,
}

impl Words {
    fn of(text: &str) -> Self {
        let mut words = Self { line: String::from(" "), ..Self::default() };
        terms::each_term(text, &mut |term, form, _| match form {
            Form::Whole => {
                words.wholes.insert(term.to_owned());
            }
            Form::Stem => {
                words.line.push_str(term);
                words.line.push(' ');
                if SHORT_SUBJECTS.contains(&term) || !terms::is_common(term) {
                    words.stems.insert(term.to_owned());
                }
            }
            Form::Exact => {}
        });
        words
    }
}

fn score(said: &Words, memory: &Memory) -> f64 {
    let mut of_tags: BTreeSet<String> = BTreeSet::new();
    let mut score = 0.0;
    for tag in &memory.tags {
        let tag = Words::of(&normalise_tag(tag));
        // All words of the tag, in its order: the tag `rate limit` is not met by any limit.
        if !tag.stems.is_empty() && said.line.contains(&tag.line) && !tag.stems.is_subset(&of_tags)
        {
            score += TAG;
            of_tags.extend(tag.stems);
        }
    }
    let title = Words::of(&memory.title);
    for word in title.stems.intersection(&said.stems) {
        score += if terms::is_everyday(word) { EVERYDAY_WORD } else { TITLE_WORD };
    }
    score + WHOLE * title.wholes.intersection(&said.wholes).count() as f64
}
