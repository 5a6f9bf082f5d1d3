//! Health over time: a row per indicator, a dot per look at it. The shape says what the colour says.

use maud::{Markup, html};

use crate::date::{DAY, Moment, day_name};
use crate::draw::{
    Room, Shape, TimeAxis, Tone, clipped, legend, linked, mark, narrow, rule, shown, svg, text,
};
use crate::{Cell, Picture, Table};

pub const DAYS_MAX: i64 = 90;

#[derive(Debug, Clone)]
pub struct Dot {
    pub at: Moment,
    /// `Good`, `Watch` or `Bad`.
    pub tone: Tone,
    pub word: String,
    pub reason: String,
}

#[derive(Debug, Clone)]
pub struct Row {
    pub name: String,
    pub href: String,
    pub dots: Vec<Dot>,
}

#[derive(Debug, Clone, Default)]
pub struct HealthLine {
    pub until: Moment,
    pub rows: Vec<Row>,
}

const LEFT: f64 = 190.0;
const LEFT_NARROW: f64 = 132.0;
const ROW: f64 = 24.0;

const MEANINGS: [(Shape, Tone, &str); 3] = [
    (Shape::Circle, Tone::Good, "healthy"),
    (Shape::Up, Tone::Watch, "watch"),
    (Shape::Square, Tone::Bad, "needs attention"),
];

fn shape(tone: Tone) -> Shape {
    match tone {
        Tone::Bad => Shape::Square,
        Tone::Watch => Shape::Up,
        _ => Shape::Circle,
    }
}

pub fn health(health: &HealthLine) -> Picture {
    let oldest = health.until.saturating_sub(DAYS_MAX * DAY);
    let mut health = health.clone();
    health.rows.iter_mut().for_each(|row| row.dots.retain(|dot| dot.at >= oldest));
    let mut table = Table::new(&["Day", "Indicator", "Status", "Reason"]);
    let mut rows: Vec<(Moment, Vec<Cell>)> = Vec::new();
    for row in &health.rows {
        for dot in &row.dots {
            let cells = vec![
                Cell::new(day_name(dot.at)),
                Cell::linked(&row.name, &row.href),
                Cell::new(&dot.word),
                Cell::new(&dot.reason),
            ];
            rows.push((dot.at, cells));
        }
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.0));
    table.rows = rows.into_iter().map(|row| row.1).collect();
    let narrow = narrow(draw(&health, Room::phone(LEFT_NARROW, 10.0)));
    Picture { svg: draw(&health, Room::page(LEFT, 10.0)), narrow, table }
}

fn draw(health: &HealthLine, room: Room) -> Markup {
    let dots = || health.rows.iter().flat_map(|row| &row.dots);
    let from = dots().map(|dot| dot.at).min().unwrap_or(health.until);
    let axis = TimeAxis::new(from, health.until, room.left + 8.0, room.right);
    let foot = 8.0 + health.rows.len() as f64 * ROW;
    let height = foot + 46.0;
    let bad = dots().filter(|dot| dot.tone != Tone::Good).count();
    let label = format!(
        "Health over time: {} indicators, {} looks, {bad} of them not healthy",
        health.rows.len(),
        dots().count()
    );
    let left = if room.is_narrow() { 0.0 } else { room.left };
    let (meaning, below) = legend(room, (left, height - 6.0), &MEANINGS);
    let inner = html! {
        (axis.markup(foot))
        @for (at, row) in health.rows.iter().enumerate() {
            @let y = 16.0 + at as f64 * ROW;
            (rule(room.left, y, room.width - 2.0, y))
            (linked(&row.href, text(0.0, y + 4.0, "c-ink", &clipped(&row.name, room.letters()))))
            @for dot in &row.dots {
                @let title = format!("{}: {}, {}. {}", day_name(dot.at), shown(&row.name), shown(&dot.word), shown(&dot.reason));
                (mark(shape(dot.tone), axis.x(dot.at), y, dot.tone, &title))
            }
        }
        (meaning)
    };
    svg(room.width, height + below, &label, inner)
}
