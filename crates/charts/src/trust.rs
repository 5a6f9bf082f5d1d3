//! Trust over time: a step line from 0 to 1, above the bands where recall is cautious and where a
//! memory goes into review. Each step names its event.

use maud::{Markup, html};

use crate::date::{Moment, day_name, month_of};
use crate::draw::{Room, TimeAxis, narrow, px, rule, shown, svg, text, text_end};
use crate::{Cell, Picture, Table};

/// Steps that are drawn one by one; of an older month only its last is.
pub const STEPS_MAX: usize = 400;

#[derive(Debug, Clone)]
pub struct TrustPoint {
    pub at: Moment,
    pub value: f64,
    pub event: String,
}

#[derive(Debug, Clone, Default)]
pub struct Trust {
    pub until: Moment,
    pub steps: Vec<TrustPoint>,
    /// Below this, recall warns.
    pub caution: f64,
    /// Below this, a person has to look.
    pub review: f64,
}

const LEFT: f64 = 34.0;
const RIGHT: f64 = 44.0;
const TOP: f64 = 10.0;
const LOW: f64 = 150.0;
const HEIGHT: f64 = 176.0;

fn y(value: f64) -> f64 {
    let value = if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
    LOW - (LOW - TOP) * value
}

pub fn trust(trust: &Trust) -> Picture {
    let mut steps = trust.steps.clone();
    steps.sort_by_key(|step| step.at);
    let steps = thinned(steps);
    let mut table = Table::new(&["Day", "Trust", "Event"]);
    table.rows = steps
        .iter()
        .map(|step| {
            [day_name(step.at), format!("{:.2}", step.value), step.event.clone()]
                .map(Cell::new)
                .to_vec()
        })
        .collect();
    let svg = |room: Room| draw(trust, &steps, room);
    let narrow = narrow(svg(Room::phone(LEFT, RIGHT)));
    Picture { svg: svg(Room::page(LEFT, RIGHT)), narrow, table }
}

fn thinned(steps: Vec<TrustPoint>) -> Vec<TrustPoint> {
    let old = steps.len().saturating_sub(STEPS_MAX);
    let is_kept = |at: usize| {
        let next = steps.get(at + 1);
        at >= old || next.is_none_or(|next| month_of(next.at) != month_of(steps[at].at))
    };
    let kept: Vec<usize> = (0..steps.len()).filter(|at| is_kept(*at)).collect();
    kept.into_iter().map(|at| steps[at].clone()).collect()
}

fn draw(trust: &Trust, steps: &[TrustPoint], room: Room) -> Markup {
    let from = steps.first().map_or(trust.until, |step| step.at);
    let axis = TimeAxis::new(from, trust.until, room.left, room.right);
    let now = steps.last().map_or(0.0, |step| step.value);
    let label = match steps {
        [] => "Trust over time: no step yet".to_owned(),
        steps => format!("Trust over time: {} steps, now {now:.2}", steps.len()),
    };
    let mut path = String::new();
    for (at, step) in steps.iter().enumerate() {
        let (x, y) = (px(axis.x(step.at)), px(y(step.value)));
        path.push_str(&if at == 0 { format!("M{x} {y}") } else { format!("H{x}V{y}") });
    }
    path.push_str(&format!("H{}", px(axis.x(trust.until))));
    let inner = html! {
        (band((trust.review, trust.caution), "c-watch", "caution", room))
        (band((0.0, trust.review), "c-bad", "review", room))
        @for value in [0.0, trust.review, trust.caution, 1.0] {
            (rule(room.left, y(value), room.right, y(value)))
            (text_end(room.left - 6.0, y(value) + 4.0, "c-muted t-small", &px(value)))
        }
        (axis.markup(LOW))
        @if !steps.is_empty() {
            path class="c-link" d=(path) fill="none" stroke="currentColor" stroke-width="2" {}
            (text(room.right + 8.0, y(now) + 4.0, "c-ink t-strong", &format!("{now:.2}")))
        }
        @for step in steps {
            circle class="c-link" cx=(px(axis.x(step.at))) cy=(px(y(step.value))) r="3.5" fill="currentColor" {
                title { (format!("{}: {:.2}, {}", day_name(step.at), step.value, shown(&step.event))) }
            }
        }
    };
    svg(room.width, HEIGHT, &label, inner)
}

fn band((low, high): (f64, f64), class: &str, word: &str, room: Room) -> Markup {
    let (top, foot) = (y(high), y(low));
    html! {
        g class=(class) {
            rect x=(px(room.left)) y=(px(top)) width=(px(room.right - room.left)) height=(px((foot - top).max(0.0)))
                fill="currentColor" fill-opacity="0.08" {}
            (text_end(room.right - 8.0, (top + foot) / 2.0 + 4.0, "t-small", word))
        }
    }
}
