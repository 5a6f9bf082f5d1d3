//! Which part of an edited file is whose. A record that nobody touched is found again by its own bytes, so one
//! that was edited takes no other with it.

use std::ops::Range;

use crate::write::Placed;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Same,
    Changed(&'t str),
    Gone,
    /// It was changed together with its neighbours, and nothing shows where it begins.
    Unclear,
}

/// What became of each record of a file, in the order in which they were written.
pub(super) fn pieces<'t>(made: &str, placed: &[&Placed], now: &'t str) -> Vec<Piece<'t>> {
    let old = |at: usize| made[placed[at].range.clone()].trim();
    let mut from = 0;
    let found: Vec<Option<Range<usize>>> = (0..placed.len())
        .map(|at| {
            let start = find_lines(now, old(at), from)?;
            from = start + old(at).len();
            Some(start..from)
        })
        .collect();
    // What stands for no record: the head of a file, headings between records.
    let between = |at: usize| {
        let start = if at == 0 { 0 } else { placed[at - 1].range.end };
        made[start..placed.get(at).map_or(made.len(), |it| it.range.start)].trim()
    };
    let mut pieces = vec![Piece::Same; placed.len()];
    let mut first = 0;
    while first < placed.len() {
        let next = found[first..].iter().position(Option::is_some);
        let run = first..next.map_or(placed.len(), |behind| first + behind);
        if run.is_empty() {
            first += 1;
            continue;
        }
        let before = run.start.checked_sub(1).and_then(|at| found[at].as_ref());
        let start = before.map_or(0, |it| it.end);
        let end = found.get(run.end).and_then(Option::as_ref).map_or(now.len(), |it| it.start);
        let gap = without(now[start..end].trim(), between(run.start), between(run.end));
        let starts: Vec<Option<usize>> = match run.len() {
            1 => vec![Some(0)],
            _ => {
                let mut from = 0;
                run.clone()
                    .map(|at| {
                        let line = old(at).lines().next().unwrap_or_default();
                        let start = find_lines(gap, line, from)?;
                        from = start + line.len();
                        Some(start)
                    })
                    .collect()
            }
        };
        for (at, start) in run.clone().zip(&starts) {
            let next = starts.get(at + 1 - run.start);
            pieces[at] = match (start, next) {
                (None, _) | (_, Some(None)) => Piece::Unclear,
                (Some(start), None) => changed(gap[*start..].trim()),
                (Some(start), Some(Some(end))) => {
                    changed(without(gap[*start..*end].trim(), "", between(at + 1)))
                }
            };
        }
        first = run.end;
    }
    pieces
}

fn changed(text: &str) -> Piece<'_> {
    if text.is_empty() { Piece::Gone } else { Piece::Changed(text) }
}

fn without<'t>(text: &'t str, before: &str, behind: &str) -> &'t str {
    let text = text.strip_prefix(before).unwrap_or(text);
    text.strip_suffix(behind).unwrap_or(text).trim()
}

/// Where these whole lines begin.
fn find_lines(text: &str, lines: &str, from: usize) -> Option<usize> {
    if lines.is_empty() {
        return None;
    }
    text[from..].match_indices(lines).map(|(at, _)| from + at).find(|start| {
        let end = start + lines.len();
        (*start == 0 || text[..*start].ends_with('\n'))
            && (end == text.len() || text[end..].starts_with('\n'))
    })
}
