//! One thing that waits, in detail.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::Look;
use super::lines::wrap;
use crate::item::{Outcome, Part, Sheet, Side};
use crate::model::Model;

/// Narrower than this, the sides of a conflict stand one below the other.
const SIDES_MIN: u16 = 56;

pub(super) fn draw(model: &Model, look: Look, frame: &mut Frame<'_>, area: Rect) {
    let Some(sheet) = &model.sheet else { return };
    let mut lines = wrap(&[(sheet.title.clone(), look.bold())], area.width, "");
    match model.outcomes.get(&sheet.id) {
        Some(Outcome::Done(said)) => lines.push(Line::styled(format!("→ {said}"), look.key())),
        Some(Outcome::Refused(why)) => {
            lines.extend(wrap(&[(format!("refused: {why}"), look.clash())], area.width, "  "));
        }
        Some(Outcome::Stale(_)) | None => {}
    }
    for part in &sheet.parts {
        lines.extend(part_lines(part, look, area.width));
    }
    lines.extend(refused_verbs(sheet, look, area.width));
    let height = usize::from(area.height);
    let from = usize::from(model.scroll).min(lines.len().saturating_sub(height));
    let hidden = lines.len().saturating_sub(from + height);
    let mut lines: Vec<Line<'_>> = lines.into_iter().skip(from).take(height).collect();
    if hidden > 0
        && let Some(last) = lines.last_mut()
    {
        *last = Line::styled(format!("… {} more lines: PgDn", hidden + 1), look.dim());
    }
    frame.render_widget(Paragraph::new(lines), area);
}

fn part_lines(part: &Part, look: Look, width: u16) -> Vec<Line<'static>> {
    match part {
        Part::Heading(text) => vec![Line::raw(""), Line::styled(text.clone(), look.heading())],
        Part::Fact(name, value) => {
            let name = format!("{name:<10} ");
            wrap(&[(name, look.dim()), (value.clone(), Style::new())], width, "           ")
        }
        Part::Text(text) => wrap(&[(text.clone(), Style::new())], width, ""),
        Part::Point(text) => {
            wrap(&[("• ".to_owned(), look.dim()), (text.clone(), Style::new())], width, "  ")
        }
        Part::Sides { decided, proposed } if width >= SIDES_MIN => beside(
            side(decided, look, width / 2 - 1),
            side(proposed, look, width / 2 - 1),
            width / 2,
        ),
        Part::Sides { decided, proposed } => {
            let mut lines = side(decided, look, width);
            lines.push(Line::raw(""));
            lines.extend(side(proposed, look, width));
            lines
        }
    }
}

fn side(side: &Side, look: Look, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![Line::from(Span::styled(super::cut(&side.heading, width), look.dim()))];
    let pieces = side
        .pieces
        .iter()
        .map(|(text, clashes)| (text.clone(), if *clashes { look.clash() } else { Style::new() }));
    lines.extend(wrap(&pieces.collect::<Vec<_>>(), width, ""));
    lines
}

fn beside(left: Vec<Line<'static>>, right: Vec<Line<'static>>, width: u16) -> Vec<Line<'static>> {
    let height = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let mut lines = Vec::with_capacity(height);
    for _ in 0..height {
        let mut line = left.next().unwrap_or_default();
        let gap = usize::from(width).saturating_sub(line.width());
        line.push_span(Span::raw(" ".repeat(gap)));
        line.spans.extend(right.next().unwrap_or_default().spans);
        lines.push(line);
    }
    lines
}

/// Why some verbs are struck out below.
fn refused_verbs(sheet: &Sheet, look: Look, width: u16) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for verb in &sheet.verbs {
        let Err(why) = &verb.would else { continue };
        if lines.is_empty() {
            lines.extend([Line::raw(""), Line::styled("Not now", look.heading())]);
        }
        let name = format!("{} {}: ", verb.key, verb.name.replace('_', " "));
        lines.extend(wrap(&[(name, look.bold()), (why.clone(), look.dim())], width, "  "));
    }
    lines
}
