//! The MCP server: from start to the first answers, warm calls on standard streams and over HTTP,
//! many clients at once, and what it puts into a model's window. Beside `/bin/true` and the disk.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::hooks::{ms, records};
use super::measure::{
    baseline_write, cpu_so_far, finished, median, memory, of_children, percentile, usage,
};
use super::store::Store;
use crate::failure::Failure;
use crate::process;
use http::{Host, stateless_headers};
use stdio::Served;

mod crowd;
mod http;
mod stdio;
mod talk;

const STARTS: usize = 15;
const CALLS: usize = 500;
const WARM_UP: usize = 20;
const WRITES: usize = 100;
const QUESTIONS: usize = 60;
const LARGEST: usize = 10_000;

pub(super) fn bench(program: &Path, folder: &Path, seconds: u64) -> Result<(), Failure> {
    println!("MCP, milliseconds");
    let truth = truth()?;
    println!("  {:30} {}", "/bin/true", truth.tell());
    let mut largest = None;
    for count in [10, 1_000, LARGEST] {
        let store = Store::empty(program, folder, &format!("mcp-{count}"))?;
        fs::write(store.folder.join("records.jsonl"), records(count))?;
        process::run(store.command(&["import", "records.jsonl"]))?;
        process::run(store.command(&["reindex"]))?;
        bench_start(&store, count, &truth)?;
        largest = Some(store);
    }
    let Some(store) = largest else { return Ok(()) };
    bench_stdio(&store)?;
    bench_http(&store)?;
    crowd::bench(&store, seconds)?;
    bench_cost(&store)
}

/// The same thing done some times.
#[derive(Default)]
struct Runs {
    cpu: Vec<Duration>,
    wall: Vec<Duration>,
}

impl Runs {
    fn least_cpu(&self) -> f64 {
        ms(self.cpu.iter().min().copied().unwrap_or_default())
    }

    fn tell(&self) -> String {
        format!(
            "CPU least {:6.2} median {:6.2}   wall least {:6.2} median {:6.2}",
            self.least_cpu(),
            ms(median(self.cpu.clone())),
            ms(self.wall.iter().min().copied().unwrap_or_default()),
            ms(median(self.wall.clone()))
        )
    }
}

fn truth() -> Result<Runs, Failure> {
    let mut runs = Runs::default();
    for _ in 0..STARTS {
        runs.cpu.push(usage(&Command::new("/bin/true"))?.cpu);
        runs.wall.push(finished(Command::new("/bin/true"))?);
    }
    Ok(runs)
}

/// A new process each time, ended as soon as it has answered.
fn bench_start(store: &Store, count: usize, truth: &Runs) -> Result<(), Failure> {
    println!("from start to an answer, {count} memories");
    let then = [
        ("initialize", None),
        ("and the first tools/list", Some(talk::list_tools())),
        ("and the first recall", Some(talk::recall(&talk::question(1)))),
    ];
    for (name, then) in then {
        let mut runs = Runs::default();
        for _ in 0..STARTS {
            let before = of_children()?.cpu;
            let start = Instant::now();
            let mut served = Served::start(store.command(&["mcp"]))?;
            served.greet()?;
            if let Some(then) = &then {
                served.ask(then)?;
            }
            runs.wall.push(start.elapsed());
            drop(served);
            runs.cpu.push(of_children()?.cpu.saturating_sub(before));
        }
        let ratio = runs.least_cpu() / truth.least_cpu();
        println!("  {name:30} {}   {ratio:5.1} x /bin/true", runs.tell());
    }
    Ok(())
}

/// Many calls on one connection; `cpu` is the server's.
struct Calls {
    times: Vec<Duration>,
    cpu: Duration,
}

fn calls(
    server: u32,
    count: usize,
    mut once: impl FnMut(usize) -> Result<Duration, Failure>,
) -> Result<Calls, Failure> {
    let before = cpu_so_far(server)?;
    let mut times = Vec::with_capacity(count);
    for number in 0..count {
        times.push(once(number)?);
    }
    times.sort();
    Ok(Calls { times, cpu: cpu_so_far(server)?.saturating_sub(before) })
}

impl Calls {
    fn p50(&self) -> f64 {
        ms(percentile(&self.times, 0.5))
    }

    fn tell(&self) -> String {
        format!(
            "least {:6.2}   p50 {:6.2}   p95 {:6.2}   p99 {:6.2}   server CPU {:6.2} a call",
            ms(percentile(&self.times, 0.0)),
            self.p50(),
            ms(percentile(&self.times, 0.95)),
            ms(percentile(&self.times, 0.99)),
            ms(self.cpu) / self.times.len().max(1) as f64
        )
    }
}

fn bench_stdio(store: &Store) -> Result<(), Failure> {
    println!("warm, standard streams, {LARGEST} memories, {CALLS} calls");
    let mut served = Served::ready(store.command(&["mcp"]))?;
    let idle = memory(served.id())?;
    for number in 0..WARM_UP {
        served.ask(&talk::recall(&talk::question(CALLS + number)))?;
    }
    let id = served.id();
    let lists = calls(id, CALLS, |_| Ok(served.ask(&talk::list_tools())?.0))?;
    println!("  {:30} {}", "tools/list", lists.tell());
    let recalls =
        calls(id, CALLS, |number| Ok(served.ask(&talk::recall(&talk::question(number)))?.0))?;
    println!("  {:30} {}   target p50 3.00", "recall", recalls.tell());
    let mut cold = Vec::new();
    for number in 0..STARTS {
        cold.push(usage(&store.command(&["recall", &talk::question(number)]))?.cpu);
    }
    println!("  {:30} CPU median {:.2}", "recall as a process", ms(median(cold)));
    let warm = memory(served.id())?;
    let sample = vec![b'x'; 600];
    let mut disk = Vec::new();
    let writes = calls(id, WRITES, |number| {
        disk.push(baseline_write(&store.folder, number, &sample)?);
        Ok(served.ask(&talk::remember(number))?.0)
    })?;
    println!("  {:30} {}", "remember", writes.tell());
    disk.sort();
    let (least, disk) = (ms(percentile(&disk, 0.0)), ms(median(disk)));
    let ratio = writes.p50() / disk;
    println!(
        "  {:30} least {least:6.2}   p50 {disk:6.2}   ratio {ratio:.2}",
        "create, fsync, rename, fsync"
    );
    // Taking in what was written is part of the next answer.
    let after = calls(id, WRITES, |number| {
        served.ask(&talk::remember(WRITES + number))?;
        Ok(served.ask(&talk::recall(&talk::question(number)))?.0)
    })?;
    println!(
        "  {:30} least {:6.2}   p50 {:6.2}   p95 {:6.2}   {:.1} x recall",
        "recall right after a write",
        ms(percentile(&after.times, 0.0)),
        after.p50(),
        ms(percentile(&after.times, 0.95)),
        after.p50() / recalls.p50()
    );
    let mib = |kib: u64| kib as f64 / 1024.0;
    println!(
        "  memory, MiB: idle {:.1}, after the recalls {:.1}, after the writes {:.1}, peak {:.1}",
        mib(idle.now_kib),
        mib(warm.now_kib),
        mib(memory(id)?.now_kib),
        mib(memory(id)?.peak_kib)
    );
    Ok(())
}

fn bench_http(store: &Store) -> Result<(), Failure> {
    println!("warm, HTTP on one connection that is kept, {LARGEST} memories, {CALLS} calls");
    let host = Host::start(store)?;
    let mut connection = host.connect()?;
    let reply = connection.send(&host.request("", &talk::initialize()))?;
    let version = format!("MCP-Protocol-Version: {}\r\n", talk::WITH_SESSION);
    let session = reply.session.map(|id| format!("Mcp-Session-Id: {id}\r\n")).unwrap_or_default();
    let with_session = format!("{version}{session}");
    connection.send(&host.request(&with_session, &talk::initialized()))?;
    let name = if session.is_empty() { "no session was opened" } else { "with a session" };
    let list = host.request(&with_session, &talk::list_tools());
    let recall =
        |number: usize| host.request(&with_session, &talk::recall(&talk::question(CALLS + number)));
    bench_way(name, &host, &list, &recall)?;
    let list =
        host.request(&stateless_headers("tools/list", ""), &talk::stateless(talk::list_tools()));
    let headers = stateless_headers("tools/call", "recall");
    let recall = |number: usize| {
        host.request(&headers, &talk::stateless(talk::recall(&talk::question(number))))
    };
    bench_way("stateless", &host, &list, &recall)
}

fn bench_way(
    name: &str,
    host: &Host,
    list: &str,
    recall: &dyn Fn(usize) -> String,
) -> Result<(), Failure> {
    let mut connection = host.connect()?;
    for number in 0..WARM_UP {
        connection.ask(&recall(CALLS + number))?;
    }
    let lists = calls(host.id(), CALLS, |_| Ok(connection.ask(list)?.0))?;
    println!("  {:30} {}", format!("tools/list, {name}"), lists.tell());
    let recalls = calls(host.id(), CALLS, |number| Ok(connection.ask(&recall(number))?.0))?;
    println!("  {:30} {}", format!("recall, {name}"), recalls.tell());
    Ok(())
}

/// Bytes that a client may put before its model.
fn bench_cost(store: &Store) -> Result<(), Failure> {
    println!("what a client gets, bytes");
    let mut served = Served::start(store.command(&["mcp"]))?;
    let greeting = served.greet()?;
    let instructions = greeting["result"]["instructions"].as_str().unwrap_or_default();
    let (_, listed) = served.ask(&talk::list_tools())?;
    println!("  {:30} {:6}", "instructions", instructions.len());
    println!("  {:30} {:6}", "result of tools/list", length(&listed["result"]));
    let tools = listed["result"]["tools"].as_array().map_or(&[] as &[Value], Vec::as_slice);
    let without_output = tools.iter().map(|tool| {
        let shown = ["name", "description", "inputSchema"].map(|field| length(&tool[field]));
        shown.iter().sum::<usize>()
    });
    println!("  {:30} {:6}", "of it, what models are shown", without_output.sum::<usize>());
    let (mut texts, mut structures) = (Vec::new(), Vec::new());
    for number in 0..QUESTIONS {
        // On a connection of its own: what a connection was told once is told shorter later.
        let mut served = Served::ready(store.command(&["mcp"]))?;
        let (_, answer) = served.ask(&talk::recall(&talk::question(number)))?;
        let content = answer["result"]["content"].as_array().map_or(&[] as &[Value], Vec::as_slice);
        let text = content.iter().filter_map(|block| block["text"].as_str());
        texts.push(text.map(str::len).sum::<usize>());
        structures.push(length(&answer["result"]["structuredContent"]));
    }
    for (name, mut sizes) in [("recall, text", texts), ("recall, structured", structures)] {
        sizes.sort_unstable();
        let (median, most) = (sizes[sizes.len() / 2], sizes[sizes.len() - 1]);
        println!("  {name:30} {median:6} median of {QUESTIONS}, at most {most}");
    }
    Ok(())
}

fn length(value: &Value) -> usize {
    if value.is_null() { 0 } else { value.to_string().len() }
}
