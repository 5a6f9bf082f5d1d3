//! How memories look in a terminal: aligned columns, nothing invisible.

use oldhand_core::state::State;
pub use oldhand_text::strings::counted;

/// Two spaces between columns, the last one as long as it is.
pub fn columns(rows: &[Vec<String>]) -> String {
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let padded = |(cell, width): (&String, &usize)| format!("{cell:<width$}  ");
    let line = |row: &Vec<String>| row.iter().zip(&widths).map(padded).collect::<String>();
    rows.iter().map(|row| line(row).trim_end().to_owned() + "\n").collect()
}

pub fn table<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> String {
    columns(&rows.into_iter().map(Vec::from).collect::<Vec<_>>())
}

pub fn left_out(shown: usize, total: usize) -> String {
    if shown >= total {
        return String::new();
    }
    format!("{shown} of {} shown; `--limit 0` shows all\n", counted(total, "memory", "memories"))
}

pub fn state_mark(state: State) -> String {
    if state == State::Stable { String::new() } else { format!("[{state}]") }
}

/// `label  value` lines, indented.
pub fn facts(facts: &[(&str, String)]) -> String {
    let said = facts.iter().filter(|(_, value)| !value.is_empty());
    table(said.map(|(label, value)| [format!("  {label}"), value.clone()]))
}
