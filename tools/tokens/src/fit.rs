//! Fits the weights of the events to the tokens of o200k: least squares over the pieces that the tokenizer cuts a text
//! into, weights not below zero. Pieces, not texts, because there the events are told apart.

use std::collections::BTreeMap;

use oldhand_text::tokens::{COLUMNS, GROUPS, events};

use crate::corpus::Passage;

const EVENTS: usize = GROUPS * COLUMNS;
/// Weights that are not fitted, as group, column and tokens. A single space belongs to the piece behind it. The others
/// are too rare in the texts to be fitted, and must not come out cheap: the letters of hashes and keys (groups 7 and 8),
/// and scripts that vocabularies hardly know (groups 9 and 10).
const BY_HAND: [(usize, usize, f64); 11] = [
    (11, 0, 0.0),
    (7, 0, 0.3),
    (7, 1, 0.35),
    (7, 2, 0.35),
    (7, 3, 0.4),
    (7, 4, 0.45),
    (7, 5, 0.35),
    (8, 3, 0.45),
    (8, 4, 0.5),
    (9, 13, 3.0),
    (10, 13, 2.5),
];
/// Longer pieces are rulers and noise; squared they would rule.
const PIECE_EVENTS_MAX: usize = 100;
/// What a class counts, against the rest: memories are what the product holds.
const SHARES: [(&str, f64); 9] = [
    ("imports", 6.0),
    ("decisions", 6.0),
    ("agent-notes", 3.0),
    ("own-docs", 2.0),
    ("chats", 2.0),
    ("talks", 1.0),
    ("python", 0.5),
    ("tool-output", 0.5),
    ("naughty", 0.1),
];
const SHARE_OTHER: f64 = 0.3;
/// Languages share weights. Those that came out too low count more in the next round.
const ROUNDS: usize = 4;
const ROUND_STEP: f64 = 6.0;

/// The normal equations of one class.
struct Equations {
    matrix: Vec<f64>,
    right: Vec<f64>,
    events: Vec<f64>,
    tokens: f64,
    share: f64,
}

pub(crate) fn print(passages: &[Passage]) {
    let mut classes: BTreeMap<&str, Equations> = BTreeMap::new();
    for passage in passages {
        let equations =
            classes.entry(&passage.class).or_insert_with(|| Equations::new(&passage.class));
        equations.add(&passage.text);
    }
    let mut weights = vec![0.0; EVENTS];
    for _ in 0..ROUNDS {
        weights = solve(&classes);
        for (class, equations) in &mut classes {
            let estimate: f64 = weights.iter().zip(&equations.events).map(|(w, n)| w * n).sum();
            let ratio = estimate / equations.tokens;
            if class.starts_with("lang-") {
                equations.share *= (ROUND_STEP * (1.0 - ratio)).exp();
            }
            eprintln!("{class} {ratio:.3}");
        }
    }
    for (group, row) in weights.chunks(COLUMNS).enumerate() {
        let row: Vec<String> = row.iter().map(|weight| format!("{:.0}", weight * 1000.0)).collect();
        println!("    [{}], // {group}", row.join(", "));
    }
}

impl Equations {
    fn new(class: &str) -> Equations {
        let share =
            SHARES.iter().find(|(name, _)| *name == class).map_or(SHARE_OTHER, |(_, share)| *share);
        let (matrix, right) = (vec![0.0; EVENTS * EVENTS], vec![0.0; EVENTS]);
        Equations { matrix, right, events: vec![0.0; EVENTS], tokens: 0.0, share }
    }

    fn add(&mut self, text: &str) {
        let tokenizer = bpe_openai::o200k_base();
        let mut stream = events(text);
        let mut piece_events = Vec::new();
        let mut tokens = 0;
        for piece in tokenizer.split(text) {
            tokens += tokenizer.bpe.count(piece.as_bytes());
            piece_events.extend(stream.by_ref().take(piece.chars().count()));
            // The last blank of a run goes to the next piece, but its event tells of the run: take both together.
            if piece.bytes().all(|byte| matches!(byte, b' ' | b'\t')) {
                continue;
            }
            self.add_piece(&piece_events, tokens as f64);
            piece_events.clear();
            tokens = 0;
        }
    }

    fn add_piece(&mut self, piece_events: &[usize], tokens: f64) {
        self.tokens += tokens;
        for &event in piece_events {
            self.events[event] += 1.0;
        }
        if piece_events.len() > PIECE_EVENTS_MAX {
            return;
        }
        for &event in piece_events {
            self.right[event] += tokens;
            for &other in piece_events {
                self.matrix[event * EVENTS + other] += 1.0;
            }
        }
    }
}

/// Coordinate descent with a floor of zero.
fn solve(classes: &BTreeMap<&str, Equations>) -> Vec<f64> {
    let mut matrix = vec![0.0; EVENTS * EVENTS];
    let mut right = vec![0.0; EVENTS];
    for equations in classes.values() {
        let factor = equations.share / equations.tokens;
        matrix.iter_mut().zip(&equations.matrix).for_each(|(sum, value)| *sum += factor * value);
        right.iter_mut().zip(&equations.right).for_each(|(sum, value)| *sum += factor * value);
    }
    let mut weights = vec![0.0_f64; EVENTS];
    let mut fitted = vec![true; EVENTS];
    for (group, column, weight) in BY_HAND {
        weights[group * COLUMNS + column] = weight;
        fitted[group * COLUMNS + column] = false;
    }
    for _ in 0..500 {
        for event in (0..EVENTS).filter(|event| fitted[*event]) {
            let row = &matrix[event * EVENTS..(event + 1) * EVENTS];
            if row[event] <= 0.0 {
                continue;
            }
            let sum: f64 = row.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
            weights[event] = (weights[event] + (right[event] - sum) / row[event]).max(0.0);
        }
    }
    weights
}
