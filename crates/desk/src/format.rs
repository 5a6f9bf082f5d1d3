//! How memories look in a terminal: aligned columns, nothing invisible.

use oldhand_core::state::State;
pub use oldhand_text::strings::counted;

/// Two spaces between columns, the last one as long as it is.
pub fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|at| {
            rows.iter()
                .filter_map(|row| row.get(at))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            line.push_str(cell);
            if at + 1 < row.len() {
                let gap = widths[at].saturating_sub(cell.chars().count()) + 2;
                line.push_str(&" ".repeat(gap));
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Rows of one shape, aligned.
pub fn table<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> String {
    columns(&rows.into_iter().map(Vec::from).collect::<Vec<_>>())
}

/// What a list ends with that does not show everything.
pub fn left_out(shown: usize, total: usize) -> String {
    if shown >= total {
        return String::new();
    }
    format!("{shown} of {} shown; `--limit 0` shows all\n", counted(total, "memory", "memories"))
}

/// A state other than the usual one.
pub fn state_mark(state: State) -> String {
    if state == State::Stable { String::new() } else { format!("[{state}]") }
}

/// `label  value` lines, indented.
pub fn facts(facts: &[(&str, String)]) -> String {
    let rows: Vec<Vec<String>> = facts
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(label, value)| vec![format!("  {label}"), value.clone()])
        .collect();
    columns(&rows)
}
