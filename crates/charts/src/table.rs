//! The numbers of a chart as rows, which a page shows below it.

use maud::{Markup, html};

use crate::draw::shown;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    pub text: String,
    /// Where the list is that this counts.
    pub href: Option<String>,
}

impl Cell {
    pub fn new(text: impl ToString) -> Self {
        Self { text: text.to_string(), href: None }
    }

    pub fn linked(text: impl ToString, href: &str) -> Self {
        let href = (!href.is_empty()).then(|| href.to_owned());
        Self { text: text.to_string(), href }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(crate) fn new(columns: &[&str]) -> Self {
        let columns = columns.iter().map(|name| (*name).to_owned()).collect();
        Self { columns, rows: Vec::new() }
    }

    pub fn markup(&self) -> Markup {
        html! {
            table {
                thead { tr { @for column in &self.columns { th scope="col" { (shown(column)) } } } }
                tbody {
                    @for row in &self.rows {
                        tr { @for cell in row { td { (cell_markup(cell)) } } }
                    }
                }
            }
        }
    }
}

fn cell_markup(cell: &Cell) -> Markup {
    let text = shown(&cell.text);
    match &cell.href {
        Some(href) => html! { a href=(href) { (text) } },
        None => html! { (text) },
    }
}
