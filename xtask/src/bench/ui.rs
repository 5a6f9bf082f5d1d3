//! The dashboard: the time and the CPU of a page, warm, beside an empty page of the same server and `/bin/true`, and
//! what the process holds.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::measure::{cpu_so_far, finished, median, memory, percentile};
use super::ms;
use super::store::Store;
use crate::failure::Failure;
use crate::process;

const PAGES: &[&str] = &[
    "/",
    "/review",
    "/memories",
    "/memories?sort=trust",
    "/memories?sort=title",
    "/memories?tag=t7",
    "/memories?q=part",
    "/m/fact-number-7",
    "/sessions",
    "/code",
    "/learning",
    "/conflicts",
    "/store",
    // Last, because it sets off work beside the pages that follow.
    "/ask?q=part+under+load",
];
const VISITS: usize = 20;
/// Looks, three seconds apart, whether the server does something by itself.
const REST_MAX: usize = 20;

pub(super) fn bench(program: &Path, folder: &Path, largest: usize) -> Result<(), Failure> {
    let truth: Result<Vec<Duration>, Failure> =
        (0..VISITS).map(|_| finished(Command::new("/bin/true"))).collect();
    let truth = ms(median(truth?));
    println!("pages of the dashboard, milliseconds; /bin/true {truth:.2}");
    for count in [0, 1, 300, 1_000, 10_000, 100_000] {
        if count > largest {
            break;
        }
        let store = filled(program, &folder.join(format!("ui-{count}")), count)?;
        // Once without an index, and once with the one that was made then.
        visit(&store, count, &[])?;
        visit(&store, count, PAGES)?;
    }
    Ok(())
}

/// A repository with files, and memories that name them: half of them in force, as files that somebody has pulled,
/// half of them candidates, as an import makes them.
fn filled(program: &Path, folder: &Path, count: usize) -> Result<Store, Failure> {
    let store = Store::empty(program, folder, "repository")?;
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.args(args).current_dir(&store.folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
        process::run(command)
    };
    git(&["init", "-q"])?;
    // The home of whoever is measured is the same folder; in a real repository it is not.
    fs::write(store.folder.join(".git/info/exclude"), "/.cache\n/.local\n/.config\n")?;
    for number in 0..500 {
        let (part, file) = (number % 50, number / 50);
        let path = store.folder.join(format!("src/part{part}"));
        fs::create_dir_all(&path)?;
        fs::write(path.join(format!("file{file}.rs")), format!("// {part} {file}\n"))?;
    }
    // A file as new as git's index is read again at each look at the tree, which no old file is.
    std::thread::sleep(Duration::from_millis(1_100));
    git(&["add", "src"])?;
    git(&["-c", "user.name=ada", "-c", "user.email=ada@example.org", "commit", "-qm", "files"])?;
    let records = folder.join("records.jsonl");
    fs::write(&records, super::store::records(count / 2..count))?;
    if count > 0 {
        process::run(store.command(&["import", &super::path_text(&records)]))?;
    }
    fs::create_dir_all(store.folder.join(".oldhand/reference"))?;
    for number in 0..count / 2 {
        let text = format!("Fact {number} tells how the part of that number behaves. ").repeat(9);
        let (month, day, part, file) =
            (1 + number % 9, 1 + number % 28, number % 50, number / 50 % 10);
        let memory = format!(
            "---\nid: fact-number-{number}\ntype: reference\ntitle: Fact number {number}\nstate: stable\n\
             scope: project\norigin: user\ntags: [bulk, t{part}]\ncreated_at: 2026-0{month}-{day:02}T10:00:00Z\n\
             updated_at: 2026-0{month}-{day:02}T10:00:00Z\nrelated_files: [src/part{part}/file{file}.rs]\n---\n\n\
             {text}\n"
        );
        fs::write(
            store.folder.join(format!(".oldhand/reference/fact-number-{number}.md")),
            memory,
        )?;
    }
    Ok(store)
}

fn visit(store: &Store, count: usize, pages: &[&str]) -> Result<(), Failure> {
    let start = Instant::now();
    let served = Served::start(store)?;
    let first = served.get("/")?;
    println!("{count} memories: first page after the start {:.0}", ms(start.elapsed()));
    let empty = median(served.times("/enter")?.0);
    println!("  {:24} {:7.2}", "an empty page", ms(empty));
    for page in pages.iter().filter(|page| count > 14 || !page.starts_with("/m/")) {
        served.get(page)?;
        let before = cpu_so_far(served.child.id())?;
        let (times, bytes) = served.times(page)?;
        let cpu = ms(cpu_so_far(served.child.id())? - before) / times.len() as f64;
        let mut sorted = times.clone();
        sorted.sort();
        let (middle, slow) = (ms(median(times)), ms(percentile(&sorted, 0.95)));
        println!(
            "  {page:24} {middle:7.2}   p95 {slow:7.2}   CPU {cpu:6.2}   {:5.1} x an empty page   {:4} KiB",
            middle / ms(empty),
            bytes / 1024
        );
    }
    let held = memory(served.child.id())?;
    served.wait_for_rest()?;
    let resting = memory(served.child.id())?;
    println!(
        "  first page {} KiB, memory {} MiB, at rest {} MiB, the most {} MiB",
        first.len() / 1024,
        held.now_kib / 1024,
        resting.now_kib / 1024,
        resting.peak_kib / 1024
    );
    Ok(())
}

struct Served {
    child: Child,
    port: String,
    host: String,
    cookie: String,
}

impl Served {
    fn start(store: &Store) -> Result<Self, Failure> {
        let mut command = store.command(&["ui", "--no-open"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or_else(|| Failure::new("no standard output"))?;
        BufReader::new(stdout).read_line(&mut line)?;
        let odd = || Failure::new(format!("no address: {line}"));
        let address = line.trim().strip_prefix("http://").ok_or_else(odd)?;
        let (host, ticket) = address.split_once("/enter#").ok_or_else(odd)?;
        let port = host.rsplit(':').next().unwrap_or_default().to_owned();
        let mut served = Self { child, port, host: host.to_owned(), cookie: String::new() };
        let body = format!("ticket={ticket}");
        let head = format!(
            "POST /enter HTTP/1.1\r\nOrigin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n",
            body.len()
        );
        let reply = served.ask(&head, &body)?;
        let reply = String::from_utf8_lossy(&reply);
        let cookie = reply.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("set-cookie").then(|| value.split(';').next())?
        });
        served.cookie = cookie.ok_or_else(|| Failure::new("the door stayed closed"))?.to_owned();
        Ok(served)
    }

    fn get(&self, path: &str) -> Result<Vec<u8>, Failure> {
        let reply = self.ask(&format!("GET {path} HTTP/1.1\r\nSec-Fetch-Site: none\r\n"), "")?;
        if reply.starts_with(b"HTTP/1.1 2") {
            return Ok(reply);
        }
        let status = String::from_utf8_lossy(&reply).lines().next().unwrap_or_default().to_owned();
        Err(Failure::new(format!("{path}: {status}")))
    }

    fn ask(&self, head: &str, body: &str) -> Result<Vec<u8>, Failure> {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{}", self.port))?;
        let (host, cookie) = (&self.host, &self.cookie);
        let more = format!("Host: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n{body}");
        stream.write_all(format!("{head}{more}").as_bytes())?;
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply)?;
        Ok(reply)
    }

    /// Until it has done nothing for three seconds, or embeds for longer than anybody waits.
    fn wait_for_rest(&self) -> Result<(), Failure> {
        for _ in 0..REST_MAX {
            let before = cpu_so_far(self.child.id())?;
            std::thread::sleep(Duration::from_secs(3));
            if cpu_so_far(self.child.id())? == before {
                break;
            }
        }
        Ok(())
    }

    fn times(&self, path: &str) -> Result<(Vec<Duration>, usize), Failure> {
        let mut bytes = 0;
        let mut times = Vec::with_capacity(VISITS);
        for _ in 0..VISITS {
            let start = Instant::now();
            bytes = self.get(path)?.len();
            times.push(start.elapsed());
        }
        Ok((times, bytes))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
