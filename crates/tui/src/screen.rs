//! The real terminal: it is taken, and given back as it was, also after a panic and at a signal.

use std::io::{self, Stdout, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::draw::draw;
use crate::item::{Outcome, Row, Sheet};
use crate::model::{Decision, Model, Wish};

/// What only a store can do.
pub trait House {
    fn rows(&mut self) -> Result<Vec<Row>, String>;
    /// `None` for what no longer waits.
    fn sheet(&mut self, id: &str) -> Result<Option<Sheet>, String>;
    /// Each by itself; undo takes back together what was done.
    fn decide(&mut self, decision: &Decision) -> Vec<(String, Outcome)>;
    /// What would be taken back, or what was.
    fn undo(&mut self, is_preview: bool) -> Result<Vec<String>, String>;
    /// With the terminal as it was before.
    fn edit(&mut self, id: &str) -> Result<String, String>;
}

/// Until the person leaves.
pub fn run(by: String, has_colour: bool, house: &mut dyn House) -> io::Result<()> {
    let rows = house.rows().map_err(io::Error::other)?;
    let mut model = Model::new(by, rows, has_colour);
    let ended = Arc::new(AtomicBool::new(false));
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&ended))?;
    }
    let taken = Taken::take()?;
    let mut terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
    let mut next = || next_key(&ended);
    let done = drive(&mut model, &mut terminal, &mut next, house, Some(&taken));
    drop(taken);
    done
}

/// A key, or nothing when something else happened; `Err` at the end.
fn next_key(ended: &AtomicBool) -> io::Result<Option<KeyEvent>> {
    loop {
        wait_for_input()?;
        if ended.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if event::poll(Duration::ZERO)? {
            break;
        }
    }
    Ok(match event::read()? {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(key),
        _ => None,
    })
}

/// Short enough to see a signal soon. crossterm would read from a terminal that is gone forever, so
/// that is found out here.
fn wait_for_input() -> io::Result<()> {
    const WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
    let keys = rustix::stdio::stdin();
    let mut keys = [PollFd::new(&keys, PollFlags::IN)];
    match rustix::event::poll(&mut keys, Some(&WAIT)) {
        // A signal, perhaps because the window has another size.
        Err(Errno::INTR) => return Ok(()),
        polled => polled?,
    };
    match keys[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) {
        true => Err(io::ErrorKind::UnexpectedEof.into()),
        false => Ok(()),
    }
}

type NextKey<'k> = &'k mut dyn FnMut() -> io::Result<Option<KeyEvent>>;

/// Draws, waits for a key, does what it wishes for. A test drives it with keys of its own.
pub(crate) fn drive<B: Backend>(
    model: &mut Model,
    terminal: &mut Terminal<B>,
    next: NextKey<'_>,
    house: &mut dyn House,
    taken: Option<&Taken>,
) -> io::Result<()>
where
    B::Error: Send + Sync + 'static,
{
    let mut wish = model.chosen().map(|row| Wish::Show(row.id.clone()));
    loop {
        while let Some(wanted) = wish.take() {
            if wanted == Wish::Quit {
                return Ok(());
            }
            let is_edit = matches!(wanted, Wish::Edit(_));
            if let Some(taken) = taken.filter(|_| is_edit) {
                taken.give_back();
            }
            wish = grant(model, wanted, house);
            if let Some(taken) = taken.filter(|_| is_edit) {
                taken.take_again()?;
                terminal.clear().map_err(io::Error::other)?;
            }
        }
        terminal.draw(|frame| draw(model, frame)).map_err(io::Error::other)?;
        match next() {
            Ok(Some(key)) => wish = model.key(key),
            Ok(None) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

fn grant(model: &mut Model, wish: Wish, house: &mut dyn House) -> Option<Wish> {
    let told = match wish {
        Wish::Show(id) => house.sheet(&id).map(|sheet| {
            if sheet.is_none() {
                model.message = Some("this no longer waits; g reads everything again".to_owned());
            }
            model.take_sheet(sheet);
            None
        }),
        Wish::Decide(decision) => {
            return model.take_outcomes(house.decide(&decision));
        }
        Wish::AskUndo => {
            model.take_undo(house.undo(true));
            return None;
        }
        Wish::Undo => house.undo(false).and_then(|lines| {
            let again = model.take_rows(house.rows()?);
            model.message = Some(lines.join("; "));
            Ok(again)
        }),
        Wish::Edit(id) => house.edit(&id).and_then(|said| {
            let again = model.take_rows(house.rows()?);
            model.message = Some(said);
            Ok(again)
        }),
        Wish::Reload => house.rows().map(|rows| model.take_rows(rows)),
        Wish::Quit => return Some(Wish::Quit),
    };
    told.unwrap_or_else(|why| {
        model.message = Some(why);
        None
    })
}

/// The terminal while it is ours.
pub(crate) struct Taken;

impl Taken {
    fn take() -> io::Result<Self> {
        let taken = Self;
        taken.take_again()?;
        Ok(taken)
    }

    fn take_again(&self) -> io::Result<()> {
        enable_raw_mode()?;
        execute!(out(), EnterAlternateScreen, cursor::Hide)
    }

    fn give_back(&self) {
        // If even this fails, there is nobody to tell.
        let _ = execute!(out(), LeaveAlternateScreen, cursor::Show);
        let _ = disable_raw_mode();
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.give_back();
    }
}

fn out() -> Stdout {
    stdout()
}
