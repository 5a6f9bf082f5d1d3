//! Charts as SVG, from plain values. A chart knows no memory, no store and no clock: it is given
//! names, numbers and instants, and returns a picture with a table of the same numbers.
//!
//! A page's security policy forbids inline styles, so a shape has presentation attributes and
//! classes only. `c-good`, `c-watch` and so on set `color`, which shapes take as `currentColor`:
//! the style sheet decides what they look like in light and dark. Nothing is told by colour alone.

mod date;
mod draw;
mod table;

pub mod budget;
pub mod funnel;
pub mod health;
pub mod life;
pub mod links;
pub mod map;
pub mod served;
pub mod small;
pub mod trust;

#[cfg(test)]
mod tests;

pub use date::{Moment, day_name};
pub use draw::{Tone, number};
pub use maud::Markup;
pub use table::{Cell, Table};

use maud::html;

/// What the charts need of a style sheet. The colours are custom properties of the page.
pub const STYLE: &str = include_str!("charts.css");

/// A chart and its numbers.
#[derive(Debug, Clone)]
pub struct Picture {
    pub svg: Markup,
    /// As a phone shows it; without it, the other one scrolls.
    pub narrow: Option<Markup>,
    pub table: Table,
}

impl Picture {
    /// The chart with its caption, and the numbers folded in below it.
    pub fn figure(&self, caption: &str) -> Markup {
        html! {
            figure.chart {
                figcaption { (draw::shown(caption)) }
                div.chart-scroll.chart-wide[self.narrow.is_some()] tabindex="0" role="group" aria-label=(draw::shown(caption)) {
                    (self.svg)
                }
                @if let Some(narrow) = &self.narrow { div.chart-narrow { (narrow) } }
                details {
                    summary { "The numbers" }
                    div.chart-scroll tabindex="0" role="group" aria-label="The numbers" {
                        (self.table.markup())
                    }
                }
            }
        }
    }
}
