//! A PostgreSQL of one's own, for tests and for trying the team server: a copy of the cluster that `make` leaves,
//! started as a child on a socket in a folder of its own. Dropped, it is gone. It speaks no SQL.

mod make;

pub use make::{Trouble, make};

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// PostgreSQL refuses to run as root: then it runs as `nobody`.
const NOBODY: u32 = 65_534;
/// A server that is not ready after so many looks never will be.
const LOOKS_MAX: usize = 3_000;
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Where this workspace keeps its own.
pub fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"), PathBuf::from);
    target.join("pg")
}

/// Where the programs and the template are.
#[derive(Debug, Clone)]
pub struct Programs {
    bin: PathBuf,
    template: PathBuf,
}

/// How much a server of a test may lose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// What it acknowledges is on the disk, as in service.
    Full,
    /// It does not wait for the disk: only for tests that don't kill it.
    None,
}

pub struct Server {
    programs: Programs,
    durability: Durability,
    settings: &'static [&'static str],
    folder: tempfile::TempDir,
    child: Child,
}

impl Programs {
    /// `None` when `cargo xtask pg` has not been run, or could not get any.
    pub fn find() -> Option<Self> {
        Self::at(&folder())
    }

    /// Those that `make` has left in a folder.
    pub fn at(folder: &Path) -> Option<Self> {
        let bin = PathBuf::from(std::fs::read_to_string(folder.join("bin")).ok()?);
        let template = folder.join("template");
        (bin.join("postgres").is_file() && template.join("PG_VERSION").is_file())
            .then_some(Self { bin, template })
    }

    /// One of PostgreSQL's own programs.
    pub fn program(&self, name: &str) -> PathBuf {
        self.bin.join(name)
    }

    pub fn start(&self, durability: Durability) -> io::Result<Server> {
        self.start_in(&std::env::temp_dir(), durability, &[])
    }

    /// The same with its data below a folder, such as one on a small disk, and with more settings, each as
    /// `name=value`.
    pub fn start_in(
        &self,
        parent: &Path,
        durability: Durability,
        settings: &'static [&'static str],
    ) -> io::Result<Server> {
        let folder = tempfile::Builder::new().prefix("oldhand-pg-").tempdir_in(parent)?;
        if is_root() {
            std::os::unix::fs::chown(folder.path(), Some(NOBODY), Some(NOBODY))?;
        }
        let mut copy = as_user("cp");
        copy.arg("-R").arg(&self.template).arg(folder.path().join("data"));
        if !copy.status()?.success() {
            return Err(io::Error::other("the template could not be copied"));
        }
        let child = self.spawn(folder.path(), durability, settings)?;
        let mut server = Server { programs: self.clone(), durability, settings, folder, child };
        server.wait_until_ready()?;
        Ok(server)
    }

    fn spawn(&self, folder: &Path, durability: Durability, settings: &[&str]) -> io::Result<Child> {
        let sync = match durability {
            Durability::Full => "fsync=on",
            Durability::None => "fsync=off",
        };
        let mut command = as_user(&self.bin.join("postgres").to_string_lossy());
        command.arg("-D").arg(folder.join("data"));
        command.arg("-k").arg(folder).args(["-c", "listen_addresses=", "-c", sync]);
        command.args(["-c", "max_connections=100", "-c", "shared_buffers=32MB"]);
        command.args(["-c", "log_min_messages=fatal", "-c", "wal_level=minimal"]);
        command.args(["-c", "max_wal_senders=0", "-c", "dynamic_shared_memory_type=mmap"]);
        command.args(settings.iter().flat_map(|setting| ["-c", setting]));
        let log = std::fs::File::options().create(true).append(true).open(folder.join("log"))?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()
    }
}

impl Server {
    /// The folder of its socket, which clients take as a host.
    pub fn socket(&self) -> &Path {
        self.folder.path()
    }

    /// Kills the server and all its processes without a word, and returns when none of them is left.
    pub fn kill_all(&mut self) -> io::Result<()> {
        let postmaster = Pid::from_raw(self.child.id().cast_signed());
        let mut all = children_of(self.child.id());
        all.push(postmaster);
        // The postmaster first: it would start new ones.
        for pid in all.iter().rev() {
            // One that has ended meanwhile is as good as killed.
            let _ = kill(*pid, Signal::SIGKILL);
        }
        self.child.wait()?;
        look_until(|| all.iter().all(|pid| kill(*pid, None).is_err() || is_zombie(*pid)))
    }

    /// Whether it has not ended by itself.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Starts it again on the same data.
    pub fn restart(&mut self) -> io::Result<()> {
        self.child = self.programs.spawn(self.folder.path(), self.durability, self.settings)?;
        self.wait_until_ready()
    }

    fn wait_until_ready(&mut self) -> io::Result<()> {
        let ready = self.programs.bin.join("pg_isready");
        let folder = self.folder.path().to_owned();
        let mut ended = None;
        look_until(|| {
            ended = self.child.try_wait().ok().flatten();
            let mut command = Command::new(&ready);
            command.arg("-q").arg("-h").arg(&folder).stdout(Stdio::null()).stderr(Stdio::null());
            ended.is_some() || command.status().is_ok_and(|status| status.success())
        })?;
        match ended {
            None => Ok(()),
            Some(status) => {
                let said = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
                Err(io::Error::other(format!("PostgreSQL ended ({status}): {said}")))
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // At once: the data goes too.
        let _ = kill(Pid::from_raw(self.child.id().cast_signed()), Signal::SIGQUIT);
        let _ = self.child.wait();
    }
}

/// Looks again and again; an error when it never becomes true.
fn look_until(mut is_so: impl FnMut() -> bool) -> io::Result<()> {
    for _ in 0..LOOKS_MAX {
        if is_so() {
            return Ok(());
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "PostgreSQL did not do what it should"))
}

fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

/// A test that is killed takes its server with it, where the system can do that.
fn as_user(program: &str) -> Command {
    if !cfg!(target_os = "linux") {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "QUIT"]);
    if is_root() {
        let id = NOBODY.to_string();
        command.args(["--reuid", &id, "--regid", &id, "--clear-groups"]);
    }
    command.arg("--").arg(program);
    command
}

/// Read from the system's table, as PostgreSQL names none of its processes elsewhere.
fn children_of(pid: u32) -> Vec<Pid> {
    let path = format!("/proc/{pid}/task/{pid}/children");
    let listed = std::fs::read_to_string(path).unwrap_or_default();
    listed.split_whitespace().filter_map(|it| it.parse().ok()).map(Pid::from_raw).collect()
}

/// Ended, and only its parent, which is not ours, has not heard of it yet.
fn is_zombie(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
}
