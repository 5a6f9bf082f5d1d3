//! The life of a memory: one line in time. How thick it is says how much the memory counts, marks
//! say what happened to it, and the end names its successor.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::date::{Moment, day_name, month_of};
use crate::draw::{
    Room, Shape, TimeAxis, Tone, clipped, legend, linked, mark, narrow, px, shown, svg, text,
    text_end,
};
use crate::{Cell, Picture, Table};

/// Marks that are drawn one by one; older ones are counted by month.
pub const MARKS_MAX: usize = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    Created,
    Changed,
    Evidence,
    Helped,
    Used,
    Failed,
    Reviewed,
    Conflict,
}

impl MarkKind {
    const ALL: [Self; 8] = [
        Self::Created,
        Self::Changed,
        Self::Evidence,
        Self::Helped,
        Self::Used,
        Self::Failed,
        Self::Reviewed,
        Self::Conflict,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Evidence => "evidence",
            Self::Helped => "helped",
            Self::Used => "used",
            Self::Failed => "failed",
            Self::Reviewed => "reviewed",
            Self::Conflict => "conflict",
        }
    }

    /// Its shape, its colour, and how far above the line it stands.
    fn look(self) -> (Shape, Tone, f64) {
        match self {
            Self::Created => (Shape::Circle, Tone::Ink, 0.0),
            Self::Changed => (Shape::Ring, Tone::Muted, 0.0),
            Self::Evidence => (Shape::Square, Tone::Link, 20.0),
            Self::Helped => (Shape::Up, Tone::Good, 20.0),
            Self::Used => (Shape::Ring, Tone::Link, 20.0),
            Self::Failed => (Shape::Down, Tone::Bad, -20.0),
            Self::Reviewed => (Shape::Diamond, Tone::Review, 0.0),
            Self::Conflict => (Shape::Cross, Tone::Bad, -20.0),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Mark {
    pub at: Moment,
    pub kind: MarkKind,
    pub text: String,
}

/// From here to the next one.
#[derive(Debug, Clone)]
pub struct Span {
    pub at: Moment,
    pub state: String,
    /// From 1, hardly counts, to 5, is law.
    pub weight: u8,
    pub tone: Tone,
}

#[derive(Debug, Clone, Default)]
pub struct Life {
    pub until: Moment,
    pub spans: Vec<Span>,
    pub marks: Vec<Mark>,
    /// The title and the address of what took its place.
    pub successor: Option<(String, String)>,
}

const LEFT: f64 = 8.0;
const LINE: f64 = 44.0;
const LABELS: f64 = 88.0;
const AXIS: f64 = 100.0;
const HEIGHT: f64 = 150.0;

pub fn life(life: &Life) -> Picture {
    let mut life = life.clone();
    life.spans.sort_by_key(|span| span.at);
    life.marks.sort_by_key(|mark| mark.at);
    let marks = binned(&life.marks);
    let room = if life.successor.is_some() { 150.0 } else { 12.0 };
    let svg = |room: Room| draw(&life, &marks, room);
    let narrow = narrow(svg(Room::phone(LEFT, room)));
    Picture { svg: svg(Room::page(LEFT, room)), narrow, table: table(&life, &marks) }
}

/// The newest as they are; what is older by month and kind, with its count.
fn binned(marks: &[Mark]) -> Vec<Mark> {
    let old = marks.len().saturating_sub(MARKS_MAX);
    let mut bins: BTreeMap<(i64, MarkKind), (Moment, usize)> = BTreeMap::new();
    for mark in &marks[..old] {
        let bin = bins.entry((month_of(mark.at), mark.kind)).or_insert((mark.at, 0));
        bin.1 += 1;
    }
    let from_bin = |((_, kind), (at, count)): ((i64, MarkKind), (Moment, usize))| Mark {
        at,
        kind,
        text: format!("{count} times {} in this month", kind.word()),
    };
    let older = bins.into_iter().map(from_bin);
    older.chain(marks[old..].iter().cloned()).collect()
}

fn draw(life: &Life, marks: &[Mark], room: Room) -> Markup {
    let starts = life.spans.iter().map(|span| span.at).chain(marks.iter().map(|mark| mark.at));
    let from = starts.min().unwrap_or(life.until);
    let axis = TimeAxis::new(from, life.until, LEFT + 6.0, room.right);
    let state = life.spans.last().map_or("unknown", |span| span.state.as_str());
    let label = format!(
        "Life of the memory from {} to {}: {} marks, now {state}",
        day_name(from),
        day_name(life.until),
        marks.len(),
    );
    let present: Vec<(Shape, Tone, &str)> = MarkKind::ALL
        .into_iter()
        .filter(|kind| marks.iter().any(|mark| mark.kind == *kind))
        .map(|kind| (kind.look().0, kind.look().1, kind.word()))
        .collect();
    let (meaning, below) = legend(room, (LEFT, HEIGHT - 8.0), &present);
    let inner = html! {
        (axis.markup(AXIS))
        (draw_spans(life, &axis, room))
        @if let Some((title, href)) = &life.successor { (draw_successor((&axis, room), life.until, title, href)) }
        @for one in marks {
            @let (shape, tone, up) = one.kind.look();
            @let title = format!("{}: {}, {}", day_name(one.at), one.kind.word(), shown(&one.text));
            (mark(shape, axis.x(one.at), LINE - up, tone, &title))
        }
        (meaning)
    };
    svg(room.width, HEIGHT + below, &label, inner)
}

fn draw_spans(life: &Life, axis: &TimeAxis, room: Room) -> Markup {
    let mut free = 0.0;
    let mut drawn = Vec::new();
    for (at, span) in life.spans.iter().enumerate() {
        let to = life.spans.get(at + 1).map_or(life.until.max(span.at), |next| next.at);
        let (x1, x2) = (axis.x(span.at), axis.x(to));
        let words = clipped(&span.state, 18);
        let width = words.chars().count() as f64 * 6.4 + 8.0;
        // The last one is what counts now: it is always named.
        let is_last = at + 1 == life.spans.len();
        let start = x1.min(room.width - width - 4.0).max(LEFT);
        let named = start >= free && (is_last || x2 - x1 >= width * 0.6);
        if named {
            free = start + width;
        }
        drawn.push((x1, x2, span, day_name(to), named.then_some((start, words))));
    }
    html! {
        @for (x1, x2, span, to, name) in &drawn {
            @let title = format!("{} from {} to {to}", shown(&span.state), day_name(span.at));
            line class=(span.tone.class()) x1=(px(*x1)) y1=(px(LINE)) x2=(px(*x2)) y2=(px(LINE))
                stroke="currentColor" stroke-width=(span.weight.clamp(1, 5) * 2) {
                title { (title) }
            }
            @if let Some((start, words)) = name { (text(*start, LABELS, span.tone.class(), words)) }
        }
    }
}

fn draw_successor(
    (axis, room): (&TimeAxis, Room),
    until: Moment,
    title: &str,
    href: &str,
) -> Markup {
    let x = axis.x(until);
    let arrow = format!("M{} {LINE}h14m-5 -4l5 4l-5 4", px(x + 2.0));
    html! {
        path class="c-muted" d=(arrow) fill="none" stroke="currentColor" stroke-width="1.5" {}
        (linked(href, html! {
            g class="c-link" {
                title { "superseded by " (shown(title)) }
                (text(x + 22.0, LINE + 4.0, "c-link", &clipped(title, 18)))
            }
        }))
        (text_end(room.width - 4.0, LINE - 12.0, "c-muted t-small", "superseded by"))
    }
}

fn table(life: &Life, marks: &[Mark]) -> Table {
    let mut rows: Vec<(Moment, Vec<Cell>)> = Vec::new();
    for span in &life.spans {
        let cells = [day_name(span.at), "state".to_owned(), span.state.clone()];
        rows.push((span.at, cells.map(Cell::new).to_vec()));
    }
    for mark in marks {
        let cells = [day_name(mark.at), mark.kind.word().to_owned(), mark.text.clone()];
        rows.push((mark.at, cells.map(Cell::new).to_vec()));
    }
    rows.sort_by_key(|row| row.0);
    let mut table = Table::new(&["Day", "What", "Detail"]);
    table.rows = rows.into_iter().map(|row| row.1).collect();
    if let Some((title, href)) = &life.successor {
        let row = [Cell::new(day_name(life.until)), Cell::new("superseded by")];
        table.rows.push(row.into_iter().chain([Cell::linked(title, href)]).collect());
    }
    table
}
