//! References that support a memory. What hooks find in a transcript explains a memory but does not
//! count: anything that an agent has read may be in there. What the host handed over as typed by a
//! person counts, if the log has it too.

use std::collections::BTreeSet;

use crate::event::Event;
use oldhand_text::strings::normalise_line;

/// Found in a transcript, by a hook or by `capture from`: what was said and what was done.
const TRANSCRIPT: &str = "transcript:";
/// The host handed it over as what a person typed.
const PROMPT: &str = "prompt:";

/// Where a sentence stands: in the prompt that the host vouches for, or only in the transcript.
pub fn of_sentence(session: &str, line: usize, is_typed: bool) -> String {
    let scheme = if is_typed { PROMPT } else { TRANSCRIPT };
    format!("{scheme}{}#L{line}", normalise_line(session))
}

/// The session of a reference, without the place in it.
fn session(reference: &str) -> &str {
    let reference = reference.split('#').next().unwrap_or_default();
    [TRANSCRIPT, PROMPT].iter().find_map(|it| reference.strip_prefix(it)).unwrap_or(reference)
}

fn is_typed(reference: &str) -> bool {
    reference.starts_with(PROMPT)
}

/// References that add something: one per session, unless it is typed and the known one was not.
pub fn news(known: &[String], heard: &[String]) -> Vec<String> {
    let says_as_much = |one: &String, new: &String| {
        session(one) == session(new) && (is_typed(one) || !is_typed(new))
    };
    heard.iter().filter(|new| !known.iter().any(|one| says_as_much(one, new))).cloned().collect()
}

/// The references that the log has to carry: a file alone can claim anything.
pub fn vouched(evidence: &[String]) -> Vec<String> {
    evidence.iter().filter(|one| is_typed(one)).cloned().collect()
}

/// A person typed it, as far as the host can tell.
pub fn has_typed(evidence: &[String]) -> bool {
    evidence.iter().any(|one| is_typed(one))
}

/// How many pieces count towards a promotion without a person, by the memory's own events.
pub fn count(evidence: &[String], events: &[&Event]) -> u32 {
    let is_logged = |one: &String| events.iter().any(|event| event.evidence.contains(one));
    let typed = evidence.iter().filter(|one| is_typed(one) && is_logged(one));
    let sessions: BTreeSet<&str> = typed.map(|one| session(one)).collect();
    let is_by_hook = |one: &&String| one.starts_with(TRANSCRIPT) || is_typed(one);
    let others = evidence.iter().filter(|one| !is_by_hook(one));
    u32::try_from(sessions.len() + others.count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventType;

    fn texts(of: &[&str]) -> Vec<String> {
        of.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn only_what_is_vouched_for_counts() {
        let mut event = Event::new(EventType::Evidence, "m", jiff::Timestamp::UNIX_EPOCH);
        event.evidence = texts(&["prompt:a#L1", "prompt:b#L2", "prompt:b#L9"]);
        let table: [(&[&str], u32); 6] = [
            (&["transcript:a#L1", "transcript:b#L1"], 0),
            (&["prompt:a#L1", "prompt:b#L2"], 2),
            (&["prompt:a#L1", "transcript:b#L2"], 1),
            // Not in the log: the file says so alone.
            (&["prompt:a#L1", "prompt:c#L2"], 1),
            (&["prompt:b#L2", "prompt:b#L9"], 1),
            (&["task:1", "pr:7"], 2),
        ];
        for (evidence, want) in table {
            assert_eq!(count(&texts(evidence), &[&event]), want, "{evidence:?}");
        }
    }

    #[test]
    fn a_session_is_heard_once_unless_it_is_typed_now() {
        let table: [(&[&str], &str, usize); 5] = [
            (&["transcript:a#L1"], "transcript:a#L7", 0),
            (&["transcript:a#L1"], "transcript:b#L7", 1),
            (&["transcript:a#L1"], "prompt:a#L7", 1),
            (&["prompt:a#L1"], "transcript:a#L7", 0),
            (&["task:1"], "transcript:a#L7", 1),
        ];
        for (known, heard, want) in table {
            let found = news(&texts(known), &texts(&[heard]));
            assert_eq!(found.len(), want, "{known:?} {heard}");
        }
    }
}
