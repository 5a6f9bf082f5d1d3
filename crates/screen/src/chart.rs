//! Numbers as small pictures of text.

const BAR_CELLS: usize = 5;
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A share from 0 to 1 in five cells: `▰▰▰▱▱`. Only what is whole is full, and what is there is seen.
pub fn bar(share: f64) -> String {
    let cells = share.clamp(0.0, 1.0) * BAR_CELLS as f64;
    let full = if cells > 0.0 { (cells + 1e-9).floor().max(1.0) as usize } else { 0 };
    "▰".repeat(full) + &"▱".repeat(BAR_CELLS - full)
}

/// One sign per number, the largest being a full one; what is not zero is never flat.
pub fn sparkline(numbers: &[usize]) -> String {
    let largest = numbers.iter().copied().max().unwrap_or(0).max(1);
    let top = LEVELS.len() - 1;
    let level = |number: usize| match number {
        0 => 0,
        number => (number * top).div_ceil(largest).max(1),
    };
    numbers.iter().map(|number| LEVELS[level(*number)]).collect()
}
