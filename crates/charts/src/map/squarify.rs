//! A squarified treemap (Bruls, Huizing and van Wijk): rectangles of given areas that are as close
//! to squares as can be.

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    pub(super) fn inside(self, padding: f64, head: f64) -> Self {
        Self {
            x: self.x + padding,
            y: self.y + head,
            width: (self.width - 2.0 * padding).max(0.0),
            height: (self.height - head - padding).max(0.0),
        }
    }
}

/// `sizes` from large to small, all of them positive. Together the rectangles fill `whole`.
pub(super) fn squarify(sizes: &[f64], whole: Rect) -> Vec<Rect> {
    let total: f64 = sizes.iter().sum();
    if total <= 0.0 || !total.is_finite() {
        return Vec::new();
    }
    let scale = whole.width * whole.height / total;
    let mut placed = Vec::with_capacity(sizes.len());
    let mut left = whole;
    let mut start = 0;
    while start < sizes.len() {
        let short = left.width.min(left.height);
        let mut end = start + 1;
        let mut best = worst_ratio(&sizes[start..end], scale, short);
        while end < sizes.len() {
            let next = worst_ratio(&sizes[start..=end], scale, short);
            if next > best {
                break;
            }
            best = next;
            end += 1;
        }
        left = lay_row(&sizes[start..end], scale, left, &mut placed);
        start = end;
    }
    placed
}

fn worst_ratio(row: &[f64], scale: f64, short: f64) -> f64 {
    let area: f64 = row.iter().sum::<f64>() * scale;
    let thick = area / short.max(f64::EPSILON);
    let ratio = |size: &f64| {
        let long = size * scale / thick.max(f64::EPSILON);
        (long / thick.max(f64::EPSILON)).max(thick / long.max(f64::EPSILON))
    };
    row.iter().map(ratio).fold(0.0, f64::max)
}

/// A row along the shorter side; returns what stays free.
fn lay_row(row: &[f64], scale: f64, left: Rect, placed: &mut Vec<Rect>) -> Rect {
    let area: f64 = row.iter().sum::<f64>() * scale;
    let is_column = left.width >= left.height;
    let short = left.width.min(left.height);
    let thick = (area / short.max(f64::EPSILON)).min(left.width.max(left.height));
    let mut at = 0.0;
    for size in row {
        let long = (size * scale / thick.max(f64::EPSILON)).min(short - at).max(0.0);
        placed.push(match is_column {
            true => Rect { x: left.x, y: left.y + at, width: thick, height: long },
            false => Rect { x: left.x + at, y: left.y, width: long, height: thick },
        });
        at += long;
    }
    match is_column {
        true => Rect { x: left.x + thick, width: left.width - thick, ..left },
        false => Rect { y: left.y + thick, height: left.height - thick, ..left },
    }
}
