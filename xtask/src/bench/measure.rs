//! Clocks and gauges around one process.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::failure::Failure;

pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// From start to exit.
pub(crate) fn finished(mut command: Command) -> Result<Duration, Failure> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    command.status()?;
    Ok(start.elapsed())
}

/// From start to the first byte of the answer.
pub(crate) fn acknowledged(mut command: Command) -> Result<Duration, Failure> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut first = [0u8; 1];
    let mut stdout = child.stdout.take().ok_or_else(|| Failure::new("no standard output"))?;
    let read = stdout.read(&mut first)?;
    let elapsed = start.elapsed();
    std::io::copy(&mut stdout, &mut std::io::sink())?;
    if read == 0 || !child.wait()?.success() {
        return Err(Failure::new("the measured command failed"));
    }
    Ok(elapsed)
}

/// What the disk needs for the same bytes: create, fsync, rename, fsync of the folder.
pub(crate) fn baseline_write(
    folder: &Path,
    number: usize,
    bytes: &[u8],
) -> Result<Duration, Failure> {
    let folder = folder.join("baseline");
    fs::create_dir_all(&folder)?;
    let (part, whole) =
        (folder.join(format!("{number}.part")), folder.join(format!("{number}.md")));
    let start = Instant::now();
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&part, &whole)?;
    File::open(&folder)?.sync_all()?;
    Ok(start.elapsed())
}

/// What one process used, as its parent's account says.
pub(crate) struct Usage {
    pub cpu: Duration,
    pub peak_kib: u64,
}

/// Runs the command below a fresh process of our own: the account of a process's children is their
/// maximum, so each measured one needs a parent to itself.
pub(crate) fn usage(command: &Command) -> Result<Usage, Failure> {
    usage_fed(command, Path::new("/dev/null"))
}

/// The same with a file as standard input.
pub(crate) fn usage_fed(command: &Command, input: &Path) -> Result<Usage, Failure> {
    let mut parent = Command::new(std::env::current_exe()?);
    parent
        .arg("usage")
        .arg(input)
        .arg(command.get_program())
        .args(command.get_args())
        .stdin(Stdio::null());
    if let Some(folder) = command.get_current_dir() {
        parent.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => parent.env(name, value),
            None => parent.env_remove(name),
        };
    }
    let text = crate::process::capture(parent)?;
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(micros), Some(peak_kib)) => {
            Ok(Usage { cpu: Duration::from_micros(micros), peak_kib })
        }
        _ => Err(Failure::new(format!("no account of the process: `{text}`"))),
    }
}

/// The other side of `usage`: runs a program, prints its microseconds and its peak in KiB.
pub(crate) fn print_usage(_: &Path, arguments: &[String]) -> Result<(), Failure> {
    let [input, program, rest @ ..] = arguments else {
        return Err(Failure::new("usage of what?"));
    };
    let mut command = Command::new(program);
    command.args(rest).stdin(File::open(input)?).stdout(Stdio::null());
    command.status()?;
    let used = of_children()?;
    println!("{} {}", used.cpu.as_micros(), used.peak_kib);
    Ok(())
}

/// All children of this process that have ended: the sum of their CPU, the largest of their peaks.
pub(crate) fn of_children() -> Result<Usage, Failure> {
    let used = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN)
        .map_err(|error| Failure::new(error.to_string()))?;
    let micros = |time: nix::sys::time::TimeVal| time.tv_sec() * 1_000_000 + time.tv_usec();
    let cpu = micros(used.user_time()) + micros(used.system_time());
    let unsigned = |number: i64| u64::try_from(number).unwrap_or(0);
    Ok(Usage { cpu: Duration::from_micros(unsigned(cpu)), peak_kib: unsigned(used.max_rss()) })
}

/// The CPU of a process that still runs, all of its threads and of its children that have ended, in steps of a
/// clock tick.
pub(crate) fn cpu_so_far(id: u32) -> Result<Duration, Failure> {
    let text = fs::read_to_string(format!("/proc/{id}/stat"))?;
    // Behind the name, which may hold anything: user time is the twelfth, then system time, then the children's.
    let behind = text.rsplit_once(')').map_or("", |(_, behind)| behind);
    let times = behind.split_whitespace().skip(11).take(4);
    let ticks: u64 = times.filter_map(|word| word.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * 10))
}

/// What a process that runs holds in memory now, and the most it ever did.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    pub now_kib: u64,
    pub peak_kib: u64,
}

pub(crate) fn memory(id: u32) -> Result<Memory, Failure> {
    let text = fs::read_to_string(format!("/proc/{id}/status"))?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    };
    Ok(Memory { now_kib: field("VmRSS:"), peak_kib: field("VmHWM:") })
}

/// How long the fastest part of this share took at most.
pub(crate) fn percentile(sorted: &[Duration], share: f64) -> Duration {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
}
