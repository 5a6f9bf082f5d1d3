//! Token budgets: a stacked bar per answer, with what the budget left over and what it left out.

use maud::{Markup, html};

use crate::draw::{
    Room, clipped, grouped, hatch, in_lines, linked, narrow, part, px, shown, svg, text, text_end,
};
use crate::{Cell, Picture, Table, Tone};

pub const ANSWERS_MAX: usize = 100;

#[derive(Debug, Clone, Default)]
pub struct Answer {
    pub label: String,
    pub href: String,
    /// What the tokens went into, in the order of [`Budget::parts`].
    pub parts: Vec<u64>,
    pub budget: u64,
    /// Tokens of what fitted no more.
    pub left_out: u64,
}

#[derive(Debug, Clone, Default)]
pub struct Budget {
    /// Their names, such as `constraints`, `task` and `notes`.
    pub parts: Vec<String>,
    pub answers: Vec<Answer>,
}

const LEFT: f64 = 190.0;
const LEFT_NARROW: f64 = 88.0;
const RIGHT: f64 = 96.0;
const ROW: f64 = 24.0;
const TONES: [Tone; 4] = [Tone::Link, Tone::Review, Tone::Good, Tone::Muted];

/// The newest answers come first, as they are given.
pub fn budget(budget: &Budget) -> Picture {
    let answers = &budget.answers[..budget.answers.len().min(ANSWERS_MAX)];
    let names = budget.parts.iter().map(String::as_str);
    let columns: Vec<&str> =
        std::iter::once("Answer").chain(names).chain(["Unused", "Budget", "Left out"]).collect();
    let mut table = Table::new(&columns);
    table.rows = answers.iter().map(|answer| row(answer, budget.parts.len())).collect();
    let svg = |room: Room| draw(budget, answers, room);
    let narrow = narrow(svg(Room::phone(LEFT_NARROW, RIGHT)));
    Picture { svg: svg(Room::page(LEFT, RIGHT)), narrow, table }
}

/// Wide enough for what only a broken log would say.
fn used(answer: &Answer) -> u128 {
    answer.parts.iter().map(|part| u128::from(*part)).sum()
}

fn unused(answer: &Answer) -> u128 {
    u128::from(answer.budget).saturating_sub(used(answer))
}

fn row(answer: &Answer, parts: usize) -> Vec<Cell> {
    let mut cells = vec![Cell::linked(&answer.label, &answer.href)];
    cells.extend((0..parts).map(|at| Cell::new(answer.parts.get(at).copied().unwrap_or(0))));
    cells.push(Cell::new(unused(answer)));
    cells.extend([answer.budget, answer.left_out].map(Cell::new));
    cells
}

fn draw(budget: &Budget, answers: &[Answer], room: Room) -> Markup {
    let whole = |it: &Answer| used(it) + unused(it) + u128::from(it.left_out);
    let most = answers.iter().map(whole).max().unwrap_or(0) as f64;
    let scale = |tokens: u128| (room.right - room.left) * part(tokens as f64, most);
    let (meaning, below) = key(budget, room);
    let height = 32.0 + below + answers.len() as f64 * ROW;
    let total = answers.iter().map(used).sum::<u128>();
    let label = format!("Tokens of {} answers: {total} in all", answers.len());
    let inner = html! {
        (meaning)
        @for (at, answer) in answers.iter().enumerate() {
            @let top = 28.0 + below + at as f64 * ROW;
            (linked(&answer.href, html! {
                g {
                    title { (shown(&answer.label)) }
                    (text(0.0, top + 13.0, "c-ink", &clipped(&answer.label, room.letters())))
                }
            }))
            (bar(budget, answer, (room.left, top), &scale))
            (text_end(room.width - 2.0, top + 13.0, "c-muted", &format!("{} of {}", grouped(used(answer)), grouped(answer.budget.into()))))
        }
    };
    svg(room.width, height, &label, inner)
}

fn bar(
    budget: &Budget,
    answer: &Answer,
    (left, top): (f64, f64),
    scale: &dyn Fn(u128) -> f64,
) -> Markup {
    let mut x = left;
    let mut pieces = Vec::new();
    for (at, tokens) in answer.parts.iter().enumerate().filter(|it| *it.1 > 0) {
        let width = scale(u128::from(*tokens));
        let name = budget.parts.get(at).map_or("", String::as_str);
        pieces.push((x, width, TONES[at % TONES.len()], format!("{}: {tokens}", shown(name))));
        x += width;
    }
    let (free, out) = (scale(unused(answer)), scale(u128::from(answer.left_out)));
    html! {
        @for (x, width, tone, title) in &pieces {
            rect class=(tone.class()) x=(px(*x)) y=(px(top)) width=(px((width - 1.0).max(0.5))) height="16" fill="currentColor" {
                title { (title) }
            }
        }
        rect class="c-muted" x=(px(x)) y=(px(top + 0.5)) width=(px(free)) height="15" fill="currentColor"
            fill-opacity="0.08" stroke="currentColor" stroke-opacity="0.5" {
            title { "unused: " (unused(answer)) }
        }
        @if answer.left_out > 0 {
            g class="c-watch" {
                title { "left out: " (answer.left_out) }
                rect x=(px(x + free)) y=(px(top)) width=(px(out)) height="16" fill="currentColor" fill-opacity="0.15" {}
                path d=(hatch(x + free, top, out, 16.0, 6.0)) stroke="currentColor" fill="none" {}
            }
        }
    }
}

/// What the colours mean, and how far down its last line is.
fn key(budget: &Budget, room: Room) -> (Markup, f64) {
    let left = if room.is_narrow() { 0.0 } else { room.left };
    let names = budget.parts.iter().map(|name| clipped(name, 16));
    let words: Vec<String> = names.chain(["unused".to_owned(), "left out".to_owned()]).collect();
    let needs = words.iter().map(|word| 34.0 + word.chars().count() as f64 * 6.8);
    let (places, below) = in_lines(left, room.width, needs);
    let look = |at: usize| match at.checked_sub(budget.parts.len()) {
        None => (TONES[at % TONES.len()], "1"),
        Some(0) => (Tone::Muted, "0.15"),
        Some(_) => (Tone::Watch, "0.15"),
    };
    let drawn = html! {
        @for (at, ((x, line), word)) in places.iter().zip(&words).enumerate() {
            @let (tone, opacity) = look(at);
            rect class=(tone.class()) x=(px(*x)) y=(px(4.0 + line)) width="12" height="12" fill="currentColor"
                fill-opacity=(opacity) stroke="currentColor" {}
            (text(x + 18.0, 14.0 + line, "c-muted t-small", word))
        }
    };
    (drawn, below)
}
