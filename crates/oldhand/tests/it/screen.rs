//! The inbox on a whole screen, as a person meets it: the real program on a real terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use nix::pty::{OpenptyResult, Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::sys::termios::{Termios, tcgetattr};
use nix::unistd::Pid;
use oldhand_store::disk::RealDisk;

use crate::scratch::Scratch;

/// How long a screen may take on a busy machine; only a failure waits so long.
const PATIENCE: Duration = Duration::from_secs(120);
const LEFT: &str = "\u{1b}[?1049l";

struct Seat {
    child: Child,
    keys: File,
    screen: Receiver<Vec<u8>>,
    seen: String,
    slave: OwnedFd,
    before: Termios,
}

impl Seat {
    fn take(scratch: &Scratch, args: &[&str]) -> Self {
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        let OpenptyResult { master, slave } = openpty(&size, None).unwrap();
        let before = tcgetattr(&slave).unwrap();
        let stream = || Stdio::from(slave.try_clone().unwrap());
        let mut command = scratch.program(args);
        command.env("TERM", "xterm-256color").stdin(stream()).stdout(stream()).stderr(stream());
        let child = command.spawn().unwrap();
        let (mut output, keys) = (File::from(master.try_clone().unwrap()), File::from(master));
        let (send, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                if send.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { child, keys, screen, seen: String::new(), slave, before }
    }

    #[track_caller]
    fn wait_for(&mut self, text: &str) {
        while !self.seen.contains(text) {
            let Ok(bytes) = self.screen.recv_timeout(PATIENCE) else {
                panic!("{text:?} never came: {:?}", self.seen)
            };
            self.seen.push_str(&String::from_utf8_lossy(&bytes));
        }
    }

    fn press(&mut self, keys: &str) {
        self.seen.clear();
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// It ends, and the terminal is as it was.
    #[track_caller]
    fn leave(mut self) {
        self.wait_for(LEFT);
        assert!(self.child.wait().unwrap().success());
        assert_eq!(tcgetattr(&self.slave).unwrap(), self.before);
    }
}

fn with_candidate() -> Scratch {
    let scratch = Scratch::new();
    let candidates = br#"{"task_id": "T1", "memory_candidates": ["Retry uploads once"]}"#;
    assert_eq!(scratch.run_on(&RealDisk, &["learn"], candidates).code, 0);
    scratch
}

#[track_caller]
fn becomes(scratch: &Scratch, wanted: &str) {
    let begun = std::time::Instant::now();
    while state(scratch) != wanted {
        assert!(begun.elapsed() < PATIENCE, "it is {}, not {wanted}", state(scratch));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

fn state(scratch: &Scratch) -> String {
    scratch.json(&["show", "retry-uploads-once"])["state"].as_str().unwrap().to_owned()
}

/// R368: a key, a reason, and it is decided; undo is shown before it is done.
#[test]
fn a_candidate_is_promoted_and_that_is_taken_back() {
    let scratch = with_candidate();
    let mut seat = Seat::take(&scratch, &["review"]);
    seat.wait_for("Retry uploads once");
    seat.wait_for("promote");
    seat.press("pwe saw it twice\r");
    // The screen says beforehand what it would become.
    becomes(&scratch, "provisional");
    seat.press("u");
    seat.wait_for("Take this back?");
    assert_eq!(state(&scratch), "provisional");
    seat.press("u");
    seat.wait_for("took back");
    assert_eq!(state(&scratch), "candidate");
    seat.press("q");
    seat.leave();
}

/// R491: both are taken back at once, and not what somebody else wrote meanwhile.
#[test]
fn a_decision_over_several_is_taken_back_as_one() {
    let scratch = with_candidate();
    let more = br#"{"task_id": "T2", "memory_candidates": ["Write dates in full"]}"#;
    assert_eq!(scratch.run_on(&RealDisk, &["learn"], more).code, 0);
    let other = || scratch.json(&["show", "write-dates-in-full"])["state"].clone();
    let mut seat = Seat::take(&scratch, &["review"]);
    seat.wait_for("dates");
    seat.wait_for("promote");
    seat.press("xxrnot ours\r");
    becomes(&scratch, "rejected");
    seat.press("u");
    seat.wait_for("Take this back?");
    assert_eq!(other(), "rejected");
    seat.press("u");
    seat.wait_for("took");
    assert_eq!((state(&scratch).as_str(), other().as_str()), ("candidate", Some("candidate")));

    seat.press("kxxrnot ours\r?");
    becomes(&scratch, "rejected");
    // The keys are shown once the decision is made.
    seat.wait_for("previous");
    scratch.ok(&["add", "reference", "--title", "Staging", "--text", "db-2"]);
    seat.press("qu");
    seat.wait_for("something");
    assert_eq!((state(&scratch).as_str(), other().as_str()), ("rejected", Some("rejected")));
    seat.press("q");
    seat.leave();
}

/// What the command line does meanwhile is not overwritten.
#[test]
fn what_changed_meanwhile_is_read_again() {
    let scratch = with_candidate();
    let mut seat = Seat::take(&scratch, &["review"]);
    seat.wait_for("promote");
    scratch.ok(&["update", "retry-uploads-once", "--tag", "uploads"]);
    seat.press("pwe saw it twice\r");
    seat.wait_for("changed meanwhile");
    assert_eq!(state(&scratch), "candidate");
    // The reason is still there.
    seat.press("\r");
    seat.wait_for("provisional now");
    seat.press("q");
    seat.leave();
}

/// A window that is closed leaves nobody behind, not even where no signal says so.
#[test]
fn a_terminal_that_is_gone_ends_it() {
    let scratch = with_candidate();
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    let OpenptyResult { master, slave } = openpty(&size, None).unwrap();
    let stream = || Stdio::from(slave.try_clone().unwrap());
    let mut command = scratch.program(&["review"]);
    command.env("TERM", "xterm-256color").stdin(stream()).stdout(stream()).stderr(stream());
    // A copy that the program does not inherit.
    let mut screen = File::from(master.try_clone().unwrap());
    drop(master);
    let mut child = command.spawn().unwrap();
    let mut bytes = [0; 4096];
    let mut seen = String::new();
    while !seen.contains("promote") {
        let count = screen.read(&mut bytes).unwrap();
        seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    drop((screen, slave, command));
    let (send, ended) = channel();
    let id = Pid::from_raw(i32::try_from(child.id()).unwrap());
    std::thread::spawn(move || send.send(child.wait()));
    let is_ended = ended.recv_timeout(PATIENCE).is_ok();
    if !is_ended {
        kill(id, Signal::SIGKILL).unwrap();
    }
    assert!(is_ended, "it goes on without a terminal");
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let scratch = with_candidate();
    let mut seat = Seat::take(&scratch, &["review"]);
    seat.wait_for("promote");
    kill(Pid::from_raw(i32::try_from(seat.child.id()).unwrap()), Signal::SIGTERM).unwrap();
    seat.leave();
}

#[test]
fn plain_prompts_stay_where_there_is_no_screen() {
    let scratch = with_candidate();
    let mut seat = Seat::take(&scratch, &["review", "--plain"]);
    seat.wait_for("[p]romote");
    seat.press("q\r");
    assert!(seat.child.wait().unwrap().success());
    assert!(!seat.seen.contains("\u{1b}[?1049h"));
}
