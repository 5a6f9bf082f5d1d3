//! What processes used, as the system accounts for it. The machine may be busy with other things: CPU says less about
//! them than a clock does.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::Outcome;

/// User and system time of a process, all of its threads and of its children that have ended, in clock ticks.
pub(crate) fn cpu(pid: u32) -> Outcome<Duration> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // Behind the name, which may hold anything.
    let behind = text.rsplit_once(')').map_or("", |(_, behind)| behind);
    let times = behind.split_whitespace().skip(11).take(4);
    let ticks: u64 = times.filter_map(|word| word.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * 10))
}

/// One thread of a process, to the nanosecond: a backend of PostgreSQL has no other.
pub(crate) fn exact(pid: u32) -> Outcome<Duration> {
    let text = fs::read_to_string(format!("/proc/{pid}/schedstat"))?;
    let nanos = text.split_whitespace().next().and_then(|word| word.parse().ok());
    Ok(Duration::from_nanos(nanos.ok_or("no account of the process")?))
}

/// PostgreSQL with all of its processes.
pub(crate) fn database_cpu(postmaster: u32) -> Outcome<Duration> {
    let children = fs::read_to_string(format!("/proc/{postmaster}/task/{postmaster}/children"))?;
    let children = children.split_whitespace().filter_map(|it| it.parse().ok());
    // One that ends meanwhile is counted by its parent.
    let children: Duration = children.filter_map(|child| cpu(child).ok()).sum();
    Ok(cpu(postmaster)? + children)
}

pub(crate) fn postmaster(folder: &Path) -> Outcome<u32> {
    let text = fs::read_to_string(folder.join("data/postmaster.pid"))?;
    Ok(text.lines().next().unwrap_or_default().trim().parse()?)
}

pub(crate) fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The least of several runs: what other load disturbed least.
pub(crate) fn least(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// `share` of the times are not longer.
pub(crate) fn percentile(times: &mut [f64], share: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    let at = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len().max(1)) - 1;
    times.get(at).copied().unwrap_or(f64::NAN)
}
