//! What a person asked for in so many words, with a reason or for good. One way instead of the other is
//! in the code once it is done.

use oldhand_core::kind::Kind;
use oldhand_text::sentence;
use oldhand_text::table;
use oldhand_transcripts::{Turn, Voice};

use super::super::drafter::{self, plain};
use super::Harvested;

const WORDS: std::ops::RangeInclusive<usize> = 10..=60;
const LINES_MAX: usize = 5;
const WISHES: &str = "i'd like|i would like|i want|we want|let's|should|do not|don't|can we use|\
     please use|it's fine|i prefer|we explicitly|we decided";
/// Why, or that it holds for more than this change.
const LASTING: &str = "because|since |so that|otherwise|explicitly|source of truth|every |always|never|\
     from now on|convention";
/// An order with a rule in it needs no reason.
const RULES: &str = "do not |don't |never |always ";
/// Somebody wants to know something.
/// An order for this moment.
const TASKS: &str = "let's check|let's look|let's see|let's try|let's run|let's start|let's commit|\
     let's push|let's pop|let's review|let's do the|let's go back|let's continue|i hope ";
const ASKING: &str = "why |what |how |does |do we|is |are |did |where |which |can you|could you|if we|\
     when |who |was |were ";

pub(super) fn wished(turn: &Turn) -> Option<Harvested> {
    let said = turn.text.trim();
    let lower = said.to_lowercase();
    let is_one = turn.voice == Voice::Person
        && turn.prose.is_none()
        && WORDS.contains(&said.split_whitespace().count())
        && said.lines().count() <= LINES_MAX
        && !said.contains('?')
        && !said.contains("```");
    let is_wish = table::holds(WISHES, &lower) && table::holds(LASTING, &lower)
        || table::begins(RULES, &lower);
    if !is_one || !is_wish || table::begins(ASKING, &lower) || table::holds(TASKS, &lower) {
        return None;
    }
    let text = plain(said);
    // People begin with something else.
    let says = |words: &'static str| {
        sentence::sentences(&text).find(|it| table::holds(words, &it.to_lowercase()))
    };
    let told = says(WISHES).or_else(|| says(RULES)).unwrap_or(&text);
    let title = drafter::title(told);
    Some(Harvested {
        fields: vec![("decision", text.clone())],
        typed: turn.text.clone(),
        ..Harvested::of(turn.line, Kind::Decision, &title)
    })
}
