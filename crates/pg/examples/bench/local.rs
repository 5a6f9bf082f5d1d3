//! The plain program on files, with the same memories and the same vectors, asked over MCP on its standard streams.

use std::io::{BufRead as _, BufReader, Write as _};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use jiff::Timestamp;
use oldhand_core::kind::Kinds;
use oldhand_core::policy::TrustPolicy;
use oldhand_store::disk::RealDisk;
use oldhand_store::index::{CheckPolicy, FillPolicy, IndexOpening, LocalIndex, Opened};
use oldhand_store::layout::Layout;
use oldhand_store::port::index::Index as _;
use oldhand_store::port::{Plan, Vault as _};
use oldhand_store::ulid::SystemEntropy;
use oldhand_store::vault::{LocalVault, Opening};
use oldhand_text::hash::ContentHash;
use serde_json::{Value, json};

use crate::texts::{Noise, creation};
use crate::{Outcome, gauge};

pub(crate) struct Local {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

pub(crate) fn program(name: &Path, home: &Path) -> Command {
    let mut command = Command::new(name);
    command
        .current_dir(home)
        .env("HOME", home)
        .env("OLDHAND_LIMITS_MAX_MEMORIES_PER_KIND", "0")
        .env_remove("OLDHAND_ROOT")
        .env_remove("XDG_CACHE_HOME")
        // Whoever runs this may be an agent in a session; what is measured is not.
        .env_remove("CLAUDECODE")
        .env_remove("CLAUDE_CODE_SESSION_ID")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// A store of files in this folder, which is a repository; with an index of words and noise where it is asked.
pub(crate) fn write(
    oldhand: &Path,
    home: &Path,
    numbers: Range<u64>,
    with_index: bool,
) -> Outcome<()> {
    if !program(oldhand, home).arg("init").status()?.success() {
        return Err("`oldhand init` failed".into());
    }
    let root = std::fs::canonicalize(home.join(".oldhand"))?;
    let key = ContentHash::of(root.to_string_lossy().as_bytes()).to_string();
    let cache = home.join(".cache/oldhand").join(&key[..16]);
    let (kinds, trust) = (Kinds::default(), TrustPolicy::default());
    let vault = LocalVault::open(Opening {
        disk: &RealDisk,
        layout: Layout { root, repository: home.to_owned() },
        kinds: &kinds,
        entropy: &SystemEntropy,
        now: Timestamp::now(),
        lock_wait: Duration::from_secs(5),
        index: Some(cache.clone()),
        commits_index: false,
    })
    .map_err(|failure| failure.to_string())?;
    let mut plan = Plan::default();
    for number in numbers {
        let (file, event) = creation(number, &kinds)?;
        plan.add(file, event);
    }
    let written = vault.write(&mut || Ok(plan.clone()));
    drop(written.map_err(|failure| failure.to_string())?.settle());
    if !with_index {
        return Ok(());
    }
    let index = LocalIndex::open(IndexOpening {
        vaults: vec![Opened {
            vault: &vault,
            cache: Some(cache),
            is_own: false,
            from: None,
            is_doubted: false,
        }],
        embedder: Some(&Noise),
        why_no_meaning: String::new(),
        fill: FillPolicy::NONE,
        build_max: usize::MAX,
        trust: &trust,
        check: CheckPolicy { hours: 24, entries: 5, window: CheckPolicy::WINDOW },
        warm: None,
    });
    let index = index.map_err(|failure| failure.to_string())?;
    index.fill_all(true, &mut |_, _| true).map_err(|failure| failure.to_string())?;
    Ok(())
}

impl Local {
    pub(crate) fn start(oldhand: &Path, home: &Path) -> Outcome<Self> {
        let mut command = program(oldhand, home);
        let mut child = command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        let mut local = Self { child, input, output };
        let client = json!({ "name": "bench", "version": "1" });
        local.ask(
            "initialize",
            &json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client }),
        )?;
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        writeln!(local.input, "{ready}")?;
        Ok(local)
    }

    pub(crate) fn recall(&mut self, query: &str) -> Outcome<Value> {
        self.ask("tools/call", &json!({ "name": "recall", "arguments": { "query": query } }))
    }

    fn ask(&mut self, method: &str, params: &Value) -> Outcome<Value> {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        writeln!(self.input, "{request}")?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(format!("the server ended at `{method}`").into());
            }
            let answer: Value = serde_json::from_str(&line)?;
            // What the server says on its own has no result.
            if answer["method"].is_null() {
                return match answer["result"]["isError"] == true || answer["result"].is_null() {
                    true => Err(format!("refused: {answer}").into()),
                    false => Ok(answer["result"].clone()),
                };
            }
        }
    }

    pub(crate) fn cpu(&self) -> Outcome<f64> {
        Ok(gauge::ms(gauge::cpu(self.child.id())?))
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
