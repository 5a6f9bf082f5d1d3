//! Text without its secrets: the sentence that holds one goes, the rest stays where it is clean.

use std::borrow::Cow;

use crate::conversation::WITHHELD;
use oldhand_text::secrets;
use oldhand_text::strings::{normalise_line, shorten};

/// Goes over several lines, so that what is left of it would look like none.
const OVER_LINES: &str = "private-key";

/// The beginning of a text on one line, without secrets.
pub(super) fn clean_line(text: &str, chars_max: usize) -> String {
    shorten(&normalise_line(&clean(text)), chars_max)
}

pub(super) fn clean(text: &str) -> Cow<'_, str> {
    let findings = secrets::scan(text);
    if findings.is_empty() {
        return Cow::Borrowed(text);
    }
    if findings.iter().any(|it| it.rule == OVER_LINES) {
        return Cow::Borrowed(WITHHELD);
    }
    let clean = |(at, line)| {
        let mut columns = findings.iter().filter(|it| it.line == at + 1).map(|it| it.column - 1);
        let Some(first) = columns.next() else { return String::from(line) };
        without(line, first, columns.next_back().unwrap_or(first))
    };
    let rest = text.lines().enumerate().map(clean).collect::<Vec<String>>().join("\n");
    // Where a name and its value are apart, what was taken out is not all of it.
    if secrets::scan(&rest).is_empty() { Cow::Owned(rest) } else { Cow::Borrowed(WITHHELD) }
}

/// The line without the sentences from one place to another, in characters.
fn without(line: &str, first: usize, last: usize) -> String {
    let byte = |nth: usize| line.char_indices().nth(nth).map_or(line.len(), |(at, _)| at);
    let (first, last) = (byte(first), byte(last));
    let ends = |text: &str| -> Vec<usize> {
        let found = [". ", "! ", "? "].into_iter().flat_map(|end| text.match_indices(end));
        let mut found: Vec<usize> = found.map(|(at, end)| at + end.len()).collect();
        found.sort_unstable();
        found
    };
    let from = ends(&line[..first]).last().copied().unwrap_or_default();
    let to = ends(&line[last..]).first().map_or(line.len(), |at| last + at);
    // A quote that is still open may hold more of it.
    let is_open = ['"', '\'', '`'].iter().any(|mark| line[from..to].matches(*mark).count() % 2 > 0);
    let to = if is_open { line.len() } else { to };
    let (head, tail) = (line[..from].trim_end(), line[to..].trim_start());
    let parts = [head, WITHHELD, tail];
    parts.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_sentence_that_holds_a_secret_goes() {
        let token = format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6");
        let check = |text: &str, want: &str| assert_eq!(clean(text).as_ref(), want);
        check("Move the shop to port 8443.", "Move the shop to port 8443.");
        check(&format!("Move it. Use {token} then. Test it."), "Move it. [withheld] Test it.");
        check(&format!("Move it\nuse {token}\ntest it"), "Move it\n[withheld]\ntest it");
        check(&format!("say \"a {token}. And more\" loud. Go"), "[withheld]");
        let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
        let key = format!("-----BEGIN {0}-----\n{line}\n{line}\n-----END {0}-----", "PRIVATE KEY");
        check(&format!("Use this.\n{key}\nand go on"), "[withheld]");
    }
}
