//! Programs that run until they end or their time is over.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::failure::Failure;

pub(super) enum End {
    Exited(ExitStatus),
    /// It was ended because its time was over.
    Stopped,
}

/// How long a program that was asked to end may take for it.
const GRACE: Duration = Duration::from_secs(20);

/// Runs with both outputs in the log, as a group of processes that ends with it.
pub(super) fn run_until(mut command: Command, until: Instant, log: &Path) -> Result<End, Failure> {
    let output = File::create(log)?;
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output).process_group(0);
    let mut child = command.spawn()?;
    let group = Pid::from_raw(i32::try_from(child.id()).unwrap_or(i32::MAX));
    let mut asked = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if asked.is_some() { End::Stopped } else { End::Exited(status) });
        }
        let now = Instant::now();
        let signal = match asked {
            None if now >= until => Signal::SIGTERM,
            Some(then) if now >= then + GRACE => Signal::SIGKILL,
            _ => {
                std::thread::sleep(Duration::from_millis(100));
                continue;
            }
        };
        // It may have ended just now.
        let _ = killpg(group, signal);
        asked = Some(now);
    }
}

/// What a log says last, for a finding.
pub(super) fn tail(log: &Path) -> Result<String, Failure> {
    const LINES: usize = 12;
    let text = String::from_utf8_lossy(&std::fs::read(log)?).into_owned();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    Ok(lines[lines.len().saturating_sub(LINES)..].join("\n"))
}
