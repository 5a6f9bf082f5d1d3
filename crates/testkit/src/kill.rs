//! Runs a real program and kills it at its n-th change of the disk, before or after that call.
//! It owns the tracing; which calls change the disk is in `calls`. It knows nothing of memories.
//!
//! A seccomp filter stops the program at the counted calls alone, so it runs at full speed
//! between them. Threads and child processes are followed, counted and killed with the program.
//! `io_uring`, `ioctl` and memory mapped for writing are not seen.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{self, Signal};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

mod calls;
#[cfg(test)]
mod tests;

/// Which counted call is the program's last, 1-based over the program, its threads and children.
/// Zero never comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KillAt {
    /// The call never runs.
    BeforeCall(u32),
    /// The call has run, but the program never learns how it went.
    AfterCall(u32),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Killed {
    pub call: &'static str,
    pub stdout: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// `None` when a signal that was not ours ended the program.
    pub code: Option<i32>,
    pub calls: u32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Killed(Killed),
    Finished(Finished),
}

/// A program that hangs must not hang the suite; no command of ours takes a tenth of this.
const RUN_LIMIT_SECONDS: u32 = 60;

/// Runs the command until the chosen call, or to its end when it makes fewer calls. Standard
/// output and error are captured; standard input, directory and environment are the caller's.
/// The command may be run again. Its program is a path: the search path is not looked through.
pub fn run(command: &mut Command, kill: KillAt) -> io::Result<Outcome> {
    // Waiting for "any child" would steal the children of others. A thread of its own has none
    // but the traced ones, and only the thread that spawned the program may trace it.
    thread::scope(|scope| {
        let tracer = scope.spawn(|| run_on_this_thread(command, kill));
        tracer.join().expect("the tracer thread returns its errors and does not panic")
    })
}

/// Runs the command to its end, counting.
pub fn count_calls(command: &mut Command) -> io::Result<Finished> {
    match run(command, KillAt::BeforeCall(0))? {
        Outcome::Finished(finished) => Ok(finished),
        Outcome::Killed(killed) => {
            Err(io::Error::other(format!("killed without being asked, at `{}`", killed.call)))
        }
    }
}

fn run_on_this_thread(command: &mut Command, kill: KillAt) -> io::Result<Outcome> {
    // Files, not pipes: nobody has to drain them while the program is stopped.
    let (stdout, stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    be_traced(command)?;
    // A piped standard input is dropped here, which makes it an empty one.
    let main = pid_of(command.spawn()?.id());
    let mut tracer =
        Tracer { main, tracees: BTreeSet::from([main]), kill, calls: 0, leaving: None };
    let end = tracer.attach().and_then(|()| tracer.follow());
    // Also after a failure: nothing that was started here outlives this function.
    tracer.kill_all()?;
    let stdout = contents(stdout)?;
    Ok(match end? {
        End::Killed(call) => Outcome::Killed(Killed { call, stdout }),
        End::Finished(code) => {
            let calls = tracer.calls;
            Outcome::Finished(Finished { code, calls, stdout, stderr: contents(stderr)? })
        }
    })
}

/// Set in the forked child only, whose memory is a copy: a command that is run again carries one
/// `pre_exec` per run, and only the first may act.
static ARMED: AtomicBool = AtomicBool::new(false);

#[expect(unsafe_code, reason = "only code between fork and exec can ask to be traced from exec on")]
fn be_traced(command: &mut Command) -> io::Result<()> {
    let path = CString::new(command.get_program().as_bytes())?;
    if !path.as_bytes().contains(&b'/') {
        let text = format!("not a path, which the kill harness needs: {path:?}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    let filter = calls::filter();
    let arm = move || {
        if ARMED.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        // Once the filter is set the child can no longer tell its parent that exec failed, and
        // both would wait for ever. So the usual reasons are looked for before.
        // SAFETY: the path ends with a zero and lives in the closure.
        Errno::result(unsafe { libc::access(path.as_ptr(), libc::X_OK) })?;
        ptrace::traceme()?;
        let program = libc::sock_fprog {
            len: u16::try_from(filter.len()).expect("a filter has a few hundred steps"),
            filter: filter.as_ptr().cast_mut(),
        };
        // SAFETY: three plain system calls that take numbers and a filter which lives in the
        // closure; the kernel copies it before it returns.
        unsafe {
            // Kept across exec: the alarm ends a program that hangs.
            libc::alarm(RUN_LIMIT_SECONDS);
            // A filter may be set without privileges only by who cannot gain any.
            Errno::result(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
            let mode = libc::SECCOMP_MODE_FILTER;
            Errno::result(libc::prctl(libc::PR_SET_SECCOMP, mode, &raw const program))?;
        }
        Ok(())
    };
    // SAFETY: `arm` allocates nothing, takes no lock and touches only its own copy of memory, so
    // it may run between fork and exec of a program with threads.
    unsafe { command.pre_exec(arm) };
    Ok(())
}

enum End {
    Killed(&'static str),
    Finished(Option<i32>),
}

struct Tracer {
    main: Pid,
    /// Every process and thread that is ours and not yet reported dead.
    tracees: BTreeSet<Pid>,
    kill: KillAt,
    calls: u32,
    /// Inside the call after which it dies.
    leaving: Option<(Pid, &'static str)>,
}

impl Tracer {
    /// Waits for the stop that exec makes and has everything the program starts traced as well.
    fn attach(&mut self) -> io::Result<()> {
        match wait_for(self.main)? {
            WaitStatus::Stopped(_, Signal::SIGTRAP) => {}
            other => {
                if matches!(other, WaitStatus::Exited(..) | WaitStatus::Signaled(..)) {
                    // Its number may be another's by now.
                    self.tracees.remove(&self.main);
                }
                return Err(io::Error::other(format!("could not execute: {other:?}")));
            }
        }
        let options = Options::PTRACE_O_EXITKILL
            | Options::PTRACE_O_TRACESYSGOOD
            | Options::PTRACE_O_TRACESECCOMP
            | Options::PTRACE_O_TRACECLONE
            | Options::PTRACE_O_TRACEFORK
            | Options::PTRACE_O_TRACEVFORK
            // Without it every later exec raises a SIGTRAP like the program's own.
            | Options::PTRACE_O_TRACEEXEC;
        ptrace::setoptions(self.main, options)?;
        resume(self.main, None)
    }

    fn follow(&mut self) -> io::Result<End> {
        loop {
            match wait_any()? {
                WaitStatus::Exited(pid, code) if pid == self.main => {
                    self.tracees.remove(&pid);
                    return Ok(End::Finished(Some(code)));
                }
                WaitStatus::Signaled(pid, signal, _) if pid == self.main => {
                    self.tracees.remove(&pid);
                    return finished_by(signal);
                }
                WaitStatus::Exited(pid, _) | WaitStatus::Signaled(pid, _, _) => {
                    self.tracees.remove(&pid);
                }
                WaitStatus::PtraceEvent(pid, _, event) => {
                    if let Some(call) = self.event(pid, event)? {
                        return Ok(End::Killed(call));
                    }
                }
                WaitStatus::PtraceSyscall(pid) => match self.leaving {
                    Some((leaving, call)) if leaving == pid => return Ok(End::Killed(call)),
                    _ => resume(pid, None)?,
                },
                WaitStatus::Stopped(pid, signal) => {
                    // What was started just now is born with a stop that nobody sent.
                    let newborn = self.tracees.insert(pid) && signal == Signal::SIGSTOP;
                    resume(pid, (!newborn).then_some(signal))?;
                }
                WaitStatus::Continued(_) | WaitStatus::StillAlive => {}
            }
        }
    }

    /// The call to die at, when this is it.
    fn event(&mut self, pid: Pid, event: libc::c_int) -> io::Result<Option<&'static str>> {
        // Another thread may have ended the process meanwhile; its end is reported next.
        let Some(message) = if_alive(ptrace::getevent(pid))? else { return Ok(None) };
        if event == libc::PTRACE_EVENT_EXEC {
            // A thread that executes takes over the number of its process; its own is free.
            self.tracees.retain(|known| *known == pid || i64::from(known.as_raw()) != message);
        }
        if event != libc::PTRACE_EVENT_SECCOMP {
            resume(pid, None)?;
            return Ok(None);
        }
        let call = calls::name(message);
        self.calls += 1;
        match self.kill {
            KillAt::BeforeCall(n) if n == self.calls => return Ok(Some(call)),
            KillAt::AfterCall(n) if n == self.calls => {
                self.leaving = Some((pid, call));
                // Since Linux 4.8 the next stop after the filter's is the way out of the call.
                if_alive(ptrace::syscall(pid, None))?;
            }
            KillAt::BeforeCall(_) | KillAt::AfterCall(_) => resume(pid, None)?,
        }
        Ok(None)
    }

    /// Kills and reaps until no child of this thread is left.
    fn kill_all(&mut self) -> io::Result<()> {
        // The program first: its threads die in one step with it.
        if self.tracees.contains(&self.main) {
            if_alive(signal::kill(self.main, Signal::SIGKILL))?;
        }
        for tracee in &self.tracees {
            if_alive(signal::kill(*tracee, Signal::SIGKILL))?;
        }
        loop {
            let status = match wait_any() {
                Ok(status) => status,
                Err(error) if error.raw_os_error() == Some(libc::ECHILD) => return Ok(()),
                Err(error) => return Err(error),
            };
            match status {
                WaitStatus::Exited(..) | WaitStatus::Signaled(..) => {}
                // Born while its parent was being killed.
                other => {
                    if let Some(pid) = other.pid() {
                        if_alive(signal::kill(pid, Signal::SIGKILL))?;
                    }
                }
            }
        }
    }
}

fn finished_by(signal: Signal) -> io::Result<End> {
    if signal == Signal::SIGALRM {
        let text = format!("the program did not end within {RUN_LIMIT_SECONDS} seconds");
        return Err(io::Error::new(io::ErrorKind::TimedOut, text));
    }
    Ok(End::Finished(None))
}

fn resume(pid: Pid, signal: Option<Signal>) -> io::Result<()> {
    if_alive(ptrace::cont(pid, signal))?;
    Ok(())
}

/// A tracee may be killed by another one at any time; its end is then reported by `wait_any`.
fn if_alive<T>(result: nix::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Errno::ESRCH) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn wait_any() -> io::Result<WaitStatus> {
    wait_for(Pid::from_raw(-1))
}

fn wait_for(pid: Pid) -> io::Result<WaitStatus> {
    loop {
        match waitpid(pid, Some(WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD)) {
            Err(Errno::EINTR) => {}
            other => return Ok(other?),
        }
    }
}

fn pid_of(id: u32) -> Pid {
    Pid::from_raw(libc::pid_t::try_from(id).expect("the kernel's process numbers fit its own type"))
}

/// The program moved the shared position to the end.
fn contents(mut file: File) -> io::Result<Vec<u8>> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
