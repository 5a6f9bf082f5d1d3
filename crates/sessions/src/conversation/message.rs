//! What an agent's message comes to: its conclusion, the question that it ends with, and whether it
//! only announces what is to come.

use oldhand_text::{sentence, table};

/// A longer conclusion is cut to its last paragraphs.
pub(super) const CONCLUSION_CHARS_MAX: usize = 300;

/// What a message comes to: its last paragraphs that are no question.
pub(super) fn conclusion(text: &str) -> String {
    let prose = without_blocks(text);
    let told: Vec<&str> = prose.split("\n\n").map(str::trim).filter(|it| !it.is_empty()).collect();
    // What stood below such a line is gone.
    let leads_in = |it: &str| it.trim_end_matches('*').ends_with(':');
    let whole: Vec<&str> = told.iter().copied().filter(|it| !leads_in(it)).collect();
    let told = if whole.is_empty() { told } else { whole };
    let is_question = |it: &&&str| it.ends_with('?');
    let last = told.iter().rev().skip_while(is_question).take(2);
    let last: Vec<&str> = last.copied().collect::<Vec<_>>().into_iter().rev().collect();
    // Short ones are told whole.
    let all = told.join(" ");
    if all.chars().count() <= CONCLUSION_CHARS_MAX || last.is_empty() {
        all
    } else {
        last.join(" ")
    }
}

/// Without tables and code, which say nothing in one line.
fn without_blocks(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_fence && !is_code && !line.trim_start().starts_with('|')
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Lines behind a question that still belong to it, such as its options.
const QUESTION_LINES: usize = 4;

/// The question that a message ends with.
pub(super) fn open_question(text: &str) -> &str {
    let mut lines = text.trim_end().lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let Some(last) = lines.by_ref().take(QUESTION_LINES).find(|line| line.ends_with('?')) else {
        return "";
    };
    let start = last[..last.len() - 1].rfind(['.', '!', '?', ':']).map_or(0, |at| at + 1);
    last[start..].trim()
}

/// A test run that picks some of the tests.
pub(super) fn picks(line: &str) -> bool {
    const FLAGS: &str = "-run -k -t --filter --test --package -p --lib --bin --grep -g --only";
    let words = || line.split_whitespace();
    words().any(|word| table::has(FLAGS, word.split('=').next().unwrap_or_default()))
        || words()
            .any(|word| word.contains("::") || word.contains("_test.") || word.contains(".test."))
}

const ANNOUNCING: &str = "let me |now let me |i'll |i will |now i'll |now i will |i need to |\
     i'm going to |next, i'll |let's ";

/// It ends with what the agent is about to do: nothing came of it yet.
pub(super) fn announces(text: &str) -> bool {
    let last = sentence::sentences(text.trim()).last().unwrap_or_default();
    table::begins(ANNOUNCING, &last.trim().to_lowercase())
}
