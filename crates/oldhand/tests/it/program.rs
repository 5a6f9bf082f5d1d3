//! Running the program in process, with the world passed in.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Cursor;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use oldhand::{Env, Io};
use oldhand_store::disk::Disk;
use oldhand_store::ulid::Entropy;

/// The same ids for the same seed.
pub(crate) struct SeededEntropy {
    seed: u64,
    count: AtomicU64,
}

impl SeededEntropy {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, count: AtomicU64::new(0) }
    }
}

impl Entropy for SeededEntropy {
    fn next(&self) -> u128 {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        (u128::from(self.seed) << 40) | u128::from(count)
    }
}

pub(crate) struct Ran {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub code: u8,
}

/// What one run needs to know about the world.
pub(crate) struct World<'a> {
    pub disk: &'a dyn Disk,
    pub vars: BTreeMap<String, String>,
    pub current_dir: &'a Path,
    pub now: Timestamp,
    pub seed: u64,
}

pub(crate) fn run(world: &World<'_>, args: &[&str], stdin: &[u8]) -> Ran {
    run_for(world, args, stdin, false)
}

/// The same with a person at the terminal, who types this.
pub(crate) fn run_typed(world: &World<'_>, args: &[&str], typed: &str) -> Ran {
    run_for(world, args, typed.as_bytes(), true)
}

fn run_for(world: &World<'_>, args: &[&str], stdin: &[u8], interactive: bool) -> Ran {
    let entropy = SeededEntropy::new(world.seed);
    let env = Env {
        vars: world.vars.clone(),
        current_dir: world.current_dir.to_owned(),
        disk: world.disk,
        entropy: &entropy,
        interactive,
        terminal: None,
        remarks: None,
    };
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let code = {
        let mut io = Io::new(Cursor::new(stdin.to_vec()), &mut stdout, &mut stderr);
        let args = std::iter::once("oldhand").chain(args.iter().copied()).map(OsString::from);
        oldhand::run(args, &env, world.now, &mut io)
    };
    Ran { stdout, stderr, code }
}
