//! How far something is that takes its time, on standard error, for whoever watches.

use std::fmt::Write;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::desk::Desk;

/// What is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_millis(400);
/// What begins with so many in one go is shown at once.
const MANY: usize = 64;
/// What stands beside the bar at most.
const BESIDE: usize = 48;
const CELLS_MAX: usize = 32;

/// A bar that appears when something takes long, and leaves no trace.
pub struct Progress {
    what: &'static str,
    begun: Instant,
    /// Of the bar, where somebody watches.
    cells: Option<usize>,
    bar: Option<ProgressBar>,
}

impl Desk<'_> {
    /// A line that is overwritten is useless in a file, and agents pay for every one of them.
    pub fn progress(&self, what: &'static str) -> Progress {
        let is_person = self.env.interactive && self.agent().is_none() && !self.flags.json;
        let terminal = self.env.remarks.filter(|_| is_person);
        let cells = terminal.map(|it| it.columns.saturating_sub(BESIDE).clamp(1, CELLS_MAX));
        Progress { what, begun: Instant::now(), cells, bar: None }
    }
}

impl Progress {
    pub fn at(&mut self, done: usize, total: usize) {
        let is_soon = self.begun.elapsed() < PATIENCE && !(done == 0 && total >= MANY);
        let Some(cells) = self.cells.filter(|_| self.bar.is_some() || !is_soon) else { return };
        let (what, begun) = (self.what, self.begun);
        let bar = self.bar.get_or_insert_with(|| {
            let counts = "{human_pos}/{human_len}  {rate:.dim}  {left}";
            let template = format!("{{msg}} {{bar:{cells}.cyan/dim}} {counts}");
            let style = ProgressStyle::with_template(&template);
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            let style = style.with_key("rate", rate).with_key("left", left);
            let bar = ProgressBar::new(total as u64).with_elapsed(begun.elapsed());
            bar.with_style(style.progress_chars("━━╌")).with_message(what)
        });
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    }
}

/// Batches come in jumps: what counts is the whole time.
fn per_second(state: &ProgressState) -> f64 {
    state.pos() as f64 / state.elapsed().as_secs_f64().max(0.001)
}

fn rate(state: &ProgressState, out: &mut dyn Write) {
    // Nothing is lost with a number that can't be drawn.
    let _ = write!(out, "{:.0}/s", per_second(state));
}

fn left(state: &ProgressState, out: &mut dyn Write) {
    let rest = state.len().unwrap_or_default().saturating_sub(state.pos());
    if state.pos() > 0 && rest > 0 {
        let seconds = rest as f64 / per_second(state).max(0.001);
        let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let _ = write!(out, "{} left", HumanDuration(time));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
