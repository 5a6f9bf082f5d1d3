//! Small charts that stand in a line or a table cell: bars by day or week, and a meter.

use maud::{Markup, html};

use crate::draw::{Tone, part, px, shown, svg};

const BAR: f64 = 8.0;
const TALL: f64 = 28.0;
/// Bars that fit beside a number.
pub const BARS_MAX: usize = 52;

/// Bars with their names, oldest first; the newest of them, if there are too many.
pub fn bars(label: &str, values: &[(String, u64)], tone: Tone) -> Markup {
    let values = &values[values.len().saturating_sub(BARS_MAX)..];
    let most = values.iter().map(|it| it.1).max().unwrap_or(0) as f64;
    let width = values.len().max(1) as f64 * (BAR + 2.0);
    let total = values.iter().fold(0_u64, |sum, it| sum.saturating_add(it.1));
    let inner = html! {
        @for (at, (name, value)) in values.iter().enumerate() {
            @let tall = if *value == 0 { 1.0 } else { (TALL * part(*value as f64, most)).max(3.0) };
            rect class=(if *value == 0 { "c-muted" } else { tone.class() }) x=(px(at as f64 * (BAR + 2.0)))
                y=(px(TALL - tall)) width=(px(BAR)) height=(px(tall)) fill="currentColor" {
                title { (shown(name)) ": " (value) }
            }
        }
    };
    html! { span.spark { (svg(width, TALL, &format!("{label}: {total} in all"), inner)) } }
}

/// How much of a whole something is, from 0 to 1.
pub fn meter(label: &str, value: f64, tone: Tone) -> Markup {
    let filled = 60.0 * part(value, 1.0);
    let inner = html! {
        rect class="c-muted" x="0" y="1" width="60" height="8" rx="2" fill="currentColor" fill-opacity="0.18" {}
        rect class=(tone.class()) x="0" y="1" width=(px(filled)) height="8" rx="2" fill="currentColor" {}
    };
    html! { span.spark { (svg(60.0, 10.0, label, inner)) } }
}
