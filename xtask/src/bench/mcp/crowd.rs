//! Many clients at once, each on a connection of its own, for a while.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::super::hooks::ms;
use super::super::measure::{cpu_so_far, memory, percentile};
use super::super::store::Store;
use super::http::{Host, stateless_headers};
use super::talk;
use crate::failure::Failure;

const CLIENTS: usize = 64;
const QUESTIONS: usize = 60;
const SETTLES: Duration = Duration::from_secs(3);

#[derive(Default)]
struct Tally {
    times: Vec<Duration>,
    bytes: usize,
    /// How often each kind of failure came.
    failures: BTreeMap<String, usize>,
}

impl Tally {
    fn failed(&mut self, kind: String) {
        *self.failures.entry(kind).or_default() += 1;
    }
}

pub(super) fn bench(store: &Store, seconds: u64) -> Result<(), Failure> {
    let host = Host::start(store)?;
    let idle = memory(host.id())?;
    let headers = stateless_headers("tools/call", "recall");
    let request = |number: usize| {
        host.request(&headers, &talk::stateless(talk::recall(&talk::question(number))))
    };
    host.connect()?.ask(&request(0))?;
    let (before, cpu) = (memory(host.id())?, cpu_so_far(host.id())?);
    let requests: Vec<Vec<String>> = (0..CLIENTS)
        .map(|client| (0..QUESTIONS).map(|at| request(client * QUESTIONS + at)).collect())
        .collect();
    let start = Instant::now();
    let until = start + Duration::from_secs(seconds);
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let clients: Vec<_> =
            requests.iter().map(|mine| scope.spawn(|| client(&host, mine, until))).collect();
        clients.into_iter().filter_map(|client| client.join().ok()).collect()
    });
    let (elapsed, cpu) = (start.elapsed(), cpu_so_far(host.id())?.saturating_sub(cpu));
    let after = memory(host.id())?;
    std::thread::sleep(SETTLES);
    let settled = memory(host.id())?;
    let mut all = Tally::default();
    for tally in tallies {
        all.times.extend(tally.times);
        all.bytes += tally.bytes;
        for (kind, count) in tally.failures {
            *all.failures.entry(kind).or_default() += count;
        }
    }
    tell(&mut all, elapsed, cpu);
    let mib = |kib: u64| kib as f64 / 1024.0;
    println!(
        "  memory, MiB: idle {:.1}, after one question {:.1}, peak {:.1}, at the end {:.1}, {} s later {:.1}",
        mib(idle.now_kib),
        mib(before.now_kib),
        mib(after.peak_kib),
        mib(after.now_kib),
        SETTLES.as_secs(),
        mib(settled.now_kib)
    );
    Ok(())
}

fn tell(all: &mut Tally, elapsed: Duration, cpu: Duration) {
    all.times.sort();
    let count = all.times.len().max(1);
    println!("{CLIENTS} clients at once over HTTP, stateless, for {} s", elapsed.as_secs());
    println!(
        "  {:.0} answers per second ({} in all), {} bytes each; server CPU {:.2} ms each, {:.2} cores",
        all.times.len() as f64 / elapsed.as_secs_f64(),
        all.times.len(),
        all.bytes / count,
        ms(cpu) / count as f64,
        cpu.as_secs_f64() / elapsed.as_secs_f64()
    );
    println!(
        "  p50 {:.2}   p99 {:.2}   longest {:.2}",
        ms(percentile(&all.times, 0.5)),
        ms(percentile(&all.times, 0.99)),
        ms(percentile(&all.times, 1.0))
    );
    if all.failures.is_empty() {
        println!("  no failures");
    }
    for (kind, count) in &all.failures {
        println!("  FAILED {count} times: {kind}");
    }
}

/// Asks until the time is over; after a broken connection on a new one.
fn client(host: &Host, requests: &[String], until: Instant) -> Tally {
    let mut tally = Tally::default();
    let mut connection = None;
    let mut numbers = (0..requests.len()).cycle();
    while Instant::now() < until {
        let mut open = match connection.take().map_or_else(|| host.connect(), Ok) {
            Ok(open) => open,
            Err(error) => {
                tally.failed(format!("connect: {:?}", error.kind()));
                std::thread::sleep(Duration::from_millis(10));
                continue;
            }
        };
        let request = &requests[numbers.next().unwrap_or(0)];
        let start = Instant::now();
        match open.send(request) {
            Ok(reply) if reply.status == 200 && is_good(&reply.body) => {
                tally.times.push(start.elapsed());
                tally.bytes += reply.body.len();
                connection = Some(open);
            }
            Ok(reply) => {
                let text = String::from_utf8_lossy(&reply.body);
                let start: String = text.chars().take(120).collect();
                tally.failed(format!("status {}: {start}", reply.status));
                connection = Some(open);
            }
            Err(error) => tally.failed(format!("request: {:?}", error.kind())),
        }
    }
    tally
}

/// Looked at without being parsed: the clients share the machine with the server.
fn is_good(body: &[u8]) -> bool {
    let has = |words: &[u8]| body.windows(words.len()).any(|part| part == words);
    has(b"\"result\":") && !has(b"\"isError\":true")
}
