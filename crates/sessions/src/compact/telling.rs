//! The sentence of an answer that says most: agents begin with courtesies and announcements.

use super::words;
use oldhand_judge::capture::sentence::Sentence;
use oldhand_text::table;

/// How sentences begin that say what is still to come.
const ANNOUNCEMENTS: &str = "let me|now let|i'll|i will|let's|now i'll";
/// How sentences begin that introduce, agree or praise.
const FILLERS: &str = "here's|here is|here are|now i|great|perfect|excellent|good|you're right|\
    you were right|looking at|i see|i understand|sure|of course|if you|next,|first,";
const RESULTS: &str = "pass|fixed|now|added|created|pushed|merged|committed|removed|moved|works|\
    fails|failed|because|replaced|released|updated|renamed|opened";
const NEWS_MIN: usize = 2;
const SENTENCE_CHARS_MAX: usize = 400;
/// A list begins this near behind the line that announces it.
const ROWS_MAX: usize = 2;

/// `None` where no sentence says anything. `whole` is the text that the sentences were taken from.
pub(super) fn best<'t>(
    whole: &'t str,
    own: &[Sentence<'t>],
    question: Option<&str>,
) -> Option<&'t str> {
    let scored = own.iter().enumerate().rev().filter_map(|(at, sentence)| {
        let text =
            joined(whole, own, at).filter(|_| !sentence.is_heading && !sentence.is_question)?;
        let (news, lower) = (words::news(text), text.to_lowercase());
        let says = news + words::exact(text).min(1) >= NEWS_MIN;
        let score = score(&lower, news, question) - (at as i64).min(12) / 2;
        (says && !table::begins(ANNOUNCEMENTS, &lower)).then_some((score, text))
    });
    // Of equals the last one counts, which is the first of the text.
    scored.max_by_key(|(score, _)| *score).map(|(_, text)| text)
}

/// The first sentence that is no announcement, however little it says: `Yes.` answers a question.
pub(super) fn first<'t>(own: &[Sentence<'t>]) -> Option<&'t str> {
    let says = |it: &&Sentence<'t>| !it.is_question && !it.is_heading && !it.text.ends_with(':');
    own.iter().find(says).map(|it| it.text)
}

/// What ends with a colon goes on in the item behind it.
fn joined<'t>(whole: &'t str, own: &[Sentence<'t>], at: usize) -> Option<&'t str> {
    let sentence = own.get(at)?;
    if !sentence.text.trim_end_matches(['*', '_']).ends_with(':') {
        return Some(sentence.text);
    }
    let next = own.get(at + 1)?;
    if next.is_heading || next.row > sentence.row + ROWS_MAX {
        return None;
    }
    let offset = |part: &str| (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize);
    let text = whole.get(offset(sentence.text)?..offset(next.text)? + next.text.len())?;
    (text.len() <= SENTENCE_CHARS_MAX).then_some(text)
}

fn score(lower: &str, news: usize, question: Option<&str>) -> i64 {
    let shared = question.map_or(0, |question| words::shared(question, lower));
    let sum = news.min(12) + 2 * words::exact(lower).min(4) + 3 * shared.min(4);
    let result = if table::holds(RESULTS, lower) { 4 } else { 0 };
    let filler = if table::begins(FILLERS, lower) { 6 } else { 0 };
    sum as i64 + result - filler
}

#[cfg(test)]
mod tests {
    use super::*;
    use oldhand_judge::capture::sentence::sentences;
    use oldhand_transcripts::{Turn, Voice};

    #[track_caller]
    fn check(text: &str, want: Option<&str>) {
        let turn = Turn {
            line: 1,
            voice: Voice::Agent,
            text: text.to_owned(),
            uses: Vec::new(),
            results: Vec::new(),
            is_sidechain: false,
        };
        let turns = [turn];
        let found = best(&turns[0].text, &sentences(&turns), None);
        assert_eq!(found.map(oldhand_text::strings::normalise_line).as_deref(), want);
    }

    #[test]
    fn the_sentence_that_tells_most_is_taken() {
        check("Done.", None);
        check("Here's a summary of the changes:", None);
        check("Now I have a complete picture. You were right to flag that.", None);
        check(
            "Here's a summary of the changes:\n\n- moved the cache to port 6380\n- wrote a test",
            Some("moved the cache to port 6380"),
        );
        check(
            "Committed as `6fe5d8cb`:\n- the parser",
            Some("Committed as `6fe5d8cb`: - the parser"),
        );
        check(
            "Great idea! The comment said something else. The wrapper now sources `.env` before `run.sh`.",
            Some("The wrapper now sources `.env` before `run.sh`."),
        );
    }
}
