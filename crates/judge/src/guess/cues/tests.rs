//! That every row of the tables can be read, and every phrase found.

use super::*;
use oldhand_core::kind::schema::LESSON_TYPES;
use oldhand_text::sentence::folded;

/// Who, what, how much, and the phrases of each row.
fn rows(table: &'static str) -> Vec<(Vec<&'static str>, Vec<&'static str>)> {
    let row = |row: &'static str| {
        let (head, phrases) = row.split_once(':').unwrap();
        (head.split(' ').collect(), phrases.split(',').map(str::trim).collect())
    };
    table.split("= ").skip(1).map(row).collect()
}

/// What the rules of triage ask for besides kinds.
#[rustfmt::skip]
const SENSES: &[&str] = &[
    "memory", "request", "reason", "contrast", "lasting", "fixed", "given", "unfinished", "asked",
    "open", "narrated", "denied",
];

#[test]
fn rows_name_what_there_is() {
    for table in [SPEECH_TABLE, LANGUAGES_TABLE, LESSONS_TABLE] {
        for (head, phrases) in rows(table) {
            let [who, name, weight] = head[..] else { panic!("{head:?}") };
            assert!(["person", "agent", "anyone", "unspaced", "note"].contains(&who), "{head:?}");
            assert!((0.0..=4.0).contains(&weight.parse::<f64>().unwrap()), "{head:?}");
            assert!(phrases.iter().all(|phrase| !phrase.is_empty()), "{head:?}");
            let is_kind = !matches!(Kind::named(name), Kind::Custom(_));
            let is_known = is_kind || SENSES.contains(&name) || LESSON_TYPES.contains(&name);
            assert!(is_known, "{head:?}");
        }
    }
    let types: Vec<&str> = rows(LESSONS_TABLE).into_iter().map(|(head, _)| head[1]).collect();
    assert!(LESSON_TYPES.iter().all(|lesson_type| types.contains(lesson_type)));
}

/// A cue that can't match is a mistake in the table.
#[test]
fn every_cue_of_a_lesson_matches_itself() {
    for (head, phrases) in rows(LESSONS_TABLE) {
        for phrase in phrases {
            let heard = LESSONS.hear(&folded(phrase.trim_end_matches('*')), 0, |_| true);
            let is_it = |found: &Found| found.cue.meaning == head[1];
            assert!(heard.found.iter().any(is_it), "{head:?}: {phrase}");
        }
    }
}
