//! The harness against small real programs; the files on disk tell where each one died.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use super::{Finished, KillAt, Outcome, count_calls, run};

const SCRIPT: &str = "echo a > f; echo b > g; mv f h; echo done";

/// What the script leaves behind, from nothing to all of it.
const STATES: &[&str] = &["", "f=", "f=a", "f=a g=", "f=a g=b", "g=b h=a"];

fn shell(script: &str, directory: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).current_dir(directory).stdin(Stdio::null());
    command
}

fn state(directory: &Path) -> String {
    let mut files: Vec<String> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let text = fs::read_to_string(entry.path()).unwrap();
            format!("{}={}", entry.file_name().display(), text.trim_end())
        })
        .collect();
    files.sort();
    files.join(" ")
}

/// The state after each kill, in order, and how the unkilled run ended.
fn sweep(kill_at: fn(u32) -> KillAt) -> (Vec<(&'static str, String)>, Finished) {
    let mut killed_at = Vec::new();
    for n in 1.. {
        let directory = tempfile::tempdir().unwrap();
        match run(&mut shell(SCRIPT, directory.path()), kill_at(n)).unwrap() {
            Outcome::Killed(killed) => killed_at.push((killed.call, state(directory.path()))),
            Outcome::Finished(finished) => return (killed_at, finished),
        }
    }
    unreachable!("some run finishes")
}

#[track_caller]
fn check_sweep(kill_at: fn(u32) -> KillAt) {
    let (killed_at, finished) = sweep(kill_at);
    let mut states: Vec<&str> = killed_at.iter().map(|(_, state)| state.as_str()).collect();
    states.dedup();
    let wanted = match kill_at(1) {
        KillAt::BeforeCall(_) => STATES,
        KillAt::AfterCall(_) => &STATES[1..],
    };
    assert_eq!(states, wanted, "{killed_at:?}");
    assert_eq!(finished.calls as usize, killed_at.len());
    assert_eq!(finished.code, Some(0));
    assert_eq!(finished.stdout, b"done\n");
}

#[test]
fn before_a_call_it_has_not_happened() {
    check_sweep(KillAt::BeforeCall);
}

#[test]
fn after_a_call_it_has_happened() {
    check_sweep(KillAt::AfterCall);
}

#[test]
fn many_at_once_do_not_disturb_each_other() {
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                // A child of this thread that the tracer must leave to us.
                let mut own = Command::new("/bin/sh").args(["-c", "exit 7"]).spawn().unwrap();
                check_sweep(KillAt::BeforeCall);
                check_sweep(KillAt::AfterCall);
                assert_eq!(own.wait().unwrap().code(), Some(7));
            });
        }
    });
}

#[test]
fn the_killed_call_is_named_and_the_output_so_far_kept() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = shell("echo one; echo two; mkdir d", directory.path());
    let Outcome::Killed(killed) = run(&mut command, KillAt::BeforeCall(3)).unwrap() else {
        panic!("three calls");
    };
    assert!(killed.call.starts_with("mkdir"), "{}", killed.call);
    assert_eq!(killed.stdout, b"one\ntwo\n");
}

#[test]
fn a_command_can_be_run_again() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = shell("echo one; echo two >&2; exit 3", directory.path());
    for _ in 0..3 {
        let finished = count_calls(&mut command).unwrap();
        let wanted = Finished {
            code: Some(3),
            calls: 2,
            stdout: b"one\n".to_vec(),
            stderr: b"two\n".to_vec(),
        };
        assert_eq!(finished, wanted);
    }
}

#[test]
fn reading_is_not_counted() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("f"), "text").unwrap();
    assert_eq!(count_calls(&mut shell("read line < f; :", directory.path())).unwrap().calls, 0);
}

#[test]
fn what_is_left_in_the_background_is_killed() {
    let directory = tempfile::tempdir().unwrap();
    let finished = count_calls(&mut shell("sleep 50 & exit 0", directory.path())).unwrap();
    assert_eq!(finished.code, Some(0));
}

#[test]
fn signals_reach_the_program() {
    let directory = tempfile::tempdir().unwrap();
    let trapped = count_calls(&mut shell("trap 'exit 4' USR1; kill -USR1 $$", directory.path()));
    assert_eq!(trapped.unwrap().code, Some(4));
    let died = count_calls(&mut shell("kill -TERM $$", directory.path()));
    assert_eq!(died.unwrap().code, None);
}

#[test]
fn a_missing_program_is_an_error() {
    for program in ["/no/such/program", "/etc/passwd", "sh"] {
        run(&mut Command::new(program), KillAt::BeforeCall(1)).unwrap_err();
    }
}

/// No multi-threaded program is everywhere, except this one: it runs itself again, once.
#[test]
fn threads_are_followed() {
    const DIRECTORY: &str = "OLDHAND_TESTKIT_THREADS";
    const THREADS: usize = 8;
    if let Some(directory) = std::env::var_os(DIRECTORY) {
        thread::scope(|scope| {
            for n in 0..THREADS {
                let path = Path::new(&directory).join(format!("f{n}"));
                scope.spawn(|| fs::write(path, "x").unwrap());
            }
        });
        return;
    }
    let itself = |directory: &Path| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "kill::tests::threads_are_followed"]).env(DIRECTORY, directory);
        command
    };
    let directory = tempfile::tempdir().unwrap();
    let finished = count_calls(&mut itself(directory.path())).unwrap();
    assert_eq!(finished.code, Some(0), "{}", String::from_utf8_lossy(&finished.stdout));
    assert!(finished.calls as usize >= 2 * THREADS);
    let mut fewest_files = THREADS;
    for n in 1..finished.calls / 2 {
        let directory = tempfile::tempdir().unwrap();
        let outcome = run(&mut itself(directory.path()), KillAt::BeforeCall(n)).unwrap();
        assert!(matches!(outcome, Outcome::Killed(_)), "{n}");
        fewest_files = fewest_files.min(fs::read_dir(directory.path()).unwrap().count());
    }
    assert_eq!(fewest_files, 0);
}
