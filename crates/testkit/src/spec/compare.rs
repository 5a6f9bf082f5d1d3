//! Output as a specification writes it, whether it is the expected one, and where it is not.

use super::Output;
use super::align::{self, Edit};

pub(super) const ANY_LINES: &str = "...";
pub(super) const ANY_LETTERS: &str = "[..]";

/// A difference shows this many matching lines on each side of what differs.
const CONTEXT_LINES: usize = 3;

/// Standard output, then standard error behind `! `, then the exit code when it is not 0.
pub(super) fn rendered(output: &Output) -> Vec<String> {
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let mut lines: Vec<String> = stdout.lines().map(plain).collect();
    lines.extend(
        stderr
            .lines()
            .map(|line| if line.is_empty() { "!".to_owned() } else { format!("! {line}") }),
    );
    if output.code != 0 {
        lines.push(format!("[exit {}]", output.code));
    }
    lines
}

/// Output that looks like a command would be read as one.
fn plain(line: &str) -> String {
    if line.starts_with("$ ") { format!("\\{line}") } else { line.to_owned() }
}

/// An exit code is never part of "any lines": a failure must be asked for.
pub(super) fn matches(expected: &[String], found: &[String]) -> bool {
    let (expected, expected_exit) = without_exit(expected);
    let (found, found_exit) = without_exit(found);
    expected_exit == found_exit && lines_match(expected, found)
}

fn without_exit(lines: &[String]) -> (&[String], Option<&str>) {
    match lines.split_last() {
        Some((last, rest)) if last.starts_with("[exit ") => (rest, Some(last)),
        _ => (lines, None),
    }
}

/// A pattern of `...` lines: on a mismatch the last `...` takes one line more, which is enough
/// since every other pattern line takes exactly one.
fn lines_match(expected: &[String], found: &[String]) -> bool {
    let (mut at, mut seen) = (0, 0);
    let mut last_any: Option<(usize, usize)> = None;
    while seen < found.len() {
        match expected.get(at) {
            Some(line) if line == ANY_LINES => {
                last_any = Some((at, seen));
                at += 1;
            }
            Some(line) if line_matches(line, &found[seen]) => (at, seen) = (at + 1, seen + 1),
            _ => {
                let Some((any_at, any_seen)) = last_any else { return false };
                last_any = Some((any_at, any_seen + 1));
                (at, seen) = (any_at + 1, any_seen + 1);
            }
        }
    }
    expected[at..].iter().all(|line| line == ANY_LINES)
}

pub(super) fn line_matches(pattern: &str, line: &str) -> bool {
    let Some((first, pattern)) = pattern.split_once(ANY_LETTERS) else { return pattern == line };
    let Some(mut line) = line.strip_prefix(first) else { return false };
    let mut pieces: Vec<&str> = pattern.split(ANY_LETTERS).collect();
    let last = pieces.pop().expect("a split has at least one piece");
    for piece in pieces {
        let Some(place) = line.find(piece) else { return false };
        line = &line[place + piece.len()..];
    }
    line.ends_with(last)
}

/// The expected lines as an update writes them: see [`align::merged`]. The exit code is the found one.
pub(super) fn merged(expected: &[String], found: &[String]) -> Vec<String> {
    let (expected, _) = without_exit(expected);
    let (lines, exit) = without_exit(found);
    let mut merged = align::merged(expected, lines);
    merged.extend(exit.map(str::to_owned));
    // Better no wildcard than one that is wrong.
    if matches(&merged, found) { merged } else { found.to_vec() }
}

/// Expected lines behind `-`, found ones behind `+`, those that match behind a space.
pub(super) fn difference(expected: &[String], found: &[String]) -> String {
    let (expected, expected_exit) = without_exit(expected);
    let (found, found_exit) = without_exit(found);
    let mut rows: Vec<(char, &str)> = Vec::new();
    for edit in align::lines(expected, found) {
        match edit {
            Edit::Keep(line) => rows.push((' ', line)),
            Edit::Replace(old, new) => rows.extend([('-', old), ('+', new)]),
            Edit::Remove(old) => rows.push(('-', old)),
            Edit::Add(new) => rows.push(('+', new)),
        }
    }
    if expected_exit == found_exit {
        rows.extend(expected_exit.map(|exit| (' ', exit)));
    } else {
        rows.extend(expected_exit.map(|exit| ('-', exit)));
        rows.extend(found_exit.map(|exit| ('+', exit)));
    }
    shown(&rows)
}

/// The rows, without those that match and are far from any that doesn't.
fn shown(rows: &[(char, &str)]) -> String {
    let near = |at: usize| {
        let from = at.saturating_sub(CONTEXT_LINES);
        rows[from..rows.len().min(at + CONTEXT_LINES + 1)].iter().any(|(sign, _)| *sign != ' ')
    };
    let mut result = String::new();
    let mut left_out = 0;
    for (at, (sign, line)) in rows.iter().enumerate() {
        if !near(at) {
            left_out += 1;
            continue;
        }
        if left_out > 0 {
            result += &format!("    ({left_out} matching lines)\n");
            left_out = 0;
        }
        result += &format!("    {sign}{line}\n");
    }
    if left_out > 0 {
        result += &format!("    ({left_out} matching lines)\n");
    }
    result
}

#[cfg(test)]
mod tests {
    use super::{Output, difference, matches, rendered};

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[track_caller]
    fn check(expected: &str, found: &str, want: bool) {
        assert_eq!(matches(&lines(expected), &lines(found)), want);
    }

    #[test]
    fn without_wildcards_lines_are_equal() {
        check("", "", true);
        check("a\nb", "a\nb", true);
        check("a", "a\nb", false);
        check("a\nb", "a", false);
        check("a\n", "a ", false);
    }

    #[test]
    fn dots_match_any_number_of_lines() {
        check("...", "", true);
        check("...", "a\nb", true);
        check("a\n...\nd", "a\nb\nc\nd", true);
        check("a\n...\nd", "a\nd", true);
        check("...\nb\nc", "b\nx\nb\nc", true);
        check("...\nb\n...\nb", "b", false);
        check("a\n...", "b", false);
    }

    #[test]
    fn dots_do_not_match_a_failure() {
        check("...", "a\n[exit 1]", false);
        check("...\n[exit 1]", "a\n[exit 1]", true);
        check("...\n[exit 1]", "a\n[exit 2]", false);
        check("...\n[exit 1]", "a", false);
    }

    #[test]
    fn brackets_match_any_letters() {
        check("a [..] c", "a b b c", true);
        check("[..]", "\n", true);
        check("[..]", "", false);
        check("a[..]b[..]c", "a1b2b3c", true);
        check("a[..]a", "a", false);
        check("[..]b", "a", false);
    }

    #[test]
    fn output_is_stdout_then_stderr_then_code() {
        let output = Output { stdout: b"a\n\n$ b".to_vec(), stderr: b"c\n\n".to_vec(), code: 2 };
        assert_eq!(rendered(&output), ["a", "", "\\$ b", "! c", "!", "[exit 2]"]);
    }

    #[test]
    fn a_difference_keeps_what_is_common() {
        let shown = difference(&lines("a\nb\nc"), &lines("a\nx\nc\nd"));
        assert_eq!(shown, "     a\n    -b\n    +x\n     c\n    +d\n");
        let shown = difference(&lines("a\n...\nb\n[exit 1]"), &lines("a\n1\n2\nc\n[exit 2]"));
        assert_eq!(shown, "     a\n     ...\n    -b\n    +c\n    -[exit 1]\n    +[exit 2]\n");
    }

    #[test]
    fn a_difference_leaves_out_what_is_far_from_it() {
        let shown = difference(&lines("1\n2\n3\n4\n5\n6\nx"), &lines("1\n2\n3\n4\n5\n6\ny"));
        assert_eq!(shown, "    (3 matching lines)\n     4\n     5\n     6\n    -x\n    +y\n");
    }
}
