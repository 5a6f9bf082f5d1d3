//! What all charts are drawn with: numbers, text that was written by others, colours and an axis.

use maud::{Markup, html};
use oldhand_text::strings::visible_line;

use crate::date::{Moment, ticks};

/// The width of every chart that fills a page.
pub(crate) const WIDTH: f64 = 720.0;
const NARROW: f64 = 340.0;
/// A chart with more in it is drawn once; on a phone it scrolls.
const NARROW_BYTES_MAX: usize = 10_000;

/// Where a chart is drawn: on a page, or on a phone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    pub width: f64,
    /// Names stand before it, and totals behind `right`.
    pub left: f64,
    pub right: f64,
}

impl Room {
    /// As wide as a page. `left` and `right` are left free.
    pub(crate) fn page(left: f64, right: f64) -> Self {
        Self { width: WIDTH, left, right: WIDTH - right }
    }

    /// The same on a phone, with less room for names.
    pub(crate) fn phone(left: f64, right: f64) -> Self {
        Self { width: NARROW, left, right: NARROW - right }
    }

    pub(crate) fn is_narrow(&self) -> bool {
        self.width < WIDTH
    }

    /// How many letters of a name fit before the chart.
    pub(crate) fn letters(&self) -> usize {
        (self.left / 6.6) as usize
    }
}

/// What a chart is on a phone, unless there is too much in it.
pub(crate) fn narrow(svg: Markup) -> Option<Markup> {
    (svg.0.len() <= NARROW_BYTES_MAX).then_some(svg)
}

/// With commas between thousands.
pub fn number(value: u64) -> String {
    grouped(value.into())
}

pub(crate) fn grouped(value: u128) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What a colour says; the words beside it say the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Tone {
    Ink,
    #[default]
    Muted,
    Link,
    Good,
    Watch,
    Bad,
    Review,
}

impl Tone {
    pub fn class(self) -> &'static str {
        match self {
            Self::Ink => "c-ink",
            Self::Muted => "c-muted",
            Self::Link => "c-link",
            Self::Good => "c-good",
            Self::Watch => "c-watch",
            Self::Bad => "c-bad",
            Self::Review => "c-review",
        }
    }
}

/// A coordinate with at most one decimal. What is no number is drawn at the origin.
pub(crate) fn px(value: f64) -> String {
    let rounded = if value.is_finite() { (value * 10.0).round() / 10.0 } else { 0.0 };
    // Never `-0`.
    format!("{}", rounded + 0.0)
}

pub(crate) fn part(part: f64, whole: f64) -> f64 {
    if whole > 0.0 && part.is_finite() { (part / whole).clamp(0.0, 1.0) } else { 0.0 }
}

/// Text of others on one line, with its hidden characters visible. maud escapes the rest.
pub(crate) fn shown(text: &str) -> String {
    visible_line(text)
}

/// The same, cut to so many characters; the whole text belongs into a `title`.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    let text = shown(text);
    if text.chars().count() <= most {
        return text;
    }
    let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
    cut.truncate(cut.trim_end().len());
    cut.push('\u{2026}');
    cut
}

/// The frame of a chart.
pub(crate) fn svg(width: f64, height: f64, label: &str, inner: Markup) -> Markup {
    let view = format!("0 0 {} {}", px(width), px(height));
    // What has links in it is no picture for a screen reader, but a group of them.
    let role = if inner.0.contains("<a ") { "group" } else { "img" };
    html! {
        svg viewBox=(view) width=(px(width)) height=(px(height)) role=(role) aria-label=(shown(label)) {
            (inner)
        }
    }
}

/// A shape that is a link, if there is somewhere to go.
pub(crate) fn linked(href: &str, inner: Markup) -> Markup {
    if href.is_empty() {
        return inner;
    }
    html! { a href=(href) { (inner) } }
}

pub(crate) fn text(x: f64, y: f64, class: &str, words: &str) -> Markup {
    html! { text x=(px(x)) y=(px(y)) class=(class) { (words) } }
}

/// Ends at `x`.
pub(crate) fn text_end(x: f64, y: f64, class: &str, words: &str) -> Markup {
    html! { text x=(px(x)) y=(px(y)) class=(class) text-anchor="end" { (words) } }
}

pub(crate) fn text_mid(x: f64, y: f64, class: &str, words: &str) -> Markup {
    html! { text x=(px(x)) y=(px(y)) class=(class) text-anchor="middle" { (words) } }
}

pub(crate) fn rule(x1: f64, y1: f64, x2: f64, y2: f64) -> Markup {
    html! {
        line class="c-line" x1=(px(x1)) y1=(px(y1)) x2=(px(x2)) y2=(px(y2)) stroke="currentColor" {}
    }
}

/// A stretch of time on a stretch of pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeAxis {
    from: Moment,
    to: Moment,
    left: f64,
    right: f64,
}

impl TimeAxis {
    /// At least a day long, so that one event has a place; what is younger stands at its end.
    pub(crate) fn new(from: Moment, to: Moment, left: f64, right: f64) -> Self {
        let to = to.max(from);
        Self { from: from.min(to.saturating_sub(crate::date::DAY)), to, left, right }
    }

    pub(crate) fn x(&self, at: Moment) -> f64 {
        let span = self.to.saturating_sub(self.from) as f64;
        self.left + (self.right - self.left) * part(at.saturating_sub(self.from) as f64, span)
    }

    /// Ticks below `y`, with their names.
    pub(crate) fn markup(&self, y: f64) -> Markup {
        let most = ((self.right - self.left) / 64.0) as usize;
        let ticks: Vec<(f64, String)> = ticks(self.from, self.to, most.clamp(2, 8))
            .into_iter()
            .map(|(at, name)| (self.x(at), name))
            .filter(|(x, _)| *x > self.left + 16.0 && *x < self.right - 16.0)
            .collect();
        html! {
            (rule(self.left, y, self.right, y))
            @for (x, name) in &ticks {
                (rule(*x, y, *x, y + 4.0))
                (text_mid(*x, y + 17.0, "c-muted t-small", name))
            }
        }
    }
}

/// Shapes that differ without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    Circle,
    Ring,
    Square,
    Up,
    Down,
    Diamond,
    Cross,
}

/// A shape around a point, with what it says on hover.
pub(crate) fn mark(shape: Shape, x: f64, y: f64, tone: Tone, title: &str) -> Markup {
    let (left, right, top, low) = (px(x - 5.0), px(x + 5.0), px(y - 5.0), px(y + 5.0));
    let (px_x, px_y) = (px(x), px(y));
    let path = match shape {
        Shape::Circle | Shape::Ring => {
            format!("M{left} {px_y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z")
        }
        Shape::Square => format!("M{left} {top}H{right}V{low}H{left}z"),
        Shape::Up => format!("M{px_x} {top}L{right} {low}H{left}z"),
        Shape::Down => format!("M{px_x} {low}L{right} {top}H{left}z"),
        Shape::Diamond => format!("M{px_x} {top}L{right} {px_y}L{px_x} {low}L{left} {px_y}z"),
        Shape::Cross => format!("M{left} {top}L{right} {low}M{right} {top}L{left} {low}"),
    };
    let (fill, line) = match shape {
        Shape::Ring => ("none", "2"),
        Shape::Cross => ("none", "2.5"),
        _ => ("currentColor", "0"),
    };
    html! {
        path class=(tone.class()) d=(path) fill=(fill) stroke="currentColor" stroke-width=(line) {
            @if !title.is_empty() { title { (title) } }
        }
    }
}

pub(crate) const LEGEND_LINE: f64 = 18.0;

/// Places of words that need so much room each, in lines from `left` to `width`; and how many lines.
pub(crate) fn in_lines(
    left: f64,
    width: f64,
    needs: impl Iterator<Item = f64>,
) -> (Vec<(f64, f64)>, f64) {
    let (mut x, mut line) = (left, 0.0);
    let place = |need: f64| {
        if x > left && x + need > width {
            (x, line) = (left, line + 1.0);
        }
        let place = (x, line * LEGEND_LINE);
        x += need;
        place
    };
    let places: Vec<(f64, f64)> = needs.map(place).collect();
    let lines = places.last().map_or(0.0, |it| it.1);
    (places, lines)
}

/// What the shapes mean, from `left` and `y` on, and how far down the last line of it is.
pub(crate) fn legend(
    room: Room,
    (left, y): (f64, f64),
    entries: &[(Shape, Tone, &str)],
) -> (Markup, f64) {
    let needs = entries.iter().map(|it| 28.0 + it.2.chars().count() as f64 * 6.4);
    let (places, below) = in_lines(left + 6.0, room.width, needs);
    let drawn = html! {
        @for ((x, line), (shape, tone, word)) in places.iter().zip(entries) {
            (mark(*shape, *x, y + line - 4.0, *tone, ""))
            (text(x + 10.0, y + line, "c-muted t-small", word))
        }
    };
    (drawn, below)
}

/// Diagonal lines, drawn as a path inside the rectangle: no `defs`, whose ids would clash between
/// two charts of a page.
pub(crate) fn hatch(x: f64, y: f64, width: f64, height: f64, gap: f64) -> String {
    let mut path = String::new();
    let gap = gap.max(2.0);
    let mut offset = gap;
    while offset < width + height && path.len() < 4_000 {
        let (x1, y1) =
            if offset <= height { (x, y + offset) } else { (x + offset - height, y + height) };
        let (x2, y2) =
            if offset <= width { (x + offset, y) } else { (x + width, y + offset - width) };
        path.push_str(&format!("M{} {}L{} {}", px(x1), px(y1), px(x2), px(y2)));
        offset += gap;
    }
    path
}
