//! A funnel by week: a row per step, a bar per week, and beside it how many of the step before
//! came so far.

use maud::{Markup, html};

use crate::draw::{
    Room, clipped, linked, narrow, number, part, px, rule, shown, svg, text, text_end, text_mid,
};
use crate::{Cell, Picture, Table};

pub const WEEKS_MAX: usize = 26;

#[derive(Debug, Clone)]
pub struct Stage {
    pub name: String,
    /// The list that the total counts.
    pub href: String,
    /// One per week; none where nothing is known about that week.
    pub counts: Vec<Option<u64>>,
}

impl Stage {
    fn total(&self, skip: usize) -> Option<u64> {
        let known = self.counts.iter().skip(skip).flatten();
        known.copied().reduce(u64::saturating_add)
    }
}

#[derive(Debug, Clone, Default)]
pub struct Funnel {
    /// The names of the weeks, oldest first.
    pub weeks: Vec<String>,
    pub steps: Vec<Stage>,
}

const LEFT: f64 = 110.0;
const LEFT_NARROW: f64 = 80.0;
const RIGHT: f64 = 130.0;
const RIGHT_NARROW: f64 = 92.0;
const ROW: f64 = 46.0;
const BAR: f64 = 34.0;

pub fn funnel(funnel: &Funnel) -> Picture {
    let skip = funnel.weeks.len().saturating_sub(WEEKS_MAX);
    let weeks = &funnel.weeks[skip..];
    let names = funnel.steps.iter().map(|step| step.name.as_str());
    let mut table = Table::new(&std::iter::once("Week").chain(names).collect::<Vec<_>>());
    let row = |(at, week): (usize, &String)| {
        let count = |step: &Stage| step.counts.get(skip + at).copied().flatten();
        let counts = funnel.steps.iter().map(|step| Cell::new(known(count(step))));
        std::iter::once(Cell::new(week)).chain(counts).collect()
    };
    table.rows = weeks.iter().enumerate().map(row).collect();
    let totals = funnel.steps.iter().map(|step| Cell::linked(known(step.total(skip)), &step.href));
    table.rows.push(std::iter::once(Cell::new("all weeks")).chain(totals).collect());
    let svg = |room: Room| draw(funnel, weeks, skip, room);
    let narrow = narrow(svg(Room::phone(LEFT_NARROW, RIGHT_NARROW)));
    Picture { svg: svg(Room::page(LEFT, RIGHT)), narrow, table }
}

fn known(count: Option<u64>) -> String {
    count.map_or_else(|| "not known".to_owned(), |count| count.to_string())
}

fn draw(funnel: &Funnel, weeks: &[String], skip: usize, room: Room) -> Markup {
    let height = 30.0 + funnel.steps.len() as f64 * ROW;
    let width = (room.right - room.left) / weeks.len().max(1) as f64;
    let said = funnel.steps.iter().map(|step| format!("{} {}", step.name, known(step.total(skip))));
    let label = format!("By week: {}", said.collect::<Vec<_>>().join(", "));
    let named = if room.is_narrow() { 3 } else { 8 };
    let every = weeks.len().div_ceil(named).max(1);
    let inner = html! {
        @for (at, step) in funnel.steps.iter().enumerate() {
            @let foot = 4.0 + at as f64 * ROW + BAR;
            @let before = at.checked_sub(1).and_then(|at| funnel.steps[at].total(skip));
            (draw_step(step, weeks, skip, foot, room))
            (totals((step.total(skip), before), &step.href, foot, room))
        }
        // From the newest week back, so that the last one always has its name.
        @for (at, week) in weeks.iter().enumerate().filter(|it| (weeks.len() - 1 - it.0).is_multiple_of(every)) {
            (text_mid(room.left + (at as f64 + 0.5) * width, height - 8.0, "c-muted t-small", &clipped(week, 10)))
        }
    };
    svg(room.width, height, &label, inner)
}

fn draw_step(step: &Stage, weeks: &[String], skip: usize, foot: f64, room: Room) -> Markup {
    let width = (room.right - room.left) / weeks.len().max(1) as f64;
    let most = step.counts.iter().skip(skip).flatten().copied().max().unwrap_or(0) as f64;
    html! {
        (text(0.0, foot - 4.0, "c-ink", &clipped(&step.name, room.letters())))
        (rule(room.left, foot, room.right, foot))
        @for (at, week) in weeks.iter().enumerate() {
            @let x = room.left + at as f64 * width;
            @match step.counts.get(skip + at).copied().flatten() {
                Some(0) => {}
                Some(count) => {
                    @let tall = (BAR * part(count as f64, most)).max(2.0);
                    rect class="c-link" x=(px(x + 1.0)) y=(px(foot - tall)) width=(px((width - 2.0).max(1.0)))
                        height=(px(tall)) fill="currentColor" {
                        title { (shown(week)) ": " (shown(&step.name)) " " (count) }
                    }
                }
                None => {
                    line class="c-muted" x1=(px(x + 2.0)) y1=(px(foot - 4.0)) x2=(px(x + width - 2.0)) y2=(px(foot - 4.0))
                        stroke="currentColor" stroke-dasharray="2 2" {
                        title { (shown(week)) ": not known" }
                    }
                }
            }
        }
    }
}

fn totals(
    (total, before): (Option<u64>, Option<u64>),
    href: &str,
    foot: f64,
    room: Room,
) -> Markup {
    let share = match (total, before) {
        // A use can count a memory of an older week: more than all is no share.
        (Some(total), Some(before)) if before > 0 && total <= before => {
            format!("{:.0} %", total as f64 * 100.0 / before as f64)
        }
        _ => String::new(),
    };
    let words = total.map_or("?".to_owned(), number);
    let class = if href.is_empty() { "c-ink t-strong" } else { "c-link t-strong" };
    html! {
        (linked(href, text_end(room.width - if room.is_narrow() { 44.0 } else { 60.0 }, foot - 4.0, class, &words)))
        @if !share.is_empty() { (text_end(room.width - 2.0, foot - 4.0, "c-muted", &share)) }
    }
}
