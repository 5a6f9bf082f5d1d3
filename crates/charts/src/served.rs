//! Who was served: a row per host or agent, a column per day, and darker where it was more often.

use maud::{Markup, html};

use crate::date::{DAY, Moment, day_name};
use crate::draw::{
    Room, TimeAxis, clipped, linked, narrow, number, px, shown, svg, text, text_end,
};
use crate::{Cell, Picture, Table};

pub const ROWS_MAX: usize = 40;
pub const DAYS_MAX: usize = 90;

#[derive(Debug, Clone)]
pub struct Reader {
    pub name: String,
    /// Its receipts.
    pub href: String,
    /// One per day, from [`Served::first_day`] on.
    pub counts: Vec<u64>,
}

#[derive(Debug, Clone, Default)]
pub struct Served {
    /// Any instant of the first day.
    pub first_day: Moment,
    pub readers: Vec<Reader>,
}

const LEFT: f64 = 150.0;
const LEFT_NARROW: f64 = 92.0;
const RIGHT: f64 = 48.0;
const ROW: f64 = 20.0;

pub fn served(served: &Served) -> Picture {
    let most = served.readers.iter().map(|it| it.counts.len()).max().unwrap_or(0);
    // The newest days: of those before only the table could speak.
    let skip = most.saturating_sub(DAYS_MAX);
    let first = served.first_day.div_euclid(DAY).saturating_add(skip as i64);
    let mut readers: Vec<(&Reader, &[u64])> =
        served.readers.iter().map(|it| (it, it.counts.get(skip..).unwrap_or_default())).collect();
    readers.sort_by_key(|it| (std::cmp::Reverse(it.1.iter().sum::<u64>()), it.0.name.clone()));
    let more = readers.len().saturating_sub(ROWS_MAX);
    readers.truncate(ROWS_MAX);
    let days = most - skip;
    let mut table = Table::new(&["Reader", "Times", "Days", "Last"]);
    table.rows = readers.iter().map(|(reader, counts)| row(reader, counts, first)).collect();
    let svg = |room: Room| draw(&readers, (first, days), more, room);
    let narrow = narrow(svg(Room::phone(LEFT_NARROW, RIGHT)));
    Picture { svg: svg(Room::page(LEFT, RIGHT)), narrow, table }
}

fn row(reader: &Reader, counts: &[u64], first: i64) -> Vec<Cell> {
    let days = counts.iter().filter(|count| **count > 0).count();
    let last = counts.iter().rposition(|count| *count > 0);
    let last = last.map_or("never".to_owned(), |at| day_name((first + at as i64) * DAY));
    let total: u64 = counts.iter().sum();
    vec![
        Cell::new(&reader.name),
        Cell::linked(total, &reader.href),
        Cell::new(days),
        Cell::new(last),
    ]
}

fn draw(
    readers: &[(&Reader, &[u64])],
    (first, days): (i64, usize),
    more: usize,
    room: Room,
) -> Markup {
    let foot = 6.0 + readers.len() as f64 * ROW;
    let height = foot + 26.0 + if more > 0 { 18.0 } else { 0.0 };
    let step = (room.right - room.left) / days.max(1) as f64;
    let axis = TimeAxis::new(first * DAY, (first + days as i64) * DAY, room.left, room.right);
    let most = readers.iter().flat_map(|it| it.1).copied().max().unwrap_or(0);
    let total: u64 = readers.iter().flat_map(|it| it.1).sum();
    let label = format!("Served {total} times to {} readers in {days} days", readers.len() + more);
    let inner = html! {
        (axis.markup(foot))
        @for (at, (reader, counts)) in readers.iter().enumerate() {
            @let top = 4.0 + at as f64 * ROW;
            (linked(&reader.href, html! {
                g {
                    title { (shown(&reader.name)) }
                    (text(0.0, top + 13.0, "c-ink", &clipped(&reader.name, room.letters())))
                }
            }))
            rect class="c-muted" x=(px(room.left)) y=(px(top)) width=(px(room.right - room.left)) height="16"
                fill="currentColor" fill-opacity="0.08" {}
            @for (day, count) in counts.iter().enumerate().filter(|it| *it.1 > 0) {
                rect class="c-link" x=(px(room.left + day as f64 * step)) y=(px(top)) height="16"
                    width=(px((step - 0.5).max(1.0))) fill="currentColor" fill-opacity=(darkness(*count, most)) {
                    title { (format!("{}, {}: {count}", shown(&reader.name), day_name((first + day as i64) * DAY))) }
                }
            }
            (text_end(room.width - 2.0, top + 13.0, "c-muted", &number(counts.iter().sum::<u64>())))
        }
        @if more > 0 { (text(0.0, height - 6.0, "c-muted t-small", &format!("{more} more readers"))) }
    };
    svg(room.width, height, &label, inner)
}

/// Five steps that the eye can tell apart.
fn darkness(count: u64, most: u64) -> &'static str {
    let steps = ["0.3", "0.45", "0.6", "0.8", "1"];
    let at = (count.min(most) as u128 * 5).div_ceil(u128::from(most.max(1))).clamp(1, 5);
    steps[at as usize - 1]
}
