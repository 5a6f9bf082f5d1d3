//! A short difference of two texts, by lines.

use oldhand_text::strings::visible_line;

/// More lines than these are not worth comparing one by one: the whole middle is shown as changed.
const CELLS_MAX: usize = 4_000_000;

/// Lines that go and lines that come, with one line around them.
pub(super) fn diff(before: Option<&str>, after: Option<&str>) -> String {
    let old: Vec<&str> = before.unwrap_or_default().lines().collect();
    let new: Vec<&str> = after.unwrap_or_default().lines().collect();
    let steps = steps(&old, &new);
    let mut out = String::new();
    let mut last_shown = None;
    for (number, (mark, line)) in steps.iter().enumerate() {
        let around = number.saturating_sub(1)..=(number + 1).min(steps.len() - 1);
        if !around.into_iter().any(|near| steps[near].0 != ' ') {
            continue;
        }
        if last_shown.is_some_and(|last| last + 1 != number) {
            out.push_str("    ...\n");
        }
        last_shown = Some(number);
        out.push_str(format!("    {mark} {}", visible_line(line)).trim_end());
        out.push('\n');
    }
    out
}

type Step<'t> = (char, &'t str);

fn steps<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Step<'t>> {
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_middle, end) = old_rest.split_at(old_rest.len() - tail);
    let new_middle = &new_rest[..new_rest.len() - tail];

    let same = |line: &&'t str| (' ', *line);
    let mut steps: Vec<Step<'t>> = old[..head].iter().map(same).collect();
    if old_middle.len() * new_middle.len() > CELLS_MAX {
        steps.extend(old_middle.iter().map(|line| ('-', *line)));
        steps.extend(new_middle.iter().map(|line| ('+', *line)));
    } else {
        steps.extend(compare(old_middle, new_middle));
    }
    steps.extend(end.iter().map(same));
    steps
}

/// The longest common run of lines stays.
fn compare<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Step<'t>> {
    let width = new.len() + 1;
    let mut length = vec![0_u32; (old.len() + 1) * width];
    for row in (0..old.len()).rev() {
        for column in (0..new.len()).rev() {
            length[row * width + column] = if old[row] == new[column] {
                length[(row + 1) * width + column + 1] + 1
            } else {
                length[(row + 1) * width + column].max(length[row * width + column + 1])
            };
        }
    }
    let (mut row, mut column, mut steps) = (0, 0, Vec::new());
    while row < old.len() || column < new.len() {
        if row < old.len() && column < new.len() && old[row] == new[column] {
            steps.push((' ', old[row]));
            (row, column) = (row + 1, column + 1);
        } else if column == new.len()
            || (row < old.len()
                && length[(row + 1) * width + column] >= length[row * width + column + 1])
        {
            steps.push(('-', old[row]));
            row += 1;
        } else {
            steps.push(('+', new[column]));
            column += 1;
        }
    }
    steps
}

#[cfg(test)]
mod tests;
