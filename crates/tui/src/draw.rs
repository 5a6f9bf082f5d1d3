//! What a state looks like: the queue, the sheet beside it, the verbs and one line to talk in.

mod lines;
mod sheet;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph};

use crate::item::{Outcome, Row};
use crate::model::{Form, Mode, Model};
use lines::{cut, fill, wrap};

/// Narrower than this, the sheet has a screen of its own.
const BESIDE_MIN: u16 = 72;

/// Styles with or without colour: what colour says is said by a word or a shape too.
#[derive(Clone, Copy)]
struct Look {
    has_colour: bool,
}

impl Look {
    fn tint(self, colour: Color) -> Style {
        if self.has_colour { Style::new().fg(colour) } else { Style::new() }
    }

    fn bold(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    fn heading(self) -> Style {
        self.tint(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    fn clash(self) -> Style {
        self.tint(Color::Red).add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    fn key(self) -> Style {
        self.tint(Color::Yellow).add_modifier(Modifier::BOLD)
    }
}

pub fn draw(model: &Model, frame: &mut Frame<'_>) {
    let look = Look { has_colour: model.has_colour };
    let area = frame.area();
    let foot = foot(model, look, area.width);
    let height = u16::try_from(foot.len()).unwrap_or(u16::MAX).min(area.height / 2);
    let rows = [Constraint::Length(1), Constraint::Min(1), Constraint::Length(height)];
    let [head, body, below] = Layout::vertical(rows).areas(area);
    frame.render_widget(Paragraph::new(headline(model, look, head.width)), head);
    let is_reading = model.mode == Mode::Read;
    if model.mode == Mode::Help {
        frame.render_widget(Paragraph::new(keys(look)), body);
    } else if is_reading || body.width < BESIDE_MIN {
        if is_reading {
            sheet::draw(model, look, frame, body);
        } else {
            queue(model, look, frame, body);
        }
    } else {
        let list = (body.width * 2 / 5).clamp(30, 56);
        let columns = [Constraint::Length(list), Constraint::Min(1)];
        let [left, right] = Layout::horizontal(columns).areas(body);
        let border = Block::new().borders(Borders::RIGHT).border_style(look.dim());
        let inner = border.inner(left);
        frame.render_widget(border, left);
        queue(model, look, frame, inner);
        let right = Rect { x: right.x + 1, width: right.width.saturating_sub(1), ..right };
        sheet::draw(model, look, frame, right);
    }
    frame.render_widget(Clear, below);
    frame.render_widget(Paragraph::new(foot), below);
}

fn headline(model: &Model, look: Look, width: u16) -> Line<'static> {
    let count = match model.waiting() {
        0 => "nothing waits".to_owned(),
        1 => "1 waits".to_owned(),
        many => format!("{many} wait"),
    };
    let mut left = vec![
        Span::styled(" review ", look.bold().add_modifier(Modifier::REVERSED)),
        Span::raw(format!(" {count}")),
    ];
    if !model.filter.is_empty() || model.mode == Mode::Filter {
        left.push(Span::styled(format!("  /{}", model.filter), look.key()));
    }
    if !model.marked.is_empty() {
        left.push(Span::styled(format!("  {} marked", model.marked.len()), look.key()));
    }
    fill(left, vec![Span::styled(format!("deciding as {} ", model.by), look.dim())], width)
}

fn queue(model: &Model, look: Look, frame: &mut Frame<'_>, area: Rect) {
    let shown = model.shown();
    if shown.is_empty() {
        let text = if model.filter.is_empty() {
            "Nothing waits for a review. Hooks propose what they hear; `oldhand install` sets them up."
        } else {
            "Nothing here has these words. Esc shows everything again."
        };
        let pieces = [(text.to_owned(), Style::new())];
        frame.render_widget(Paragraph::new(wrap(&pieces, area.width, "")), area);
        return;
    }
    let (mut lines, mut group, mut at) = (Vec::new(), "", 0);
    for (number, row) in shown.iter().enumerate() {
        if row.group != group {
            group = row.group;
            let count = shown.iter().filter(|it| it.group == group).count();
            lines.push(Line::from(vec![
                Span::styled(group, look.heading()),
                Span::styled(format!(" {count}"), look.dim()),
            ]));
        }
        if number == model.at {
            at = lines.len();
        }
        lines.push(queue_row(model, row, number == model.at, look, area.width));
    }
    let height = usize::from(area.height);
    let from = at.saturating_sub(height / 2).min(lines.len().saturating_sub(height));
    let lines: Vec<Line<'_>> = lines.into_iter().skip(from).take(height).collect();
    frame.render_widget(Paragraph::new(lines), area);
}

fn queue_row(model: &Model, row: &Row, is_chosen: bool, look: Look, width: u16) -> Line<'static> {
    let mut style = Style::new();
    let mark = if model.marked.contains(&row.id) { 'x' } else { ' ' };
    let mut end = format!("{:>4}", row.age);
    match model.outcomes.get(&row.id) {
        Some(Outcome::Done(said)) => {
            style = look.dim().add_modifier(Modifier::CROSSED_OUT);
            end = format!(" {}", cut(said, width / 2));
        }
        Some(Outcome::Refused(_) | Outcome::Stale(_)) => end = " refused".to_owned(),
        None => {}
    }
    if is_chosen {
        style = style.add_modifier(Modifier::REVERSED);
    }
    let room = usize::from(width).saturating_sub(4 + lines::width(&end) + 1);
    let room = u16::try_from(room).unwrap_or(u16::MAX);
    let start = format!("{mark}{} ", row.mark);
    let left = vec![Span::styled(start, look.key()), Span::styled(cut(&row.title, room), style)];
    fill(left, vec![Span::styled(end, look.dim())], width)
}

/// Of a write of many: the keys below it must stay on the screen.
const UNDONE_SHOWN: usize = 5;

/// The verbs, and below them the line in which one talks.
fn foot(model: &Model, look: Look, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![Line::styled("─".repeat(usize::from(width)), look.dim())];
    match &model.mode {
        Mode::Decide(form) => lines.extend(form_lines(model, form, look, width)),
        Mode::Undo(undone) => {
            lines.push(Line::styled("Take this back?", look.bold()));
            for line in undone.iter().take(UNDONE_SHOWN) {
                lines.push(Line::raw(cut(&format!("  {line}"), width)));
            }
            if let more @ 1.. = undone.len().saturating_sub(UNDONE_SHOWN) {
                lines.push(Line::styled(format!("  and {more} more"), look.dim()));
            }
            lines.push(hints(&[("u", "take it back"), ("Esc", "leave it")], look));
        }
        _ => {
            lines.push(verbs(model, look));
            lines.push(match &model.message {
                Some(message) => Line::styled(cut(message, width), look.key()),
                None => hints(
                    &[
                        ("↵", "read"),
                        ("/", "filter"),
                        ("x", "mark"),
                        ("e", "edit"),
                        ("u", "undo"),
                        ("?", "keys"),
                        ("q", "leave"),
                    ],
                    look,
                ),
            });
        }
    }
    lines
}

fn verbs(model: &Model, look: Look) -> Line<'static> {
    let mut spans = Vec::new();
    for verb in model.sheet.iter().flat_map(|sheet| &sheet.verbs) {
        let is_open = verb.would.is_ok();
        let (key, name) = match is_open {
            true => (look.key(), Style::new()),
            false => (look.dim(), look.dim().add_modifier(Modifier::CROSSED_OUT)),
        };
        spans.push(Span::styled(format!("{} ", verb.key), key));
        spans.push(Span::styled(verb.name.replace('_', " "), name));
        spans.push(Span::raw("  "));
    }
    Line::from(spans)
}

fn form_lines(model: &Model, form: &Form, look: Look, width: u16) -> Vec<Line<'static>> {
    let verb = &form.verb;
    let mut first = vec![Span::styled(verb.name.replace('_', " "), look.bold())];
    match model.marked.len() {
        0 | 1 => {
            let would = verb.would.as_ref().map(|it| format!("  → {it}")).unwrap_or_default();
            first.push(Span::styled(would, look.dim()));
        }
        many => first.push(Span::raw(format!(" {many} memories, each by itself"))),
    }
    let mut lines = vec![Line::from(first)];
    if form.more.is_none() && form.reason.is_empty() {
        for (number, reason) in verb.reasons.iter().take(9).enumerate() {
            lines.push(Line::from(vec![
                Span::styled(format!("  {} ", number + 1), look.key()),
                Span::styled(cut(reason, width.saturating_sub(4)), look.dim()),
            ]));
        }
    }
    let cursor = || Span::styled(" ", Style::new().add_modifier(Modifier::REVERSED));
    let line = |question: &'static str, text: &str| {
        vec![Span::styled(format!("{question} "), look.key()), Span::raw(text.to_owned())]
    };
    let mut why = line("why?", &form.reason);
    match &form.more {
        None => {
            why.push(cursor());
            lines.push(Line::from(why));
        }
        Some(more) => {
            let mut asked = line(verb.question.unwrap_or_default(), more);
            asked.push(cursor());
            lines.extend([Line::from(why), Line::from(asked)]);
        }
    }
    lines.push(match &model.message {
        Some(message) => Line::styled(cut(message, width), look.key()),
        None => hints(&[("↵", "decide"), ("Esc", "back")], look),
    });
    lines
}

fn hints(hints: &[(&'static str, &'static str)], look: Look) -> Line<'static> {
    let spans = hints.iter().flat_map(|(key, does)| {
        [Span::styled(*key, look.key()), Span::styled(format!(" {does}  "), look.dim())]
    });
    Line::from(spans.collect::<Vec<_>>())
}

const KEYS: &[(&str, &str)] = &[
    ("j k ↓ ↑", "next, previous"),
    ("Home End", "first, last"),
    ("Enter", "read it on the whole screen, and back"),
    ("PgDn PgUp", "further down, further up in it"),
    ("/", "only what has these words"),
    ("x", "mark it, to decide over several at once"),
    ("p", "promote: one state up"),
    ("y", "keep: it holds"),
    ("i", "reinstate, with other guidance"),
    ("r", "reject"),
    ("s", "supersede, by a memory that you name"),
    ("a", "archive"),
    ("f s b", "on a conflict: follow what was decided, supersede it, both hold"),
    ("e", "edit it before you decide"),
    ("u", "undo the last write; it is shown first"),
    ("g", "read everything again"),
    ("q Esc", "leave; Esc goes one step back first"),
];

fn keys(look: Look) -> Vec<Line<'static>> {
    let row = |(key, does): &(&'static str, &'static str)| {
        Line::from(vec![Span::styled(format!("  {key:<10} "), look.key()), Span::raw(*does)])
    };
    let mut lines = vec![Line::raw("")];
    lines.extend(KEYS.iter().map(row));
    lines
}
